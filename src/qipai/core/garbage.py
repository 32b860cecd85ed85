"""Settings of Python's garbage collector for a hall; benchmarks use the same ones."""

from __future__ import annotations

import gc
from typing import Final

__all__ = ["settle"]

# A table's data are frozen and form no cycles. A search for cycles pauses all tables and rarely frees anything (0016).
COLLECT: Final = (5_000, 50, 20)


def settle() -> None:
    """Exempt all present objects from collection, and make collections rare."""
    gc.freeze()
    gc.set_threshold(*COLLECT)
    gc.enable()
