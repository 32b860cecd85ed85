"""Sets up boards of xiangqi: empty ones, men on their squares, boards with plies already behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from qipai.core.kernel import buffer, kernel, pour, thawed
from qipai.games.xiangqi.kernel.board import (
    CELLS,
    CODE,
    EMPTY,
    MEN,
    MOST,
    OFF,
    PLIES,
    RED,
    REGISTERS,
    SIDE,
    TURN,
    WEIGHT,
    ZONE,
    Board,
    Registers,
)

__all__ = ["ROOM", "blank", "place", "ready", "since"]

ROOM: Final = 2  # for the position before the first ply, and for a look one ply ahead
_BARE: Final = tuple(EMPTY if zone else OFF for zone in ZONE)


def blank(plies: int, beside: Board | None = None) -> Board:
    """Return a board without men, red to move, with room for so many plies; no limits, only perpetual check loses.

    beside: a board that is never asked at the same time; they share their room for lists of moves.
    """
    room = plies + ROOM
    board = Board(
        cells=thawed(_BARE, 64),
        where=buffer(34, 64),
        reg=buffer(REGISTERS, 64),
        past=buffer(room, 64),
        taken=buffer(room, 64),
        fresh=buffer(room, 64),
        keys=buffer(room, 64),
        marks=buffer(room, 64),
        scratch=beside.scratch if beside else buffer(MOST, 64),
        moves=beside.moves if beside else buffer(MOST, 64),
    )
    first = Registers(
        side=RED,
        plies=0,
        rule=0,
        occurrence=3,
        ply_limit=0,
        quiet_limit=0,
        dead=0,
        played=0,
        quiet=0,
        why=0,
        winner=-1,
        seen=1,
        warned=-1,
        watched=0,
    )
    pour(board.reg, first)
    return board


def since(b: Board, past: Sequence[int], keys: Iterable[int], ahead: int = 1) -> Board:
    """Return a board with the men of another, these quiet plies behind it, and room for some more.

    keys: of the positions before each of these plies, and of the present one.
    """
    plies = len(past)
    room = plies + ahead + ROOM
    spare = (0,) * (room - plies)
    b.reg[PLIES] = plies
    return Board(
        cells=b.cells,
        where=b.where,
        reg=b.reg,
        past=thawed((*past, *spare), 64),
        taken=thawed((EMPTY,) * room, 64),
        fresh=buffer(room, 64),
        keys=thawed((*keys, *spare), 64),
        marks=buffer(room, 64),
        scratch=b.scratch,
        moves=b.moves,
    )


@kernel
def place(b: Board, man: int, square: int) -> None:
    """Put a man on an empty square of a position being set up."""
    b.cells[square] = man
    b.where[man] = square


@kernel
def ready(b: Board, side: int) -> None:
    """End the setting up: say which side moves, and find the position's key."""
    b.reg[SIDE] = side
    b.reg[PLIES] = 0
    b.fresh[0] = 0
    key = TURN if side else 0
    for man in range(MEN + EMPTY):
        if b.where[man]:
            key ^= WEIGHT[CODE[man] * CELLS + b.where[man]]
    b.keys[0] = key
