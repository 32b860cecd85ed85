"""uvicorn as this hall runs it: quiet, and with a message to every client before it stops."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from qipai.web.house import House
from qipai.web.insides import protocols

__all__ = ["Server"]


class Server(uvicorn.Server):
    """A server for one house."""

    def __init__(self, house: House, ready: Callable[[], None]) -> None:
        """ready: called once, when requests are answered."""
        self._house, self._ready = house, ready
        config = house.config
        http, ws = protocols()
        super().__init__(
            uvicorn.Config(
                house,
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
        )

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
