"""Boards of the day: who has played which, and how soon (platform P-75). The first game of everybody counts.

A board that one has seen is easier than one that one has not, so later games of the same board do not count, nor does
one that is begun and left: it stands there without a time. Nor does a board under other rules than the game's own, of
another day, or for several.
"""

from __future__ import annotations

from collections.abc import Mapping
from sqlite3 import Connection
from typing import Any

from msgspec import Struct

from qipai.store import Store

__all__ = ["Dailies", "Row", "begin", "end"]


class Row(Struct, frozen=True):
    """Somebody's game of a board. ms: how long it took, None: it is not finished; equals share a rank."""

    rank: int | None
    user: int
    ms: int | None
    begun: int  # ms since 1970


def begin(db: Connection, id: str, now: int, created: Mapping[str, Any]) -> None:
    """Note that somebody has begun a board of the day, unless he has before. created: data of `game.created`."""
    if (day := created.get("daily")) is not None:
        user = created["seats"][0]["user"]
        db.execute(
            "INSERT OR IGNORE INTO dailies (game, day, user, id, begun) VALUES (?, ?, ?, ?, ?)",
            (created["game"], day, user, id, now),
        )


def end(db: Connection, id: str, ended: Mapping[str, Any]) -> None:
    """Note how long it took, where it was finished. ended: data of `game.ended`."""
    if (ms := ended.get("took")) is not None:
        db.execute("UPDATE dailies SET ms = ? WHERE id = ?", (ms, id))


class Dailies:
    """The boards of the day of this hall."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def rows(self, game: str, day: str, *, after: int, most: int) -> list[Row]:
        """Return who has played a board, the quickest first, behind them who has not finished it."""

        def work(db: Connection) -> list[Row]:
            sql = (
                "SELECT CASE WHEN ms IS NOT NULL THEN rank() OVER (ORDER BY ms IS NULL, ms) END, user, ms, begun"
                " FROM dailies WHERE game = ? AND day = ? ORDER BY ms IS NULL, ms, begun, user LIMIT ? OFFSET ?"
            )
            return [Row(*row) for row in db.execute(sql, (game, day, most, after))]

        return await self._store.read(work)
