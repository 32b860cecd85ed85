"""A language that says what another says and spells it otherwise: traditional Chinese 繁體 beside simplified 简体.

Letters have their other spelling, and words have theirs where it does not follow from their letters, as 发牌 發牌 and
头发 頭髮. The longest word counts, as in OpenCC, whose dictionaries the words are from (`tests/traditional.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

__all__ = ["Respelling", "pairs"]


class Respelling:
    """A text in, the same text respelt out."""

    def __init__(self, words: Mapping[str, str], letters: Mapping[str, str]) -> None:
        self.letters: Final = dict(letters)
        self._words = dict(words)
        self._spelt = str.maketrans(self.letters)
        self._longest: dict[str, int] = {}
        for word in words:
            self._longest[word[0]] = max(len(word), self._longest.get(word[0], 0))
        first = "".join(map(re.escape, self._longest))
        self._begins = re.compile(f"[{first}]") if first else None

    def __call__(self, text: str) -> str:
        """Return a text respelt."""
        if self._begins is None or text.isascii():
            return text.translate(self._spelt)
        found: list[str] = []
        done = at = 0
        while begun := self._begins.search(text, at):
            start = begun.start()
            at = start + 1
            for end in range(min(start + self._longest[begun[0]], len(text)), start, -1):
                if (spelt := self._words.get(text[start:end])) is not None:
                    found += text[done:start].translate(self._spelt), spelt
                    done = at = end
                    break
        return "".join(found) + text[done:].translate(self._spelt)


def pairs(text: str) -> dict[str, str]:
    """Return spellings from a text of words parted by blanks: 发發, 头发頭髮, 用户=使用者 where the lengths differ."""
    found = {}
    for word in text.split():
        plain, given, spelt = word.partition("=")
        half = len(word) // 2
        found[plain if given else word[:half]] = spelt if given else word[half:]
    return found
