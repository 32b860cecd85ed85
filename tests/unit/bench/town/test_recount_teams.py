"""Team tournaments counted again: one in order has nothing wrong, and each fault that is put in is found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.bench.town.told import Told
from tests.unit.contests.driver import LIVE

from qipai.bench.town.happened import Result
from qipai.bench.town.recount_teams import of_teams
from qipai.contests.contract import Game, GameOver, Tick
from qipai.contests.teams import commands as say
from qipai.contests.teams import events
from qipai.contests.teams.form import TeamsForm
from qipai.contests.teams.kind import TeamsKind

STREAM = "teams:1"
FINAL = "2.1.1.1.1.1"


class Played(Told):
    """A tournament of five teams on two boards, in two sections and a final, with its replays."""

    def __init__(self) -> None:
        super().__init__(TeamsKind())
        form = TeamsForm("联赛", LIVE, boards=2, least=2, most=5, section=3, forfeit_s=60, pause_s=60)
        self.say(say.MakeTeams(id="1", form=form), 1)
        for no in range(1, 6):
            self.say(say.Found(name=f"Team{no}"), 10 * no)
            self.say(say.Invite(user=10 * no + 1), 10 * no)
            self.say(say.Accept(team=no), 10 * no + 1)
        while self.state.state == "running":
            games = self.kind.games(self.state)
            if not games:
                self.now = self.state.next_at
                self.say(Tick())
            elif not self.state.team(1).out:
                self.say(say.Withdraw(), 10)
            else:
                self.end(games[0])

    def end(self, game: Game) -> None:
        """Let the higher number win a game, at a table."""
        id, users = f"{len(self.results)}", game.users
        won = users.index(max(user for user in users if user is not None))
        points = (1, -1) if won == 0 else (-1, 1)
        self.results[id] = Result(users, points, STREAM, game.id, "resign")
        places = (1, 2) if won == 0 else (2, 1)
        self.say(GameOver(game=game.id, table=1, why="resign", points=points, places=places, game_id=id))

    def wrong(self, change: Callable[[Any], Any] = lambda event: event) -> list[str]:
        """Recount it. change: what each event is in the log."""
        told = [replace(one, what=change(one.what)) for one in self.happened]
        return of_teams(STREAM, told, self.state, self.results.get)[1]


@pytest.fixture(scope="module")
def played() -> Played:
    return Played()


def test_what_is_in_order_is_found_in_order(played: Played) -> None:
    assert len(played.state.stages) == 2
    assert played.state.team(1).struck == 1
    assert played.wrong() == []


def test_a_game_that_counts_for_the_wrong_team_is_found(played: Played) -> None:
    def turned(event: Any) -> Any:
        if isinstance(event, events.GameEnded) and event.game == FINAL:
            return replace(event, score=event.score[::-1])
        return event

    wrong = played.wrong(turned)
    assert f"the game {FINAL} was won by 50, and counted for the other team" in wrong
    assert any("by its games at" in one for one in wrong)


def test_others_than_were_lined_up_are_found(played: Played) -> None:
    def strangers(event: Any) -> Any:
        if isinstance(event, events.RoundBegun) and event.round == 1:
            first = event.meetings[0]
            return replace(event, meetings=(replace(first, users=first.users[::-1]), *event.meetings[1:]))
        return event

    assert "in the match 1.1.1.1 others play than were lined up" in played.wrong(strangers)


def test_losers_who_go_on_are_found(played: Played) -> None:
    def all_on(event: Any) -> Any:
        if isinstance(event, events.StageBegun) and event.stage == 2:
            return replace(event, sections=((1, 2),))
        return event

    assert any(one.startswith("the teams [1, 2] go on, and") for one in played.wrong(all_on)[:1])


def test_a_game_that_counts_twice_is_found(played: Played) -> None:
    twice = next(one for one in played.happened if isinstance(one.what, events.GameEnded))
    at = played.happened.index(twice)
    told = [*played.happened[: at + 1], twice, *played.happened[at + 1 :]]
    assert any("was counted twice" in one for one in of_teams(STREAM, told, played.state, played.results.get)[1])
