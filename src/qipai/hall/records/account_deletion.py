"""What is deleted with an account: ties, talk, invitations, games from files, reports, moderators' rooms (P-96)."""

from __future__ import annotations

from qipai.accounts.model import User
from qipai.hall.live.timers import Clock
from qipai.hall.records.shelf import Shelf
from qipai.hall.rooms.invitations import Invitations
from qipai.hall.rooms.lobby import Lobby
from qipai.moderation.keepers import Keepers
from qipai.moderation.service import Order
from qipai.social.chat import Chat
from qipai.social.circles import Circles
from qipai.social.ties import Ties

__all__ = ["Deletion"]


class Deletion:
    """Deletes what the hall has stored about a person."""

    def __init__(
        self,
        clock: Clock,
        invitations: Invitations,
        ties: Ties,
        circles: Circles,
        shelf: Shelf,
        keepers: Keepers,
        lobby: Lobby,
        chat: Chat,
        order: Order,
    ) -> None:
        self._clock, self._invitations, self._ties, self._circles = clock, invitations, ties, circles
        self._shelf, self._keepers, self._lobby, self._chat, self._order = shelf, keepers, lobby, chat, order

    async def erase(self, user: User) -> None:
        """Delete what the hall has stored about somebody who deletes their account."""
        await self._invitations.erase(user)
        await self._ties.erase(user.id)
        await self._circles.erase(user.id)
        await self._shelf.erase(user.id)
        for room in self._keepers.rooms(user.id):
            await self._keepers.unname(user.id, room, by=user.id, now=self._clock.now())
            self._lobby.informed(room)
        await self._chat.erase(user.id)
        await self._order.erase(user.id)
