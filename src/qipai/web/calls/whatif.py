"""Calls of branches: going on from a moment of a finished game, and the tree that comes of it (What if)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from qipai.community.whatif.service import Ended, Tree
from qipai.hall.records.moments import moment
from qipai.hall.records.replay import parted
from qipai.hall.table.errors import HallError
from qipai.hall.table.events import MoveMade
from qipai.web.api import Ask, call
from qipai.web.pages.whatif import Ending, GoOn, Parted, WhatIfChange, WhatIfRow, WhatIfTree
from qipai.web.protocol import NoBody, Seated

__all__: list[str] = []


@call("POST", "/g/{game_id}/whatif", "signed", "play", cost=5)
async def go_on(ask: Ask, body: GoOn) -> Seated:
    """Sit down at a table that goes on from a moment of a finished game, with bots that know what their seats knew."""
    ask.services.gate.table(ask.address, ask.user.id, ask.services.clock())
    finished = await ask.hall.archive.to_go_on(ask.path["game_id"], ask.viewer)
    if "brought" in finished and await ask.services.community.analyses.running_like(
        await ask.hall.archive.record(finished["game_id"])
    ):
        raise HallError("GAME_RUNNING", case="analysis")  # a bot would answer for who plays it
    reviews = ask.services.community.reviews
    if body.review is not None:
        await reviews.may_play(body.review, ask.user, finished["game_id"])
    found = await asyncio.get_running_loop().run_in_executor(None, partial(moment, finished, body.n, body.seat))
    table, seat = await ask.hall.creation.go_on(
        ask.user, found, body.seat, level=body.level, timed=body.timed, cid=body.cid
    )
    if body.review is not None:
        await reviews.plays(body.review, ask.user, table, found.ply)
    return Seated(table=table, seat=seat)


def _ending(ended: Ended | None) -> Ending | None:
    return None if ended is None else Ending(ended.points, ended.places, ended.why)


@call("GET", "/g/{game_id}/whatif", cost=3)
async def tree(ask: Ask) -> WhatIfTree:
    """Return the branches of the tree that a finished game belongs to: mine, and those that others show."""
    game = ask.path["game_id"]
    await ask.hall.archive.finished(game, viewer=ask.viewer)
    found = await ask.services.community.whatif.tree(game, ask.viewer)
    own = [one.branch.id for one in found.rows if one.branch.player == ask.viewer]
    reviews = await ask.services.community.reviews.shown_in(own)
    rows = []
    for one in found.rows:
        branch, mine = one.branch, one.branch.player == ask.viewer
        rows.append(
            WhatIfRow(
                id=branch.id,
                number=branch.number,
                parent=one.parent,
                n=one.n,
                seat=branch.seat,
                by=await ask.accounts.find(branch.player),
                name=branch.name,
                who=branch.who,
                mine=mine,
                at=branch.begun_at * 1000,
                table=branch.table if mine and branch.ended_at is None else None,
                result=_ending(one.ended),
                review=reviews.get(branch.id),
            )
        )
    return WhatIfTree(found.root, await _root(ask, found), tuple(rows))


async def _root(ask: Ask, found: Tree) -> Ending | None:
    """Return how the game at which a tree stands has ended; one from a file says so itself, if it is still there."""
    if found.ended is not None:
        return _ending(found.ended)
    try:
        result = (await ask.hall.archive.finished(found.root, viewer=ask.viewer))["result"]
    except HallError:
        return None
    return None if result is None else _result(result)


@call("GET", "/g/{game_id}/whatif/{other}", cost=5)
async def compare(ask: Ask) -> Parted:
    """Return where two games of a tree part, and how each has ended."""
    one, other = ask.path["game_id"], ask.path["other"]
    games = [await ask.hall.archive.finished(id, viewer=ask.viewer) for id in (one, other)]
    shared = await ask.services.community.whatif.shared(one, other)
    here, there = (_moves(game) for game in games)
    results = [None if game["result"] is None else _result(game["result"]) for game in games]
    return Parted(parted(here, there, shared), (results[0], results[1]))


def _moves(finished: Mapping[str, Any]) -> list[MoveMade]:
    return [MoveMade(seat, action, 0) for seat, action, *_rest in finished["rows"]]


def _result(result: Mapping[str, Any]) -> Ending:
    return Ending(tuple(result["points"]), tuple(result["places"]), result["why"])


@call("POST", "/whatif/{game_id}", "cookie")
async def change(ask: Ask, body: WhatIfChange) -> None:
    """Name my branch, or say who may see it."""
    await ask.services.community.whatif.change(ask.user, ask.path["game_id"], body.name, body.who)


@call("DELETE", "/whatif/{game_id}", "cookie")
async def drop_branch(ask: Ask, body: NoBody) -> None:
    """Delete my branch; what others have gone on with from there stays."""
    await ask.services.community.whatif.drop(ask.user, ask.path["game_id"])
