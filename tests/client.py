"""A client of the hall that speaks platform 13.1 and 13.2 and nothing else: no line of it knows a game or the server.

`Server` is a hall in a process of its own, `Person` somebody at it: HTTP calls, and one line that mends itself as the
specification says (¼ s doubled to 8 s, join with ch and after, unanswered commands again with their old cids).
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any, Protocol, Self

import httpx
from tests import deaths
from tests.stores import settings_of
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

Json = dict[str, Any]
PATIENCE = 60.0  # seconds after which a test that waits is lost; nothing waits for the clock otherwise
FIELDS = ["you", "info", "seats", "offers", "game", "view", "ask", "legal", "hints", "clocks", "late", "result"]


class Refused(Exception):
    """The hall's `err`, or the error of a call."""

    def __init__(self, code: str, facts: Json, status: int = 0) -> None:
        super().__init__(f"{code} {facts}")
        self.code, self.facts, self.status = code, facts, status


class Offline(Exception):
    """A second command while the line is down: the queue is one long."""


class Nodes(Protocol):
    """Several places of one hall."""

    @property
    def url(self) -> str:
        """Return the next one."""
        ...


class Server:
    """A hall in its own process. `settings`: the text of its hall.toml."""

    anywhere: Nodes | None = None  # its nodes, where it has several
    dying = False  # whether one of these dies now and then
    deaths = 0  # how many have

    def __init__(self, data: Path, settings: str = "", *words: str) -> None:
        self.data, self.port = data, 0
        self.words = words
        data.mkdir(parents=True, exist_ok=True)
        (data / "hall.toml").write_text(settings + settings_of(data), encoding="utf-8")
        self.log = data / "stderr"
        self.process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Self:
        """Start, at the port of the last time, and wait for the line that says it serves."""
        words = [*self.program(), "serve", "--port", str(self.port), "--data", str(self.data), *self.words]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("qipai is serving at http://"), (line, self.log.read_text())
        self.port = int(line.strip().rsplit(":", 1)[1])
        return self

    def program(self) -> list[str]:
        """Return what is started."""
        return [sys.executable, "-m", "qipai"]

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        self._closed()

    def stop(self) -> int:
        """End it as Ctrl-C does, and return its exit status."""
        if self.process is None:
            return 0
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(PATIENCE)
        self._closed()
        return status

    def _closed(self) -> None:
        assert self.process is not None
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None

    def metrics(self) -> str:
        """Return the figures, which its token shows."""
        token = (self.data / "metrics.token").read_text().strip()
        return httpx.get(f"{self.url}/metrics", headers={"authorization": f"Bearer {token}"}).raise_for_status().text

    def complaints(self) -> str:
        """Return what it has written to stderr but for news, as of kernels it compiles: nothing, in a quiet house."""
        lines = self.log.read_text().splitlines(keepends=True)
        return "".join(line for line in lines if '"level":"info"' not in line)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self._closed()


LOST = (httpx.NetworkError, httpx.RemoteProtocolError)  # whoever was asked is gone


def _whole(request: httpx.Request) -> AbstractContextManager[None]:
    """What a call is made within: what changes something can only be asked again with a cid."""
    named = request.headers.get("content-type") == "application/json" and b'"cid":' in request.content
    return nullcontext() if named or request.method in ("GET", "HEAD", "OPTIONS") else deaths.held()


class Calls(httpx.Client):
    """Calls of the API. Where nodes die, each is made again until one answers."""

    def send(self, request: httpx.Request, **more: Any) -> httpx.Response:
        if not deaths.come():
            return super().send(request, **more)
        end = time.monotonic() + PATIENCE
        with _whole(request):
            while True:
                try:
                    answer = super().send(request, **more)
                    if answer.status_code != 503 or time.monotonic() > end:
                        return answer
                except LOST:
                    if time.monotonic() > end:
                        raise
                time.sleep(0.1)


def called(method: str, url: str, **more: Any) -> httpx.Response:
    """Return the answer of one such call."""
    with Calls(timeout=PATIENCE) as http:
        return http.request(method, url, **more)


class Asking(httpx.AsyncClient):
    """The same for many at once; each try goes to the next of several nodes."""

    def __init__(self, nodes: Nodes | None, **more: Any) -> None:
        super().__init__(**more)
        self._nodes = nodes

    async def send(self, request: httpx.Request, **more: Any) -> httpx.Response:
        if self._nodes is None:
            return await super().send(request, **more)
        end = time.monotonic() + PATIENCE
        with _whole(request):
            while True:
                place = httpx.URL(self._nodes.url)
                request.url = request.url.copy_with(host=place.host, port=place.port)
                try:
                    answer = await super().send(request, **more)
                    if answer.status_code != 503 or time.monotonic() > end:
                        return answer
                except LOST:
                    if time.monotonic() > end:
                        raise
                await asyncio.sleep(0.1)


