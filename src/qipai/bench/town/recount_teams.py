"""Team tournaments counted once more from the log (platform P-69): line-ups, boards, matches, tables of sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from qipai.bench.town.happened import Found, Happened, Results
from qipai.contests.teams import events
from qipai.contests.teams.table import table_of

__all__ = ["of_teams"]

Pair = tuple[int, int]
Standing = tuple[bool, Fraction, Fraction, Fraction]  # it counts; match points, board points, Sonneborn-Berger


class _Match(Struct):
    """A match. users: by board; scores: of each game that is over, by its board."""

    teams: Pair
    users: tuple[tuple[int | None, int | None], ...]
    games: int
    scores: list[list[tuple[Fraction, Fraction]]]

    @property
    def over(self) -> bool:
        return all(len(scores) == self.games for scores in self.scores)

    @property
    def boards(self) -> tuple[Fraction, Fraction]:
        """Return the board points: of each board the average of its games."""
        each = [score for scores in self.scores for score in scores]
        first, second = (sum((score[side] for score in each), Fraction(0)) for side in (0, 1))
        return first / self.games, second / self.games

    @property
    def points(self) -> tuple[Fraction, Fraction]:
        """Return the match points: 2, 1 or 0; a match in which nobody has won anything has none."""
        one, other = self.boards
        level = Fraction(int(one + other > 0))
        if one == other:
            return level, level
        return (Fraction(2), Fraction(0)) if one > other else (Fraction(0), Fraction(2))


class _Stage(Struct):
    """A stage. struck: teams whose matches count for nobody."""

    sections: tuple[tuple[int, ...], ...]
    matches: dict[str, _Match]
    struck: set[int]


class _League:
    """A team tournament that is recounted. orders: the players of each team as they are lined up; out: teams."""

    def __init__(self, stream: str, results: Results) -> None:
        self.stream, self.results = stream, results
        self.wrong: list[str] = []
        self.form: Any = None
        self.orders: dict[int, list[int]] = {}
        self.out: set[int] = set()
        self.stages: list[_Stage] = []
        self.round: list[str] = []  # the matches of the present one
        self.over: Counter[str] = Counter()
        self.tables: Counter[int] = Counter()
        self.placed: Any = None
        self.ended = 0

    def take(self, event: Any) -> None:
        """Count an event."""
        match event:
            case events.Made():
                self.form = event.form
            case events.Founded(team=no, captain=user) | events.Joined(team=no, user=user):
                if any(user in order for team, order in self.orders.items() if team not in self.out):
                    self.wrong.append(f"{user} is in two teams")
                self.orders.setdefault(no, []).append(user)
                if len(self.orders[no]) > 2 * self.form.boards:
                    self.wrong.append(f"team {no} has too many players")
            case events.Left(team=no, user=user):
                self.orders[no].remove(user)
            case events.LinedUp(team=no, users=users):
                if sorted(users) != sorted(self.orders[no]):
                    self.wrong.append(f"team {no} was lined up with other people than are in it")
                self.orders[no] = list(users)
            case events.TeamOut(team=no):
                self._out(no)
            case events.StageBegun():
                self._stage(event)
            case events.RoundBegun():
                self._round(event)
            case events.TableMade(table=table):
                self.tables[table] += 1
                if self.tables[table] > 1:
                    self.wrong.append(f"two games are played at the table {table}")
            case events.GameEnded():
                self._game(event)
            case events.RoundEnded():
                if not all(self.stages[-1].matches[id].over for id in self.round):
                    self.wrong.append(f"round {event.round} of stage {event.stage} has ended, and a game of it has not")
                self.round = []
            case events.Finished(placed=placed):
                self.ended, self.placed = self.ended + 1, placed
            case events.Cancelled():
                self.ended += 1

    def _out(self, no: int) -> None:
        self.out.add(no)
        stage = self.stages[-1] if self.stages else None
        section = next((teams for teams in stage.sections if no in teams), None) if stage else None
        if stage is not None and section is not None:
            played = sum(match.over and no in match.teams for match in stage.matches.values())
            if played < Fraction(len(section) - 1, 2):
                stage.struck.add(no)

    def _stage(self, event: events.StageBegun) -> None:
        teams = [no for section in event.sections for no in section]
        if self.stages:
            self.wrong += self._winners(set(teams))
        elif set(teams) - self.out != set(teams):
            self.wrong.append("a team that has gone plays")
        if len(teams) != len(set(teams)) or any(len(section) > self.form.section for section in event.sections):
            self.wrong.append(f"the sections of stage {event.stage} are not as they must be")
        self.stages.append(_Stage(event.sections, {}, set()))

    def _winners(self, teams: set[int]) -> Iterator[str]:
        """Yield whether others go on from a stage than those who have won its sections and are still there."""
        stage, want = self.stages[-1], set[int]()
        for section in stage.sections:
            there = {no: standing for no, standing in _standings(stage, section).items() if no not in self.out}
            best = max(there.values(), default=None)
            want |= {no for no, standing in there.items() if standing == best}
        if teams != want:
            yield f"the teams {sorted(teams)} go on, and {sorted(want)} have won their sections"

    def _round(self, event: events.RoundBegun) -> None:
        stage, met = self.stages[-1], set[int]()
        before = {frozenset(match.teams) for match in stage.matches.values()}
        for number, meeting in enumerate(event.meetings, 1):
            id = f"{event.stage}.{event.round}.{meeting.section}.{number}"
            if met & set(meeting.teams) or frozenset(meeting.teams) in before:
                self.wrong.append(f"a team of the match {id} plays twice in a round, or the other team twice")
            met |= set(meeting.teams)
            line_ups = zip(*(self._line_up(no) for no in meeting.teams), strict=True)
            if meeting.users != tuple(line_ups):
                self.wrong.append(f"in the match {id} others play than were lined up")
            scores = [[_without(users)] * self.form.games if None in users else [] for users in meeting.users]
            stage.matches[id] = _Match(meeting.teams, meeting.users, self.form.games, scores)
            self.round.append(id)

    def _line_up(self, no: int) -> list[int | None]:
        users = [] if no in self.out else self.orders[no][: self.form.boards]
        return [*users, *[None] * (self.form.boards - len(users))]

    def _game(self, event: events.GameEnded) -> None:
        name, _, _tries = event.game.partition("~")
        id, board = name.rsplit(".", 2)[0], int(name.rsplit(".", 2)[1])
        match = self.stages[-1].matches[id]
        match.scores[board - 1].append((Fraction(event.score[0]), Fraction(event.score[1])))
        self.over[name] += 1
        if self.over[name] > 1 or id not in self.round or len(match.scores[board - 1]) > self.form.games:
            self.wrong.append(f"the game {name} was counted twice, or not in its round")
        if sum(event.score) not in (0, 1):
            self.wrong.append(f"the game {name} has brought {event.score}")
        if event.game_id is None:
            return
        found = self.results(event.game_id)
        if found is None or (found.contest, found.game) != (self.stream, event.game):
            self.wrong.append(f"the game {event.game} has the replay {event.game_id}, which is not its own")
        elif set(found.users) != set(match.users[board - 1]):
            self.wrong.append(f"the game {event.game} was played by others than were lined up")
        elif len(set(found.points)) == 2:
            best = found.users[found.points.index(max(found.points))]
            if event.score[match.users[board - 1].index(best)] != 1:
                self.wrong.append(f"the game {event.game} was won by {best}, and counted for the other team")


def _without(users: Sequence[int | None]) -> tuple[Fraction, Fraction]:
    """Return the score of a game at a board where somebody is missing: who is there has won."""
    return Fraction(int(users[0] is not None)), Fraction(int(users[1] is not None))


def _standings(stage: _Stage, teams: Collection[int]) -> dict[int, Standing]:
    """Return by what the teams of a section are ranked; more is better."""
    counted = [
        match
        for match in stage.matches.values()
        if match.over and set(match.teams) <= set(teams) and stage.struck.isdisjoint(match.teams)
    ]
    points, boards, sb = (dict.fromkeys(teams, Fraction(0)) for _ in range(3))
    for match in counted:
        for no, got, sum_ in zip(match.teams, match.points, match.boards, strict=True):
            points[no] += got
            boards[no] += sum_
    for match in counted:  # all of the other's match points for a win, half of them for a draw
        for no, other, got in zip(match.teams, match.teams[::-1], match.points, strict=True):
            sb[no] += points[other] * got / 2
    return {no: (no not in stage.struck, points[no], boards[no], sb[no]) for no in teams}


def _tables(league: _League, state: Any) -> Iterator[str]:
    """Yield which team stands elsewhere than its games have brought it."""
    for stage, told in zip(league.stages, state.stages, strict=True):
        if stage.sections != told.sections:
            yield f"the sections of stage {told.no} are {told.sections}, and were {stage.sections}"
            continue
        for number, teams in enumerate(stage.sections, 1):
            want = _standings(stage, teams)
            for row in table_of(state, told, number):
                _, points, boards, sb = want[row.team]
                rank = 1 + sum(other > want[row.team] for other in want.values())
                have = (Fraction(row.match_points), Fraction(row.board_points), Fraction(row.sb), row.rank)
                if have != (points, boards, sb, rank):
                    yield f"team {row.team} stands at {have}, and by its games at {(points, boards, sb, rank)}"


def _places(league: _League) -> Iterator[str]:
    """Yield which team came in elsewhere than the last stage that it reached says."""
    keys: dict[int, tuple[int, int]] = {}
    for number, stage in enumerate(league.stages):
        for teams in stage.sections:
            want = _standings(stage, teams)
            keys |= {no: (number, -sum(other > want[no] for other in want.values())) for no in teams}
    have = {one.team: one.rank for one in league.placed}
    for no, key in keys.items():
        rank = 1 + sum(other > key for other in keys.values())
        if have.get(no) != rank:
            yield f"team {no} came in at {have.get(no)}, and by its games at {rank}"


def of_teams(stream: str, happened: Sequence[Happened], state: Any, results: Results) -> Found:
    """Recount a team tournament."""
    league = _League(stream, results)
    for one in happened:
        league.take(one.what)
    if league.ended > 1:
        league.wrong.append("it has ended twice")
    if state.state != "cancelled" and len(league.orders) != len(state.teams):
        league.wrong.append("it has other teams than were founded")
    league.wrong += _tables(league, state)
    if league.placed is not None:
        league.wrong += _places(league)
    return [], league.wrong
