"""Calls about chat rooms: which there are, the lines in view, slow mode (platform P-82). Talk itself is on the line."""

from __future__ import annotations

import re
from typing import Final

from msgspec import UNSET

from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.pages.chats import ChatPlace, ChatPlaces, ChatView, Slow

__all__: list[str] = []

ROOM: Final = re.compile(r"room:([0-9]{1,15})")


@call("GET", "/chat")
async def chats(ask: Ask) -> ChatPlaces:
    """Return the chat rooms that I may hear: of the hall, of each game, of my clubs (P-82)."""
    chats, clubs = ask.hall.chats, ask.services.community.clubs
    names: dict[str, str | None] = dict.fromkeys(chats.places())
    if ask.somebody is not None:
        names |= {f"club:{club.id}": club.name for club in clubs.of(ask.user.id)}
    return ChatPlaces(tuple(ChatPlace(to, name, chats.people(to), chats.slow(to)) for to, name in names.items()))


async def _keeps(ask: Ask, place: str) -> bool:
    """Tell whether the one who asks keeps the order of a place: of a club's, its bosses too."""
    if ask.keeps_order or ask.hall.chats.rank(place, ask.somebody) == "boss":
        return True
    room = ROOM.fullmatch(place)
    login = ask.login
    if room is None or login is None or not login.cookie:
        return False
    return ask.hall.keepers.keeps(login.user, int(room[1])) and ask.accounts.proven(login)


@call("GET", "/chat/{place}")
async def chat(ask: Ask) -> ChatView:
    """Return a chat room with the lines in view, without those of people with whom I have a block."""
    place = ask.path["place"]
    found = await ask.hall.chats.look(place, ask.somebody)
    lines = () if found.chat is UNSET else found.chat
    return ChatView(found.to, found.slow, found.people, lines, await _keeps(ask, place))


@call("POST", "/chat/{place}/slow", "cookie")
async def slow_down(ask: Ask, body: Slow) -> None:
    """Let each person speak only every so many seconds, in a chat room or in a room (`room:1`)."""
    place = ask.path["place"]
    if (room := ROOM.fullmatch(place)) is not None:
        place = f"room:{ask.hall.lobby.room(int(room[1])).id}"
    else:
        ask.hall.chats.may_hear(place, ask.user)
    if not await _keeps(ask, place):
        raise HallError("NOT_ALLOWED")
    await ask.hall.talk.slow_down(place, body.seconds, ask.user.id)
