"""What the walks of platform section 18 share: a hall whose clock they move, its people, and how they play."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing, suppress
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.client import PATIENCE, Person, Refused, Server, Table
from tests.hall.nodes import Halls
from tests.hall.web.conftest import SETTINGS

from qipai import cli

__all__ = [
    "START",
    "Hall",
    "begun",
    "caught_up",
    "keeper",
    "people",
    "play_on",
    "play_out",
    "refusal",
    "room",
    "seated",
    "standing",
]

START = 1_790_000_000_000
STANDING = Path(__file__).with_name("standing.py")


class Hall(Server):
    """A hall in its own process whose clock stands still until it is told to jump. luck: see standing.py."""

    def __init__(self, data: Path, settings: str = "", *, luck: dict[str, Any] | None = None) -> None:
        super().__init__(data, SETTINGS + settings)
        self.luck = luck or {}
        self._file = data.with_name(f"{data.name}.now")
        self._told = count(1)
        self.now = START

    @property
    def now(self) -> int:
        """Return what time it is there."""
        return self._now

    @now.setter
    def now(self, at: int) -> None:
        self._now = at
        self._file.write_text(str(at))

    def program(self) -> list[str]:
        return [sys.executable, "-P", str(STANDING), str(self._file), json.dumps(self.luck)]

    async def jump(self, ms: int) -> None:
        """Let time pass; what is due happens at its time, in order."""
        await self._tell(verb="jump", to=self.now + ms)

    async def skip(self, ms: int) -> None:
        """Let days pass at once; what was due meanwhile happens after them."""
        await self._tell(verb="skip", to=self.now + ms)

    async def next(self) -> None:
        """Let time pass until something is due."""
        await self._tell(verb="next")

    async def _tell(self, **words: Any) -> None:
        self._now = await asyncio.to_thread(self._answered, json.dumps({"n": next(self._told), **words}))

    def _answered(self, words: str) -> int:
        """Say it until it is answered: where the node that leads dies on the way, the next one goes on with it."""
        end = time.monotonic() + PATIENCE
        while True:
            line = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            with closing(line), suppress(OSError, HTTPException):
                line.request("POST", "/standing", words)
                answer = line.getresponse()
                said = answer.read()
                if answer.status == 200:
                    return int(json.loads(said)["now"])
            assert time.monotonic() < end, self.complaints()
            time.sleep(0.02)


class Spread(Halls, Hall):
    """Such a hall on several nodes."""

    def __init__(self, data: Path, settings: str, count: int, every_s: float, luck: dict[str, Any] | None) -> None:
        super().__init__(data, settings, count, every_s)
        self.luck = luck or {}
        for node in self.cluster.nodes:
            node.program = self.program()


def standing(
    request: pytest.FixtureRequest, data: Path, settings: str = "", *, luck: dict[str, Any] | None = None
) -> Hall:
    """Return a hall whose clock stands still, on as many nodes as this run is to have."""
    count, dying = request.config.getoption("nodes"), request.config.getoption("dying")
    return Hall(data, settings, luck=luck) if count == 1 else Spread(data, settings, count, dying, luck)


@asynccontextmanager
async def people(hall: Server, *names: str) -> AsyncIterator[list[Person]]:
    """New users with open lines."""
    found = [Person(hall, seed=n) for n in range(len(names))]
    try:
        for person, name in zip(found, names, strict=True):
            await person.register(name)
            await person.line()
        yield found
    finally:
        for person in found:
            await person.close()


@asynccontextmanager
async def keeper(hall: Server, role: str = "admin") -> AsyncIterator[Person]:
    """Somebody who keeps the house: an administrator, or a moderator."""
    async with Person(hall) as person:
        await person.register(f"keeper-{role}")
        assert cli.main(["role", f"keeper-{role}", role, "--data", str(hall.data)]) == 0
        yield await person.line()


async def room(person: Person, game: str, kind: str, name: str | None = None) -> int:
    """Return the number of a game's room; name: the English one, where there are two of a kind."""
    rows = (await person.get(f"/rooms?game={game}"))["rows"]
    return int(next(row["room"] for row in rows if row["kind"] == kind and name in (None, row["name"]["en"])))


async def seated(people: Sequence[Person], at: int, order: Sequence[int] | None = None) -> list[Table]:
    """Let people sit down, the n-th on seat n, in an order; return the tables as they see them."""
    for seat in order or range(len(people)):
        await people[seat].command("sit", table=at, seat=seat)
    tables = [person.tables[at] for person in people]
    for table in tables:  # who sits at another node may be told a moment later
        await table.until(lambda t: all(chair["user"] for chair in t.seats[: len(people)]))
    return tables


async def begun(hall: Hall, tables: Sequence[Table]) -> None:
    """Let all be ready, and wait until the cards are dealt."""
    last = [table.game and table.game["game_id"] for table in tables if table.info["state"] != "open"]
    for table in tables:
        await table.do("ready", on=True)
    for table in tables:
        await table.until(lambda t: t.info["state"] == "playing" and t.view and t.game["game_id"] not in last)
    await hall.jump(0)  # what follows at once has happened then
    await caught_up(tables)


async def caught_up(tables: Sequence[Table]) -> None:
    """Wait until everything the hall has said is with everybody."""
    await asyncio.gather(*(table.person.settle() for table in tables))


async def refusal(person: Person, kind: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    """Give a command that must be refused; return why."""
    try:
        await person.command(kind, **fields)
    except Refused as refused:
        return refused.code, refused.facts
    raise AssertionError(f"{kind} {fields} was not refused")


async def play_on(hall: Hall, tables: Sequence[Table], luck: random.Random, *, patient: bool = False) -> bool:
    """Let somebody who is asked do anything listed; else let time pass. Return whether anybody did something.

    patient: where nobody here is asked, no time passes.
    """
    await caught_up(tables)
    asked = [table for table in tables if table.ask and table.legal and table.legal["list"] and not table.result]
    if not asked:
        if not patient:
            await hall.next()
        return False
    table = luck.choice(asked)
    try:
        await table.act(luck.choice(table.legal["list"]))
    except Refused as refused:
        if refused.code in ("hasty", "erred"):  # a race: there is a pause after each link
            await hall.jump(1000)
        elif refused.code != "STALE":
            raise
    return True


async def play_out(hall: Hall, tables: Sequence[Table], luck: random.Random) -> dict[str, Any]:
    """Play a deal to its end by programs that know no rule; return the result."""
    for _ in range(20_000):
        if tables[0].result:
            break
        await play_on(hall, tables, luck)
    for table in tables:
        await table.until(lambda t: t.result)
    found: dict[str, Any] = tables[0].result
    return found
