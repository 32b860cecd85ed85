"""The search: alpha-beta with the repetition code inside, in the kernel subset (xiangqi 13).

Scores are seen by the side to move. A line that comes back to an earlier position is judged at once by the table's
repetition code, so a bot neither repeats into a loss nor lets a won game drift into a draw.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import kernel
from qipai.games.xiangqi.bots.engine import (
    BEST,
    CHECKED,
    DEEPEST,
    ENDLESS,
    EXACT,
    KILLER,
    LIMIT,
    LOWER,
    MATE,
    NODES,
    PASS,
    ROOTS,
    SCORE,
    SECOND,
    STOP,
    STRIDE,
    TOP,
    UPPER,
    VERDICT,
    WON,
    Engine,
    bound_of,
    depth_of,
    found,
    move_of,
    praise,
    score_of,
    skip,
    step,
    store,
    unskip,
)
from qipai.games.xiangqi.bots.evaluate import evaluate, guarded
from qipai.games.xiangqi.bots.values import WORTH
from qipai.games.xiangqi.kernel.asking import can_move, checked
from qipai.games.xiangqi.kernel.board import (
    CELLS,
    CODE,
    COUNT,
    DEAD,
    EMPTY,
    KIND,
    MEN,
    MOST,
    PLAYED,
    PLIES,
    PLY_LIMIT,
    QUIET,
    QUIET_LIMIT,
    RULE,
    SIDE,
    Board,
    bearing,
    pseudo,
    unmake,
)
from qipai.games.xiangqi.kernel.game import harmless
from qipai.games.xiangqi.kernel.repetition import levels, occurrences, span

__all__ = ["repeated", "root", "search", "verdict"]

WORTHS: Final = WORTH

# The order in which moves are tried (`list_moves`, `forcing`): the highest first. Only the order of the values matters.
GAINS: Final = 1 << 24  # a capture that loses nothing
KILLS: Final = 1 << 23  # a quiet move that refuted a brother
LOSSES: Final = 20000  # less: a capture that loses; below all quiet ones
GAIN_BITS: Final = 4  # the man taken counts 2 ** GAIN_BITS times its worth, the man that takes so many times less

# Pruning and reductions. Scores are in hundredths, a soldier is 60; depths are the plies left. The values are the usual
# ones, chosen by hand and not measured one by one: `qipai arena strong steady --game xiangqi` measures a change.
DELTA: Final = 120  # quiescence: a capture that stays below the window even with this bonus is skipped
DEEP_QUIET: Final = 6  # after so many plies of quiescence only answers to check are searched
STATIC_DEPTH: Final = 4  # reverse futility: up to this depth a node STATIC a ply above the window is cut
STATIC: Final = 85
NULL_DEPTH: Final = 2  # null move: from this depth on,
NULL_LESS: Final = 3  # reduced by so many plies,
NULL_SHARE: Final = 5  # and by one more for each so many plies of depth,
NULL_MEN: Final = 2  # only with at least so many chariots, horses and cannons
FIRST_DEPTH: Final = 5  # internal deepening: from this depth on a shallower search finds a first move,
FIRST_LESS: Final = 2  # so many plies less deep
FUTILE_DEPTH: Final = 3  # futility: up to this depth quiet moves that cannot reach the window are skipped;
FUTILE: Final = 60  # a quiet move may gain this,
FUTILE_PLY: Final = 90  # and this for each ply of depth;
FUTILE_MOVES: Final = 5  # quiet moves after the first FUTILE_MOVES * (1 + depth * depth) are skipped too
LESS_DEPTH: Final = 3  # late move reductions: from this depth on quiet moves are reduced,
LESS_MOVES: Final = 4  # from this move on by one ply,
LATER_MOVES: Final = 9  # from this move on by two,
LATEST_MOVES: Final = 17  # from this move on by three if the depth is at least LATEST_DEPTH;
LATEST_DEPTH: Final = 6
DEEPER: Final = 9  # from this depth on by one ply more;
MERITED: Final = 2000  # a move with a history above this by one ply less
CHECKS_STOP: Final = 8  # within so many plies of DEEPEST a check no longer extends the search


@kernel
def verdict(b: Board, ply: int) -> int:
    """Return what a repeated position is worth to the side to move under the table's code (xiangqi 6.3)."""
    found = levels(b, span(b, min(occurrences(b), b.reg[COUNT])), b.reg[RULE])
    side = b.reg[SIDE]
    mine = found >> 2 if side else found & 3
    other = found & 3 if side else found >> 2
    if mine == other:
        return 0
    return ply - VERDICT if mine > other else VERDICT - ply


