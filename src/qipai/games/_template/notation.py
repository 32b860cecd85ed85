"""The world's records of nim: one line a move."""

from __future__ import annotations

from typing import Final

from qipai.core.entry import Record, Records

__all__ = ["RECORDS", "book"]


def book(record: Record) -> str:
    """Return a record as lines: who took how many stones of which heap."""
    return "".join(f"{seat + 1}. {action['heap'] + 1} x {action['n']}\n" for seat, action, _ms in record.rows)


RECORDS: Final = Records(formats={"book": book})
