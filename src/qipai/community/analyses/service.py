"""Asks for analyses, goes through what waits, one game at a time, and keeps what was found.

What may be asked: a finished game that the asker may see, and no other. Nothing of a running game can be had: not by
its id, nor by a record of its moves or of where it stands (`running`). A game of a shared deal waits until that is
opened.
"""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from qipai import games
from qipai.arena.analyst import Analyst
from qipai.community.analyses.figures import Deal
from qipai.community.analyses.running import Running
from qipai.community.common import NIGHT, Common
from qipai.community.contract import Piece
from qipai.community.script import script_of
from qipai.config import Analyses as Numbers
from qipai.core.analysis import Analysis
from qipai.core.entry import Record
from qipai.hall.live import books
from qipai.hall.table.errors import HallError
from qipai.store import Connection

__all__ = ["AnalysisService", "Standing", "script"]

TRIES: Final = 3  # a game whose analysis broke off so often is left alone
FULL_MS: Final = 30_000  # after this long there may be room in the hall's queue
DEALS: Final = 2_000  # of one person that a page reads

log = logging.getLogger("qipai.community")


LOOKED_AT: Final = 10  # of somebody's last games, for their mistakes


class Standing(Struct, frozen=True):
    """How it stands with the analysis of a game.

    state: "none": nobody has asked. ahead: how many games wait before it. done, of: decisions gone through.
    """

    state: Literal["none", "waiting", "running", "done", "failed"]
    ahead: int = 0
    done: int = 0
    of: int = 0
    found: Analysis | None = None


