"""SQL of the ledger's tables. Every write is the fold of a row of the log: `APPLY` has one by type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from qipai.ledger import ratings
from qipai.ledger.grades import GRADES, grade
from qipai.ledger.model import GRANTS, HOUSE, TRUST, Begun, Currency, Ended, Holdings, Transfer
from qipai.ledger.passes import Pass
from qipai.ledger.ratings import Fibs, Rating
from qipai.ledger.shop import Code, Wallet
from qipai.store import Connection

__all__ = ["APPLY", "Line", "Score", "agrees", "apply_game", "clear", "holdings", "total", "wallet"]

Json = Any
TABLES: Final = (
    "scores",
    "credibility",
    "transfers",
    "balances",
    "passes",
    "ratings",
    "codes",
    "code_uses",
    "members",
    "departed",
)


PRESENT: Final = "user NOT IN (SELECT user FROM departed)"
# People and bots are ranked apart (P-93).
APART: Final = (
    f"{PRESENT} AND CASE WHEN user IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) THEN 1 ELSE 0 END = ?"
)


class Score(Struct, frozen=True):
    """What a user has in one game: total score, and how the games ended."""

    score: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0


class Line(Struct, frozen=True):
    """A line of somebody's statement. amount: the change of their balance in this currency; balance: after it."""

    id: int
    at: int
    currency: Currency
    amount: int
    reason: str
    ref: str
    game: str | None
    balance: int


# Reading --------------------------------------------------------------------------------------------------------------


def score(db: Connection, user: int, game: str) -> Score:
    """Return what a user has in a game."""
    row = db.execute("SELECT score, won, lost, drawn FROM scores WHERE user = ? AND game = ?", (user, game)).fetchone()
    return Score() if row is None else Score(*row)


def scores(db: Connection, user: int) -> dict[str, Score]:
    """Return what a user has in every game they have played."""
    rows = db.execute("SELECT game, score, won, lost, drawn FROM scores WHERE user = ? ORDER BY game", (user,))
    return {game: Score(*row) for game, *row in rows}


def trust(db: Connection, user: int) -> int:
    """Return a user's credibility."""
    row = db.execute("SELECT value FROM credibility WHERE user = ?", (user,)).fetchone()
    return TRUST if row is None else int(row[0])


def balance(db: Connection, account: int, currency: Currency = "coins") -> int:
    """Return what an account holds."""
    row = db.execute("SELECT amount FROM balances WHERE account = ? AND currency = ?", (account, currency)).fetchone()
    return 0 if row is None else int(row[0])


def wallet(db: Connection, user: int) -> Wallet:
    """Return what a user can spend."""
    return Wallet(balance(db, user), balance(db, user, "hearts"))


def total(db: Connection, currency: Currency = "coins") -> int:
    """Return the sum of all accounts, which is always 0."""
    found = db.execute("SELECT coalesce(sum(amount), 0) FROM balances WHERE currency = ?", (currency,)).fetchone()
    return int(found[0])


def statement(
    db: Connection,
    user: int,
    *,
    reason: str | None = None,
    game: str | None = None,
    before: int | None = None,
    most: int = 50,
) -> list[Line]:
    """Return lines of a user's statement, newest first. before: only those older than this line."""
    signed = "CASE WHEN source = ?1 THEN -amount ELSE amount END"
    rows = db.execute(
        f"SELECT * FROM (SELECT id, at, currency, {signed}, reason, ref, game,"
        f" sum({signed}) OVER (PARTITION BY currency ORDER BY id)"
        " FROM transfers WHERE source = ?1 OR target = ?1)"
        " WHERE id < ?2 AND (?3 IS NULL OR reason = ?3) AND (?4 IS NULL OR game = ?4) ORDER BY id DESC LIMIT ?5",
        (user, 2**62 if before is None else before, reason, game, most),
    )
    return [Line(*row) for row in rows]


def games_of(db: Connection, user: int) -> list[str]:
    """Return the games that a user's statement has lines of."""
    sql = "SELECT DISTINCT game FROM transfers WHERE (source = ?1 OR target = ?1) AND game IS NOT NULL ORDER BY game"
    return [game for (game,) in db.execute(sql, (user,))]


