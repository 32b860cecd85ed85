"""The hall of `qipai serve` with a clock that stands still, and cards that are stacked where a walk needs them.

A program, not a module of tests: `python standing.py NOW LUCK serve --port 0 --data DIR`. All else is the server as it
is: its process, its sockets, its file. It reads commands from stdin and answers each with a line `now MS`:

    jump MS   time passes; what is due happens at its time, in order
    skip MS   so much time is gone at once; what was due meanwhile happens after it
    next      time passes until something is due, and that happens

LUCK: a JSON object game -> action; a deal of that game begins with this action instead of a shuffled one. Such a deal
does not verify (platform P-92), and only a walk that is about something else asks for it.
"""

from __future__ import annotations

import asyncio
import heapq
import json
import sys
from collections.abc import Callable
from itertools import count
from typing import Any

from qipai import cli, games
from qipai.config import Config
from qipai.web import house
from qipai.web.clock import Clock

NOW = int(sys.argv[1])


class Still(Clock):
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        super().__init__()
        self.time = NOW
        self.calls: list[tuple[int, int, list[Callable[[], None]]]] = []
        self._order = count()

    def now(self) -> int:
        return self.time

    def call_at(self, when: int, call: Callable[[], None]) -> Callable[[], None]:
        held = [call]
        heapq.heappush(self.calls, (when, next(self._order), held))
        return held.clear

    def not_before(self, at: int) -> None:
        """The walk says what time it is."""

    def leap(self) -> int | None:
        return None

    def steer(self) -> int:
        return 0


class Standing(house.House):
    """A house whose time passes when it is told to."""

    def __init__(self, data: Any, config: Config, **more: Any) -> None:
        self._still = Still()
        self._said: asyncio.Queue[str] = asyncio.Queue()
        self._listener: asyncio.Task[None] | None = None
        super().__init__(data, config, **more, wall=self._still)

    async def open(self) -> None:
        await super().open()
        asyncio.get_running_loop().add_reader(sys.stdin, lambda: self._said.put_nowait(sys.stdin.readline()))
        self._listener = asyncio.create_task(self._obey())

    async def shut(self, stored: Any = None) -> None:
        asyncio.get_running_loop().remove_reader(sys.stdin)
        if self._listener is not None:
            self._listener.cancel()
        await super().shut(stored)

    async def _obey(self) -> None:
        still = self._still
        while True:
            verb, *ms = (await self._said.get()).split() or ["end"]
            if verb == "end":
                return
            await self._rest()
            if verb == "skip":
                still.time += int(ms[0])
            due = self._due()
            then = still.time + int(ms[0]) if verb == "jump" else still.time if verb == "skip" else due or still.time
            while due is not None and due <= then:
                _, _, held = heapq.heappop(still.calls)
                still.time = max(still.time, due)
                for call in held:
                    call()
                await self._rest()
                due = self._due()
            still.time = then
            print(f"now {still.time}", flush=True)

    def _due(self) -> int | None:
        still = self._still
        while still.calls and not still.calls[0][2]:
            heapq.heappop(still.calls)
        return still.calls[0][0] if still.calls else None

    async def _rest(self) -> None:
        await asyncio.sleep(0)
        await self.hall.runner.rest()


def stack(luck: dict[str, Any]) -> None:
    """Let deals of some games begin with what is given."""
    for game, first in luck.items():
        entry = games.find(game)
        rules: Any = entry.rules
        drawn, action = rules.chance, entry.act(first)

        def chance(self: Any, state: Any, rng: Any, drawn: Any = drawn, action: Any = action) -> Any:
            found = drawn(self, state, rng)
            return action if type(found) is type(action) else found

        rules.chance = chance


stack(json.loads(sys.argv[2]))
house.House = Standing  # type: ignore[misc]  # what `serve` makes
sys.exit(cli.main(sys.argv[3:]))
