"""Shared deals (platform P-94): whatever is played, luck's k-th throw, wall or pack is the same at every table."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from qipai import games
from qipai.core.contract import NATURE
from qipai.core.entry import rules_of
from qipai.core.rng import Stream

SEED = bytes(range(32))
LUCKY = [name for name in games.names() if games.find(name).luck]


def drawn(name: str, played: int, **options: Any) -> list[Any]:
    """Return what luck draws at a table where one course of many is taken."""
    entry = games.find(name)
    chosen = entry.chosen(options)
    rules = rules_of(entry, chosen, max(entry.seats))
    state = entry.begun(rules, msgspec.to_builtins(entry.carry(chosen, 0)), ())
    luck, play = Stream.of_deal(SEED, "board00001", 1, ()), Stream.of_seed(played)
    found: list[Any] = []
    while rules.outcome(state) is None and len(found) < 60:
        turn = rules.turn(state)
        seat = play.shuffled(sorted(turn.seats | turn.may))[0]
        if seat == NATURE:
            before = luck.drawn
            action = rules.chance(state, luck)
            if luck.drawn > before:
                found.append(action)
        elif (action := next(iter(rules.legal(state, seat)), None)) is None:
            continue  # it may act, and has nothing to do now
        else:
            action = rules.sample(state, seat, play)
        state = rules.apply(state, seat, action).state
    return found


@pytest.mark.parametrize("name", LUCKY)
def test_luck_is_the_same_whatever_is_played(name: str) -> None:
    tables = [drawn(name, played) for played in range(3)]
    assert all(tables)
    for others in tables[1:]:
        for one, other in zip(tables[0], others, strict=False):
            assert one == other


def test_dice_are_the_same_in_a_match_whose_games_end_at_different_throws() -> None:
    tables = [drawn("backgammon", played, match_to=5) for played in range(4)]
    shortest = min(map(len, tables))
    assert len({tuple(type(one) for one in table[:shortest]) for table in tables}) > 1, "games end at different throws"
    assert len({tuple(one.d for one in table[:shortest]) for table in tables}) == 1
