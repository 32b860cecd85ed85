"""The ledger's service: the payments of a game are written with its end, in one transaction (STYLE 5).

What people buy and what is given to them are rows of the log too, in the stream `wallet:<user>`. A method reads the
books, computes, and writes its row together with the payments. If the books have changed meanwhile, nothing is written
and it computes again.
"""

from __future__ import annotations

from asyncio import Lock
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from importlib.resources import files
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct

from qipai.config import Config
from qipai.ledger import books, shop
from qipai.ledger.books import Line
from qipai.ledger.grades import grade
from qipai.ledger.model import Begun, Currency, Ended, Holdings
from qipai.ledger.passes import Pass, monthly
from qipai.ledger.ratings import Rating
from qipai.ledger.shop import Code, Prices, Profile, Wallet
from qipai.store import Conflict, Connection, LogEntry, Store, StoredEntry
from qipai.store.writer import rows_of

__all__ = ["TYPES", "Bought", "Denied", "Ledger", "Moved", "Standing", "day_of", "month_ends", "script"]

T = TypeVar("T")
TRIES: Final = 20


class Denied(Exception):
    """What the ledger refuses: a code of platform section 14 with its facts."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


class Moved(Exception):
    """The books have changed since they were read; nothing was written."""


class Standing(books.Score, frozen=True):
    """What a user has in one game."""

    @property
    def grade(self) -> int:
        """Return the grade (P-37)."""
        return grade(self.score)


class Bought(Struct, frozen=True):
    """What is left after a purchase."""

    wallet: Wallet
    member_until: date | None = None


class Ledger:
    """Scores, grades, credibility, coins, passes, ratings."""

    def __init__(self, store: Store, config: Config | None = None) -> None:
        self._store = store
        self._config = config or Config()
        self._turns: WeakValueDictionary[str, Lock] = WeakValueDictionary()  # of who writes to a stream

    # Reading --------------------------------------------------------------------------------------------------------

    async def standing(self, user: int, game: str) -> tuple[Standing, int]:
        """Return what a user has in a game, and the credibility."""
        found, trust = await self._store.read(lambda db: (books.score(db, user, game), books.trust(db, user)))
        return Standing(*msgspec.structs.astuple(found)), trust

    async def standings(self, user: int) -> dict[str, Standing]:
        """Return what a user has in every game they have played."""
        found = await self._store.read(lambda db: books.scores(db, user))
        return {game: Standing(*msgspec.structs.astuple(each)) for game, each in found.items()}

    async def graded(self, game: str | None, number: int | None = None) -> set[int]:
        """Return who has a grade in a game, None: as their best in any; number: None: any but the lowest (P-37)."""
        return await self._store.read(lambda db: books.graded(db, game, number))

    async def credibility(self, user: int) -> int:
        """Return a user's credibility, 0 to 100."""
        return await self._store.read(lambda db: books.trust(db, user))

    async def holdings(self, user: int, game: str, pool: str | None, seats: int) -> Holdings:
        """Return what a user has before a game. pool: of their rating there."""
        return await self._store.read(lambda db: books.holdings(db, user, game, pool, seats))

    async def wallet(self, user: int) -> Wallet:
        """Return what a user can spend."""
        return await self._store.read(lambda db: books.wallet(db, user))

    async def lost_today(self, user: int, now: int) -> int:
        """Return how many coins a user has lost at tables on this day of the server (P-107)."""
        since = now // 1000 - now // 1000 % 86400
        return await self._store.read(lambda db: books.lost(db, user, since))

    async def passes(self, user: int) -> dict[str, Pass]:
        """Return where a user stands in the pass rooms, by game."""
        return await self._store.read(lambda db: books.passes_of(db, user))

    async def ratings(self, user: int) -> dict[str, Rating]:
        """Return a user's ratings, by pool."""
        return await self._store.read(lambda db: books.ratings_of(db, user))

    async def pools(self, game: str) -> list[str]:
        """Return the pools in which a game's players are rated."""
        return await self._store.read(lambda db: books.pools(db, game))

    async def ranking(
        self,
        by: str,
        game: str,
        pool: str,
        *,
        since: int,
        after: int,
        most: int,
        bots: Sequence[int] = (),
        of_bots: bool = False,
        only: Sequence[int] | None = None,
    ) -> list[tuple[int, int, int, Any]]:
        """Return places, users, what they are ranked by (rating, score, pass), and more of it (P-39).

        bots: who are ranked apart from people (P-93), alone with of_bots. only: of these alone, None: of all (P-40).
        """
        of = pool if by == "rating" else game
        return await self._store.read(
            lambda db: books.ranking(db, by, of, since, after, most, bots, of_bots=of_bots, only=only)
        )

    async def member_until(self, user: int) -> date | None:
        """Return until when a user is a member, None when they never was."""
        found = await self._store.read(lambda db: books.member(db, user))
        return None if found is None else found[1]

    async def level(self, user: int, now: int) -> str:
        """Return a user's level of membership: pawn, knight or rook (P-7); now: ms."""
        found = await self._store.read(lambda db: books.member(db, user))
        return "pawn" if found is None or found[1] < day_of(now) else found[0]

    async def statement(
        self, user: int, *, reason: str | None, game: str | None = None, before: int | None, most: int
    ) -> list[Line]:
        """Return lines of a user's statement, newest first; most: -1 for all."""
        return await self._store.read(
            lambda db: books.statement(db, user, reason=reason, game=game, before=before, most=most)
        )

    async def games_of(self, user: int) -> list[str]:
        """Return the games that a user's statement has lines of."""
        return await self._store.read(lambda db: books.games_of(db, user))

    async def whole_statement(self, user: int) -> list[Line]:
        """Return a user's statement from its first line to its last."""
        return await self._store.read(lambda db: books.statement(db, user, most=2**62)[::-1])

    # Writing --------------------------------------------------------------------------------------------------------

    def write(
        self,
        db: Connection,
        id: str,
        begun: Begun,
        ended: Ended,
        had: Sequence[Any] | None,
        at: int,
    ) -> None:
        """Write what a game has paid, within the transaction of its end.

        had: the values that were used. Raises Moved when the books say otherwise.
        """
        if had is not None and not books.agrees(db, ended.pool or None, begun.game, begun.users, had):
            raise Moved
        books.apply_game(db, id, begun, ended, at)

    def fine(self, db: Connection, data: Mapping[str, Any], had: Sequence[Any], at: int) -> None:
        """Write a fine, within the transaction of its event (P-58); raises Moved when the books say otherwise."""
        if not books.agrees(db, None, data["game"], [data["user"]], had):
            raise Moved
        books.APPLY["table.fined"](db, data, at)

    async def welcome(self, user: int, now: int) -> None:
        """Give a new user the coins to try the hall with, once (P-50)."""
        amount = self._config.coins.trial
        if not amount or not self._config.coins.enabled:
            return

        def reckon(db: Connection) -> Mapping[str, Any] | None:
            given = "SELECT 1 FROM transfers WHERE target = ? AND reason = 'trial'"
            if db.execute(given, (user,)).fetchone():
                return None
            return {"user": user, "currency": "coins", "amount": amount, "reason": "trial", "ref": ""}

        await self._do(f"wallet:{user}", "wallet.granted", reckon, user, now, None)

    async def reward(self, user: int, achievement: str, now: int) -> None:
        """Give somebody the coins for an achievement, once (P-51); now: ms."""
        amount = self._config.coins.achievement
        if not amount or not self._config.coins.enabled:
            return

        def reckon(db: Connection) -> Mapping[str, Any] | None:
            given = "SELECT 1 FROM transfers WHERE target = ? AND reason = 'achievement' AND ref = ?"
            if db.execute(given, (user, achievement)).fetchone():
                return None
            return {"user": user, "currency": "coins", "amount": amount, "reason": "achievement", "ref": achievement}

        await self._do(f"wallet:{user}", "wallet.granted", reckon, None, now, None)

    async def grant(
        self, user: int, currency: Currency, amount: int, note: str, *, by: int | None, now: int, cid: str | None = None
    ) -> Wallet:
        """Create coins or hearts for somebody, as an administrator may (P-51); a negative number takes them away."""

        def reckon(db: Connection) -> Mapping[str, Any]:
            have = books.balance(db, user, currency)
            if amount == 0 or have + amount < 0:
                raise Denied("BAD_QTY")
            return {"user": user, "currency": currency, "amount": amount, "reason": "grant", "ref": note}

        await self._do(f"wallet:{user}", "wallet.granted", reckon, by, now, cid)
        return await self.wallet(user)

    async def buy(
        self, user: int, item: str, qty: Any, game: str | None, *, ref: str, now: int, cid: str | None = None
    ) -> Bought:
        """Buy something in the shop; raises Denied (P-55). game: whose score is set right; ref: what the song is."""
        today = day_of(now)
        coins = self._config.coins.enabled

        def reckon(db: Connection) -> Mapping[str, Any]:
            before = books.member(db, user)
            wallet = books.wallet(db, user)
            profile = Profile(
                books.score(db, user, game or "").score, books.trust(db, user), None if before is None else before[1]
            )
            found = shop.bought(wallet, profile, item if coins else "", qty, today, self.prices)
            if isinstance(found, str):
                raise Denied(found, **self._facts(found, wallet, item, qty))
            after, changed = found
            data: dict[str, Any] = {"user": user, "item": item, "qty": qty, "game": game, "ref": ref}
            data["cost"], data["gain"] = _changes(wallet, after)
            if item == "reset_score":
                data["score"] = changed.score - profile.score
            elif item == "reset_credibility":
                data["credibility"] = changed.credibility - profile.credibility
            elif item == "member_days":
                assert changed.member_until is not None
                data["member_until"] = changed.member_until.isoformat()
            return data

        await self._do(f"wallet:{user}", "wallet.bought", reckon, user, now, cid)
        return Bought(await self.wallet(user), await self.member_until(user))

    async def redeem(self, user: int, name: str, *, now: int, cid: str | None = None) -> Code:
        """Redeem a code; raises Denied (P-57)."""
        today = day_of(now)

        def reckon(db: Connection) -> Mapping[str, Any]:
            found = books.code(db, name)
            known = {} if found is None else {name: found[0]}
            users = frozenset() if found is None else frozenset(map(str, found[1]))
            if wrong := shop.redeemable(known, {name: users}, str(user), name, today):
                raise Denied(wrong)
            code = known[name]
            data = {"user": user, "code": name, "coins": code.coins, "hearts": code.hearts}
            if code.member_days:
                before = books.member(db, user)
                until = shop.member_until(None if before is None else before[1], today, code.member_days)
                data["member_until"] = until.isoformat()
            return data

        await self._do(f"wallet:{user}", "wallet.redeemed", reckon, user, now, cid)
        found = await self._store.read(lambda db: books.code(db, name))
        assert found is not None
        return found[0]

    async def make_code(self, name: str, code: Code, note: str, *, by: int | None, now: int) -> None:
        """Make a redeem code; raises Denied("NAME_TAKEN") when there is one of this name."""

        def reckon(db: Connection) -> Mapping[str, Any]:
            if books.code(db, name) is not None:
                raise Denied("NAME_TAKEN", free=[])
            return {"code": name, **msgspec.to_builtins(code), "note": note, "made_by": by}

        await self._do("codes", "code.made", reckon, by, now, None)

    async def pay_month(self, now: int) -> int:
        """Pay the rewards of the pass rooms for every month that is over, once; return how many were paid (P-46).

        If the hall was not running at the end of a month, it pays when it serves again.
        """
        first = await self._store.read(lambda db: db.execute("SELECT at FROM events ORDER BY id LIMIT 1").fetchone())
        month = day_of(now if first is None else 1000 * first[0]).replace(day=1)
        count = 0
        while (following := (month + timedelta(days=31)).replace(day=1)) <= day_of(now):
            count += await self._pay(month, following, now)
            month = following
        return count

    async def _pay(self, month: date, following: date, now: int) -> int:
        """Pay a month's rewards, once; return how many."""
        name = month.isoformat()[:7]
        since, until = (int(datetime(d.year, d.month, 1, tzinfo=UTC).timestamp()) for d in (month, following))
        each = self._config.passes.month_coins if self._config.coins.enabled else 0
        paid = "SELECT 1 FROM events WHERE stream = ?"
        if await self._store.read(lambda db: db.execute(paid, (f"passes:{name}",)).fetchone()):
            return 0

        def reckon(db: Connection) -> Mapping[str, Any]:
            played = _players(db, since, until)
            rewards = monthly((highest for _user, _game, highest in played), each)
            rows = [(user, game, coins) for (user, game, _), coins in zip(played, rewards, strict=True) if coins]
            return {"month": name, "rows": rows}

        done = await self._do(f"passes:{name}", "pass.month", reckon, None, now, None, seq=1)
        return 0 if done is None else len(done["rows"])

    def pay_contest(self, db: Connection, data: Mapping[str, Any], at: int) -> None:
        """Write what a fact of a contest pays, within its transaction; raises Denied where somebody has too few coins.

        data: of the row `contest.paid`: `ref`, the contest's stream, and `rows` of source, target, coins and reason.
        """
        for row in data["rows"]:
            have = books.balance(db, row["source"])
            if have < row["coins"]:
                raise Denied("INSUFFICIENT_COINS", need=row["coins"], have=have)
            books.APPLY["contest.paid"](db, {**data, "rows": [row]}, at)

    async def depart(self, user: int, *, now: int) -> None:
        """Remove somebody who deletes their account from all rankings; they get no more monthly rewards (P-96)."""
        await self._do(f"user:{user}", "account.deleted", lambda db: {"user": user}, user, now, None, seq=1)

    async def reverse(self, data: Mapping[str, Any], *, by: int | None, now: int) -> None:
        """Give back what a game took from somebody; an administrator's act (P-33)."""
        await self._do("moderation", "moderation.reversed", lambda db: data, by, now, None)

    async def _do(
        self,
        stream: str,
        type: str,
        reckon: Callable[[Connection], Mapping[str, Any] | None],
        actor: int | None,
        now: int,
        cid: str | None,
        *,
        seq: int | None = None,
    ) -> Mapping[str, Any] | None:
        """Write a row and its payments; return its data, None if there is nothing to write or it was written before."""
        # One after the other in each stream: of fifty at once, all but one would compute in vain, again and again.
        # Payments of games can still come in between, hence the tries.
        async with self._turns.setdefault(stream, Lock()):
            for _ in range(TRIES):
                data = await self._store.read(reckon)
                if data is None:
                    return None

                def projections(db: Connection, data: Mapping[str, Any] = data) -> None:
                    if reckon(db) != data:
                        raise Moved
                    books.APPLY[type](db, msgspec.json.decode(msgspec.json.encode(data)), now // 1000)

                try:
                    await self._store.append([LogEntry(stream, seq, type, data, None, actor, cid)], now, projections)
                except Moved:
                    continue
                except Conflict:  # this cid was carried out before, or this month was paid
                    return None
                return data
        raise Denied("BUSY")

    @property
    def prices(self) -> Prices:
        """Return the shop's prices."""
        sold = msgspec.to_builtins(self._config.shop)
        return Prices(**{name: sold[name] for name in Prices.__struct_fields__})

    def _facts(self, code: str, wallet: Wallet, item: str, qty: Any) -> dict[str, Any]:
        if code == "INSUFFICIENT_COINS":
            return {"need": qty * getattr(self.prices, item), "have": wallet.coins}
        if code == "INSUFFICIENT_HEARTS":
            return {"need": qty, "have": wallet.hearts}
        return {"field": "item"} if code == "BAD_OPTION" else {}

    # Folding --------------------------------------------------------------------------------------------------------

    def rebuild(self, db: Connection, rows: Iterable[StoredEntry]) -> None:
        """Delete the books and write them anew from the log. rows: of the types in `TYPES`, by id."""
        books.clear(db)
        created: dict[str, Begun] = {}
        for row in rows:
            if row.type == "game.created":
                created[row.stream] = msgspec.convert(row.data, Begun)
            elif row.type == "game.ended":
                begun, ended = created.pop(row.stream), msgspec.convert(row.data, Ended)
                books.apply_game(db, row.stream.partition(":")[2], begun, ended, row.at)
            else:
                books.APPLY[row.type](db, row.data, row.at)


TYPES: Final = ("game.created", "game.ended", *books.APPLY)


def day_of(now: int) -> date:
    """Return the day of a time in ms, in the server's zone."""
    return datetime.fromtimestamp(now / 1000, UTC).date()


def month_ends(now: int) -> int:
    """Return when the month of a time is over, and the rewards of the pass rooms are due (P-46); ms."""
    following = (day_of(now).replace(day=1) + timedelta(days=31)).replace(day=1)
    return int(datetime(following.year, following.month, 1, tzinfo=UTC).timestamp()) * 1000


def _players(db: Connection, since: int, until: int) -> list[tuple[int, str, int]]:
    """Return who has finished a pass game in a time, in which game, and the highest pass they had reached in it."""
    found: dict[tuple[int, str], int] = {}
    begun: dict[str, Begun] = {}
    for row in rows_of(db, "type IN ('game.created', 'game.ended') AND at < ?", (until,)):
        if row.type == "game.created":
            begun[row.stream] = msgspec.convert(row.data, Begun)
            continue
        game = begun.pop(row.stream)
        if row.at < since:
            continue
        for user, paid in zip(game.users, msgspec.convert(row.data, Ended).paid, strict=True):
            if user is not None and paid.pass_ is not None:
                found[user, game.game] = paid.pass_["highest"]
    gone = {user for (user,) in db.execute("SELECT user FROM departed")}
    return [(user, game, highest) for (user, game), highest in sorted(found.items()) if user not in gone]


def _changes(before: Wallet, after: Wallet) -> tuple[dict[str, int], dict[str, int]]:
    """Return what a purchase costs and what it brings, by currency."""
    cost, gain = {}, {}
    for currency in ("coins", "hearts"):
        change = getattr(after, currency) - getattr(before, currency)
        if change < 0:
            cost[currency] = -change
        elif change > 0:
            gain[currency] = change
    return cost, gain


def script() -> tuple[str, str]:
    """Return the name and the SQL of the ledger's tables."""
    return "ledger", files("qipai.ledger").joinpath("tables.sql").read_text("utf-8")
