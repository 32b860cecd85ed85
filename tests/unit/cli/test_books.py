"""`qipai admin`, `rebuild`, `backup`, `restore`: the hall's books from the terminal."""

from __future__ import annotations

import io
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from qipai import cli
from qipai.accounts.secret import key_of
from qipai.cli.folder import locked

Said = pytest.CaptureFixture[str]


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


def hashed(data: Path) -> str:
    db = sqlite3.connect(data / "hall.sqlite")
    try:
        return str(db.execute("SELECT password FROM users").fetchone()[0])
    finally:
        db.close()


def test_the_first_administrator_is_registered_with_the_trial_coins(data: Path, capsys: Said) -> None:
    assert sums(data) == {1: 200, -1: -200}
    assert cli.main(["admin", "first", "海潮生", "--data", str(data)]) == 0  # once more is no harm
    assert "海潮生 is admin" in capsys.readouterr().out
    assert sums(data) == {1: 200, -1: -200}


def test_a_password_that_is_too_short_names_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("short\n"))
    assert cli.main(["admin", "first", "somebody", "--data", str(tmp_path)]) == 1
    assert "PASSWORD_WEAK" in capsys.readouterr().err


def test_who_forgot_his_password_gets_another(data: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    where = ["--data", str(data)]
    before = hashed(data)
    monkeypatch.setattr("sys.stdin", io.StringIO("short\n"))
    assert cli.main(["admin", "password", "海潮生", *where]) == 1
    assert hashed(data) == before
    monkeypatch.setattr("sys.stdin", io.StringIO("another long one\n"))
    assert cli.main(["admin", "password", "海潮生", *where]) == 0
    assert "has a new password" in capsys.readouterr().out
    assert hashed(data) != before
    assert cli.main(["admin", "password", "nobody", *where]) == 1


def test_a_link_to_another_password_is_made_beside_a_running_hall(data: Path, capsys: Said) -> None:
    where = ["--data", str(data)]
    (data / "hall.toml").write_text("[accounts]\nreset_hours = 3\n")
    with locked(data):  # as a hall does that is serving
        assert cli.main(["admin", "link", "海潮生", "--at", "https://play.example.org/", *where]) == 0
    said = capsys.readouterr()
    assert "within 3 hours" in said.err
    start, _, secret = said.out.strip().partition("#")
    assert start == "https://play.example.org/reset"
    with closing(sqlite3.connect(data / "hall.sqlite")) as db:
        rows = db.execute("SELECT key, user, way, by, noted, ends_at - made_at FROM resets").fetchall()
    assert rows == [(key_of(secret), 1, "terminal", None, 0, 3 * 3600)]
    assert cli.main(["admin", "link", "海潮生", *where]) == 0
    assert capsys.readouterr().out.startswith("/reset#")
    assert cli.main(["admin", "link", "nobody", *where]) == 1
    assert "nobody is registered" in capsys.readouterr().err


@pytest.mark.parametrize("end", [True, False])
def test_a_second_factor_that_is_lost_ends_where_one_says_so(
    data: Path, monkeypatch: pytest.MonkeyPatch, end: bool
) -> None:
    with closing(sqlite3.connect(data / "hall.sqlite")) as db, db:
        db.execute("INSERT INTO factors (user, secret, on_at) VALUES (1, 'JBSWY3DPEHPK3PXP', 5)")
    monkeypatch.setattr("sys.stdin", io.StringIO("another long one\n"))
    more = ["--end-second-factor"] if end else []
    assert cli.main(["admin", "password", "海潮生", "--data", str(data), *more]) == 0
    with closing(sqlite3.connect(data / "hall.sqlite")) as db:
        (left,) = db.execute("SELECT count(*) FROM factors").fetchone()
        noted = db.execute("SELECT stream, actor FROM events WHERE type = 'factor.ended'").fetchall()
    assert (left, noted) == ((0, [("resets", None)]) if end else (1, []))


def test_grants_and_codes_are_in_the_books(data: Path, capsys: Said) -> None:
    where = ["--data", str(data)]
    assert cli.main(["admin", "grant", "海潮生", "50", "--note", "prize", *where]) == 0
    assert "250 coins and 0 hearts" in capsys.readouterr().out
    assert cli.main(["admin", "grant", "海潮生", "3", "--hearts", *where]) == 0
    assert cli.main(["admin", "grant", "海潮生", "-500", *where]) == 1
    assert cli.main(["admin", "grant", "nobody", "5", *where]) == 1
    assert cli.main(["admin", "code", "SPRING", "--coins", "5", "--uses", "2", *where]) == 0
    assert cli.main(["admin", "code", "SPRING", "--coins", "5", *where]) == 1
    assert cli.main(["admin", "code", "EMPTY", *where]) == 1
    assert "already" in capsys.readouterr().err
    before = sums(data)
    assert cli.main(["rebuild", *where]) == 0
    assert sums(data) == before == {1: 250, -1: -250}


def keepers(data: Path) -> list[tuple[int, int]]:
    db = sqlite3.connect(data / "hall.sqlite")
    try:
        return db.execute("SELECT room, user FROM keepers").fetchall()
    finally:
        db.close()


def test_a_moderator_of_a_room_is_named_and_unnamed(data: Path, capsys: Said) -> None:
    where = ["--room", "2", "--data", str(data)]
    assert cli.main(["admin", "role", "海潮生", "moderator", *where]) == 0
    assert "海潮生 is moderator of room 2" in capsys.readouterr().out
    assert keepers(data) == [(2, 1)]
    assert cli.main(["rebuild", "--data", str(data)]) == 0
    assert keepers(data) == [(2, 1)]
    capsys.readouterr()
    db = sqlite3.connect(data / "hall.sqlite")
    with db:
        db.execute(
            "INSERT INTO users (name, folded, role, password, made_at, registered_at, seen_at)"
            " VALUES ('robo', 'robo', 'bot', 'x', 0, 0, 0)"
        )
    db.close()
    for name, role, room, why in (
        ("海潮生", "moderator", "2", "already moderator of room 2"),
        ("海潮生", "moderator", "777", "there is no room 777"),
        ("nobody", "moderator", "2", "nobody is registered as nobody"),
        ("robo", "moderator", "2", "robo is a program"),
        ("海潮生", "user", "3", "no moderator of room 3"),
    ):
        assert cli.main(["admin", "role", name, role, "--room", room, "--data", str(data)]) == 1
        assert why in capsys.readouterr().err
    assert cli.main(["admin", "role", "海潮生", "user", *where]) == 0
    assert keepers(data) == []


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


@pytest.mark.skipif(os.name != "posix", reason="there are no such rights here")
def test_nobody_else_reads_a_halls_folder(data: Path, tmp_path: Path) -> None:
    def rights(path: Path) -> int:
        return path.stat().st_mode & 0o777

    assert (rights(data), rights(data / "hall.sqlite"), rights(data / "hall.toml")) == (0o700, 0o600, 0o600)
    # One that an earlier version has made is shut, too.
    assert cli.main(["backup", "--data", str(data)]) == 0
    (copy,) = (data / "backups").iterdir()
    for path in (data, data / "backups", copy):
        path.chmod(0o755)
    for path in (data / "hall.sqlite", data / "hall.toml", copy / "hall.sqlite"):
        path.chmod(0o644)
    assert cli.main(["admin", "grant", "海潮生", "5", "--data", str(data)]) == 0
    assert [rights(path) for path in (data, data / "backups", copy)] == [0o700] * 3
    files = (data / "hall.sqlite", data / "hall.toml", copy / "hall.sqlite", copy / "hall.toml")
    assert [rights(path) for path in files] == [0o600] * 4
    assert cli.main(["backup", str(tmp_path / "elsewhere"), "--data", str(data)]) == 0
    assert rights(tmp_path / "elsewhere" / "hall.sqlite") == 0o600


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


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no owners here")
def test_what_root_puts_into_a_halls_folder_belongs_to_the_hall(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, tuple[int, int]] = {}
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("os.chown", lambda path, user, group: given.update({Path(path).name: (user, group)}))
    copy = tmp_path / "copy"
    assert cli.main(["backup", str(copy), "--data", str(data)]) == 0
    assert given.keys() == {"last-backup"}  # what goes elsewhere is root's
    assert cli.main(["restore", str(copy), "--data", str(data)]) == 0
    owner = data.stat()
    assert {"hall.sqlite", "hall.toml", "lock", "backups"} <= given.keys()
    assert set(given.values()) == {(owner.st_uid, owner.st_gid)}
