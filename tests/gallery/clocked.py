"""Run qipai at the gallery's time and with its luck: `python tests/gallery/clocked.py serve …`.

Dates on pages are the same each day, and so are the cards: who deals and who is to move is no other at the next run.
Time hardly goes on: who is to move is still to move at the last picture.
"""

from __future__ import annotations

import hashlib
import secrets
import sys
import time
from itertools import count
from typing import Final

AT_S: Final = 1_790_827_200  # noon of 1 October 2026 in China
SLOWER: Final = 10_000  # a pause at a table is longer than it takes to walk through all pages
DRAW: Final = 32  # bytes that a contest draws by; names that nobody else may have are shorter, and stay drawn by chance


def main() -> int:
    """Run one command of qipai."""
    ticks = time.monotonic_ns
    began = ticks()
    time.monotonic_ns = lambda: began + (ticks() - began) // SLOWER
    time.time_ns = lambda: AT_S * 10**9 + (ticks() - began) // SLOWER
    time.time = lambda: time.time_ns() / 10**9
    from qipai.cli import main
    from qipai.hall.live.runner import LETTERS, Chance

    names, seeds, contests = count(), count(), count()
    any_token, any_below = secrets.token_hex, secrets.randbelow

    def name(self: Chance) -> str:
        return "".join(LETTERS[one % len(LETTERS)] for one in _drawn(f"name {next(names)}")[:10])

    def seed(self: Chance) -> str:
        return _drawn(f"seed {next(seeds)}").hex()

    # What contests draw by, and which of two begins: another lot would seat others at the boards that the lobby shows.
    def token(nbytes: int | None = None) -> str:
        return _drawn(f"contest {next(contests)}").hex() if nbytes == DRAW else any_token(nbytes)

    def below(exclusive_upper_bound: int) -> int:
        return 0 if exclusive_upper_bound == 2 else any_below(exclusive_upper_bound)

    Chance.name, Chance.seed = name, seed  # type: ignore[method-assign]
    secrets.token_hex, secrets.randbelow = token, below
    return main()


def _drawn(what: str) -> bytes:
    """Return 32 bytes by chance, the same each time."""
    return hashlib.sha256(f"gallery {what}".encode()).digest()


if __name__ == "__main__":
    sys.exit(main())
