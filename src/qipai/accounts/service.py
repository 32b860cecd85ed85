"""The accounts service: guests, registration, sign-in, tokens, settings (platform P-1 – P-3, P-5)."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib.resources import files
from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET, structs

from qipai.accounts import books
from qipai.accounts.factors import Factors
from qipai.accounts.hashing import Hashing
from qipai.accounts.model import (
    DELETED,
    SCOPES,
    Login,
    Refused,
    Role,
    SelfDescription,
    Settings,
    Token,
    User,
    Window,
    check_country,
    check_name,
    check_password,
    check_picture,
    folded,
    normal,
)
from qipai.accounts.passkeys import Passkeys, Site
from qipai.accounts.resets import Resets
from qipai.accounts.secret import key_of, new_secret
from qipai.accounts.text import plain
from qipai.config import Config
from qipai.lang import DEFAULT, languages
from qipai.store import Connection, Store, Unwritten

__all__ = ["Accounts", "script"]

T = TypeVar("T")

DAY: Final = 86400
FOREVER: Final = 2**53
RENAMES: Final = 10  # of a guest in an hour
KEPT: Final = 50_000  # users kept in memory besides those who are here, 0.3 KB each
N_LOG2, R, P = 15, 8, 3  # scrypt: 32 MiB and about a fifth of a second


class Accounts:
    """The verbs of accounts. `now` is in seconds; an address of None is this machine itself and not limited."""

    def __init__(self, store: Store, config: Config) -> None:
        self._store, self._config = store, config
        self._users: dict[int, User] = {}
        self._unlisted: set[int] = set()
        self._here: dict[int, int] = {}  # who has a line, and since when that is not written yet
        self._spent: dict[int, int] = {}  # seconds with a line, not written yet
        logins = config.accounts
        self._hashing = Hashing(logins.login_queue, logins.login_queue_address)
        self._queues: dict[str, asyncio.Lock] = {}
        limits = config.limits
        self._guests = Window(limits.guests_per_hour, 3600)
        self._renamed = Window(RENAMES, 3600)
        self._registered = Window(limits.accounts_per_day, DAY)
        self._failed = Window(logins.login_failures, logins.login_window_s)  # by name and address
        self._failed_name = Window(logins.login_failures_name, logins.login_window_s)
        self._failed_address = Window(logins.login_failures_address, logins.login_window_s)
        self.resets = Resets(store, config, self._prepared)
        self.factors = Factors(store, config)
        self.passkeys = Passkeys(store)

    async def open(self) -> None:
        """Read who hides that they are online; this is kept in memory, because every new connection asks for it."""
        self._unlisted = await self._store.read(books.unlisted)

    def shut(self) -> None:
        """End the threads."""
        self._hashing.shut()

    # Looking people up.

    def peek(self, id: int) -> User | None:
        """Return a user; nearly always they are in memory. None when there is none."""
        return self._users.get(id) or self._found(self._store.read_now(lambda db: books.user(db, id)))

    async def find(self, id: int) -> User | None:
        """Return a user, None when there is none."""
        return self._users.get(id) or self._found(await self._store.read(lambda db: books.user(db, id)))

    async def meet(self, ids: Iterable[int]) -> None:
        """Load these users into memory, so that `peek` need not query the database."""
        if new := [id for id in ids if id not in self._users]:
            for row in await self._store.read(lambda db: books.users(db, new)):
                self._found(row)

    def _found(self, row: tuple[int, str, Role, str | None] | None) -> User | None:
        return row and (self._users.get(row[0]) or self._keep(*row))

    def _keep(self, id: int, name: str, role: Role, picture: str | None = None) -> User:
        kind: Any = role if role in ("guest", "bot") else "user"
        if len(self._users) >= KEPT + len(self._here):
            away = [known for known in self._users if known not in self._here]
            for known in away[: len(away) // 2]:  # the older half; the database has them
                del self._users[known]
        user = self._users[id] = User(id=id, name=name, kind=kind, picture=picture or UNSET)
        return user

    async def named(self, name: str) -> User | None:
        """Return the user of a name, None when nobody is registered under it."""
        fold = folded(name)
        known = await self._store.read(lambda db: books.password(db, fold))
        return None if known is None or known[1] is None else await self.find(known[0])

    async def players(
        self, name: str, country: str | None, only: Iterable[int] | None, but: Iterable[int], after: int, most: int
    ) -> list[books.Dates]:
        """Return who is registered, by name: number, since when, last seen.

        name: a part of it; only: of these, None: of all; but: of these none.
        """
        fold, ids, others = folded(name), None if only is None else list(only), list(but)
        return await self._store.read(lambda db: books.players(db, fold, country, ids, others, after, most))

    async def dates(self, id: int) -> tuple[int | None, int] | None:
        """Return since when a user is registered, and when they were last seen."""
        return await self._store.read(lambda db: books.dates(db, id))

    async def told(self, id: int, now: int) -> dict[str, Any]:
        """Return all that a user has told of themselves, and their logins, without their secrets (P-96)."""
        return await self._store.read(lambda db: books.told(db, id, now))

    async def in_force(self, key: bytes, now: int) -> bool:
        """Tell whether a login has not ended; now: seconds."""
        sql = "SELECT 1 FROM logins WHERE key = ? AND ends_at > ?"
        return await self._store.read(lambda db: db.execute(sql, (key, now)).fetchone()) is not None

    async def self_description(self, id: int) -> SelfDescription:
        """Return what a user tells of themselves (P-4)."""
        return await self._store.read(lambda db: books.self_description(db, id))

    async def tell(
        self, id: int, about: str | None, country: str | None, picture: str | None = None
    ) -> SelfDescription:
        """Change what a user tells of themselves and return it; None stays as it is, "" is nothing."""
        before = await self.self_description(id)
        told = SelfDescription(
            before.about if about is None else plain(about),
            before.country if country is None else check_country(country),
            before.online_s,
            before.picture if picture is None else check_picture(picture),
        )
        await self._store.transaction(lambda db: books.set_self_description(db, id, told))
        if (known := self._users.get(id)) is not None:
            self._users[id] = structs.replace(known, picture=told.picture or UNSET)
        return told

    def came(self, id: int, now: int) -> None:
        """Count the time of somebody who has a line from now on (P-4)."""
        self._here.setdefault(id, now)

    def went(self, id: int, now: int) -> None:
        """Stop counting it."""
        if (since := self._here.pop(id, None)) is not None:
            self._spend(id, now - since)

    async def keep_hours(self, now: int) -> None:
        """Write down for how long people have had lines since it was last done."""
        for id, since in self._here.items():
            self._spend(id, now - since)
            self._here[id] = now
        if spent := {id: seconds for id, seconds in self._spent.items() if seconds > 0}:
            self._spent = {}
            try:
                await self._store.transaction(lambda db: books.add_online(db, spent))
            except Unwritten:  # it is written next time
                for id, seconds in spent.items():
                    self._spend(id, seconds)
                raise

    def _spend(self, id: int, seconds: int) -> None:
        self._spent[id] = self._spent.get(id, 0) + max(0, seconds)

    async def count(self) -> int:
        """Return how many are registered."""
        return await self._store.read(books.count)

    async def role(self, id: int) -> Role | None:
        """Return a user's role."""
        row = await self._store.read(lambda db: books.user(db, id))
        return None if row is None else row[2]

    async def officials(self) -> dict[int, Role]:
        """Return who is a moderator or an administrator."""
        return await self._store.read(books.officials)

    async def set_role(self, name: str, role: Role) -> bool:
        """Give a registered user a role; tell whether there is one of this name."""
        fold = folded(name)
        return await self._store.transaction(lambda db: books.set_role(db, fold, role))

    async def bots(self) -> list[int]:
        """Return the accounts that programs play as (P-93)."""
        return await self._store.read(books.bots)

    async def become_bot(self, id: int) -> None:
        """Turn a user into a bot, for ever (P-93)."""
        await self._store.transaction(lambda db: books.become_bot(db, id))
        self._users.pop(id, None)

    # Coming in.

    async def guest(self, address: str | None, now: int, lang: str = DEFAULT) -> tuple[User, str]:
        """Make a guest 游客-NNNN, in English Guest-NNNN, and return it with the secret of its cookie (P-3)."""
        self._limit(self._guests, address, now)
        secret = new_secret()

        def work(db: Connection) -> tuple[int, str]:
            for attempt in range(100):
                digits = 4 + attempt // 4  # where four digits are crowded, more
                name = f"{languages()[lang].guest}-{secrets.randbelow(10**digits):0{digits}}"
                if id := books.add_user(db, name=name, folded=folded(name), role="guest", now=now):
                    self._note(db, secret, id, now)
                    return id, name
            raise AssertionError("no guest's name is free")

        id, name = await self._store.transaction(work)
        return self._keep(id, name, "guest"), secret

    async def rename(self, user: User, name: str, now: int) -> User:
        """Give a guest the name they have chosen, which is checked as one that is registered (P-3); raises Refused."""
        if user.kind != "guest":
            raise Refused("NOT_ALLOWED", case="name")
        name = check_name(name)
        self._limit(self._renamed, str(user.id), now)
        fold = folded(name)

        def work(db: Connection) -> list[str] | None:
            others = books.taken(db, [fold], now) if fold != folded(user.name) else set()
            done = not others and books.rename(db, user.id, name=name, folded=fold)
            return None if done else _free(db, name, now)

        free = await self._store.transaction(work)
        if free is not None:
            raise Refused("NAME_TAKEN", free=free)
        return self._keep(user.id, name, "guest")

    async def register(
        self,
        name: str,
        password: str,
        *,
        guest: int | None,
        address: str | None,
        now: int,
        email: str | None = None,
        settings: Settings | None = None,
    ) -> tuple[User, str]:
        """Register and return the user with the secret of the cookie; a guest keeps its id and so its games (P-1)."""
        name = check_name(name)
        await self._look_at(password, name, email or "")
        await self._pause(address)
        if address is not None and (wait := self._registered.wait(address, now)):
            raise Refused("RATE_LIMIT", wait_ms=round(wait * 1000))
        hash = await self._aside(hashed, password, address=address)
        fold, secret = folded(name), new_secret()

        def work(db: Connection) -> int | list[str]:
            if books.taken(db, [fold], now):
                return _free(db, name, now)
            id = guest
            if guest is None or not books.promote(
                db, guest, name=name, folded=fold, password=hash, email=email, now=now
            ):
                id = books.add_user(db, name=name, folded=fold, role="user", password=hash, email=email, now=now)
            if id is None:
                return _free(db, name, now)
            if settings is not None:
                _change(db, id, settings)  # a guest's own stay
            self._note(db, secret, id, now)
            return id

        done = await self._store.transaction(work)
        if isinstance(done, list):
            raise Refused("NAME_TAKEN", free=done)
        if address is not None:
            self._registered.add(address, now)
        return self._keep(done, name, "user"), secret

    async def login(
        self,
        name: str,
        password: str,
        address: str | None,
        now: int,
        device: str | None = None,
        code: str | None = None,
    ) -> tuple[User, str]:
        """Sign in and return the user with the secret of the cookie; a wrong name and a wrong password are alike.

        Where a second factor is on and no code is given, Refused("SECOND_FACTOR") is raised: the password is right.

        device: what `device` has given before to where this comes from. What strangers guess does not shut out who
        comes from there: neither their failures with this name count for them, nor those from their address.
        """
        fold = folded(name)
        known = await self._store.read(lambda db: books.password(db, fold))
        id, stored = known or (0, None)
        trusted = stored is not None and _is_known(device, id, stored)
        counts: list[tuple[Window, Any]] = [(self._failed, (fold, device if trusted else address))]
        if not trusted:
            counts.append((self._failed_name, fold))
            if address is not None:
                counts.append((self._failed_address, address))
        for window, key in counts:
            if wait := window.wait(key, now):
                raise Refused("RATE_LIMIT", wait_ms=round(wait * 1000))
        for window, key in counts:
            window.add(key, now)  # counted before the check: else attempts at the same time would have no limit
        try:
            # An unknown name costs the same time as a wrong password.
            right = await self._aside(matches, password, stored or NOBODY, address=address, first=trusted)
        except Refused:
            for window, key in counts:
                window.back(key)
            raise
        if not right or not stored:
            raise Refused("BAD_LOGIN")
        self._failed.forget(counts[0][1])
        for window, key in counts[1:]:
            window.back(key)  # failures of others still count
        if await self.factors.of(id) is not None:
            if not code:
                raise Refused("SECOND_FACTOR")
            await self.factors.check(id, code, now, device if trusted else None)
        return await self._in(id, now)

    async def login_by_passkey(self, answer: Mapping[str, Any], site: Site, now: int) -> tuple[User, str]:
        """Sign in with a passkey alone, which its owner has unlocked; raises Refused: NOT_FOUND, BAD_LOGIN."""
        return await self._in(await self.passkeys.check(answer, site, now), now)

    async def _in(self, id: int, now: int) -> tuple[User, str]:
        secret = new_secret()
        await self._store.transaction(lambda db: self._note(db, secret, id, now))
        user = await self.find(id)
        assert user is not None
        return user, secret

    async def device(self, user: int) -> str | None:
        """Return the proof that a user has signed in from a device; it is invalid once the password changes."""
        stored = await self._store.read(lambda db: books.hashed(db, user))
        return None if stored is None else _device(secrets.token_urlsafe(12), user, stored)

    async def logout(self, login: Login, *, everywhere: bool) -> list[bytes]:
        """End this login, or all of the user's, and return the keys of those that ended."""
        key = None if everywhere else login.key
        return await self._store.transaction(lambda db: books.end_logins(db, login.user, key))

    async def end_logins(self, user: int) -> None:
        """End all logins of somebody, also those of their programs."""
        await self._store.transaction(lambda db: books.end_logins(db, user, None))

    async def confirm(self, user: int, password: str, now: int) -> None:
        """Raise Refused("BAD_LOGIN") unless this is the user's password; guesses are slowed down as at sign-in."""
        key = (user, "confirm")
        if wait := self._failed.wait(key, now):
            raise Refused("RATE_LIMIT", wait_ms=round(wait * 1000))
        stored = await self._store.read(lambda db: books.hashed(db, user))
        self._failed.add(key, now)
        if not await self._aside(matches, password, stored or NOBODY, first=True) or not stored:
            raise Refused("BAD_LOGIN", case="confirm")
        self._failed.forget(key)

    async def set_password(
        self, user: int, password: str, *, keep: bytes | None = None, keep_tokens: bool = False
    ) -> list[bytes]:
        """Give a user another password, end their logins but the one to `keep` and return the keys of those that ended.

        keep_tokens: those of programs stay.
        """
        hash = await self._prepared(password, user)
        return await self._store.transaction(
            lambda db: books.set_password(db, user, hash, keep, keep_tokens=keep_tokens)
        )

    async def email(self, user: int) -> str | None:
        """Return a user's e-mail address."""
        return await self._store.read(lambda db: books.email(db, user))

    async def set_email(self, user: int, email: str | None) -> None:
        """Change a user's e-mail address."""
        await self._store.transaction(lambda db: books.set_email(db, user, email))

    async def reachable(self, who: str) -> list[tuple[int, str, str]]:
        """Return number, name and e-mail address of who has this name or this address, and has given one."""
        fold = folded(who)
        return await self._store.read(lambda db: books.reachable(db, fold, who))

    async def administrators(self) -> int:
        """Return how many administrators there are."""
        return await self._store.read(books.administrators)

    async def depart(self, user: int, now: int) -> None:
        """Note that the deletion of an account begins: a kill in its midst is made good at the next start."""
        await self._store.transaction(lambda db: books.depart(db, user, now))

    async def departing(self) -> list[int]:
        """Return whose deletion has begun and is not finished."""
        return await self._store.read(books.departing)

    async def delete(self, user: int, now: int) -> bool:
        """Delete an account: its name, password, settings and logins (P-96); tell whether it was there."""
        until = now + self._config.accounts.name_days * DAY
        done = await self._store.transaction(lambda db: books.delete(db, user, now, until))
        self._keep(user, DELETED, "user")
        self._unlisted.discard(user)
        return done

    async def who(self, secret: str, now: int) -> Login | None:
        """Return the login a cookie or token stands for, None when it is unknown or has ended."""
        key = key_of(secret)
        return await self._store.read(lambda db: books.login(db, key, now))

    def proven(self, login: Login) -> bool:
        """Tell whether a login is enough for moderation: `hall.toml` may ask for a second factor."""
        return login.factor or not self._config.accounts.moderators_second_factor

    async def prolong(self, login: Login, now: int) -> bool:
        """Let a cookie's login last its full time again, at most once a day; tell whether it was done."""
        ends_at = now + self._config.accounts.login_days * DAY
        if not login.cookie or ends_at - login.ends_at < DAY:
            return False
        await self._store.transaction(lambda db: books.prolong(db, login.key, now, ends_at))
        return True

    # Programs' tokens.

    async def tokens(self, user: int, now: int) -> list[Token]:
        """Return a user's tokens."""
        return await self._store.read(lambda db: books.tokens(db, user, now))

    async def add_token(self, user: int, name: str, scopes: Iterable[str], now: int) -> tuple[int, str]:
        """Make a token and return its number and its secret; raises Refused("LIMIT_REACHED") where there are many."""
        wanted, most = frozenset(scopes), self._config.limits.tokens
        assert wanted <= SCOPES
        secret = new_secret()

        def work(db: Connection) -> int:
            if len(books.tokens(db, user, now)) >= most:
                raise Refused("LIMIT_REACHED", case="tokens", most=most)
            return books.add_login(
                db, key_of(secret), user, cookie=False, now=now, ends_at=FOREVER, name=name, scopes=wanted
            )

        return await self._store.transaction(work), secret

    async def end_token(self, user: int, token: int) -> bytes | None:
        """End a token and return its key, None when the user has no such token."""
        return await self._store.transaction(lambda db: books.end_token(db, user, token))

    # Settings.

    async def settings(self, user: int) -> Settings:
        """Return a user's settings."""
        text = await self._store.read(lambda db: books.settings(db, user))
        return _settings(msgspec.json.decode(text))

    async def settings_of(self, users: Iterable[int]) -> dict[int, Settings]:
        """Return the settings of several users."""
        ids = list(users)
        found = await self._store.read(lambda db: books.settings_of(db, ids))
        return {id: _settings(msgspec.json.decode(text)) for id, text in found.items()}

    async def change_settings(self, user: int, changes: Settings) -> Settings:
        """Write what has changed of a user's settings and return all of them."""
        settings = await self._store.transaction(lambda db: _change(db, user, changes))
        (self._unlisted.add if settings.hide_online is True else self._unlisted.discard)(user)
        return settings

    def unlisted(self, user: int) -> bool:
        """Tell whether somebody hides that they are online (P-5)."""
        return user in self._unlisted

    # Inside.

    def _note(self, db: Connection, secret: str, id: int, now: int) -> None:
        ends_at = now + self._config.accounts.login_days * DAY
        books.add_login(db, key_of(secret), id, cookie=True, now=now, ends_at=ends_at)

    def _limit(self, window: Window, address: str | None, now: int) -> None:
        if address is None:
            return
        if wait := window.wait(address, now):
            raise Refused("RATE_LIMIT", wait_ms=round(wait * 1000))
        window.add(address, now)

    async def _pause(self, address: str | None) -> None:
        """Delay an attempt to register; attempts from one address wait for each other."""
        seconds = self._config.accounts.register_pause_s
        if address is None or not seconds:
            return
        lock = self._queues.setdefault(address, asyncio.Lock())
        async with lock:
            await asyncio.sleep(seconds)
        if not lock.locked():
            self._queues.pop(address, None)

    async def _prepared(self, password: str, user: int) -> str:
        """Return another password of a user as it is stored; raises Refused where it is too easy to guess."""
        found = await self.find(user)
        await self._look_at(password, "" if found is None else found.name)
        return await self._aside(hashed, password, first=True)

    @staticmethod
    async def _look_at(password: str, *own: str) -> None:
        """Raise Refused where a password is too easy to guess."""
        await asyncio.get_running_loop().run_in_executor(None, partial(check_password, password, *own))

    async def _aside(self, work: Callable[..., T], *args: Any, address: str | None = None, first: bool = False) -> T:
        return await self._hashing.run(partial(work, *args), address, first=first)


