"""What tests of commands that keep the books share: a hall with an administrator."""

from __future__ import annotations

import io
import shutil
import sqlite3
from pathlib import Path

import pytest

from qipai import cli


@pytest.fixture(scope="session")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hall with an administrator, for all tests: a password takes its time to be hashed."""
    folder = tmp_path_factory.mktemp("founded") / "hall"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.StringIO("correct horse battery\n"))
        assert cli.main(["admin", "first", "海潮生", "--data", str(folder)]) == 0
    return folder


@pytest.fixture
def data(founded: Path, tmp_path: Path) -> Path:
    """A hall with an administrator."""
    return Path(shutil.copytree(founded, tmp_path / "hall"))


def sums(data: Path) -> dict[int, int]:
    db = sqlite3.connect(data / "hall.sqlite")
    try:
        return dict(db.execute("SELECT account, amount FROM balances WHERE currency = 'coins'").fetchall())
    finally:
        db.close()
