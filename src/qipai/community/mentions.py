"""Mentions 提到 in chat rooms: whoever is named with an @ gets a notice (platform P-76, P-82)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from qipai.accounts.model import User
from qipai.community.common import Common
from qipai.community.notices.service import put
from qipai.hall.rooms.chats import Chats
from qipai.store import Connection

__all__ = ["Mentions"]

EVERY_S: Final = 600  # one person's mentions of another at one place are told once in so many seconds


class Mentions:
    """Finds whom a line of talk mentions."""

    def __init__(self, common: Common) -> None:
        self._common = common

    async def of_line(self, place: str, by: User, text: str) -> Callable[[Connection], None] | None:
        """Return what writes the notices of a line, None: it mentions nobody.

        Of a club's talk only its members are told, and nobody of a block's other side.
        """
        people = {user.id for user in (await self._common.mentioned(text, by)).values()} - {by.id}
        if not people:
            return None
        now, club = self._common.now, Chats.club_of(place)
        facts = {"from": by.name, "place": place}

        def work(db: Connection) -> None:
            for user in sorted(people):
                if club is None or self._common.clubs.rank_of(user, club) is not None:
                    key = f"said:{place}:{by.id}:{now // EVERY_S}"
                    put(db, user, "said", f"/chat/{place}", facts, now, key)

        return work
