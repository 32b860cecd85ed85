"""The last checkers, exactly: what an end with the cube is worth, and each play and use of the cube in it. Kernels.

Where both sides are at home with at most MOST checkers, every position and owner of the cube is worked out from the
last one on, for the stake at hand: in a series once, in a match once for each score. It takes about a second and needs
kernels compiled; what was worked out is kept. Each side has borne off a checker by then, so games count single.

A node is a value of the cube and who may turn it. Worths are seen by the side that the stake belongs to, in parts of
FINE: of a point at a cube on one in a series, of a match won else.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import comb
from typing import Final, NamedTuple

from msgspec.structs import replace

from qipai.core.kernel import JIT, Buffer, buffer, copy_into, kernel, thawed
from qipai.games.backgammon.bots.bearoff import POINTS, new_walk, place, reached, sides_in_order
from qipai.games.backgammon.bots.cube import Choice, Stake
from qipai.games.backgammon.kernel.board import FACING, OFF, OUT, PINS, SIDE, TOTAL
from qipai.games.backgammon.kernel.plays import apply_way
from qipai.games.backgammon.options import Options

__all__ = ["best", "choice"]

MOST: Final = 5  # checkers of either side
SIDES: Final = comb(MOST + POINTS, POINTS)
FINE: Final = 1 << 20
NODE: Final = 6  # cells of a node: see `nodes_of`


class Steps(NamedTuple):
    """Where each throw can lead from each side."""

    index: Buffer  # the number of a side, by its place in the bear-off tables
    starts: Buffer  # of each side and throw: where its sides begin
    to: Buffer


class End(NamedTuple):
    """What every position is worth with a stake."""

    nodes: Buffer
    after: Buffer  # by node, who is on roll, side, other side: before that side may double


@cache
def steps_of() -> Steps:
    """Return where throws lead: the numbers of sides go by their places, so that steps lead to lower ones."""
    sides = [(at, side) for at, side in enumerate(sides_in_order()) if sum(side) <= MOST]
    index = {at: n for n, (at, _) in enumerate(sides)}
    starts, to, walk = [0], [], new_walk()
    for _, side in sides:
        for one in range(1, 7):
            for two in range(1, one + 1):
                if any(side):
                    found = int(reached(thawed(side), one, two, walk))
                    to += sorted({index[int(walk.found[i])] for i in range(found)})
                starts.append(len(to))
    where = [index.get(at, -1) for at in range(max(index) + 1)]
    return Steps(thawed(where), thawed(starts), thawed(to))


@kernel
def thrown(node: int, mine: bool, a: int, b: int, end: End, steps: Steps) -> int:
    """Return what a throw is worth where nobody doubles before it. a, b: the sides; mine: the first is on roll."""
    total = 0
    nodes = end.nodes
    at = 21 * (a if mine else b)
    throw = 0
    for one in range(1, 7):
        for two in range(1, one + 1):
            first, last = steps.starts[at + throw], steps.starts[at + throw + 1]
            best = 0
            for i in range(first, last):
                to = steps.to[i]
                if to == 0:
                    value = nodes[NODE * node] if mine else nodes[NODE * node + 1]
                elif mine:
                    value = end.after[((node * 2 + 1) * SIDES + to) * SIDES + b]
                else:
                    value = end.after[(node * 2 * SIDES + a) * SIDES + to]
                if i == first or (value > best) == mine:
                    best = value
            total += best if one == two else 2 * best
            throw += 1
    return total // 36


@kernel
def doubled(node: int, mine: bool, a: int, b: int, end: End, steps: Steps) -> int:
    """Return what a double that is taken is worth."""
    nodes = end.nodes
    to = nodes[NODE * node + 2] if mine else nodes[NODE * node + 3]
    return nodes[NODE * node + 4] * thrown(to, mine, a, b, end, steps)


@kernel
def worked_out(count: int, end: End, steps: Steps) -> None:
    """Fill an end, from the positions with the lowest numbers on."""
    nodes = end.nodes
    for total in range(2, 2 * SIDES - 1):
        for a in range(max(1, total - SIDES + 1), min(SIDES, total)):
            b = total - a
            for side in range(2):
                mine = side == 0
                for node in range(count):
                    worth = thrown(node, mine, a, b, end, steps)
                    if (nodes[NODE * node + 2] if mine else nodes[NODE * node + 3]) >= 0:
                        taken = doubled(node, mine, a, b, end, steps)
                        dropped = nodes[NODE * node] if mine else nodes[NODE * node + 1]
                        if (dropped < taken) == mine:
                            taken = dropped
                        if (taken > worth) == mine:
                            worth = taken
                    end.after[((node * 2 + side) * SIDES + a) * SIDES + b] = worth


def nodes_of(options: Options, stake: Stake) -> list[list[int]]:
    """Return the nodes from a stake on, the first is the stake's own.

    Of each: what a win and a loss are worth, the nodes after a double of the one and of the other side (-1: none), and
    by how much these worths are multiplied.
    """
    may = options.with_cube and not (stake.crawford and options.match_to > 1)
    found: list[list[int]] = []

    def add(value: int, owner: int | None) -> int:  # owner: 0 the stake's side, 1 the other, None both
        here = len(found)
        ends = [round(FINE * stake.worth(options, sign * value)) for sign in (1, -1)]
        found.append([*ends, -1, -1, 1, 0])
        for side, need in enumerate((stake.need, stake.his_need)):
            if may and owner in (None, side) and value < need and 2 * value <= options.cube_max:
                found[here][2 + side] = add(2 * value, 1 - side)
        return here

    if options.series:
        for owner in (None, 0, 1):
            row = [FINE, -FINE, -1, -1, 2, 0]
            for side in (0, 1):
                if may and owner in (None, side):
                    row[2 + side] = 2 - side
            found.append(row)
    else:
        owner = None if stake.centred else 0 if stake.mine else 1
        add(stake.value, owner)
    return found


@lru_cache(maxsize=2)
def end_of(options: Options, stake: Stake) -> End:
    """Return everything of a stake, worked out."""
    nodes = nodes_of(options, stake)
    found = End(thawed([cell for node in nodes for cell in node]), buffer(len(nodes) * 2 * SIDES * SIDES))
    worked_out(len(nodes), found, steps_of())
    return found


def _last(options: Options, stake: Stake, board: Buffer) -> tuple[End, int] | None:
    """Return the end of a stake and its node where the board is one of the last; None elsewhere."""
    if not JIT or options.row.loses or board[FACING] or board[PINS] or board[OUT] or board[SIDE + OUT]:
        return None
    for me in (0, SIDE):
        if not 0 < board[me + TOTAL] - board[me + OFF] <= MOST or not board[me + OFF]:
            return None
    if not options.series:
        return end_of(options, stake), 0
    if options.beavers or options.cube_max < 8 * stake.value:
        return None
    even = replace(stake, value=1, mine=False, centred=True)
    return end_of(options, even), 0 if stake.centred else 1 if stake.mine else 2


def best(options: Options, stake: Stake, board: Buffer, seat: int, ways: Sequence[int]) -> int | None:
    """Return the index of the best of a seat's plays; None: not known."""
    last = _last(options, stake, board)
    if last is None:
        return None
    (end, node), index, work = last, steps_of().index, buffer(len(board))
    b = int(index[place(board, SIDE - seat * SIDE)])
    found, most = 0, 0
    for i, way in enumerate(ways):
        copy_into(board, work)
        if int(apply_way(work, seat, way)):
            return i
        a = int(index[place(work, seat * SIDE)])
        worth = int(end.after[((node * 2 + 1) * SIDES + a) * SIDES + b])
        if i == 0 or worth > most:
            found, most = i, worth
    return found


def choice(options: Options, stake: Stake, board: Buffer, roller: int) -> Choice | None:
    """Return what each cube decision is worth to the side on roll, by whom the stake is seen; None: not known."""
    last = _last(options, stake, board)
    if last is None:
        return None
    (end, node), steps = last, steps_of()
    a, b = int(steps.index[place(board, roller * SIDE)]), int(steps.index[place(board, SIDE - roller * SIDE)])
    unit = FINE / stake.value if options.series else FINE
    hold, win = int(thrown(node, True, a, b, end, steps)), int(end.nodes[NODE * node])
    if int(end.nodes[NODE * node + 2]) < 0:
        return Choice(hold / unit, hold / unit, win / unit, False)
    return Choice(hold / unit, int(doubled(node, True, a, b, end, steps)) / unit, win / unit)