def lost(db: Connection, user: int, since: int) -> int:
    """Return how many coins a user has lost at tables since a time, less what they won; at least 0."""
    sql = (
        "SELECT coalesce(sum(CASE WHEN source = ?1 THEN amount ELSE -amount END), 0) FROM transfers"
        " WHERE (source = ?1 OR target = ?1) AND currency = 'coins'"
        " AND reason IN ('game', 'fine', 'quit', 'disconnect', 'kicked') AND at >= ?2"
    )
    return max(0, int(db.execute(sql, (user, since)).fetchone()[0]))


def pass_of(db: Connection, user: int, game: str) -> Pass:
    """Return where a user stands in the pass rooms of a game."""
    row = db.execute("SELECT pass, highest, points FROM passes WHERE user = ? AND game = ?", (user, game)).fetchone()
    return Pass() if row is None else Pass(*row)


def passes_of(db: Connection, user: int) -> dict[str, Pass]:
    """Return where a user stands in every game whose pass rooms they have played in."""
    rows = db.execute("SELECT game, pass, highest, points FROM passes WHERE user = ? ORDER BY game", (user,))
    return {game: Pass(*row) for game, *row in rows}


def rating(db: Connection, user: int, pool: str, seats: int) -> Rating:
    """Return a user's rating in a pool, a beginner's where there is none."""
    row = db.execute("SELECT state FROM ratings WHERE user = ? AND pool = ?", (user, pool)).fetchone()
    found: Rating = ratings.fresh(seats) if row is None else msgspec.json.decode(row[0], type=Rating)
    return found


def ratings_of(db: Connection, user: int) -> dict[str, Rating]:
    """Return all of a user's ratings."""
    rows = db.execute("SELECT pool, state FROM ratings WHERE user = ? ORDER BY pool", (user,))
    return {pool: msgspec.json.decode(state, type=Rating) for pool, state in rows}


def holdings(db: Connection, user: int, game: str, pool: str | None, seats: int) -> Holdings:
    """Return what a user has before a game. pool: of their rating there, None: the game is not rated."""
    return Holdings(
        score=score(db, user, game).score,
        credibility=trust(db, user),
        coins=balance(db, user),
        pass_=pass_of(db, user, game),
        rating=None if pool is None else rating(db, user, pool, seats),
        fibs=None if pool is None else fibs(db, user, game),
    )


def fibs(db: Connection, user: int, game: str) -> Fibs | None:
    """Return a user's FIBS rating (P-116), None before the first match of a game that keeps it."""
    row = db.execute("SELECT state FROM ratings WHERE user = ? AND pool = ?", (user, fibs_pool(game))).fetchone()
    return None if row is None else msgspec.json.decode(row[0], type=Fibs)


def fibs_pool(game: str) -> str:
    """Return the pool of a game's FIBS ratings; no variant has this name."""
    return f"{game}/fibs"


def pools(db: Connection, game: str) -> list[str]:
    """Return the pools in which a game's players are rated."""
    sql = (
        "SELECT DISTINCT pool FROM ratings WHERE pool = ?1 OR substr(pool, 1, length(?1) + 1) = ?1 || '/' ORDER BY pool"
    )
    return [pool for (pool,) in db.execute(sql, (game,))]


