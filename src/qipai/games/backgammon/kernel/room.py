"""The buffers that the move generator writes to, and the random numbers that tell boards apart (Zobrist hashing).

A way is one integer, a byte for each step: origin << 3 | die, the first step lowest. Two ways to the same board are one
play. Boards are told apart by a key: the sum of a random number for each checker and its cell, which each step updates.
Keys have 57 bits; that two of the thousand boards of a turn share one happens less often than once in 10^11 turns.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from qipai.core.kernel import Buffer, buffer, lcg, places
from qipai.games.backgammon.kernel.board import SIDE

__all__ = ["LISTED", "LONGEST", "MOST", "NUMBERS", "SLOTS", "STAMP", "STEPS", "Room", "new_room"]

MOST: Final = 24_000  # plays of a roll: four steps from 26 places, C(29, 4), are an upper bound
SLOTS: Final = 1 << 15  # of the table of keys seen
STEPS: Final = 8  # cells of a level of the walk


class Registers(NamedTuple):
    """What the registers of a room hold, in their order."""

    stamp: int  # of this turn, in `stamps`
    listed: int  # how many plays are listed
    longest: int  # most steps of a play


AT: Final = places(Registers)
STAMP: Final = AT.stamp
LISTED: Final = AT.listed
LONGEST: Final = AT.longest


class Room(NamedTuple):
    """What the generator writes to; one for each thread."""

    ways: Buffer  # the plays
    keys: Buffer  # of the boards they lead to
    marks: Buffer  # of each: 1 it ends the game, 2 it shuts the enemy in (R38), 4.. steps << 2
    seen: Buffer  # a hash table of keys, each with the stamp of its turn
    stamps: Buffer
    walk: Buffer
    reg: Buffer  # see Registers
    high: Buffer  # of the larger number: the origins from which it can be played, each with its change of the key
    low: Buffer  # the same of the smaller one


def _numbers() -> tuple[int, ...]:
    """Return a random number of 52 bits for each cell of both sides."""
    found, x = [], 20_261_120
    for _ in range(2 * SIDE):
        number = 0
        for _ in range(4):
            x = lcg(x)
            number = number << 13 | x >> 16 & 8191
        found.append(number)
    return tuple(found)


NUMBERS: Final = _numbers()


def new_room() -> Room:
    """Return a generator's room."""
    return Room(
        ways=buffer(MOST, 64),
        keys=buffer(MOST, 64),
        marks=buffer(MOST),
        seen=buffer(SLOTS, 64),
        stamps=buffer(SLOTS),
        walk=buffer(5 * STEPS, 64),
        reg=buffer(len(AT), 64),
        high=buffer(128, 64),
        low=buffer(64, 64),
    )
