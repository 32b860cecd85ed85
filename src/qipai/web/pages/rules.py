"""What the pages of the rules send and get: rulings with small tables, terms, places that a search has found (P-73)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from qipai.core.tryouts import RuleAnswer, RuleTable
from qipai.web.protocol import Body, Page

__all__ = ["RuleCase", "RuleRow", "RuleTexts", "RuleTried", "RuleTry", "TermRow", "TermRows", "TextHit", "TextHits"]


class RuleCase(Struct, frozen=True):
    """A small table beside a ruling, and what the case does there as the worked example."""

    id: str
    opened: RuleTable


class RuleRow(Struct, frozen=True):
    """A numbered ruling, in the language asked for."""

    id: str
    chapter: str  # of the rules
    text: str
    cases: tuple[RuleCase, ...]  # none: nobody can try it


class RuleTexts(Page, frozen=True):
    """The rulings of a game in the order of its chapters."""

    rows: tuple[RuleRow, ...]
    codes: Mapping[str, str]  # code of a refusal -> the ruling that explains it
    words: Mapping[str, str]  # what the small tables say


class RuleTry(Body, frozen=True, kw_only=True):
    """What a reader tries: what they have done since a moment of the case, or what they have changed of it."""

    at: int | None = None
    did: tuple[tuple[int, Any], ...] = ()  # seat, action
    given: dict[str, Any] = field(default_factory=dict)


class RuleTried(Struct, frozen=True):
    """What the ruling answers; with nothing done, the table as it stands at that moment."""

    found: RuleAnswer | None
    opened: RuleTable | None = None


class TermRow(Struct, frozen=True):
    """A term of a game. `also`: its name in the other main language."""

    id: str
    name: str
    text: str
    also: str


class TermRows(Page, frozen=True):
    """The glossary of a game (术语)."""

    rows: tuple[TermRow, ...]


class TextHit(Struct, frozen=True):
    """A place where the rules of a game speak of what was looked for."""

    game: str
    lang: str
    chapter: str  # "glossary" for a term
    anchor: str  # the ruling or term; "" for the chapter itself
    title: str
    text: str
    at: tuple[int, int] | None  # where it stands in the text; None: in the title alone


class TextHits(Page, frozen=True):
    """What a search through the rules has found, the best first."""

    rows: tuple[TextHit, ...]
