"""A store whose process can be killed: at a planted commit everything stops, and what was not written is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

from qipai.store import Connection, LogEntry, Sqlite

__all__ = ["Mortal"]

T = TypeVar("T")


class Mortal(Sqlite):
    """A store that dies when it is told to, as by kill -9.

    Whatever waits for a dead store waits for ever: nobody hears that a commit was made or lost. So everything that
    used it has to be cancelled, and the file is opened anew.
    """

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.commits = 0  # asked for since it was opened
        self.died = asyncio.Event()
        self._at: int | None = None
        self._when: Literal["before", "behind"] = "before"

    async def open(self) -> None:
        """Open it without waiting for the disk: what a killed process has written stays, only the machine lives on."""
        await super().open()
        assert self._db is not None
        self._db.execute("PRAGMA synchronous=OFF")

    def plant(self, commits: int, when: Literal["before", "behind"]) -> None:
        """Let it die at a commit, after so many others. before: that commit is lost; behind: it is made, unheard."""
        self._at, self._when = self.commits + commits, when

    def spare(self) -> None:
        """Let it live."""
        self._at = None

    @property
    def dead(self) -> bool:
        """Tell whether it has died."""
        return self.died.is_set()

    def append(
        self, events: Sequence[LogEntry], now: int, with_projections: Callable[[Connection], None] | None = None
    ) -> asyncio.Future[int]:
        """Write events, unless it dies."""
        return self._mortal(lambda: super(Mortal, self).append(events, now, with_projections))

    def transaction(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Do the work, unless it dies."""
        return self._mortal(lambda: super(Mortal, self).transaction(work))

    def read(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Read, unless it is dead."""
        return _never() if self.dead else super().read(work)

    def _mortal(self, commit: Callable[[], asyncio.Future[T]]) -> asyncio.Future[T]:
        if self.dead:
            return _never()
        self.commits += 1
        if self._at is None or self.commits <= self._at:
            return commit()
        if self._when == "before":
            self.died.set()
        else:
            written = commit()
            written.add_done_callback(self._heard)
        return _never()

    def _heard(self, written: asyncio.Future[Any]) -> None:
        if not written.cancelled():
            written.exception()  # nobody hears of it
        self.died.set()


def _never() -> asyncio.Future[Any]:
    return asyncio.get_running_loop().create_future()
