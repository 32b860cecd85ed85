"""`qipai backup`: copies that are whole, the newest of them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from qipai import cli

Said = pytest.CaptureFixture[str]


def test_a_copy_whose_books_are_not_those_of_its_log_is_found_on_request(data: Path, capsys: Said) -> None:
    words = ["backup", "--data", str(data)]
    assert cli.main([*words, "--refold", str(data / "one")]) == 0
    with closing(sqlite3.connect(data / "hall.sqlite")) as db:
        db.execute("UPDATE balances SET amount = 999 WHERE account = 1")
        db.commit()
    assert cli.main([*words, str(data / "two")]) == 0  # a whole file, and nobody asked for more
    assert cli.main([*words, "--refold", str(data / "three")]) == 1
    assert "not what its log says: balances" in capsys.readouterr().err
    assert (data / "damaged-three").is_dir()


@pytest.mark.parametrize("words", [["rebuild"], ["backup"]])
def test_where_there_is_no_hall_that_is_said(words: list[str], tmp_path: Path, capsys: Said) -> None:
    assert cli.main([*words, "--data", str(tmp_path / "none")]) == 1
    assert "there is no hall" in capsys.readouterr().err


def test_of_many_copies_the_newest_are_kept(data: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    backups = data / "backups"
    (backups / "by-hand").mkdir(parents=True)
    for day in range(1, 5):
        monkeypatch.setattr("time.strftime", lambda form, when, day=day: f"2026-11-0{day}-040000")
        assert cli.main(["backup", "--data", str(data), "--keep", "2"]) == 0
    assert sorted(one.name for one in backups.iterdir()) == ["2026-11-03-040000", "2026-11-04-040000", "by-hand"]
    assert capsys.readouterr().out.endswith("; 1 older copies are gone\n")
    assert cli.main(["backup", "--data", str(data), "--keep", "0"]) == 1
    assert cli.main(["backup", str(data / "x"), "--data", str(data), "--keep", "2"]) == 1
