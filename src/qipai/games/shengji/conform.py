"""The conformance kinds of shengji (12), one function each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from qipai.core.contract import NATURE
from qipai.core.entry import Kind, as_action, subset
from qipai.core.kernel import Buffer, buffer, pour
from qipai.games.shengji import observation, score
from qipai.games.shengji.kernel import flow, follow, shapes
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.listing import follows
from qipai.games.shengji.notation import GROUPS, INDEX, NAMES, SUITS, TYPES, counted, suit_name, write
from qipai.games.shengji.options import Options
from qipai.games.shengji.rules import Shengji
from qipai.games.shengji.state import Action, Carry, NextDeal, Pass, State

__all__ = ["KINDS", "burying", "declaring", "following"]

Given = Mapping[str, Any]
Json = Any
SEATS: Final = range(t.SEATS)
# Facts of a script that are null until there is something to tell.
LATER: Final = (
    *("forced", "trick_winner", "trick_points", "kitty_points", "kitty_multiplier", "kitty_bonus", "qq_deltas"),
    *("next_dealer", "side", "up", "match_winner"),
)


def _options(given: Given) -> Options:
    """Return the options of a case, whose number of decks stands beside them."""
    return msgspec.convert({**(given.get("options") or {}), "decks": given["decks"]}, Options)


def _table(setup: Given) -> tuple[t.Table, Options]:
    """Return an empty table in which trumps stand."""
    options = _options(setup)
    s = t.new_table()
    pour(s.reg, observation.new_registers(options, (setup["level"], setup["level"]), None))
    s.reg[t.TRUMP] = SUITS.index(setup["trump"]) if setup.get("trump") else -1
    t.arrange(s)
    return s, options


def _put(cells: Buffer, seat: int, cards: Sequence[str]) -> None:
    counts = counted(cards)
    for card in range(t.CARDS):
        cells[seat * t.CARDS + card] += counts[card]


def _lead(s: t.Table, seat: int, cards: Sequence[str]) -> None:
    """Lay a lead on the table, without asking whether it stands."""
    room = t.new_room()
    _put(s.put, seat, cards)
    group = int(shapes.one_group(s.group, s.put, seat * t.CARDS))
    n = shapes.decompose(s, s.put, seat * t.CARDS, group, room, s.shape)
    flow.lead_stands(s, seat, group, n, room)
    s.reg[t.TABLED] = 1


def _state(s: t.Table) -> State:
    return State(1, ("2", "2"), False, None, (), None, None, ((),) * t.SEATS, **observation.freeze(s))


def setup(given: Given) -> Json:
    """Give the sizes of a form."""
    options = _options(given)
    return {
        "cards": 54 * options.decks,
        "hand": options.hand,
        "kitty": options.kitty,
        "total_points": 100 * options.decks,
        "segment": options.segment,
        "changeover": 2 * options.segment,
        "start_level": options.start_level,
    }


def order(given: Given) -> Json:
    """List the steps of a group from the top down."""
    s, _ = _table(given["setup"])
    group = GROUPS.index(given["group"])
    cells = [
        [int(s.lane[(group * t.STEPS + step) * t.LANES + k]) for k in range(t.LANES)]
        for step in range(int(s.steps[group]) - 1, -1, -1)
    ]
    return {"order": [[NAMES[card] for card in step if card >= 0] for step in cells]}


def compare_cards(given: Given) -> Json:
    """Compare two cards by strength."""
    s, _ = _table(given["setup"])
    a, b = INDEX[given["a"]], INDEX[given["b"]]
    if s.group[a] != s.group[b]:
        result = "gt" if s.group[a] == 0 else "lt" if s.group[b] == 0 else "none"
    else:
        result = "eq" if s.step[a] == s.step[b] else "gt" if s.step[a] > s.step[b] else "lt"
    return {"result": result}


def _decomposed(given: Given) -> tuple[t.Table, int, list[int]]:
    s, _ = _table(given["setup"])
    cards = counted(given["cards"])
    group = int(shapes.one_group(s.group, cards, 0))
    if group < 0:
        return s, group, []
    out = buffer(2 * t.MOST)
    n = int(shapes.decompose(s, cards, 0, group, t.new_room(), out))
    return s, group, [int(out[i]) for i in range(n)]


def classify(given: Given) -> Json:
    """Say what cards are when they are led."""
    _, group, parts = _decomposed(given)
    if group < 0:
        return {"type": "mixed"}
    return {"type": TYPES[int(shapes.type_of(parts[0]))] if len(parts) == 1 else "throw"}


def decompose(given: Given) -> Json:
    """Give the canonical decomposition of cards of one group."""
    s, group, parts = _decomposed(given)
    return {
        "components": [
            [TYPES[int(shapes.type_of(one))], int(shapes.length(one)), NAMES[int(shapes.highest(s, one, group))]]
            for one in parts
        ]
    }


def _following(given: Given) -> tuple[t.Table, Options]:
    s, options = _table(given["setup"])
    _lead(s, 0, given["lead"])
    _put(s.hands, 1, given["hand"])
    s.reg[t.PHASE], s.reg[t.TURN] = t.PLAYING, 1
    return s, options


def _verdict(rules: Shengji, state: State, seat: int, raw: Json) -> Json:
    refusal = rules.refuse(state, seat, as_action(Action, raw))
    return {"legal": True} if refusal is None else {"legal": False, "error": refusal.code}


def following(given: Given) -> tuple[Shengji, State]:
    """Return the table at which a lead lies, and the next seat has to follow it."""
    s, options = _following(given)
    return Shengji(options), _state(s)


def follow_kind(given: Given) -> Json:
    """Judge a follow."""
    return _verdict(*following(given), 1, {"a": "play", "cards": given["play"]})


def follow_count(given: Given) -> Json:
    """List all legal follows."""
    s, _ = _following(given)
    plays = sorted(sorted(cards) for cards in follows(s, 1))
    return {"count": len(plays), "plays": plays}


def throw(given: Given) -> Json:
    """Judge a throw."""
    s, group, parts = _decomposed(given)
    for seat, cards in given["hands"].items():
        _put(s.hands, int(seat), cards)
    for i, part in enumerate(parts):
        s.shape[i] = part
    forced = 0
    if len(parts) > 1:
        forced = int(follow.forced(s, given["seat"], s.shape, len(parts), group, s.hands, t.new_room()))
    if not forced:
        return {"ok": True}
    cards = buffer(t.CARDS)
    shapes.put_down(s, forced, group, cards, 0)
    return {"ok": False, "forced": sorted(write(s, cards))}


def _trick(given: Given) -> tuple[t.Table, int, int]:
    s, _ = _table(given["setup"])
    room = t.new_room()
    points = 0
    for number, (seat, cards) in enumerate(given["plays"]):
        if number == 0:
            _lead(s, seat, cards)
        else:
            _put(s.put, seat, cards)
            flow.weigh(s, seat, shapes.one_group(s.group, s.put, seat * t.CARDS), room)
        points += int(t.points_in(counted(cards), 0))
    return s, int(s.reg[t.BEST]), points


def trick(given: Given) -> Json:
    """Say who wins a trick, and what is in it."""
    _, winner, points = _trick(given)
    return {"winner": winner, "points": points}


def kitty(given: Given) -> Json:
    """Say what the kitty comes to after the last trick."""
    s, winner, _ = _trick(given)
    options = _options(given["setup"])
    width = int(shapes.size(s.shape[0]))
    if options.kitty_multiplier_by == "winner_cards":
        room, at = t.new_room(), winner * t.CARDS
        shapes.decompose(s, s.put, at, shapes.one_group(s.group, s.put, at), room, room.parts)
        width = int(shapes.size(room.parts[0]))
    times = int(flow.multiplier(width)) if (winner + given["dealer"]) % 2 else 0
    points = int(t.points_in(counted(given["kitty"]), 0))
    return {"winner": winner, "multiplier": times, "kitty_points": points, "bonus": points * times}


def declaring(given: Given) -> tuple[Shengji, State]:
    """Return the table after the last card, when declarations are still open."""
    rules = Shengji(_options(given))
    levels = (given["level"], given["level"])
    dealer = given.get("dealer")
    state = rules.start(Carry(1, levels, dealer))
    s = observation.thaw(state)
    for seat, cards in enumerate(given["hands"]):
        _put(s.hands, seat, cards)
    s.reg[t.FIRST] = given["starter"] if dealer is None else dealer
    s.reg[t.DEALT] = int(flow.to_fall(s))
    s.reg[t.PHASE] = t.DECLARING
    # What lies in the kitty is none of this case: any cards will do.
    for i in range(t.DECK):
        s.deck[i] = 0
    return rules, msgspec.structs.replace(state, **observation.freeze(s))


def declare(given: Given) -> Json:
    """Play declarations after the last card, then let everybody pass."""
    rules, state = declaring(given)
    results = []
    for seat, cards in given["declarations"]:
        action = as_action(Action, {"a": "pass"} if cards == "pass" else {"a": "declare", "cards": cards})
        refusal = rules.refuse(state, seat, action)
        results.append("ok" if refusal is None else refusal.code)
        if refusal is None:
            state = rules.apply(state, seat, action).state
    for seat in SEATS:
        if state.reg[t.PHASE] == t.DECLARING:
            state = rules.apply(state, seat, Pass()).state
    return {"results": results, "trump": suit_name(state.reg[t.TRUMP]), "dealer": state.reg[t.DEALER]}


def burying(given: Given) -> tuple[Shengji, State]:
    """Return the table at which the dealer has picked up the kitty."""
    options = _options(given)
    s, _ = _table({"decks": options.decks, "level": "2", "trump": None, "options": given.get("options")})
    _put(s.hands, 0, given["hand"])
    s.reg[t.PHASE], s.reg[t.TURN], s.reg[t.DEALER] = t.BURYING, 0, 0
    return Shengji(options), _state(s)


def bury(given: Given) -> Json:
    """Judge a kitty."""
    return _verdict(*burying(given), 0, {"a": "bury", "cards": given["bury"]})


def deal_result(given: Given) -> Json:
    """Say what a deal comes to."""
    a, b = given["levels"]
    ended = score.result(_options(given), given["points"], given["dealer"], (a, b))
    return {
        "side": ended.side,
        "up": ended.up,
        "levels": ended.levels,
        "next_dealer": ended.next_dealer,
        "match_winner": ended.match_winner,
    }


def qq_points(given: Given) -> Json:
    """Settle the ledger."""
    levels = ("2", "2")
    ended = score.result(_options(given), given["points"], given["dealer"], levels, given["balances"])
    return {"deltas": ended.scores, "multiplier": ended.multiplier}


def coins(given: Given) -> Json:
    """Settle in coins."""
    return score.coins(given["x"], given["n"], given["a"])


def script(given: Given) -> Json:
    """Play actions; give the facts after each, the code of each that is refused, and how it ends."""
    options = _options(given)
    if given.get("qq_balances") is not None:
        options = msgspec.structs.replace(options, qq_balances=tuple(given["qq_balances"]))
    rules = Shengji(options)
    a, b = given["levels"]
    dealer = given.get("dealer")
    state = rules.start(Carry(1, (a, b), dealer, options.qq_balances))
    starter = given["starter"] if dealer is None else None
    state = rules.apply(state, NATURE, NextDeal(tuple(given["deck"]), starter)).state
    steps = {}
    for number, (seat, raw) in enumerate(given["actions"]):
        action = as_action(Action, raw)
        here = state
        ended = rules.outcome(state)
        if isinstance(action, NextDeal) and ended is not None and ended.carry is not None:
            here = rules.start(ended.carry)  # in a match the next deal begins where this one has ended
        refusal = rules.refuse(here, seat, action)
        if refusal is not None:
            steps[str(number)] = {**facts(rules, state), "error": refusal.code}
            continue
        step = rules.apply(here, seat, action)
        state = step.state
        steps[str(number)] = facts(rules, state)
        for told in step.told:
            if type(told.event).__name__ == "ThrowFailed":
                steps[str(number)]["forced"] = sorted(told.event.forced)
    return {"steps": steps, "final": facts(rules, state)}


def facts(rules: Shengji, state: State) -> dict[str, Json]:
    """Return all facts that a script may ask for."""
    view = rules.observe(state, None)
    found: dict[str, Json] = dict.fromkeys(LATER) | {
        "trump": view.trump,
        "declarer": view.declarations[-1].seat if view.declarations else None,
        "phase": view.phase,
        "turn": view.turn[0] if view.phase in ("burying", "playing") else None,
        "dealer": view.dealer,
        "level": view.level,
        "points": view.points,
        "levels": view.levels,
    }
    if view.last is not None:
        found |= {"trick_winner": view.last.best, "trick_points": view.last.points}
    if view.reveal is not None and view.result is not None:
        ended = view.result
        found |= {
            "kitty_points": view.reveal.points,
            "kitty_multiplier": view.reveal.multiplier,
            "kitty_bonus": view.reveal.bonus,
            "qq_deltas": ended.scores,
            "levels": ended.levels,
            "next_dealer": ended.next_dealer,
            "side": ended.side,
            "up": ended.up,
            "match_winner": ended.match_winner,
        }
    return found


def _sorted(value: Json) -> Json:
    """Return facts with the cards of `forced` sorted: a list of cards is a multiset."""
    if isinstance(value, Mapping):
        return {key: sorted(one) if key == "forced" and one else _sorted(one) for key, one in value.items()}
    return value


def _script_differs(found: Json, expect: Json) -> str | None:
    wanted = {number: step["error"] for number, step in expect.get("steps", {}).items() if "error" in step}
    refused = {number: step["error"] for number, step in found["steps"].items() if "error" in step}
    for number in sorted(wanted.keys() | refused.keys(), key=int):
        if wanted.get(number) != refused.get(number):
            return f"step {number}: {refused.get(number)} instead of {wanted.get(number)}"
    return subset(_sorted(found), _sorted(expect))


KINDS: Final = {
    "setup": Kind(setup),
    "order": Kind(order),
    "compare_cards": Kind(compare_cards),
    "classify": Kind(classify),
    "decompose": Kind(decompose),
    "follow": Kind(follow_kind),
    "follow_count": Kind(follow_count),
    "throw": Kind(throw, lambda found, expect: subset(_sorted(found), _sorted(expect))),
    "trick": Kind(trick),
    "kitty": Kind(kitty),
    "declare": Kind(declare),
    "bury": Kind(bury),
    "deal_result": Kind(deal_result),
    "qq_points": Kind(qq_points),
    "coins": Kind(coins),
    "script": Kind(script, _script_differs),
}
