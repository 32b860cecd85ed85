"""The ceiling: uvicorn as the hall runs it, and the hall's messages without rules or store.

What it is told and answers stands in `bench.plan`. Run as `python -m qipai.bench.bare`.
"""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable
from typing import Any

from qipai.bench.plan import Plan

__all__ = ["app"]

Send = Callable[[dict[str, Any]], Awaitable[None]]
plan: Plan[Send] = Plan()


async def app(scope: dict[str, Any], receive: Callable[[], Awaitable[dict[str, Any]]], send: Send) -> None:
    """Serve one socket."""
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        for other, text in plan.heard(send, message["text"]):
            await other({"type": "websocket.send", "text": text.decode()})


def main() -> None:
    """Serve at a free port."""
    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    print(f"bare at http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        app,
        lifespan="off",
        ws="websockets-sansio",
        ws_ping_interval=None,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
