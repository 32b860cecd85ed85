"""Calls about games, rooms, tables and finished games."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from msgspec import convert, structs
from starlette.responses import PlainTextResponse, Response

from qipai import games
from qipai.community.notices.service import put
from qipai.core.contract import BadNotation, Refusal
from qipai.core.entry import DealStart, Lessons
from qipai.hall.table.errors import HallError
from qipai.hall.table.messages import RoomSnapshot, Snapshot
from qipai.store import Connection
from qipai.web import replay_frames
from qipai.web.api import Ask, call
from qipai.web.calls.sandbox import plays_now, sanded, stands_nowhere
from qipai.web.catalog import game_info
from qipai.web.pages.sandbox import Sand
from qipai.web.protocol import (
    Advice,
    FinishedGame,
    GameInfo,
    GameRows,
    LessonRows,
    Linked,
    NewTable,
    NoBody,
    OpenedTable,
    Play,
    ReplayFrames,
    RoomRow,
    RoomRows,
    Seated,
)

__all__: list[str] = []


@call("GET", "/games")
async def all_games(ask: Ask) -> GameRows:
    """List the games of this hall."""
    played = await ask.hall.history.popular()
    return GameRows(rows=tuple(_described(ask, name, played) for name in games.names()))


@call("GET", "/games/{game}")
async def one_game(ask: Ask) -> GameInfo:
    """Describe a game: seats, options, bots."""
    if ask.path["game"] not in games.names():
        raise HallError("NOT_FOUND")
    return _described(ask, ask.path["game"], await ask.hall.history.popular())


def _described(ask: Ask, name: str, played: Mapping[str, int]) -> GameInfo:
    """Return a game with the engines of this hall among its bots, and how often it was played here."""
    info = game_info(name)
    engines = tuple(one for one in games.find(name).engines if one in ask.services.config.engines)
    return structs.replace(info, bots=info.bots + engines, played=played.get(name, 0))


@call("GET", "/games/{game}/lessons")
async def lessons(ask: Ask) -> LessonRows:
    """List a game's boards to try its rules on (P-73)."""
    return LessonRows(rows=tuple(_lessons(ask).tasks()))


@call("POST", "/games/{game}/lessons/{lesson}")
async def lesson_step(ask: Ask, body: dict[str, Any]) -> Any:
    """Try a step on such a board: what it leads to, or the rule that forbids it."""
    boards = _lessons(ask)
    if all(task.name != ask.path["lesson"] for task in boards.tasks()):
        raise HallError("NOT_FOUND")
    try:
        found = boards.step(body)
    except BadNotation as wrong:
        raise HallError(wrong.code, **wrong.facts) from wrong
    if isinstance(found, Refusal):
        raise HallError(found.code, **found.facts)
    return found


def _lessons(ask: Ask) -> Lessons:
    """Return the lessons of the game that is asked for, if it has any."""
    name = ask.path["game"]
    found = games.find(name).lessons if name in games.names() else None
    if found is None:
        raise HallError("NOT_FOUND")
    return found


@call("GET", "/rooms", queries="game limit after")
async def all_rooms(ask: Ask) -> RoomRows:
    """List the rooms, of one game or of all."""
    game = ask.query.get("game")
    if game is not None and game not in games.names():
        raise HallError("BAD_OPTION", field="game")
    after, most = ask.cursor()
    minor = await ask.hall.balances.hidden(None if ask.somebody is None else ask.somebody.id)
    found = [
        RoomRow(**structs.asdict(info), people=people, playing=playing)
        for info, people, playing in await ask.hall.lobby.rooms(game)
        if info.room > (after or 0) and not (minor and info.kind == "coin")
    ]
    return RoomRows(rows=tuple(found[:most]), next=str(found[most - 1].room) if len(found) > most else None)


@call("GET", "/rooms/{id:int}")
async def one_room(ask: Ask) -> RoomSnapshot:
    """Show a room: its tables and people."""
    return await ask.hall.lobby.snapshot(ask.path["id"])


@call("POST", "/tables", "signed", "play", "bot")
async def new_table(ask: Ask, body: NewTable) -> OpenedTable:
    """Open a table of my own; I own it and sit down like everybody (X13). A private one has a link."""
    ask.services.gate.table(ask.address, ask.user.id, ask.services.clock())
    table, key = await ask.hall.creation.make(
        ask.user,
        body.game,
        variant=body.variant,
        preset=body.preset,
        seats=body.seats,
        room=body.room,
        options=body.options,
        clock=body.clock,
        private=body.private,
        cid=body.cid,
    )
    if isinstance(group := body.options.get("group"), int):
        await _called(ask, table, group, body.game)
    if key is None:
        return OpenedTable(table=table)
    return OpenedTable(table=table, key=key, link=f"{ask.base()}/t/{key}")


