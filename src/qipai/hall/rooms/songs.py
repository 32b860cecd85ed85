"""Songs 点歌: who asks for one in a room, and who hears it (platform P-56)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from qipai.accounts.model import User
from qipai.hall.table import messages as wire
from qipai.hall.table.errors import HallError

if TYPE_CHECKING:
    from qipai.hall.hall import Hall

__all__ = ["Songs"]


class Songs:
    """What is sung in the rooms of a hall."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._sung: dict[int, int] = {}  # room -> when the last song began, ms

    def check(self, user: User, room: int | None, to: int | None, text: str) -> None:
        """Raise HallError where nobody can sing: in a room one is not in, right after another song."""
        if room is None or room not in self._hall.rooms or not self._hall.lobby.inside(room, user.id):
            raise HallError("NOT_FOUND")
        if to is not None and not self._hall.lobby.inside(room, to):
            raise HallError("NOT_FOUND")
        pause = 1000 * self._hall.config.shop.song_pause_s
        wait = self._sung.get(room, -pause) + pause - self._hall.clock.now()
        if wait > 0:
            raise HallError("COOLDOWN", wait_ms=wait)
        if len(text) > self._hall.config.shop.song_chars:
            raise HallError("BAD_MESSAGE", field="text")
        self._hall.talk.may_speak(user, room)

    @contextmanager
    def held(self, room: int | None) -> Iterator[None]:
        """Keep a room for one song while it is paid for; when it is not, the room is free again."""
        before = self._sung.get(room or 0)
        if room is not None:
            self._sung[room] = self._hall.clock.now()
        try:
            yield
        except BaseException:
            if room is not None:
                self._sung.pop(room)
                if before is not None:
                    self._sung[room] = before
            raise

    def sing(self, user: User, room: int, tune: str, to: int | None, text: str) -> None:
        """Let everybody in the room hear it, but those who have blocked the giver, or he them."""
        now = self._hall.clock.now()
        self._sung[room] = now
        named = None if to is None else self._hall.accounts.peek(to)
        facts = {"by": user.name, "tune": tune, "to": None if named is None else named.name, "text": text}
        line = wire.Chat(to=f"room:{room}", id=0, at=now, from_=user, code="song", facts=facts)
        self._hall.lobby.hear(room, msgspec.json.encode(line), user.id)
