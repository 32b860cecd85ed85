"""Those who attack a hall in `qipai bench load --attackers`: a process of its own that goes on until its input ends.

    python -m qipai.bench.attackers HOST PORT

HOST is an address of this machine that the hall takes for somebody else's. Then it prints what was done, as JSON: for
each way of attacking how often it was carried out and how often the hall refused, hung up or was not there.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import struct
import sys
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any, Final

from qipai.bench.lines import Line, connect

__all__ = ["PLACES", "WAYS", "Attackers"]

PLACES: Final = 50  # other addresses that attackers come from, behind a proxy that the hall believes
PATIENCE_S: Final = 20.0
HELLO: Final = b'{"t":"hello","v":1}'
WRONG: Final = (OSError, EOFError, TimeoutError, asyncio.IncompleteReadError, ValueError)


class Refused(Exception):
    """The hall refused."""


class Attackers:
    """All attackers."""

    def __init__(self, host: str, port: int, seed: int = 1) -> None:
        self.host, self.port = host, port
        self.luck = random.Random(seed)
        self.tables: list[int] = [1]  # that anybody may watch
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    async def ask(self, method: str, path: str, body: Any = None, token: str = "", place: int = 0) -> Any:
        """Return the answer of a call, from one of the places; raises Refused for an error. place: 0 is our own."""
        text = b"" if body is None else json.dumps(body).encode()
        head = f"{method} /api/v1{path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nConnection: close\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        if place:
            head += f"X-Forwarded-For: 198.51.100.{place}\r\n"
        reader, writer = await asyncio.open_connection("127.0.0.1" if place else self.host, self.port)
        try:
            writer.write(f"{head}\r\n".encode() + text)
            async with asyncio.timeout(PATIENCE_S):
                found = await reader.read()
        finally:
            writer.transport.abort()
        status, _, answer = found.partition(b"\r\n\r\n")
        if not status.startswith(b"HTTP/1.1 2"):
            raise Refused
        return json.loads(answer)

    def place(self) -> int:
        """Return the place where the next attacker comes from."""
        return self.luck.randrange(PLACES + 1)

    def table(self) -> int:
        """Return any table."""
        return self.luck.choice(self.tables)

    async def line(self) -> Line:
        """Return a line of a client that is not signed in."""
        line = await connect(self.host, self.port, lambda line, text: None)
        line.send(HELLO)
        return line

    async def floods(self) -> None:
        """Say more than anybody may, all at once."""
        line = await self.line()
        for n in range(1000):
            line.send(b'{"t":"ping","n":1}' if n % 2 else b'{"t":"join","table":%d}' % self.table())
        await self.over(line)

    async def frames(self) -> None:
        """Watch tables, then send a frame too big, bytes that are none, or a reset in the middle of one."""
        line = await self.line()
        for _ in range(8):
            line.send(b'{"t":"join","table":%d}' % self.table())
        how = self.luck.randrange(4)
        transport = line.transport
        if how == 0:
            line.send(b"x" * 17_000)
        elif how == 1:
            transport.write(b"\xff\xff\xff\xff")
        else:
            if how == 2:
                transport.write(b"\x81\xfe\x10\x00abcd" + b"x" * 50)
            own = transport.get_extra_info("socket")
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            await asyncio.sleep(0.01)
            transport.abort()
        await self.over(line)

    async def readers(self) -> None:
        """Watch tables and read nothing of what comes."""
        line = await self.line()
        line.transport.pause_reading()
        for _ in range(20):
            line.send(b'{"t":"join","table":%d}' % self.table())
        await asyncio.sleep(30)
        line.close()

    async def heads(self) -> None:
        """Send half the head of a request and wait."""
        await self.half(b"GET /api/v1/rooms HTTP/1.1\r\nHost: x\r\nX-Slow: ", 60)

    async def bodies(self) -> None:
        """Announce a large body and send it a byte at a time."""
        await self.half(b"POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n", 60)

    async def half(self, text: bytes, seconds: int) -> None:
        """Send a piece, then a byte a second until the hall hangs up."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            writer.write(text)
            for _ in range(seconds):
                try:
                    async with asyncio.timeout(1):
                        await reader.read()
                    raise Refused
                except TimeoutError:
                    writer.write(b"a")
        finally:
            writer.transport.abort()

    async def logins(self) -> None:
        """Try a wrong password of one name, or any name, from one place or many."""
        name = "keeper" if self.luck.random() < 0.5 else f"name{self.luck.randrange(40)}"
        password = f"wrong {self.luck.randrange(10**6)}"
        await self.ask("POST", "/login", {"name": name, "password": password}, place=self.place())

    async def guests(self) -> None:
        """Come in as a guest, open tables, and begin games against bots that nobody plays."""
        place = self.place()
        token = (await self.ask("POST", "/guest", {"token": True}, place=place))["token"]
        for game in ("gouji", "mahjong", "xiangqi"):
            for path in ("/tables", "/play"):
                self.tables.append((await self.ask("POST", path, {"game": game}, token, place))["table"])
        del self.tables[:-200]

    async def calls(self) -> None:
        """Ask for what takes long."""
        for path in ("/rooms", "/games", "/rankings", "/statistics"):
            await self.ask("GET", path, place=self.place())

    async def over(self, line: Line) -> None:
        """Wait until the hall has hung up, or for a while."""
        for _ in range(50):
            if line.lost:
                raise Refused
            await asyncio.sleep(0.1)
        line.close()

    async def go(self, name: str, way: Callable[[Attackers], Coroutine[Any, Any, None]], per_s: float) -> None:
        """Attack in one way, so often, without waiting for what came before."""
        running: set[asyncio.Task[None]] = set()

        async def once() -> None:
            self.done[name] += 1
            try:
                await way(self)
            except (Refused, *WRONG):
                self.refused[name] += 1

        while True:
            task = asyncio.create_task(once())
            running.add(task)
            task.add_done_callback(running.discard)
            await asyncio.sleep(self.luck.expovariate(per_s))


WAYS: Final[dict[str, tuple[Callable[[Attackers], Coroutine[Any, Any, None]], float]]] = {
    # name: how, and how often a second
    "floods": (Attackers.floods, 2),
    "broken frames and resets": (Attackers.frames, 10),
    "who reads nothing": (Attackers.readers, 1),
    "half a head": (Attackers.heads, 10),
    "half a body": (Attackers.bodies, 5),
    "wrong passwords": (Attackers.logins, 5),
    "guests, tables and games that nobody plays": (Attackers.guests, 2),
    "calls": (Attackers.calls, 5),
}


async def main(host: str, port: int) -> None:
    """Attack until the input ends."""
    attackers = Attackers(host, port)
    tasks = [asyncio.create_task(attackers.go(name, way, per_s)) for name, (way, per_s) in WAYS.items()]
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    print(json.dumps({name: [attackers.done[name], attackers.refused[name]] for name in WAYS}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
