"""Calls about a person's own data: all of it as one file, and deleting the account (platform P-96)."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import quote

from starlette.responses import Response, StreamingResponse

from qipai.hall.table.errors import HallError
from qipai.web.account_deletion import delete_account
from qipai.web.api import Ask, call
from qipai.web.exporter import pieces
from qipai.web.pages.people import Farewell

__all__: list[str] = []


@call("GET", "/me/data", "cookie")
async def data(ask: Ask) -> bytes:
    """Return all that belongs to me as one zip: profile, games, talk, ledger, friends, reports (P-96)."""
    window, clock = ask.services.exports, ask.services.clock()
    if wait := window.wait(ask.user.id, clock):
        raise HallError("RATE_LIMIT", wait_ms=round(1000 * wait))
    window.add(ask.user.id, clock)
    file = await ask.services.exporter.pack(ask.user.id)
    headers = {
        "cache-control": "no-store",
        "content-disposition": f"attachment; filename*=utf-8''qipai-{quote(ask.user.name)}.zip",
        "content-length": str(os.fstat(file.fileno()).st_size),
        "x-content-type-options": "nosniff",
    }
    found: Any = StreamingResponse(pieces(file), media_type="application/zip", headers=headers)
    assert isinstance(found, Response)
    return found  # type: ignore[return-value]  # the body it stands for


@call("DELETE", "/me", "cookie")
async def delete(ask: Ask, body: Farewell) -> None:
    """Delete my account for good; games stay under the name `deleted` (P-96)."""
    if ask.user.kind == "guest":
        raise HallError("SIGN_IN", case="guest")
    await delete_account(ask.services, ask.user, body.password, confirm=body.confirm)
    ask.cookie = ""