async def _called(ask: Ask, table: int, group: int, game: str) -> None:
    """Tell the people of a group of friends, once, that a table is open for them; those whom one may invite (P-5)."""
    hall, user, notices = ask.hall, ask.user, ask.services.community.notices
    circle = await hall.circles.find(user.id, group)
    if circle is None:
        return
    apart = {other for other in circle.users if hall.ties.apart(user.id, other)}
    whom = await hall.eligibility.willing(user.id, {*circle.users} - apart)
    facts = {"from": user.name, "game": game}

    def work(db: Connection) -> None:
        for other in sorted(whom):
            put(db, other, "table_group", f"/tables/{table}", facts, ask.now, f"table_group:{table}")

    await ask.services.store.transaction(work)
    await notices.wake()


@call("POST", "/tables/{id:int}/link", "signed", "play", "bot")
async def new_link(ask: Ask, body: NoBody) -> OpenedTable:
    """Give a private table of mine another link; the old one opens nothing any more (P-89)."""
    table = ask.path["id"]
    key = await ask.hall.creation.relink(table, ask.user)
    return OpenedTable(table=table, key=key, link=f"{ask.base()}/t/{key}")


@call("GET", "/tables/{id:int}/past", "signed", cost=5)
async def past(ask: Ask) -> ReplayFrames:
    """Return the running game that I play moment by moment; of games where everybody sees everything."""
    found = await ask.hall.archive.past(ask.path["id"], ask.user.id)
    whole = await asyncio.get_running_loop().run_in_executor(None, replay_frames.frames_of, found)
    return structs.replace(whole, rows=tuple(structs.replace(frame, views=frame.views[-1:]) for frame in whole.rows))


@call("POST", "/tables/{id:int}/advice", "signed", "play", cost=5)
async def advice(ask: Ask, body: NoBody) -> Advice:
    """Tell what the steady bot would do in my seat now; at friendly tables, while I am asked."""
    return Advice(action=await ask.hall.adviser.advise(ask.user, ask.path["id"]))


async def _may_set_up(ask: Ask, body: Play) -> None:
    """Raise HallError where a bot's answer to a position would be advice in a game that goes on, as in the sandbox."""
    setup = games.find(body.game).setup if body.game in games.names() else None
    if setup is None:
        return
    if setup.men is None:  # what others hold can be made up: who plays it with people now sets up nothing
        if await plays_now(ask, body.game):
            raise HallError("NOT_ALLOWED", case="advice")
        return
    names = games.find(body.game).option_names()
    options = {name: value for name, value in body.options.items() if name in names}  # others are of the table
    try:
        found = await sanded(Sand(game=body.game, variant=body.variant, options=options, start=body.start))
    except HallError:
        return  # the table says what is wrong
    await stands_nowhere(ask, body.game, found.text)


@call("POST", "/play", "signed", "play", "bot")
async def play(ask: Ask, body: Play) -> Seated:
    """Sit down with bots, all ready: one click."""
    ask.services.gate.table(ask.address, ask.user.id, ask.services.clock())
    if body.start is not None:
        await _may_set_up(ask, body)
    table, seat = await ask.hall.creation.play(
        ask.user,
        body.game,
        variant=body.variant,
        preset=body.preset,
        seats=body.seats,
        options=body.options,
        clock=body.clock,
        level=body.level,
        colour=body.colour,
        start=body.start,
        seat=body.seat,
        cid=body.cid,
    )
    return Seated(table=table, seat=seat)


@call("GET", "/tables/{id:int}", queries="key")
async def one_table(ask: Ask) -> Snapshot:
    """Show a table as watchers see it."""
    return await ask.hall.audience.watch(ask.path["id"], ask.query.get("key"), ask.somebody, ask.address)


@call("GET", "/link/{key}")
async def link(ask: Ask) -> Linked:
    """Tell which table a private link opens."""
    table, game = await ask.hall.creation.link(ask.path["key"])
    return Linked(table=table, game=game)


@call("GET", "/g/{game_id}", queries="as", cost=3)
async def finished(ask: Ask) -> FinishedGame:
    """Return a finished game, or its text in a notation of the game (`as`)."""
    found: Any = await ask.hall.archive.finished(ask.path["game_id"], ask.query.get("as"), ask.viewer)
    if isinstance(found, str):
        text: Any = PlainTextResponse(found, headers={"x-content-type-options": "nosniff"})
        assert isinstance(text, Response)
        return text  # type: ignore[return-value]
    start = convert(found.get("start"), DealStart | None)
    return FinishedGame(**found, formats=tuple(games.find(found["game"]).records.of(start)))


@call("GET", "/g/{game_id}/steps", cost=10)
async def steps(ask: Ask) -> ReplayFrames:
    """Return what every seat saw of a finished game after each action: what the replay page shows."""
    found = await ask.hall.archive.finished(ask.path["game_id"], viewer=ask.viewer)
    # A gouji deal takes a tenth of a second: not on the loop that plays everybody's games.
    return await asyncio.get_running_loop().run_in_executor(None, replay_frames.frames_of, found)
