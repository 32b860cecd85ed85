"""A second factor: codes that change, each taken once; recovery codes; wrong ones are counted."""

from __future__ import annotations

from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pyotp
import pytest
from tests.unit.accounts.conftest import at_home

from qipai.accounts.model import Refused
from qipai.accounts.service import Accounts
from qipai.store import Sqlite
from qipai.store.writer import rows_of

NOW = 1_800_000_000  # the first second of a code
STEP, DAY = 30, 86400
WORD = "a long enough word"

pytestmark = pytest.mark.usefixtures("quick")


class Phone:
    """Somebody whose second factor is on since NOW, and the recovery codes he has written down."""

    def __init__(self, accounts: Accounts, user: int, secret: str, cookie: str) -> None:
        self.accounts, self.user, self.totp, self.cookie = accounts, user, pyotp.TOTP(secret), cookie
        self.codes: tuple[str, ...] = ()
        self.ended: list[bytes] = []

    def shows(self, now: int) -> str:
        return self.totp.at(now)

    async def tries(self, code: str | None, now: int, device: str | None = None, password: str = WORD) -> str:
        """Sign in; return the code of the refusal with its case, "" when one is in."""
        return await refused(self.accounts.login("海潮生", password, None, now, device, code))


async def refused(doing: Awaitable[Any]) -> str:
    try:
        await doing
    except Refused as wrong:
        return f"{wrong.code} {wrong.facts.get('case', '')}".strip()
    return ""


async def begun(accounts: Accounts) -> Phone:
    user, cookie = await accounts.register("海潮生", WORD, guest=None, address=None, now=NOW)
    secret, link = await accounts.factors.begin(user.id, user.name)
    assert pyotp.parse_uri(link).secret == secret
    assert (pyotp.parse_uri(link).name, pyotp.parse_uri(link).issuer) == ("海潮生", "qipai")
    return Phone(accounts, user.id, secret, cookie)


async def on(accounts: Accounts) -> Phone:
    phone = await begun(accounts)
    login = await accounts.who(phone.cookie, NOW)
    assert login is not None
    phone.codes, phone.ended = await accounts.factors.turn_on(phone.user, phone.shows(NOW), login.key, NOW)
    return phone


