"""`qipai admin`: accounts, roles and grants from the terminal, beside a hall or without one."""

from __future__ import annotations

import io
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.cli.conftest import sums

from qipai import cli
from qipai.accounts.secret import key_of
from qipai.cli.folder import locked

Said = pytest.CaptureFixture[str]


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
