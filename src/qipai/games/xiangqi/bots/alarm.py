"""Ends searches in time: one thread waits while the others compute."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from qipai.core.kernel import Buffer
from qipai.games.xiangqi.bots.engine import STOP

__all__ = ["Alarm"]


class Alarm:
    """Stops the searches of all threads at their times.

    There is one thread for all, and nobody waits for it: on a busy machine a thread of its own for each search would
    cost that search more than its time, since it must be given a processor to begin and once more to end.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._due: dict[object, tuple[float, Buffer]] = {}
        self._thread: threading.Thread | None = None

    @contextmanager
    def after(self, ms: int, reg: Buffer) -> Iterator[None]:
        """Stop the search with these registers so many ms from now, if it is still within this context then."""
        search = object()
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="alarm", daemon=True)
                self._thread.start()
            self._due[search] = time.monotonic() + ms / 1000, reg
            self._changed.notify()
        try:
            yield
        finally:
            with self._changed:  # from here on it cannot stop the next search
                self._due.pop(search, None)

    def _watch(self) -> None:
        with self._changed:
            while True:
                now = time.monotonic()
                for search, (when, reg) in list(self._due.items()):
                    if when <= now:
                        reg[STOP] = 1  # the search looks at it at every node
                        del self._due[search]
                self._changed.wait(min(when for when, _ in self._due.values()) - now if self._due else None)
