"""The rules as they are read: rulings with their small tables, the glossary, a search through both (P-73)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from msgspec import structs

from qipai import games, lang
from qipai.core import tryouts
from qipai.core.entry import AnyEntry
from qipai.web.pages.rules import RuleCase, RuleRow, RuleTexts, TermRow, TextHit

__all__ = ["AROUND", "MOST_HITS", "case_of", "found", "glossary", "rulings"]

MOST_HITS: Final = 40
AROUND: Final = 60  # letters that a snippet shows before and behind what was found
NAMED: Final = re.compile(r"^([^：:]{1,60})(?:：|: )\s*(.+)$", re.DOTALL)  # a term: "接风：最后一套牌没人要时……"


@cache
def rulings(game: str, tag: str) -> RuleTexts:
    """Return the rulings of a game in a language, each with its small tables; none where the game has no try-outs."""
    entry = games.find(game)
    words = lang.rulings(tag, game)
    own: tryouts.Tryouts | None = entry.tryouts
    if own is None:
        return RuleTexts((), {}, {})
    cases = _cases(game)
    rows = [
        RuleRow(ruling, chapter, words[f"rule.{ruling}"], cases.get(ruling, ()))
        for chapter, line in own.chapters.items()
        for ruling in line.split()
        if f"rule.{ruling}" in words
    ]
    others = {key: text for key, text in words.items() if not key.startswith(("rule.", "term."))}
    return RuleTexts(tuple(rows), dict(own.codes), others)


@cache
def _cases(game: str) -> Mapping[str, tuple[RuleCase, ...]]:
    """Return the small tables of a game by ruling: they are the same in each language."""
    entry = games.find(game)
    found: dict[str, list[RuleCase]] = {}
    for case in tryouts.kept(entry.package).values():
        opened = tryouts.opened(entry, case, case.at)
        # The table after the worked example is drawn only for who plays it.
        worked = structs.replace(opened.worked, scene=tryouts.Scene((), ()))
        opened = structs.replace(opened, worked=worked)
        for ruling in case.rulings:
            found.setdefault(ruling, []).append(RuleCase(case.id, opened))
    own: tryouts.Tryouts = entry.tryouts
    return {ruling: tuple(_in_order(own, ruling, rows)) for ruling, rows in found.items()}


def _in_order(own: tryouts.Tryouts, ruling: str, rows: list[RuleCase]) -> list[RuleCase]:
    """Return the cases of a ruling as the game names them, else as they stand in its file."""
    named = [place.partition("@")[0] for place in own.cases.get(ruling, "").split()]
    order = {name: n for n, name in enumerate(named)}
    return sorted(rows, key=lambda row: order.get(row.id.split("-", 1)[1], len(named)))


def case_of(entry: AnyEntry, name: str) -> tryouts.Kept | None:
    """Return a case that a game keeps, None where it has none of this id."""
    return tryouts.kept(entry.package).get(name) if entry.tryouts is not None else None


@cache
def glossary(game: str, tag: str) -> tuple[TermRow, ...]:
    """Return the terms of a game in a language, each with its name in the other main language (术语)."""
    other = lang.FALLBACK if tag != lang.FALLBACK else lang.DEFAULT
    beside = {one.id: one.name for one in _terms(game, other)}
    return tuple(TermRow(one.id, one.name, one.text, beside.get(one.id, "")) for one in _terms(game, tag))


class _Term(NamedTuple):
    id: str
    name: str
    text: str


@cache
def _terms(game: str, tag: str) -> tuple[_Term, ...]:
    """Return the terms of a game: its glossary, the terms of its table, and those that only its rules need."""
    words = lang.of_game(game, tag)
    found: dict[str, _Term] = {}
    for key, text in words.items():
        if key.startswith("glossary.") and key.endswith(".name"):
            name = key.removeprefix("glossary.").removesuffix(".name")
            found[name] = _Term(name, text, words[f"glossary.{name}.text"])
    for source in (words, lang.rulings(tag, game)):
        for key, text in source.items():
            if key.startswith("term."):
                name = key.removeprefix("term.")
                halves = NAMED.match(text)
                term = _Term(name, halves[1], halves[2]) if halves else _Term(name, text, "")
                if term.text or name not in found:
                    found[name] = term
    return tuple(term for term in found.values() if term.text)  # a mere word of the table is none


class _Unit(NamedTuple):
    """A piece of the rules that a search finds as one."""

    game: str
    tag: str
    chapter: str
    anchor: str
    title: str
    text: str
    first: bool = True  # its title is looked through as well


@cache
def _units(tag: str) -> tuple[_Unit, ...]:
    """Return all pieces of the rules of all games in a language."""
    return tuple(unit for game in games.names() for unit in _of_game(game, tag))


def _of_game(game: str, tag: str) -> Iterator[_Unit]:
    words = lang.of_game(game, tag)
    for key, text in words.items():
        chapter = re.fullmatch(r"rules\.(\w+)\.text", key)
        if chapter:
            title = words.get(f"rules.{chapter[1]}.title", "")
            for number, piece in enumerate(filter(str.strip, text.strip().splitlines())):
                yield _Unit(game, tag, chapter[1], "", title, piece.strip().removeprefix("- "), number == 0)
    own: tryouts.Tryouts | None = games.find(game).tryouts
    said = lang.rulings(tag, game)
    for chapter_of, line in own.chapters.items() if own is not None else ():
        for ruling in line.split():
            if f"rule.{ruling}" in said:
                title = words.get(f"rules.{chapter_of}.title", "")
                yield _Unit(game, tag, chapter_of, ruling, f"{title} · {ruling}", said[f"rule.{ruling}"])
    for term in _terms(game, tag):
        yield _Unit(game, tag, "glossary", term.id, term.name, term.text)


def found(query: str, tag: str) -> tuple[TextHit, ...]:
    """Return where the rules speak of all words of a query, in any language; the reader's own language comes first.

    A word is found where it stands, also inside another: Chinese has no spaces.
    """
    words = query.casefold().split()
    if not words:
        return ()
    whole = " ".join(words)
    hits: list[tuple[tuple[int, int, int], TextHit]] = []
    for place, name in enumerate(sorted(lang.languages(), key=lambda one: one != tag)):
        for unit in _units(name):
            title, text = unit.title.casefold() if unit.first else "", unit.text.casefold()
            if not all(word in title or word in text for word in words):
                continue
            named = 0 if title == whole else 1 if unit.chapter == "glossary" and whole in title else 2
            start = next((at for word in (whole, *words) if (at := text.find(word)) >= 0), -1)
            hits.append(((named, place, len(hits)), _hit(unit, start, whole if whole in text else words[0])))
    hits.sort(key=lambda one: one[0])
    return tuple(hit for _, hit in hits[:MOST_HITS])


def _hit(unit: _Unit, start: int, word: str) -> TextHit:
    """Return a hit with the piece of its text around what was found; start: −1 where only its title has it."""
    begin = max(0, start - AROUND) if start >= 0 else 0
    end = start + len(word) + AROUND if start >= 0 else 2 * AROUND
    before, after = "…" * (begin > 0), "…" * (end < len(unit.text))
    snippet = f"{before}{unit.text[begin:end]}{after}"
    at = (start - begin + len(before), start - begin + len(before) + len(word)) if start >= 0 else None
    return TextHit(unit.game, unit.tag, unit.chapter, unit.anchor, unit.title, snippet, at)
