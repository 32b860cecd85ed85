"""Calls of shared reviews: looking through a finished game together, with other lines beside the record (P-90)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import msgspec

from qipai import games
from qipai.community.reviews.lines import Open, Row, asked, played, whole
from qipai.community.reviews.service import Named, Review
from qipai.core.contract import IllegalAction, Refusal
from qipai.core.entry import BadOption, DealStart, Record
from qipai.core.rng import Stream
from qipai.hall.table.errors import HallError
from qipai.web import replay_frames
from qipai.web.api import Ask, call
from qipai.web.pages.reviews import (
    Handed,
    Lead,
    LineName,
    LineRow,
    NewReview,
    OpenSeat,
    OpenSeats,
    ReviewMade,
    ReviewPage,
    SaidHere,
    SayHere,
    ShowBranch,
    StepTo,
    Tried,
    TryMove,
)
from qipai.web.protocol import ReplayFrames

__all__: list[str] = []

T = TypeVar("T")
Finished = Mapping[str, Any]


@call("POST", "/g/{game_id}/reviews", "cookie")
async def begin(ask: Ask, body: NewReview) -> ReviewMade:
    """Open a review of a finished game; I lead."""
    finished = await ask.hall.archive.finished(ask.path["game_id"], viewer=ask.viewer)
    key = await ask.services.community.reviews.begin(
        ask.user, finished["game_id"], min(body.n, len(finished["rows"])), body.cid
    )
    return ReviewMade(key)


async def _seen(ask: Ask) -> tuple[Review, Finished]:
    """Return a review and its game, which whoever follows must be allowed to see, too; raises HallError."""
    review = await ask.services.community.reviews.find(ask.path["key"])
    return review, await ask.hall.archive.finished(review.game, viewer=ask.viewer)


def _rows(finished: Finished, lines: Mapping[int, Named], line: int, n: int | None = None) -> tuple[Row, ...]:
    """Return a line from the beginning, to a moment; raises HallError("NOT_FOUND")."""
    if line and line not in lines:
        raise HallError("NOT_FOUND")
    record = [(seat, action) for seat, action, *_rest in finished["rows"]]
    rows = whole(record, {id: one.line for id, one in lines.items()}, line)
    if n is not None and n > len(rows):
        raise HallError("NOT_FOUND")
    return rows[:n]


@call("GET", "/review/{key}")
async def review(ask: Ask) -> ReviewPage:
    """Return a review: who leads, where they look, the other lines, the talk."""
    service, find = ask.services.community.reviews, ask.accounts.find
    found, finished = await _seen(ask)
    lines = await service.lines(found.id)

    async def who(id: int | None) -> Any:
        return None if id is None else await find(id)

    rows = [
        LineRow(
            id,
            one.line.parent,
            one.line.n,
            len(_rows(finished, lines, id)),
            one.at,
            await who(one.author),
            one.name,
            one.branch,
            one.playing,
        )
        for id, one in lines.items()
    ]
    talk = [
        SaidHere(one.id, one.at, await who(one.author), one.line, one.n, one.text)
        for one in await service.talk(found.id)
        if not ask.hall.ties.apart(ask.viewer or 0, one.author)
    ]
    asks = [await who(id) for id in await service.asks(found.id)]
    return ReviewPage(
        key=found.key,
        game_id=found.game,
        at=found.at,
        leader=await who(found.leader),
        mine=found.leader is not None and found.leader == ask.viewer,
        away=service.away(found),
        line=found.line if found.line in lines else 0,
        n=found.n,
        lines=tuple(rows),
        asks=tuple(each for each in asks if each is not None),
        talk=tuple(talk),
    )


@call("POST", "/review/{key}/step", "cookie")
async def step(ask: Ask, body: StepTo) -> None:
    """Look at another moment; all who follow see it."""
    await ask.services.community.reviews.step(ask.path["key"], ask.user, body.line, body.n)


@call("POST", "/review/{key}/lead", "cookie")
async def lead(ask: Ask, body: Lead) -> Handed:
    """Hand the lead to somebody who has asked; or ask for it, and take it where the leader has gone."""
    service, key = ask.services.community.reviews, ask.path["key"]
    if body.to is not None:
        await service.hand_over(key, ask.user, body.to)
        return Handed(True)
    await _seen(ask)
    return Handed(await service.take(key, ask.user))


@call("POST", "/review/{key}/say", "cookie")
async def say(ask: Ask, body: SayHere) -> None:
    """Say something at a moment."""
    await _seen(ask)
    await ask.services.community.reviews.say(ask.path["key"], ask.user, body.text, body.line, body.n, body.cid)


@call("GET", "/review/{key}/lines/{id:int}/steps", cost=10)
async def line_steps(ask: Ask) -> ReplayFrames:
    """Return another line from the beginning of the game as the replay shows it (`GET /g/<game_id>/steps`)."""
    found, finished = await _seen(ask)
    rows = _rows(finished, await ask.services.community.reviews.lines(found.id), ask.path["id"])
    told = finished["rows"]
    shared = [
        told[i] if i < len(told) and tuple(told[i][:2]) == (seat, action) else [seat, action, 0]
        for i, (seat, action) in enumerate(rows)
    ]
    return await asyncio.to_thread(partial(replay_frames.frames_of, {**finished, "rows": shared}))


def _record(finished: Finished, rows: tuple[Row, ...]) -> Record:
    return Record(
        game=finished["game"],
        options=finished["options"],
        edition=finished.get("rules", 1),
        seats=len(finished["seats"]),
        carry=finished["carry"],
        start=msgspec.convert(finished.get("start"), DealStart | None),
        bench=tuple(msgspec.to_builtins(each)["seat"] for each in finished.get("bench", ())),
        rows=tuple((seat, action, 0) for seat, action in rows),
    )


@call("GET", "/review/{key}/lines/{id:int}/open", queries="n", cost=5)
async def line_open(ask: Ask) -> OpenSeats:
    """Return who may act at a moment of a line (0: the record), and how: what the leader may try."""
    found, finished = await _seen(ask)
    lines = await ask.services.community.reviews.lines(found.id)
    record = _record(finished, _rows(finished, lines, ask.path["id"], ask.number("n", 0, 10**5)))
    seats: tuple[Open, ...] = await _by_rules(partial(asked, games.find(record.game), record))
    return OpenSeats(rows=tuple(OpenSeat(one.seat, one.ask, one.legal, one.hints) for one in seats))


@call("POST", "/review/{key}/moves", "cookie", cost=5)
async def try_move(ask: Ask, body: TryMove) -> Tried:
    """Try another move at a moment: by the rules of the game, beside the record, which never changes."""
    service, key = ask.services.community.reviews, ask.path["key"]
    found, finished = await _seen(ask)
    if (done := await service.done(ask.user, body.cid)) is not None:
        return Tried(*done)
    if found.leader != ask.user.id:
        raise HallError("NOT_ALLOWED", case="leader")
    lines = await service.lines(found.id)
    length = len(_rows(finished, lines, body.line))
    record = _record(finished, _rows(finished, lines, body.line, body.n))
    luck = Stream.of_seed(f"review|{key}|{body.line}|{body.n}|{len(lines)}")
    rows = await _by_rules(partial(played, games.find(record.game), record, body.seat, body.action, luck))
    if isinstance(rows, Refusal):
        raise HallError(rows.code, **rows.facts)
    return Tried(*await service.add(key, ask.user, body.line, body.n, length, rows, body.cid))


@call("POST", "/review/{key}/branches", "cookie", cost=5)
async def show_branch(ask: Ask, body: ShowBranch) -> Tried:
    """Look at a game with which somebody has gone on from the record; all who follow see it (What if)."""
    community = ask.services.community
    found, _finished = await _seen(ask)
    branch = await community.whatif.find(body.game, ask.viewer)
    n = await community.whatif.shared(found.game, branch.id)
    played = await ask.hall.archive.finished(branch.id, viewer=ask.viewer)
    rows = [(seat, action) for seat, action, *_rest in played["rows"]]
    return Tried(await community.reviews.show(ask.path["key"], ask.user, branch, n, rows), n)


@call("POST", "/review/{key}/lines/{id:int}", "cookie")
async def name_line(ask: Ask, body: LineName) -> None:
    """Give a line a name."""
    await ask.services.community.reviews.name(ask.path["key"], ask.user, ask.path["id"], body.name)


async def _by_rules(work: Callable[[], T]) -> T:
    """Do something by a game's rules; raises HallError("NOT_FOUND") where today's do not know what was played."""
    try:
        return await asyncio.to_thread(work)
    except (IllegalAction, BadOption):
        raise HallError("NOT_FOUND", case="rules") from None
