"""Answers about duplicates of the day (platform P-94)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from qipai.accounts.model import User
from qipai.contests.duplicates.page import DuplicatePage
from qipai.web.protocol import Page

__all__ = ["DealProof", "DuplicateDay", "DuplicateDays", "DuplicateShown"]


class DuplicateDay(Struct, frozen=True):
    """A game's duplicate of a day in the list. begun, played: how many have; mine: None: I have not begun it."""

    game: str
    day: str
    begun: int
    played: int
    closed: bool
    mine: Literal["playing", "played"] | None


class DuplicateDays(Page, frozen=True, kw_only=True):
    """Today's duplicates, one for each game with luck, then those of the days before that somebody has played."""

    today: str
    ends_at: int
    now: int
    rows: tuple[DuplicateDay, ...]
    past: tuple[DuplicateDay, ...]


class DealProof(Struct, frozen=True):
    """What proves that the deal was drawn before it was first played. server_seed: None before it is opened."""

    id: str
    commitment: str
    server_seed: str | None


class DuplicateShown(Struct, frozen=True):
    """The page of a duplicate of the day, and the people that it names. now: ms; today: whether it can be begun.

    proof: None where nobody has asked for it yet.
    """

    duplicate: DuplicatePage
    proof: DealProof | None
    people: tuple[User, ...]
    now: int
    today: bool
