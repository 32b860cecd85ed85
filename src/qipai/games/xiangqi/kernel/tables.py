"""The functions that fill the board's tables: kinds of squares, bearings, random numbers for keys."""

from __future__ import annotations

from typing import Final

__all__ = ["CELLS", "FILE", "HALF", "PALACE", "bearing_of", "words", "zone_of"]

CELLS: Final = 156
FILE: Final = 12  # one step to black's left; a step up the ranks is 1
PALACE: Final = 1  # ZONE bit of red's palace, twice that of black's
HALF: Final = 4  # ZONE bit of red's half of the board, twice that of black's


def zone_of(square: int) -> int:
    """Return what lies at a square, in the bits of ZONE; 0: it is off the board."""
    file, rank = square // 12 - 2, square % 12 - 1
    if not (0 <= file <= 8 and 0 <= rank <= 9):
        return 0
    side = rank // 5
    palace = 3 <= file <= 5 and (rank <= 2 or rank >= 7)
    return (HALF << side) | ((PALACE << side) if palace else 0)


def bearing_of(throne: int, square: int) -> int:
    """Return where a square lies, seen from a general's: bits 0–3 on its file or rank, by direction, 4–7 its diagonal
    neighbours (a horse's legs), 8–11 where a horse stands behind each of these; 0 elsewhere.
    """
    files, ranks = square // FILE - throne // FILE, square % FILE - throne % FILE
    if not zone_of(square) or square == throne:
        return 0
    if files == 0 or ranks == 0:
        return 1 << ((ranks < 0) if files == 0 else 2 + (files < 0))
    if max(abs(files), abs(ranks)) > 2 or abs(files) == abs(ranks) == 2:
        return 0
    return (16 if abs(files) == abs(ranks) else 256) << (2 * (files < 0) + (ranks < 0))


def words(count: int) -> list[int]:
    """Return pseudo-random 62-bit numbers, the same on every machine (splitmix)."""
    words, seed, mask = [], 0x9E3779B97F4A7C15, (1 << 64) - 1
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        z = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        words.append((z ^ (z >> 31)) >> 2)
    return words
