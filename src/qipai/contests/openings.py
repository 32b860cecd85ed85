"""The stairs that a hall has: one for each game of two, variant and clock (platform P-70)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Final, Protocol

import msgspec

from qipai import games
from qipai.contests.contract import GameTerms
from qipai.contests.live import Contests, Running, asked
from qipai.contests.stairs.commands import Open
from qipai.hall.rooms.rooms import Room
from qipai.hall.rooms.table_creation import Asked
from qipai.hall.table.clock import by_days
from qipai.hall.table.errors import HallError

__all__ = ["DAYS", "build", "number_of", "open_stairs", "stairs_wanted"]

DAYS: Final = 3  # for a move, on the stairs of turn-based games
FORFEIT_S: Final = 600  # how long a live game waits for its players


class Rooms(Protocol):
    """The part of the hall's rooms that openings need."""

    def meeting(self, asked: Asked) -> Room:
        """Return the room in which a table with these terms would be; raises HallError where there is none."""
        ...


def stairs_wanted() -> Iterator[Open]:
    """Yield a command to open each of the stairs, named `<game>` or `<game>-<variant>`, each also with `-days`."""
    for game in games.names():
        entry = games.find(game)
        if 2 not in entry.seats:
            continue
        seats = None if len(entry.seats) == 1 else 2
        for variant in (None, *entry.form.variants):
            name = game if variant is None else f"{game}-{variant}"
            yield Open(id=name, terms=GameTerms(game, variant, seats=seats), forfeit_s=FORFEIT_S)
            if entry.by_days:
                clock = {"type": "days", "days": DAYS}
                yield Open(id=f"{name}-days", terms=GameTerms(game, variant, clock=clock, seats=seats))


async def open_stairs(contests: Contests, rooms: Rooms) -> None:
    """Open the stairs that are missing: rated where the hall has such a room, none where it has no room at all."""
    there = {running.state.id for running in contests.of("stairs")}
    for wanted in stairs_wanted():
        if wanted.id in there:
            continue
        for rated in (True, False):
            terms = msgspec.structs.replace(wanted.terms, rated=rated)
            with suppress(HallError):
                rooms.meeting(asked(terms))
                await contests.make("stairs", partial(_said, msgspec.structs.replace(wanted, terms=terms)), None)
                break


async def build(contests: Contests, terms: GameTerms, club: int) -> None:
    """Build stairs for the members of a club, unless it has them already."""
    slow = by_days(terms.clock)
    name = "-".join(filter(None, (f"club{club}", terms.game, terms.variant, "days" if slow else None)))

    def known() -> Running | None:
        return next((one for one in contests.of("stairs") if one.state.id == name), None)

    command = Open(id=name, terms=terms, forfeit_s=None if slow else FORFEIT_S, club=club)
    await contests.make("stairs", partial(_said, command), None, known=known)


def _said(command: Open, _number: int) -> Open:
    """Return the command as it is: stairs are known by their name, not by the number of their stream."""
    return command


def number_of(contests: Contests, name: str) -> int:
    """Return the number of the stairs of a name; raises HallError("NOT_FOUND")."""
    found = next((running.id for running in contests.of("stairs") if running.state.id == name), None)
    if found is None:
        raise HallError("NOT_FOUND")
    return found
