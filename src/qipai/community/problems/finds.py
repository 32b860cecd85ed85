"""Problems found in the hall's own games, of people who agreed (P-102, decision 0075).

Looked through are rated games that open data could contain, of which everybody who took part has agreed by a setting
that is off. What is found waits a day before it is shown, and is thrown away when meanwhile somebody no longer agrees
or is gone. Nothing in the problem leads back to the game.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import msgspec

from qipai import games
from qipai.accounts.model import Settings, User
from qipai.arena.analyst import Analyst, Busy
from qipai.arena.worker import Seek
from qipai.community.common import NIGHT, Common
from qipai.config import Problems as Numbers
from qipai.core.entry import Record
from qipai.core.problems import Problem
from qipai.hall.live import books
from qipai.hall.records import dump, replay
from qipai.hall.table.errors import HallError
from qipai.store import Connection

__all__ = ["Finds", "agreed"]

BACK_S: Final = 2 * 86_400  # so long after their end
WAIT_S: Final = 86_400  # what is found is shown after this long
AGAIN_S: Final = 600  # after this long it is asked again whether there is a game to look through
KEPT_S: Final = 7 * 86_400  # that a game has been looked through is remembered

# (database, problem, when) -> its number, None where it is here already
Publish = Callable[[Connection, Problem, int], int | None]


def agreed(user: User | None, settings: Settings | None) -> bool:
    """Tell whether somebody lets moments of their games become problems: who has said so, is here, and is grown up."""
    if user is None or user.deleted or user.kind != "user" or settings is None:
        return False
    return settings.open_moments is True and settings.minor is not True


class Finds:
    """Looks through games at night, one at a time, and shows what was found a day later."""

    def __init__(self, common: Common, numbers: Numbers, publish: Publish) -> None:
        self._common, self._store, self._numbers, self._publish = common, common.store, numbers, publish
        self.analyst: Analyst | None = None
        # (game's id) -> its record, as whoever may see everything has it; raises HallError where it cannot be replayed
        self.record: Callable[[str], Awaitable[Record]] | None = None
        self._at_work = False
        self._night = (0, 0)  # the day, and how many games were looked through in its night
        self._again = 0  # not before, seconds

    async def sweep(self) -> None:
        """Show what has waited; at night, with nothing to do, look through a game."""
        if not self._numbers.games or self.analyst is None or self.record is None or self._at_work:
            return
        self._at_work = True
        try:
            now = self._common.now
            if now < self._again:
                return
            await self._show()
            day, done = self._night
            if day != now // 86_400:
                self._night = day, done = now // 86_400, 0
            if now // 3600 % 24 in NIGHT and done < self._numbers.games:
                if (id := await self._next()) is not None:
                    self._night = day, done + 1
                    await self._look_through(id)
                    return
            self._again = now + AGAIN_S
        finally:
            self._at_work = False

    async def _next(self) -> str | None:
        """Return a game to look through, the newest, of which all agree."""
        since = self._common.now - BACK_S
        names = [name for name in games.names() if games.find(name).problems is not None]
        for id in await self._store.read(partial(_waiting, since=since, names=names)):
            if await self._agreed(id):
                return id
        return None

    async def _agreed(self, id: str) -> bool:
        """Tell whether everybody who took part in a game agrees, now."""
        rows = await self._store.read(partial(books.game_rows, id=id))
        if not replay.is_finished(rows):
            return False
        users = replay.created(rows).users
        found = await self._common.accounts.settings_of(users)
        return bool(users) and all([agreed(await self._common.accounts.find(one), found.get(one)) for one in users])

    async def _look_through(self, id: str) -> None:
        assert self.analyst is not None
        assert self.record is not None
        problem = None
        try:
            record = await self.record(id)
            found = await self.analyst.pose(Seek(game=record.game, record=record))
            problem = None if found is None else found.problem
        except Busy:
            return  # it is looked through another time
        except HallError:  # gone, or under rules that are no more
            pass
        body = None if problem is None else msgspec.json.encode(problem).decode()
        now = self._common.now
        sql = "INSERT INTO problem_finds (game_id, at, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        await self._store.transaction(lambda db: db.execute(sql, (id, now, body)))

    async def _show(self) -> None:
        """Show what was found a day ago, where all still agree; forget what is old."""
        now = self._common.now
        sql = "SELECT game_id, body FROM problem_finds WHERE body IS NOT NULL AND at <= ?"
        for id, body in await self._store.read(lambda db: db.execute(sql, (now - WAIT_S,)).fetchall()):
            agreed = await self._agreed(id)
            problem = msgspec.json.decode(body, type=Problem)

            def work(db: Connection, id: str = id, agreed: bool = agreed, problem: Problem = problem) -> None:
                db.execute("UPDATE problem_finds SET body = NULL WHERE game_id = ?", (id,))
                if agreed:
                    self._publish(db, problem, now)

            await self._store.transaction(work)
        old = now - KEPT_S
        if await self._store.read(lambda db: db.execute("SELECT 1 FROM problem_finds WHERE at < ?", (old,)).fetchone()):
            await self._store.transaction(lambda db: db.execute("DELETE FROM problem_finds WHERE at < ?", (old,)))


def _waiting(db: Connection, since: int, names: list[str]) -> list[str]:
    """Return rated games, the newest first, that open data could contain and nobody has looked through.

    Those of which somebody with an account has not agreed are left out here, so that they are not in the others' way.
    """
    holes = ", ".join("?" * len(names))
    sql = (
        f"SELECT p.id, max(p.at) FROM parts p JOIN games g ON g.id = p.id WHERE {dump.OPEN} AND p.at >= ?"
        f" AND p.game IN ({holes})"
        " AND NOT EXISTS (SELECT 1 FROM problem_finds f WHERE f.game_id = p.id)"
        " AND NOT EXISTS (SELECT 1 FROM parts q JOIN users u ON u.id = q.user WHERE q.id = p.id"
        " AND coalesce(CAST(json_extract(u.settings, '$.open_moments') AS INTEGER), 0) = 0)"
        " GROUP BY p.id ORDER BY 2 DESC, 1 LIMIT 20"
    )
    return [id for id, _at in db.execute(sql, (since, *names))]
