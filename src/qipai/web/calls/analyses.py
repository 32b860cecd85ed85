"""Calls about analyses of finished games, and about skill with luck taken out (platform P-103)."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from qipai import games
from qipai.community.analyses.figures import by_month
from qipai.community.analyses.service import Standing
from qipai.core.replay_frames import Frame
from qipai.hall.table.errors import HallError
from qipai.web import replay_frames
from qipai.web.api import Ask, call
from qipai.web.pages.analyses import AnalysisStanding, Enqueued, SkillPage
from qipai.web.privacy import need
from qipai.web.protocol import NoBody, ReplayFrames

__all__: list[str] = []

SHOWN = 100  # deals on a page of skill


async def _game(ask: Ask, *, asks: bool = False) -> str:
    """Return which game a finished game is; raises HallError where its analysis cannot be had. asks: for a new one."""
    game, brought = await ask.hall.archive.analysable(ask.path["game_id"], ask.viewer)
    if games.find(game).analysis is None:
        raise HallError("NOT_FOUND")
    if asks and brought is not None and await ask.services.community.analyses.running_like(brought):
        raise HallError("GAME_RUNNING", case="analysis")
    return game


def _page(standing: Standing) -> AnalysisStanding:
    return AnalysisStanding(standing.state, standing.ahead, standing.done, standing.of, standing.found)


@call("GET", "/g/{game_id}/analysis", cost=2)
async def analysis(ask: Ask) -> AnalysisStanding:
    """Return how it stands with the analysis of a finished game, and what was found."""
    game = await _game(ask)
    return _page(await ask.services.community.analyses.standing(ask.path["game_id"], game))


@call("POST", "/g/{game_id}/analysis", "signed", cost=10)
async def analyse(ask: Ask, body: NoBody) -> AnalysisStanding:
    """Have a finished game gone through; it waits for those before it, and bots that are waited for go first."""
    game = await _game(ask, asks=True)
    return _page(await ask.services.community.analyses.ask(ask.user.id, ask.path["game_id"], game))


@call("GET", "/g/{game_id}/analysis/{n:int}/steps", cost=5)
async def best_line(ask: Ask) -> ReplayFrames:
    """Return the best line of an analysed decision as frames, from the position before it on; the record stays."""
    game, id, n = await _game(ask), ask.path["game_id"], ask.path["n"]
    standing = await ask.services.community.analyses.standing(id, game)
    row = next((row for row in standing.found.rows if row.n == n), None) if standing.found is not None else None
    if row is None or not row.line:
        raise HallError("NOT_FOUND")
    finished = await ask.hall.archive.finished(id, viewer=ask.viewer)
    line = [[seat, action, 0] for seat, action in row.line]
    whole = {**finished, "rows": [*finished["rows"][: n - 1], *msgspec.to_builtins(line)]}
    found = await asyncio.get_running_loop().run_in_executor(None, replay_frames.frames_of, whole)
    return ReplayFrames(rows=tuple(_from(found.rows, n - 1)), broken=found.broken)


def _from(frames: tuple[Frame, ...], n: int) -> list[Frame]:
    """Return the frames from a step on; the first has all fields of its views."""
    views: list[dict[str, Any]] = [{} for _ in frames[0].views] if frames else []
    kept: list[Frame] = []
    for frame in frames:
        for view, changed in zip(views, frame.views, strict=True):
            view.update(changed)
        if frame.n == n or (frame.n > n and not kept):
            kept = [msgspec.structs.replace(frame, views=tuple(dict(view) for view in views))]
        elif frame.n > n:
            kept.append(frame)
    return kept


@call("GET", "/users/{id:int}/skill", queries="game")
async def skill(ask: Ask) -> SkillPage:
    """Return somebody's skill by month, with luck taken out, as far as their deals are analysed."""
    user = await ask.accounts.find(ask.path["id"])
    if user is None or user.deleted:
        raise HallError("NOT_FOUND")
    await need(ask, user.id, "wins")
    game = ask.query.get("game")
    if game is not None and game not in games.names():
        raise HallError("BAD_OPTION", field="game")
    own = ask.services.community.analyses
    deals = await own.deals(user.id, game)
    mine = ask.viewer == user.id
    left = len(await own.last(user.id, ask.services.config.analyses.last)) if mine else 0
    return SkillPage(user, tuple(by_month(deals)), tuple(deals[:SHOWN]), left)


@call("POST", "/me/analyses", "signed", cost=10)
async def analyse_last(ask: Ask, body: NoBody) -> Enqueued:
    """Have my last games gone through, as many as may wait."""
    own = ask.services.community.analyses
    done = 0
    for id, game in await own.last(ask.user.id, ask.services.config.analyses.last):
        try:
            await ask.hall.archive.analysable(id, ask.viewer)
            await own.ask(ask.user.id, id, game)
        except HallError as refused:
            if refused.code == "NOT_FOUND":  # of a shared deal that is still closed
                continue
            if not done:
                raise
            break
        done += 1
    return Enqueued(done)
