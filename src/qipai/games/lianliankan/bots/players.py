"""The levels. All see what a player sees; they differ in what they look for and in how long they take.

- `easy` takes a pair that lies close to where its eye is.
- `casual` looks as far, a little more quickly, and takes the nearer of two.
- `steady` looks over the board and, of some pairs, takes the one that leaves the most to link.
- `sharp` weighs twice as many pairs as `steady`.
- `strong` weighs every pair, two links deep where little is left to link: a board that dies costs nothing by the rules
  (R4), but a board with few pairs costs its eye time.

The time (`pace`) is a model of a person: the eye goes from the last link over the tiles until it meets a pair that
links, the hand follows it, and now and then the pair does not link. No level is faster than a second a pair.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from qipai.core.contract import Rng
from qipai.core.kernel import buffer, thawed
from qipai.games.lianliankan.board import Found, grid_of, index, pairs
from qipai.games.lianliankan.bots.ahead import look_ahead
from qipai.games.lianliankan.kernel.layout import new_bench
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.rules import GRAVITY
from qipai.games.lianliankan.state import Action, Cell, Link, View

__all__ = ["Casual", "Easy", "Sharp", "Steady", "Strong", "pace"]


class Person(NamedTuple):
    """How quick the eye and the hand of a level are; ms, and parts of a hundred."""

    hand: int  # two clicks
    glance: int  # to look at a tile
    cell: int  # for the eye to go over one cell
    span: int  # tiles taken in at a glance
    misses: int  # of a hundred links, so many need a second try
    least: int
    most: int


# How people of a level are: chosen by hand within the one to four seconds a pair of docs/spec/lianliankan.md, 13.
# Nobody was measured; how the levels stand against each other is told there in 14.
PEOPLE: Final = {
    "easy": Person(hand=900, glance=280, cell=45, span=3, misses=14, least=2000, most=4000),
    "casual": Person(hand=800, glance=250, cell=38, span=4, misses=10, least=1700, most=3700),
    "steady": Person(hand=700, glance=220, cell=32, span=5, misses=7, least=1400, most=3400),
    "sharp": Person(hand=610, glance=195, cell=27, span=6, misses=5, least=1200, most=3000),
    "strong": Person(hand=520, glance=170, cell=22, span=8, misses=3, least=1000, most=2600),
}
FAR_APART: Final = 2  # what a cell between the tiles of a pair counts beside one on the way to it
EASY_CHOICE: Final = 3  # nearest pairs of which a beginner takes any
CASUAL_CHOICE: Final = 2
STEADY_CHOICE: Final = 6  # nearest pairs that are weighed
SHARP_CHOICE: Final = 12
DEEP_BELOW: Final = 10  # pairs at most that are weighed two links deep


def pace(level: str, options: Options, view: View, action: Action, rng: Rng) -> int:
    """Return after how many ms a level's hand has done this: seen by a person, it is one more person."""
    who = PEOPLE[level]
    if not isinstance(action, Link) or view.board is None or view.you is None:
        return who.least
    found = len(pairs(grid_of(view.board, options.outside), view.cols))
    tiles = view.remaining[view.you]
    # 2 · found of all tiles are in a pair that links: this many glances pass on average before the eye meets one.
    expected = max(1.0, tiles / (2 * found + 1) / who.span * 2)
    draw = (1 + rng.below(1000)) / 1000 + (1 + rng.below(1000)) / 1000  # 0 … 2, mostly about 1
    way = eye(view) + _apart(*action.p)
    if line := view.lines[view.you]:
        way += _apart(line.path[-1], action.p[0]) // 2
    ms = who.hand + round(who.glance * expected * draw) + who.cell * way
    if rng.below(100) < who.misses:
        ms += who.hand + options.miss_penalty_ms
    return max(who.least, min(who.most + options.miss_penalty_ms, ms), options.min_interval_ms)


def eye(view: View) -> int:
    """Return how far the eye has to go to begin with: nowhere after a link, over half the board at the start."""
    assert view.you is not None
    return 0 if view.lines[view.you] else (view.rows + view.cols) // 2


def _apart(a: Cell, b: Cell) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


class Player:
    """What the levels share: the pairs of the board that is seen."""

    def __init__(self, options: Options, *, seed: int = 0) -> None:
        self.options, self.seed = options, seed

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return a link; there is always one."""
        assert view.board is not None
        assert view.you is not None
        grid = grid_of(view.board, self.options.outside)
        return Link(self.pick(view, grid, pairs(grid, view.cols)).pair)

    def pick(self, view: View, grid: tuple[int, ...], found: tuple[Found, ...]) -> Found:
        """Return one of the pairs."""
        raise NotImplementedError

    def near(self, view: View, found: tuple[Found, ...]) -> list[Found]:
        """Return the pairs by how far the eye has to go for them from the last link."""
        assert view.you is not None
        line = view.lines[view.you]
        start = line.path[-1] if line else (self.seed % view.rows, self.seed // 7 % view.cols)
        return sorted(found, key=lambda each: (_apart(start, each.pair[0]) + FAR_APART * _apart(*each.pair), each.pair))

    def kept_alive(self, view: View, grid: tuple[int, ...], found: list[Found], depth: int) -> Found:
        """Return the pair after which the most pairs can be linked; of equals the first."""
        size, cols = len(grid), view.cols
        top = max(grid)
        bench = new_bench(size, view.rows * cols, max(top, 1))
        places = thawed([index(cell, cols) for each in found for cell in each.pair], 16)
        worth = buffer(len(found))
        way = GRAVITY[self.options.gravity]
        look_ahead(thawed(grid, 16), view.rows, cols, way, places, len(found), depth, bench, buffer(size, 16), worth)
        return max(enumerate(found), key=lambda each: (int(worth[each[0]]), -each[0]))[1]


class Easy(Player):
    """Takes a pair near its eye, not always the nearest."""

    among = EASY_CHOICE

    def pick(self, view: View, grid: tuple[int, ...], found: tuple[Found, ...]) -> Found:
        """Return one of the nearest."""
        near = self.near(view, found)
        return near[(self.seed + sum(view.remaining)) % min(self.among, len(near))]


class Casual(Easy):
    """Takes one of the two pairs nearest to its eye."""

    among = CASUAL_CHOICE


class Steady(Player):
    """Weighs a handful of pairs near its eye."""

    weighs = STEADY_CHOICE

    def pick(self, view: View, grid: tuple[int, ...], found: tuple[Found, ...]) -> Found:
        """Return the best of the nearest."""
        return self.kept_alive(view, grid, self.near(view, found)[: self.weighs], 1)


class Sharp(Steady):
    """Weighs more of them."""

    weighs = SHARP_CHOICE


class Strong(Player):
    """Weighs all pairs, and deeper where few are left."""

    def pick(self, view: View, grid: tuple[int, ...], found: tuple[Found, ...]) -> Found:
        """Return the best of all."""
        return self.kept_alive(view, grid, self.near(view, found), 2 if len(found) <= DEEP_BELOW else 1)
