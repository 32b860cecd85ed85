"""Boards of the day: who has played which, and how soon (platform P-75). The first game of everybody counts.

A board that one has seen is easier than one that one has not, so later games of the same board do not count, nor does
one that is begun and left: it stands there without a time. Nor does a board under other rules than the game's own, of
another day, or for several.
"""

from __future__ import annotations

from sqlite3 import Connection

from msgspec import UNSET, Struct

from qipai.hall.table.events import DealCreated, Settled
from qipai.store import Store

__all__ = ["Dailies", "Row", "begin", "end"]


class Row(Struct, frozen=True):
    """Somebody's game of a board. ms: how long it took, None: it is not finished; equals share a rank."""

    rank: int | None
    user: int
    ms: int | None
    begun: int  # ms since 1970


def begin(db: Connection, id: str, now: int, created: DealCreated) -> None:
    """Note that somebody has begun a board of the day, unless they have before."""
    if created.daily is not UNSET:
        db.execute(
            "INSERT OR IGNORE INTO dailies (game, day, user, id, begun) VALUES (?, ?, ?, ?, ?)",
            (created.game, created.daily, created.seats[0].user, id, now),
        )


def end(db: Connection, id: str, ended: Settled) -> None:
    """Note how long it took, where it was finished."""
    if ended.took is not UNSET:
        db.execute("UPDATE dailies SET ms = ? WHERE id = ?", (ended.took, id))


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
