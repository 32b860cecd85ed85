"""Calls of the editor and of positions that people keep (platform P-74)."""

from __future__ import annotations

import asyncio
from typing import Any

from qipai import games
from qipai.community.positions.service import NewPosition, Position
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.calls.sandbox import THREADS, found_of, sanded
from qipai.web.pages.positions import (
    EditorGame,
    EditorGames,
    KeepPosition,
    Kept,
    PositionRow,
    PositionRows,
    ShowPosition,
)
from qipai.web.pages.sandbox import Sand, Sandboxed

__all__: list[str] = []


@call("GET", "/editor", cost=2)
async def editor(ask: Ask) -> EditorGames:
    """List the games whose positions can be set up, and how a deal of each begins."""
    names = [name for name in games.names() if games.find(name).setup is not None]
    loop = asyncio.get_running_loop()
    begun = [await loop.run_in_executor(THREADS, found_of, Sand(game=name)) for name in names]
    return EditorGames(tuple(EditorGame(name, one.text) for name, one in zip(names, begun, strict=True)))


@call("GET", "/editor/{game}", queries="p v", cost=2)
async def editor_of(ask: Ask) -> Sandboxed:
    """Return a position as its link says it, without options of its own; without `p` how a deal begins."""
    if ask.path["game"] not in games.names():
        raise HallError("NOT_FOUND")
    return await sanded(Sand(game=ask.path["game"], variant=ask.query.get("v"), start=ask.query.get("p")))


async def _row(ask: Ask, one: Position) -> PositionRow:
    return PositionRow(
        one.id,
        one.at,
        await ask.accounts.find(one.author),
        one.game,
        one.variant,
        one.options,
        one.text,
        one.name,
        one.goal,
        one.note,
        one.public,
    )


@call("GET", "/positions", queries="limit after game mine")
async def positions(ask: Ask) -> PositionRows:
    """Return what people show to all, newest first, of one game or of all; with `mine` what I keep."""
    after, most = ask.cursor()
    game = ask.query.get("game")
    if game is not None and game not in games.names():
        raise HallError("BAD_OPTION", field="game")
    service = ask.services.community.positions
    if "mine" in ask.query:
        if ask.viewer is None:
            raise HallError("SIGN_IN")
        found = await service.mine(ask.viewer, after, most + 1)
    else:
        found = await service.shown(ask.viewer, game, after, most + 1)
    return PositionRows(
        rows=tuple([await _row(ask, one) for one in found[:most]]),
        next=str(found[most - 1].id) if len(found) > most else None,
    )


@call("POST", "/positions", "cookie")
async def keep(ask: Ask, body: KeepPosition) -> Kept:
    """Keep a position; it must be one."""
    found = await sanded(Sand(game=body.game, variant=body.variant, options=body.options, start=body.start))
    if found.text is None:
        raise HallError("BAD_POSITION", why="over")
    entry = games.find(body.game)
    options: dict[str, Any] = entry.changed(entry.chosen(found.options))
    position = NewPosition(
        body.game, body.variant, options, found.text, body.name, body.note or "", body.goal or "", body.public
    )
    return Kept(await ask.services.community.positions.keep(ask.user, position, body.cid))


@call("GET", "/positions/{id:int}")
async def position(ask: Ask) -> PositionRow:
    """Return a position that I keep, or that somebody shows to all."""
    return await _row(ask, await ask.services.community.positions.find(ask.path["id"], ask.viewer))


@call("POST", "/positions/{id:int}", "cookie")
async def show(ask: Ask, body: ShowPosition) -> None:
    """Show a position of mine to all, or keep it to myself."""
    await ask.services.community.positions.show(ask.user, ask.path["id"], body.public)


@call("DELETE", "/positions/{id:int}", "cookie")
async def drop_position(ask: Ask) -> None:
    """Throw a position of mine away."""
    await ask.services.community.positions.drop(ask.user, ask.path["id"])
