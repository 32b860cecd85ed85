"""A table of how many tiles each hand of one suit lacks for sets and a pair; `forms` has the table of complete suits.

By what they lack there are no more than some hundred kinds of suits. The table has an entry for each key of a suit:
bits 0 .. 6: its kind; bits 8 .. 11: its pairs (four of a kind are two); bits 12 .. 14: the ranks held once or thrice.
Of both no more than 7 count. Behind the keys stand, from JOINED on, what two suits lack together for so many sets and a
pair: need << 14 | kind << 7 | other kind; and from ALONE on what one lacks for that: kind << 3 | sets.

A plan says how many tiles are lacking so far, in a lane for each number of sets with and without a pair; the less of
two is taken in all lanes at once. After each rank there are nine plans: 3 * runs begun one rank lower + two ranks
lower, which need a tile of this rank each. Whatever leads to the same nine plans goes on alike, which leaves some
thousand steps instead of millions; and one number holds the plans of all that are at the same rank.
"""

from __future__ import annotations

import sys
from array import array
from functools import cache
from typing import Final

from qipai.core.kernel import JIT, Buffer

__all__ = ["ALONE", "FAR", "JOINED", "NOBODY", "costs"]

FAR: Final = 99
KEYS: Final = 5**9
JOINED: Final = KEYS
ALONE: Final = JOINED + (5 << 14)
CELLS: Final = ALONE + (128 << 3)
NOBODY: Final = 127  # a kind that no suit has: with it every entry is FAR

ONES: Final = sum(1 << 6 * lane for lane in range(10))  # ten lanes of six bits: sets + 5 for a pair
FARS: Final = 15 * ONES  # no hand lacks more than 14 tiles
SIGNS: Final = 32 * ONES
PLAIN: Final = (1 << 30) - 1  # the five lanes without a pair
NO_PAIR: Final = FARS & PLAIN
SHORT: Final = FARS & ~(15 << 24 | 15 << 54)  # the lanes of fewer than four sets
NO_SET: Final = 15 | 15 << 30

BEGUN: Final = 5  # the low ranks
WORDS: Final = 9 * 8  # bytes of a state: nine plans


@cache
def costs() -> Buffer:
    """Return the table; the first call makes it (about 60 ms)."""
    steps, ends = _steps()
    kinds, twos = _kinds(steps), _twos()
    cells = bytearray(2 * CELLS)
    low = 0 if sys.byteorder == "little" else 1
    cells[low : 2 * KEYS : 2] = kinds
    cells[1 - low : 2 * KEYS : 2] = twos
    table = array("h", bytes(cells))
    _join(table, ends)
    if not JIT:
        return table
    import numpy as np

    return np.array(table, np.int16)


def _steps() -> tuple[list[list[list[int]]], list[list[int]]]:
    """Return which state each count of each rank leads to, by rank, count and state; and the lanes of the last states.

    A state is what the ranks below leave to those above: nine plans.
    """
    level = b"".join(plan.to_bytes(8, "little") for plan in (FARS - 15, *[FARS] * 8))
    steps = []
    for rank in range(9):
        words = memoryview(level).cast("Q")
        many = len(words) // 9
        plans = [int.from_bytes(words[i::9].tobytes(), "little") for i in range(9)]
        found: dict[bytes, int] = {}
        step = []
        for have in range(5):
            rows = bytearray(WORDS * many)
            words = memoryview(rows).cast("Q")
            for i, plan in enumerate(_after(plans, rank, have, many)):
                words[i::9] = memoryview(plan.to_bytes(8 * many, "little")).cast("Q")
            states = bytes(rows)
            step.append([found.setdefault(states[at : at + WORDS], len(found)) for at in range(0, len(states), WORDS)])
        steps.append(step)
        level = b"".join(found)
    ends = [int.from_bytes(state[:8], "little") for state in found]
    return steps, [[end >> 6 * lane & 15 for lane in range(10)] for end in ends]


def _after(plans: list[int], rank: int, have: int, many: int) -> list[int]:
    """Return the nine plans after a rank with the given count, for `many` states at once."""
    each = int.from_bytes((b"\1" + bytes(7)) * many, "little")
    ones, fars, signs = ONES * each, FARS * each, SIGNS * each
    plain, no_pair, short, no_set = PLAIN * each, NO_PAIR * each, SHORT * each, NO_SET * each
    out = [fars] * 9
    for before in range(3 if rank < 8 else 1):
        for runs in range(3 if rank < 7 else 1):  # three equal runs are three triplets
            best = fars
            for last in range(min(3, 5 - before - runs)):
                plan = plans[3 * before + last]
                n = before + last + runs
                best = _less(best, plan + ones * max(0, n - have), signs)
                if n <= 2:
                    best = _less(best, ((plan & plain) << 30 | no_pair) + ones * max(0, n + 2 - have), signs)
                if n <= 1:
                    best = _less(best, ((plan & short) << 6 | no_set) + ones * max(0, n + 3 - have), signs)
            for _ in range(runs):
                best = (best & short) << 6 | no_set
            out[3 * runs + before] = best
    return out


def _less(a: int, b: int, signs: int) -> int:
    """Return the smaller of two numbers in each lane of six bits; signs: the highest bit of each lane, unused."""
    less = (a | signs) - b & signs
    return a ^ (a ^ b) & (less - (less >> 5))


def _kinds(steps: list[list[list[int]]]) -> bytearray:
    """Return the kind of each key: what the low ranks lead to, and from the last states back what becomes of that."""
    rows = [bytearray([kind]) for kind in range(max(map(max, steps[-1])) + 1)]
    for step in reversed(steps[BEGUN:]):
        back = []
        for targets in zip(*step, strict=True):
            row = bytearray(5 * len(rows[0]))
            for have, target in enumerate(targets):
                row[have::5] = rows[target]
            back.append(row)
        rows = back
    states = [0]  # by the counts of the ranks below
    for step in steps[:BEGUN]:
        states = [step[have][state] for have in range(5) for state in states]
    kinds = bytearray(KEYS)
    for begun, state in enumerate(states):
        kinds[begun :: len(states)] = rows[state]
    return kinds


def _twos() -> bytes:
    """Return the pairs of each key, and from its fifth bit on the ranks held once or thrice."""
    row = b"\0"
    for _ in range(9):
        parts = []
        for have in range(5):
            more = [min(7, (i & 15) + have // 2) | min(7, (i >> 4) + have % 2) << 4 for i in range(128)]
            parts.append(row.translate(bytes(more) + bytes(128)))
        row = b"".join(parts)
    return row


def _join(table: array[int], ends: list[list[int]]) -> None:
    """Write what each kind lacks alone, and each two kinds together. ends: the ten lanes of each kind."""
    many = len(ends)
    each = sum(1 << 6 * i for i in range(many))
    signs = 32 * each
    column = [sum(lanes[lane] << 6 * i for i, lanes in enumerate(ends)) for lane in range(10)]
    far = array("h", [FAR]) * (1 << 7)
    for at in range(JOINED, ALONE, 1 << 7):
        table[at : at + (1 << 7)] = far
    for kind, lanes in enumerate(ends):
        table[ALONE + 8 * kind : ALONE + 8 * kind + 5] = array("h", lanes[5:])
        for need in range(5):
            best = 31 * each
            for sets in range(need + 1):
                best = _less(best, column[need - sets + 5] + lanes[sets] * each, signs)
                best = _less(best, column[need - sets] + lanes[sets + 5] * each, signs)
            at = JOINED + (need << 14 | kind << 7)
            table[at : at + many] = array("h", [best >> 6 * i & 31 for i in range(many)])
