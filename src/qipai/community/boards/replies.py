"""What of a post are its author's own words, and whom it answers: quotes begin with `>` and link to the post quoted."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["own_words", "quoted"]

QUOTED: Final = re.compile(r"\(/threads/(\d{1,15})\?post=(\d{1,15})\)")
MOST: Final = 10


def own_words(text: str) -> str:
    """Return a text without the lines that it quotes: who is mentioned there was told before."""
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(">"))


def quoted(text: str, thread: int) -> list[int]:
    """Return the posts of a thread that a text quotes, in their order, each once, at most 10."""
    lines = (line for line in text.split("\n") if line.lstrip().startswith(">"))
    found = (match for line in lines for match in QUOTED.finditer(line))
    return list(dict.fromkeys(int(match[2]) for match in found if int(match[1]) == thread))[:MOST]
