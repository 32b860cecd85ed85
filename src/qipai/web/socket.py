"""One socket: messages are handled in order, and sending never waits (platform 13.1)."""

from __future__ import annotations

import asyncio
import math
from array import array
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from qipai import __version__
from qipai.accounts.model import Login, User
from qipai.hall.live.addresses import Origin
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError, busy
from qipai.hall.table.messages import Bye, Err, Pong, Welcome
from qipai.store import Unwritten
from qipai.web.gate import FREE as FREE_TIMES
from qipai.web.gate import too_fast
from qipai.web.insides import EXTENSION
from qipai.web.origin import address, cookie, device, own_origin
from qipai.web.protocol import encode, read_frame, refused, version
from qipai.web.services import Services
from qipai.web.sockets import SIGNED_OUT
from qipai.web.writing import Send, Writer

if TYPE_CHECKING:
    from qipai.hall.rooms.session import Session

__all__ = ["Socket"]

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]

GOING_AWAY: Final = 1001
BINARY: Final = 1003
POLICY: Final = 1008
LATER: Final = 1013
WRONG_VERSION: Final = 4002
STRIKES_S: Final = 60
FULL_MS: Final = 10_000  # after this long one of a person's many sockets may be closed
MOST_TRIP_MS: Final = 60_000  # whatever a client makes up

FREE: Final = (commands.Ping, commands.Seed)
MOVES: Final = (commands.Act, commands.Try)
WATCHING: Final = (
    *(commands.Join, commands.Leave, commands.Enter, commands.Exit, commands.Follow, commands.Hear, commands.Review),
)