def script() -> tuple[str, str]:
    """Return the name and the SQL of the accounts' tables, for the store."""
    return "accounts", files("qipai.accounts").joinpath("tables.sql").read_text(encoding="utf-8")


def hashed(password: str, salt: bytes | None = None) -> str:
    """Return a password as it is stored: method, cost, salt, hash."""
    salt = secrets.token_bytes(16) if salt is None else salt
    hash = _scrypt(password, salt, N_LOG2, R, P)
    return f"scrypt${N_LOG2}${R}${P}${salt.hex()}${hash.hex()}"


def matches(password: str, stored: str) -> bool:
    """Tell whether a password is the one that was stored."""
    _method, n, r, p, salt, hash = stored.split("$")
    found = _scrypt(password, bytes.fromhex(salt), int(n), int(r), int(p))
    return hmac.compare_digest(found, bytes.fromhex(hash))


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    text = normal(password)  # the same from every keyboard
    return hashlib.scrypt(text.encode(), salt=salt, n=2**n, r=r, p=p, maxmem=2**27, dklen=32)


NOBODY: Final = f"scrypt${N_LOG2}${R}${P}${'00' * 16}${'00' * 32}"  # no password has this hash


def _device(nonce: str, user: int, stored: str) -> str:
    """Return the proof of a known device; it cannot be made without knowing how the password is stored."""
    sign = hmac.new(stored.encode(), f"device|{user}|{nonce}".encode(), hashlib.sha256).hexdigest()
    return f"{nonce}.{sign}"


