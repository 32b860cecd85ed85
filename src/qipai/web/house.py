"""A running server: store, accounts, hall and sockets, joined into one ASGI application."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, Router

from qipai.arena.pool import Bots
from qipai.bus import Bus
from qipai.config import Config
from qipai.contests.openings import open_stairs
from qipai.hall.table.messages import Bye
from qipai.store import LogEntry, Sqlite, Unwritten
from qipai.store.writer import rows_of
from qipai.web import (
    calls,  # noqa: F401  # they register themselves
    metrics,
)
from qipai.web.account_deletion import finish
from qipai.web.api import CALLS, Endpoints, fault
from qipai.web.clock import Clock
from qipai.web.club_contests import close_orphans
from qipai.web.files import Files
from qipai.web.services import Services
from qipai.web.socket import GOING_AWAY, POLICY, Socket
from qipai.web.sockets import HANDED_OVER, Member

__all__ = ["House"]

log = logging.getLogger("qipai.hall")

SWEEP_S = 1.0
HEAL_S = 5.0  # how often the hall's lists are compared with the open lines
DAY_MS = 86_400_000
MONTH_S = 3600.0  # how often the end of a month is checked
CHECK_S = 30.0  # when, after the start, the database is checked for damage
WHOLE_S = 86400.0  # and then so often
DUMPS_S = 300.0  # when, after the start, it is looked whether open data is to be written; then as often as for a month
CONTESTS_S = 60.0  # how often all tables of contests are looked at, beside those that have just ended
FLAGS_S = 60.0  # how often finished games are scanned (P-95)
CLOSING_S = 10.0
ANY = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def json_of(config: Config) -> Any:
    """Return a configuration in the form of the log, which does not say where it stands itself."""
    found = msgspec.json.decode(msgspec.json.encode(config))
    del found["store"], found["bus"]  # there may be a password in them
    return found


class House:
    """The whole server of one hall, in one process. `data`: its data folder."""

    def __init__(
        self,
        data: Path,
        config: Config,
        *,
        public: str | None = None,
        wall: Clock | None = None,
        disk: Callable[..., Sqlite] = Sqlite,
        bots: Bots | None = None,
        bus: Bus | None = None,
    ) -> None:
        """public: the address at which other machines reach this hall, if known. The rest is as for `Services`."""
        services = self.services = Services(data, config, public=public, wall=wall, disk=disk, bots=bots, bus=bus)
        self.bus = bus
        self.config, self.path, self.store, self.bots = config, services.path, services.store, services.bots
        self.hall, self.accounts, self._sockets = services.hall, services.accounts, services.sockets
        self.leaving = False
        self._sweepers: list[asyncio.Task[None]] = []
        self._files = Files()
        endpoints = Endpoints(services)
        routes = [
            Route(f"/api/v1{path}", endpoints.endpoint(path), methods=ANY)
            for path in dict.fromkeys(c.path for c in CALLS)
        ]
        own = [Route("/healthz", self._health), Route("/metrics", self._metrics)]
        self._router = Router([*own, *routes], default=self._other)

    async def open(self) -> None:
        """Open the database and the hall."""
        await self.store.open()
        metrics.token(self.path.with_name(metrics.TOKEN))
        await self._set_clock()
        await self._note_config()
        await self._note_roles()
        await self.accounts.resets.note(self.services.now())
        await self.accounts.open()
        await self.hall.open()
        await self.services.contests.open()
        await self.services.community.open()
        await open_stairs(self.services.contests, self.hall.creation)
        await close_orphans(self.services.contests, self.services.community.clubs)
        await finish(self.services)
        await self.services.contests.all_banned(self._is_banned)
        self.hall.runner.spawn(self.services.contests.sweep(again=True))
        self._sweepers = [asyncio.create_task(each) for each in (self._sweep(), self._sweep_lines())]

    def _is_banned(self, user: int) -> bool:
        return self.hall.order.until(user, "ban", self.services.now() // 1000) is not None

    async def _set_clock(self) -> None:
        """Set the clock after the last event of the log, in case the machine's clock was put back since."""
        last = await self.store.read(lambda db: rows_of(db, "id > 0 ORDER BY id DESC LIMIT 1", ()))
        at = 1000 * last[0].at + last[0].ms if last else 0
        if at - self.services.now() < DAY_MS:  # a larger difference is a wrong clock, not a corrected one
            self.services.wall.not_before(at)

    async def _keep_time(self) -> None:
        """Adjust the hall's time to the machine's; a jump is written to the log with both times."""
        before = self.services.now()
        if (ahead := self.services.wall.leap()) is not None:
            log.warning("the machine's clock was set, or it has slept: it is %.1f s ahead of the hall's", ahead / 1000)
            data = {"hall": before, "machine": before + ahead}
            self.hall.runner.spawn(self._note_leap(data))
        if leapt := self.services.wall.steer():
            await self.hall.stood_still(before, before + leapt)

    async def _note_leap(self, data: dict[str, int]) -> None:
        await self.store.append([LogEntry("clock", None, "clock.leapt", data)], self.services.now())

    async def _note_config(self) -> None:
        """Write to the log which settings of `hall.toml` have changed since the last start."""
        last = await self.store.read(lambda db: rows_of(db, "stream = 'config' ORDER BY seq DESC LIMIT 1", ()))
        now = json_of(self.config)  # as read from the log, with lists instead of tuples
        before = last[0].data["whole"] if last else json_of(Config())
        changed = {
            f"{group}.{key}": [before.get(group, {}).get(key), value]
            for group, keys in now.items()
            for key, value in keys.items()
            if before.get(group, {}).get(key) != value
        }
        if changed:
            data = {"changed": changed, "whole": now}
            await self.store.append([LogEntry("config", None, "config.changed", data)], self.services.now())

    async def _note_roles(self) -> None:
        """Write to the log which roles were given at the terminal (`qipai role`, `qipai admin first`).

        Those commands may run while the hall runs, and only the hall writes the log.
        """
        rows = await self.store.read(lambda db: rows_of(db, "stream = 'roles' AND type = 'role.given' ORDER BY id", ()))
        # Bots became so in the hall, once and for ever (P-93); no command has to do with them.
        noted: dict[int, str] = {row.data["user"]: row.data["role"] for row in rows if row.data["role"] != "bot"}
        held: dict[int, str] = dict(await self.accounts.officials())
        for user in sorted(noted.keys() | held.keys()):
            role = held.get(user, "user")
            if noted.get(user, "user") != role:
                await self.services.logins.note_role(user, role, by=None)

    async def farewell(self) -> None:
        """Tell every client that the server is restarting, and close its line.

        Where another node goes on there is nothing to tell: the line is closed so that clients come back at once.
        """
        self.leaving = self.hall.closing = True
        for socket in self._sockets:
            if self.services.node:
                socket.close(HANDED_OVER)
            else:
                socket.bye(Bye(why="restart"), GOING_AWAY)

    def part(self, via: str) -> None:
        """Close the lines that another node has passed on, which is about to end."""
        for socket in self._sockets:
            if socket.via == via:
                socket.close(HANDED_OVER)

    async def shut(self, stored: Callable[[], Awaitable[None]] | None = None) -> None:
        """Close the hall and the database; everything acknowledged is stored already.

        stored: called when nothing is written any more, and what takes longer is still to be closed.
        """
        for sweeper in self._sweepers:
            sweeper.cancel()
        self.services.exporter.close()
        self.services.chores.close()
        self.services.community.close()
        await self.services.contests.shut()
        await self.hall.shut()
        with suppress(Unwritten):  # the log says why; the hall stops all the same
            await self.accounts.keep_hours(self.services.now() // 1000)
        if stored is not None:
            await self.store.close()
            await stored()
        if self.bus is not None:
            await self.bus.close()
        self.bots.close()
        await asyncio.get_running_loop().run_in_executor(None, self.services.analyst.close)
        self.accounts.shut()
        await self.store.close()

    # ASGI.

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a socket or an HTTP request."""
        self.services.proxy_watch.look(scope)
        if scope["type"] == "http":
            await self._router(scope, receive, send)
        elif scope["type"] == "websocket":
            if scope["path"] == "/ws" and not self.leaving:
                await Socket(self.services, scope, receive, send).run()
            else:
                await receive()
                await send({"type": "websocket.close", "code": GOING_AWAY if self.leaving else POLICY})

    async def _health(self, request: Request) -> Response:
        health = self.store.health()
        text = "ok" if health.writes else f"nothing can be written: {health.why or 'slow'}"
        if self.services.node:
            text += f" (leader, {self.services.node})"
        headers, well = {"cache-control": "no-store"}, health.writes
        if "lines" in request.query_params and self.services.trunks:
            text, well = f"{text}; lines go to the nodes that stand by", False
        return PlainTextResponse(f"{text}\n", status_code=200 if well else 503, headers=headers)

    async def _metrics(self, request: Request) -> Response:
        given = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
        token = metrics.token(self.path.with_name(metrics.TOKEN))
        if not self.config.web.metrics and not secrets.compare_digest(given.encode(), token.encode()):
            return fault("NOT_FOUND", {})
        return PlainTextResponse(metrics.text(self.services), headers={"cache-control": "no-store"})

    async def _other(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer paths without a route: pages and files of the client, or errors under /api."""
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
        """Run the periodic tasks. A task that fails is logged and tried again next time."""
        contests_at = self.services.clock() + CONTESTS_S
        dumps_at = self.services.clock() + DUMPS_S
        month_at, flags_at, check_at = 0.0, self.services.clock() + FLAGS_S, self.services.clock() + CHECK_S
        while True:
            await asyncio.sleep(SWEEP_S)
            await self._keep_time()
            now = self.services.clock()
            await self._done(self.hall.invitations.pair())
            await self._done(self.hall.people.keep_peak())
            self.hall.runner.spawn(self.services.community.sweep())
            await self._done(self.services.contests.sweep(again=now >= contests_at))
            self.hall.runner.spawn(self._done(self.services.community.achievements.sweep()))
            if now >= contests_at:
                contests_at = now + CONTESTS_S
            if now >= month_at and await self._done(self.hall.ledger.pay_month(self.services.now())):
                month_at = now + MONTH_S
            if now >= dumps_at:
                dumps_at = now + MONTH_S
                self.hall.runner.spawn(self._done(self.services.chores.open_data(self.services.now() // 1000)))
            if now >= check_at:
                check_at = now + WHOLE_S
                self.hall.runner.spawn(self.store.check())
            if now >= flags_at:
                flags_at = now + FLAGS_S
                self.hall.runner.spawn(self.hall.fair_play_scan.sweep())
                self.hall.runner.spawn(self._done(self.services.chores.night(self.services.now() // 1000)))
                self.hall.runner.spawn(self._note_roles())
                self.hall.runner.spawn(self.accounts.resets.note(self.services.now()))
                self.hall.runner.spawn(self.accounts.keep_hours(self.services.now() // 1000))

    @staticmethod
    async def _done(work: Coroutine[Any, Any, object]) -> bool:
        """Await a task; return whether it succeeded. It is tried again next time."""
        try:
            await work
        except Unwritten:  # the log of the hall says why
            return False
        except Exception:
            log.exception("what is done again and again failed")
            return False
        return True

    async def _sweep_lines(self) -> None:
        """Close silent sockets, and let the hall repair its lists. This does not wait for the database."""
        heal_at, lost = self.services.clock() + HEAL_S, set[Member]()
        while True:
            due = self.services.clock() + SWEEP_S
            await asyncio.sleep(SWEEP_S)
            now = self.services.clock()
            self.services.lag.add(max(0.0, now - due))
            try:
                for socket in self._sockets:
                    self._look_at(socket, now)
                if now >= heal_at:
                    heal_at = now + HEAL_S
                    for socket in lost:
                        if socket in self._sockets:
                            socket.cut()  # the client left long ago, and the socket waits for something else
                    lost = {socket for socket in self._sockets if socket.lost}
                    if not self.hall.closing:
                        self.hall.healing.heal(
                            one for one in self.hall.people.sessions if one.connection not in self._sockets
                        )
            except Exception:
                log.exception("the lines could not be looked through")

    def _look_at(self, socket: Member, now: float) -> None:
        limits = self.config.limits
        if not socket.welcomed:
            if now - socket.since > limits.hello_s:
                socket.close(POLICY)
        elif now - socket.heard_at > limits.silence_s:
            socket.bye(Bye(why="idle"), 1000)
        if now - max(socket.since, socket.heard_at) > limits.silence_s + CLOSING_S:
            socket.cut()  # the client does not even read the farewell
