"""What tests of commands that keep the books share: a hall with an administrator."""

from __future__ import annotations

import io
import sqlite3
from pathlib import Path

import pytest

from qipai import cli


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A hall with an administrator."""
    monkeypatch.setattr("sys.stdin", io.StringIO("correct horse battery\n"))
    assert cli.main(["admin", "first", "海潮生", "--data", str(tmp_path / "hall")]) == 0
    return tmp_path / "hall"


def sums(data: Path) -> dict[int, int]:
    db = sqlite3.connect(data / "hall.sqlite")
    try:
        return dict(db.execute("SELECT account, amount FROM balances WHERE currency = 'coins'").fetchall())
    finally:
        db.close()
