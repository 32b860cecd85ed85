"""Calls about games that people bring from the files of other programs (decision 0041)."""

from __future__ import annotations

from qipai.web.api import Ask, call
from qipai.web.pages.shelf import Bring, BroughtRows, Readings
from qipai.web.protocol import NoBody

__all__: list[str] = []

MOST_BYTES = 400_000  # a file of 256 KiB in base64, and what stands around it


@call("GET", "/brought", "signed")
async def brought(ask: Ask) -> BroughtRows:
    """List the games that I have brought from files, the newest first."""
    return BroughtRows(rows=tuple(await ask.hall.shelf.of(ask.user.id)))


@call("POST", "/brought", "signed", "play", cost=20, most=MOST_BYTES)
async def bring(ask: Ask, body: Bring) -> Readings:
    """Keep the games of a file of another program, of at most 256 KiB and the first 100 games; each gets a replay."""
    game, rows, more = await ask.hall.shelf.bring(ask.user.id, body.data)
    return Readings(game=game, rows=tuple(rows), more=more)


@call("DELETE", "/brought/{game_id}", "signed", "play")
async def drop(ask: Ask, body: NoBody) -> None:
    """Throw away a game that I have brought."""
    await ask.hall.shelf.drop(ask.user.id, ask.path["game_id"])
