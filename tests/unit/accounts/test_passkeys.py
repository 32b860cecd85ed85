"""Passkeys: what a device signs for this hall, its owner and this question lets in, and nothing else does."""

from __future__ import annotations

from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest
from tests.authenticator import Authenticator
from tests.unit.accounts.conftest import at_home

from qipai.accounts import passkeys
from qipai.accounts.model import Refused
from qipai.accounts.passkeys import Site
from qipai.accounts.service import Accounts
from qipai.store import Sqlite

NOW = 1_800_000_000
HERE = Site("play.example.org", ("https://play.example.org",))
ELSEWHERE = Site("evil.example.com", ("https://evil.example.com",))

pytestmark = pytest.mark.usefixtures("quick")


def device(site: Site = HERE) -> Authenticator:
    return Authenticator(site.origins[0], site.host)


async def refused(doing: Awaitable[Any]) -> str:
    try:
        await doing
    except Refused as wrong:
        return f"{wrong.code} {wrong.facts.get('case', '')}".strip()
    return ""


async def register(accounts: Accounts, name: str = "海潮生") -> int:
    user, _ = await accounts.register(name, "a long enough word", guest=None, address=None, now=NOW)
    return user.id


async def added(accounts: Accounts, user: int, one: Authenticator) -> int:
    options = await accounts.passkeys.ask_new(user, "海潮生", HERE, NOW)
    return (await accounts.passkeys.add(user, "phone", one.make(options), HERE, NOW)).id


def signed(accounts: Accounts, one: Authenticator, at: int = NOW, **more: Any) -> Awaitable[Any]:
    options = accounts.passkeys.ask(HERE, NOW) | more
    return accounts.login_by_passkey(one.sign(options), HERE, at)


def test_a_passkey_signs_in_alone(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        user, one = await register(accounts), device()
        id = await added(accounts, user, one)
        for at in (NOW, NOW + 100):
            who, cookie = await signed(accounts, one, at)
            login = await accounts.who(cookie, at)
            assert login is not None
            assert (who.id, login.user) == (user, user)
        (row,) = await accounts.passkeys.of(user)
        assert (row.id, row.name, row.host, row.made_at, row.used_at) == (id, "phone", HERE.host, NOW, NOW + 100)
        told = (await accounts.told(user, NOW))["passkeys"]
        assert told == [{"name": "phone", "host": HERE.host, "made_at": NOW, "used_at": NOW + 100}]

    at_home(tmp_path, visit)


def test_a_question_is_answered_once_and_in_time(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        user, one = await register(accounts), device()
        await added(accounts, user, one)
        options = accounts.passkeys.ask(HERE, NOW)
        answer = one.sign(options)
        await accounts.login_by_passkey(answer, HERE, NOW)
        assert await refused(accounts.login_by_passkey(answer, HERE, NOW)) == "BAD_LOGIN passkey"
        assert await refused(accounts.login_by_passkey(one.sign(options), HERE, NOW)) == "BAD_LOGIN passkey"
        assert await refused(signed(accounts, one, NOW + 299)) == ""
        assert await refused(signed(accounts, one, NOW + 300)) == "BAD_LOGIN passkey"
        assert await refused(signed(accounts, one, challenge="AAAA")) == "BAD_LOGIN passkey"
        new = await accounts.passkeys.ask_new(user, "海潮生", HERE, NOW)  # a question of another kind
        assert await refused(signed(accounts, one, challenge=new["challenge"])) == "BAD_LOGIN passkey"

    at_home(tmp_path, visit)


def test_only_who_was_asked_adds_a_passkey(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        user, other = await register(accounts), await register(accounts, "石头记")
        options = await accounts.passkeys.ask_new(user, "海潮生", HERE, NOW)
        assert (
            await refused(accounts.passkeys.add(other, "x", device().make(options), HERE, NOW)) == "BAD_LOGIN passkey"
        )
        one = device()
        await added(accounts, user, one)
        assert await refused(added(accounts, other, one)) == "BAD_LOGIN passkey"  # it is somebody's
        assert await accounts.passkeys.of(other) == []

    at_home(tmp_path, visit)


@pytest.mark.parametrize(
    "what", ["elsewhere", "locked", "other key", "counts back", "unknown", "removed", "other name"]
)
def test_what_is_not_right_does_not_let_in(tmp_path: Path, what: str) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        user, one = await register(accounts), device()
        id = await added(accounts, user, one)
        assert await refused(signed(accounts, one)) == ""
        match what:
            case "elsewhere":
                one.origin = ELSEWHERE.origins[0]
            case "locked":
                one.unlocked = False
            case "other key":
                one.key = device().key
            case "counts back":
                one.count -= 1
            case "unknown":
                one = device()
            case "removed":
                assert await accounts.passkeys.remove(user, id)
                assert not await accounts.passkeys.remove(user, id)
            case "other name":
                one.host = "other.example.org"
        assert await refused(signed(accounts, one)) == "BAD_LOGIN passkey"

    at_home(tmp_path, visit)


@pytest.mark.parametrize("what", ["elsewhere", "locked"])
def test_what_is_not_right_is_not_kept(tmp_path: Path, what: str) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        user, one = await register(accounts), device(ELSEWHERE if what == "elsewhere" else HERE)
        one.unlocked = what != "locked"
        assert await refused(added(accounts, user, one)) == "BAD_LOGIN passkey"
        assert await accounts.passkeys.of(user) == []

    at_home(tmp_path, visit)


@pytest.mark.parametrize("odd", ["", "e30", "bm8", "eyJjaGFsbGVuZ2UiOjF9", "W10", "!"])
def test_nonsense_is_refused_in_words(tmp_path: Path, odd: str) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        user, one = await register(accounts), device()
        await added(accounts, user, one)
        for field in ("clientDataJSON", "authenticatorData", "signature", "id"):
            answer = one.sign(accounts.passkeys.ask(HERE, NOW))
            if field == "id":
                answer |= {"id": odd, "rawId": odd}
            else:
                answer["response"][field] = odd
            assert await refused(accounts.login_by_passkey(answer, HERE, NOW)) == "BAD_LOGIN passkey", field
        for field in ("clientDataJSON", "attestationObject"):
            answer = device().make(await accounts.passkeys.ask_new(user, "海潮生", HERE, NOW))
            answer["response"][field] = odd
            assert await refused(accounts.passkeys.add(user, "x", answer, HERE, NOW)) == "BAD_LOGIN passkey", field

    at_home(tmp_path, visit)


def test_a_person_has_only_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passkeys, "MOST", 2)

    async def visit(accounts: Accounts, store: Sqlite) -> None:
        user = await register(accounts)
        for _ in range(2):
            await added(accounts, user, device())
        assert await refused(added(accounts, user, device())) == "LIMIT_REACHED passkeys"
        await accounts.delete(user, NOW)
        assert await accounts.passkeys.of(user) == []

    at_home(tmp_path, visit)


def test_a_hall_without_the_library_does_without(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        user = await register(accounts)
        accounts.passkeys.ready = False
        with pytest.raises(Refused, match="NOT_FOUND"):
            accounts.passkeys.ask(HERE, NOW)
        assert await refused(accounts.passkeys.ask_new(user, "海潮生", HERE, NOW)) == "NOT_FOUND passkeys"
        assert await refused(accounts.passkeys.check({}, HERE, NOW)) == "NOT_FOUND passkeys"
        assert await accounts.passkeys.of(user) == []

    at_home(tmp_path, visit)
