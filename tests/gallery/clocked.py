"""Run qipai at the gallery's time, whatever the machine's clock says: `python tests/gallery/clocked.py serve …`.

Dates on pages are the same each day. Time hardly goes on: who is to move is still to move at the last picture.
"""

from __future__ import annotations

import sys
import time
from typing import Final

AT_S: Final = 1_790_827_200  # noon of 1 October 2026 in China
SLOWER: Final = 100


def main() -> int:
    """Run one command of qipai."""
    ticks = time.monotonic_ns
    began = ticks()
    time.monotonic_ns = lambda: began + (ticks() - began) // SLOWER
    time.time_ns = lambda: AT_S * 10**9 + (ticks() - began) // SLOWER
    time.time = lambda: time.time_ns() / 10**9
    from qipai.cli import main

    return main()


if __name__ == "__main__":
    sys.exit(main())
