"""Lines for programs over plain HTTP: what a socket sends, as newline-delimited JSON (platform P-93, 13.2).

For the hall a stream is a `Connection` like a socket; the server counts and closes it with the sockets.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, Final

import msgspec

from qipai.accounts.model import Login, User
from qipai.hall.live.addresses import Origin
from qipai.hall.table.commands import ClientMessage
from qipai.hall.table.errors import HallError
from qipai.hall.table.messages import Ack, Bye, Err
from qipai.web.gate import too_fast
from qipai.web.protocol import encode, read_frame
from qipai.web.services import Services
from qipai.web.sockets import HANDED_OVER

if TYPE_CHECKING:
    from qipai.hall.rooms.session import Session

__all__ = ["BEAT_S", "Stream", "told"]

BEAT_S: Final = 7.0  # an empty line comes so often, at least
FULL_MS: Final = 10_000

Wanted = Callable[[dict[str, Any]], dict[str, Any] | None]


class Stream:
    """One stream to one program. wanted: makes of a message what the program is told, None: nothing."""

    def __init__(self, services: Services, login: Login, user: User, peer: str | None, wanted: Wanted) -> None:
        self._services, self._wanted, self._most = services, wanted, services.config.limits.backlog_bytes
        self.login: Login | None = login
        self.user, self.peer = user, peer
        self.welcomed = True
        self.since = self.heard_at = services.clock()
        self._lines: deque[bytes] = deque()
        self._waiting = 0
        self._news = asyncio.Event()
        self._closed = self._counted = False
        self.session: Session | None = None

    def open(self) -> Session:
        """Bring the program's owner into the hall; raises HallError("RATE_LIMIT") if they have too many lines."""
        services = self._services
        if services.gate.full(self.user.id):
            raise HallError("RATE_LIMIT", wait_ms=FULL_MS)
        if wait := services.gate.open(self.peer, services.clock()):
            raise too_fast(wait)
        services.gate.took(self.peer)
        services.gate.took(self.user.id)
        self._counted = True
        return self.attach()

    def attach(self) -> Session:
        """Bring the program's owner into the hall, without counting the line."""
        self._services.sockets.add(self)
        origin = None if self.peer is None else Origin(self.peer)
        self.session = self._services.hall.attendance.attach(self, self.user, person=False, origin=origin)
        return self.session

    def shut(self) -> None:
        """Take it out of the hall; the program has gone, or is told no more."""
        services, session, self.session = self._services, self.session, None
        self._closed = True
        self._news.set()
        if session is not None:
            services.sockets.discard(self)
            if self._counted:
                services.gate.left(self.peer)
                services.gate.left(self.user.id)
            services.hall.attendance.detach(session)

    @property
    def keeper(self) -> bool:
        """Tell whether it is a moderator's line: a program's never is."""
        return False

    @property
    def far(self) -> None:
        """Return nothing: what it says is made here."""
        return None

    @property
    def via(self) -> str | None:
        """Return nothing: an answer that another node passes on ends with that node."""
        return None

    @property
    def lost(self) -> bool:
        """Tell whether the client has gone without a word; the server's answer ends then by itself."""
        return False

    def send(self, data: bytes) -> None:
        """Send a message, or drop it if the program is not told of such."""
        if self._closed:
            return
        said = self._wanted(msgspec.json.decode(data))
        if said is None:
            return
        line = encode(said)
        self._lines.append(line)
        self._waiting += len(line)
        if self._waiting > self._most:
            self.cut()
        self._news.set()

    def say(self, message: Any) -> None:
        """Send what only this stream is told."""
        self.send(encode(message))

    def close(self, code: int) -> None:
        """End it after what was sent before."""
        self._closed = True
        self._news.set()

    def cut(self) -> None:
        """End it at once: it does not take what is sent."""
        self._lines.clear()
        self.close(0)

    def bye(self, message: Bye, code: int) -> None:
        """Say why, and end it."""
        self._lines.append(encode(message))
        self.close(code)

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield its lines as they come, and empty ones in between, until it is closed."""
        try:
            yield b"\n"  # the head of the answer is sent with the first piece
            while True:
                while self._lines:
                    line = self._lines.popleft()
                    self._waiting -= len(line)
                    yield line + b"\n"
                if self._closed:
                    return
                self._news.clear()
                try:
                    await asyncio.wait_for(self._news.wait(), BEAT_S)
                except TimeoutError:
                    yield b"\n"
                self.heard_at = self._services.clock()
        finally:
            self.shut()


class _Answer(Stream):
    """The line of one command, which lasts until it is answered."""

    def __init__(self, services: Services, login: Login, user: User, peer: str | None, cid: str) -> None:
        super().__init__(services, login, user, peer, lambda message: None)
        self._cid = cid
        self.found: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

    def send(self, data: bytes) -> None:
        """Take a message; the answer is among them."""
        message = msgspec.json.decode(data)
        if message["t"] in ("ack", "err") and message.get("cid") == self._cid and not self.found.done():
            self.found.set_result(message)

    def close(self, code: int) -> None:
        """Give up."""
        super().close(code)
        if not self.found.done():
            self.found.set_exception(HallError("BUSY" if code == HANDED_OVER else "SIGN_IN"))


async def told(services: Services, login: Login, user: User, peer: str | None, message: dict[str, Any]) -> Ack:
    """Give the hall a command as a socket would, and return its `ack`; raises HallError where it is refused.

    The program has a stream open, whose line keeps its seat; this one lasts as long as the command.
    """
    command: ClientMessage | Err = read_frame(encode(message).decode())
    if isinstance(command, Err):
        raise HallError(command.code, **command.facts)
    if wait := services.gate.message(peer, user.id, services.clock()):
        raise too_fast(wait)
    line = _Answer(services, login, user, peer, message["cid"])
    session = line.attach()
    try:
        await services.hall.dispatch.handle(session, command)  # type: ignore[arg-type]  # hello is not among them
        answer = await line.found  # the hall answers every command in bounded time, or closes the line
    finally:
        line.shut()
    if answer["t"] == "err":
        raise HallError(answer["code"], **answer["facts"])
    return msgspec.convert(answer, Ack)
