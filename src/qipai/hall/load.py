"""From the log back to a live table: the same state, the same numbers on its channels, what was lately told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from qipai.core.contract import Told
from qipai.hall.fold import fold, numbered, reach_of
from qipai.hall.model import Fact, Setting, Table
from qipai.store import Row

__all__ = ["KEPT", "Loaded", "Said", "blank", "command_key", "fact_of", "load", "note", "number_of", "remember"]

COMMANDS: Final = 32  # that a table remembers
KEPT: Final = 512  # events of which a table remembers what was told; more than the 200 a client may have missed


class Said(Struct, frozen=True, gc=False):
    """What an event told, and the mask of the channels it reached."""

    reach: int
    told: tuple[Told, ...]


class Loaded(Struct):
    """A table out of the log."""

    table: Table
    said: list[Said]
    cids: dict[str, int]  # commands carried out (see `command_key`), and the number of the giver's channel after each
    last: int  # when the last row was written, ms since 1970


def blank(id: int) -> Table:
    """Return a table before its first row."""
    return Table(id, Setting(0, 0, "", "friendly", 0))


def fact_of(row: Row) -> Fact:
    """Return a row as the fact it was."""
    return Fact(row.type, row.data, row.now, row.secret, row.actor, row.cid)


def command_key(user: int, cid: str) -> str:
    """Return what a user's command is remembered by."""
    return f"{user} {cid}"


def number_of(table: Table, user: int | None) -> int:
    """Return the number of the channel that a user is on: his seat's, else the watchers'."""
    seat = table.seat_of(user)
    return table.seqs[-1 if seat is None else seat]


def note(cids: dict[str, int], key: str, number: int) -> None:
    """Remember a command that was carried out; one repeated later than that is found in the log."""
    cids[key] = number
    while len(cids) > COMMANDS:
        del cids[next(iter(cids))]


def remember(said: list[Said], new: Said) -> None:
    """Add what was told, and forget what is older than anybody can have missed."""
    said.append(new)
    if len(said) > 2 * KEPT:
        del said[:-KEPT]


def load(id: int, rows: Sequence[Row]) -> Loaded:
    """Return the table that rows of the log make, oldest first.

    The moves of games that ended long ago are only counted: nobody can have missed them and still be told.
    """
    ended = {row.stream: i for i, row in enumerate(rows) if row.type == "game.ended"}
    passed = {stream for stream, i in ended.items() if i < len(rows) - 2 * KEPT}
    found = Loaded(blank(id), [], {}, rows[-1].now if rows else 0)
    recent: tuple[str, int] | None = None
    more = 0  # rows still to come of the last command
    commands = [i for i, row in enumerate(rows) if row.cid is not None and row.actor is not None]
    noted = commands[-COMMANDS] if len(commands) > COMMANDS else 0  # what is before is forgotten by the end
    for i, row in enumerate(rows):
        table = found.table
        fact = fact_of(row)
        told: tuple[Told, ...] = ()
        if row.stream in passed and row.type in SKIPPED:
            assert table.deal is not None
            table = replace(table, deal=replace(table.deal, rows=table.deal.rows + 1))
        else:
            table, told = fold(table, fact)
        reach = reach_of(table, row.secret)
        found.table = table = numbered(table, reach)
        remember(found.said, Said(reach, told))
        if i < noted:
            continue
        if row.cid is not None and row.actor is not None:
            recent, more = (command_key(row.actor, row.cid), row.actor), (row.secret or {}).get("more", 0)
            note(found.cids, recent[0], number_of(table, row.actor))
        elif recent is not None and more:
            note(found.cids, recent[0], number_of(table, recent[1]))
            more -= 1
    return found


SKIPPED: Final = frozenset({"game.acted", "game.auto", "game.resumed", "game.given", "game.undone", "game.shown"})
