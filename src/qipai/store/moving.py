"""Copy all rows of a hall from one database to another, of any engine: a table a transaction, the log in pieces.

What is done is noted in the target, so that a copy that was broken off goes on where it stopped. The target must have
all tables, and no hall may write to either meanwhile. A hall that was played in between goes on in its log; what else
was copied of it is then copied anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any, Final

from qipai.store.connection import Connection, engine_of
from qipai.store.log import Unusable
from qipai.store.tables import columns_of, digest, tables_of
from qipai.store.writer import MOVING as NOTE

__all__ = ["Do", "Progress", "copied", "finished"]

PIECE: Final = 5000  # rows of the log in one transaction
Do = Callable[[Callable[[Connection], Any]], Any]
Progress = Callable[[str, int, int], None]  # a table, how many of its rows are there, of how many


def copied(source: Connection, do: Do, told: Progress) -> int:
    """Copy all rows and return how many there are. do: does some work in one transaction of the target.

    Raises Unusable for a target that holds another hall.
    """
    if not do(_begin):
        _fresh(source, do)
    there = set(do(tables_of))
    total = 0
    for name in tables_of(source):
        if name not in there:
            raise Unusable(f"it has no table {name}; both must be of the same version")
        total += _table(source, do, name, told)
    return total


def _begin(db: Connection) -> bool:
    """Note that a copy is begun; return whether it was not yet."""
    if db.execute("SELECT 1 FROM steps WHERE name = ?", (f"{NOTE}begun",)).fetchone() is not None:
        return False
    if any(db.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone() for name in tables_of(db)):
        raise Unusable("there is a hall in it already")
    db.execute("INSERT INTO steps (name, done) VALUES (?, 1)", (f"{NOTE}begun",))
    return True


def _fresh(source: Connection, do: Do) -> None:
    """Keep what was copied before only if it is still what the source has.

    Raises Unusable where it is of another hall.
    """
    columns = columns_of(source, "events", computed=False)
    row = f"SELECT {', '.join(columns)} FROM events"
    last = do(lambda db: db.execute(f"{row} ORDER BY id DESC LIMIT 1").fetchone())
    if last is not None:
        same = source.execute(f"{row} WHERE id = ?", (last[columns.index("id")],)).fetchone()
        if same is None or _clean(same) != tuple(last):
            raise Unusable("a copy of another hall was begun in it; name an empty database")
    noted = do(lambda db: db.execute("SELECT name FROM steps WHERE name LIKE ?", (f"{NOTE}%",)).fetchall())
    names = [name.removeprefix(NOTE) for (name,) in noted if name != f"{NOTE}begun"]
    if any(digest(source, name) != do(partial(digest, table=name)) for name in names):
        do(_emptied)


def _emptied(db: Connection) -> None:
    """Take out all rows but those of the log, and what was noted of them."""
    for name in reversed(tables_of(db)):
        if name != "events":
            db.execute(f"DELETE FROM {name}")
    db.execute("DELETE FROM steps WHERE name LIKE ? AND name <> ?", (f"{NOTE}%", f"{NOTE}begun"))


def finished(db: Connection) -> None:
    """Forget what was noted: the copy is whole. New rows go on after the numbers of those that are there."""
    db.execute("DELETE FROM steps WHERE name LIKE ?", (f"{NOTE}%",))
    if engine_of(db) == "postgres":
        for name in tables_of(db):
            for column in columns_of(db, name):
                sql = "SELECT pg_get_serial_sequence(?, ?)"
                counter = db.execute(sql, (name, column)).fetchone()[0]
                if counter is not None:
                    most = f"(SELECT coalesce(max({column}), 0) + 1 FROM {name})"
                    db.execute(f"SELECT setval(CAST(? AS regclass), {most}, false)", (counter,))


def _table(source: Connection, do: Do, name: str, told: Progress) -> int:
    count = int(source.execute(f"SELECT count(*) FROM {name}").fetchone()[0])
    known = f"{NOTE}{name}"
    there = do(lambda db: db.execute("SELECT 1 FROM steps WHERE name = ?", (known,)).fetchone())
    if there is not None:
        return count
    columns = columns_of(source, name, computed=False)
    put = f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    done = 0
    if name == "events":
        last, done = do(lambda db: db.execute("SELECT coalesce(max(id), 0), count(*) FROM events").fetchone())
        pieces = _log(source, columns, last)
    else:
        do(lambda db: db.execute(f"DELETE FROM {name}").rowcount)  # of a copy that was broken off within it
        pieces = _pieces(source, f"SELECT {', '.join(columns)} FROM {name}")
    for rows in pieces:
        do(partial(_put, sql=put, rows=rows))
        done += len(rows)
        told(name, done, count)
    if name != "events":
        do(lambda db: db.execute("INSERT INTO steps (name, done) VALUES (?, ?)", (known, count)).rowcount)
    return count


def _put(db: Connection, sql: str, rows: list[tuple[Any, ...]]) -> None:
    db.executemany(sql, rows)


def _log(source: Connection, columns: list[str], last: int) -> Iterator[list[tuple[Any, ...]]]:
    """Yield what the log has after a row, in pieces."""
    sql = f"SELECT {', '.join(columns)} FROM events WHERE id > ? ORDER BY id LIMIT {PIECE}"
    at = columns.index("id")
    while piece := source.execute(sql, (last,)).fetchall():
        yield [_clean(row) for row in piece]
        last = piece[-1][at]


def _pieces(source: Connection, sql: str) -> Iterator[list[tuple[Any, ...]]]:
    rows = iter(source.execute(sql))
    while piece := [_clean(row) for row in islice(rows, PIECE)]:
        yield piece


def _clean(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row as PostgreSQL takes it: halls of before have put a NUL before the number of a removed club."""
    return tuple(v.replace("\x00", "\x01") if isinstance(v, str) and "\x00" in v else v for v in row)