def ranking(
    db: Connection,
    by: str,
    of: str,
    since: int,
    after: int,
    most: int,
    bots: Sequence[int] = (),
    *,
    of_bots: bool = False,
    only: Sequence[int] | None = None,
) -> list[tuple[int, int, int, Json]]:
    """Return places, users, what they are ranked by, and more of it; equals share a place.

    of: a game, for ratings a pool. since: ratings without a later game are not ranked. bots: the programs' accounts,
    which are ranked apart from people, and alone with of_bots. only: of these users alone, None: of all.
    """
    apart: tuple[Any, ...] = (msgspec.json.encode(bots).decode(), of_bots)
    among = APART
    if only is not None:
        among += " AND user IN (SELECT CAST(value AS INTEGER) FROM json_each(?))"
        apart += (msgspec.json.encode(only).decode(),)
    page = "LIMIT ? OFFSET ?"
    if by == "rating":
        sql = (
            "SELECT rank() OVER (ORDER BY shown DESC), user, shown, state FROM ratings"
            f" WHERE pool = ? AND sure = 1 AND at >= ? AND {among} ORDER BY shown DESC, user {page}"
        )
        rows = db.execute(sql, (of, since, *apart, most, after))
        return [(place, user, shown, msgspec.json.decode(state)) for place, user, shown, state in rows]
    if by == "pass":
        sql = (
            "SELECT rank() OVER (ORDER BY pass DESC, points DESC), user, pass, highest, points FROM passes"
            f" WHERE game = ? AND {among} ORDER BY pass DESC, points DESC, user {page}"
        )
        found = db.execute(sql, (of, *apart, most, after))
        return [(place, user, at, {"highest": high, "points": points}) for place, user, at, high, points in found]
    sql = (
        "SELECT rank() OVER (ORDER BY score DESC), user, score, won, lost, drawn FROM scores"
        f" WHERE game = ? AND {among} ORDER BY score DESC, user {page}"
    )
    totals = db.execute(sql, (of, *apart, most, after))
    return [
        (place, user, score, {"grade": grade(score), "won": won, "lost": lost, "drawn": drawn})
        for place, user, score, won, lost, drawn in totals
    ]


def graded(db: Connection, game: str | None, number: int | None) -> set[int]:
    """Return who has a grade in a game, None: as their best in any; number: None: any but the lowest."""
    least = GRADES[number or 1][1]
    above = GRADES[number + 1][1] if number is not None and number + 1 < len(GRADES) else None
    sql = (
        "SELECT user FROM scores WHERE game = ?1 OR ?1 IS NULL GROUP BY user"
        " HAVING max(score) >= ?2 AND (?3 IS NULL OR max(score) < ?3)"
    )
    return {user for (user,) in db.execute(sql, (game, least, above))}


def member(db: Connection, user: int) -> tuple[str, date] | None:
    """Return a user's level and until when it lasts."""
    row = db.execute("SELECT level, until FROM members WHERE user = ?", (user,)).fetchone()
    return None if row is None else (row[0], date.fromisoformat(row[1]))


def code(db: Connection, name: str) -> tuple[Code, frozenset[int]] | None:
    """Return a redeem code and who has used it."""
    row = db.execute("SELECT coins, hearts, member_days, uses, expires FROM codes WHERE code = ?", (name,)).fetchone()
    if row is None:
        return None
    coins, hearts, days, uses, expires = row
    users = frozenset(user for (user,) in db.execute("SELECT user FROM code_uses WHERE code = ?", (name,)))
    return Code(coins, hearts, days, uses, None if expires is None else date.fromisoformat(expires)), users


def agrees(
    db: Connection, pool: str | None, game: str, users: Sequence[int | None], had: Sequence[Json | None]
) -> bool:
    """Tell whether the values that were used still stand in the books. had: those parts of holdings that count here."""
    for user, was in zip(users, had, strict=True):
        if user is None or was is None:
            continue
        found = msgspec.to_builtins(holdings(db, user, game, pool, len(users)))
        if any(found[key] != value for key, value in was.items() if key not in ("rating", "fibs") or pool is not None):
            return False
    return True


# Writing: one for each type of row ------------------------------------------------------------------------------------


def move(db: Connection, at: int, line: Transfer) -> None:
    """Write a transfer and the two balances it changes."""
    db.execute(
        "INSERT INTO transfers (at, source, target, currency, amount, reason, ref, game)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (at, line.source, line.target, line.currency, line.amount, line.reason, line.ref, line.game),
    )
    for account, change in ((line.source, -line.amount), (line.target, line.amount)):
        if db.execute(
            "UPDATE balances SET amount = amount + ? WHERE account = ? AND currency = ?",
            (change, account, line.currency),
        ).rowcount:
            continue
        db.execute(
            "INSERT INTO balances (account, currency, amount) VALUES (?, ?, ?)", (account, line.currency, change)
        )


