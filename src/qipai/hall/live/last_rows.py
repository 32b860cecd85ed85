"""From which rows of the log a table is loaded: moves of deals that ended long ago are counted, and not read.

A table on which people play for an evening has thousands of rows, nearly all of them moves of deals that have ended. Of
those the table keeps but their number, and a hall that takes over from another one must not wait for them (0088).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from qipai.hall.live.books import AFTER, LIFE
from qipai.hall.live.recovery import SKIPPED, TOLD, Loaded, go_on, load
from qipai.hall.table.events import LoggedEvent, Opened, Seated, Swapped
from qipai.hall.table.fold import Skipped
from qipai.hall.table.stored import event_of
from qipai.store import Connection, StoredEntry
from qipai.store.writer import rows_of

__all__ = ["Rows", "last_rows", "rows_since"]

MOVES: Final = ", ".join(f"'{kind.__struct_config__.tag}'" for kind in SKIPPED)
SITTING: Final = frozenset(kind.__struct_config__.tag for kind in (Seated, Swapped))
# Whom a row reached, as text that begins so: PostgreSQL takes 50 µs to find it in JSON.
REACH: Final = """CASE WHEN secret IS NULL THEN NULL WHEN substr(secret, 1, 9) = '{"reach":' THEN substr(secret, 10, 12)
    WHEN instr(secret, '"reach"') > 0 THEN CAST(json_extract(secret, '$.reach') AS TEXT) END"""
# The deals of a table whose last row came after a row of the log.
NEWER: Final = """SELECT 'game:' || g.id FROM games g WHERE g.tbl = ?
    AND (SELECT e.id FROM events e WHERE e.stream = 'game:' || g.id ORDER BY e.seq DESC LIMIT 1) > ?"""
TOGETHER: Final = 16  # deals of one query; of more, a database that knows too little would go through the whole log
WHOLE: Final = 64  # rows of ended deals that are read beside those that are told: the last commands are among them


class Rows(NamedTuple):
    """Rows of a table and its deals, oldest first.

    skipped: what is beside them, by the stream of its deal. known: the table before them; None: they are all of it.
    """

    rows: list[LoggedEvent]
    skipped: dict[str, Skipped]
    known: Loaded | None = None

    def load(self, id: int, told: int = TOLD) -> Loaded:
        """Return the table after them (see `load`); `known` is not to be used any more."""
        if self.known is None:
            return load(id, self.rows, told, self.skipped)
        for row in self.rows:
            go_on(self.known, row)
        return self.known


def rows_since(db: Connection, table: int, known: Loaded | None) -> Rows:
    """Return the rows that bring a table up to date, or those from which it can be loaded. known: as it once was."""
    if known is not None:
        last = [(f"table:{table}", known.table.rows)]
        if known.deal is not None:
            last.append((f"game:{known.deal[0]}", known.deal[1]))
        ids = [db.execute("SELECT id FROM events WHERE stream = ? AND seq = ?", one).fetchone() for one in last]
        if all(ids):
            since = max(id for (id,) in ids)
            streams = [f"table:{table}", *(stream for (stream,) in db.execute(NEWER, (table, since)))]
            rows = [row for of in streams for row in rows_of(db, f"stream = ? AND {AFTER} > ?", (of, since), text=True)]
            events = [event_of(row) for row in sorted(rows, key=lambda row: row.id)]
            if not any(isinstance(event.what, Opened) for event in events):
                return Rows(events, {}, known)
    return last_rows(db, table)


def last_rows(db: Connection, table: int, told: int = TOLD, whole: int = WHOLE) -> Rows:
    """Return the rows from which a table can be loaded since it was last opened empty.

    told: so many of the last rows there must be without a gap. whole: rows beside them of deals that have ended.
    """
    stream = f"table:{table}"
    first = db.execute(LIFE, (stream,)).fetchone()[0]
    games = db.execute("SELECT id, ended_at IS NOT NULL FROM games WHERE tbl = ?", (table,)).fetchall()
    own = f"stream = ? AND {AFTER} >= ?"
    rows = rows_of(db, f"{own} ORDER BY seq", (stream, first), text=True)
    for id, ended in games:
        if not ended:
            rows += rows_of(db, f"{own} ORDER BY seq", (f"game:{id}", first), text=True)
    # Who sits down in the middle of a deal is told from a number on, so all before it must be there.
    sat = [row.id for row in rows if row.type in SITTING]
    left, kept, skipped = told + whole, list[str](), dict[str, Skipped]()
    for deal in reversed(_ended(db, [f"game:{id}" for id, ended in games if ended], first)):
        rows += deal.rows
        if left > 0 or any(deal.rows[0].id < id < deal.rows[-1].id for id in sat):
            kept.append(deal.stream)
        elif deal.moves.rows:
            skipped[deal.stream] = deal.moves
        left -= deal.moves.rows + len(deal.rows)
    for of in kept:
        rows += rows_of(db, f"{own} AND type IN ({MOVES}) ORDER BY seq", (of, first), text=True)
    return Rows([event_of(row) for row in sorted(rows, key=lambda row: row.id)], skipped)


class _Deal(NamedTuple):
    stream: str
    rows: list[StoredEntry]  # all but its moves
    moves: Skipped


def _ended(db: Connection, streams: Sequence[str], first: int) -> list[_Deal]:
    """Return deals that have ended since a row, the first one first."""
    rows, reaches = defaultdict[str, list[StoredEntry]](list), defaultdict[str, Counter[int | None]](Counter)
    for some, marks in _together(streams):
        among, values = f"stream IN ({marks}) AND {AFTER} >= ?", (*some, first)
        for row in rows_of(db, f"{among} AND type NOT IN ({MOVES}) ORDER BY stream, seq", values, text=True):
            rows[row.stream].append(row)
        sql = f"SELECT stream, {REACH}, count(*) FROM events WHERE {among} AND type IN ({MOVES}) GROUP BY 1, 2"
        for stream, reach, count in db.execute(sql, values):
            reaches[stream][None if reach is None else int(reach.partition(",")[0].rstrip("}"))] += count
    found = []
    for stream, its in rows.items():
        counts = reaches[stream]
        masks = tuple((reach, count) for reach, count in counts.items() if reach is not None)
        found.append(_Deal(stream, its, Skipped(sum(counts.values()), masks)))
    return sorted(found, key=lambda deal: deal.rows[-1].id)


def _together(streams: Sequence[str]) -> Iterator[tuple[Sequence[str], str]]:
    """Yield a few streams at a time, with their marks for a query."""
    for at in range(0, len(streams), TOGETHER):
        some = streams[at : at + TOGETHER]
        yield some, ", ".join("?" * len(some))
