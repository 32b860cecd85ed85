"""Calls for programs that play as an account of their own (platform P-93, 13.2)."""

from __future__ import annotations

import secrets
from typing import Any

from msgspec import UNSET, structs
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from qipai.hall.table.commands import Join
from qipai.hall.table.errors import HallError
from qipai.hall.table.messages import Start
from qipai.web.api import Ask, call
from qipai.web.pages.bot import BotAct, BotReady, BotSay, BotSit, BotStand, Done, Upgrade
from qipai.web.protocol import Body
from qipai.web.streams import Stream, Wanted, told

__all__ = ["Streamed"]

HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff", "x-accel-buffering": "no"}


@call("POST", "/bot/upgrade", "cookie")
async def upgrade(ask: Ask, body: Upgrade) -> None:
    """Turn this account into a bot, once and for ever (P-93): it plays by programs, and is shown as one.

    It must not have played a game that counts, since people's ratings and passes are not those of programs.
    """
    services, user = ask.services, ask.user
    if user.kind != "user":
        raise HallError("SIGN_IN", case="guest") if user.kind == "guest" else HallError("NOT_ALLOWED", case="program")
    await ask.accounts.confirm(user.id, body.password, ask.now)
    if await ask.accounts.role(user.id) != "user" or ask.hall.keepers.rooms(user.id):
        raise HallError("NOT_ALLOWED", case="officer")
    community = services.community
    if community.clubs.leads(user.id) or community.interviews.edits(user.id, moderator=False):
        raise HallError("NOT_ALLOWED", case="leads")
    if await ask.hall.history.counted(user.id):
        raise HallError("NOT_ALLOWED", case="played")
    await ask.hall.sign_out.quit_all(user, confirm=body.confirm, for_good=True)
    await services.contests.gone(user.id, "deleted")
    await ask.accounts.become_bot(user.id)
    await services.logins.note_role(user.id, "bot", by=user.id)


def _bot(ask: Ask) -> None:
    """Raise HallError unless the one who asks is a bot's program."""
    if ask.user.kind != "bot":
        raise HallError("NOT_ALLOWED", case="person")


class Streamed(StreamingResponse):
    """The lines of a stream, which ends with the answer, also where the program left before its first line."""

    def __init__(self, stream: Stream) -> None:
        super().__init__(stream.lines(), media_type="application/x-ndjson", headers=HEADERS)
        self._stream = stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the lines until either side ends it."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._stream.shut()


def _streamed(stream: Stream) -> Any:
    found: Any = Streamed(stream)
    assert isinstance(found, Response)
    return found


def _stream(ask: Ask, wanted: Wanted) -> Stream:
    assert ask.login is not None
    return Stream(ask.services, ask.login, ask.user, ask.address, wanted)


def _event(message: dict[str, Any]) -> dict[str, Any] | None:
    """Return what is told of a message on the stream of events: notes, and where a game begins or ends."""
    return message if message["t"] in ("note", "start", "end", "bye") else None


@call("GET", "/bot/events", "signed", "bot")
async def bot_events(ask: Ask) -> str:
    """Stream what happens for this bot, line by line: `note` of the socket, and `start` for each table it sits at."""
    _bot(ask)
    stream = _stream(ask, _event)
    stream.open()
    try:
        for table in ask.hall.people.tables_of(ask.user):
            seat = await _seat(ask, table)
            if seat is not None:
                stream.say(Start(table, seat))
    except BaseException:
        stream.shut()
        raise
    return _streamed(stream)  # type: ignore[no-any-return]


async def _seat(ask: Ask, table: int) -> int | None:
    live = await ask.hall.finder.find(table)
    return None if live is None else live.table.seat_of(ask.user.id)


def _at_table(message: dict[str, Any]) -> dict[str, Any] | None:
    return message if message["t"] in ("snapshot", "ev", "chat", "bye") else None


@call("GET", "/bot/tables/{id:int}", "signed", "bot", queries="key")
async def bot_table(ask: Ask) -> str:
    """Stream a table, line by line: first its `snapshot`, then `ev` and `chat` as on the socket."""
    _bot(ask)
    stream = _stream(ask, _at_table)
    session = stream.open()
    try:
        await ask.hall.dispatch.handle(session, Join(table=ask.path["id"], key=ask.query.get("key")))
    except BaseException:
        stream.shut()
        raise
    return _streamed(stream)  # type: ignore[no-any-return]


async def _told(ask: Ask, kind: str, body: Body, **more: Any) -> Done:
    _bot(ask)
    fields = {name: value for name, value in structs.asdict(body).items() if value is not None and value is not UNSET}
    fields.setdefault("cid", f"bot-{secrets.token_hex(8)}")
    assert ask.login is not None
    ack = await told(ask.services, ask.login, ask.user, ask.address, {"t": kind, **more, **fields})
    return Done(ack.cid, None if ack.table is UNSET else ack.table, ack.again)


@call("POST", "/bot/tables/{id:int}/act", "signed", "bot")
async def bot_act(ask: Ask, body: BotAct) -> Done:
    """Act for the seat of this bot."""
    return await _told(ask, "act", body, table=ask.path["id"])


@call("POST", "/bot/tables/{id:int}/say", "signed", "bot")
async def bot_say(ask: Ask, body: BotSay) -> Done:
    """Talk at a table where this bot sits."""
    return await _told(ask, "say", body, to=f"table:{ask.path['id']}")


@call("POST", "/bot/tables/{id:int}/sit", "signed", "bot")
async def bot_sit(ask: Ask, body: BotSit) -> Done:
    """Take a seat."""
    return await _told(ask, "sit", body, table=ask.path["id"])


@call("POST", "/bot/tables/{id:int}/ready", "signed", "bot")
async def bot_ready(ask: Ask, body: BotReady) -> Done:
    """Be ready for the game, or the next one."""
    return await _told(ask, "ready", body, table=ask.path["id"])


@call("POST", "/bot/tables/{id:int}/stand", "signed", "bot")
async def bot_stand(ask: Ask, body: BotStand) -> Done:
    """Give the seat up."""
    return await _told(ask, "stand", body, table=ask.path["id"])
