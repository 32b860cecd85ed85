"""Boards of the day (platform P-75): which board a day has, and whether a game of a table is one that counts. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from qipai.hall.table.model import Table

__all__ = ["board", "day_of"]


def day_of(now: int) -> str:
    """Return the day of a moment, as boards are named: 2026-11-20; the same for everybody, so that of UTC."""
    return datetime.fromtimestamp(now / 1000, UTC).strftime("%Y-%m-%d")


def board(table: Table, changed: Mapping[str, Any], now: int) -> str | None:
    """Return the board of the day that the coming game of a table is, None where it is none that counts.

    changed: the house rules that are not the game's own.
    """
    option = table.entry.form.daily
    if option is None or table.setting.seats != 1 or table.setting.variant is not None:
        return None
    return day_of(now) if changed == {option: day_of(now)} else None
