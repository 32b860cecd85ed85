"""Which engine keeps a hall is the store's affair alone (0064)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINES = {"sqlite3", "psycopg", "asyncpg"}
# What is about the embedded file itself: copies of it, what is done beside a hall that serves from it, and measuring.
OF_THE_FILE = {
    "bench/append.py",
    "bench/append_postgres.py",
    "bench/attack.py",
    "bench/load.py",
    "bench/log.py",
    "bench/replay.py",
    "bench/town/report.py",
    "bench/town/year.py",
    "cli/backup.py",
    "cli/copies.py",
    "cli/folder.py",
    "cli/restore.py",
}


def imported(code: str) -> Iterator[str]:
    """The top names of what is imported anywhere in a module."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).partition(".")[0]


def test_only_the_store_knows_an_engine() -> None:
    home = ROOT / "src" / "qipai"
    knows = {
        path.relative_to(home).as_posix()
        for path in home.rglob("*.py")
        if path.parent != home / "store" and ENGINES.intersection(imported(path.read_text("utf-8")))
    }
    assert knows == OF_THE_FILE
