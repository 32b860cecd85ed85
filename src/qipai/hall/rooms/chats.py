"""Chat rooms 聊天室 of the hall, of games and of clubs: who hears them; slow mode everywhere (platform P-82)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Final, Protocol

import msgspec
from msgspec import UNSET

from qipai import games
from qipai.accounts.model import User
from qipai.hall.live.ports import Accounts
from qipai.hall.live.small_sets import added, removed
from qipai.hall.rooms.session import Session
from qipai.hall.table import messages as wire
from qipai.hall.table.errors import HallError
from qipai.hall.table.wire_views import user_on_wire
from qipai.social.chat import Chat, Line
from qipai.social.ties import Ties
from qipai.store import Connection, Store

__all__ = ["Chats", "Ranks", "on_wire"]

PLACE: Final = re.compile(r"hall|game:([a-z]{1,40})|club:([1-9][0-9]{0,14})")
MOST_HEARD: Final = 20  # chat rooms that one line hears at once


class Ranks(Protocol):
    """What chat rooms ask of the clubs."""

    def rank_of(self, user: int, club: int) -> str | None:
        """Return somebody's rank in a club (`member`, `manager`, `boss`); None: not in it, or banned there."""
        ...


class _NoClubs:
    def rank_of(self, user: int, club: int) -> str | None:
        return None