class Table:
    """A table as its channel tells it: the last snapshot with the fields of later events put in."""

    def __init__(self, person: Person, id: int, key: str | None) -> None:
        self.person, self.id, self.key = person, id, key
        self.snapshots = self.after = 0
        self.at: Json = {}
        self.told: list[tuple[str, int, Json]] = []  # (channel, seq, what happened): each once, in order
        self.seeds: dict[str, str] = {}  # game_id -> the client seed this person gave
        self.chat: list[Json] = []
        self.refused: Json | None = None

    def __getattr__(self, field: str) -> Any:
        try:
            return self.at[field]
        except KeyError:
            raise AttributeError(field) from None

    @property
    def seat(self) -> int | None:
        return None if not self.at else self.at["you"]["seat"]

    def snapshot(self, message: Json) -> None:
        same = self.at.get("ch") == message["ch"]
        before = self.at.get("seq", 0)
        if same and message["missed"] is not None:
            numbers = [one["seq"] for one in message["missed"]]
            known = message["seq"] - len(numbers)
            assert numbers == list(range(known + 1, message["seq"] + 1)), (numbers, message["seq"])
            assert known in (self.after, before), (self.after, before, numbers)  # of a join, or lost on its way here
            # Who joins a table he listens to may have been told some of it before the answer came.
            for one in message["missed"][max(0, before - known) :]:
                self.told += [(message["ch"], one["seq"], told) for told in one["told"]]
        self.at = {key: value for key, value in message.items() if key not in ("t", "missed", "chat")}
        self.chat = message["chat"]
        self.snapshots += 1
        self.refused = None

    def event(self, message: Json) -> None:
        assert message["ch"] == self.at["ch"], (message["ch"], self.at["ch"])
        assert message["seq"] == self.at["seq"] + 1, (message["seq"], self.at["seq"])
        self.at["seq"], self.at["now"] = message["seq"], message["now"]
        for field in FIELDS:
            if field in message:
                self.at[field] = message[field]
        self.told += [(message["ch"], message["seq"], told) for told in message["told"]]

    async def until(self, true: Callable[[Table], Any]) -> Any:
        """Wait for something to be true of the table, and return it."""
        return await self.person.until(lambda: self.at and true(self))

    async def do(self, kind: str, **fields: Any) -> Json:
        """Carry out a command at this table."""
        return await self.person.command(kind, table=self.id, **fields)

    async def act(self, action: Json) -> Json:
        """Answer the open question."""
        ask = self.at["ask"]
        return await self.do("act", action=action, **({} if ask is None else {"ask": ask["id"]}))


