"""Duplicate tournaments counted again: one in order has nothing wrong, and each fault that is put in is found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.bench.town.told import Told
from tests.unit.contests.driver import NOON

from qipai.bench.town.happened import Result
from qipai.bench.town.recount_tournaments import of_tournament
from qipai.contests.contract import GameOver, GameTerms, Tick
from qipai.contests.tournaments import duplicate
from qipai.contests.tournaments.commands import Enter, Make
from qipai.contests.tournaments.form import TournamentForm
from qipai.contests.tournaments.kind import Tournaments
from qipai.contests.tournaments.model import Stage

STREAM = "tournament:1"
POINTS = ((4, -2, -2), (-6, 3, 3), (2, -1, -1), (2, -4, 2))  # of the tables, as they end


class Cup(Told):
    """A duplicate tournament of doudizhu: six people, two rounds of two tables."""

    def __init__(self) -> None:
        super().__init__(Tournaments(lambda: "5" * 64))
        terms = GameTerms("doudizhu", rated=False)
        form = TournamentForm(
            name="复式", format="sections", terms=terms, seats=3, min_players=6, max_players=6, rounds=2, duplicate=True
        )
        self.say(Make(id="1", form=form), 1)
        for user in range(11, 17):
            self.say(Enter(), user)
        self.now = self.kind.due(self.state) or NOON
        self.say(Tick())
        while self.state.state == "running":
            game = self.kind.games(self.state)[0]
            id, points = str(len(self.results)), POINTS[len(self.results)]
            deal, luck = f"deal {game.deal}", f"cards of {game.deal}"
            self.results[id] = Result(game.users, points, STREAM, game.id, "out", frozenset(), deal, None, luck)
            over = GameOver(game=game.id, table=int(id), why="out", points=points, places=(1, 2, 3), game_id=id)
            self.say(over)

    def wrong(self, results: Mapping[str, Result]) -> list[str]:
        """Recount it with other replays."""
        return of_tournament(STREAM, self.happened, self.state, {**self.results, **results}.get)[1]


@pytest.fixture(scope="module")
def cup() -> Cup:
    return Cup()


def test_what_is_in_order_is_found_in_order(cup: Cup) -> None:
    assert cup.state.state == "finished"
    assert len(cup.results) == len(POINTS)
    assert cup.wrong({}) == []


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"deal": "another"}, "the game 1.1.1.2.1 had another deal than 1.1.1.1.1"),
        ({"luck": "other cards"}, "the games 1.1.1.2.1 and 1.1.1.1.1 had the same deal, and other luck"),
        ({"opened": NOON - 1}, "the deal of 1.1.1.2.1 was opened while it was played"),
        ({"points": (-6, 2, 4)}, "the game 1.1.1.2.1 ended with (-6, 2, 4), and (-6, 3, 3) were counted"),
    ],
)
def test_a_replay_that_says_otherwise_is_found(cup: Cup, change: dict[str, Any], found: str) -> None:
    assert found in cup.wrong({"1": replace(cup.results["1"], **change)})


def test_a_deal_that_is_played_again_is_found(cup: Cup) -> None:
    again = {id: replace(cup.results[id], deal="deal 1.1.1", luck="cards of 1.1.1") for id in ("2", "3")}
    assert "the game 1.2.1.1.1 had a deal that was played before" in cup.wrong(again)


def test_other_differences_are_found(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    right = duplicate.differences

    def doubled(stage: Stage) -> Mapping[str, tuple[float, ...]]:
        return {id: tuple(2 * one for one in each) for id, each in right(stage).items()}

    monkeypatch.setattr(duplicate, "differences", doubled)
    assert any("their tables have brought" in one for one in cup.wrong({}))
