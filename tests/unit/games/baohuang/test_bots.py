"""The players: they take views, obey the rules, keep the time; the exact search agrees with trying everything."""

from __future__ import annotations

import time

import pytest

from qipai.core.contract import NATURE, play
from qipai.core.kernel import buffer
from qipai.core.rng import Stream
from qipai.games.baohuang import ENTRY
from qipai.games.baohuang.kernel import policy, search
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.rules import Baohuang, thaw
from qipai.games.baohuang.state import Action, Play, State
from qipai.kit import tree


@pytest.mark.parametrize("level", ["easy", "steady", "strong"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_deal_is_played_within_the_rules(level: str, seed: int) -> None:
    options = Options(six_hung=seed == 1, grab=seed == 2, kick=True)
    rules, rng = Baohuang(options), Stream.of_seed(seed)
    state = rules.start()
    bots = [ENTRY.bots[level](options, seed=seat) for seat in range(5)]
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        if seat == NATURE:
            action: Action = rules.chance(state, rng)
        else:
            chosen = bots[seat].choose(rules.observe(state, seat), 2)
            assert chosen is not None
            action = chosen
        state = play(rules, state, seat, action).state


@pytest.mark.parametrize("level", ["easy", "steady", "strong"])
def test_the_last_set_is_played(level: str) -> None:
    setup = {"emperor": 0, "guard": 1, "mode": "pair", "opened": False}
    rules = Baohuang()
    state = rules.place(["777x", "88x*", "99", "TT", "JJ"], setup)
    assert ENTRY.bots[level](Options(), seed=1).choose(rules.observe(state, 0), 50) == Play("777x")


def test_the_strong_player_keeps_the_time() -> None:
    rules = Baohuang(Options(grab=False))
    state = rules.start()
    state = rules.apply(state, NATURE, rules.chance(state, Stream.of_seed(4))).state
    while rules.turn(state).ask != "lead":
        for seat in rules.turn(state).seats:
            state = rules.apply(state, seat, rules.idle(state, seat)).state
    (seat,) = rules.turn(state).seats
    bot = ENTRY.bots["strong"](rules.options, seed=1)
    view = rules.observe(state, seat)
    bot.choose(view, 1)
    begun = time.perf_counter()
    bot.choose(view, 200)
    assert time.perf_counter() - begun < 0.6


def everything(rules: Baohuang, state: State) -> int:
    """What a deal is worth to the emperor's side when all is tried, in steps of g."""
    outcome = rules.outcome(state)
    reg = state.reg
    if outcome is not None:
        return int(policy.worth(thaw(state), reg[t.EMPEROR]))
    (seat,) = rules.turn(state).seats
    found = [everything(rules, rules.apply(state, seat, action).state) for action in rules.legal(state, seat)]
    return max(found) if seat in (reg[t.EMPEROR], reg[t.GUARD]) else min(found)


@pytest.mark.parametrize(
    ("hands", "setup"),
    [
        (["79", "8", "9x*", "T", "J"], {"emperor": 0, "guard": 2, "mode": "pair", "opened": False}),
        (["7J", "8", "Qx*", "6T", "J"], {"emperor": 0, "guard": 2, "mode": "pair", "opened": True}),
        (["9x*X", "8", "T", "JJ", "A"], {"emperor": 0, "guard": None, "mode": "solo_hidden", "opened": False}),
        (["9A", "8", "T", "J2", "K"], {"emperor": 0, "guard": None, "mode": "solo_open", "opened": True}),
    ],
)
def test_the_exact_search_finds_what_trying_everything_finds(hands: list[str], setup: dict[str, object]) -> None:
    rules = Baohuang()
    state = rules.place(hands, setup)
    rooms = buffer(search.DEPTH * search.CELLS), buffer(search.DEPTH * search.WIDTH), buffer(search.DEPTH * tree.PLY)

    def solved(most: int) -> int | None:
        s, out = thaw(state), buffer(t.MOST_PLAYS)
        return tree.solved(lambda depth: search.solve(s, depth, most, *rooms, out), 10**6, lambda: True)

    assert solved(200_000) == everything(rules, state)
    assert solved(3) == everything(rules, state)  # as often as it is left and gone on with


def test_without_time_the_strong_player_does_what_the_steady_one_does() -> None:
    rules, rng = Baohuang(), Stream.of_seed(11)
    state = rules.start()
    asked = 0
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        if seat == NATURE:
            state = rules.apply(state, seat, rules.chance(state, rng)).state
            continue
        view = rules.observe(state, seat)
        action = ENTRY.bots["steady"](rules.options, seed=1).choose(view, 0)
        assert action is not None
        assert ENTRY.bots["strong"](rules.options, seed=1).choose(view, 0) == action
        asked += 1
        state = rules.apply(state, seat, action).state
    assert asked > 60