class AnalysisService:
    """The analyses of a hall."""

    def __init__(self, common: Common, numbers: Numbers) -> None:
        self._common, self._store, self._numbers = common, common.store, numbers
        self.analyst: Analyst | None = None
        # (game's id) -> its record, as whoever may see everything has it; raises HallError when it cannot be replayed
        self.record: Callable[[str], Awaitable[Record]] | None = None
        self._at: str | None = None
        self._task: asyncio.Task[None] | None = None
        self._night_used = (0, 0.0)  # the day, and for how many seconds of it games were gone through unasked
        self._closed = False
        self._running = Running()

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return nothing: analyses are the hall's own words."""
        return {}

    async def open(self) -> None:
        """Go on with what waited when the hall stopped."""
        self.wake()

    def close(self) -> None:
        """Stop; what is not finished waits for the next start."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()

    # Asking ---------------------------------------------------------------------------------------------------------

    async def ask(self, user: int, id: str, game: str) -> Standing:
        """Put a game into the queue unless it is there, or done; return how it stands.

        The caller has made sure that the user may see the game, that it is finished and open. Raises HallError:
        LIMIT_REACHED when too many of theirs wait, RATE_LIMIT when the hall's queue is full.
        """
        now, edition = self._common.clock.now(), edition_of(game)

        def work(db: Connection) -> None:
            row = db.execute("SELECT state, edition FROM analyses WHERE id = ?", (id,)).fetchone()
            if row is not None and (row[0] == "waiting" or (row[0] == "done" and row[1] >= edition)):
                if row[0] == "waiting":
                    db.execute("UPDATE analyses SET by = ? WHERE id = ? AND by IS NULL", (user, id))
                return
            waiting = "SELECT count(*) FROM analyses WHERE state = 'waiting'"
            if db.execute(f"{waiting} AND by = ?", (user,)).fetchone()[0] >= self._numbers.waiting_own:
                raise HallError("LIMIT_REACHED", case="analyses", most=self._numbers.waiting_own)
            if db.execute(waiting).fetchone()[0] >= self._numbers.waiting:
                raise HallError("RATE_LIMIT", wait_ms=FULL_MS)
            sql = (
                "INSERT INTO analyses (id, game, state, asked, by) VALUES (?, ?, 'waiting', ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET state = 'waiting', asked = excluded.asked, by = excluded.by, tries = 0"
            )
            db.execute(sql, (id, game, now, user))

        await self._store.transaction(work)
        self.wake()
        return await self.standing(id, game)

    async def standing(self, id: str, game: str) -> Standing:
        """Return how it stands with the analysis of a game. An analysis of an older edition is as if it were none."""

        def work(db: Connection) -> Standing:
            sql = "SELECT state, edition, asked, by IS NULL, found FROM analyses WHERE id = ?"
            row = db.execute(sql, (id,)).fetchone()
            if row is None:
                return Standing("none")
            state, edition, asked, unasked, found = row
            if state == "done":
                return Standing("done", found=_opened(found)) if edition >= edition_of(game) else Standing("none")
            if state == "failed":
                return Standing("failed")
            ahead = db.execute(
                "SELECT count(*) FROM analyses WHERE state = 'waiting'"
                " AND (CASE WHEN by IS NULL THEN 1 ELSE 0 END, asked) < (?, ?)",
                (unasked, asked),
            ).fetchone()[0]
            return Standing("waiting", ahead=ahead)

        found = await self._store.read(work)
        if found.state == "waiting" and self._at == id:
            done, of = (self.analyst.progress(id) if self.analyst is not None else None) or (0, 0)
            return Standing("running", done=done, of=of)
        return found

    async def last(self, user: int, most: int) -> list[tuple[str, str]]:
        """Return the ids of somebody's last finished games that are not analysed yet, and which game each is."""
        sql = (
            "SELECT p.id, p.game FROM parts p LEFT JOIN analyses a ON a.id = p.id"
            " WHERE p.user = ? AND (a.id IS NULL OR a.state = 'failed') ORDER BY p.n DESC LIMIT ?"
        )
        rows = await self._store.read(lambda db: db.execute(sql, (user, most)).fetchall())
        return [(id, game) for id, game in rows if game in games.names() and games.find(game).analysis is not None]

    # Working --------------------------------------------------------------------------------------------------------

    def wake(self) -> None:
        """Begin to work, if nobody is at it."""
        if self._closed or self.analyst is None or (self._task is not None and not self._task.done()):
            return
        self._task = asyncio.get_running_loop().create_task(self._work())

    async def sweep(self) -> None:
        """At night, with nothing to do, take a game that nobody has asked for, within the hall's budget."""
        if not self._numbers.night_s or self._at is not None:
            return
        now = self._common.now
        day, used = self._night_used
        if day != now // 86400:
            self._night_used = now // 86400, 0.0
            used = 0.0
        if now // 3600 % 24 not in NIGHT or used >= self._numbers.night_s:
            return
        with_analysis = [name for name in games.names() if games.find(name).analysis is not None]

        def work(db: Connection) -> bool:
            holes = ", ".join("?" * len(with_analysis))
            sql = (
                "SELECT p.id, p.game FROM parts p JOIN games g ON g.id = p.id LEFT JOIN analyses a ON a.id = p.id"
                f" WHERE p.game IN ({holes}) AND p.at >= ? AND g.board IS NULL AND a.id IS NULL"
                " ORDER BY p.at DESC LIMIT 1"
            )
            row = db.execute(sql, (*with_analysis, now - 86_400)).fetchone()
            if row is None:
                return False
            db.execute(
                "INSERT INTO analyses (id, game, state, asked, by) VALUES (?, ?, 'waiting', ?, NULL)"
                " ON CONFLICT DO NOTHING",
                (*row, now * 1000),
            )
            return True

        if await self._store.transaction(work):
            self.wake()

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while not self._closed:
            row = await self._store.read(_next)
            if row is None:
                return
            id, game, unasked = row
            self._at = id
            began = loop.time()
            try:
                await self._store.transaction(partial(_tried, id=id))
                found = await self._gone_through(id)
                await self._store.transaction(partial(_kept, id=id, game=game, found=found))
            except asyncio.CancelledError:
                raise
            except Exception:  # the edge of the work: one game must not end the queue
                log.exception("the analysis of %s was not kept", id)
                await asyncio.sleep(1)
            finally:
                self._at = None
                if unasked:
                    self._night_used = self._night_used[0], self._night_used[1] + loop.time() - began

    async def _gone_through(self, id: str) -> Analysis | None:
        assert self.analyst is not None
        assert self.record is not None
        try:
            record = await self.record(id)
        except HallError:  # gone, or under rules that are no more
            return None
        return await self.analyst.analyse(record)

    # Reading --------------------------------------------------------------------------------------------------------

    async def deals(self, user: int, game: str | None = None) -> list[Deal]:
        """Return what the analyses of somebody's deals say of them, the newest first."""

        def work(db: Connection) -> list[Deal]:
            columns = ", ".join(Deal.__struct_fields__)
            sql = f"SELECT {columns} FROM skills WHERE user = ? AND (? IS NULL OR game = ?) ORDER BY at DESC LIMIT ?"
            return [Deal(*row) for row in db.execute(sql, (user, game, game, DEALS))]

        return await self._store.read(work)

    async def mistakes(self, user: int, game: str | None, most: int) -> list[tuple[str, int, int, float, str]]:
        """Return mistakes in somebody's last games, in each the worst first: id, row, seat, loss, the better choice."""

        def work(db: Connection) -> list[tuple[str, int, int, float, str]]:
            sql = (
                "SELECT p.id, p.seat, a.found FROM parts p JOIN analyses a ON a.id = p.id AND a.state = 'done'"
                " WHERE p.user = ? AND (? IS NULL OR p.game = ?) ORDER BY p.n DESC LIMIT ?"
            )
            return [
                (id, row.n, seat, row.loss, row.best)
                for id, seat, found in db.execute(sql, (user, game, game, LOOKED_AT))
                for row in sorted(_opened(found).rows, key=lambda row: -row.loss)
                if row.seat == seat and row.mark in ("mistake", "blunder")
            ]

        return (await self._store.read(work))[:most]

    async def running_like(self, record: Record) -> bool:
        """Tell whether a record agrees with a game that is going on: who asked about it would ask about that game."""
        return await self._store.read(partial(self._running.like, record=record))

    async def running_at(self, game: str, text: str) -> bool:
        """Tell whether a game of several people stands now where a position does."""
        return await self._store.read(partial(self._running.at, game=game, text=text))

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return what the analyses say of a user."""
        columns = Deal.__struct_fields__
        sql = f"SELECT {', '.join(columns)} FROM skills WHERE user = ? ORDER BY at, id"
        return {"skill.json": {"rows": [dict(zip(columns, row, strict=True)) for row in db.execute(sql, (user,))]}}

    async def erase(self, user: int) -> None:
        """Erase what the analyses say of somebody, and that they asked."""

        def work(db: Connection) -> None:
            db.execute("DELETE FROM skills WHERE user = ?", (user,))
            db.execute("UPDATE analyses SET by = NULL WHERE by = ?", (user,))

        await self._store.transaction(work)


def edition_of(game: str) -> int:
    """Return the edition of a game's analysis."""
    analysis = games.find(game).analysis
    return 0 if analysis is None else analysis.edition


