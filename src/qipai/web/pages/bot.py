"""Bodies and answers of the program API (platform P-93, 13.2)."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from qipai.web.protocol import Body

__all__ = ["BotAct", "BotReady", "BotSay", "BotSit", "BotStand", "Done", "Upgrade"]


class Upgrade(Body, frozen=True, kw_only=True):
    """This account becomes a bot, for ever; with my password. confirm: though it costs something to leave my seats."""

    password: str
    confirm: bool = False


class BotAct(Body, frozen=True, kw_only=True):
    """An action. ask: the question that it answers."""

    action: dict[str, Any]
    ask: int | None = None


class BotSay(Body, frozen=True, kw_only=True):
    """Talk at the table: a text, or one of the phrases."""

    text: Annotated[str, Meta(min_length=1, max_length=200)] | UnsetType = UNSET
    phrase: Annotated[str, Meta(max_length=24)] | UnsetType = UNSET


class BotSit(Body, frozen=True, kw_only=True):
    """Take a seat. key: of a private table."""

    seat: Annotated[int, Meta(ge=0, le=15)]
    key: str | None = None


class BotReady(Body, frozen=True, kw_only=True):
    """Be ready, or not."""

    on: bool


class BotStand(Body, frozen=True, kw_only=True):
    """Give the seat up."""

    confirm: bool = False


class Done(Struct, frozen=True, omit_defaults=True):
    """A command was carried out and is stored: the `ack` of the socket."""

    cid: str
    table: int | None = None
    again: bool = False
