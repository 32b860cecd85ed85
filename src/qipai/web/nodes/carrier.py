"""Carries the lines of a node that stands by: clients' WebSockets end here, and go on in one trunk to who leads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any, Final

import msgspec

from qipai.accounts.model import User
from qipai.hall.live.afar import Follower
from qipai.hall.table.messages import Wait
from qipai.web.insides import EXTENSION, writing
from qipai.web.nodes import trunk, upward
from qipai.web.nodes.carried import LOST, Answer
from qipai.web.nodes.outward import AGAIN, Outward, caller, refuse
from qipai.web.nodes.upward import NO, NotYet, Older, Slow, Upward, reason
from qipai.web.sockets import HANDED_OVER

__all__ = ["Carrier"]

KEEP_S: Final = 0.25  # between looks whether the trunk is there
SOON_S: Final = 0.25  # a ping that was passed on for so long, and nothing has come since, is answered with `WAIT`
HOLD_S: Final = 1.5  # so long lines whose trunk is gone wait for the next: another node may reach the one that leads
SURE: Final = 2  # so often a leader ends a trunk without a word, and answers otherwise, until …
OLDER_S: Final = 60.0  # … it counts as one of an earlier version so long
STRANGER: Final = b"qipai-node - - -\n"
PINGS: Final = ('{"t":"ping"', '{"t": "ping"')  # as they begin
WAIT: Final = msgspec.json.encode(Wait())


class Carrier:
    """The lines that this node carries, and the trunk that they go through."""

    def __init__(self, address: str, backlog: int, split: Callable[[str], tuple[str, int]]) -> None:
        """address: where other nodes reach this one. backlog: bytes that may wait for a slow reader."""
        self._address, self.backlog, self._split = address, backlog, split
        self.likeness = ""  # what nodes of one version have in common
        self.follower: Follower | None = None  # of tables that are shown here
        self.apart: Callable[[int], None] = lambda _epoch: None  # who leads says that it does not reach the database
        self.lines: dict[int, Outward] = {}
        self._numbers = count(1)
        self._way: Upward | None = None
        self._reaching: asyncio.Task[None] | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._met = False  # it was reached, though it has not spoken yet
        self._wanted = ""  # the word of the node to which there is to be a trunk
        self._missed: float | None = None  # since when that has not been heard
        self.why = ""  # it was not reached the last time
        self._older, self._older_until = "", 0.0  # a leader that knows no trunk, by its word, and until when
        self._pings: list[tuple[Outward, float]] = []  # that were passed on a moment ago, and when
        self._ends: asyncio.TimerHandle | None = None  # when lines whose trunk is gone have waited long enough
        self._leaving = False  # clients are to come back to another node
        self._hold, self._release = writing()

    async def reach(self, leader: str, token: str, most_s: float) -> None:
        """Return when the trunk to this node is there; raises OSError, TimeoutError or `Older`."""
        way = self._way
        if way is not None and not way.over and way.token == token:
            return
        loop, self._wanted = asyncio.get_running_loop(), token
        if self._older == token and loop.time() < self._older_until:
            raise Older
        if self._reaching is None:
            self._reaching = loop.create_task(self._reach(leader, token, most_s))
            self._reaching.add_done_callback(self._reached)
        await asyncio.shield(self._reaching)

    def _reached(self, task: asyncio.Task[None]) -> None:
        self._reaching = None
        if not task.cancelled():
            task.exception()  # whoever waits for it has it, too

    async def _reach(self, leader: str, token: str, most_s: float) -> None:
        self._met = False
        try:
            async with asyncio.timeout(most_s):
                way = await self._agreed(*self._split(leader), token)
        except TimeoutError:
            if self._met:
                raise Slow from None
            raise
        if token != self._wanted:
            way.abort()
            raise ConnectionAbortedError
        if self._way is not None:
            self._way.abort()
        self._end_lines()  # they come back at once, and find this node, or another one, ready
        self._way, self._leaving, self._missed = way, False, None

    async def _agreed(self, host: str, port: int, token: str) -> Upward:
        """Return a trunk that the node at an address has taken; raises OSError or `Older`."""
        for _ in range(SURE):
            with suppress(Older):
                return await self._asked(host, port, token)
            # A way that breaks looks alike; but to a stranger all versions say no.
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(STRANGER)
                if await reader.read(1) != NO:
                    raise ConnectionResetError
            finally:
                writer.close()
        self._older, self._older_until = token, asyncio.get_running_loop().time() + OLDER_S
        raise Older

    async def _asked(self, host: str, port: int, token: str) -> Upward:
        way = Upward(self, token, self._address, self.likeness)
        try:
            await asyncio.get_running_loop().create_connection(lambda: way, host, port)
            self._met = True
            await way.agreed
        except BaseException:
            way.abort()
            raise
        return way

    @property
    def cut_off(self) -> bool:
        """Tell whether this node has not reached the one that leads for so long that the way to it must be broken."""
        return self._missed is not None and asyncio.get_running_loop().time() - self._missed > upward.SILENT_S

    def keep(self, leader: str, token: str, most_s: float) -> None:
        """Keep a trunk to this node, so that it is there when a line comes."""
        self.rest()
        loop = asyncio.get_running_loop()
        self._missed = loop.time()
        self._keeping = loop.create_task(self._keep(leader, token, most_s))

    def rest(self) -> None:
        """Make no trunk any more but for lines that come."""
        self._wanted, self._missed = "", None
        if self._keeping is not None:
            self._keeping.cancel()
            self._keeping = None

    async def _keep(self, leader: str, token: str, most_s: float) -> None:
        while True:
            try:
                await self.reach(leader, token, most_s)
            except (NotYet, Older):
                self._missed = asyncio.get_running_loop().time()  # it has answered
            except (OSError, TimeoutError) as wrong:
                self.why = reason(wrong)
            await asyncio.sleep(KEEP_S)

    def say(self, kind: int, line: int, data: bytes = b"") -> None:
        """Say something to the node that leads, if it is there."""
        if self._way is not None:
            self._way.put(kind, line, data)

    def pass_on(self, one: Outward, text: str) -> None:
        """Say what a client says to the node that leads."""
        self.say(trunk.TEXT, one.number, text.encode())
        if text.startswith(PINGS):
            loop = asyncio.get_running_loop()
            if not self._pings:
                loop.call_later(SOON_S, self._calm)
            self._pings.append((one, loop.time()))

    def _calm(self) -> None:
        """Tell who has pinged that the line stands, though nothing comes: only one at a node that stands still ends."""
        loop, way = asyncio.get_running_loop(), self._way
        pings, self._pings = self._pings, []
        for one, at in pings:
            if not one.open or (way is not None and way.heard_at >= at and not one.held):
                continue
            if loop.time() - at < SOON_S / 2:
                self._pings.append((one, at))
            else:
                one.send(WAIT)
        if self._pings:
            loop.call_later(SOON_S, self._calm)

    async def carry(self, scope: Any, receive: Any, send: Any) -> bool:
        """Carry a client's line to its end; return False where nobody leads whom it could be carried to."""
        if self._way is None:
            return False
        await receive()  # websocket.connect
        way, extensions = self._way, scope.get("extensions", {})
        refusable = "websocket.http.response" in extensions
        if way is None:  # it was lost meanwhile
            await refuse(AGAIN, send, refusable=refusable)
            return True
        one = Outward(self, next(self._numbers), send, extensions.get(EXTENSION))
        self.lines[one.number] = one
        code = LOST
        try:
            way.put(trunk.OPEN, one.number, msgspec.json.encode(caller(scope)))
            answer = await one.verdict
            if answer is not None:
                await refuse(answer, send, refusable=refusable)
                return True
            code = await one.run(receive)
        finally:
            del self.lines[one.number]
            way.put(trunk.GONE, one.number, trunk.CODE.pack(code))
        return True

    def leave(self, epoch: int) -> None:
        """Close the trunk: another node leads in this epoch, or nobody does (0). Lines wait for the next trunk."""
        self.rest()
        way, self._way = self._way, None
        self._wait()
        if way is not None:
            way.end(epoch)

    def part(self) -> None:
        """Close all lines, and the trunk: this node leads, or ends."""
        self._leaving = True
        self.leave(0)
        self._end_lines()

    def dismiss(self) -> None:
        """Let lines that the node that leads closes end at once: clients are to come back to another node."""
        self._leaving = True

    def _wait(self) -> None:
        """Let lines wait for the next trunk, so that who comes back does not have to."""
        if self.follower is not None:
            self.follower.clear()
        for one in list(self.lines.values()):
            if one.verdict.done():
                self._keep_on(one)
            else:
                one.bye()

    def _keep_on(self, one: Outward) -> None:
        one.held = True
        if self._ends is None:
            self._ends = asyncio.get_running_loop().call_later(HOLD_S, self._end_held)

    def _end_held(self) -> None:
        self._ends = None
        for one in [one for one in self.lines.values() if one.held]:
            one.bye()

    def _end_lines(self) -> None:
        if self._ends is not None:
            self._ends.cancel()
            self._ends = None
        if self.follower is not None:
            self.follower.clear()
        for one in list(self.lines.values()):
            one.bye()

    def lost(self, way: Upward) -> None:
        """Let the lines of a trunk that is gone wait, if nobody has waited for it to speak."""
        if way is self._way:
            self._way, self._missed = None, way.heard_at
            if way.silent:
                self._end_lines()
            else:
                self._wait()

    # What the node that leads says.

    def take(self, kind: int, line: int, data: bytes) -> None:
        """Handle a message for one of the lines, or of a table that is shown here."""
        if kind == trunk.STEP:
            if self.follower is not None:
                made = self.follower.step(data)
                if made.copy:
                    self.say(trunk.SHOWN, made.copy, trunk.parts(made.back))
                for number, text in made.lines:
                    if (seer := self.lines.get(number)) is not None:
                        seer.send(text)
            return
        if kind in (trunk.FOLLOW, trunk.KEEP, trunk.RENEW, trunk.FORGET):
            self._followed(kind, line, data)
            return
        if kind == trunk.APART:
            self.apart(int(data))
            return
        one = self.lines.get(line)
        if one is None:
            return
        if kind == trunk.SEND:
            one.send(data)
        elif kind == trunk.ACCEPT:
            one.judged(None)
        elif kind == trunk.ANSWER:
            one.judged(msgspec.json.decode(data, type=Answer))
        elif kind == trunk.CLOSE:
            (code,), why = trunk.CODE.unpack_from(data), data[trunk.CODE.size :].decode()
            if code == HANDED_OVER and one.verdict.done() and not self._leaving:
                self._keep_on(one)  # the node that leads ends
                return
            one.finish(code, why, Answer(403, (), b""))  # as servers do where a line is closed before it is taken
        elif kind == trunk.CUT:
            one.judged(AGAIN)
            one.cut()
        elif kind == trunk.PAUSE:
            one.pause()
        elif kind == trunk.RESUME:
            one.resume()

    def _followed(self, kind: int, number: int, data: bytes) -> None:
        follower = self.follower
        if kind == trunk.FOLLOW:
            table, people = msgspec.json.decode(data, type=tuple[int, tuple[User, ...]])
            if follower is None:
                self.lost_copy(number)
            else:
                follower.follow(table, number, people)
        elif follower is not None and kind == trunk.RENEW:
            table, at = map(int, data.split())
            follower.renew(table, at)
        elif follower is not None and kind == trunk.KEEP:
            follower.keep(int(data))
        elif follower is not None:
            follower.forget(int(data))

    def ready_copy(self, number: int) -> None:
        """Say that a table is shown here from now on. number: of its copy."""
        self.say(trunk.READY, number)

    def lost_copy(self, number: int) -> None:
        """Say that a copy is given up."""
        self.say(trunk.LOST, number)

    def hold(self) -> None:
        """Begin to handle what came together: each line gets it in one write."""
        self._hold()

    def release(self) -> None:
        """Write it."""
        self._release()
