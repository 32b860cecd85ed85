"""uvicorn as this hall runs it: quiet, and with a message to every client before it stops."""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from email.utils import formatdate
from typing import Any, Final

import uvicorn
from uvicorn.server import ServerState

from qipai.config import Config
from qipai.web.house import House
from qipai.web.insides import protocols

__all__ = ["Answering", "Server"]

LOOK_S: Final = 0.01  # how often it is looked whether all is answered


def _settings(app: Any, config: Config) -> uvicorn.Config:
    http, ws = protocols()
    return uvicorn.Config(
        app,
        lifespan="off",  # the house is opened before the server starts and closed after it stops
        http=http,
        ws=ws,
        ws_max_size=config.limits.frame_bytes,
        ws_ping_interval=None,  # clients ping by themselves (13.1)
        ws_per_message_deflate=config.web.deflate,
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=config.web.proxies,
        timeout_graceful_shutdown=1,
    )


class Server(uvicorn.Server):
    """A server for one house."""

    def __init__(self, house: House, ready: Callable[[], None]) -> None:
        """ready: called once, when requests are answered."""
        self._house, self._ready = house, ready
        super().__init__(_settings(house, house.config))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then call `ready`."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop, after telling every client."""
        await self._house.farewell()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at Ctrl-C and SIGTERM; a requested stop is not a failure, so the signal is not raised again."""
        wanted = (signal.SIGINT, signal.SIGTERM)
        before = {sig: signal.signal(sig, self.handle_exit) for sig in wanted}
        try:
            yield
        finally:
            for sig, handler in before.items():
                signal.signal(sig, handler)


class Answering:
    """uvicorn's protocols for an application, where others accept the connections (`web.nodes`)."""

    def __init__(self, app: Any, config: Config) -> None:
        self._config, self._state = _settings(app, config), ServerState()
        self._config.load()

    def protocol(self) -> asyncio.Protocol:
        """Return what answers one connection."""
        made: Any = self._config.http_protocol_class
        protocol: asyncio.Protocol = made(config=self._config, server_state=self._state, app_state={}, _loop=None)
        return protocol

    def tick(self) -> None:
        """Note the time for the heads of answers; called once a second."""
        self._state.default_headers = [(b"date", formatdate(time.time(), usegmt=True).encode())]

    def part(self, meant: Callable[[str | None], bool]) -> None:
        """Close what answers HTTP after the answer that is under way. meant: by the node that passes it on."""
        for one in list(self._state.connections):
            if getattr(one, "close_sent", False) or not getattr(one, "handshake_complete", True):
                continue  # a line, whose client is about to close it, too, or that the application is about to refuse
            if one.transport is not None and meant(getattr(one.transport, "via", None)):
                one.shutdown()

    async def settle(self, most_s: float) -> None:
        """Wait until all is answered and closed, so long at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(most_s):
                while self._state.connections or self._state.tasks:
                    await asyncio.sleep(LOOK_S)
        for task in list(self._state.tasks):
            task.cancel()
