"""The call of the sandbox 沙盘: a game from any position, by the rules alone; nothing of it is kept (platform P-74)."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from qipai import games
from qipai.core import sandbox
from qipai.core.contract import BadNotation
from qipai.core.entry import AnyEntry, BadOption, rules_of
from qipai.hall.table import messages as wire
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.pages.sandbox import AskedHere, EndedHere, RefusedHere, Sand, Sandboxed
from qipai.web.protocol import Advice

__all__ = ["THREADS", "answered", "plays_now", "stands_nowhere"]

THREADS: Final = ThreadPoolExecutor(2, "sandbox")  # no more: they share the hall's core


@call("POST", "/sandbox", cost=2)
async def sand(ask: Ask, body: Sand) -> Sandboxed:
    """Return what moves lead to from a position that somebody has set up; a seat's view, or what watchers see."""
    return await sanded(body)


@call("POST", "/sandbox/advice", "signed", "play", cost=10)
async def sand_advice(ask: Ask, body: Sand) -> Advice:
    """Return what the strongest bot would do in a seat of a position; nobody who plays that game now may ask."""
    found = await sanded(body)
    here = next((one for one in found.asked if one.seat == body.seat), None)
    if here is None:
        raise HallError("STALE")
    if await plays_now(ask, body.game):
        raise HallError("NOT_ALLOWED", case="advice")
    await stands_nowhere(ask, body.game, found.text)
    return Advice(
        action=await ask.hall.runner.players.best(ask.user.id, body.game, found.options, found.view, body.seed)
    )


async def stands_nowhere(ask: Ask, game: str, text: str | None) -> None:
    """Raise HallError where a game of people stands in a position now: a player's friend has the same board."""
    if text is not None and await ask.services.community.analyses.running_at(game, text):
        raise HallError("GAME_RUNNING", case="analysis")


async def plays_now(ask: Ask, game: str) -> bool:
    """Tell whether somebody sits at a table where a game is going on that is not one with bots alone."""
    for number in ask.hall.people.tables_of(ask.user):
        live = await ask.hall.runner.cache.find(number)
        if live is None or live.table.setting.game != game or not live.table.playing:
            continue
        others = [chair.user for chair in live.table.players if chair.user not in (None, ask.user.id)]
        if others or live.table.setting.kind != "friendly":
            return True
    return False


async def sanded(body: Sand) -> Sandboxed:
    """Return what moves lead to, worked out beside the event loop; raises HallError."""
    return await asyncio.get_running_loop().run_in_executor(THREADS, found_of, body)


def found_of(body: Sand) -> Sandboxed:
    """Return what moves lead to; raises HallError."""
    if body.game not in games.names():
        raise HallError("BAD_OPTION", field="game")
    entry = games.find(body.game)
    if body.variant is not None and body.variant not in entry.form.variants:
        raise HallError("BAD_OPTION", field="variant")
    try:
        options = sandbox.chosen(entry, body.variant, body.options)
        rules = rules_of(entry, options, body.seats)
    except BadOption as wrong:
        raise HallError("BAD_OPTION", field=wrong.field) from wrong
    if body.seat is not None and body.seat >= rules.seats:
        raise HallError("BAD_MESSAGE", field="seat")
    try:
        found = sandbox.played(
            entry, rules, options, body.start, body.seed, [(move.seat, move.a) for move in body.moves]
        )
    except BadNotation as wrong:
        raise HallError("BAD_POSITION", **wrong.facts) from wrong
    return answered(entry, options, rules.seats, found, body.seat)


def answered(
    entry: AnyEntry, options: Any, seats: int, found: sandbox.Sandbox, seat: int | None, *, bare: bool = False
) -> Sandboxed:
    """Return what a sandbox has come to, as it is sent. bare: nothing but what `seat` knows."""
    told = tuple(each.event for each in found.told if seat is None or each.to is None or seat in each.to)
    asked = tuple(AskedHere(one.seat, one.ask, _legal(one), one.hints) for one in found.asked)
    mine = next((one for one in asked if one.seat == seat), None)
    refused, outcome = found.refusal, found.outcome
    return Sandboxed(
        options=entry.full(options),
        seats=seats,
        n=found.n,
        views=() if bare else found.views[:-1],
        view=found.views[-1 if seat is None else seat],
        turn=found.turn,
        asked=tuple(one for one in asked if one.seat == seat) if bare else asked,
        legal=None if mine is None else mine.legal,
        hints=None if mine is None else mine.hints,
        told=told,
        refusal=None if refused is None else RefusedHere(refused.code, dict(refused.facts)),
        outcome=None if outcome is None else EndedHere(outcome.points, outcome.places, outcome.why),
        text=None if bare else found.text,
    )


def _legal(one: sandbox.Open) -> wire.Legal:
    return wire.Legal(one.list, one.more, one.leaving)
