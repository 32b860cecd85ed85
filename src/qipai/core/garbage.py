"""How a hall collects garbage: what is measured beside it does the same."""

from __future__ import annotations

import gc
from typing import Final

__all__ = ["settle"]

# A table's data are frozen and make no cycles: looking for them stops all tables, and is seldom worth it (0016).
COLLECT: Final = (5_000, 50, 20)


def settle() -> None:
    """Let the collector keep what is there, and look at what comes as seldom as a hall needs."""
    gc.freeze()
    gc.set_threshold(*COLLECT)
    gc.enable()
