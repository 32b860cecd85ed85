"""Plays as text: `24/18 13/11*`, `bar/20 6/4*(2)`, the form that gnubg prints (backgammon 11)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from qipai.core.contract import BadNotation
from qipai.games.backgammon.kernel.board import BAR, OFF, RES, landing

__all__ = ["Part", "cell_name", "landings", "parse_play", "part_text", "steps_of", "way_text", "write_play"]

POINT: Final = r"(?:[1-9]|1\d|2[0-4])"
PART: Final = re.compile(rf"(bar|res|{POINT})((?:/{POINT}\*?)*)(/off|/{POINT}\*?)(?:\(([1-4])\))?")
NAMES: Final = {BAR: "bar", RES: "res", OFF: "off"}
CELLS: Final = {"bar": BAR, "res": RES, "off": OFF}


class Part(Struct, frozen=True):
    """One part of a play: a checker, or several alike, and where it stops."""

    origin: int
    stops: tuple[int, ...]
    marked: frozenset[int]  # the stops with a `*`
    count: int = 1


def cell_name(cell: int) -> str:
    """Return how a place is written."""
    return NAMES.get(cell) or str(cell)


def part_text(origin: int, stops: Sequence[int]) -> str:
    """Return a part without marks."""
    return "/".join(map(cell_name, (origin, *stops)))


def parse_play(text: str) -> list[Part]:
    """Return the parts of a play as they are written; raises BadNotation("bad_notation")."""
    parts = []
    for word in text.lower().split():
        found = PART.fullmatch(word)
        if not found:
            raise BadNotation("bad_notation", text=word[:40])
        stops, marked = [], set()
        for stop in (found[2] + found[3]).split("/")[1:]:
            name = stop.rstrip("*")
            cell = CELLS.get(name)
            cell = int(name) if cell is None else cell
            stops.append(cell)
            if stop.endswith("*"):
                marked.add(cell)
        origin = CELLS.get(found[1])
        parts.append(
            Part(int(found[1]) if origin is None else origin, tuple(stops), frozenset(marked), int(found[4] or 1))
        )
    return parts


def steps_of(way: int) -> list[tuple[int, int]]:
    """Return a way's steps as (origin, die)."""
    steps = []
    while way:
        steps.append(((way & 255) >> 3, way & 7))
        way >>= 8
    return steps


def write_play(steps: Sequence[tuple[int, int]], hits: Sequence[int] | frozenset[int]) -> str:
    """Return the canonical text of steps, each (origin, landing point).

    hits: the points with a single enemy checker to be hit, as they stood before the turn.
    """
    return _written(
        sorted([(27 if origin == BAR else origin) << 6 | to << 1 | (to in hits) for origin, to in steps], reverse=True)
    )


@lru_cache(maxsize=8192)
def landings(way: int) -> int:
    """Return the points on which a way's steps land, a bit each."""
    cells = 0
    for origin, die in steps_of(way):
        cells |= 1 << landing(origin, die)
    return cells


@lru_cache(maxsize=8192)
def way_text(way: int, hits: int) -> str:
    """Return the canonical text of a way. hits: a bit for each of its points with a single enemy checker to be hit."""
    codes = []
    for origin, die in steps_of(way):
        to = landing(origin, die)
        codes.append((27 if origin == BAR else origin) << 6 | to << 1 | hits >> to & 1)
    codes.sort(reverse=True)
    return _written(codes)


def _written(codes: Sequence[int]) -> str:
    """Return the same of steps from the back forward, the bar before the reserve: origin << 6 | to << 1 | hit."""
    left = [(BAR if code >> 6 == 27 else code >> 6, code >> 1 & 31) for code in codes]
    hits = {code >> 1 & 31 for code in codes if code & 1}
    chains: list[list[int]] = []
    while left:
        origin, to = left.pop(0)
        chain = [origin, to]
        k = 0
        while k < len(left):
            if left[k][0] == chain[-1] and chain[-1] != OFF:
                if chain[-1] in hits:
                    chain.append(left[k][1])
                else:
                    chain[-1] = left[k][1]
                left.pop(k)
            else:
                k += 1
        chains.append(chain)
    words: list[str] = []
    marked: set[int] = set()
    at = 0
    while at < len(chains):
        count = 1
        while at + count < len(chains) and chains[at + count] == chains[at]:
            count += 1
        word = cell_name(chains[at][0])
        for stop in chains[at][1:]:
            word += f"/{cell_name(stop)}"
            if stop in hits and stop not in marked:
                marked.add(stop)
                word += "*"
        words.append(f"{word}({count})" if count > 1 else word)
        at += count
    return " ".join(words)
