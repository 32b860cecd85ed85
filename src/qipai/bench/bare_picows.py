"""The bare server of `bench.bare`, on picows. Run as `python -m qipai.bench.bare_picows`."""

from __future__ import annotations

import asyncio
from typing import Any

from qipai.bench.plan import Plan

__all__ = ["main"]


def main() -> None:
    """Serve at a free port."""
    import uvloop
    from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server

    plan: Plan[WSTransport] = Plan()

    class Seat(WSListener):  # type: ignore[misc]
        def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
            if frame.msg_type == WSMsgType.TEXT:
                for other, text in plan.heard(transport, frame.get_payload_as_utf8_text()):
                    if not other.is_disconnected:
                        other.send(WSMsgType.TEXT, text)

    def seat(request: WSUpgradeRequest) -> Any:
        return Seat()

    async def serve() -> None:
        server = await ws_create_server(seat, "127.0.0.1", 0, backlog=2048)
        print(f"bare at http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        await server.serve_forever()

    uvloop.install()
    asyncio.run(serve())


if __name__ == "__main__":
    main()