class Person:
    """Somebody at the hall."""

    compression: str | None = None  # "deflate": what is said on the line is compressed

    def __init__(
        self, server: Server | Nodes | str, *, token: str | None = None, seed: int = 0, seeding: bool = True
    ) -> None:
        """server: of several nodes each line and each call goes to the next."""
        self.url = server if isinstance(server, str) else server.url
        self._nodes = None if isinstance(server, str) else server.anywhere if isinstance(server, Server) else server
        self.token, self.seeding = token, seeding
        self.http = Asking(self._nodes, base_url=f"{self.url}/api/v1", timeout=PATIENCE)
        if token:
            self.http.headers["authorization"] = f"Bearer {token}"
        self.user: Any = None  # from the first sign-in on
        self.welcome: Json = {}
        self.tables: dict[int, Table] = {}
        self.other: list[Json] = []  # messages about no table
        self.traffic: list[str] = []  # every frame that ever came, as it came
        self.codes: list[int] = []  # with which lines were closed
        self.trips = 0  # lines so far
        self._luck = random.Random(seed)
        self._waiting: dict[str, tuple[Json, asyncio.Future[Json]]] = {}
        self._ws: ClientConnection | None = None
        self._up = False
        self._cids = self._pings = 0
        self._me = f"{os.getpid()}-{id(self) % 10**6}-{time.time_ns() % 10**9}"
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.failed: BaseException | None = None

    # HTTP.

    async def call(self, method: str, path: str, body: Json | None = None, **more: Any) -> Any:
        """Call the API and return the answer."""
        answer = await self.http.request(method, path, json=body, **more)
        if answer.is_success:
            return answer.json()
        error = answer.json()["error"]
        raise Refused(error["code"], error["facts"], answer.status_code)

    async def get(self, path: str, **more: Any) -> Any:
        return await self.call("GET", path, **more)

    async def post(self, path: str, body: Json | None = None, **more: Any) -> Any:
        return await self.call("POST", path, body or {}, **more)

    async def guest(self) -> Person:
        """Come in as a guest."""
        self.user = (await self.post("/guest"))["user"]
        return self

    async def register(self, name: str, password: str = "correct horse") -> Person:
        """Come in as a new user."""
        self.user = (await self.post("/register", {"name": name, "password": password}))["user"]
        return self

    # The line.

    async def line(self) -> Person:
        """Open the line and wait for the welcome."""
        self._task = asyncio.create_task(self._keep())
        await self.until(lambda: self._up)
        return self

    async def stands(self) -> None:
        """Wait until the line stands again, where it was lost."""
        await self.until(lambda: self._up)

    async def close(self) -> None:
        """Go away for good."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._ws is not None:
            await self._ws.close()
        await self.http.aclose()

    async def __aenter__(self) -> Person:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def drop(self) -> None:
        """Lose the line without a word; it mends itself unless it is cut."""
        if self._ws is not None:
            self._ws.transport.abort()

    async def cut(self) -> None:
        """Lose the line and stay away until `line` is called again."""
        assert self._task is not None
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        await self.drop()
        self._up = False

    async def _keep(self) -> None:
        wait = 0.25
        try:
            while True:
                before = self.welcome
                with suppress(OSError, ConnectionClosed, InvalidMessage, httpx.HTTPError):
                    await self._visit()
                if self.welcome is not before:  # however the line has ended
                    wait = 0.25
                self._up = False
                if self._ws is not None and (code := self._ws.close_code) is not None:
                    self._ws = None
                    self.codes.append(code)
                    if code in (4001, 4002):
                        raise ConnectionError(f"closed with {code}")
                await asyncio.sleep(wait * (0.5 + self._luck.random() / 2))
                wait = min(8.0, wait * 2)
        except Exception as wrong:
            self.failed = wrong
            self._changed.set()

    async def _visit(self) -> None:
        """Be connected once."""
        self.url = self.url if self._nodes is None else self._nodes.url
        headers = {} if self.token else {"Cookie": f"qipai={self.http.cookies.get('qipai')}"} if self.user else {}
        try:
            ws = await connect(
                f"ws{self.url.removeprefix('http')}/ws", additional_headers=headers, compression=self.compression,
                max_size=None, ping_interval=None, proxy=None,
            )  # fmt: skip
        except InvalidStatus as wrong:  # a node that is about to end, or has none to lead: the next one, as a browser
            if self._nodes is not None and wrong.response.status_code in (403, 503):
                raise ConnectionError from wrong
            raise
        self._ws = ws
        self.trips += 1
        await ws.send(
            json.dumps({"t": "hello", "v": 1, "client": "test"} | ({"token": self.token} if self.token else {}))
        )
        pinger = asyncio.create_task(self._ping(ws))
        try:
            async for frame in ws:
                assert isinstance(frame, str)
                self.traffic.append(frame)
                await self._take(ws, json.loads(frame))
                self._changed.set()
        finally:
            self._up = False
            pinger.cancel()

    async def _ping(self, ws: ClientConnection) -> None:
        n = 0
        with suppress(ConnectionClosed):
            while True:
                await asyncio.sleep(15)
                n += 1
                await ws.send(json.dumps({"t": "ping", "n": n}))

    async def _take(self, ws: ClientConnection, message: Json) -> None:
        kind = message["t"]
        if kind == "welcome":
            self.welcome, self.user = message, message["user"]
            for table in list(self.tables.values()):
                await ws.send(json.dumps(self._join(table)))
            for command, _ in list(self._waiting.values()):
                await ws.send(json.dumps(command))
            self._up = True
        elif kind in ("ack", "err") and message["cid"] in self._waiting:
            _, future = self._waiting.pop(message["cid"])
            if not future.done():
                future.set_result(message)
        elif kind == "snapshot":
            self.tables.setdefault(message["table"], Table(self, message["table"], None)).snapshot(message)
            await self._seed(ws, message["table"])
        elif kind == "ev":
            self.tables[message["table"]].event(message)
            await self._seed(ws, message["table"])
        elif kind == "count":
            self.tables[message["table"]].at["watchers"] = message["watchers"]
        elif kind == "rejoin":
            await ws.send(json.dumps(self._join(self.tables[message["table"]])))
        elif kind == "chat" and message["to"].partition(":")[2] in map(str, self.tables):
            self.tables[int(message["to"].partition(":")[2])].chat.append(message)
        elif kind == "err" and message["re"] == "join" and message.get("table") in self.tables:
            self.tables[message["table"]].refused = message
        else:
            self.other.append(message)

    async def _seed(self, ws: ClientConnection, table: int) -> None:
        """Answer a commitment with a seed of one's own (P-91)."""
        at = self.tables[table]
        game = at.game
        if (
            not self.seeding
            or at.seat is None
            or not game
            or not game["commitment"]
            or game["client_seeds"] is not None
        ):
            return
        if game["game_id"] not in at.seeds:
            at.seeds[game["game_id"]] = f"{self._luck.random()}"
        seed = {"t": "seed", "table": table, "game_id": game["game_id"], "client_seed": at.seeds[game["game_id"]]}
        await ws.send(json.dumps(seed))

    def _join(self, table: Table) -> Json:
        message: Json = {"t": "join", "table": table.id}
        if table.key is not None:
            message["key"] = table.key
        if table.at:
            table.after = table.at["seq"]
            message |= {"ch": table.at["ch"], "after": table.after}
        return message

    # Commands.

    async def say(self, message: Json | str | bytes) -> None:
        """Send anything at all."""
        assert self._ws is not None
        await self._ws.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def join(self, table: int, key: str | None = None) -> Table:
        """Go to a table and wait for its snapshot."""
        known = self.tables[table] = self.tables.get(table) or Table(self, table, key)
        seen = known.snapshots
        known.refused = None
        if self._up:
            await self.say(self._join(known))
        await self.until(lambda: known.snapshots > seen or known.refused)
        if known.refused:
            raise Refused(known.refused["code"], known.refused["facts"])
        return known

    async def command(self, kind: str, **fields: Any) -> Json:
        """Carry out a command: return its ack, however often the line breaks in between, or raise Refused."""
        self._cids += 1
        message = {"t": kind, "cid": f"{self._me}-{self._cids}"[-36:], **fields}
        if not self._up and any(not future.done() for _, future in self._waiting.values()):
            if self._nodes is None:
                raise Offline
            await self.until(lambda: self._up)
        future: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[message["cid"]] = (message, future)
        if self._up:
            with suppress(ConnectionClosed):
                await self.say(message)
        async with asyncio.timeout(PATIENCE):
            answer = await future
        if answer["t"] == "err":
            raise Refused(answer["code"], answer["facts"])
        return answer

    async def until(self, true: Callable[[], Any]) -> Any:
        """Wait until something is true, looking again after every message."""
        async with asyncio.timeout(PATIENCE):
            while not (found := true()):
                if self.failed is not None:
                    raise self.failed
                self._changed.clear()
                await self._changed.wait()
        return found

    async def settle(self) -> None:
        """Wait until everything the hall had said before is here."""
        self._pings += 1
        n = -self._pings
        seen = len(self.other)
        await self._answered({"t": "ping", "n": n}, lambda: any(one.get("n") == n for one in self.other[seen:]))

    async def answer_to(self, message: Json | str | bytes) -> Json:
        """Send something and return the next message about no table that comes."""
        seen = len(self.other)
        await self._answered(message, lambda: len(self.other) > seen)
        return self.other[-1]

    async def _answered(self, message: Json | str | bytes, there: Callable[[], bool]) -> None:
        """Send something, on a new line once more, until its answer is there."""
        while True:
            if self._nodes is not None:
                await self.until(lambda: self._up)
            trip = self.trips

            def over(trip: int = trip) -> bool:
                return there() or self.trips != trip

            with nullcontext() if self._nodes is None else suppress(ConnectionClosed):
                await self.say(message)
            await self.until(over)
            if there():
                return


async def chosen(table: Table, luck: random.Random, over: Callable[[Table], Any]) -> None:
    """Play a seat from what `legal` lists until it is over: a program that knows no rule (W16)."""
    while True:
        await table.until(lambda t: over(t) or (t.ask and t.legal and t.legal["list"]))
        if over(table):
            return
        action = luck.choice(table.legal["list"])
        with suppress(Refused):  # the question may be gone by now: STALE, NO_GAME
            await table.act(action)
