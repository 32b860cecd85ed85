"""Checks and normal forms of names and lines that people write (platform P-1, P-22)."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any, Final

__all__ = ["bare", "line", "look", "plain"]

JOINER: Final = "\u200d"  # it joins two emoji into one; elsewhere it is invisible
BLANKS: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # letters and signs that show nothing
MARKS: Final = 2  # accents on one letter; a heap of them covers the lines above and below
# Controls, what turns the direction of writing or has no width, halves of characters, private and unassigned ones.
UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def plain(text: str) -> str:
    """Return a text of several lines without invisible characters, and without more than one empty line in a row."""
    text = re.sub("\r\n|[\r\v\f\x85\u2028\u2029]", "\n", text)
    return re.sub("\n{3,}", "\n\n", "\n".join(map(_seen, text.split("\n")))).strip()


def line(text: str) -> str:
    """Return a text as one line, without what is no text; "" where nothing of it could be seen."""
    return " ".join(filter(None, (each.strip() for each in plain(text).split("\n"))))


def _seen(text: str) -> str:
    found: list[str] = []
    marks = 0
    for at, char in enumerate(text):
        kind = unicodedata.category(char)
        if char == "\t":
            char = " "
        elif char == JOINER:
            if not (found and _joins(found[-1]) and _joins(text[at + 1 : at + 2])):
                continue
        elif kind in UNSEEN or char in BLANKS:
            continue
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks <= MARKS:
            found.append(char)
    return "".join(found).rstrip()


def _joins(char: str) -> bool:
    """Tell whether a joiner may stand beside this: an emoji, or a modifier of its colour or form."""
    return bool(char) and (unicodedata.category(char) in ("So", "Sk") or char == "\ufe0f")


def bare(text: str) -> str:
    """Return a text without accents, and without case."""
    apart = unicodedata.normalize("NFKD", text)
    return "".join(char for char in apart if unicodedata.category(char) != "Mn").casefold()


def look(name: str) -> str:
    """Return what a name looks like: the same for names that can be taken for each other (Unicode's confusables)."""
    alike, pairs = _confusables()
    found = "".join(alike.get(char, char) for char in bare(name))
    for pair, char in pairs.items():
        found = found.replace(pair, char)
    return found.translate({ord("i"): "l", ord("1"): "l"})  # I, l and 1 look the same to many people


@cache
def _confusables() -> tuple[dict[str, str], dict[str, str]]:
    """Return what each letter can be mistaken for, and pairs of letters that look like one: in lower case."""
    from confusable_homoglyphs.confusables import confusables_data

    data: dict[str, list[dict[str, Any]]] = confusables_data
    alike: dict[str, str] = {}
    pairs: dict[str, str] = {}
    for letter in map(chr, range(ord("a"), ord("z") + 1)):
        for shape in (letter.upper(), letter):
            for other in (bare(each["c"]) for each in data.get(shape, ())):
                if len(other) == 1 and not (other.isascii() and other.isalpha()):
                    alike.setdefault(other, letter)
                elif len(other) == 2 and other.isascii() and other.isalpha():
                    pairs[other] = letter
    return alike, pairs