@kernel
def repeated(b: Board) -> bool:
    """Return whether the position has occurred before since the last capture."""
    n = b.reg[PLIES]
    key = b.keys[n]
    i = n - 4
    while i >= b.fresh[n] and b.keys[i] != key:
        i -= 2
    return i >= b.fresh[n]


@kernel
def drawn(b: Board) -> bool:
    """Return whether a limit of the table ends the game here, mate aside."""
    reg = b.reg
    n = reg[PLIES]
    if reg[PLY_LIMIT] and n + reg[PLAYED] >= reg[PLY_LIMIT]:
        return True
    if reg[QUIET_LIMIT] and n - b.fresh[n] + (reg[QUIET] if b.fresh[n] == 0 else 0) >= reg[QUIET_LIMIT]:
        return True
    return reg[DEAD] != 0 and harmless(b)


@kernel
def gain_of(b: Board, move: int) -> int:
    """Return the worth of the piece that a move captures, 0 for a quiet move."""
    return WORTHS[KIND[b.cells[move & 255]]]


@kernel
def loses(b: Board, move: int) -> bool:
    """Return whether a capture seems to lose material: a guarded man taken by a dearer one."""
    return WORTHS[KIND[b.cells[move >> 8]]] > gain_of(b, move) and guarded(b, move & 255, 1 - b.reg[SIDE])


@kernel
def list_moves(b: Board, e: Engine, ply: int, first: int) -> int:
    """List and rank a ply's moves but the first one: captures by gain, killers, history; bad captures last."""
    cells = b.cells
    start = ply * MOST
    here = STRIDE * ply
    kept = start
    for i in range(start, pseudo(b, True, e.moves, start)):
        move = e.moves[i]
        if move == first:
            continue
        man = cells[move >> 8]
        if cells[move & 255] != EMPTY:
            gain, cost = gain_of(b, move), WORTHS[KIND[man]]
            rank = gain - cost - LOSSES if loses(b, move) else GAINS + (gain << GAIN_BITS) - (cost >> GAIN_BITS)
        elif move == e.plies[here + KILLER]:
            rank = KILLS
        elif move == e.plies[here + SECOND]:
            rank = KILLS - 1
        else:
            rank = e.history[CODE[man] * CELLS + (move & 255)]
        e.moves[kept] = rank << 16 | move
        kept += 1
    return kept


@kernel
def pick(e: Engine, i: int, end: int) -> int:
    """Swap the best ranked of the moves from `i` on to `i`, and return it."""
    best = i
    for j in range(i + 1, end):
        if e.moves[j] > e.moves[best]:
            best = j
    entry = e.moves[best]
    e.moves[best] = e.moves[i]
    e.moves[i] = entry
    return int(entry & 65535)


@kernel
def may_check(b: Board, move: int) -> bool:
    """Return whether a quiet move might give check: its man comes to bear on the enemy general or leaves a line."""
    side = b.reg[SIDE]
    kind = KIND[b.cells[move >> 8]]
    throne = b.where[MEN - side * MEN]
    there = bearing(throne, move & 255)
    if kind in (5, 6):
        return there & 15 != 0
    if kind == 4:
        return there >> 8 != 0
    return kind == 7 and there & 15 != 0


@kernel
def forcing(b: Board, e: Engine, ply: int, first: bool, need: int) -> int:
    """List and rank what quiescence looks at: captures that gain `need` and lose nothing, at first also safe checks."""
    start = ply * MOST
    kept = start
    for i in range(start, pseudo(b, first, e.moves, start)):
        move = e.moves[i]
        if b.cells[move & 255] != EMPTY:
            gain = gain_of(b, move)
            if gain < need or loses(b, move):
                continue
            rank = (gain << GAIN_BITS) - (WORTHS[KIND[b.cells[move >> 8]]] >> GAIN_BITS)
        elif may_check(b, move) and not guarded(b, move & 255, 1 - b.reg[SIDE]):
            rank = -1
        else:
            continue
        e.moves[kept] = rank << 16 | move
        kept += 1
    return kept


