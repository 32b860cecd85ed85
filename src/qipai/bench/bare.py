"""The ceiling: uvicorn as the hall runs it, and messages of the right sizes without rules, store or parsing.

A socket says `join TABLE`; `plan ACK EV` gives the sizes; after that every message is answered by one `ack` and an `ev`
to everybody at its table. Run as `python -m qipai.bench.bare`.
"""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable
from typing import Any

__all__ = ["app"]

Send = Callable[[dict[str, Any]], Awaitable[None]]
tables: dict[str, list[Send]] = {}
plan = {"ack": "", "ev": ""}


async def app(scope: dict[str, Any], receive: Callable[[], Awaitable[dict[str, Any]]], send: Send) -> None:
    """Serve one socket."""
    await receive()
    await send({"type": "websocket.accept"})
    mine: list[Send] = []
    while (message := await receive())["type"] == "websocket.receive":
        text = message["text"]
        if text.startswith("join "):
            mine = tables.setdefault(text, [])
            mine.append(send)
            continue
        if text.startswith("plan "):
            _, ack, ev = text.split()
            plan["ack"] = '{"t":"ack"' + "." * (int(ack) - 10)
            plan["ev"] = '{"t":"ev"' + "." * (int(ev) - 9)
            continue
        ev = {"type": "websocket.send", "text": plan["ev"]}
        for other in mine:
            await other(ev)
        await send({"type": "websocket.send", "text": plan["ack"]})


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
