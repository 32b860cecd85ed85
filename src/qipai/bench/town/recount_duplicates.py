"""Duplicates counted once more from the log (platform P-94): whose deal it was, what results are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from qipai.bench.town.happened import Found, Happened, Result, Results
from qipai.contests.duplicates import events
from qipai.contests.duplicates.page import page_of

__all__ = ["beside", "of_day", "same_luck"]

SEAT = 0  # where people sit
BROKEN_OFF = ("void", "stopped", "closed")  # as the hall ends a game that nobody has won


def beside(mine: int, others: Collection[int]) -> tuple[int, Fraction | None, Fraction]:
    """Return the place of a result, how many percent of the others it beats, and its difference from their average."""
    better, worse = sum(one > mine for one in others), sum(one < mine for one in others)
    if not others:
        return 1, None, Fraction(0)
    equal = len(others) - better - worse
    beaten = Fraction(2 * worse + equal, 2 * len(others))
    return 1 + better, 100 * beaten, mine - Fraction(sum(others), len(others))


def same_luck(games: Mapping[str, Result]) -> Iterator[str]:
    """Yield what is wrong with games that must have had one deal, by their names."""
    first = next(iter(games), None)
    for name, found in games.items():
        assert first is not None
        if found.deal is None or found.deal != games[first].deal:
            yield f"the game {name} had another deal than {first}"
        elif found.luck != games[first].luck:
            yield f"the games {name} and {first} had the same deal, and other luck"


class _Day:
    """A duplicate of the day that is recounted. going: who plays it now, with the name of their game."""

    def __init__(self, stream: str, results: Results) -> None:
        self.stream, self.results = stream, results
        self.wrong: list[str] = []
        self.made: Any = None
        self.begun = 0
        self.going: dict[int, str] = {}
        self.points: dict[int, int | None] = {}
        self.tables: Counter[int] = Counter()
        self.games: dict[str, Result] = {}
        self.closed = 0

    def take(self, event: Any, now: int) -> None:
        """Count an event."""
        match event:
            case events.Made():
                self.made = event
            case events.Entered(user=user):
                if user in self.going or user in self.points:
                    self.wrong.append(f"{user} plays it twice")
                if now >= self.made.ends_at:
                    self.wrong.append(f"{user} has begun it after its day")
                self.begun += 1
                self.going[user] = f"{self.made.day}.{self.begun}"
            case events.Opened(table=table):
                self.tables[table] += 1
                if self.tables[table] > 1:
                    self.wrong.append(f"two play it at the table {table}")
            case events.Freed(user=user):
                self._over(user)
            case events.Played():
                self._played(event, now)
            case events.Closed():
                self._closed(now)

    def _over(self, user: int) -> str | None:
        game = self.going.pop(user, None)
        if game is None:
            self.wrong.append(f"{user} has a result, and plays no game")
        return game

    def _played(self, event: events.Played, now: int) -> None:
        user, game, found = event.user, self._over(event.user), self.results(event.game_id)
        self.points[user] = event.points
        if game is None or found is None or (found.contest, found.game) != (self.stream, game):
            self.wrong.append(f"the result of {user} has the replay {event.game_id}, which is not its own")
            return
        self.games[game] = found
        if found.users[SEAT] != user or any(other is not None for other in found.users[SEAT + 1 :]):
            self.wrong.append(f"{user} has not played {game} beside bots")
        counts = found.points and SEAT not in found.left and found.why not in BROKEN_OFF
        if event.points != (found.points[SEAT] if counts else None):
            self.wrong.append(f"{user} has {event.points} points, and their game ended with {found.points}")
        if found.opened is not None and found.opened < now:
            self.wrong.append(f"the deal was opened while {user} played it")

    def _closed(self, now: int) -> None:
        self.closed += 1
        at = self.made.ends_at + (86_400_000 if self.going else 0)
        if self.closed > 1 or now < at:
            self.wrong.append("it was closed twice, or before its time")
        self.points |= dict.fromkeys(self.going)
        self.going = {}


def of_day(stream: str, happened: Sequence[Happened], state: Any, results: Results) -> Found:
    """Recount a duplicate of the day."""
    day = _Day(stream, results)
    for one in happened:
        day.take(one.what, one.now)
    day.wrong += same_luck(day.games)
    day.wrong += _rows(day, state)
    return [], day.wrong


def _rows(day: _Day, state: Any) -> Iterator[str]:
    """Yield whose row of the page is not what their game says beside the others'."""
    if not day.points:
        return
    rows = page_of(state, next(iter(day.points))).rows
    if rows is None or {row.user for row in rows} != day.points.keys():
        yield "its page has other results than were played"
        return
    counted = {user: points for user, points in day.points.items() if points is not None}
    for row in rows:
        mine = counted.get(row.user)
        others = [points for user, points in counted.items() if user != row.user]
        want = (None, None, None) if mine is None else beside(mine, others)
        have = (row.rank, row.percent, row.difference)
        if row.points != mine or not all(_near(one, other) for one, other in zip(have, want, strict=True)):
            yield f"{row.user} stands at {have} with {row.points}, and by all results at {want} with {mine}"


def _near(have: float | None, want: Fraction | int | None) -> bool:
    return have is want if want is None or have is None else abs(have - float(want)) < 1e-6
