"""Which tip is that of a day. Pure."""

from __future__ import annotations

from typing import Final

__all__ = ["SHIPPED", "of_day"]

SHIPPED: Final = 24  # t0 to t23 under `ui.tips` of the language files
DAY_S: Final = 86400


def of_day(now: int, own: int) -> int:
    """Return the number of today's tip: the shipped ones come first, then the hall's own. now: seconds since 1970."""
    return now // DAY_S % (SHIPPED + own)
