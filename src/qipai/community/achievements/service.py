"""The achievements of a hall: awarded a moment after a game has ended, and computed back when there are new ones."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final

from msgspec import Struct

from qipai.community.achievements.fold import apply, behind, effects, happened, logged
from qipai.community.achievements.known import Achievement, known
from qipai.community.common import Common
from qipai.community.contract import Piece
from qipai.community.script import script_of
from qipai.store import Connection

__all__ = ["AchievementService", "Standing", "script"]

SHARE: Final = 4  # while old games are looked through, the hall rests so many times as long as it works
LOG_EVERY: Final = 100_000  # events

log = logging.getLogger("qipai.community")


class Standing(Struct, frozen=True):
    """How somebody stands with an achievement. at: when they earned it; people: how many have."""

    what: Achievement
    people: int
    have: int = 0
    at: int | None = None


class AchievementService:
    """All achievements of a hall."""

    def __init__(self, common: Common) -> None:
        self._common, self._store = common, common.store
        self._under_way = False
        self._told = 0
        self._since = 0  # seconds: what was earned before is not paid
        # Called with who has earned what, and the time in ms: pays for it, once (P-51).
        self.reward: Callable[[int, str, int], Awaitable[None]] = _nothing

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return nothing: achievements are the hall's own words."""
        return {}

    async def open(self) -> None:
        """Pay what a hall that was killed owes; `sweep` continues where the log was left.

        Coins are paid for what is earned while the hall offers them. Whoever sets them later does not pay backwards:
        nobody was promised anything, and a hall of many years would make a fortune of coins in one night.
        """
        pays, now = self.reward is not _nothing, self._common.now

        def work(db: Connection) -> list[tuple[int, str, int]]:
            if not pays:
                db.execute("DELETE FROM achievement_pay")
                return []
            db.execute("INSERT INTO achievement_pay (one, since) VALUES (1, ?) ON CONFLICT DO NOTHING", (now,))
            sql = (
                "SELECT user, id, at FROM achievements a WHERE NOT EXISTS (SELECT 1 FROM transfers t"
                " WHERE t.target = a.user AND t.reason = 'achievement' AND t.ref = a.id)"
            )
            self._since = db.execute("SELECT since FROM achievement_pay").fetchone()[0]
            return db.execute(sql).fetchall()

        await self._paid(await self._store.transaction(work))

    async def _paid(self, earned: Iterable[tuple[int, str, int]]) -> None:
        for user, id, at in earned:
            if at >= self._since:
                await self.reward(user, id, self._common.clock.now())

    async def sweep(self) -> None:
        """Fold what has come to the log; a kill between two steps loses nothing, and nothing counts twice."""
        if self._under_way:
            return
        self._under_way = True
        try:
            await self._sweep()
        finally:
            self._under_way = False

    async def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            after, newest = await self._store.read(behind)
            if after >= newest:
                return
            began = loop.time()
            upto, found = await self._store.read(partial(happened, after=after, newest=newest))
            whole = []
            for one in found:
                read = await self._store.read(partial(logged, one=one))
                whole.append((one, await loop.run_in_executor(None, effects, read)))
            work = partial(apply, after=after, upto=upto, found=whole, now=self._common.now)
            if earned := await self._store.transaction(work):
                await self._paid(earned)
                await self._common.notices.wake()
            if upto - self._told >= LOG_EVERY:
                self._told = upto
                log.info("achievements: %d of %d events of the log are looked through", upto, newest)
            if upto < newest:
                await asyncio.sleep(SHARE * (loop.time() - began))

    async def of(self, user: int | None) -> list[Standing]:
        """Return all achievements, with how somebody stands with each."""

        def work(db: Connection) -> list[Standing]:
            people = dict(db.execute("SELECT id, people FROM achievement_totals").fetchall())
            counts: dict[str, int] = {}
            earned: dict[str, int] = {}
            if user is not None:
                sql = "SELECT fact, count FROM achievement_counts WHERE user = ?"
                counts = dict(db.execute(sql, (user,)).fetchall())
                earned = dict(db.execute("SELECT id, at FROM achievements WHERE user = ?", (user,)).fetchall())
            return [
                Standing(
                    one,
                    people.get(one.id, 0),
                    one.need if one.id in earned else min(one.need, counts.get(one.fact, 0)),
                    earned.get(one.id),
                )
                for one in known()
            ]

        return await self._store.read(work)

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return what a user has earned."""
        rows = db.execute("SELECT id, at FROM achievements WHERE user = ? ORDER BY at, id", (user,))
        return {"achievements.json": {"rows": [{"id": id, "at": at} for id, at in rows]}}

    async def erase(self, user: int) -> None:
        """Erase what somebody has earned."""

        def work(db: Connection) -> None:
            for (id,) in db.execute("DELETE FROM achievements WHERE user = ? RETURNING id", (user,)).fetchall():
                db.execute("UPDATE achievement_totals SET people = people - 1 WHERE id = ?", (id,))
            db.execute("DELETE FROM achievement_totals WHERE people <= 0")
            db.execute("DELETE FROM achievement_counts WHERE user = ?", (user,))

        await self._store.transaction(work)


async def _nothing(user: int, id: str, now: int) -> None:
    """Pay nothing."""


def script() -> tuple[str, str]:
    """Return the name and the SQL of the achievements."""
    return script_of("achievements")
