"""Bodies and answers about what I tell of myself, a forgotten password, and the end of my account (P-2, P-4, P-96)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from qipai.accounts.model import Told, User
from qipai.web.protocol import Body, Code, Password

__all__ = [
    "FactorBegun",
    "FactorCode",
    "FactorCodes",
    "FactorProof",
    "Farewell",
    "MyFactor",
    "MyProfile",
    "NewFactor",
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


class MyFactor(Struct, frozen=True):
    """My second factor. since: seconds since 1970, None: it is off; codes: recovery codes that are left."""

    since: int | None
    codes: int


class NewFactor(Body, frozen=True, kw_only=True):
    """My password, to begin with a second factor."""

    password: Password


class FactorBegun(Struct, frozen=True):
    """What a program on a phone has to know; link: the same as otpauth://, for a picture."""

    secret: str
    link: str


class FactorCode(Body, frozen=True, kw_only=True):
    """What that program shows now."""

    code: Code


class FactorProof(FactorCode, frozen=True, kw_only=True):
    """That, or a recovery code, and my password."""

    password: Password


class FactorCodes(Struct, frozen=True):
    """Recovery codes, shown this once; each is good once."""

    codes: tuple[str, ...]