@kernel
def quiesce(b: Board, e: Engine, alpha: int, beta: int, ply: int, deep: int) -> int:
    """Return the score of a position when captures have been played out; at first, checks as well."""
    if e.reg[STOP]:
        return alpha
    in_check = e.plies[STRIDE * ply + CHECKED] != 0
    e.reg[NODES] += 1
    if ply >= DEEPEST:
        return evaluate(b, e, ply)
    best = -MATE + ply
    if not in_check:
        best = evaluate(b, e, ply)
        if best >= beta:
            return best
        alpha = max(alpha, best)
    start = ply * MOST
    end = list_moves(b, e, ply, PASS) if in_check else forcing(b, e, ply, deep == 0, alpha - best - DELTA)
    side = b.reg[SIDE]
    for i in range(start, end):
        move = pick(e, i, end)
        calm = b.cells[move & 255] == EMPTY
        step(b, e, ply, move)
        check = e.plies[STRIDE * (ply + 1) + CHECKED] != 0
        if (calm and not in_check and not check) or checked(b, side):
            unmake(b)
            continue
        if calm and repeated(b):
            score = -verdict(b, ply + 1)
        elif deep >= DEEP_QUIET and not check:
            score = -evaluate(b, e, ply + 1)
        else:
            score = -quiesce(b, e, -beta, -alpha, ply + 1, deep + 1)
        unmake(b)
        if score > best:
            best = score
            if score >= beta:
                return best
            alpha = max(alpha, score)
    return best


@kernel
def strong(b: Board, side: int) -> bool:
    """Return whether a side has enough men that passing could only hurt: two of chariots, horses, cannons."""
    count = 0
    for man in range(side * MEN + 5, side * MEN + 11):
        if b.where[man]:
            count += 1
    return count >= NULL_MEN


