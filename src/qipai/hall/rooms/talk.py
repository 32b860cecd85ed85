"""Talk at tables and in rooms: who may say what to whom, and who hears it when (platform P-19, P-22)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import UNSET

from qipai import games
from qipai.accounts.model import User
from qipai.accounts.text import line as one_line
from qipai.core.contract import Seat
from qipai.hall.live.live_table import LiveTable
from qipai.hall.live.ports import Accounts
from qipai.hall.live.runner import TableRunner
from qipai.hall.live.timers import Clock
from qipai.hall.rooms.chats import Chats, on_wire
from qipai.hall.rooms.inside import Inside
from qipai.hall.rooms.rooms import Room
from qipai.hall.rooms.session import Session
from qipai.hall.table import messages as wire
from qipai.hall.table.commands import Say
from qipai.hall.table.errors import HallError
from qipai.moderation.service import Order
from qipai.social.chat import Chat, Line
from qipai.social.chat import remove as marked
from qipai.social.ties import Ties
from qipai.store import Connection

__all__ = ["Talk"]

SHOWN: Final = 30  # lines in a snapshot


class Talk:
    """Takes, checks and delivers chat."""

    def __init__(
        self,
        chat: Chat,
        accounts: Accounts,
        clock: Clock,
        runner: TableRunner,
        places: Mapping[int, Room],
        inside: Inside,
        chats: Chats,
        ties: Ties,
        order: Order,
        ruled: Callable[[int, Any], None],
        heard: Callable[[LiveTable, str], None],
    ) -> None:
        """ruled: sends somebody a note about a moderator's ruling. heard: is called with a phrase said at a table."""
        self._chat, self._accounts, self._clock, self._runner = chat, accounts, clock, runner
        self._places, self._inside, self._chats, self._ties = places, inside, chats, ties
        self._order, self._ruled, self._heard = order, ruled, heard
        self.said = chat  # all lines, for moderators
        self._said: dict[tuple[int, str], None] = {}  # commands carried out lately
        # What is to be written with a line in a chat room, and called after it: whom it mentions (P-76).
        self.mentions: Callable[[str, User, str], Awaitable[Callable[[Connection], None] | None]] | None = None
        self.mentioned: Callable[[], Awaitable[None]] | None = None

    async def say(self, session: Session, say: Say) -> None:
        """Say a line, or refuse it."""
        user = session.user
        if user is None:
            raise HallError("SIGN_IN")
        text = None if say.text is UNSET else one_line(say.text)
        phrase = None if say.phrase is UNSET else say.phrase
        if field := self._chat.fits(text, phrase):
            raise HallError("BAD_MESSAGE", field=field)
        kind, _, number = say.to.partition(":")
        if Chats.has(say.to):
            place = say.to
        elif kind not in ("table", "watch", "room") or not number.isdecimal() or len(number) > 15:
            raise HallError("NOT_FOUND")
        else:
            place = f"{kind}:{int(number)}"
        if (user.id, say.cid) in self._said or await self._chat.said(user.id, say.cid):
            session.say(wire.Ack(say.cid, again=True))
            return
        live, room = None, None
        if Chats.has(place):
            self._is_heard(user)
            self._chats.may_hear(place, user)  # a club may have banned them meanwhile
            if place not in session.chats:
                raise HallError("NOT_FOUND")
        else:
            live = self._check(session, kind, int(number), free=text is not None)
            room = int(number) if live is None else live.table.setting.room
        now = self._clock.now()
        self.may_speak(user, room)
        keeper = session.moderator and not session.unproven if room is None else session.moderates(room)
        if not keeper and (wait := self._chats.wait_ms(place, user.id, now)):
            raise HallError("RATE_LIMIT", case="slow", wait_ms=wait)
        if wait := self._chat.wait_ms(user.id, now):
            raise HallError("RATE_LIMIT", wait_ms=wait)
        self._chats.spoke(place, user.id, now)
        too = None
        if self.mentions is not None and text is not None and Chats.has(place):
            too = await self.mentions(place, user, text)
        said = await self._chat.say(place, user.id, text, phrase, say.cid, now, too)
        if said is None:
            session.say(wire.Ack(say.cid, again=True))
            return
        self._said[user.id, say.cid] = None
        while len(self._said) > 5000:
            del self._said[next(iter(self._said))]
        frame = msgspec.json.encode(self.on_wire(said))
        if Chats.has(place):
            self._chats.send(place, frame, user.id)
        elif live is None:
            self._inside.hear(int(number), frame, user.id)
        else:
            self._at_table(live, kind, frame, user.id)
            if kind == "table" and phrase is not None:
                self._heard(live, phrase)
        session.say(wire.Ack(say.cid))
        if too is not None and self.mentioned is not None:
            await self.mentioned()

    def _check(self, session: Session, kind: str, number: int, *, free: bool) -> LiveTable | None:
        """Raise HallError if somebody may not speak there; return the table, if it is one."""
        user = session.user
        assert user is not None
        if kind == "room":
            self._is_heard(user)
            if number not in session.rooms:
                raise HallError("NOT_FOUND")
            return None
        live = self._runner.tables.get(number)
        if live is None or session not in live.listeners:
            raise HallError("NO_SUCH_TABLE")
        seat = live.listeners[session]
        if kind == "table":
            if seat is None:
                raise HallError("NOT_SEATED")
            mode = live.table.terms.table_chat
            if live.table.playing and (mode == "off" or (mode == "phrases" and free)):
                raise HallError("NOT_ALLOWED", case="quiet" if mode == "off" else "phrases")
        elif seat is not None and live.table.playing:
            raise HallError("NOT_ALLOWED", case="apart")  # watchers and players do not hear each other (P-19)
        elif live.table.setting.kind != "friendly":
            self._is_heard(user)
        return live

    def _is_heard(self, user: User) -> None:
        """Raise HallError for guests and programs, who may not speak in rooms (section 1)."""
        if user.kind == "guest":
            raise HallError("SIGN_IN", case="guest")
        if user.kind == "bot":
            raise HallError("NOT_ALLOWED", case="program")

    async def remove(
        self,
        line: Line,
        reason: str,
        *,
        by: int,
        room: int | None = None,
        report: int | None = None,
        cid: str | None = None,
    ) -> None:
        """Remove a line from everybody's chat, and tell its author why (P-95); raises HallError.

        room: where it was said. Moderators still see it in reports.
        """
        try:
            await self._order.act(
                line.user,
                "remove",
                reason,
                by=by,
                now=self._clock.now(),
                report=report,
                cid=cid,
                ref=f"line:{line.id}",
                room=room,
                too=partial(marked, id=line.id),
            )
        except LookupError:
            raise HallError("NOT_FOUND") from None
        self._chat.hide(line)
        gone = wire.Chat(to=line.place, id=line.id, at=line.at, from_=None, removed=True)
        # Sent to everybody: the number reveals nothing, and players may have seen the line before they sat down.
        kind, _, number = line.place.partition(":")
        if Chats.has(line.place):
            self._chats.send(line.place, msgspec.json.encode(gone))
        elif kind == "room":
            self._inside.unsay(int(number), msgspec.json.encode(gone))
        elif (live := self._runner.tables.get(int(number))) is not None:
            frame = msgspec.json.encode(gone)
            for listener in live.listeners:
                listener.send(frame)
        self._ruled(line.user, {"what": "remove", "reason": reason, "until": None, "ref": f"line:{line.id}"})

    def may_speak(self, user: User, room: int | None = None) -> None:
        """Raise HallError for somebody who is muted (P-95), everywhere or in this room. room None: not in a room."""
        now = self._clock.now() // 1000
        if (until := self._order.until(user.id, "mute", now)) is not None:
            raise HallError("MUTED", until=until)
        if room is not None and (until := self._order.until(user.id, "mute", now, room)) is not None:
            raise HallError("MUTED", case="room", until=until, room=room)

    def _at_table(self, live: LiveTable, kind: str, frame: bytes, by: int) -> None:
        for listener, seat in live.listeners.items():
            if self._ties.apart(listener.user_id, by):
                continue
            if kind == "table" or seat is None or not live.table.playing:
                listener.send(frame)

    def of_bot(self, live: LiveTable, seat: Seat, phrase: str) -> None:
        """Send what a bot of the table's own says to all who hear the table. It is not kept: no person has said it."""
        line = wire.Chat(to=f"table:{live.id}", id=0, at=self._clock.now(), from_=None, phrase=phrase, seat=seat)
        frame = msgspec.json.encode(line)
        for listener in live.listeners:
            listener.send(frame)

    def of_table(self, live: LiveTable, channel: Seat | None) -> list[wire.Chat]:
        """Return the last lines of a table as a channel may see them."""
        lines = self._chat.lines(f"table:{live.id}")
        if channel is None or not live.table.playing:
            lines = sorted(lines + self._chat.lines(f"watch:{live.id}"), key=lambda line: line.id)
        room = self._places.get(live.table.setting.room)
        terms = [] if room is None else self.of_terms(room, to=f"table:{live.id}")
        return [*terms, *(self.on_wire(line) for line in lines[-SHOWN:])]

    def of_room(self, room: int) -> tuple[tuple[wire.Chat, ...], int]:
        """Return the lines in view in a room, and how slow its talk is."""
        place = f"room:{room}"
        return tuple(self.on_wire(line) for line in self._chat.lines(place)), self._chats.slow(place)

    async def slow_down(self, place: str, seconds: int, by: int) -> None:
        """Let each person speak only every so many seconds at a place, 0: end it, and tell who is there."""
        frame = await self._chats.set_slow(place, seconds, by=by, now=self._clock.now() // 1000)
        kind, _, number = place.partition(":")
        if kind == "room":
            self._inside.unsay(int(number), frame)

    def of_terms(self, room: Room, to: str = "") -> list[wire.Chat]:
        """Return the messages for everybody who enters a room or its tables: what 大光 counts there (P-60)."""
        name = games.find(room.game).form.special
        points = room.options.get(name) if name is not None else None
        if points is None:
            return []
        facts = {"points": points}
        now = self._clock.now()
        return [wire.Chat(to=to or f"room:{room.id}", id=0, at=now, from_=None, code="special", facts=facts)]

    async def open_room(self, room: int) -> None:
        """Load a room's lines."""
        await self._chat.open(f"room:{room}")

    def ended(self, live: LiveTable) -> None:
        """Send the players what watchers have said during the game."""
        deal = live.table.deal
        begun = 0 if deal is None else deal.begun_at
        for line in self._chat.lines(f"watch:{live.id}")[-SHOWN:]:
            if line.at >= begun:
                frame = msgspec.json.encode(self.on_wire(line))
                for listener, seat in live.listeners.items():
                    if seat is not None:
                        listener.send(frame)

    async def open_table(self, table: int) -> None:
        """Load a table's lines."""
        await self._chat.open(f"table:{table}")
        await self._chat.open(f"watch:{table}")

    def closed(self, table: int) -> None:
        """Drop the lines of a table that nobody uses from memory; the database has them."""
        self._chat.close(f"table:{table}")
        self._chat.close(f"watch:{table}")

    def on_wire(self, line: Line) -> wire.Chat:
        """Return a line in the form that clients get."""
        return on_wire(line, self._accounts.peek)
