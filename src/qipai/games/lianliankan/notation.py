"""Cells as people type them, and boards as tables of faces (lianliankan 11)."""

from __future__ import annotations

import re
from typing import Final

from qipai.core.contract import NATURE, BadNotation
from qipai.core.entry import Record, Records
from qipai.games.lianliankan.state import Board, Cell, Rows

__all__ = ["RECORDS", "cell_name", "column_name", "csv", "csv_of", "read_cells"]

LETTERS = "abcdefghijklmnopqrstuvwxyz"
CELL = re.compile(r"([a-z]{1,2})([1-9][0-9]?)")


def column_name(col: int) -> str:
    """Return a column's letters: a … z, aa, ab, …"""
    return LETTERS[col] if col < 26 else LETTERS[col // 26 - 1] + LETTERS[col % 26]


def cell_name(cell: Cell) -> str:
    """Return a cell's name: `c4` is the third column, the fourth row from the top."""
    return f"{column_name(cell[1])}{cell[0] + 1}"


def read_cells(text: str) -> list[Cell]:
    """Return the cells that a line names, as `c4 e6` or `c4-e6`; raises BadNotation("not_understood")."""
    left = re.sub(r"[\s,，;→>-]+", "", text.lower())
    found = []
    while left:
        name = CELL.match(left)
        if name is None:
            raise BadNotation("not_understood", text=text[:40])
        col = 0
        for letter in name[1]:
            col = col * 26 + LETTERS.index(letter) + 1
        found.append((int(name[2]) - 1, col - 1))
        left = left[name.end() :]
    return found


def csv_of(board: Rows) -> str:
    """Return a board as lines of faces between commas; an empty cell is 0."""
    return "\n".join(",".join(map(str, row)) for row in board) + "\n"


def csv(record: Record) -> str:
    """Return the board that a race began with as CSV; raises BadNotation("bad_record") when it never did."""
    from qipai.core.record import begun_under, rules_under
    from qipai.games.lianliankan import ENTRY

    rules = rules_under(ENTRY, record)
    state = begun_under(ENTRY, record, rules)
    if record.start is not None and record.start.text is not None:
        return csv_of(rules.observe(state, 0).board or ())
    for seat, raw, _ms in record.rows:
        action = ENTRY.act(raw)
        if seat == NATURE and isinstance(action, Board):
            board = rules.observe(rules.apply(state, seat, action).state, 0).board
            assert board is not None
            return csv_of(board)
    raise BadNotation("bad_record", line=2)


RECORDS: Final = Records(formats={"csv": csv}, placed={"csv"})
