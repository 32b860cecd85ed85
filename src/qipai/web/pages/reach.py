"""Bodies and answers about where somebody is told of what has happened: devices, e-mail (platform P-5, P-76)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from qipai.accounts.model import NewsKind
from qipai.lang import DEFAULT, Tag
from qipai.web.protocol import Body

__all__ = ["DeviceRow", "NewDevice", "Reach", "StopLetters"]


class DeviceRow(Struct, frozen=True):
    """A device of mine that is told. here: it is the one that asks."""

    id: int
    name: str
    made_at: int
    here: bool


class Reach(Struct, frozen=True):
    """Where I am told. key: the hall's, to subscribe with; None: this hall pushes nothing.

    push, letters: of which kinds of news my devices are told, and which go by e-mail. mail: the hall sends e-mail;
    email: I have given an address.
    """

    key: str | None
    devices: tuple[DeviceRow, ...]
    push: tuple[NewsKind, ...]
    mail: bool
    email: bool
    letters: tuple[NewsKind, ...]


class NewDevice(Body, frozen=True, kw_only=True):
    """What a browser's push subscription says: where it is reached, its two keys in base64url. name: of the device."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1000)]
    public: Annotated[str, Meta(min_length=1, max_length=200)]
    secret: Annotated[str, Meta(min_length=1, max_length=100)]
    name: Annotated[str, Meta(max_length=60)] = ""
    lang: Tag = DEFAULT


class StopLetters(Body, frozen=True, kw_only=True):
    """What stands after the # of the link in a letter."""

    token: Annotated[str, Meta(min_length=1, max_length=100)]
