"""The glossary has every term of the specs, and a search finds Chinese and English words where they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qipai import games, lang
from qipai.web import rulebook

ROOT = Path(__file__).parents[3]
GAMES = [name for name in games.names() if games.find(name).tryouts is not None]


def terms_of_the_spec(game: str) -> list[str]:
    """The names in the first column of the spec's table of terms."""
    text = (ROOT / f"docs/spec/{game}.md").read_text("utf-8")
    section = re.search(r"^## 2\..*?(?=^## 3)", text, re.DOTALL | re.MULTILINE)
    assert section
    lines = [line for line in section[0].splitlines() if line.startswith("|") and "---" not in line]
    return [line.strip("|").split("|")[0].strip() for line in lines[1:]]


@pytest.mark.parametrize("game", GAMES)
def test_the_glossary_has_the_terms_of_the_spec(game: str) -> None:
    zh = rulebook.glossary(game, lang.DEFAULT)
    said = " ".join(f"{term.name} {term.text}" for term in zh)
    names = terms_of_the_spec(game)
    assert len(names) >= 9
    missing = [name for name in names if not any(one in said for one in re.split(r"[ /,，、;:(（)…]+", name) if one)]
    assert missing == []
    en = rulebook.glossary(game, lang.FALLBACK)
    assert {term.id for term in zh} == {term.id for term in en}
    assert len({term.id for term in zh}) == len(zh)
    assert all(term.also for term in en)
    assert all(term.name and term.text for term in (*zh, *en))


def test_a_search_finds_words_in_both_languages_and_marks_them() -> None:
    for query, tag, place in (
        ("接风", "zh-CN", ("gouji", "glossary", "wind")),
        ("蹩马腿", "en", ("xiangqi", "glossary", "blocked")),
        ("perpetual chase", "zh-CN", ("xiangqi", "repetition", "R8")),
    ):
        hits = rulebook.found(query, tag)
        assert place in {(hit.game, hit.chapter, hit.anchor) for hit in hits}, query
        assert len(hits) <= rulebook.MOST_HITS
        for hit in hits:
            if hit.at is not None:
                assert hit.text[slice(*hit.at)].casefold() in (query, *query.split())
    assert rulebook.found("  ", "en") == ()
    assert rulebook.found("zzz nothing of this kind", "en") == ()


def test_a_snippet_shows_what_stands_around() -> None:
    hit = next(one for one in rulebook.found("克劳福德规则", "zh-CN") if one.at is not None)
    assert hit.at is not None
    assert hit.at[1] - hit.at[0] == 6
    assert len(hit.text) <= 2 * rulebook.AROUND + 6 + 2
