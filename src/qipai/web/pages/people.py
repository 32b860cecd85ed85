"""Bodies and answers about what I tell of myself, a forgotten password, and the end of my account (P-2, P-4, P-96)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from qipai.accounts.model import Told, User
from qipai.web.protocol import Body, Password

__all__ = [
    "Farewell",
    "MyProfile",
    "NewReset",
    "ProfileChange",
    "ResetFor",
    "ResetSecret",
]


class MyProfile(Told, frozen=True, kw_only=True):
    """What I tell of myself, and the countries that can be named and the pictures to choose from."""

    countries: tuple[str, ...]
    pictures: tuple[str, ...]


class ProfileChange(Body, frozen=True, kw_only=True):
    """What I tell of myself; null: stays as it is, "": nothing."""

    about: Annotated[str, Meta(max_length=1000)] | None = None
    country: Annotated[str, Meta(max_length=2)] | None = None
    picture: Annotated[str, Meta(max_length=1)] | None = None


class Farewell(Body, frozen=True, kw_only=True):
    """Delete my account. confirm: as `stand`, where a game is running (P-26)."""

    password: Password
    confirm: bool = False


class ResetSecret(Body, frozen=True, kw_only=True):
    """What stands after the # of a link by which a forgotten password is set anew."""

    secret: Annotated[str, Meta(max_length=200)]


class NewReset(ResetSecret, frozen=True, kw_only=True):
    """The link with the new password."""

    password: Password


class ResetFor(Struct, frozen=True):
    """Whose password a link sets; until: when it is good for nothing any more, seconds since 1970."""

    user: User
    until: int
