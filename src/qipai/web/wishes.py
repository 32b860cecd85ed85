"""People's settings, as far as the hall asks for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from qipai.accounts.service import Accounts

__all__ = ["Wishes"]


class Wishes:
    """Reads the settings of people. loss: how many coins anybody may lose a day, 0: any number."""

    def __init__(self, accounts: Accounts, loss: int) -> None:
        self._accounts, self._loss = accounts, loss

    def unlisted(self, user: int) -> bool:
        """Tell whether somebody hides that they are online (P-5)."""
        return self._accounts.unlisted(user)

    async def rests(self, user: int) -> bool:
        """Tell whether somebody has automatic vacation on (P-87)."""
        return (await self._accounts.settings(user)).auto_vacation is True

    async def minor(self, user: int) -> bool:
        """Tell whether coins are hidden from somebody (P-107)."""
        return (await self._accounts.settings(user)).minor is True

    async def loss_limit(self, user: int) -> int | None:
        """Return how many coins a user may lose a day: the smaller of the hall's number and their own (P-107)."""
        own = (await self._accounts.settings(user)).daily_loss
        limits = [self._loss] if self._loss else []
        if isinstance(own, int):
            limits.append(own)
        return min(limits, default=None)

    async def invited_by(self, users: Collection[int]) -> Mapping[int, str]:
        """Return by whom several people want to be invited: everybody, friends, nobody (P-5)."""
        found = await self._accounts.settings_of(users)
        return {user: level for user, one in found.items() if isinstance(level := one.invited_by, str)}
