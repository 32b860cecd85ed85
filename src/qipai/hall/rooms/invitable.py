"""Who may take up an invitation (platform P-66). Pure."""

from __future__ import annotations

from collections.abc import Container

from msgspec import Struct

__all__ = ["Invite", "Invited", "either_blocked", "refused"]


class Invite(Struct, frozen=True):
    """The conditions of an invitation. to, among: None: anybody may take it up."""

    owner: str
    to: str | None = None
    among: Container[str] | None = None
    rated: bool = False
    rating_min: float | None = None
    rating_max: float | None = None
    expired: bool = False


class Invited(Struct, frozen=True):
    """Somebody who wants to take it up. blocked: one of the two has blocked the other. limit: of running games."""

    id: str
    rating: float = 1500.0
    blocked: bool = False
    guest: bool = False
    running: int = 0
    limit: int | None = None


def refused(invite: Invite, user: Invited) -> str | None:
    """Return the first reason why somebody cannot take up an invitation, None when they can."""
    if invite.expired:
        return "INVITE_EXPIRED"
    if invite.owner == user.id:
        return "SELF"
    if user.blocked:
        return "BLOCKED"
    if invite.to is not None and invite.to != user.id:
        return "NOT_FOR_YOU"
    if invite.among is not None and user.id not in invite.among:
        return "NOT_FOR_YOU"
    if user.guest and invite.rated:
        return "GUEST_RATED"
    if invite.rating_min is not None and user.rating < invite.rating_min:
        return "RATING_RANGE"
    if invite.rating_max is not None and user.rating > invite.rating_max:
        return "RATING_RANGE"
    if user.limit is not None and user.running >= user.limit:
        return "TOO_MANY_GAMES"
    return None


def either_blocked(one: str, other: str, by_one: Container[str], by_other: Container[str]) -> bool:
    """Tell whether one of two has blocked the other."""
    return other in by_one or one in by_other
