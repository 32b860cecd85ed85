"""What a node answers by itself while it stands by: whether it is well, its figures, and 503 where nobody leads."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from starlette.datastructures import QueryParams
from starlette.responses import PlainTextResponse, Response

from qipai import lang
from qipai.config import Config
from qipai.web import metrics
from qipai.web.api import fault
from qipai.web.entry import Entry
from qipai.web.nodes.door import Door
from qipai.web.sockets import HANDED_OVER

__all__ = ["Standby"]

RETRY_S: Final = 2


class Counting(NamedTuple):
    """What the entrance asks for."""

    entry: Entry


class Standby:
    """An ASGI application."""

    def __init__(self, data: Path, config: Config, unfit: Callable[[], str]) -> None:
        """data: the folder. unfit: why this node never leads, "" where it may."""
        self._token, self._config, self._unfit = data / metrics.TOKEN, config, unfit
        self.services = Counting(Entry(config))
        self.door: Door | None = None
        self.epoch = 0  # of the lease, as it was last seen
        self.loading = False  # it would lead more slowly now than in a moment

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer."""
        if scope["type"] == "websocket":
            assert self.door is not None
            if await self.door.carrier.carry(scope, receive, send):
                return
            await receive()
            if "websocket.http.response" in scope.get("extensions", {}):
                headers = [(b"retry-after", b"%d" % RETRY_S)]
                await send({"type": "websocket.http.response.start", "status": 503, "headers": headers})
                await send({"type": "websocket.http.response.body", "body": b""})
            else:
                await send({"type": "websocket.close", "code": HANDED_OVER})
        elif scope["type"] == "http":
            await self._answer(scope)(scope, receive, send)

    def _answer(self, scope: Any) -> Response:
        door, path, plain = self.door, scope["path"], {"cache-control": "no-store"}
        assert door is not None
        if path == "/healthz":
            reached, well = not door.carrier.cut_off, bool(door.leader)
            leads = f"{door.leader} leads" if reached else f"{door.leader} leads, but is not reached from here"
            text = f"ok (standby; {leads})" if well else "nobody leads"
            if not reached and "lines" in QueryParams(scope["query_string"]):  # who asks so sends lines to other nodes
                well = False
            if self.loading:
                text += "; still loading"
            if why := self._unfit():
                text += f"; this node never will: {why}"
            return PlainTextResponse(f"{text}\n", status_code=200 if well else 503, headers=plain)
        if path == "/metrics":
            given = dict(scope["headers"]).get(b"authorization", b"").removeprefix(b"Bearer ").strip()
            if not self._config.web.metrics and not secrets.compare_digest(given, metrics.token(self._token).encode()):
                return fault("NOT_FOUND", {})
            page = metrics.Page()
            page.one("qipai_node_leads", 0)
            page.one("qipai_node_epoch", self.epoch)
            page.one("qipai_node_fit", int(not self._unfit()))
            page.one("qipai_node_passing", len(door.passing))
            page.one("qipai_node_carrying", len(door.carrier.lines))
            page.one("qipai_node_tables", len(door.carrier.follower or ()))
            page.one("qipai_node_leader", int(bool(door.leader)))
            return PlainTextResponse(page.text, headers=plain)
        if path.startswith("/api/"):
            answer = fault("BUSY", {})
        else:
            said = [lang.hall(tag)["bye.restart"] for tag in (lang.DEFAULT, lang.FALLBACK)]
            answer = PlainTextResponse("\n".join(said) + "\n", status_code=503, headers=plain)
        answer.headers["retry-after"] = str(RETRY_S)
        return answer
