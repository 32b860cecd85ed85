"""Recovery of a live table from the log: its state, the numbers of its channels, what was lately told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from msgspec import Struct, field

from qipai.core.contract import Notice
from qipai.hall.table.events import (
    HallEvent,
    LoggedEvent,
    Played,
    PlayedFor,
    Resumed,
    Seated,
    Settled,
    ShoulderSet,
    ShownLater,
    TakenBack,
)
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
    "go_on",
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
    users: set[int] = field(default_factory=set)  # who has sat there, or looked over a shoulder
    deal: tuple[str, int] | None = None  # the last row of a deal: of which game, and its number in that one's stream
    command: tuple[str, int] | None = None  # the last one, and whose it was …
    more: int = 0  # … of which so many rows are still to come


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
        if i < lately and not found.more:
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
            found.table = passed(table, counted(table, [row]))
        else:
            news = _fold(found, row)
        if i >= lately:
            found.said.append(Said(reach_of(found.table, row.secret), news))
        _note(found, row, new=i in commands)
        i += 1
    found.deal = next((_place(row) for row in reversed(rows) if row.what.OF_GAME), None)
    return found


def go_on(found: Loaded, row: HallEvent) -> tuple[Notice, ...]:
    """Fold the next row of the log onto a table that was loaded; return what it tells."""
    news = _fold(found, row)
    if row.what.OF_GAME:
        deal = found.table.coming or found.table.deal
        assert deal is not None
        found.deal = deal.game_id, deal.rows
    found.said.append(Said(reach_of(found.table, row.secret), news))
    if len(found.said) > TOLD + SPARE:
        del found.said[:-TOLD]
    _note(found, row, new=row.cid is not None and row.actor is not None)
    found.last = row.now
    return news


def _fold(found: Loaded, row: HallEvent) -> tuple[Notice, ...]:
    table, news = fold(found.table, row)
    found.table = numbered(table, reach_of(table, row.secret))
    user = getattr(row.what, "user", None) if isinstance(row.what, (Seated, ShoulderSet)) else None
    if isinstance(user, int):
        found.users.add(user)
    return news


def _note(found: Loaded, row: HallEvent, *, new: bool) -> None:
    """Note the number after a row of a command. new: it is the first one of that."""
    if new:
        assert row.actor is not None
        assert row.cid is not None
        found.command = command_key(row.actor, row.cid), row.actor
        found.more = (row.secret.more if row.secret else 0) or 0
    elif found.command is not None and found.more:
        found.more -= 1
    else:
        return
    key, user = found.command
    found.cids = noted(found.cids, key, number_of(found.table, user))


def _place(row: LoggedEvent) -> tuple[str, int]:
    return row.stream.partition(":")[2], row.seq


SKIPPED: Final = (Played, PlayedFor, Resumed, TakenBack, ShownLater)
