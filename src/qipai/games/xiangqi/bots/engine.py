"""What a search keeps beside the board: transposition table, killers, history, the scores of the current line."""

from __future__ import annotations

from typing import Final, NamedTuple

from qipai.core.kernel import JIT, Buffer, buffer, kernel, places
from qipai.games.xiangqi.bots.net import FORCE, WIDTH, load
from qipai.games.xiangqi.bots.values import VALUE
from qipai.games.xiangqi.kernel.asking import checked
from qipai.games.xiangqi.kernel.board import CELLS, CODE, EMPTY, MEN, MOST, PLIES, SIDE, TURN, Board, legal, make

__all__ = ["DEEPEST", "ENDLESS", "MATE", "VERDICT", "WON", "Engine", "engine", "prepare"]

DEEPEST: Final = 64  # plies from the root, quiescence included
MATE: Final = 30000  # less the plies to it
VERDICT: Final = 25000  # won by the repetition code, less the plies to it
WON: Final = 20000  # scores beyond it are decided games
ENDLESS: Final = 32000


class Registers(NamedTuple):
    """What the registers of a search hold, in their order."""

    nodes: int
    limit: int  # of nodes
    stop: int  # set from outside, or at the limit: come back at once
    best: int  # the root's best move
    score: int  # and its score
    roots: int  # how many root moves there are
    age: int
    top: int  # the root's ply: 0, but no constant (see `search`)
    netted: int  # 1: the net corrects the evaluation


AT: Final = places(Registers)
NODES: Final = AT.nodes
LIMIT: Final = AT.limit
STOP: Final = AT.stop
BEST: Final = AT.best
SCORE: Final = AT.score
ROOTS: Final = AT.roots
AGE: Final = AT.age
TOP: Final = AT.top
NETTED: Final = AT.netted
REGISTERS: Final = len(AT)

# What is kept of a ply on the way: e.plies[STRIDE * ply + …]
VALUED: Final = 0  # material and places, as red sees them
CHECKED: Final = 1  # 1 when the side to move is in check
KILLER: Final = 2  # the quiet move that refuted a brother last
SECOND: Final = 3  # and the one before
CHANGE: Final = 4  # the move that led to it, as `net.carry` reads it
SUMMED: Final = 5  # whose sums of the net are kept: 1 for red's, 2 for black's
LEFT: Final = 6  # what is left on the board (`net.FORCE`)
STRIDE: Final = 8

EXACT: Final = 1  # what a score in the table is
LOWER: Final = 2
UPPER: Final = 3

PASS: Final = 0  # the null move, in `past`

# What a quiet move's merit gains by refuting (`praise`): chosen by hand, not measured by themselves.
MERIT: Final = 16  # for each square of a depth,
MOST_SQUARE: Final = 400  # of which so many count at most
FADE: Final = 9  # it loses one part in 2 ** FADE for each of them


class Engine(NamedTuple):
    """The memory of a search."""

    reg: Buffer
    table: Buffer  # transposition table: keys, each followed by what was found: move, score, bound, depth, age
    moves: Buffer  # MOST entries a ply: a move; above its 16 bits its rank, once it has one
    plies: Buffer
    history: Buffer  # by code and target: how often a quiet move refuted
    roots: Buffer  # the root's moves, best first; from MOST on what each scored
    net: Buffer  # the net's weights
    sums: Buffer  # the net's sums, by ply and side


def engine(bits: int, net: bool = JIT) -> Engine:
    """Return an engine with a transposition table of 2 ** bits entries.

    net: whether the net corrects the evaluation; interpreted, that would take longer than it is worth.
    """
    made = Engine(
        reg=buffer(REGISTERS, 64),
        table=buffer(2 << bits, 64),
        moves=buffer((DEEPEST + 2) * MOST, 64),
        plies=buffer((DEEPEST + 3) * STRIDE, 64),
        history=buffer(16 * CELLS, 64),
        roots=buffer(2 * MOST, 64),
        net=load() if net else buffer(1, 16),
        sums=buffer((DEEPEST + 3) * 2 * WIDTH if net else 1, 16),
    )
    made.reg[NETTED] = int(net)
    return made


@kernel
def prepare(b: Board, e: Engine) -> int:
    """Make ready to search a position: root moves, score, empty heuristics; return how many moves there are."""
    for i in range(len(e.plies)):
        e.plies[i] = 0
    for i in range(len(e.history)):
        e.history[i] = 0
    score = left = 0
    for man in range(MEN + EMPTY):
        if man != EMPTY and b.where[man]:
            score += VALUE[CODE[man] * CELLS + b.where[man]]
            left += FORCE[CODE[man]]
    e.plies[VALUED] = score
    e.plies[LEFT] = left
    e.plies[CHECKED] = checked(b, b.reg[SIDE])
    count = legal(b, e.roots, 0)
    for i in range(count):
        e.roots[MOST + i] = -ENDLESS
    reg = e.reg
    reg[NODES] = 0
    reg[STOP] = 0
    reg[BEST] = 0
    reg[SCORE] = 0
    reg[ROOTS] = count
    reg[AGE] = (reg[AGE] + 1) & 63
    return count