def _opened(found: bytes) -> Analysis:
    return msgspec.json.decode(zlib.decompress(found), type=Analysis)


def _next(db: Connection) -> tuple[str, str, bool] | None:
    """Return the game that is next, and whether nobody has asked for it. What people ask for goes first."""
    sql = "SELECT id, game, by IS NULL FROM analyses WHERE state = 'waiting' ORDER BY by IS NULL, asked LIMIT 1"
    row = db.execute(sql).fetchone()
    return None if row is None else (row[0], row[1], bool(row[2]))


def _tried(db: Connection, id: str) -> None:
    """Note that a game is begun: one that kills the hall again and again is given up."""
    sql = (
        "UPDATE analyses SET tries = tries + 1, state = CASE WHEN tries >= ? THEN 'failed' ELSE state END WHERE id = ?"
    )
    db.execute(sql, (TRIES, id))


def _kept(db: Connection, id: str, game: str, found: Analysis | None) -> None:
    """Write down what was found; None: nothing can be."""
    if found is None:
        db.execute("UPDATE analyses SET state = 'failed' WHERE id = ?", (id,))
        return
    whole = zlib.compress(msgspec.json.encode(found))
    db.execute(
        "UPDATE analyses SET state = 'done', tries = 0, edition = ?, found = ? WHERE id = ?",
        (edition_of(game), whole, id),
    )
    accounts = {one.seat: one for one in found.accounts}
    db.execute("DELETE FROM skills WHERE id = ?", (id,))
    parts = db.execute("SELECT user, seat, at FROM parts WHERE id = ?", (id,)).fetchall()
    if parts and books.created(db, id).begun.placed:
        return  # a deal that somebody has set up says nothing of how people play (P-74)
    for user, seat, at in parts:
        one = accounts.get(seat)
        if one is None or not one.decisions:
            continue
        db.execute(
            "INSERT INTO skills VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                user,
                game,
                at,
                id,
                found.unit,
                one.decisions,
                one.loss,
                one.accuracy,
                one.result,
                one.skill,
                one.error if one.skill is not None else None,
                one.luck,
                one.dealt,
            ),
        )


def script() -> tuple[str, str]:
    """Return the name and the SQL of the analyses."""
    return script_of("analyses")
