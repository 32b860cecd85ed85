"""The players: they take views, obey the rules, keep the time, win when they can; all agree in both modes."""

from __future__ import annotations

import time

import pytest

from qipai.core.contract import NATURE, play
from qipai.core.kernel import buffer, thawed
from qipai.core.rng import Stream
from qipai.games.mahjong import ENTRY
from qipai.games.mahjong.bots import strong
from qipai.games.mahjong.conform import Play
from qipai.games.mahjong.kernel import forms, policy, shape
from qipai.games.mahjong.kernel import play as moves
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.rules import Mahjong, cells
from qipai.games.mahjong.selfplay import fresh
from qipai.games.mahjong.state import Action, Discard, Hu

LEVELS = ["easy", "steady", "strong"]


@pytest.mark.parametrize("level", LEVELS)
def test_a_whole_hand_with_every_phase_is_played_within_the_rules(level: str) -> None:
    options = Options(exchange="three", void_rule="declare")
    rules, rng = Mahjong(options), Stream.of_seed(3)
    state = rules.start(None, (4, 5))
    bots = [ENTRY.bots[level](options, seed=seat) for seat in range(6)]
    asks = set()
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        asks.add(rules.turn(state).ask)
        if seat == NATURE:
            action: Action = rules.chance(state, rng)
        else:
            action = bots[seat].choose(rules.observe(state, seat), 2)  # type: ignore[assignment]
        state = play(rules, state, seat, action).state
    assert asks >= {"dice", "deal", "horse", "swap", "die", "void", "turn", "claim"}


@pytest.mark.parametrize("level", LEVELS)
def test_a_win_is_taken(level: str) -> None:
    case = Play({"hands": ["567m12345678999p", "", "", ""], "wall": "3s6s9s2s5s8s", "drawn": "7m", "won": [2, 3]})
    view = case.rules.observe(case.state, 0)
    assert ENTRY.bots[level](Options()).choose(view, 50) == Hu()


@pytest.mark.parametrize("level", LEVELS)
def test_the_third_suit_goes_first(level: str) -> None:
    hands = ["123m456m789p2277p5s", "2357m1369p14799s", "1469m147p225788s", "1469m147p225788s"]
    case = Play({"hands": hands, "wall": "3s6s9s2s5s8s2m4m", "drawn": "5s"})
    view = case.rules.observe(case.state, 0)
    chosen = ENTRY.bots[level](Options()).choose(view, 50)
    assert isinstance(chosen, Discard)
    assert chosen.t == "5s"


def test_the_strong_player_keeps_its_time() -> None:
    case = Play(
        {
            "hands": ["14579m24578p1369s", "23568m1369p1479s", "55m124689p13579s", "13469m1479p2578s"],
            "wall": "3s6s9s2s5s8s1p2p3p",
            "drawn": "5m",
        }
    )
    view = case.rules.observe(case.state, 0)
    start = time.perf_counter()
    assert isinstance(ENTRY.bots["strong"](Options()).choose(view, 200), Discard)
    assert time.perf_counter() - start < 3, "one trial may be late when nothing is compiled"


def test_what_a_hand_is_worth_is_in_bases() -> None:
    """A hand that waits for a tile is worth the same whether a point is one chip or a hundred: so is what it fears."""
    costs, taste, out = shape.costs(), thawed(policy.TASTE), buffer(t.MOST)
    tables = [t.new_table(cells(Options(base=base)), forms.forms()) for base in (1, 100)]
    waiting = 0
    for s in tables:
        fresh(s, 5)
    small = tables[0]
    while small.b[t.PHASE] != t.END:
        seat = int(moves.to_act(small))
        if small.b[t.PHASE] == t.TURN:
            for s in tables:
                shape.unseen(s, seat)
            for tile in range(t.KINDS):
                if small.b[t.HANDS + seat * t.KINDS + tile] and shape.short_with(small, costs, seat, tile, -1) == 1:
                    fours = policy.all_four(small, seat)
                    one, other = (int(policy.prospects(s, costs, taste, seat, tile, 1, fours)) for s in tables)
                    assert one == other
                    waiting += one > taste[policy.READY]
        action = int(policy.sound(small, costs, taste, seat, out))
        for s in tables:
            moves.act(s, seat, action)
    assert waiting > 5


def test_a_search_drops_what_is_surely_worse_and_ends_where_one_is_surely_better() -> None:
    # after 100 hands, with a spread of 10 bases: sums of +400, +20 and -900 over the first
    sums = [0, 0, 400, 100 * 116, 20, 100 * 100, -900, 100 * 181]
    assert strong.hopeful([1, 2, 3], sums, 100) == [1, 2]
    assert strong.hopeful([1, 2, 3], sums, strong.SURE_HANDS - 1) == [1, 2, 3], "a few hands prove nothing"
    assert strong.hopeful([3], sums, 100) == []
    assert [strong.settled(alive, sums, 100) for alive in ([], [1], [2], [1, 2])] == [True, True, False, False]
    assert round(strong.bound(sums, 100, 1, -1.0), 6) == 3.0
