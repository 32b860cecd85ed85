"""Second factors: codes that change every half minute (TOTP, RFC 6238), and recovery codes (0042)."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, Final, TypeVar

import pyotp
from msgspec import Struct

from qipai.accounts.model import Refused, Window
from qipai.accounts.secret import key_of, spelled
from qipai.config import Config
from qipai.store import Connection, LogEntry, Store

__all__ = ["Factor", "Factors", "forget"]

T = TypeVar("T")

STREAM: Final = "resets"
ISSUER: Final = "qipai"
STEP: Final = 30  # seconds a code is shown
NEAR: Final = (0, -1, 1)  # a phone's clock may be half a minute off
CODES: Final = 10
GROUPS: Final = 4  # of four letters: 80 bits, for which a plain hash will do
DIGITS: Final = 6
DAY: Final = 86400


class Factor(Struct, frozen=True):
    """A second factor that is on. since: seconds; codes: recovery codes that are left."""

    since: int
    codes: int


class Factors:
    """The verbs of second factors. `now` is in seconds."""

    def __init__(self, store: Store, config: Config) -> None:
        accounts = config.accounts
        self._store = store
        self._failed = Window(accounts.factor_failures, accounts.login_window_s)
        self._failed_day = Window(accounts.factor_failures_day, DAY)

    async def of(self, user: int) -> Factor | None:
        """Return a user's second factor, None where none is on."""
        return await self._store.read(lambda db: _factor(db, user))

    async def begin(self, user: int, name: str) -> tuple[str, str]:
        """Make a secret that is not in force yet; return it, and the link that a phone's program reads.

        Raises Refused("NOT_ALLOWED") where one is on.
        """
        secret = pyotp.random_base32()

        def work(db: Connection) -> None:
            if _factor(db, user) is not None:
                raise Refused("NOT_ALLOWED", case="factor")
            sql = "INSERT INTO factors (user, secret) VALUES (?, ?) ON CONFLICT (user)"
            db.execute(f"{sql} DO UPDATE SET secret = excluded.secret, on_at = NULL, used = 0", (user, secret))

        await self._store.transaction(work)
        return secret, pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=ISSUER)

    async def turn_on(self, user: int, code: str, keep: bytes, now: int) -> tuple[tuple[str, ...], list[bytes]]:
        """Put the secret in force that was made last, which a first code confirms; end the user's other cookies.

        Return the recovery codes, and the keys of the cookies. Raises Refused: BAD_LOGIN, NOT_ALLOWED, RATE_LIMIT.
        """
        codes = _codes()

        def work(db: Connection) -> list[bytes]:
            if _factor(db, user) is not None:
                raise Refused("NOT_ALLOWED", case="factor")
            if not _take(db, user, code, now):
                raise Refused("BAD_LOGIN", case="code")
            db.execute("UPDATE factors SET on_at = ? WHERE user = ?", (now, user))
            _write(db, user, codes)
            # Who had signed in before has shown no code.
            sql = "DELETE FROM logins WHERE user = ? AND cookie = 1 AND key IS NOT ? RETURNING key"
            return [bytes(key) for (key,) in db.execute(sql, (user, keep)).fetchall()]

        return codes, await self._tried((user, None), now, work)

    async def check(self, user: int, code: str, now: int, key: Any = None) -> None:
        """Take a code: one that changes, or a recovery code, each once. Raises Refused: BAD_LOGIN, RATE_LIMIT.

        key: by what wrong ones are counted, where not by the user alone.
        """

        def work(db: Connection) -> None:
            if not (_take(db, user, code, now) or _spend(db, user, code)):
                raise Refused("BAD_LOGIN", case="code")

        await self._tried((user, key), now, work)

    async def renew(self, user: int, code: str, now: int) -> tuple[str, ...]:
        """Make new recovery codes in place of those before; return them. Raises Refused as `check`."""
        codes = _codes()

        def work(db: Connection) -> None:
            if _factor(db, user) is None or not (_take(db, user, code, now) or _spend(db, user, code)):
                raise Refused("BAD_LOGIN", case="code")
            _write(db, user, codes)

        await self._tried((user, None), now, work)
        return codes

    async def turn_off(self, user: int, code: str, now: int) -> None:
        """Turn the second factor off. Raises Refused as `check`."""

        def work(db: Connection) -> None:
            if _factor(db, user) is None or not (_take(db, user, code, now) or _spend(db, user, code)):
                raise Refused("BAD_LOGIN", case="code")
            forget(db, user)

        await self._tried((user, None), now, work)

    async def end(self, user: int, *, by: int | None, reason: str, now: int) -> bool:
        """Turn off the second factor of somebody who has lost it; tell whether there was one. now: ms."""
        if await self.of(user) is None:
            return False
        data = {"user": user, "reason": reason}
        await self._store.append(
            [LogEntry(STREAM, None, "factor.ended", data, None, by)], now, lambda db: forget(db, user)
        )
        return True

    async def _tried(self, key: Any, now: int, work: Callable[[Connection], T]) -> T:
        """Do something that needs a right code; wrong codes are counted, and too many are refused."""
        for window in (self._failed, self._failed_day):
            if wait := window.wait(key, now):
                raise Refused("RATE_LIMIT", wait_ms=round(wait * 1000))
        for window in (self._failed, self._failed_day):
            window.add(key, now)  # counted before the check: else attempts at the same time would have no limit
        found = await self._store.transaction(work)
        self._failed.forget(key)
        self._failed_day.back(key)
        return found


def forget(db: Connection, user: int) -> None:
    """Delete a user's second factor."""
    db.execute("DELETE FROM factors WHERE user = ?", (user,))
    db.execute("DELETE FROM recovery_codes WHERE user = ?", (user,))


def _factor(db: Connection, user: int) -> Factor | None:
    row = db.execute("SELECT on_at FROM factors WHERE user = ? AND on_at IS NOT NULL", (user,)).fetchone()
    if row is None:
        return None
    left = db.execute("SELECT count(*) FROM recovery_codes WHERE user = ?", (user,)).fetchone()
    return Factor(row[0], left[0])


def _take(db: Connection, user: int, code: str, now: int) -> bool:
    """Tell whether the phone shows this code about now, and use it up: neither it nor an older one works again."""
    digits = "".join(code.split())
    row = db.execute("SELECT secret, used FROM factors WHERE user = ?", (user,)).fetchone()
    if row is None or len(digits) != DIGITS or not digits.isascii():
        return False
    secret, used = row
    totp = pyotp.TOTP(secret, interval=STEP)
    for step in (now // STEP + near for near in NEAR):
        if step > used and secrets.compare_digest(totp.at(step * STEP), digits):
            db.execute("UPDATE factors SET used = ? WHERE user = ?", (step, user))
            return True
    return False


def _codes() -> tuple[str, ...]:
    return tuple(spelled(GROUPS) for _ in range(CODES))


def _hash(user: int, code: str) -> bytes:
    return key_of(f"recovery|{user}|{''.join(filter(str.isalnum, code)).upper()}")


def _write(db: Connection, user: int, codes: tuple[str, ...]) -> None:
    db.execute("DELETE FROM recovery_codes WHERE user = ?", (user,))
    rows = [(_hash(user, code), user) for code in codes]
    db.executemany("INSERT INTO recovery_codes (key, user) VALUES (?, ?)", rows)


def _spend(db: Connection, user: int, code: str) -> bool:
    """Tell whether this is an unused recovery code, and use it up."""
    return db.execute("DELETE FROM recovery_codes WHERE key = ?", (_hash(user, code),)).rowcount == 1
