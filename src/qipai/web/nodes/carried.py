"""Lines that other nodes carry to the one that leads: for the hall each is a line like those that come here."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, Final

import msgspec

from qipai.accounts.model import User
from qipai.hall.live.afar import Far, Lost, Promise, broken_off
from qipai.web.insides import EXTENSION, writing
from qipai.web.nodes import trunk
from qipai.web.nodes.trunk import Trunk

__all__ = ["Caller", "Carried", "Carrying"]

log = logging.getLogger("qipai.nodes")

AHEAD: Final = 16  # how many messages of a client may wait before it has to wait
REST_S: Final = 10.0  # after so long a node may try again to follow a table
LATE_S: Final = 1.0  # a node that has not made for so long what it was told shows no more tables
LOST: Final = 1006  # a line ended without a word


class Caller(msgspec.Struct, frozen=True, omit_defaults=True):
    """A client's request for a line, as its node has received it (an ASGI scope)."""

    path: str
    scheme: str
    client: tuple[str, int] | None
    headers: tuple[tuple[str, str], ...]
    query: str = ""
    http: str = "1.1"  # the version of HTTP
    refusable: bool = False  # the request may be answered


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a refused request is answered."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Carried:
    """A line that another node carries: a `Wire`, and the messages of an ASGI application."""

    __slots__ = ("_answer", "_number", "_over", "_paused", "_trunk", "disconnected", "heard", "queue")

    def __init__(self, way: Carrying, number: int) -> None:
        self._trunk, self._number = way, number
        self.queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.queue.put_nowait({"type": "websocket.connect"})
        self.heard: Callable[[str], bool] | None = None
        self.disconnected = self._over = self._paused = False
        self._answer: dict[str, Any] | None = None

    @property
    def far(self) -> Far:
        """Return the node, and the line's number there."""
        return self._trunk, self._number

    @property
    def transport(self) -> Carrying:
        """Return the trunk, which knows the node."""
        return self._trunk

    # What comes.

    def said(self, text: str | None) -> None:
        """Take a client's message; None: it was no text."""
        if self.disconnected:
            return
        if text is not None and self.heard is not None and self.queue.empty() and self.heard(text):
            return
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if not self._paused and self.queue.qsize() >= AHEAD:
            self._paused = True
            self._trunk.put(trunk.PAUSE, self._number)

    def gone(self, code: int) -> None:
        """Note that the client is gone."""
        if not self.disconnected:
            self.disconnected = self._over = True
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": ""})

    async def receive(self) -> dict[str, Any]:
        """Return the next message, as ASGI asks."""
        message = await self.queue.get()
        if self._paused and self.queue.empty():
            self._paused = False
            self._trunk.put(trunk.RESUME, self._number)
        return message

    # What goes.

    def put(self, data: bytes) -> bool:
        """Send a message; who carries the line deals with a slow reader."""
        if not self._over:
            self._trunk.send(self._number, data)
        return True

    async def send(self, message: dict[str, Any]) -> None:
        """Send what ASGI says."""
        if self._over:
            return
        way, number, kind = self._trunk, self._number, message["type"]
        if kind == "websocket.accept":
            way.put(trunk.ACCEPT, number)
        elif kind == "websocket.send":
            way.send(number, message["text"].encode())
        elif kind == "websocket.close":
            self._over = True
            way.put(trunk.CLOSE, number, trunk.CODE.pack(message["code"]) + (message.get("reason") or "").encode())
        elif kind == "websocket.http.response.start":
            self._answer = message
        elif kind == "websocket.http.response.body" and self._answer is not None:
            self._over = True
            head = tuple((name.decode("latin-1"), text.decode("latin-1")) for name, text in self._answer["headers"])
            answer = Answer(self._answer["status"], head, message.get("body", b""))
            way.put(trunk.ANSWER, number, msgspec.json.encode(answer))

    def part(self) -> None:
        """Leave it to the node, which closes its end in a limited time."""

    def abort(self) -> None:
        """End the line at once."""
        if not self.disconnected:
            self._trunk.put(trunk.CUT, self._number)
            self.gone(LOST)

    def end(self) -> None:
        """Note that the hall has done with it; unless it has closed the line, that is cut."""
        if not self._over:
            self.abort()
        self.gone(LOST)


