"""Recovery of a live table from the log: its state, the numbers of its channels, what was lately told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from qipai.core.contract import Notice
from qipai.hall.table.events import LoggedEvent, Played, PlayedFor, Resumed, Settled, ShownLater, TakenBack
from qipai.hall.table.fold import Skipped, counted, fold, numbered, passed, plain, reach_of, through
from qipai.hall.table.model import Setting, Table

__all__ = [
    "KEPT",
    "SKIPPED",
    "TOLD",
    "Loaded",
    "Said",
    "blank",
    "command_key",
    "load",
    "noted",
    "number_of",
    "remember",
]

COMMANDS: Final = 2  # how many commands a table remembers; older repetitions are found in the log
# How many events a table remembers: a few, and more than the 200 that a client may have missed while somebody who may
# come back is away. Older ones are read from the log (`catch_up`).
LATEST: Final = 2
KEPT: Final = 512
SPARE: Final = 64  # so many more are kept before the oldest are dropped together, not one by one
NOTHING: Final[Mapping[str, Skipped]] = MappingProxyType({})
TOLD: Final = 8  # kept for a table that is loaded: some may not have reached clients when the hall went down


class Said(Struct, frozen=True, gc=False):
    """What an event told, and the mask of the channels it reached."""

    reach: int
    told: tuple[Notice, ...]


class Loaded(Struct):
    """A table loaded from the log."""

    table: Table
    said: list[Said]
    cids: dict[str, int]  # commands carried out (see `command_key`), and the number of the giver's channel after each
    last: int  # when the last row was written, ms since 1970


def blank(id: int) -> Table:
    """Return a table before its first row."""
    return Table(id, Setting(0, 0, "", "friendly", 0))


def command_key(user: int, cid: str) -> str:
    """Return the key under which a user's command is remembered."""
    return f"{user} {cid}"


def number_of(table: Table, user: int | None) -> int:
    """Return the number of a user's channel: that of their seat, else the watchers'."""
    seat = table.seat_of(user)
    return table.seqs[-1 if seat is None else seat]


def noted(cids: dict[str, int], key: str, number: int) -> dict[str, int]:
    """Return the remembered commands, with one more that was carried out."""
    if key not in cids and len(cids) >= COMMANDS:
        return dict([*cids.items(), (key, number)][-COMMANDS:])  # a dict that grows and shrinks would keep its memory
    return {**cids, key: number}


def remember(said: list[Said], new: Said, *, few: bool = False) -> None:
    """Add what was told, and drop what nobody can have missed. few: keep only a few, because nobody is away."""
    said.append(new)
    if few:
        del said[:-LATEST]
    elif len(said) > KEPT + SPARE:
        del said[:-KEPT]


def load(id: int, rows: Sequence[LoggedEvent], told: int = TOLD, skipped: Mapping[str, Skipped] = NOTHING) -> Loaded:
    """Return the table after rows of the log, oldest first. told: for how many rows what they told is kept.

    Moves of games before the last one are only counted: the table keeps nothing else of them. skipped: those that are
    not among the rows, by the stream of their game.
    """
    gap = max((i for i, row in enumerate(rows) if row.stream in skipped), default=-1)
    lately = max(gap + 1, len(rows) - told)
    ended = {row.stream: i for i, row in enumerate(rows) if isinstance(row.what, Settled)}
    moved = next((row.stream for row in reversed(rows) if isinstance(row.what, (Played, PlayedFor))), None)
    last = moved if moved not in ended else [*ended][-1]
    before = {stream for stream, i in ended.items() if stream != last and i < lately}
    found = Loaded(blank(id), [], {}, rows[-1].now if rows else 0)
    recent: tuple[str, int] | None = None
    more = 0  # rows still to come of the last command
    # Everything before the last commands would be dropped by the end.
    commands = [i for i, row in enumerate(rows) if i > gap and row.cid is not None and row.actor is not None][
        -COMMANDS:
    ]
    i = 0
    while i < len(rows):
        table, row = found.table, rows[i]
        if isinstance(row.what, Settled) and row.stream in skipped:
            table = found.table = passed(table, skipped[row.stream])
        over = row.stream in before and isinstance(row.what, SKIPPED)
        if i < lately and not more:
            stop = min([lately, *[at for at in commands if at >= i]])
            if over:
                end = next((at for at in range(i, stop) if not isinstance(rows[at].what, SKIPPED)), stop)
            else:
                end = plain(table, rows, i, stop)
            if end > i:
                run = rows[i:end]
                found.table = passed(table, counted(table, run)) if over else through(table, run)
                i = end
                continue
        news: tuple[Notice, ...] = ()
        if over:
            table = passed(table, counted(table, [row]))
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
