"""Privacy of profiles: which fields are shown to whom (platform P-4)."""

from __future__ import annotations

from collections.abc import Iterable

from qipai.accounts.model import Field, Level, hidden
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask

__all__ = ["need", "unseen"]


async def unseen(ask: Ask, users: Iterable[int]) -> dict[int, frozenset[Field]]:
    """Return which fields of each profile are hidden from whoever asks. Friends follow each other (P-10)."""
    me = None if ask.somebody is None else ask.somebody.id
    friends = set() if me is None else {tie.user for tie in await ask.hall.ties.followed(me) if tie.mutual}

    def level(user: int) -> Level:
        return "me" if user == me else "friends" if user in friends else "public"

    found = await ask.accounts.settings_of(users)
    return {user: hidden(settings, level(user)) for user, settings in found.items()}


async def need(ask: Ask, user: int, field: Field) -> None:
    """Raise HallError("NOT_ALLOWED") if a field of somebody's profile is hidden from whoever asks."""
    if field in (await unseen(ask, [user]))[user]:
        raise HallError("NOT_ALLOWED", case="hidden")
