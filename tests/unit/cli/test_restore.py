"""`qipai restore`: a copy comes back, and a bad one does not."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.cli.conftest import sums

from qipai import cli

Said = pytest.CaptureFixture[str]


def test_a_copy_is_whole_and_comes_back(data: Path, tmp_path: Path, capsys: Said) -> None:
    where, copy = ["--data", str(data)], tmp_path / "copy"
    held = sqlite3.connect(data / "hall.sqlite")  # as a hall that is serving holds it
    try:
        assert cli.main(["backup", str(copy), *where]) == 0
    finally:
        held.close()
    assert cli.main(["backup", str(copy), *where]) == 1  # nothing is written over
    assert cli.main(["admin", "grant", "海潮生", "50", *where]) == 0
    assert sums(data)[1] == 250
    assert cli.main(["restore", str(copy), *where]) == 0
    assert sums(data)[1] == 200
    kept = next((data / "backups").glob("replaced-*"))
    assert sums(kept)[1] == 250
    (copy / "hall.sqlite").write_bytes(b"no database at all, but long enough to be looked at")
    capsys.readouterr()
    assert cli.main(["restore", str(copy), *where]) == 1
    assert "is no hall" in capsys.readouterr().err
    assert sums(data)[1] == 200


def broken(file: Path) -> None:
    """Write over the leaves of the log, as a bad disk does."""
    with closing(sqlite3.connect(file)) as db:
        db.executemany(
            "INSERT INTO events (at, ms, stream, seq, type, data) VALUES (0, 0, 'x', ?, 'x', ?)",
            [(n, "x" * 500) for n in range(1, 400)],
        )
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with file.open("r+b") as raw:
        raw.seek(file.stat().st_size - 20 * 4096)
        raw.write(b"\xff" * 4096 * 8)


def test_a_damaged_copy_is_kept_apart_and_drives_no_good_one_out(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    backups, words = data / "backups", ["backup", "--data", str(data), "--keep", "1"]
    monkeypatch.setattr("time.strftime", lambda form, when: "2026-11-01-040000")
    assert cli.main(words) == 0
    last = (data / "last-backup").read_text()
    broken(data / "hall.sqlite")
    monkeypatch.setattr("time.strftime", lambda form, when: "2026-11-02-040000")
    monkeypatch.setattr("time.time", lambda: 1.9e9)
    assert cli.main(words) == 1
    assert "the copy is damaged" in (said := capsys.readouterr().err)
    assert "older copies are kept" in said
    assert sorted(one.name for one in backups.iterdir()) == ["2026-11-01-040000", "damaged-2026-11-02-040000"]
    assert (data / "last-backup").read_text() == last
    assert cli.main(["restore", str(backups / "damaged-2026-11-02-040000"), "--data", str(data)]) == 1
    assert cli.main(["restore", str(backups / "2026-11-01-040000"), "--data", str(data)]) == 0
    assert sums(data)[1] == 200


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ("[seats]\ngrace_s = 'long'\n", "grace_s"),
        ("[[rooms.own]]\nkind = 'score'\ngames = ['no_such_game']\nname = { en = 'x' }\n", "games"),
    ],
)
def test_a_copy_with_settings_that_no_hall_starts_with_is_not_put_back(
    data: Path, tmp_path: Path, capsys: Said, settings: str, why: str
) -> None:
    copy = tmp_path / "copy"
    assert cli.main(["backup", str(copy), "--data", str(data)]) == 0
    good = (copy / "hall.toml").read_text("utf-8")
    (copy / "hall.toml").write_text(settings, "utf-8")
    before = (data / "hall.sqlite").read_bytes()
    assert cli.main(["restore", str(copy), "--data", str(data)]) == 1
    assert why in (said := capsys.readouterr().err)
    assert "no hall starts with the copy's settings" in said
    assert (data / "hall.sqlite").read_bytes() == before
    # A good copy mends a hall that cannot start.
    (copy / "hall.toml").write_text(good, "utf-8")
    (data / "hall.toml").write_text(settings, "utf-8")
    assert cli.main(["restore", str(copy), "--data", str(data)]) == 0
    assert (data / "hall.toml").read_text("utf-8") == good


def test_a_copy_of_a_newer_hall_is_not_put_back(data: Path, tmp_path: Path, capsys: Said) -> None:
    copy = tmp_path / "copy"
    assert cli.main(["backup", str(copy), "--data", str(data)]) == 0
    with closing(sqlite3.connect(copy / "hall.sqlite")) as db:
        db.execute("UPDATE steps SET done = 99 WHERE name = 'hall'")
        db.commit()
    assert cli.main(["restore", str(copy), "--data", str(data)]) == 1
    assert "a newer qipai has written it (hall 99; this one knows" in capsys.readouterr().err
