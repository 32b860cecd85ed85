"""Links by which a forgotten password is set anew: good once, for some hours, known by their hash alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.accounts.conftest import at_home

from qipai.accounts import books, resets
from qipai.accounts.model import Refused
from qipai.accounts.service import Accounts
from qipai.config import Config
from qipai.store import Sqlite
from qipai.store.writer import rows_of

NOW = 1_800_000_000_000
HOUR = 3_600_000
OLD, NEW = "the forgotten one", "another long one"

pytestmark = pytest.mark.usefixtures("quick")


async def register(accounts: Accounts, name: str = "海潮生") -> int:
    user, _ = await accounts.register(name, OLD, guest=None, address=None, now=NOW // 1000)
    return user.id


async def signs_in(accounts: Accounts, password: str, name: str = "海潮生") -> bool:
    try:
        await accounts.login(name, password, None, NOW // 1000)
    except Refused as refused:
        if refused.code != "BAD_LOGIN":
            raise
        return False
    return True


async def told(store: Sqlite) -> list[tuple[str, int | None, Any]]:
    rows = await store.read(lambda db: rows_of(db, "stream = 'resets' ORDER BY id", ()))
    return [(row.type, row.actor, row.data) for row in rows]


async def links(store: Sqlite) -> int:
    return int(await store.read(lambda db: db.execute("SELECT count(*) FROM resets").fetchone()[0]))


def test_a_link_sets_a_password_once_and_ends_all_logins(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        user = await register(accounts)
        _, cookie = await accounts.login("海潮生", OLD, None, NOW // 1000)
        _, token = await accounts.add_token(user, "robot", ["play"], NOW // 1000)
        secret, until = await accounts.resets.make(user, by=99, reason="rang me up", now=NOW)
        assert until == NOW // 1000 + 24 * 3600
        found = await accounts.resets.find(secret, NOW)
        assert (found.user, found.way, found.by, found.ends_at) == (user, "moderator", 99, until)
        who, ended = await accounts.resets.use(secret, NEW, NOW)
        assert (who, len(ended)) == (user, 3)
        for key in (cookie, token):
            assert await accounts.who(key, NOW // 1000) is None
        assert await signs_in(accounts, NEW)
        assert not await signs_in(accounts, OLD)
        for again in (lambda: accounts.resets.find(secret, NOW), lambda: accounts.resets.use(secret, OLD, NOW)):
            with pytest.raises(Refused) as refused:
                await again()
            assert (refused.value.code, refused.value.facts) == ("NOT_FOUND", {"case": "reset"})
        assert await signs_in(accounts, NEW)
        assert await told(store) == [
            ("reset.made", 99, {"user": user, "way": "moderator", "reason": "rang me up", "until": until}),
            ("reset.used", user, {"user": user, "way": "moderator", "by": 99}),
        ]

    at_home(tmp_path, visit)


def test_the_books_hold_no_secret(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        secret, _ = await accounts.resets.make(await register(accounts), by=99, reason="x", now=NOW)
        assert await links(store) == 1
        for file in tmp_path.iterdir():
            assert secret.encode() not in file.read_bytes(), file

    at_home(tmp_path, visit)


def test_a_link_ends_with_its_hours(tmp_path: Path) -> None:
    config = msgspec.convert({"accounts": {"reset_hours": 2}}, Config)

    async def visit(accounts: Accounts, store: Sqlite) -> None:
        user = await register(accounts)
        secret, _ = await accounts.resets.make(user, by=99, reason="x", now=NOW)
        await accounts.resets.find(secret, NOW + 2 * HOUR - 1000)
        with pytest.raises(Refused, match="NOT_FOUND"):
            await accounts.resets.use(secret, NEW, NOW + 2 * HOUR)
        await accounts.resets.note(NOW + 2 * HOUR - 1000)
        assert await links(store) == 1
        await accounts.resets.note(NOW + 2 * HOUR)
        assert await links(store) == 0

    at_home(tmp_path, visit, config)


def test_a_weak_password_does_not_spend_the_link(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        secret, _ = await accounts.resets.make(await register(accounts), by=99, reason="x", now=NOW)
        for weak in ("short", "海潮生海潮生", "password123"):
            with pytest.raises(Refused, match="PASSWORD_WEAK"):
                await accounts.resets.use(secret, weak, NOW)
        assert await signs_in(accounts, OLD)
        await accounts.resets.use(secret, NEW, NOW)

    at_home(tmp_path, visit)


def test_the_last_link_is_good_and_those_before_it_are_not(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        user = await register(accounts)
        first, _ = await accounts.resets.make(user, by=98, reason="x", now=NOW)
        second, _ = await accounts.resets.make(user, by=99, reason="x", now=NOW)
        with pytest.raises(Refused, match="NOT_FOUND"):
            await accounts.resets.find(first, NOW)
        assert (await accounts.resets.find(second, NOW)).by == 99

    at_home(tmp_path, visit)


@pytest.mark.parametrize("what", ["password", "promoted", "its maker demoted", "deleted"])
def test_a_link_ends_when_the_account_is_not_what_it_was(tmp_path: Path, what: str) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        user, maker = await register(accounts), await register(accounts, "moderator-1")
        secret, _ = await accounts.resets.make(user, by=maker, reason="x", now=NOW)
        match what:
            case "password":
                await accounts.set_password(user, NEW)
            case "promoted":
                await accounts.set_role("海潮生", "moderator")
            case "its maker demoted":
                await accounts.set_role("Moderator-1", "user")
            case "deleted":
                await accounts.delete(user, NOW // 1000)
        with pytest.raises(Refused, match="NOT_FOUND"):
            await accounts.resets.use(secret, "yet another long one", NOW)

    at_home(tmp_path, visit)


@pytest.mark.parametrize("used", [True, False])
def test_a_link_made_at_the_terminal_stands_in_the_log_once(tmp_path: Path, used: bool) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        user, at = await register(accounts), NOW // 1000
        await store.transaction(
            lambda db: resets.add(db, "s" * 43, user, "terminal", by=None, now=at, ends_at=at + 60, noted=False)
        )
        if used:
            await accounts.resets.use("s" * 43, NEW, NOW)
        for _ in range(2):
            await accounts.resets.note(NOW)
        made = ("reset.made", None, {"user": user, "way": "terminal", "until": at + 60})
        spent = ("reset.used", user, {"user": user, "way": "terminal", "by": None})
        assert await told(store) == ([made, spent] if used else [made])

    at_home(tmp_path, visit)


def test_what_is_mine_names_the_links_that_are_good(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        user = await register(accounts)
        _, until = await accounts.resets.make(user, by=99, reason="x", now=NOW)
        mine = [{"way": "moderator", "made_at": NOW // 1000, "ends_at": until}]
        assert (await accounts.told(user, NOW // 1000))["resets"] == mine
        assert (await store.read(lambda db: books.told(db, user, until)))["resets"] == []

    at_home(tmp_path, visit)