class Followed:
    """A table that a node is told of."""

    __slots__ = ("lost", "number", "promised", "shown", "table")

    def __init__(self, table: int, number: int, lost: Lost) -> None:
        self.table, self.number, self.lost = table, number, lost
        self.shown = False  # by that node
        self.promised: deque[tuple[float, Mapping[int, Promise]]] = deque()  # what it has yet to make; told when

    def end(self, *, missed: bool) -> None:
        """Show the table here again. missed: the node's own lines may have missed something."""
        promised, self.promised = self.promised, deque()
        self.lost(missed, broken_off(each for _told, promises in promised for each in promises.values()))


class Carrying(Trunk):
    """The end of a trunk on the node that leads."""

    def __init__(
        self, app: Any, via: str, trunks: set[Carrying], *, alike: bool, elsewhere: Callable[[int], None]
    ) -> None:
        """app: the hall, an ASGI application. via: the node whose lines these are. trunks: those that are open.

        alike: that node is of the same version. elsewhere: called when it follows another one, with the epoch in which
        that leads.
        """
        super().__init__()
        self._trunks = trunks
        trunks.add(self)
        self._app, self.via, self._alike, self._elsewhere = app, via, alike, elsewhere
        self._followed: dict[int, Followed] = {}  # the tables that it is told of
        self._copies: dict[int, Followed] = {}  # … by number
        self._owing: dict[int, Followed] = {}  # by number: those of which it has yet to make something
        self._numbers = count(1)
        self._rests: dict[int, float] = {}  # when it could not follow a table any more
        self._late = -REST_S  # when it was last too slow to show any
        self._watch: asyncio.TimerHandle | None = None  # looks whether it is too slow
        self._hold, self._release = writing()
        self._lines: dict[int, Carried] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def take(self, kind: int, line: int, data: bytes) -> None:
        """Handle what a node says of one of its lines."""
        if kind == trunk.OPEN:
            self._open(line, data)
        elif kind == trunk.PING:
            self.put(trunk.PONG, 0)
        elif kind == trunk.ELSEWHERE:
            self._elsewhere(int(data))
        elif kind == trunk.SHOWN:
            self._keep(line, data)
        elif kind == trunk.READY:
            if (ready := self._copies.get(line)) is not None:
                ready.shown = True
        elif kind == trunk.LOST:
            if (lost := self._copies.get(line)) is not None:
                self._lose(lost)
        elif (one := self._lines.get(line)) is None:
            return
        elif kind == trunk.TEXT:
            one.said(data.decode())
        elif kind == trunk.BINARY:
            one.said(None)
        elif kind == trunk.GONE:
            one.gone(trunk.CODE.unpack(data)[0])

    def data_received(self, data: bytes) -> None:
        """Handle what came together: each line gets it in one write."""
        self._hold()
        try:
            super().data_received(data)
        finally:
            self._release()

    def ended(self) -> None:
        """End the lines: the node is gone."""
        self._trunks.discard(self)
        if self._watch is not None:
            self._watch.cancel()
        for one in list(self._lines.values()):
            one.gone(LOST)
        self._end_copies()

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """Return what serves its lines."""
        return list(self._tasks.values())

    def apart(self, epoch: int) -> None:
        """Say that this node, which leads in this epoch, does not reach the database."""
        self.put(trunk.APART, 0, b"%d" % epoch)

    # Tables that the node shows: a `Distant`.

    def shows(self, table: int) -> bool:
        """Tell whether it has a copy of a table and shows that."""
        one = self._followed.get(table)
        return one is not None and one.shown

    def takes(self, table: int) -> bool:
        """Tell whether it can follow a table, and could a moment ago."""
        now = self._loop.time()
        if not self._alike or self.over or now - self._late < REST_S:
            return False
        if table in self._rests:
            if now - self._rests[table] < REST_S:
                return False
            del self._rests[table]
        return True

    def follow(self, table: int, people: Sequence[User], lost: Lost) -> None:
        """Let it make a copy."""
        one = self._followed[table] = Followed(table, next(self._numbers), lost)
        self._copies[one.number] = one
        self.put(trunk.FOLLOW, one.number, msgspec.json.encode((table, people)))

    def tell(self, table: int, step: bytes, promises: Mapping[int, Promise]) -> None:
        """Tell it what has happened at a table. promises: what it is to return, by channel."""
        self.put(trunk.STEP, 0, step)
        if promises:
            one = self._followed[table]
            one.promised.append((self._loop.time(), promises))
            self._owing[one.number] = one
            if self._watch is None:
                self._look_soon()

    def keep(self, table: int) -> None:
        """Let it have a copy of a table that it does not show."""
        if self._alike and not self.over:
            self.put(trunk.KEEP, 0, b"%d" % table)

    def renew(self, table: int, at: int) -> None:
        """Let it forget what a channel was shown last."""
        self.put(trunk.RENEW, 0, b"%d %d" % (table, at))

    def forget(self, table: int) -> None:
        """Let it forget a table, after what it was told."""
        if (one := self._followed.pop(table, None)) is not None:
            del self._copies[one.number]
        self.put(trunk.FORGET, 0, b"%d" % table)

    def _keep(self, number: int, data: bytes) -> None:
        """Deliver what it has made of the event that it was told first of those that it has not answered."""
        one = self._owing.get(number)
        if one is None:
            return  # it came too late
        _told, promises = one.promised.popleft()
        if not one.promised:
            del self._owing[number]
        seen = trunk.seen_in(data)
        for at, promise in promises.items():
            promise.keep(seen.get(at))

    def _lose(self, one: Followed) -> None:
        self._rests[one.table] = self._loop.time()
        del self._followed[one.table], self._copies[one.number]
        self._owing.pop(one.number, None)
        one.end(missed=one.shown)

    def _end_copies(self) -> None:
        """Show its tables here. Its own lines are shown what they may have missed as soon as it goes on, if it does."""
        copies = self._copies | self._owing
        for each in (self._followed, self._copies, self._owing):
            each.clear()
        for one in copies.values():
            one.end(missed=False)

    def _look(self) -> None:
        """Look whether it makes in time what it was told: else who waits for it is shown the tables here."""
        assert self._watch is not None
        now, due = self._loop.time(), self._watch.when()
        self._watch = None
        if now - due > LATE_S / 4:  # this node itself has stood still: what has come meanwhile waits
            self._look_soon()
        elif any(now - one.promised[0][0] > LATE_S for one in self._owing.values()):
            log.warning("a node takes too long to show tables: they are shown here")
            self._late = now
            for table in self._followed:
                self.put(trunk.FORGET, 0, b"%d" % table)
            self._end_copies()
        elif self._owing:
            self._look_soon()

    def _look_soon(self) -> None:
        self._watch = self._loop.call_later(LATE_S / 4, self._look)

    def _open(self, number: int, data: bytes) -> None:
        caller = msgspec.json.decode(data, type=Caller)
        one = self._lines[number] = Carried(self, number)
        extensions: dict[str, Any] = {EXTENSION: one}
        if caller.refusable:
            extensions["websocket.http.response"] = {}
        scope = {
            "type": "websocket",
            "path": caller.path,
            "scheme": caller.scheme,
            "http_version": caller.http,
            "client": caller.client,
            "query_string": caller.query.encode("latin-1"),
            "headers": [(name.encode("latin-1"), text.encode("latin-1")) for name, text in caller.headers],
            "extensions": extensions,
        }
        task = self._tasks[number] = self._loop.create_task(self._serve(one, number, scope))
        task.add_done_callback(lambda _task: self._tasks.pop(number, None))

    async def _serve(self, one: Carried, number: int, scope: dict[str, Any]) -> None:
        try:
            await self._app(scope, one.receive, one.send)
        finally:
            self._lines.pop(number, None)
            one.end()
            scope["extensions"].pop(EXTENSION, None)
