"""How texts are cut for the index and queries for a search; where a text holds what was searched for (0055).

Chinese has no blanks between words. A run of its characters is indexed as pairs: 讨论板 as 讨论 论板; a query of two or
more characters is a phrase of pairs, and finds exactly what stands side by side. Single characters have a column of
their own. Other scripts are cut into words, and a query finds what begins with its word. Whatever a query is, nothing
of it is syntax: quotes, stars and AND are cut away or searched for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

__all__ = [
    "Condition",
    "TextPart",
    "conditions",
    "indexed",
    "marked",
    "match_of",
    "query_of",
    "read_as",
    "terms",
    "vector_of",
]

# Han, kana, hangul, bopomofo: scripts whose words are not parted by blanks, or are found in the midst of others.
WIDE: Final = (
    "\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003fffd"
)
RUN: Final = re.compile(f"[{WIDE}]+|(?:(?![{WIDE}_])[\\w\u0300-\u036f])+")
IS_WIDE: Final = re.compile(f"[{WIDE}]")
LONGEST: Final = 32  # characters of a word that count
MOST_TERMS: Final = 16
MOST_PLACES: Final = 16383  # of a word that PostgreSQL tells apart
PREFIX: Final = 3  # so long a word finds others that begin with it
GAP: Final = "¶"  # stands between two runs of pairs, so that no phrase spans both
HEAD: Final = re.compile(r"(?m)^[>\s]*\[[^\]\n]*\]\(/threads/[^)\n]*\)[ \t]*$")  # of a quote
MARKS: Final = re.compile(r"(?m)^[ \t]*(?:[>#]+[ \t]*)+|\*+|~~|`+")
RULE: Final = re.compile(
    r"(?m)^[>\s]*\|?[ \t]*:?-{3,}:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$"
)  # under a table's head, or alone
ROW: Final = re.compile(r"(?m)^([>\s]*)\|(.*?)\|?[ \t]*$")
AROUND: Final = 60  # characters that an excerpt shows before what was found


class TextPart(Struct, frozen=True, array_like=True):
    """A piece of an excerpt. hit: it is what was searched for."""

    text: str
    hit: bool


def folded(text: str) -> str:
    """Return a text without differences of width and case."""
    return unicodedata.normalize("NFKC", text).casefold()


def indexed(title: str, text: str) -> tuple[str, str]:
    """Return what the index keeps of a post: words and pairs, and the single characters, each once."""
    words: list[str] = []
    chars: dict[str, None] = {}
    for run in RUN.findall(f"{folded(title)}\n{folded(text)}"):
        if IS_WIDE.match(run):
            words += [run[at : at + 2] for at in range(len(run) - 1)]
            words.append(GAP)
            chars.update(dict.fromkeys(run))
        else:
            words.append(run[:LONGEST])
    return " ".join(words), " ".join(chars)


def terms(query: str) -> list[str]:
    """Return the runs of a query, in their normal form, each once, at most 16."""
    return list(dict.fromkeys(RUN.findall(folded(query))))[:MOST_TERMS]


class Condition(Struct, frozen=True):
    """What a post must hold: words that stand side by side in a column of the index."""

    column: str
    words: tuple[str, ...]
    begins: bool = False  # it is enough that a word begins so


def conditions(query: str) -> list[Condition]:
    """Return what a query asks for, nothing where nothing of it can be searched for."""
    found = []
    for term in terms(query):
        if not IS_WIDE.match(term):
            found.append(Condition("words", (term[:LONGEST],), len(term) >= PREFIX))
        elif len(term) == 1:
            found.append(Condition("chars", (term,)))
        else:
            found.append(Condition("words", tuple(term[at : at + 2] for at in range(len(term) - 1))))
    return found


def match_of(found: list[Condition]) -> str:
    """Return conditions in the language of FTS5."""
    return " AND ".join(f'{one.column} : "{" ".join(one.words)}"' + (" *" if one.begins else "") for one in found)


def vector_of(text: str) -> str:
    """Return what the index keeps of a post's column as PostgreSQL writes it: each word and where it stands."""
    return " ".join(f"{_quoted(word)}:{min(at, MOST_PLACES)}" for at, word in enumerate(text.split(), 1))


def query_of(one: Condition) -> str:
    """Return a condition in the language of PostgreSQL's text search."""
    return " <-> ".join(map(_quoted, one.words)) + (":*" if one.begins else "")


def _quoted(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"


def read_as(text: str) -> str:
    """Return a post as an excerpt shows it: in one line, without heads of quotes and most marks of Markdown."""
    text = ROW.sub(lambda row: row[1] + row[2].replace("|", " · "), RULE.sub("", HEAD.sub("", text)))
    return " ".join(MARKS.sub("", text).split())


def marked(text: str, query: str, most: int = 200) -> list[TextPart]:
    """Return an excerpt of a text around what was searched for, in pieces; its beginning where nothing is found."""
    hits = _joined(sorted(_hits(text, query)))
    begin = max(0, hits[0][0] - AROUND) if hits and hits[0][0] > most // 2 else 0
    end = min(len(text), begin + most)
    parts = [TextPart("…", False)] if begin else []
    at = begin
    for start, stop in hits:
        if start >= end:
            break
        if start > at:
            parts.append(TextPart(text[at:start], False))
        parts.append(TextPart(text[start : min(stop, end)], True))
        at = min(stop, end)
    if at < end:
        parts.append(TextPart(text[at:end], False))
    if end < len(text):
        parts.append(TextPart("…", False))
    return parts


def _hits(text: str, query: str) -> Iterator[tuple[int, int]]:
    """Yield where the terms of a query stand in a text, from and to."""
    # Each character is folded by itself, so that one knows where it came from.
    pieces = [folded(char) for char in text]
    where = [at for at, piece in enumerate(pieces) for _ in piece]
    plain = "".join(pieces)
    for term in terms(query):
        wide = IS_WIDE.match(term)
        before = "" if wide else r"(?<!\w)"
        after = "" if wide or len(term) >= PREFIX else r"(?!\w)"
        for match in re.finditer(before + re.escape(term) + after, plain):
            yield where[match.start()], where[match.end() - 1] + 1


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, stop in spans:
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(stop, found[-1][1]))
        else:
            found.append((start, stop))
    return found
