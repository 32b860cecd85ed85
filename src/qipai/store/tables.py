"""Which tables a database has, and a digest of their rows that is the same whatever engine keeps them."""

from __future__ import annotations

from graphlib import TopologicalSorter
from hashlib import sha256
from typing import Final

from qipai.store.connection import Connection, engine_of

__all__ = ["LEASE", "OF_ITS_OWN", "WORDS", "columns_of", "digest", "tables_of"]

WORDS: Final = "post_words"  # the index of a search, which each engine keeps in its own way
OF_ITS_OWN: Final = "steps"  # what a program notes of the tables themselves
LEASE: Final = "lease"  # which of several nodes leads (0071)


def tables_of(db: Connection) -> list[str]:
    """Return the names of all tables that hold rows of the hall, each after those that it refers to."""
    if engine_of(db) == "postgres":
        here = "CAST(CAST(current_schema() AS text) AS regnamespace)"
        sql = f"SELECT CAST(relname AS text) FROM pg_class WHERE relkind = 'r' AND relnamespace = {here}"
    else:
        sql = (
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            " AND sql NOT LIKE 'CREATE VIRTUAL%'"
        )
    names = [name for (name,) in db.execute(sql) if name not in (OF_ITS_OWN, LEASE) and not name.startswith(WORDS)]
    wanted = {name: _referred(db, name) - {name} for name in sorted(names)}
    return list(TopologicalSorter(wanted).static_order())


def _referred(db: Connection, table: str) -> set[str]:
    """Return the tables that rows of a table refer to."""
    if engine_of(db) == "postgres":
        found = db.execute(
            "SELECT CAST(c.relname AS text) FROM pg_constraint f JOIN pg_class c ON c.oid = f.confrelid"
            " WHERE f.contype = 'f' AND f.conrelid = CAST(? AS regclass)",
            (table,),
        )
        return {name for (name,) in found}
    return {row[2] for row in db.execute(f"PRAGMA foreign_key_list({table})")}


def columns_of(db: Connection, table: str, *, computed: bool = True) -> list[str]:
    """Return the columns of a table. computed: those too whose values the engine works out."""
    if engine_of(db) == "postgres":
        found = db.execute(
            "SELECT CAST(attname AS text), CAST(attgenerated AS text) FROM pg_attribute"
            " WHERE attrelid = CAST(? AS regclass) AND attnum > 0 AND attisdropped = FALSE ORDER BY attnum",
            (table,),
        )
        return [name for name, how in found if computed or not how]
    found = db.execute(f"PRAGMA table_xinfo({table})")
    return [row[1] for row in found if computed or row[6] == 0]


def digest(db: Connection, table: str) -> str:
    """Return a digest of all rows of a table."""
    columns = sorted(columns_of(db, table))
    found = sha256()
    order = ", ".join(f"{column} NULLS FIRST" for column in columns)
    for row in db.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}"):
        found.update(repr(tuple(row)).encode())
    return found.hexdigest()
