"""The board of the day (platform P-75): which board a day has, and whether a table's game counts for it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from qipai.hall.table.model import Table

__all__ = ["board", "day_of"]


def day_of(now: int) -> str:
    """Return the UTC date at a time, as boards are named: 2026-11-20."""
    return datetime.fromtimestamp(now / 1000, UTC).strftime("%Y-%m-%d")


def board(table: Table, changed: Mapping[str, Any], now: int) -> str | None:
    """Return the board of the day that a table's next game counts for, None if it counts for none.

    changed: the options that differ from the game's defaults.
    """
    option = table.entry.form.daily
    if option is None or table.setting.seats != 1 or table.setting.variant is not None:
        return None
    return day_of(now) if changed == {option: day_of(now)} else None
