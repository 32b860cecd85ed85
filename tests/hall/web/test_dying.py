"""Lines that die hard, many at once, and halls that restart under their people: nobody else notes, no seat is lost.

Real sockets, a proxy in the middle, the event loops and the compression that a hall can have. Each test takes a number
of rounds: a few here; hundreds of them were run by hand (QIPAI_ROUNDS).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.between import Between
from tests.client import Person, Server, Table
from tests.hall.web.conftest import SETTINGS, run
from websockets.asyncio.client import ClientConnection, connect

pytestmark = pytest.mark.slow

ROUNDS = int(os.environ.get("QIPAI_ROUNDS", "2"))
PAIRS = 8 if ROUNDS > 2 else 4
KINDS = ["uvloop", "uvloop-deflate", "asyncio", "asyncio-deflate"] if ROUNDS > 2 else ["uvloop", "asyncio-deflate"]
PLAIN = "import runpy, sys; sys.modules['uvloop'] = None; runpy.run_module('qipai', run_name='__main__')"


class Loop(Server):
    """A hall on one of the event loops, compressing what it says or not."""

    def __init__(self, data: Path, kind: str) -> None:
        self.loop, _, self.deflate = kind.partition("-")
        super().__init__(data, f"{SETTINGS}[web]\ndeflate = {str(bool(self.deflate)).lower()}\n")

    def program(self) -> list[str]:
        return [sys.executable, "-c", PLAIN] if self.loop == "asyncio" else super().program()

    def person(self, seed: int, url: str | None = None) -> Person:
        """Return somebody who comes here, perhaps through another address."""
        one = Person(url or self, seed=seed)
        one.compression = self.deflate or None
        return one


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Loop]:
    with Loop(tmp_path / "hall", request.param) as found:
        yield found
        assert found.stop() == 0
        assert "Traceback" not in found.complaints(), found.complaints()[:2000]


async def guests(server: Loop, count: int, url: str | None = None) -> list[Person]:
    people = [server.person(n, url) for n in range(count)]
    for one in people:
        await one.guest()
        await one.line()
    return people


async def pair(first: Person, second: Person) -> int:
    """Let two people play xiangqi without a clock."""
    long = {"repetition_count": 5, "move_limit": 0}  # the game does not end soon
    body = {"game": "xiangqi", "clock": {"type": "none"}, "options": long}
    table: int = (await first.post("/tables", body))["table"]
    for seat, one in enumerate((first, second)):
        await one.command("sit", table=table, seat=seat)
    for one in (first, second):
        await one.command("ready", table=table, on=True)
    await first.tables[table].until(lambda t: t.info["state"] == "playing")
    return table


def some(table: Table, n: int) -> Any:
    """Return an action of those listed."""
    listed = table.legal["list"]
    return listed[(n * 7) % len(listed)]


def online(person: Person) -> set[int]:
    """Return who is online, as one who follows the list has been told."""
    found: set[int] = set()
    for message in person.other:
        if message["t"] == "list" and message["list"] == "online":
            found = set() if message["whole"] else found
            found = (found | {row["user"]["id"] for row in message["rows"]}) - set(message["gone"])
    return found


def presences(table: Table) -> list[str]:
    return [seat["presence"] for seat in table.seats]


def my_id(person: Person) -> int:
    assert person.user is not None
    return int(person.user["id"])


async def close(*people: Person) -> None:
    for one in people:
        await one.close()


def test_a_proxy_that_dies_takes_only_its_own_lines(server: Loop) -> None:
    """Everybody sits at one table, watches others, is in a room and follows a list, all through one proxy."""

    async def visit() -> None:
        proxy = await Between(server.port).open()
        people = await guests(server, 2 * PAIRS, proxy.url)
        tables = [await pair(*people[n : n + 2]) for n in range(0, 2 * PAIRS, 2)]
        room = people[0].tables[tables[0]].info["room"]
        [witness] = await guests(server, 1)
        await witness.say({"t": "follow", "list": "online", "on": True})
        seen = [await witness.join(table) for table in tables]
        everybody = {my_id(one) for one in (witness, *people)}
        for n in range(ROUNDS):
            for at, one in enumerate(people):
                await one.say({"t": "enter", "room": room})
                await one.say({"t": "follow", "list": "online", "on": True})
                for further in range(1, 4):
                    await one.join(tables[(at // 2 + further) % PAIRS])
            trips = [one.trips for one in people]
            proxy.die(reset=bool(n % 2))
            for table in seen:
                await table.until(lambda t: presences(t) == ["grace", "grace"])
            await witness.until(lambda: online(witness) == {my_id(witness)})
            await proxy.open()
            for one, trip in zip(people, trips, strict=True):
                await one.until(lambda one=one, trip=trip: one.trips > trip and one._up)  # type: ignore[misc]
            for table in seen:
                await table.until(lambda t: presences(t) == ["online", "online"])
            await witness.until(lambda: online(witness) == everybody)
        assert witness.trips == 1
        await close(witness, *people)
        proxy.die(reset=False)

    run(visit)


async def strangers(server: Loop, tables: list[int], room: int, count: int) -> list[ClientConnection]:
    """Return lines of nobody that look at tables and are in a room."""
    found = []
    for _ in range(count):
        ws = await connect(
            f"ws{server.url.removeprefix('http')}/ws", compression=server.deflate or None,
            ping_interval=None, proxy=None,
        )  # fmt: skip
        await ws.send('{"t":"hello","v":1}')
        for table in tables:
            await ws.send(json.dumps({"t": "join", "table": table}))
        await ws.send(json.dumps({"t": "enter", "room": room}))
        found.append(ws)
    return found


async def attack(ws: ClientConnection, tables: list[int], how: int) -> None:
    """Break a line: too big a frame, a heap of joins and a reset, a reset inside a frame, bytes that are none."""
    with contextlib.suppress(Exception):
        if how == 0:
            await ws.send("x" * 17_000)
            return
        if how == 1:
            for n in range(25):
                await ws.send(json.dumps({"t": "join", "table": tables[n % len(tables)]}))
        elif how == 2:
            ws.transport.write(b"\x81\xfe\x10\x00abcd" + b"x" * 50)
        else:
            ws.transport.write(b"\xff\xff\xff\xff")
            return
        ws.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        ws.transport.abort()


def test_strangers_who_break_their_lines_break_no_others(server: Loop) -> None:
    async def visit() -> None:
        people = await guests(server, 6)
        tables = [await pair(*people[n : n + 2]) for n in (0, 2)]
        room = people[0].tables[tables[0]].info["room"]
        for one in people:
            await one.say({"t": "enter", "room": room})
            await one.say({"t": "follow", "list": "online", "on": True})
            for table in tables:
                await one.join(table)
        for n in range(ROUNDS):
            lines = await strangers(server, tables, room, 8)
            mover = n % 2
            moves = [
                people[2 * at + mover].tables[table].act(some(people[2 * at + mover].tables[table], n))
                for at, table in enumerate(tables)
            ]
            attacks = [attack(ws, tables, (n + at) % 4) for at, ws in enumerate(lines)]
            await asyncio.gather(*attacks[:4], *moves, *attacks[4:])
            victim = server.person(100 + n)
            await victim.guest()
            await victim.line()
            for table in tables:
                await victim.join(table)
            for one in people:
                await one.settle()
            assert all(len(one.tables[table].view["plies"]) == n + 1 for one in people for table in tables)
            assert victim.trips == 1
            await close(victim)
            for ws in lines:
                ws.transport.abort()
        assert [one.trips for one in people] == [1] * len(people)
        everybody = {my_id(one) for one in people}
        await people[0].until(lambda: online(people[0]) == everybody)
        await close(*people)

    run(visit)


def test_a_hall_that_restarts_takes_nobodys_seat(tmp_path: Path) -> None:
    """In good order and by force, in turn, under people at tables in every state, half of them behind a proxy."""

    async def visit(server: Loop) -> None:
        proxy = await Between(server.port).open()
        people = [*await guests(server, 5), *await guests(server, 5, proxy.url)]
        people = [one for two in zip(people[:5], people[5:], strict=True) for one in two]
        clock = {"type": "none"}
        seats: list[tuple[Person, int]] = []
        playing = await pair(*people[:2])
        waiting = (await people[2].post("/tables", {"game": "xiangqi", "clock": clock}))["table"]
        between = await pair(*people[4:6])
        await people[4].tables[between].act({"a": "resign"})
        for seat in (0, 1):
            await people[2 + seat].command("sit", table=waiting, seat=seat)
        for at, table in enumerate((playing, waiting, between)):
            seats += [(people[2 * at], table), (people[2 * at + 1], table)]
        alone = [("gouji", people[6]), ("mahjong", people[7]), ("backgammon", people[8]), ("lianliankan", people[9])]
        for game, one in alone:
            table = (await one.post("/play", {"game": game, "clock": clock}))["table"]
            await one.join(table)
            seats.append((one, table))
        before = {(my_id(one), table): one.tables[table].seat for one, table in seats}
        for n in range(max(2, ROUNDS // 2)):
            for on in (False, True):
                await people[2].command("ready", table=waiting, on=on)  # the other one is waited for anew
            trips = [one.trips for one in people]
            if n % 2:
                server.kill()
            else:
                assert server.stop() == 0
            await asyncio.to_thread(server.start)
            for one, trip in zip(people, trips, strict=True):
                await one.until(lambda one=one, trip=trip: one.trips > trip and one._up)  # type: ignore[misc]
            for one, table in seats:
                joined = await one.join(table)
                assert joined.seat == before[my_id(one), table], (n, my_id(one), table)
                mine = joined.seat
                await joined.until(lambda t, mine=mine: t.seats[mine]["presence"] == "online")  # type: ignore[misc]
                assert set(one.welcome["tables"]) == {table}
            mover = people[n % 2]
            await mover.tables[playing].act(some(mover.tables[playing], n))
        await close(*people)
        proxy.die(reset=False)

    with Loop(tmp_path / "hall", "uvloop") as server:
        run(lambda: visit(server))
        assert server.stop() == 0
        assert server.complaints() == ""


def test_refusals_come_in_the_order_of_their_causes(server: Loop) -> None:
    """Good and bad commands without waiting for the answers: each is answered in its turn (13.1)."""

    async def visit() -> None:
        people = await guests(server, 2)
        table = await pair(*people)
        for n in range(3 * ROUNDS):
            one = people[n % 2]
            good = some(one.tables[table], n)
            start = len(one.traffic)
            sent: list[Any] = [{"a": "move", "m": "a0a9"}, {"a": "nonsense"}, good, good, [1]]
            for at, action in enumerate(sent):
                await one.say({"t": "act", "cid": f"order-{n}-{at}", "table": table, "action": action})
            names = [f"order-{n}-{at}" for at in range(len(sent))]
            await one.until(
                lambda one=one, start=start, last=names[-1]: any(last in each for each in one.traffic[start:])  # type: ignore[misc]
            )
            answers = [json.loads(each) for each in one.traffic[start:]]
            answers = [each for each in answers if each["t"] in ("ack", "err")]
            assert [each["cid"] for each in answers] == names
            assert [each["t"] for each in answers] == ["err", "err", "ack", "err", "err"]
            assert (answers[-1]["code"], answers[-1]["facts"]) == ("BAD_MESSAGE", {"field": "action"})
            for each in people:
                await each.tables[table].until(lambda t, n=n: len(t.view["plies"]) == n + 1)  # type: ignore[misc]
        await close(*people)

    run(visit)
