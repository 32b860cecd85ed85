"""Accounts on a real store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.accounts.conftest import at_home as with_store

from qipai import cli
from qipai.accounts import books, service
from qipai.accounts.model import PICTURES, Refused, SelfDescription, Settings
from qipai.accounts.service import Accounts
from qipai.config import Config, Limits

NOW = 1_800_000_000
DAY = 86400
FAR = "203.0.113.7"


pytestmark = pytest.mark.usefixtures("quick")


def at_home(tmp_path: Path, visit: Callable[[Accounts], Awaitable[Any]], config: Config | None = None) -> None:
    with_store(tmp_path, lambda accounts, _: visit(accounts), config)


def test_a_guest_has_a_number_and_a_cookie(tmp_path: Path) -> None:
    async def visit(accounts: Accounts) -> None:
        user, secret = await accounts.guest(None, NOW)
        assert user.kind == "guest"
        assert user.name.startswith("游客-")
        assert len(user.name) >= 7
        login = await accounts.who(secret, NOW + 29 * DAY)
        assert login is not None
        assert (login.user, login.role, login.cookie) == (user.id, "guest", True)
        assert await accounts.who(secret, NOW + 30 * DAY) is None
        assert await accounts.who(secret + "x", NOW) is None
        assert accounts.peek(user.id) == await accounts.find(user.id) == user
        assert await accounts.find(99) is None

    at_home(tmp_path, visit)


def test_who_is_not_at_hand_any_more_is_found_at_once_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "KEPT", 8)

    async def visit(accounts: Accounts) -> None:
        first = [(await accounts.guest(None, NOW))[0] for _ in range(6)]
        await accounts.tell(first[0].id, None, None, PICTURES[-1])
        for user in first[:3]:
            accounts.came(user.id, NOW)
        at_hand = [accounts.peek(user.id) for user in first]
        later = [(await accounts.guest(None, NOW))[0] for _ in range(40)]
        assert len(accounts._users) <= 8 + 3
        assert [accounts._users.get(user.id) for user in first] == [*at_hand[:3], None, None, None]
        await accounts.tell(first[4].id, None, None, PICTURES[-1])
        await accounts.delete(first[5].id, NOW)
        await accounts.meet(user.id for user in later)
        assert [accounts.peek(user.id) for user in (*first[:4], *later)] == [*at_hand[:4], *later]
        assert accounts.peek(first[4].id) == msgspec.structs.replace(first[4], picture=PICTURES[-1])
        gone = accounts.peek(first[5].id)
        assert gone is not None
        assert gone.deleted
        assert await accounts.find(first[5].id) == gone
        assert accounts.peek(999) is None
        assert len(accounts._users) <= 8 + 3

    at_home(tmp_path, visit)


def test_a_guest_that_registers_keeps_its_number_and_its_row(tmp_path: Path) -> None:
    async def visit(accounts: Accounts) -> None:
        guest, _ = await accounts.guest(None, NOW)
        settings = Settings(lang="en")
        user, secret = await accounts.register(
            "海潮生", "long enough", guest=guest.id, address=None, now=NOW, settings=settings
        )
        assert (user.id, user.name, user.kind) == (guest.id, "海潮生", "user")
        assert accounts.peek(guest.id) == user
        login = await accounts.who(secret, NOW)
        assert login is not None
        assert login.role == "user"
        assert await accounts.settings(user.id) == settings
        again, _ = await accounts.register("石头记", "long enough", guest=guest.id, address=None, now=NOW)
        assert again.id != guest.id  # who is a user already does not become another

    at_home(tmp_path, visit)


def test_a_name_is_taken_once_whatever_its_case(tmp_path: Path) -> None:
    async def visit(accounts: Accounts) -> None:
        await accounts.register("Haichao", "long enough", guest=None, address=None, now=NOW)
        await accounts.register("hAICHAO2", "long enough", guest=None, address=None, now=NOW)
        with pytest.raises(Refused) as refused:
            await accounts.register("ＨＡＩＣＨＡＯ", "long enough", guest=None, address=None, now=NOW)
        assert refused.value.code == "NAME_TAKEN"
        assert refused.value.facts["free"] == ["HAICHAO3", "HAICHAO7", "HAICHAO8"]

    at_home(tmp_path, visit)


def test_a_wrong_name_and_a_wrong_password_are_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashings: list[str] = []
    matches = service.matches

    def counted(password: str, stored: str) -> bool:
        hashings.append(password)
        return matches(password, stored)

    monkeypatch.setattr(service, "matches", counted)

    async def visit(accounts: Accounts) -> None:
        registered, _ = await accounts.register("Haichao", "long enough", guest=None, address=None, now=NOW)
        guest, _ = await accounts.guest(None, NOW)
        for name, password in [("Haichao", "Long enough"), ("nobody", "long enough"), (guest.name, "long enough")]:
            with pytest.raises(Refused) as refused:
                await accounts.login(name, password, None, NOW)
            assert (refused.value.code, refused.value.facts) == ("BAD_LOGIN", {})
        assert len(hashings) == 3  # the same work, so the same time
        user, secret = await accounts.login("hAiChAo", "long enough", None, NOW)
        assert user == registered
        assert await accounts.who(secret, NOW)

    at_home(tmp_path, visit)


def test_ten_wrong_passwords_shut_the_door_for_a_quarter_of_an_hour(tmp_path: Path) -> None:
    async def visit(accounts: Accounts) -> None:
        await accounts.register("Haichao", "long enough", guest=None, address=None, now=NOW)
        for _ in range(10):
            with pytest.raises(Refused, match="BAD_LOGIN"):
                await accounts.login("Haichao", "wrong one", FAR, NOW)
        with pytest.raises(Refused) as refused:
            await accounts.login("Haichao", "long enough", FAR, NOW + 60)
        assert (refused.value.code, refused.value.facts) == ("RATE_LIMIT", {"wait_ms": 840_000})
        await accounts.login("Haichao", "long enough", "203.0.113.8", NOW + 60)  # from elsewhere it is open
        await accounts.login("Haichao", "long enough", FAR, NOW + 900)

    at_home(tmp_path, visit)


def test_one_address_makes_so_many_guests_and_accounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(_: float) -> None:
        return None

    monkeypatch.setattr(asyncio, "sleep", at_once)
    config = Config(limits=Limits(guests_per_hour=2, accounts_per_day=1))

    async def visit(accounts: Accounts) -> None:
        for _ in range(5):
            await accounts.guest(None, NOW)  # this machine itself is not limited
        await accounts.guest(FAR, NOW)
        await accounts.guest(FAR, NOW)
        with pytest.raises(Refused, match="RATE_LIMIT"):
            await accounts.guest(FAR, NOW + 3599)
        await accounts.guest(FAR, NOW + 3600)
        await accounts.register("first", "long enough", guest=None, address=FAR, now=NOW)
        with pytest.raises(Refused, match="RATE_LIMIT"):
            await accounts.register("second", "long enough", guest=None, address=FAR, now=NOW + 1)
        await accounts.register("second", "long enough", guest=None, address=FAR, now=NOW + DAY)

    at_home(tmp_path, visit, config)


def test_attempts_to_register_from_one_address_wait_for_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    naps: list[float] = []
    sleep = asyncio.sleep

    async def nap(seconds: float) -> None:
        naps.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", nap)

    async def visit(accounts: Accounts) -> None:
        tries = [accounts.register(f"name{n}", "long enough", guest=None, address=FAR, now=NOW) for n in range(3)]
        await asyncio.gather(*tries)
        assert naps == [2, 2, 2]
        assert accounts._queues == {}

    at_home(tmp_path, visit)


def test_forty_names_from_one_address_and_one_name_from_many_are_slowed_down(tmp_path: Path) -> None:
    async def visit(accounts: Accounts) -> None:
        user, _ = await accounts.register("Haichao", "long enough", guest=None, address=None, now=NOW)
        known = await accounts.device(user.id)

        async def tried(name: str, password: str, address: str | None, device: str | None = None) -> str:
            try:
                await accounts.login(name, password, address, NOW, device)
            except Refused as wrong:
                return wrong.code
            return "in"

        sprayed = [await tried(f"name{n}", "wrong one", FAR) for n in range(40)]
        assert sprayed == ["BAD_LOGIN"] * 30 + ["RATE_LIMIT"] * 10
        many = [await tried("Haichao", "wrong one", f"198.51.100.{n}") for n in range(15) for _ in range(3)]
        assert many == ["BAD_LOGIN"] * 20 + ["RATE_LIMIT"] * 25
        assert await tried("Haichao", "long enough", "198.51.100.99") == "RATE_LIMIT"
        assert await tried("Haichao", "long enough", "198.51.100.99", "made.up") == "RATE_LIMIT"
        assert await tried("Haichao", "long enough", FAR, known) == "in"  # where he was before nobody shuts him out
        guesses = [await tried("Haichao", "wrong one", FAR, known) for _ in range(12)]
        assert guesses == ["BAD_LOGIN"] * 10 + ["RATE_LIMIT"] * 2  # who has stolen his cookie guesses no faster
        await accounts.set_password(user.id, "another one")
        assert await tried("Haichao", "another one", "198.51.100.98", known) == "RATE_LIMIT"

    at_home(tmp_path, visit)


def test_guesses_at_once_are_all_counted(tmp_path: Path) -> None:
    async def visit(accounts: Accounts) -> None:
        await accounts.register("Haichao", "long enough", guest=None, address=None, now=NOW)

        async def guess(n: int) -> str:
            with pytest.raises(Refused) as wrong:
                await accounts.login("Haichao", f"wrong {n}", None, NOW)
            return wrong.value.code

        found = await asyncio.gather(*(guess(n) for n in range(30)))
        assert sorted(found) == ["BAD_LOGIN"] * 10 + ["RATE_LIMIT"] * 20

    at_home(tmp_path, visit)


def test_logging_out_ends_one_login_or_all(tmp_path: Path) -> None:
    async def visit(accounts: Accounts) -> None:
        user, first = await accounts.register("Haichao", "long enough", guest=None, address=None, now=NOW)
        _, second = await accounts.login("Haichao", "long enough", None, NOW)
        number, token = await accounts.add_token(user.id, "robot", ["play", "watch"], NOW)
        login = await accounts.who(first, NOW)
        assert login is not None
        assert await accounts.logout(login, everywhere=False) == [login.key]
        assert await accounts.who(first, NOW) is None
        program = await accounts.who(token, NOW + 1000 * DAY)
        assert program is not None
        assert (program.scopes, program.cookie) == ({"play", "watch"}, False)  # type: ignore[comparison-overlap]
        assert [(one.id, one.name) for one in await accounts.tokens(user.id, NOW)] == [(number, "robot")]
        other = await accounts.who(second, NOW)
        assert other is not None
        assert set(await accounts.logout(other, everywhere=True)) == {other.key, program.key}
        assert await accounts.who(token, NOW) is None

    at_home(tmp_path, visit)


def test_a_token_is_ended_by_its_owner_alone(tmp_path: Path) -> None:
    async def visit(accounts: Accounts) -> None:
        mine, _ = await accounts.guest(None, NOW)
        other, _ = await accounts.guest(None, NOW)
        number, token = await accounts.add_token(mine.id, "robot", ["play"], NOW)
        assert await accounts.end_token(other.id, number) is None
        assert await accounts.who(token, NOW)
        assert await accounts.end_token(mine.id, number)
        assert await accounts.who(token, NOW) is None

    at_home(tmp_path, visit)


def test_who_comes_back_stays_signed_in(tmp_path: Path) -> None:
    async def visit(accounts: Accounts) -> None:
        _, secret = await accounts.guest(None, NOW)
        login = await accounts.who(secret, NOW)
        assert login is not None
        assert not await accounts.prolong(login, NOW + DAY - 1)  # once a day is enough
        assert await accounts.prolong(login, NOW + 20 * DAY)
        assert await accounts.who(secret, NOW + 49 * DAY)

    at_home(tmp_path, visit)


def test_a_language_that_the_hall_has_no_longer_is_as_if_none_were_chosen(tmp_path: Path) -> None:
    async def test(accounts: Accounts) -> None:
        user, _ = await accounts.register("海潮生", "long enough", guest=None, address=None, now=NOW)
        for kept in ("en", "zh-CN"):
            await accounts.change_settings(user.id, Settings(lang=kept, volume=10))
            assert (await accounts.settings(user.id)).lang == kept
        gone = '{"lang":"tlh","volume":10}'
        await accounts._store.transaction(lambda db: books.set_settings(db, user.id, gone))
        assert await accounts.settings(user.id) == Settings(volume=10)
        assert await accounts.settings_of([user.id]) == {user.id: Settings(volume=10)}
        assert await accounts.change_settings(user.id, Settings(volume=20)) == Settings(volume=20)
        assert await accounts.change_settings(user.id, Settings(lang=None)) == Settings(volume=20, lang=None)

    at_home(tmp_path, test)


def test_settings_change_one_by_one(tmp_path: Path) -> None:
    async def visit(accounts: Accounts) -> None:
        user, _ = await accounts.guest(None, NOW)
        await accounts.change_settings(user.id, Settings(volume=10, theme="dark"))
        both = await accounts.change_settings(user.id, Settings(theme="light", left_handed=True))
        assert both == Settings(volume=10, theme="light", left_handed=True) == await accounts.settings(user.id)

    at_home(tmp_path, visit)


def test_who_hides_is_still_hidden_after_a_restart(tmp_path: Path) -> None:
    async def visit(accounts: Accounts) -> None:
        (shy, _), (open_, _) = [await accounts.guest(None, NOW) for _ in range(2)]
        await accounts.change_settings(shy.id, Settings(hide_online=True))
        await accounts.change_settings(open_.id, Settings(hide_online=False))
        await accounts.change_settings(shy.id, Settings(volume=10))  # another setting changes nothing of it
        assert [accounts.unlisted(each.id) for each in (shy, open_)] == [True, False]

    async def again(accounts: Accounts) -> None:
        await accounts.open()
        assert [accounts.unlisted(id) for id in (1, 2)] == [True, False]
        await accounts.delete(1, NOW)
        assert not accounts.unlisted(1)

    at_home(tmp_path, visit)
    at_home(tmp_path, again)


def test_no_secret_stands_in_the_database(tmp_path: Path) -> None:
    secrets: list[str] = []

    async def visit(accounts: Accounts) -> None:
        user, cookie = await accounts.register("Haichao", "a very plain secret", guest=None, address=None, now=NOW)
        _, token = await accounts.add_token(user.id, "robot", ["play"], NOW)
        secrets.extend([cookie, token, "a very plain secret"])

    at_home(tmp_path, visit)
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"Haichao" in stored
    assert not any(secret.encode() in stored for secret in secrets)


def test_a_role_is_given_to_a_registered_name(tmp_path: Path) -> None:
    async def visit(accounts: Accounts) -> None:
        _, secret = await accounts.register("Haichao", "long enough", guest=None, address=None, now=NOW)
        words = ["--data", str(tmp_path)]
        assert await asyncio.to_thread(cli.main, ["role", "nobody", "moderator", *words]) == 1
        assert await asyncio.to_thread(cli.main, ["role", "haichao", "moderator", *words]) == 0  # while it is open
        login = await accounts.who(secret, NOW)
        assert login is not None
        assert login.role == "moderator"

    at_home(tmp_path, visit)


def test_hashing_takes_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "N_LOG2", 15)
    began = time.process_time()
    stored = service.hashed("correct horse")
    assert time.process_time() - began > 0.02
    assert service.matches("correct horse", stored)
    assert not service.matches("correct horsf", stored)
    assert stored.startswith("scrypt$15$8$3$")


def test_the_time_with_a_line_adds_up(tmp_path: Path) -> None:
    async def visit(accounts: Accounts) -> None:
        user, _ = await accounts.register("海潮生", "long enough", guest=None, address=None, now=NOW)
        accounts.came(user.id, NOW)
        accounts.came(user.id, NOW + 5)  # he is here already
        await accounts.keep_hours(NOW + 60)
        assert (await accounts.self_description(user.id)).online_s == 60
        accounts.went(user.id, NOW + 100)
        accounts.went(user.id, NOW + 900)
        await accounts.keep_hours(NOW + 1000)
        await accounts.keep_hours(NOW + 2000)
        assert (await accounts.self_description(user.id)).online_s == 100
        await accounts.tell(user.id, "plays", "CN", "炮")
        assert (known := accounts.peek(user.id)) is not None
        assert known.picture == "炮"
        assert await accounts.delete(user.id, NOW)
        assert await accounts.self_description(user.id) == SelfDescription("", None, 0)

    at_home(tmp_path, visit)


def test_a_guest_is_named_in_his_language_and_chooses_a_name(tmp_path: Path) -> None:
    async def test(accounts: Accounts) -> None:
        guest, _ = await accounts.guest(None, NOW, "en")
        assert guest.name.startswith("Guest-")
        named = await accounts.rename(guest, "Heron42", NOW)
        assert (named.id, named.name, named.kind) == (guest.id, "Heron42", "guest")
        assert accounts.peek(guest.id) == named
        other, _ = await accounts.guest(None, NOW)
        for name, code in (("heron42", "NAME_TAKEN"), ("游客-1", "NAME_BAD"), ("admin", "NAME_BAD"), ("a", "NAME_BAD")):
            with pytest.raises(Refused, match=code):
                await accounts.rename(other, name, NOW)
        assert (await accounts.rename(named, "HERON42", NOW)).name == "HERON42"  # his own, written otherwise
        user, _ = await accounts.register("海潮生", "long enough", guest=None, address=None, now=NOW)
        with pytest.raises(Refused, match="NOT_ALLOWED"):
            await accounts.rename(user, "海潮落", NOW)
        for n in range(9):  # one attempt, of a name that was taken, counted
            await accounts.rename(other, f"name{n}", NOW)
        with pytest.raises(Refused, match="RATE_LIMIT"):
            await accounts.rename(other, "name9", NOW)

    at_home(tmp_path, test)