def test_it_is_on_once_a_first_code_confirms_it(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        phone = await begun(accounts)
        assert await accounts.factors.of(phone.user) is None
        assert await phone.tries(None, NOW) == ""
        login = await accounts.who(phone.cookie, NOW)
        assert login is not None
        assert not login.factor
        wrong = accounts.factors.turn_on(phone.user, "000000", login.key, NOW)
        assert await refused(wrong) == "BAD_LOGIN code"
        assert await accounts.factors.of(phone.user) is None
        await accounts.add_token(phone.user, "robot", ["play"], NOW)
        codes, ended = await accounts.factors.turn_on(phone.user, phone.shows(NOW), login.key, NOW)
        assert (len(set(codes)), len(ended)) == (10, 1)  # the other cookie; the token stays
        found = await accounts.factors.of(phone.user)
        assert found is not None
        assert (found.since, found.codes) == (NOW, 10)
        login = await accounts.who(phone.cookie, NOW)
        assert login is not None
        assert login.factor
        assert len(await accounts.tokens(phone.user, NOW)) == 1
        assert await refused(accounts.factors.begin(phone.user, "海潮生")) == "NOT_ALLOWED factor"

    at_home(tmp_path, visit)


def test_a_code_is_asked_after_the_password_and_each_is_taken_once(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        phone, later = await on(accounts), NOW + 10 * STEP
        assert await phone.tries(None, later) == "SECOND_FACTOR"
        assert await phone.tries(None, later, password="wrong") == "BAD_LOGIN"
        assert await phone.tries(phone.shows(later), later, password="wrong") == "BAD_LOGIN"
        assert await phone.tries(phone.shows(NOW), NOW + 1) == "BAD_LOGIN code"  # the one that turned it on
        shown = phone.shows(later)
        assert await phone.tries(f"{shown[:3]} {shown[3:]}", later) == ""
        assert await phone.tries(shown, later) == "BAD_LOGIN code"
        assert await phone.tries(phone.shows(later - STEP), later) == "BAD_LOGIN code"  # older than the one taken
        assert await phone.tries(phone.shows(later + STEP), later) == ""  # a clock that is ahead

    at_home(tmp_path, visit)


@pytest.mark.parametrize(("off", "right"), [(-2, False), (-1, True), (1, True), (2, False)])
def test_a_clock_may_be_half_a_minute_off(tmp_path: Path, off: int, right: bool) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        phone, later = await on(accounts), NOW + 10 * STEP
        assert await phone.tries(phone.shows(later + off * STEP), later) == ("" if right else "BAD_LOGIN code")

    at_home(tmp_path, visit)


def test_a_recovery_code_is_good_once_however_it_is_typed(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        phone = await on(accounts)
        assert await phone.tries(phone.codes[3].lower().replace("-", " "), NOW) == ""
        assert await phone.tries(phone.codes[3], NOW) == "BAD_LOGIN code"
        found = await accounts.factors.of(phone.user)
        assert found is not None
        assert found.codes == 9
        fresh = await accounts.factors.renew(phone.user, phone.codes[0], NOW)
        assert not set(fresh) & set(phone.codes)
        assert await phone.tries(phone.codes[1], NOW) == "BAD_LOGIN code"
        assert await phone.tries(fresh[0], NOW) == ""
        held = await store.read(lambda db: db.execute("SELECT key FROM recovery_codes").fetchall())
        assert len(held) == 9
        assert not any(code.encode() in key for (key,) in held for code in fresh)

    at_home(tmp_path, visit)


def test_wrong_codes_are_counted_and_shut_the_door_to_who_has_only_the_password(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        phone = await on(accounts)
        device = await accounts.device(phone.user)
        found = [await phone.tries("123456", NOW + n) for n in range(7)]
        assert found == ["BAD_LOGIN code"] * 5 + ["RATE_LIMIT"] * 2
        later = NOW + 10 * STEP
        assert await phone.tries(phone.shows(later), later) == "RATE_LIMIT"
        assert await phone.tries(phone.shows(later), later, device) == ""  # a device that is known
        assert await phone.tries(phone.shows(NOW + 1000), NOW + 1000) == ""

    at_home(tmp_path, visit)


def test_no_more_wrong_codes_are_taken_in_a_day_than_it_allows(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        phone = await on(accounts)
        tries = [await phone.tries("123456", NOW + 200 * n) for n in range(60)]
        assert tries.count("BAD_LOGIN code") == 30
        assert tries[-1] == "RATE_LIMIT"
        at = NOW + DAY + 60 * 200
        assert await phone.tries(phone.shows(at), at) == ""

    at_home(tmp_path, visit)


def test_it_is_turned_off_by_a_code(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        phone, later = await on(accounts), NOW + 10 * STEP
        assert await refused(accounts.factors.turn_off(phone.user, "123456", later)) == "BAD_LOGIN code"
        assert await phone.tries(None, later) == "SECOND_FACTOR"
        await accounts.factors.turn_off(phone.user, phone.shows(later), later)
        assert await phone.tries(None, later) == ""
        for table in ("factors", "recovery_codes"):
            (left,) = await store.read(lambda db, name=table: db.execute(f"SELECT count(*) FROM {name}").fetchone())  # type: ignore[misc]
            assert left == 0

    at_home(tmp_path, visit)


def test_who_has_lost_everything_is_let_in_by_an_administrator(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        phone = await on(accounts)
        assert await accounts.factors.end(phone.user, by=99, reason="came in person", now=1000 * NOW)
        assert not await accounts.factors.end(phone.user, by=99, reason="again", now=1000 * NOW)
        assert await phone.tries(None, NOW) == ""
        rows = await store.read(lambda db: rows_of(db, "type = 'factor.ended'", ()))
        told = [(row.stream, row.actor, row.data) for row in rows]
        assert told == [("resets", 99, {"user": phone.user, "reason": "came in person"})]

    at_home(tmp_path, visit)


def test_it_outlives_another_password_and_ends_with_the_account(tmp_path: Path) -> None:
    async def visit(accounts: Accounts, store: Sqlite) -> None:
        phone = await on(accounts)
        secret, _ = await accounts.resets.make(phone.user, by=99, reason="x", now=1000 * NOW)
        await accounts.resets.use(secret, "another long one", 1000 * NOW)
        assert await phone.tries(None, NOW, password="another long one") == "SECOND_FACTOR"
        told = await accounts.told(phone.user, NOW)
        assert told["second_factor_since"] == NOW
        assert phone.totp.secret not in str(told)
        await accounts.delete(phone.user, NOW)
        for table in ("factors", "recovery_codes"):
            (left,) = await store.read(lambda db, name=table: db.execute(f"SELECT count(*) FROM {name}").fetchone())  # type: ignore[misc]
            assert left == 0

    at_home(tmp_path, visit)
