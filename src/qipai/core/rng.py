"""The random stream `qipai-deal-v1` (platform P-92): the same on every Python version and in the browser.

No other module imports a source of randomness. A deal's seed is committed to before the deal and revealed after it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import TypeVar

__all__ = ["Stream", "commitment"]

T = TypeVar("T")


def commitment(server_seed: bytes) -> str:
    """Return what is published before a deal: SHA-256 of the seed's bytes, lower-case hex."""
    return hashlib.sha256(server_seed).hexdigest()


class Stream:
    """A stream of 32-bit words, and the draws from it. It implements `core.contract.Rng`."""

    def __init__(self, key: bytes, drawn: int = 0) -> None:
        """drawn: how many words were drawn already."""
        self.key, self._words = key, _words(key, drawn)
        self.drawn = drawn

    @classmethod
    def of_deal(cls, server_seed: bytes, game_id: str, deal: int, client_seeds: Sequence[str]) -> Stream:
        """Return the stream of one deal; client_seeds in seat order, "" for bots and silent clients."""
        seeds = ",".join(seed.encode().hex() for seed in client_seeds)
        message = f"qipai-deal-v1|{game_id}|{deal}|{seeds}"
        return cls(hmac.new(server_seed, message.encode(), hashlib.sha256).digest())

    @classmethod
    def of_seed(cls, seed: int | str) -> Stream:
        """Return a stream for tests, bots and self-play, where nobody needs to verify it."""
        return cls(hashlib.sha256(f"qipai|{seed}".encode()).digest())

    def at(self, drawn: int) -> Stream:
        """Return a copy of this stream after so many words."""
        return type(self)(self.key, drawn)

    def word(self) -> int:
        """Return the next 32-bit word."""
        self.drawn += 1
        return next(self._words)

    def below(self, n: int) -> int:
        """Return a number 0 .. n-1, uniform: words beyond the last whole multiple of n are rejected."""
        if n == 1:
            return 0
        limit = (1 << 32) // n * n
        while (word := self.word()) >= limit:
            pass
        return word % n

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in random order (Fisher–Yates, from the end)."""
        mixed = list(items)
        for i in range(len(mixed) - 1, 0, -1):
            j = self.below(i + 1)
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return tuple(mixed)

    def die(self) -> int:
        """Return a throw of one die, 1 .. 6."""
        return self.below(6) + 1


def _words(key: bytes, drawn: int) -> Iterator[int]:
    block, within = divmod(drawn, 8)
    while True:
        digest = hmac.new(key, block.to_bytes(4, "big"), hashlib.sha256).digest()
        for k in range(4 * within, 32, 4):
            yield int.from_bytes(digest[k : k + 4], "big")
        block, within = block + 1, 0
