"""Who is in which room, and messages to everybody there (platform P-15, P-19)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from qipai.hall.live.small_sets import added, removed
from qipai.hall.rooms.session import Session
from qipai.hall.table import messages as wire
from qipai.social.ties import Ties

__all__ = ["Inside"]


class Inside:
    """The lines in the rooms."""

    def __init__(self, ties: Ties) -> None:
        self._ties = ties
        self._inside: dict[int, dict[Session, None]] = {}  # by room

    def open(self, rooms: Iterable[int]) -> None:
        """Open the rooms."""
        for room in rooms:
            self._inside[room] = {}

    def lines(self, room: int) -> Collection[Session]:
        """Return the lines in a room."""
        return self._inside.get(room, {})

    def users(self) -> dict[int, set[int | None]]:
        """Return who is in each room."""
        return {room: {session.user_id for session in inside} for room, inside in self._inside.items()}

    def count(self, room: int) -> int:
        """Return how many people are in a room."""
        return len({session.user_id for session in self._inside[room]})

    def add(self, room: int, session: Session) -> bool:
        """Add a line to a room; return whether it was new there."""
        new = session not in self._inside[room]
        self._inside[room][session] = None
        session.rooms = added(session.rooms, room)
        return new

    def discard(self, room: int, session: Session) -> bool:
        """Remove a line from a room; return whether it was its user's last line there."""
        session.rooms = removed(session.rooms, room)
        inside = self._inside.get(room)
        if inside is None or session not in inside:
            return False
        del inside[session]
        user = session.user_id
        return user is not None and all(other.user_id != user for other in inside)

    def all(self) -> list[tuple[Session, int]]:
        """Return which line is in which room."""
        return [(session, room) for room, inside in self._inside.items() for session in inside]

    def has(self, room: int, user: int) -> bool:
        """Tell whether a user is in a room."""
        return any(session.user_id == user for session in self.lines(room))

    def hear(self, room: int, frame: bytes, by: int) -> None:
        """Send a line of chat to everybody in a room, except where the speaker and the listener have a block."""
        for session in self.lines(room):
            if not self._ties.apart(session.user_id, by):
                session.send(frame)

    def unsay(self, room: int, frame: bytes) -> None:
        """Tell everybody in a room that a line of chat was removed."""
        for session in self.lines(room):
            session.send(frame)

    def tell(self, room: int, event: wire.RoomEv, but: Session | None = None) -> None:
        """Tell everybody in a room, except one line, what has changed there."""
        inside = self._inside.get(room)
        if inside:
            frame = msgspec.json.encode(event)
            for session in inside:
                if session is not but:
                    session.send(frame)
