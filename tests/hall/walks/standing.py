"""The hall of `qipai serve` with a clock that stands still, and cards that are stacked where a walk needs them.

A program, not a module of tests: `python standing.py FILE LUCK serve --port 0 --data DIR`. All else is the server as it
is: its process, its sockets, its file. `POST /standing` moves the clock, and answers `{"now": MS}`:

    {"n": N, "verb": "jump", "to": MS}   time passes until then; what is due happens at its time, in order
    {"n": N, "verb": "skip", "to": MS}   it is so late at once; what was due meanwhile happens after it
    {"n": N, "verb": "next"}             time passes until something is due, and that happens

FILE: holds what time it is, for all nodes of a hall: one that begins to lead goes on from there. Who is told again what
another node has begun carries out what is left of it; what carries the same number as the last is done once.

LUCK: a JSON object game -> action; a deal of that game begins with this action instead of a shuffled one. Such a deal
does not verify (platform P-92), and only a walk that is about something else asks for it.
"""

from __future__ import annotations

import asyncio
import heapq
import json
import os
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse

from qipai import cli, games
from qipai.config import Config
from qipai.web import house
from qipai.web.clock import Clock

FILE = Path(sys.argv[1])


class Still(Clock):
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self._file = os.open(FILE, os.O_RDWR)
        super().__init__()
        self.calls: list[tuple[int, int, list[Callable[[], None]]]] = []
        self._order = count()

    def begin(self) -> None:
        super().begin()
        self.time = int(os.pread(self._file, 20, 0))

    def move(self, to: int) -> None:
        """Let it be this time, here and in the file, before anything happens at it."""
        if to > self.time:
            os.pwrite(self._file, b"%d" % to, 0)
            self.time = to

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
        self._moving = asyncio.Lock()
        self._last = 0  # the number of what it was told last
        super().__init__(data, config, **more, wall=self._still)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["path"] != "/standing":
            await super().__call__(scope, receive, send)
            return
        told = await Request(scope, receive).json()
        async with self._moving:
            if told["n"] != self._last:
                await self._move(told["verb"], told.get("to"))
                self._last = told["n"]
        await JSONResponse({"now": self._still.time})(scope, receive, send)

    async def _move(self, verb: str, to: int | None) -> None:
        still = self._still
        await self._rest()
        if verb == "skip":
            still.move(to or 0)
        due = self._due()
        then = to or due or still.time
        while due is not None and due <= then:
            _, _, held = heapq.heappop(still.calls)
            still.move(due)
            for call in held:
                call()
            await self._rest()
            due = self._due()
        still.move(then)

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
