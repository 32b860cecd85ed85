"""Bodies and answers about what I tell of myself, a forgotten password, and the end of my account (P-2, P-4, P-96)."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from qipai.accounts.model import SelfDescription, User
from qipai.lang import DEFAULT, Tag
from qipai.web.protocol import Body, Code, Email, Page, Password

__all__ = [
    "FactorBegun",
    "FactorCode",
    "FactorCodes",
    "FactorProof",
    "Farewell",
    "LetterAsked",
    "MyEmail",
    "MyFactor",
    "MyProfile",
    "NewEmail",
    "NewFactor",
    "NewPasskey",
    "NewReset",
    "PasskeyAnswer",
    "PasskeyAsked",
    "PasskeyProof",
    "PasskeyRow",
    "PasskeyRows",
    "ProfileChange",
    "ResetFor",
    "ResetSecret",
    "SignInByPasskey",
    "Ways",
]


class MyProfile(SelfDescription, frozen=True, kw_only=True):
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
    """The code that this program shows now."""

    code: Code


class FactorProof(FactorCode, frozen=True, kw_only=True):
    """A code of the second factor, or a recovery code, and my password."""

    password: Password


class FactorCodes(Struct, frozen=True):
    """Recovery codes, shown only this once; each works once."""

    codes: tuple[str, ...]


class Ways(Struct, frozen=True):
    """The ways to sign in to this hall, beside name and password."""

    passkeys: bool
    mail: bool  # who forgot the password may ask for a letter


class LetterAsked(Body, frozen=True, kw_only=True):
    """Who forgot the password: a name, or the e-mail address that was given. lang: where none was chosen."""

    who: Annotated[str, Meta(min_length=1, max_length=254)]
    lang: Tag = DEFAULT


class MyEmail(Struct, frozen=True):
    """My e-mail address, which nobody else sees."""

    email: str | None


class NewEmail(Body, frozen=True, kw_only=True):
    """Another e-mail address, null: none; and my password."""

    password: Password
    email: Email | None


class PasskeyRow(Struct, frozen=True):
    """A passkey of mine. host: for which name of the hall it is good; made_at, used_at: seconds since 1970."""

    id: int
    name: str
    host: str
    made_at: int
    used_at: int | None


class PasskeyRows(Page, frozen=True, kw_only=True):
    """My passkeys, oldest first."""

    rows: tuple[PasskeyRow, ...]


class PasskeyProof(Body, frozen=True, kw_only=True):
    """My password, and a code where a second factor is on: before a passkey is added, which stands for both."""

    password: Password
    code: Code | None = None


class PasskeyAsked(Struct, frozen=True):
    """What the browser is given (WebAuthn, PublicKeyCredential…OptionsJSON)."""

    options: Any


Base64 = Annotated[str, Meta(max_length=20_000)]


class PasskeyResponse(Struct, frozen=True, omit_defaults=True):
    """What the device has signed; of other fields nothing is asked."""

    clientDataJSON: Base64
    attestationObject: Base64 | None = None  # when it is made
    authenticatorData: Base64 | None = None  # when one signs in
    signature: Base64 | None = None
    userHandle: Base64 | None = None


class PasskeyAnswer(Struct, frozen=True):
    """What the browser answers (WebAuthn, `PublicKeyCredential.toJSON`)."""

    id: Base64
    rawId: Base64
    response: PasskeyResponse
    type: Literal["public-key"]


class NewPasskey(Body, frozen=True, kw_only=True):
    """A passkey that the browser has made, and what I call it."""

    lines: ClassVar[tuple[str, ...]] = ("name",)

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    answer: PasskeyAnswer


class SignInByPasskey(Body, frozen=True, kw_only=True):
    """What a passkey has answered."""

    answer: PasskeyAnswer
