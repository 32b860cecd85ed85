"""What somebody's membership allows: games running at once, hours of vacation (platform P-62)."""

from __future__ import annotations

from qipai.accounts.model import User
from qipai.config import Config
from qipai.hall.live.timers import Clock
from qipai.ledger.service import Ledger

__all__ = ["Membership"]


class Membership:
    """The limits of members, by their level."""

    def __init__(self, ledger: Ledger, config: Config, clock: Clock) -> None:
        self._ledger, self._numbers, self._clock = ledger, config.members, clock

    async def games(self, user: User) -> int | None:
        """Return how many games a user may have running, None: any number."""
        level = await self._ledger.level(user.id, self._clock.now())
        return getattr(self._numbers, f"{level}_games") or None

    async def clubs(self, user: User) -> int:
        """Return how many clubs a user may have founded."""
        level = await self._ledger.level(user.id, self._clock.now())
        return int(getattr(self._numbers, f"{level}_clubs"))

    async def vacation(self, user: int) -> int:
        """Return how many hours of vacation a user has in a year."""
        level = await self._ledger.level(user, self._clock.now())
        return int(getattr(self._numbers, f"{level}_vacation"))