def _is_known(device: str | None, user: int, stored: str) -> bool:
    nonce = (device or "").partition(".")[0]
    return device is not None and hmac.compare_digest(_device(nonce, user, stored).encode(), device.encode())


def _change(db: Connection, user: int, changes: Settings) -> Settings:
    both = {**msgspec.json.decode(books.settings(db, user)), **msgspec.to_builtins(changes)}
    books.set_settings(db, user, msgspec.json.encode(both).decode())
    return _settings(both)


def _settings(kept: dict[str, Any]) -> Settings:
    """Return settings as stored, but without a language that the hall no longer has."""
    if kept.get("lang") not in languages():
        kept = {name: value for name, value in kept.items() if name != "lang" or value is None}
    return msgspec.convert(kept, Settings)


def _free(db: Connection, name: str, now: int) -> list[str]:
    """Return up to three free names like this one."""
    ideas = [idea for n in (2, 3, 7, 8, 88, 99) if len(idea := f"{name}{n}") <= 20]
    ideas = [idea for idea in ideas if _fits(idea)]
    taken = books.taken(db, map(folded, ideas), now) if ideas else set()
    return [idea for idea in ideas if folded(idea) not in taken][:3]


def _fits(name: str) -> bool:
    try:
        return bool(check_name(name))
    except Refused:
        return False
