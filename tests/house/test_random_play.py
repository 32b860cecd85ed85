"""Random play of every game: it draws from what plays on, never resigns or offers a draw, and comes to its end."""

from __future__ import annotations

from typing import Any

import pytest

from qipai import games
from qipai.core.contract import NATURE, play
from qipai.core.entry import rules_of
from qipai.core.rng import Stream
from qipai.games.backgammon.state import OfferDraw as Offer
from qipai.games.backgammon.state import Opening
from qipai.games.backgammon.state import Resign as GiveUp
from qipai.games.xiangqi.state import AcceptDraw, DeclineDraw, Move, OfferDraw, Resign


def tags(actions: Any) -> set[str]:
    return {action.__struct_config__.tag for action in actions}


@pytest.mark.parametrize("game", games.names())
def test_random_play_plays_to_the_end(game: str) -> None:
    entry = games.find(game)
    options = entry.options()
    rules, luck = rules_of(entry, options), Stream.of_seed(f"random {game}")
    state, done, ways_out = rules.start(entry.carry(options, 0)), set(), set()
    while (outcome := rules.outcome(state)) is None:
        seat = min(rules.turn(state).seats)
        ways_out |= tags(rules.leaving(state, seat))
        action = rules.chance(state, luck) if seat == NATURE else rules.sample(state, seat, luck)
        done |= tags([action])
        state = play(rules, state, seat, action).state
    assert len(outcome.points) >= rules.seats
    assert done & ways_out == set()


def test_xiangqi_lists_resignation_and_the_offer_apart_and_the_answer_as_play() -> None:
    rules = rules_of(games.find("xiangqi"), games.find("xiangqi").options())
    state = rules.start()
    assert {type(action) for action in rules.legal(state, 0)} == {Move}
    assert list(rules.leaving(state, 0)) == [OfferDraw(), Resign()]
    assert list(rules.legal(state, 1)) == []
    assert list(rules.leaving(state, 1)) == [Resign()]
    assert list(rules.leaving(state, NATURE)) == []
    state = play(rules, state, 0, OfferDraw()).state
    assert list(rules.legal(state, 1)) == [AcceptDraw(), DeclineDraw()]
    assert list(rules.leaving(state, 0)) == [Resign()]
    over = play(rules, state, 1, AcceptDraw()).state
    assert [*rules.leaving(over, 0), *rules.leaving(over, 1)] == []


@pytest.mark.parametrize("draws", [True, False])
def test_backgammon_lists_what_ends_a_game_apart(draws: bool) -> None:
    entry = games.find("backgammon")
    rules = rules_of(entry, entry.options(allow_draw=draws))
    state = play(rules, rules.start(), NATURE, Opening((6, 1))).state
    seat = min(rules.turn(state).seats)
    assert list(rules.leaving(state, seat)) == [GiveUp(1), GiveUp(2), GiveUp(3), *([Offer()] if draws else [])]
    assert list(rules.leaving(state, 1 - seat)) == []
    assert tags(rules.legal(state, seat)) == {"play"}
    state = play(rules, state, seat, GiveUp(1)).state
    assert tags(rules.legal(state, 1 - seat)) == {"accept", "reject"}
    assert [*rules.leaving(state, 0), *rules.leaving(state, 1)] == []