class Socket(Writer):
    """A client's line. For the hall it is a `Connection`: `send` and `close` return at once."""

    __slots__ = (
        "_acts",
        "_busy",
        "_cookie",
        "_free",
        "_from",
        "_messages",
        "_origin",
        "_receive",
        "_services",
        "_session",
        "_strikes",
        "heard_at",
        "login",
        "peer",
        "refusable",
        "since",
        "user",
        "welcomed",
    )  # fmt: skip

    def __init__(self, services: Services, scope: Scope, receive: Receive, send: Send) -> None:
        super().__init__(send, scope.get("extensions", {}).get(EXTENSION))
        self._services, self._receive = services, receive
        self.peer = address(scope, services.proxies)
        self._from = None if self.peer is None else Origin(self.peer, device(scope))
        self._cookie, self._origin = cookie(scope), own_origin(scope, services.config.web.origins)
        self.user: User | None = None
        self.login: Login | None = None
        self.welcomed = False
        self.since = self.heard_at = services.clock()
        self._session: Session | None = None
        self._busy = False  # with a message that `run` has taken
        self._messages = array("d")  # when the last of them came
        self._acts: array[float] | None = None
        self._free: array[float] | None = None
        self.refusable = "websocket.http.response" in scope.get("extensions", {})
        self._strikes: array[float] | None = None

    @property
    def keeper(self) -> bool:
        """Tell whether this is the line of a moderator or administrator, who may come in from any address."""
        return self.login is not None and self.login.cookie and self.login.role in ("moderator", "admin")

    # What comes in.

    async def run(self) -> None:
        """Serve the client until one side closes."""
        await self._receive()  # websocket.connect
        services = self._services
        if wait := services.gate.open(self.peer, services.clock()):
            await self._turn_away(wait)
            return
        await self._send({"type": "websocket.accept"})
        services.sockets.add(self)
        services.gate.took(self.peer)
        self._task = asyncio.current_task()
        try:
            while (message := await self._receive())["type"] == "websocket.receive":
                if self._closed:
                    continue
                self.heard_at = services.clock()
                self._busy = True
                text = message.get("text")
                if text is None:
                    self.close(BINARY)
                elif self.welcomed:
                    await self._take(text)
                else:
                    await self._greet(text)
                self._busy = False
                if self._line is not None and not self._line.queue.empty():
                    await asyncio.sleep(0)  # a client that sends much at once does not keep others waiting
        except asyncio.CancelledError:
            if not self._cut:
                raise
        finally:
            self._closed = True
            self._backlog = None
            services.sockets.discard(self)
            if self._line is not None:
                self._line.heard = None
                self._line.part()
            services.gate.left(self.peer)
            if self._session is not None:
                if self.user is not None:
                    services.gate.left(self.user.id)
                services.community.reviews.left(self._session)
                services.hall.attendance.detach(self._session)
            # Reference cycles would keep a closed line (19 KB) in memory until the collector runs, seldom (0016).
            self._session = self._line = self._task = None

    async def _turn_away(self, wait: float) -> None:
        """Refuse the request for a socket, because its address has too many already."""
        if not self.refusable:
            await self._send({"type": "websocket.close", "code": POLICY})
            return
        wrong = too_fast(wait)
        headers = [(b"content-type", b"application/json"), (b"retry-after", b"%d" % math.ceil(wait))]
        await self._send({"type": "websocket.http.response.start", "status": 429, "headers": headers})
        body = encode({"error": {"code": wrong.code, "facts": wrong.facts}})
        await self._send({"type": "websocket.http.response.body", "body": body})

    async def _greet(self, text: str) -> None:
        """Take the first message, which must be hello."""
        hello = read_frame(text)
        if (hello.re if isinstance(hello, Err) else hello.__struct_config__.tag) != "hello":
            self.close(POLICY)
            return
        if version(text) not in (None, 1):  # whatever else a later version sends
            self.close(WRONG_VERSION)
            return
        if isinstance(hello, Err):
            if self._counted(hello, text):
                self._refuse(hello)
            return
        assert isinstance(hello, commands.Hello)  # its tag says so
        if not self._counted(hello, text):
            return
        secret = hello.token
        if secret is None and self._cookie is not None:
            if not self._origin:
                self._refuse(refused(text, "BAD_ORIGIN"))
                self.close(POLICY)
                return
            secret = self._cookie
        services = self._services
        if secret is not None:
            try:
                self.login = await services.accounts.who(secret, services.now() // 1000)
                self.user = await services.accounts.find(self.login.user) if self.login is not None else None
            except Unwritten as wrong:  # nobody can be known now
                self.send(encode(refused(text, "BUSY", **busy(wrong, asked=True).facts)))
                self.close(LATER)
                return
            banned = self.user is not None and services.hall.order.until(self.user.id, "ban", services.now() // 1000)
            if self.user is None or banned:
                self.close(SIGNED_OUT)
                return
        if not self.keeper and (until := services.hall.order.shut_until(self.peer, services.now() // 1000)):
            self._refuse(refused(text, "BANNED", case="address", until=until))
            self.close(SIGNED_OUT)
            return
        if self.user is not None:
            if services.gate.full(self.user.id):
                self._refuse(refused(text, "RATE_LIMIT", wait_ms=FULL_MS))
                self.close(POLICY)
                return
            services.gate.took(self.user.id)
        self.welcomed = True
        limits = services.config.limits
        # As over HTTP: no token has a scope for moderation.
        person = self.login is not None and self.login.cookie
        moderator = person and self.login is not None and self.login.role in ("moderator", "admin")
        unproven = self.login is not None and not services.accounts.proven(self.login)
        self._session = services.hall.attendance.attach(
            self, self.user, moderator=moderator, person=person, origin=self._from, unproven=unproven
        )
        self.send(
            encode(
                Welcome(
                    v=1,
                    now=services.now(),
                    user=self.user,
                    server=__version__,
                    tables=services.hall.people.tables_of(self.user),
                    limits={"frame": limits.frame_bytes, "messages": limits.messages, "acts": limits.acts}
                    | {"free": FREE_TIMES * limits.messages, "window_ms": limits.window_s * 1000},
                )
            )
        )
        services.hall.notes.welcomed(self._session)
        if self._line is not None:
            self._line.heard = self._heard

    def _heard(self, text: str) -> bool:
        """Take an action as soon as it is there; return False for whatever else, or may have to wait: `run` takes it.

        That spares nearly all messages of a game the queue, and the task that would be woken for each.
        """
        if self._busy or self._closed:
            return False
        message, services = read_frame(text), self._services
        if type(message) is not commands.Act or not services.hall.dispatch.awake(message.table):
            return False
        self.heard_at = services.clock()
        if self._counted(message, text):
            assert self._session is not None
            try:
                self._check(message)
                services.hall.dispatch.act(self._session, message)
            except HallError as wrong:
                self._refuse(refused(text, wrong.code, **wrong.facts))
        return True

    async def _take(self, text: str) -> None:
        """Take any later message."""
        message = read_frame(text)
        if not self._counted(message, text):
            return
        if isinstance(message, commands.Ping):
            self._ping(message)
            return
        if isinstance(message, Err):
            self._refuse(message)
            return
        assert self._session is not None
        try:
            self._check(message)
            assert not isinstance(message, commands.Hello)  # it was refused
            if isinstance(message, commands.Review):
                await self._services.community.reviews.follow(message.key, self._session, on=message.on)
            else:
                await self._services.hall.dispatch.handle(self._session, message)
        except HallError as wrong:
            if isinstance(message, commands.Seed):
                return  # "no answer"
            self._refuse(refused(text, wrong.code, **wrong.facts))
        except Unwritten as wrong:  # of a review
            self._refuse(refused(text, "BUSY", **busy(wrong, asked=True).facts))

    def _check(self, message: commands.ClientMessage) -> None:
        """Refuse what this login may not do."""
        if type(message) is commands.Hello:
            raise HallError("BAD_MESSAGE", field="t")
        if type(message) in WATCHING:
            return
        if self.login is None:
            raise HallError("SIGN_IN")
        if not self.login.cookie and "play" not in self.login.scopes and "bot" not in self.login.scopes:
            raise HallError("NOT_ALLOWED")

    def _ping(self, ping: commands.Ping) -> None:
        now = self._services.now()
        if ping.seen is not None and ping.held is not None and self._session is not None:
            self._services.hall.attendance.lag(self._session, min(max(0, now - ping.seen - ping.held), MOST_TRIP_MS))
        self.send(encode(Pong(n=ping.n, now=now)))

    def _counted(self, message: commands.ClientMessage | Err, text: str) -> bool:
        """Count a message; refuse it where there were too many: on this line, by this person, from this address."""
        limits, now = self._services.config.limits, self._services.clock()
        times, most = self._messages, limits.messages
        if type(message) in MOVES:
            times = self._acts = array("d") if self._acts is None else self._acts
            most = limits.acts
        elif type(message) in FREE:
            times = self._free = array("d") if self._free is None else self._free
            most = FREE_TIMES * limits.messages
        wait = 0.0 if len(times) < most else times[0] + limits.window_s - now
        if wait <= 0:
            user = None if self.user is None else self.user.id
            wait = self._services.gate.message(self.peer, user, now, light=times is self._free)
        if wait <= 0:
            latest(times, now, most)
            return True
        if type(message) is not commands.Seed:  # "no answer"
            wrong = too_fast(wait)
            self._refuse(refused(text, wrong.code, **wrong.facts))
        strikes = self._strikes = array("d") if self._strikes is None else self._strikes
        latest(strikes, now, limits.strikes)
        if len(strikes) == limits.strikes and now - strikes[0] < STRIKES_S:
            if self._session is not None:
                self._session.settle(all=True)
            self.close(POLICY)
        return False

    def _refuse(self, err: Err) -> None:
        """Refuse a message; a refusal does not overtake the answers to what came before."""
        if self._session is None:
            self._services.hall.refusals[err.code] += 1
            self.send(encode(err))
        else:
            self._session.refuse(err)

    # What goes out.

    @property
    def most(self) -> int:
        """Return how many bytes may wait for a slow reader."""
        return self._services.config.limits.backlog_bytes

    def bye(self, bye: Bye, code: int) -> None:
        """Say why, and close."""
        self.send(encode(bye))
        self.close(code)

    @property
    def via(self) -> str | None:
        """Return the node that passes the line on, None where it has come here by itself."""
        return None if self._line is None else getattr(self._line.transport, "via", None)

    @property
    def lost(self) -> bool:
        """Tell whether the client is gone though `run` has not ended yet."""
        return self._line is not None and self._line.disconnected


def latest(times: array[float], now: float, most: int) -> None:
    """Add a time, and keep only the latest `most`."""
    if len(times) >= most:
        del times[: len(times) - most + 1]
    times.append(now)
