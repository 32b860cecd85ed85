"""The bare server of `bench.bare`, on aiohttp. Run as `python -m qipai.bench.bare_aiohttp`."""

from __future__ import annotations

import socket

from qipai.bench.plan import Plan

__all__ = ["main"]


def main() -> None:
    """Serve at a free port."""
    import uvloop
    from aiohttp import web

    plan: Plan[web.WebSocketResponse] = Plan()

    async def serve(request: web.Request) -> web.WebSocketResponse:
        mine = web.WebSocketResponse(compress=False)
        await mine.prepare(request)
        async for message in mine:
            for other, text in plan.heard(mine, message.data):
                if not other.closed:
                    await other.send_str(text.decode())
        return mine

    uvloop.install()
    app = web.Application()
    app.router.add_get("/ws", serve)
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    print(f"bare at http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    web.run_app(app, sock=listener, print=None, access_log=None, handle_signals=True, shutdown_timeout=0.1)


if __name__ == "__main__":
    main()
