"""The duplicates of each day: made when first asked for, found by game and date (platform P-94)."""

from __future__ import annotations

from typing import Protocol

from qipai import games
from qipai.contests.contract import GameTerms
from qipai.contests.duplicates.commands import Make
from qipai.contests.live import Contests, Running, asked
from qipai.hall.rooms.rooms import Room
from qipai.hall.rooms.table_creation import Asked
from qipai.hall.table.errors import HallError

__all__ = ["PAGE", "find", "games_with", "running", "today"]

PAGE = 100  # lines read at a time


class Rooms(Protocol):
    """The part of the hall's rooms that duplicates need."""

    def meeting(self, asked: Asked) -> Room:
        """Return the room in which a table with these terms would be; raises HallError where there is none."""
        ...


def games_with() -> tuple[str, ...]:
    """Return the games that have duplicates: those with luck."""
    return tuple(name for name in games.names() if games.find(name).luck)


def running(contests: Contests, game: str, day: str) -> Running | None:
    """Return the duplicate of a game and day that is not closed yet, None if there is none."""
    found = contests.of("duplicate")
    return next((one for one in found if (one.state.terms.game, one.state.day) == (game, day)), None)


async def today(contests: Contests, rooms: Rooms, game: str, day: str) -> Running:
    """Return today's duplicate of a game; make it if nobody has asked for it yet. Raises HallError. day: today."""
    if game not in games_with():
        raise HallError("NOT_FOUND")
    if (found := running(contests, game, day)) is not None:
        return found
    terms = _terms(game)
    seats = rooms.meeting(asked(terms)).places
    return await contests.make(
        "duplicate",
        lambda _number: Make(terms=terms, day=day, seats=seats),
        None,
        known=lambda: running(contests, game, day),
    )


async def find(contests: Contests, game: str, day: str) -> Running:
    """Return the duplicate of a game and day; raises HallError("NOT_FOUND") where there was none."""
    if (found := running(contests, game, day)) is not None:
        return found
    before = None
    while lines := await contests.lines("duplicate", game=game, before=before, most=PAGE):
        for id, line in lines:
            if line["day"] == day:
                return await contests.find("duplicate", id)
        before = lines[-1][0]
        if lines[-1][1]["day"] < day:
            break
    raise HallError("NOT_FOUND")


def _terms(game: str) -> GameTerms:
    """Return what is played: the game's own rules, whatever options a room has, without a clock, for no score."""
    entry = games.find(game)
    return GameTerms(game, options=entry.full(entry.chosen({})), clock={"type": "none"}, rated=False)