def _give(
    db: Connection,
    at: int,
    user: int,
    currency: Currency,
    amount: int,
    reason: str,
    ref: str,
    game: str | None = None,
) -> None:
    """Move what somebody gets from GRANTS, or loses to HOUSE."""
    if amount > 0:
        move(db, at, Transfer(GRANTS, user, currency, amount, reason, ref, game))
    elif amount < 0:
        move(db, at, Transfer(user, HOUSE, currency, -amount, reason, ref, game))


def add_score(db: Connection, user: int, game: str, change: int, sign: int | None) -> None:
    """Add to a total. sign: of the result that is counted, None: none is."""
    counts = (0, 0, 0) if sign is None else (int(sign > 0), int(sign < 0), int(sign == 0))
    db.execute(
        "INSERT INTO scores (user, game, score, won, lost, drawn) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        " ON CONFLICT (user, game) DO UPDATE SET score = scores.score + ?3, won = scores.won + ?4,"
        " lost = scores.lost + ?5, drawn = scores.drawn + ?6",
        (user, game, change, *counts),
    )


def add_trust(db: Connection, user: int, change: int) -> None:
    """Change somebody's credibility."""
    if change:
        db.execute(
            "INSERT INTO credibility (user, value) VALUES (?1, max(0, min(?3, ?3 + ?2)))"
            " ON CONFLICT (user) DO UPDATE SET value = max(0, min(?3, credibility.value + ?2))",
            (user, change, TRUST),
        )


def apply_game(db: Connection, id: str, begun: Begun, ended: Ended, at: int) -> None:
    """Write what a game has paid."""
    game, seats = begun.game, len(begun.seats)
    left: Mapping[str, str] = ended.left or {}
    coins: list[tuple[int, int, str]] = []
    for user, paid in zip(begun.users, ended.paid, strict=True):
        seat = paid.seat
        if user is None or paid.credibility is None:
            continue
        # P-36, P-32: a player who left has the penalty's sign, not the game's.
        sign = None  # P-63: a person who only bet has neither won nor lost a game
        if seat < seats:
            points = ended.points[seat] if paid.score is None else paid.score
            sign = -1 if paid.score is None and str(seat) in left else points
        add_score(db, user, game, paid.score or 0, sign)
        add_trust(db, user, paid.credibility)
        if paid.pass_ is not None:
            _climb(db, user, game, paid.pass_, at)
            if paid.coins:
                _give(db, at, user, "coins", paid.coins, "record", id, game)
        elif paid.coins:
            # The reason of a penalty names how the player left the game.
            coins.append((user, paid.coins, left.get(str(seat), "game")))
        if paid.rating is not None:
            assert ended.pool is not UNSET
            _rate(db, user, ended.pool, paid.rating, at)
        if paid.fibs is not UNSET:
            _rate(db, user, fibs_pool(game), paid.fibs, at)
    # Losses go to the house first, then winnings are paid out of it, so that no account is ever below 0.
    for user, amount, reason in sorted(coins, key=lambda each: each[1]):
        ends = (user, HOUSE) if amount < 0 else (HOUSE, user)
        move(db, at, Transfer(*ends, "coins", abs(amount), reason, id, game))


def _climb(db: Connection, user: int, game: str, state: Mapping[str, Any], at: int) -> None:
    db.execute(
        "INSERT INTO passes (user, game, pass, highest, points, at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (user, game)"
        " DO UPDATE SET pass = excluded.pass, highest = excluded.highest, points = excluded.points, at = excluded.at",
        (user, game, state["pass"], state["highest"], state["points"], at),
    )


def _rate(db: Connection, user: int, pool: str, rating: Mapping[str, Any], at: int) -> None:
    state = msgspec.convert({k: v for k, v in rating.items() if k not in ("shown", "change", "sure")}, Rating)
    db.execute(
        "INSERT INTO ratings (user, pool, shown, sure, at, state) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (user, pool)"
        " DO UPDATE SET shown = excluded.shown, sure = excluded.sure, at = excluded.at, state = excluded.state",
        (user, pool, rating["shown"], int(rating["sure"]), at, msgspec.json.encode(state).decode()),
    )


