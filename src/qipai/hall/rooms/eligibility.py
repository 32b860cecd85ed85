"""Eligibility: who may be invited by whom, and what decides whether somebody can take up an invitation (P-5, P-66)."""

from __future__ import annotations

from collections.abc import Collection

from qipai import games
from qipai.accounts.model import User
from qipai.hall.live.correspondence import Correspondence
from qipai.hall.live.membership import Membership
from qipai.hall.live.ports import Wishes
from qipai.hall.rooms.invitable import Invited
from qipai.hall.rooms.table_creation import Asked
from qipai.hall.table.clock import by_days
from qipai.ledger import ratings
from qipai.ledger.service import Ledger
from qipai.social.ties import Ties

__all__ = ["Eligibility"]


class Eligibility:
    """Looks up the facts about people on which invitations depend."""

    def __init__(
        self, ledger: Ledger, correspondence: Correspondence, ties: Ties, membership: Membership, wishes: Wishes
    ) -> None:
        self._ledger, self._correspondence, self._ties = ledger, correspondence, ties
        self._membership, self._wishes = membership, wishes

    async def willing(self, by: int, users: Collection[int]) -> set[int]:
        """Return which of several people somebody may invite, by the people's own settings (P-5)."""
        wanted = await self._wishes.invited_by(users)
        friends = {tie.user for tie in await self._ties.followed(by) if tie.mutual}

        def lets(user: int) -> bool:
            level = wanted.get(user)
            return level != "nobody" and (level != "friends" or user in friends)

        return {user for user in users if lets(user)}

    async def taker(self, user: User, owner: int, asked: Asked) -> Invited:
        """Return somebody as a taker of an invitation of this owner."""
        limit = await self._membership.games(user)
        return Invited(
            id=str(user.id),
            rating=await self.rating(user, asked.game, asked.variant),
            blocked=self._ties.apart(owner, user.id),
            guest=user.kind == "guest",
            running=self._correspondence.running(user.id, slow=by_days(asked.clock)),
            limit=limit,
        )

    async def rating(self, user: User, game: str, variant: str | None) -> int:
        """Return a user's rating in a game, a beginner's if there is none."""
        pool = "/".join(filter(None, (game, variant)))
        found = (await self._ledger.ratings(user.id)).get(pool)
        return ratings.number(ratings.fresh(max(games.find(game).seats)) if found is None else found)
