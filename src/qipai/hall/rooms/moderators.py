"""Moderators of single rooms: naming them, and telling those concerned (platform P-95)."""

from __future__ import annotations

from qipai.hall.live.ports import Accounts
from qipai.hall.live.timers import Clock
from qipai.hall.rooms.lobby import Lobby
from qipai.hall.rooms.notes import Notes
from qipai.moderation.keepers import Keepers

__all__ = ["Moderators"]


class Moderators:
    """Appoints moderators of rooms."""

    def __init__(self, accounts: Accounts, clock: Clock, keepers: Keepers, lobby: Lobby, notes: Notes) -> None:
        self._accounts, self._clock, self._keepers = accounts, clock, keepers
        self._lobby, self._notes = lobby, notes

    async def name(self, user: int, room: int, *, on: bool, by: int | None) -> bool:
        """Make a user a moderator of a room, or end it, and tell them and the room; tell whether anything changed.

        Raises HallError("NOT_FOUND") for an unknown room. Moderators of a room that no longer exists can be removed.
        """
        if on:
            self._lobby.room(room)
        write = self._keepers.name if on else self._keepers.unname
        done = await write(user, room, by=by, now=self._clock.now())
        if done:
            await self._accounts.meet([user])
            self._notes.named(user, room, on=on)
            self._lobby.informed(room)
        return done
