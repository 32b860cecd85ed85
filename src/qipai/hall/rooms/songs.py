"""Songs 点歌 that people request in a room, and who hears them (platform P-56)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import msgspec

from qipai.accounts.model import User
from qipai.config import Shop
from qipai.hall.live.ports import Accounts
from qipai.hall.live.timers import Clock
from qipai.hall.rooms.inside import Inside
from qipai.hall.rooms.rooms import Room
from qipai.hall.rooms.talk import Talk
from qipai.hall.table import messages as wire
from qipai.hall.table.errors import HallError

__all__ = ["Songs"]


class Songs:
    """Plays songs in rooms, one at a time."""

    def __init__(
        self, accounts: Accounts, clock: Clock, places: Mapping[int, Room], inside: Inside, talk: Talk, shop: Shop
    ) -> None:
        self._accounts, self._clock, self._places = accounts, clock, places
        self._inside, self._talk, self._shop = inside, talk, shop
        self._sung: dict[int, int] = {}  # room -> when the last song began, ms

    def check(self, user: User, room: int | None, to: int | None, text: str) -> None:
        """Raise HallError if no song can be played: the user is not in the room, or another song was just played."""
        if room is None or room not in self._places or not self._inside.has(room, user.id):
            raise HallError("NOT_FOUND")
        if to is not None and not self._inside.has(room, to):
            raise HallError("NOT_FOUND")
        pause = 1000 * self._shop.song_pause_s
        wait = self._sung.get(room, -pause) + pause - self._clock.now()
        if wait > 0:
            raise HallError("COOLDOWN", wait_ms=wait)
        if len(text) > self._shop.song_chars:
            raise HallError("BAD_MESSAGE", field="text")
        self._talk.may_speak(user, room)

    @contextmanager
    def held(self, room: int | None) -> Iterator[None]:
        """Reserve a room for one song while it is paid for; if payment fails, the room is free again."""
        before = self._sung.get(room or 0)
        if room is not None:
            self._sung[room] = self._clock.now()
        try:
            yield
        except BaseException:
            if room is not None:
                self._sung.pop(room)
                if before is not None:
                    self._sung[room] = before
            raise

    def sing(self, user: User, room: int, tune: str, to: int | None, text: str) -> None:
        """Send a song to everybody in the room, except where the giver and the listener have a block."""
        now = self._clock.now()
        self._sung[room] = now
        named = None if to is None else self._accounts.peek(to)
        facts = {"by": user.name, "tune": tune, "to": None if named is None else named.name, "text": text}
        line = wire.Chat(to=f"room:{room}", id=0, at=now, from_=user, code="song", facts=facts)
        self._inside.hear(room, msgspec.json.encode(line), user.id)