def _granted(db: Connection, data: Mapping[str, Any], at: int) -> None:
    _give(db, at, data["user"], data["currency"], data["amount"], data["reason"], data["ref"])


def _bought(db: Connection, data: Mapping[str, Any], at: int) -> None:
    user, item = data["user"], data["item"]
    for currency, amount in data["cost"].items():
        game = data["game"] if item == "reset_score" else None
        move(db, at, Transfer(user, HOUSE, currency, amount, item, data["ref"], game))
    for currency, amount in data["gain"].items():
        move(db, at, Transfer(GRANTS, user, currency, amount, item, data["ref"]))
    if item == "reset_score":
        add_score(db, user, data["game"], data["score"], None)
    elif item == "reset_credibility":
        add_trust(db, user, data["credibility"])
    _extend(db, user, data)


def _redeemed(db: Connection, data: Mapping[str, Any], at: int) -> None:
    db.execute("INSERT INTO code_uses (code, user, at) VALUES (?, ?, ?)", (data["code"], data["user"], at))
    for currency in ("coins", "hearts"):
        if data[currency]:
            move(db, at, Transfer(GRANTS, data["user"], currency, data[currency], "code", data["code"]))
    _extend(db, data["user"], data)


def _extend(db: Connection, user: int, data: Mapping[str, Any]) -> None:
    if data.get("member_until") is not None:
        db.execute(
            "INSERT INTO members (user, level, until) VALUES (?1, ?2, ?3)"
            " ON CONFLICT (user) DO UPDATE SET until = ?3, level = ?2",
            (user, data.get("level", "knight"), data["member_until"]),
        )


def _made_code(db: Connection, data: Mapping[str, Any], at: int) -> None:
    names = ("code", "coins", "hearts", "member_days", "uses", "expires", "note", "made_by")
    db.execute(
        "INSERT INTO codes (code, coins, hearts, member_days, uses, expires, note, made_by, made_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*(data[name] for name in names), at),
    )


def _fined(db: Connection, data: Mapping[str, Any], at: int) -> None:
    add_score(db, data["user"], data["game"], data["score"], None)
    add_trust(db, data["user"], data["credibility"])
    _give(db, at, data["user"], "coins", data["coins"], "fine", data["game"], data["game"])


def _month(db: Connection, data: Mapping[str, Any], at: int) -> None:
    for user, game, coins in data["rows"]:
        _give(db, at, user, "coins", coins, "month", f"{game} {data['month']}", game)


def _contest_paid(db: Connection, data: Mapping[str, Any], at: int) -> None:
    """Write the payments of a contest: fees into the escrow, and refunds and prizes out of it (P-79)."""
    for row in data["rows"]:
        move(db, at, Transfer(row["source"], row["target"], "coins", row["coins"], row["reason"], data["ref"]))


def _reversed(db: Connection, data: Mapping[str, Any], at: int) -> None:
    """A moderator's or an administrator's reversal: what a game took from somebody is given back (P-33, P-95)."""
    for row in data["rows"]:
        add_score(db, row["user"], data["game"], row["score"], None)
        add_trust(db, row["user"], row["credibility"])
        _give(db, at, row["user"], "coins", row["coins"], "reversal", data["ref"], data["game"])
        if row.get("pass") is not None:
            _climb(db, row["user"], data["game"], row["pass"], at)


def _departed(db: Connection, data: Mapping[str, Any], at: int) -> None:
    db.execute("INSERT INTO departed (user) VALUES (?) ON CONFLICT DO NOTHING", (data["user"],))
    db.execute("DELETE FROM members WHERE user = ?", (data["user"],))


APPLY: Final[Mapping[str, Callable[[Connection, Mapping[str, Any], int], None]]] = {
    "wallet.granted": _granted,
    "wallet.bought": _bought,
    "wallet.redeemed": _redeemed,
    "code.made": _made_code,
    "pass.month": _month,
    "moderation.reversed": _reversed,
    "contest.paid": _contest_paid,
    "table.fined": _fined,
    "account.deleted": _departed,
}


def clear(db: Connection) -> None:
    """Delete all rows of the ledger's tables."""
    for table in TABLES:
        db.execute(f"DELETE FROM {table}")
