"""A running house: the store, the accounts, the hall and the sockets, joined into one ASGI application."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, Router

from qipai import games
from qipai.accounts import service as accounts
from qipai.accounts.model import Login, Window
from qipai.arena.analyst import Analyst
from qipai.arena.pool import Bots
from qipai.config import Config
from qipai.hall import hall
from qipai.hall.table.messages import Bye
from qipai.ledger import service as ledger
from qipai.moderation import service as moderation
from qipai.social import chat
from qipai.store import LogEntry, Sqlite, Unwritten
from qipai.store.sqlite import rows_of
from qipai.web import (
    calls,  # noqa: F401  # they register themselves
    line,
    metrics,
)
from qipai.web.api import CALLS, Endpoints, fault
from qipai.web.clock import Clock
from qipai.web.entrance import Entry
from qipai.web.exporter import Exporter
from qipai.web.files import Files
from qipai.web.gate import Gate
from qipai.web.letters import Letters
from qipai.web.origin import proxies
from qipai.web.proxy import Watch
from qipai.web.socket import GOING_AWAY, POLICY, SIGNED_OUT, Socket
from qipai.web.wishes import Wishes

__all__ = ["DATABASE", "House", "store_of"]

log = logging.getLogger("qipai.hall")

DATABASE = "hall.sqlite"
SWEEP_S = 1.0
HEAL_S = 5.0  # how often the hall's own lists are compared with the lines there are
DAY_MS = 86_400_000
MONTH_S = 3600.0  # how often it is looked whether a month is over
CHECK_S = 30.0  # so long after the start the database is looked through for damage
WHOLE_S = 86400.0  # and then so often
FLAGS_S = 60.0  # how often games that have ended are looked through (P-95)
CLOSING_S = 10.0
ANY = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def json_of(config: Config) -> Any:
    """Return what a configuration is in the log."""
    return msgspec.json.decode(msgspec.json.encode(config))


def store_of(data: Path) -> Sqlite:
    """Return the store of the hall in a folder, with the tables of every feature."""
    editions = {f"game:{name}": games.find(name).edition for name in games.names()}
    return Sqlite(data / DATABASE, [part.script() for part in (accounts, ledger, moderation, hall, chat)], editions)


class Output:
    """What the hall writes goes out in one piece a commit, and is measured."""

    def __init__(self, meter: metrics.Meter) -> None:
        self.start = meter.start
        self.hold, self.release = line.hold, line.release


class House:
    """Everything that runs in one process. `data`: the folder that keeps it."""

    def __init__(self, data: Path, config: Config, *, public: str | None = None) -> None:
        """public: the address other machines reach this hall by, when it is known."""
        self.config, self.public = config, public
        self.timekeeper = Clock()
        self.path = data / DATABASE
        self.store = store_of(data)
        self.accounts = accounts.Accounts(self.store, config)
        self.bots = Bots(config.bots.workers, engines=config.engines)
        self.analyst = Analyst(config.engines)
        self.meter, self.wishes = metrics.Meter(self.clock), Wishes(self.accounts, config.coins.daily_loss)
        self.hall = hall.Hall(
            self.store, self.accounts, config, self, self.bots, wishes=self.wishes, output=Output(self.meter)
        )
        self.sockets: set[Socket] = set()
        self.gate, self.entry, self.proxies = Gate(config), Entry(config), proxies(config.web.proxies)
        self.proxy_watch = Watch(self.proxies)
        self.code_tries = Window(config.limits.codes_per_hour, 3600)
        self.reports = Window(config.order.reports_per_hour, 3600)
        self.calls = Window(1, 60)  # to play on at once (P-77)
        self.parcels = Window(config.limits.parcels_per_hour, 3600)
        self.exporter = Exporter(self.path)
        self.letters = Letters(self)
        self.leaving = False
        self._sweepers: list[asyncio.Task[None]] = []
        self._files = Files()
        endpoints = Endpoints(self)
        routes = [
            Route(f"/api/v1{path}", endpoints.endpoint(path), methods=ANY)
            for path in dict.fromkeys(c.path for c in CALLS)
        ]
        own = [Route("/healthz", self._health), Route("/metrics", self._metrics)]
        self._router = Router([*own, *routes], default=self._other)

    def now(self) -> int:
        """Return the time: ms since 1970, which never goes back."""
        return self.timekeeper.now()

    def call_at(self, when: int, call: Callable[[], None]) -> Callable[[], None]:
        """Call at a time, ms since 1970; return what calls it off. With `now` this is the hall's clock."""
        # A timer may ring a little early; then `now` is not yet `when`, and the hall would ask for it again.
        wait = max(0, when - self.now()) / 1000 / max(1.0, self.timekeeper.rate) + 0.001
        return asyncio.get_running_loop().call_later(wait, call).cancel

    @staticmethod
    def clock() -> float:
        """Return seconds that never go back, for what is counted and waited for."""
        return time.monotonic()

    async def open(self) -> None:
        """Open the books and the hall."""
        await self.store.open()
        metrics.token(self.path.with_name(metrics.TOKEN))
        await self._set_clock()
        await self._note_config()
        await self._note_roles()
        await self.accounts.resets.note(self.now())
        await self.accounts.open()
        await self.hall.open()
        self._sweepers = [asyncio.create_task(each) for each in (self._sweep(), self._sweep_lines())]

    async def _set_clock(self) -> None:
        """Go on after the last that stands in the log, though the machine's clock may have been put back since."""
        last = await self.store.read(lambda db: rows_of(db, "1 ORDER BY id DESC LIMIT 1", ()))
        at = 1000 * last[0].at + last[0].ms if last else 0
        if at - self.now() < DAY_MS:  # more is no clock that was put right, but one that was wrong by far
            self.timekeeper.not_before(at)

    async def _keep_time(self) -> None:
        """Bring the hall's time and the machine's together; a leap stands in the log with both."""
        before = self.now()
        if (ahead := self.timekeeper.leap()) is not None:
            log.warning("the machine's clock was set, or it has slept: it is %.1f s ahead of the hall's", ahead / 1000)
            data = {"hall": before, "machine": before + ahead}
            self.hall.runner.spawn(self._note_leap(data))
        if leapt := self.timekeeper.steer():
            await self.hall.stood_still(before, before + leapt)

    async def _note_leap(self, data: dict[str, int]) -> None:
        await self.store.append([LogEntry("clock", None, "clock.leapt", data)], self.now())

    async def _note_config(self) -> None:
        """Write down which numbers of `hall.toml` have changed since the last start."""
        last = await self.store.read(lambda db: rows_of(db, "stream = 'config' ORDER BY id DESC LIMIT 1", ()))
        now = json_of(self.config)  # as the log gives it back: a list is no tuple
        before = last[0].data["whole"] if last else json_of(Config())
        changed = {
            f"{group}.{key}": [before.get(group, {}).get(key), value]
            for group, keys in now.items()
            for key, value in keys.items()
            if before.get(group, {}).get(key) != value
        }
        if changed:
            data = {"changed": changed, "whole": now}
            await self.store.append([LogEntry("config", None, "config.changed", data)], self.now())

    async def _note_roles(self) -> None:
        """Write down which roles were given at the terminal (`qipai role`, `qipai admin first`) since it was last done.

        Those commands may run beside the hall, which alone writes the log.
        """
        rows = await self.store.read(lambda db: rows_of(db, "stream = 'roles' AND type = 'role.given' ORDER BY id", ()))
        noted: dict[int, str] = {row.data["user"]: row.data["role"] for row in rows}
        held: dict[int, str] = dict(await self.accounts.officials())
        for user in sorted(noted.keys() | held.keys()):
            role = held.get(user, "user")
            if noted.get(user, "user") != role:
                await self.note_role(user, role, by=None)

    async def farewell(self) -> None:
        """Tell every client that the house goes down for a moment, and close its line."""
        self.leaving = self.hall.closing = True
        for socket in list(self.sockets):
            socket.bye(Bye(why="restart"), GOING_AWAY)

    async def shut(self) -> None:
        """Close the hall and the books; everything acknowledged is in them already."""
        for sweeper in self._sweepers:
            sweeper.cancel()
        self.exporter.close()
        self.letters.close()
        await self.hall.shut()
        with suppress(Unwritten):  # the log says why; the hall stops all the same
            await self.accounts.keep_hours(self.now() // 1000)
        self.bots.close()
        await asyncio.get_running_loop().run_in_executor(None, self.analyst.close)
        self.accounts.shut()
        await self.store.close()

    def cut(self, keys: Iterable[bytes]) -> None:
        """Close the lines of logins that have ended."""
        ended = set(keys)
        for socket in [one for one in self.sockets if one.login is not None and one.login.key in ended]:
            socket.bye(Bye(why="signed_out"), SIGNED_OUT)

    async def note_role(self, user: int, role: str, *, by: int | None) -> None:
        """Write down that somebody has a new role, and close his lines, which still have the old one."""
        await self.store.append(
            [LogEntry("roles", None, "role.given", {"user": user, "role": role}, None, by)], self.now()
        )
        await self.cut_user(user)

    def factor_changed(self, user: int, *, on: bool) -> None:
        """Let the open lines of somebody know that his second factor is on or off."""
        for session in self.hall.people.sessions:
            if session.user_id == user:
                session.unproven = self.config.accounts.moderators_second_factor and not on

    def cut_addresses(self, addresses: Iterable[str]) -> None:
        """Close all lines from addresses that are shut, but for those of moderators."""
        shut = set(addresses)
        for socket in [one for one in self.sockets if one.peer in shut and not one.keeper]:
            socket.bye(Bye(why="signed_out"), SIGNED_OUT)

    async def cut_user(self, user: int) -> None:
        """Close all lines of somebody who may not come in any more."""
        for socket in [one for one in self.sockets if one.login is not None and one.login.user == user]:
            socket.bye(Bye(why="signed_out"), SIGNED_OUT)

    async def sign_out(self, login: Login, *, everywhere: bool, confirm: bool) -> None:
        """End a login, or all of its user's; who is nowhere any more gives up the seats, as `stand` does (P-26)."""
        user = await self.accounts.find(login.user)
        if user is not None and (everywhere or not self._elsewhere(login)):
            await self.hall.sign_out.quit_all(user, confirm=confirm)
        self.cut(await self.accounts.logout(login, everywhere=everywhere))

    def _elsewhere(self, login: Login) -> bool:
        """Tell whether a user has a line with another login."""
        return any(
            one.login is not None and one.login.user == login.user and one.login.key != login.key
            for one in self.sockets
        )

    def base(self, request: Request) -> str:
        """Return the address to put before a link: the one the client used, or one that others can use."""
        host = request.headers.get("host", "")
        if self.public and host.rpartition(":")[0].strip("[]") in ("127.0.0.1", "localhost", "::1"):
            return self.public
        return f"{request.scope['scheme']}://{host}"

    # ASGI.

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a socket or an HTTP request."""
        self.proxy_watch.look(scope)
        if scope["type"] == "http":
            await self._router(scope, receive, send)
        elif scope["type"] == "websocket":
            if scope["path"] == "/ws" and not self.leaving:
                await Socket(self, scope, receive, send).run()
            else:
                await receive()
                await send({"type": "websocket.close", "code": GOING_AWAY if self.leaving else POLICY})

    async def _health(self, request: Request) -> Response:
        health = self.store.health()
        text = "ok" if health.writes else f"nothing can be written: {health.why or 'slow'}"
        headers = {"cache-control": "no-store"}
        return PlainTextResponse(f"{text}\n", status_code=200 if health.writes else 503, headers=headers)

    async def _metrics(self, request: Request) -> Response:
        given = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
        token = metrics.token(self.path.with_name(metrics.TOKEN))
        if not self.config.web.metrics and not secrets.compare_digest(given.encode(), token.encode()):
            return fault("NOT_FOUND", {})
        return PlainTextResponse(metrics.text(self), headers={"cache-control": "no-store"})

    async def _other(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer what no route takes: pages and files of the client, and honest refusals under /api."""
        path: str = scope["path"]
        if path.startswith("/api/"):
            response = fault("NOT_FOUND", {})
        elif scope["method"] not in ("GET", "HEAD"):
            response = PlainTextResponse("", status_code=405, headers={"allow": "GET, HEAD"})
        elif path == "/ws":
            response = PlainTextResponse("", status_code=426, headers={"upgrade": "websocket"})
        else:
            response = self._files.page(scope, path)
        await response(scope, receive, send)

    async def _sweep(self) -> None:
        """Do what is to be done again and again. What fails is logged, and done again the next time."""
        month_at, flags_at, check_at = 0.0, self.clock() + FLAGS_S, self.clock() + CHECK_S
        while True:
            await asyncio.sleep(SWEEP_S)
            await self._keep_time()
            now = self.clock()
            await self._done(self.hall.invitations.pair())
            await self._done(self.hall.people.keep_peak())
            if now >= month_at and await self._done(self.hall.ledger.pay_month(self.now())):
                month_at = now + MONTH_S
            if now >= check_at:
                check_at = now + WHOLE_S
                self.hall.runner.spawn(self.store.check())
            if now >= flags_at:
                flags_at = now + FLAGS_S
                self.hall.runner.spawn(self.hall.fair_play_scan.sweep())
                self.hall.runner.spawn(self._note_roles())
                self.hall.runner.spawn(self.accounts.resets.note(self.now()))
                self.hall.runner.spawn(self.accounts.keep_hours(self.now() // 1000))

    @staticmethod
    async def _done(work: Coroutine[Any, Any, object]) -> bool:
        """Await a piece of work; return whether it was done. It is tried again the next time."""
        try:
            await work
        except Unwritten:  # the log of the hall says why
            return False
        except Exception:
            log.exception("what is done again and again failed")
            return False
        return True

    async def _sweep_lines(self) -> None:
        """Drop sockets that say nothing, and let the hall forget what has none. It waits for no book."""
        heal_at, lost = self.clock() + HEAL_S, set[Socket]()
        while True:
            await asyncio.sleep(SWEEP_S)
            now = self.clock()
            try:
                for socket in list(self.sockets):
                    self._look_at(socket, now)
                if now >= heal_at:
                    heal_at = now + HEAL_S
                    for socket in lost:
                        if socket in self.sockets:
                            socket.cut()  # the client went long ago, and it waits for something else
                    lost = {socket for socket in self.sockets if socket.lost}
                    if not self.hall.closing:
                        self.hall.healing.heal(
                            one for one in self.hall.people.sessions if one.connection not in self.sockets
                        )
            except Exception:
                log.exception("the lines could not be looked through")

    def _look_at(self, socket: Socket, now: float) -> None:
        limits = self.config.limits
        if not socket.welcomed:
            if now - socket.since > limits.hello_s:
                socket.close(POLICY)
        elif now - socket.heard_at > limits.silence_s:
            socket.bye(Bye(why="idle"), 1000)
        if now - max(socket.since, socket.heard_at) > limits.silence_s + CLOSING_S:
            socket.cut()  # it does not even take the farewell