@kernel
def forget(e: Engine) -> None:
    """Empty the transposition table."""
    for i in range(len(e.table)):
        e.table[i] = 0


@kernel
def step(b: Board, e: Engine, ply: int, move: int) -> None:
    """Play a move; note the score of the new position and whether it is check."""
    origin, target = move >> 8, move & 255
    man, prey = CODE[b.cells[origin]], CODE[b.cells[target]]
    row = man * CELLS
    change = VALUE[row + target] - VALUE[row + origin] - VALUE[prey * CELLS + target]
    make(b, move)
    here = STRIDE * ply
    e.plies[here + STRIDE + VALUED] = e.plies[here + VALUED] + change
    if e.reg[NETTED]:
        e.plies[here + STRIDE + CHANGE] = move | man << 16 | prey << 20
        e.plies[here + STRIDE + SUMMED] = 0
        e.plies[here + STRIDE + LEFT] = e.plies[here + LEFT] - FORCE[prey]
    e.plies[here + STRIDE + CHECKED] = checked(b, b.reg[SIDE])


@kernel
def skip(b: Board, e: Engine, ply: int) -> None:
    """Pass: the null move. No position before it counts as a repetition after it."""
    n = b.reg[PLIES]
    b.past[n] = PASS
    b.keys[n + 1] = b.keys[n] ^ TURN
    b.fresh[n + 1] = n + 1
    b.reg[PLIES] = n + 1
    b.reg[SIDE] ^= 1
    here = STRIDE * ply
    e.plies[here + STRIDE + VALUED] = e.plies[here + VALUED]
    e.plies[here + STRIDE + CHANGE] = PASS
    e.plies[here + STRIDE + SUMMED] = 0
    e.plies[here + STRIDE + LEFT] = e.plies[here + LEFT]
    e.plies[here + STRIDE + CHECKED] = 0


@kernel
def unskip(b: Board) -> None:
    """Take a pass back."""
    b.reg[PLIES] -= 1
    b.reg[SIDE] ^= 1


@kernel
def found(e: Engine, key: int) -> int:
    """Return a position's table entry, 0 for none: see `move_of`, `depth_of`, `bound_of`, `score_of`."""
    slot = 2 * (key & ((len(e.table) >> 1) - 1))
    return int(e.table[slot + 1]) if e.table[slot] == key else 0


@kernel
def move_of(fact: int) -> int:
    """Return the best move of what was found, 0 when there is none."""
    return fact & 65535


@kernel
def bound_of(fact: int) -> int:
    """Return what its score is: EXACT, LOWER or UPPER."""
    return fact >> 32 & 3


@kernel
def depth_of(fact: int) -> int:
    """Return how deep it was searched."""
    return fact >> 34 & 255


@kernel
def score_of(fact: int, ply: int) -> int:
    """Return its score, seen from a ply: decided games count the plies from the root."""
    score = (fact >> 16 & 65535) - 32768
    if score > WON:
        return score - ply
    return score + ply if score < -WON else score


@kernel
def store(e: Engine, key: int, move: int, score: int, depth: int, ply: int, bound: int) -> None:
    """Write what was found; something much deeper of the same search is kept instead."""
    slot = 2 * (key & ((len(e.table) >> 1) - 1))
    old = e.table[slot + 1]
    if e.table[slot] != key and old >> 42 == e.reg[AGE] and depth_of(old) > depth + 2:
        return
    if score > WON:
        score += ply
    elif score < -WON:
        score -= ply
    e.table[slot] = key
    e.table[slot + 1] = move | (score + 32768) << 16 | bound << 32 | max(0, depth) << 34 | e.reg[AGE] << 42


@kernel
def praise(b: Board, e: Engine, start: int, i: int, ply: int, depth: int) -> None:
    """Record that the quiet move at `i` refuted, and that the quiet moves from `start` to it did not."""
    move = e.moves[i] & 65535
    here = STRIDE * ply
    if e.plies[here + KILLER] != move:
        e.plies[here + SECOND] = e.plies[here + KILLER]
        e.plies[here + KILLER] = move
    weight = min(depth * depth, MOST_SQUARE)
    for j in range(start, i + 1):
        other = e.moves[j] & 65535
        if b.cells[other & 255] == EMPTY:
            row = CODE[b.cells[other >> 8]] * CELLS + (other & 255)
            # Old merits fade as new ones come, so they stay within ±8192.
            e.history[row] += (MERIT * weight if j == i else -MERIT * weight) - (e.history[row] * weight >> FADE)
