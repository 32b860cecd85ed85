"""Texts of people as HTML, kept as long as they are asked for: making them costs far more than finding them again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from hashlib import blake2b
from typing import Final

from qipai.community import markup

__all__ = ["Renderings"]

MOST: Final = 16_000_000  # characters: some thousand pages of a board


class Renderings:
    """What `markup.rendered` has made, by a digest of what goes into it; what was unused for longest goes first."""

    def __init__(self, most: int = MOST) -> None:
        """most: so many characters of HTML are kept."""
        self._most, self._size = most, 0
        self._kept: OrderedDict[bytes, str] = OrderedDict()

    @staticmethod
    def key(text: str, people: Mapping[str, int]) -> bytes:
        """Return the digest of a text and of whom its mentions lead to."""
        who = [(name, people[name]) for name in markup.mentioned(text) if name in people] if people else []
        return blake2b(f"{who}\n{text}".encode(errors="surrogatepass"), digest_size=16).digest()

    def find(self, key: bytes) -> str | None:
        """Return what was kept."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def keep(self, key: bytes, html: str) -> None:
        """Keep what was made, in the place of what was unused for longest where there is too much."""
        if len(html) > self._most or key in self._kept:
            return
        self._kept[key] = html
        self._size += len(html)
        while self._size > self._most:
            self._size -= len(self._kept.popitem(last=False)[1])
