"""From the log back to a live table: the same state, the same numbers on its channels, what was lately told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from qipai.core.contract import Notice
from qipai.hall.table.events import LoggedEvent, Played, PlayedFor, Resumed, Settled, ShownLater, TakenBack
from qipai.hall.table.fold import counted, fold, numbered, plain, reach_of, through
from qipai.hall.table.model import Setting, Table

__all__ = ["KEPT", "Loaded", "Said", "blank", "command_key", "load", "noted", "number_of", "remember"]

COMMANDS: Final = 2  # that a table remembers; one that is repeated later is found in the log
# Events of which a table remembers what was told: a few, and more than the 200 a client may have missed while somebody
# is away who may come back and ask. What is forgotten is read from the log (`recall`).
LATEST: Final = 2
KEPT: Final = 512
SPARE: Final = 64  # more than those before the oldest are forgotten, which is not done for each
TOLD: Final = 8  # of a table that wakes: some may not have come to all whose lines were lost with the hall


class Said(Struct, frozen=True, gc=False):
    """What an event told, and the mask of the channels it reached."""

    reach: int
    told: tuple[Notice, ...]


class Loaded(Struct):
    """A table out of the log."""

    table: Table
    said: list[Said]
    cids: dict[str, int]  # commands carried out (see `command_key`), and the number of the giver's channel after each
    last: int  # when the last row was written, ms since 1970


def blank(id: int) -> Table:
    """Return a table before its first row."""
    return Table(id, Setting(0, 0, "", "friendly", 0))


def command_key(user: int, cid: str) -> str:
    """Return what a user's command is remembered by."""
    return f"{user} {cid}"


def number_of(table: Table, user: int | None) -> int:
    """Return the number of the channel that a user is on: his seat's, else the watchers'."""
    seat = table.seat_of(user)
    return table.seqs[-1 if seat is None else seat]


def noted(cids: dict[str, int], key: str, number: int) -> dict[str, int]:
    """Return the commands that a table remembers, with one that was carried out."""
    if key not in cids and len(cids) >= COMMANDS:
        return dict([*cids.items(), (key, number)][-COMMANDS:])  # one that grew and lost again would stay large
    return {**cids, key: number}


def remember(said: list[Said], new: Said, *, few: bool = False) -> None:
    """Add what was told, and forget what is older than anybody can have missed; few: while nobody is away."""
    said.append(new)
    if few:
        del said[:-LATEST]
    elif len(said) > KEPT + SPARE:
        del said[:-KEPT]


def load(id: int, rows: Sequence[LoggedEvent], told: int = TOLD) -> Loaded:
    """Return the table that rows of the log make, oldest first. told: of how many of them what they told is kept.

    The moves of a game after which another one was played are only counted: the table has nothing of them any more.
    """
    lately = len(rows) - told
    ended = {row.stream: i for i, row in enumerate(rows) if isinstance(row.what, Settled)}
    moved = next((row.stream for row in reversed(rows) if isinstance(row.what, (Played, PlayedFor))), None)
    last = moved if moved not in ended else [*ended][-1]
    passed = {stream for stream, i in ended.items() if stream != last and i < lately}
    found = Loaded(blank(id), [], {}, rows[-1].now if rows else 0)
    recent: tuple[str, int] | None = None
    more = 0  # rows still to come of the last command
    # What is before the last commands is forgotten by the end.
    commands = [i for i, row in enumerate(rows) if row.cid is not None and row.actor is not None][-COMMANDS:]
    i = 0
    while i < len(rows):
        table, row = found.table, rows[i]
        over = row.stream in passed and isinstance(row.what, SKIPPED)
        if i < lately and not more:
            stop = min([lately, *[at for at in commands if at >= i]])
            if over:
                end = next((at for at in range(i, stop) if not isinstance(rows[at].what, SKIPPED)), stop)
            else:
                end = plain(table, rows, i, stop)
            if end > i:
                found.table = (counted if over else through)(table, rows[i:end])
                i = end
                continue
        news: tuple[Notice, ...] = ()
        if over:
            table = counted(table, [row])
        else:
            table, news = fold(table, row)
            table = numbered(table, reach_of(table, row.secret))
        found.table = table
        if i >= lately:
            found.said.append(Said(reach_of(table, row.secret), news))
        if i in commands:
            assert row.actor is not None
            assert row.cid is not None
            recent, more = (
                (command_key(row.actor, row.cid), row.actor),
                (row.secret.more if row.secret else 0) or 0,
            )
            found.cids = noted(found.cids, recent[0], number_of(table, row.actor))
        elif recent is not None and more:
            found.cids = noted(found.cids, recent[0], number_of(table, recent[1]))
            more -= 1
        i += 1
    return found


SKIPPED: Final = (Played, PlayedFor, Resumed, TakenBack, ShownLater)