@kernel
def search(b: Board, e: Engine, alpha: int, beta: int, depth: int, ply: int) -> int:
    """Return the score of a position, searched so many plies deep, within the window alpha to beta.

    Arguments are numbers that a call has computed, never constants: numba compiles a recursion anew for a constant.
    """
    reg = e.reg
    if reg[NODES] >= reg[LIMIT]:
        reg[STOP] = 1
    if reg[STOP]:
        return 0
    if repeated(b):
        return verdict(b, ply)
    if drawn(b):
        return 0 if can_move(b, -1) else ply - MATE
    in_check = e.plies[STRIDE * ply + CHECKED] != 0
    if in_check and ply < DEEPEST - CHECKS_STOP:
        depth += 1
    if depth <= 0:
        return quiesce(b, e, alpha, beta, ply, reg[TOP])
    if ply >= DEEPEST:
        return evaluate(b, e, ply)
    reg[NODES] += 1
    alpha = max(alpha, ply - MATE)
    beta = min(beta, MATE - ply - 1)
    if alpha >= beta:
        return alpha
    narrow = beta - alpha == 1

    key = b.keys[b.reg[PLIES]]
    fact = found(e, key)
    if fact and narrow and depth_of(fact) >= depth:
        score, bound = score_of(fact, ply), bound_of(fact)
        if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
            return score

    stand = -ENDLESS
    if not in_check:
        stand = evaluate(b, e, ply)
        if narrow and -WON < beta < WON:
            if depth <= STATIC_DEPTH and stand - STATIC * depth >= beta:
                return stand
            passed = b.past[b.reg[PLIES] - 1] == PASS
            if not passed and depth >= NULL_DEPTH and stand >= beta and strong(b, b.reg[SIDE]):
                skip(b, e, ply)
                score = -search(b, e, -beta, 1 - beta, depth - NULL_LESS - depth // NULL_SHARE, ply + 1)
                unskip(b)
                if reg[STOP]:
                    return 0
                if score >= beta:
                    return score if score < WON else beta

    if move_of(fact) == PASS and depth >= FIRST_DEPTH and not narrow:
        search(b, e, alpha, beta, depth - FIRST_LESS, ply)  # to find a first move
        fact = found(e, key)

    # The table's move is tried before the other moves are listed.
    first = move_of(fact)
    start = ply * MOST
    listed = first == PASS
    if listed:
        end = list_moves(b, e, ply, first)
    else:
        e.moves[start] = first
        end = start + 1
    side = b.reg[SIDE]
    best = -ENDLESS
    best_move = PASS
    floor = alpha
    tried = 0
    i = start
    while True:
        if i == end:
            if listed:
                break
            listed = True
            end = list_moves(b, e, ply, first)
            i = start
            continue
        move = pick(e, i, end)
        i += 1
        calm = b.cells[move & 255] == EMPTY
        merit = e.history[CODE[b.cells[move >> 8]] * CELLS + (move & 255)]
        step(b, e, ply, move)
        if checked(b, side):
            unmake(b)
            continue
        tried += 1
        modest = calm and not in_check and e.plies[STRIDE * (ply + 1) + CHECKED] == 0
        if modest and tried > 1 and depth <= FUTILE_DEPTH and best > -WON:
            hope = stand + FUTILE + FUTILE_PLY * depth
            if hope <= alpha or (narrow and tried > FUTILE_MOVES + FUTILE_MOVES * depth * depth):
                unmake(b)
                best = max(best, min(hope, alpha))
                continue
        if tried == 1:
            score = -search(b, e, -beta, -alpha, depth - 1, ply + 1)
        else:
            less = 0
            if depth >= LESS_DEPTH and tried >= LESS_MOVES and modest:
                less = 1 + (tried >= LATER_MOVES) + (depth >= LATEST_DEPTH and tried >= LATEST_MOVES)
                less += (depth >= DEEPER) - (not narrow) - (merit > MERITED)
                less = max(0, min(less, depth - 2))
            score = -search(b, e, -alpha - 1, -alpha, depth - 1 - less, ply + 1)
            if score > alpha and less > 0:
                score = -search(b, e, -alpha - 1, -alpha, depth - 1, ply + 1)
            if alpha < score < beta:
                score = -search(b, e, -beta, -alpha, depth - 1, ply + 1)
        unmake(b)
        if reg[STOP]:
            return 0
        if score > best:
            best = score
            best_move = move
            if score > alpha:
                alpha = score
                if score >= beta:
                    if calm:
                        praise(b, e, start, i - 1, ply, depth)
                    break
    if tried == 0:
        return ply - MATE
    if best_move != PASS:
        store(e, key, best_move, best, depth, ply, UPPER if best <= floor else LOWER if best >= beta else EXACT)
    return best


@kernel
def root(b: Board, e: Engine, depth: int, alpha: int, beta: int, wide: bool) -> bool:
    """Search the root's moves to a depth, best first; return whether it came to the end.

    alpha, beta: the window; a score at or beyond it means: search again with a wider one.
    wide: give every move an exact score (for weaker levels that choose among them).
    """
    reg, roots = e.reg, e.roots
    ply = reg[TOP]
    best = -ENDLESS
    reg[BEST] = PASS
    for i in range(reg[ROOTS]):
        move = roots[i]
        step(b, e, ply, move)
        if i == 0 or wide:
            score = -search(b, e, -beta, -alpha, depth - 1, ply + 1)
        else:
            score = -search(b, e, -alpha - 1, -alpha, depth - 1, ply + 1)
            if alpha < score < beta:
                score = -search(b, e, -beta, -alpha, depth - 1, ply + 1)
        unmake(b)
        if reg[STOP]:
            return False
        roots[MOST + i] = score
        if score > best:
            best = score
            reg[BEST] = move
            reg[SCORE] = score
            if score > alpha:  # to the front, the others one back; a bound from below the window says nothing
                for j in range(i, 0, -1):
                    roots[j] = roots[j - 1]
                    roots[MOST + j] = roots[MOST + j - 1]
                roots[0] = move
                roots[MOST] = score
                if not wide:
                    alpha = score
            if score >= beta:
                break
    return True
