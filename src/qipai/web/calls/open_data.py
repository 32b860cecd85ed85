"""Calls of the hall's open data: what there is, and the files (platform P-96)."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.responses import FileResponse

from qipai.hall.records import dump
from qipai.hall.table.errors import HallError
from qipai.records import LICENSE
from qipai.web.api import Ask, call
from qipai.web.pages.open_data import OpenData

__all__: list[str] = []


@call("GET", "/open-data")
async def open_data(ask: Ask) -> OpenData:
    """Return which months of rated games there are for everybody, with their files and checksums (P-96)."""
    months = [month for month in await asyncio.to_thread(dump.months, ask.services.dumps) if month.files]
    files = [file for month in months for file in month.files]
    return OpenData(
        LICENSE,
        tuple(months),
        sum(file.games for file in files),
        sum(file.moves for file in files),
        sum(file.bytes for file in files),
        ask.services.config.pages.open_data,
    )


@call("GET", "/open-data/{file}", cost=5, media="application/octet-stream")
async def open_file(ask: Ask) -> bytes:
    """Return a file of open data, or the list of a month's files: `2026-11.json` (P-96)."""
    name = ask.path["file"]
    path = await asyncio.to_thread(dump.published, ask.services.dumps, name)
    if path is None:
        raise HallError("NOT_FOUND")
    headers = {"cache-control": "public, max-age=3600", "x-content-type-options": "nosniff"}
    media = "application/json" if name.endswith(".json") else "application/gzip"
    found: Any = FileResponse(path, media_type=media, headers=headers, filename=name)
    return found  # type: ignore[no-any-return]  # the body it stands for