class Chats:
    """The chat rooms and their hearers. clubs: assigned by whoever has any."""

    def __init__(self, store: Store, accounts: Accounts, chat: Chat, ties: Ties) -> None:
        self._store, self._accounts, self._chat, self._ties = store, accounts, chat, ties
        self.clubs: Ranks = _NoClubs()
        self._hearers: dict[str, dict[Session, None]] = {}
        self._looking: Counter[str] = Counter()  # how many look at a place just now
        self._slow: dict[str, int] = {}  # seconds between two lines of one person, by place
        self._last: dict[str, dict[int, int]] = {}  # when somebody spoke there, ms; of slow places only

    async def open(self) -> None:
        """Load where talk is slow."""
        self._slow = dict(
            await self._store.read(lambda db: db.execute("SELECT place, slow FROM slow_chats").fetchall())
        )

    # Places ---------------------------------------------------------------------------------------------------------

    @staticmethod
    def places() -> list[str]:
        """Return the places that everybody may hear: the hall's and one for each game."""
        return ["hall", *(f"game:{name}" for name in games.names())]

    @staticmethod
    def has(place: str) -> bool:
        """Tell whether there is, or may be, such a chat room."""
        found = PLACE.fullmatch(place)
        return found is not None and (found[1] is None or found[1] in games.names())

    @staticmethod
    def club_of(place: str) -> int | None:
        """Return the club whose chat room it is, None: it is no club's."""
        found = PLACE.fullmatch(place)
        return None if found is None or found[2] is None else int(found[2])

    def may_hear(self, place: str, user: User | None) -> None:
        """Raise HallError("NOT_FOUND") where somebody may not listen: a club's talk is for its members."""
        if not self.has(place) or (self.club_of(place) is not None and self.rank(place, user) is None):
            raise HallError("NOT_FOUND")

    def rank(self, place: str, user: User | None) -> str | None:
        """Return somebody's rank in the club whose chat room it is."""
        club = self.club_of(place)
        if club is None or user is None:
            return None
        return self.clubs.rank_of(user.id, club)

    # Hearers --------------------------------------------------------------------------------------------------------

    async def hear(self, session: Session, place: str, *, on: bool) -> None:
        """Let a line hear a chat room, with the lines in view first, or no longer."""
        if not on:
            self.leave(session, place)
            return
        self.may_hear(place, session.user)
        if len(session.chats) >= MOST_HEARD and place not in session.chats:
            raise HallError("LIMIT_REACHED", case="chats", most=MOST_HEARD)
        if session.closed:
            return
        self._hearers.setdefault(place, {})[session] = None  # first: who leaves meanwhile must not close the place
        session.chats = added(session.chats, place)
        await self._opened(place)
        if session in self._hearers.get(place, ()):  # who was banned meanwhile has been expelled
            session.say(self.snapshot(place, session.user_id))

    async def look(self, place: str, user: User | None) -> wire.TalkRoom:
        """Return a place once, as somebody may see it."""
        self.may_hear(place, user)
        self._looking[place] += 1
        try:
            await self._opened(place)
            self.may_hear(place, user)  # they may have been banned meanwhile
            return self.snapshot(place, None if user is None else user.id)
        finally:
            self._looking[place] -= 1
            self._shut(place)

    async def _opened(self, place: str) -> None:
        """Load the lines of a place, and who has said them."""
        await self._chat.open(place)
        await self._accounts.meet({line.user for line in self._chat.lines(place)})

    def leave(self, session: Session, place: str) -> None:
        """Let a line hear a chat room no longer."""
        session.chats = removed(session.chats, place)
        hearers = self._hearers.get(place, {})
        hearers.pop(session, None)
        if not hearers and self._hearers.pop(place, None) is not None:
            self._shut(place)

    def _shut(self, place: str) -> None:
        """Drop the lines of a place that nobody hears and nobody looks at."""
        if not self._looking[place]:
            del self._looking[place]
            if place not in self._hearers:
                self._chat.close(place)

    def expel(self, place: str, user: int) -> None:
        """Let somebody who has left a club, or was banned there, hear its talk no longer."""
        for session in [one for one in self._hearers.get(place, ()) if one.user_id == user]:
            self.leave(session, place)

    def all(self) -> list[tuple[Session, str]]:
        """Return which line hears which place."""
        return [(session, place) for place, hearers in self._hearers.items() for session in hearers]

    def people(self, place: str) -> int:
        """Return how many people hear a place."""
        return len({session.user_id or id(session) for session in self._hearers.get(place, ())})

    def send(self, place: str, frame: bytes, by: int | None = None) -> None:
        """Send a message to all who hear a place. by: not to those with whom this user has a block."""
        for session in self._hearers.get(place, ()):
            if by is None or not self._ties.apart(session.user_id, by):
                session.send(frame)

    def snapshot(self, place: str, viewer: int | None) -> wire.TalkRoom:
        """Return an open place as somebody may see it: without the lines of those with whom they have a block."""
        lines = [line for line in self._chat.lines(place) if not self._ties.apart(viewer, line.user)]
        shown = tuple(on_wire(line, self._accounts.peek) for line in lines)
        return wire.TalkRoom(place, self.slow(place), self.people(place), shown)

    # Slow mode ------------------------------------------------------------------------------------------------------

    def slow(self, place: str) -> int:
        """Return how many seconds must pass between two lines of one person at a place, 0: as many as all may say."""
        return self._slow.get(place, 0)

    async def set_slow(self, place: str, seconds: int, *, by: int, now: int) -> bytes:
        """Make talk at a place slow, or end it with 0, and return the message for who is there. now: seconds."""

        def work(db: Connection) -> None:
            if not seconds:
                db.execute("DELETE FROM slow_chats WHERE place = ?", (place,))
                return
            sql = (
                "INSERT INTO slow_chats (place, slow, by, at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (place) DO UPDATE SET slow = excluded.slow, by = excluded.by, at = excluded.at"
            )
            db.execute(sql, (place, seconds, by, now))

        await self._store.transaction(work)
        if seconds:
            self._slow[place] = seconds
        else:
            self._slow.pop(place, None)
            self._last.pop(place, None)
        frame = msgspec.json.encode(wire.TalkRoom(place, seconds, self.people(place)))
        self.send(place, frame)
        return frame

    def wait_ms(self, place: str, user: int, now: int) -> int:
        """Return how long somebody must be silent at a slow place, ms."""
        last = self._last.get(place, {}).get(user)
        return 0 if last is None else max(0, last + 1000 * self.slow(place) - now)

    def spoke(self, place: str, user: int, now: int) -> None:
        """Note that somebody has spoken."""
        seconds = self.slow(place)
        if not seconds:
            return
        last = self._last.setdefault(place, {})
        if len(last) > 1000:
            last = self._last[place] = {id: at for id, at in last.items() if at + 1000 * seconds > now}
        last[user] = now


def on_wire(line: Line, peek: Callable[[int], User | None]) -> wire.Chat:
    """Return a line in the form that clients get."""
    return wire.Chat(
        to=line.place,
        id=line.id,
        at=line.at,
        from_=user_on_wire(line.user, peek),
        text=UNSET if line.text is None else line.text,
        phrase=UNSET if line.phrase is None else line.phrase,
    )
