"""Boards of the day: who has played which board, and how fast (platform P-75). Only everybody's first game counts.

A board is easier when one has seen it, so later games of the same board do not count. A game that was begun and left
stays in the table without a time. Boards with other options, of another day, or for several players do not count.
"""

from __future__ import annotations

from msgspec import UNSET, Struct

from qipai.hall.table.events import DealCreated, Settled
from qipai.store import Connection, Store

__all__ = ["Dailies", "Row", "begin", "end"]


class Row(Struct, frozen=True):
    """Somebody's game of a board. ms: how long it took, None if it is not finished; equal times share a rank."""

    rank: int | None
    user: int
    ms: int | None
    begun: int  # ms since 1970


def begin(db: Connection, id: str, now: int, created: DealCreated) -> None:
    """Note that somebody has begun a board of the day, unless they have before."""
    if created.daily is not UNSET:
        db.execute(
            "INSERT INTO dailies (game, day, user, id, begun) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (created.game, created.daily, created.seats[0].user, id, now),
        )


def end(db: Connection, id: str, ended: Settled) -> None:
    """Record how long a game of a board took, if it was finished."""
    if ended.took is not UNSET:
        db.execute("UPDATE dailies SET ms = ? WHERE id = ?", (ended.took, id))


class Dailies:
    """The boards of the day of this hall."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def rows(self, game: str, day: str, *, after: int, most: int) -> list[Row]:
        """Return who has played a board, the fastest first, and last those who have not finished it."""

        def work(db: Connection) -> list[Row]:
            sql = (
                "SELECT CASE WHEN ms IS NOT NULL THEN rank() OVER (ORDER BY ms IS NULL, ms) END, user, ms, begun"
                " FROM dailies WHERE game = ? AND day = ? ORDER BY ms IS NULL, ms, begun, user LIMIT ? OFFSET ?"
            )
            return [Row(*row) for row in db.execute(sql, (game, day, most, after))]

        return await self._store.read(work)
