"""Public dumps: the rated games of a month as JSON lines, without anything private (platform P-96)."""

from __future__ import annotations

import gzip
import hashlib
import hmac
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import Final

import msgspec

from qipai.accounts.model import DELETED, User
from qipai.hall.live import books, shared_deals
from qipai.hall.records import replay
from qipai.store import Store

__all__ = ["LICENSE", "dump", "hashed", "month_of"]

LICENSE: Final = "CC0-1.0"
FORMAT: Final = 1
Find = Callable[[int], Awaitable[User | None]]


def month_of(text: str) -> tuple[int, int]:
    """Return when a month ("2026-11") begins and ends, seconds since 1970; raises ValueError."""
    begins = datetime.strptime(text, "%Y-%m").replace(tzinfo=UTC)
    ends = begins.replace(year=begins.year + begins.month // 12, month=begins.month % 12 + 1)
    return int(begins.timestamp()), int(ends.timestamp())


def hashed(user: User, salt: bytes) -> User:
    """Return an anonymous name for a user, the same in every game. salt: a secret of the hall."""
    if user.deleted:
        return User(0, DELETED, user.kind)
    return User(0, hmac.new(salt, str(user.id).encode(), hashlib.sha256).hexdigest()[:16], user.kind)


async def dump(store: Store, find: Find, month: str, to: Path, salt: bytes | None) -> dict[str, int]:
    """Write a file for each game that was played for a rating in a month; return how many games each has.

    The first line says what it is, each other is a game as `GET /g/<game_id>` shows it. salt: None for true names.
    """
    since, until = month_of(month)

    def ended(db: Connection) -> list[tuple[str, str]]:
        sql = (
            "SELECT DISTINCT p.game, p.id FROM parts p JOIN games g ON g.id = p.id WHERE pool IS NOT NULL"
            f" AND at >= ? AND at < ? AND NOT {shared_deals.CLOSED} ORDER BY p.game, at, p.id"
        )
        return db.execute(sql, (since, until)).fetchall()

    counts: dict[str, int] = {}
    games = await store.read(ended)
    for game in dict.fromkeys(game for game, _id in games):
        about = {"format": FORMAT, "game": game, "month": month, "license": LICENSE, "names": salt is None}
        # The file contains no time, so that the same games give the same file.
        with (to / f"{game}-{month}.jsonl.gz").open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as out:
            out.write(msgspec.json.encode(about) + b"\n")
            for id in (id for name, id in games if name == game):
                out.write(await _line(store, find, id, salt) + b"\n")
                counts[game] = counts.get(game, 0) + 1
    return counts


async def _line(store: Store, find: Find, id: str, salt: bytes | None) -> bytes:
    rows = await store.read(partial(books.game_rows, id=id))
    known: dict[int, User] = {}
    for number in replay.created(rows).users:
        user = await find(number) or User(number, DELETED, "user")
        known[number] = user if salt is None else hashed(user, salt)
    return msgspec.json.encode(replay.finished(rows, known.get, opened=True))
