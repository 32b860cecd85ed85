"""The steps of first lessons that people have done (platform P-73); what a browser kept of a guest is merged in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from qipai import games
from qipai.community.common import Common
from qipai.community.contract import Piece
from qipai.community.script import script_of
from qipai.store import Connection

__all__ = ["LessonService", "script", "steps_of"]


@cache
def steps_of(game: str) -> tuple[str, ...]:
    """Return the names of the steps of a game's first lesson, in order; none where it has none."""
    lesson = games.find(game).lesson if game in games.names() else None
    return () if lesson is None else tuple(step.name for step in lesson.steps)


class LessonService:
    """Keeps what steps somebody has done. Done is done: two devices never take anything from each other."""

    def __init__(self, common: Common) -> None:
        self._common = common

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return nothing: no text of people is in it."""
        return {}

    async def open(self) -> None:
        """Load nothing."""

    async def of(self, user: int) -> dict[str, list[str]]:
        """Return the steps that somebody has done, by game, in the order of the lesson."""
        return await self._common.store.read(lambda db: _done(db, user))

    async def add(self, user: int, done: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """Add steps, and return all that are done then. What is no step of a lesson (any more) is left out."""
        now = self._common.now
        rows = [
            (user, game, step, now)
            for game, steps in done.items()
            for step in steps_of(game)  # in this order, so that no more rows than steps are ever written
            if step in steps
        ]

        def work(db: Connection) -> dict[str, list[str]]:
            db.executemany("INSERT INTO lesson_steps VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", rows)
            return _done(db, user)

        return await self._common.store.transaction(work)

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return the steps that somebody has done."""
        rows = db.execute("SELECT game, step, at FROM lesson_steps WHERE user = ? ORDER BY at, game, step", (user,))
        return {"lessons.json": {"rows": [{"game": game, "step": step, "at": at} for game, step, at in rows]}}

    async def erase(self, user: int) -> None:
        """Erase what somebody has done."""
        sql = "DELETE FROM lesson_steps WHERE user = ?"
        await self._common.store.transaction(lambda db: db.execute(sql, (user,)).rowcount)


def _done(db: Connection, user: int) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for game, step in db.execute("SELECT game, step FROM lesson_steps WHERE user = ?", (user,)):
        found.setdefault(game, set()).add(step)
    in_order = {game: [step for step in steps_of(game) if step in steps] for game, steps in found.items()}
    return {game: steps for game, steps in in_order.items() if steps}


def script() -> tuple[str, str]:
    """Return the name and the SQL of the lessons' tables."""
    return script_of("lessons")
