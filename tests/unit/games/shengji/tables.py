"""Deals that a reader can check: hands as words, played from where a test wants them."""

from __future__ import annotations

from typing import Any

import msgspec

from qipai.core.contract import NATURE
from qipai.core.rng import Stream
from qipai.games.shengji import ENTRY, observation
from qipai.games.shengji.kernel import flow
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import SUITS, counts_of
from qipai.games.shengji.options import Options
from qipai.games.shengji.rules import Shengji
from qipai.games.shengji.state import Carry, Pass, State

__all__ = ["act", "dealt", "played_out", "playing"]


def act(rules: Shengji, state: State, seat: int, **action: Any) -> State:
    """Take an action that must be allowed: act(rules, state, 0, a="play", cards="SK SK")."""
    if "cards" in action:
        action["cards"] = action["cards"].split()
    made = ENTRY.act(action)
    refusal = rules.refuse(state, seat, made)
    assert refusal is None, refusal
    return rules.apply(state, seat, made).state  # type: ignore[arg-type]


def code(rules: Shengji, state: State, seat: int, **action: Any) -> str | None:
    """Return why an action is refused."""
    if isinstance(action.get("cards"), str):
        action["cards"] = action["cards"].split()
    refusal = rules.refuse(state, seat, ENTRY.act(action))
    return None if refusal is None else refusal.code


def dealt(rules: Shengji, hands: list[str], **carry: Any) -> State:
    """Return a deal in which all these cards have fallen, before anybody has declared."""
    state = rules.start(msgspec.convert({"deal": 1, "levels": ["T", "T"], **carry}, Carry))
    s = observation.thaw(state)
    for seat, hand in enumerate(hands):
        for card, n in enumerate(counts_of(hand.split())):
            s.hands[seat * t.CARDS + card] = n
    for i in range(t.DECK):
        s.deck[i] = 0
    s.reg[t.DEALT] = flow.to_fall(s)
    s.reg[t.PHASE] = t.DECLARING
    return msgspec.structs.replace(state, **observation.freeze(s))


def playing(options: Options, hands: list[str], *, trump: str | None = "S", kitty: str = "", points: int = 0) -> State:
    """Return a deal of dealer 0 at level 10 whose tricks begin with these hands."""
    rules = Shengji(options)
    state = dealt(rules, hands, dealer=0)
    s = observation.thaw(state)
    s.reg[t.TRUMP] = SUITS.index(trump) if trump else -1
    t.arrange(s)
    for card, n in enumerate(counts_of(kitty.split())):
        s.kitty[card] = n
    s.reg[t.POINTS] = points
    flow.start_tricks(s, 0)
    return msgspec.structs.replace(state, **observation.freeze(s))


def played_out(rules: Shengji, state: State, seed: int) -> State:
    """Play a deal to its end as absent players do, the luck from a seed."""
    rng = Stream.of_seed(seed)
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        action = rules.chance(state, rng) if seat == NATURE else rules.idle(state, seat)
        assert rules.refuse(state, seat, action) is None
        state = rules.apply(state, seat, action).state
    return state


def pass_all(rules: Shengji, state: State) -> State:
    """Let all four pass."""
    for seat in range(4):
        state = rules.apply(state, seat, Pass()).state
    return state
