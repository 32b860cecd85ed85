"""Bodies and answers of the calls about polls (platform P-81)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from qipai.accounts.model import User
from qipai.hall.table.commands import Id
from qipai.web.protocol import Body, Page

__all__ = ["NewPoll", "PollMade", "PollOption", "PollRow", "PollRows", "Vote"]


class NewPoll(Body, frozen=True, kw_only=True):
    """A poll to be made. closes: seconds since 1970; club: whose members it asks, with `who: club`."""

    lines: ClassVar[tuple[str, ...]] = ("question",)

    question: Annotated[str, Meta(max_length=1000)]
    options: Annotated[tuple[str, ...], Meta(max_length=100)]
    closes: int
    who: Literal["everybody", "members", "club"] = "everybody"
    club: Id | None = None
    changeable: bool = False


class PollMade(Struct, frozen=True):
    """The number of the new poll."""

    poll: int


class Vote(Body, frozen=True, kw_only=True):
    """My vote: which option, from 0."""

    choice: int


class PollOption(Struct, frozen=True):
    """An answer to choose. votes, percent (cut, not rounded): None while I may not know."""

    text: str
    votes: int | None
    percent: str | None


class PollRow(Struct, frozen=True):
    """A poll. mine: what I have voted for; may: whether I may vote now, or change my vote."""

    id: int
    author: User | None
    at: int
    closes: int
    question: str
    options: tuple[PollOption, ...]
    who: Literal["everybody", "members", "club"]
    club: int | None
    changeable: bool
    voters: int
    open: bool
    mine: int | None
    may: bool


class PollRows(Page, frozen=True, kw_only=True):
    """Polls, newest first. make: whether I may make one here."""

    rows: tuple[PollRow, ...]
    make: bool
