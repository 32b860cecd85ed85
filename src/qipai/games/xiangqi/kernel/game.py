"""A game from its first ply to its end: limits, repetition, who has won (xiangqi 4, 6.1, 6.3, 7).

What searches do not need is in `rules.py`: draw offers, resignation, fallen flags, the talk before the start.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel, lcg
from qipai.games.xiangqi.kernel.asking import can_move
from qipai.games.xiangqi.kernel.board import (
    COUNT,
    DEAD,
    EMPTY,
    FILE,
    FIRST,
    HORSE,
    MEN,
    PLAYED,
    PLIES,
    PLY_LIMIT,
    QUIET,
    QUIET_LIMIT,
    RULE,
    SEEN,
    SIDE,
    WARNED,
    WATCHED,
    WHY,
    WINNER,
    Board,
    allowed,
    line,
    make,
    unmake,
    watch,
)
from qipai.games.xiangqi.kernel.repetition import ASIAN, levels, occurrences, span

__all__ = ["DRAWN", "NOBODY", "REASONS", "play", "settle", "stroll", "wander"]

NOBODY: Final = -1  # in WARNED: no warning, or one that names nobody; in WINNER: a draw
DRAWN: Final = -1

GENERALS_FACING: Final = 1
CHECKMATE: Final = 2
STALEMATE: Final = 3
PERPETUAL_CHECK: Final = 4
PERPETUAL_CHASE: Final = 5
LONG_ATTACK: Final = 6
MUTUAL: Final = 3  # added to these three when both sides do it
REPETITION: Final = 10
DEAD_DRAW: Final = 11
NO_CAPTURE_LIMIT: Final = 12
MOVE_LIMIT: Final = 13

# How a game ends, by the number in WHY; 0 while it goes on.
REASONS: Final = (
    "",
    "generals_facing",
    "checkmate",
    "stalemate",
    "perpetual_check",
    "perpetual_chase",
    "long_attack",
    "mutual_perpetual_check",
    "mutual_perpetual_chase",
    "mutual_long_attack",
    "repetition",
    "dead_draw",
    "no_capture_limit",
    "move_limit",
)


@kernel
def play(b: Board, move: int) -> None:
    """Play an accepted move and find whether it ends the game."""
    make(b, move)
    settle(b)


@kernel
def settle(b: Board) -> None:
    """Find whether the last ply ends the game, in the order of xiangqi 4.

    Sets WHY, WINNER, SEEN, WARNED and WATCHED.
    """
    reg = b.reg
    side = reg[SIDE]
    reg[SEEN] = 1
    reg[WARNED] = NOBODY
    reg[WINNER] = NOBODY
    reg[WHY] = 0
    reg[WATCHED] = watch(b)
    red, black = b.where[0], b.where[MEN]
    if red // FILE == black // FILE and line(b.cells, red, black) == 0:
        reg[WHY], reg[WINNER] = GENERALS_FACING, side  # R4: only the option `forfeit` lets such a move pass
        return
    if not can_move(b, reg[WATCHED]):
        reg[WHY] = CHECKMATE if reg[WATCHED] == -1 else STALEMATE  # R5
        reg[WINNER] = 1 - side
        return
    reg[SEEN] = occurrences(b)
    if reg[SEEN] >= reg[COUNT]:
        repeat(b)
    elif reg[SEEN] >= 2 and reg[SEEN] == reg[COUNT] - 1:
        found = levels(b, span(b, reg[SEEN]), reg[RULE])
        if found & 3 != found >> 2:
            reg[WARNED] = 0 if found & 3 > found >> 2 else 1
    if reg[WHY] == 0:
        n = reg[PLIES]
        quiet = n - b.fresh[n] + (reg[QUIET] if b.fresh[n] == 0 else 0)
        if reg[DEAD] and harmless(b):
            reg[WHY] = DEAD_DRAW
        elif reg[QUIET_LIMIT] and quiet >= reg[QUIET_LIMIT]:
            reg[WHY] = NO_CAPTURE_LIMIT
        elif reg[PLY_LIMIT] and n + reg[PLAYED] >= reg[PLY_LIMIT]:
            reg[WHY] = MOVE_LIMIT


@kernel
def repeat(b: Board) -> None:
    """Judge the cycle that ends the game: the higher level loses, equal levels draw (6.3)."""
    reg = b.reg
    found = levels(b, span(b, reg[COUNT]), reg[RULE])
    red, black = found & 3, found >> 2
    high = max(red, black)
    why = PERPETUAL_CHECK if high == 2 else PERPETUAL_CHASE if reg[RULE] == ASIAN else LONG_ATTACK
    if red != black:
        reg[WHY] = why
        reg[WINNER] = 0 if black > red else 1
    else:
        reg[WHY] = why + MUTUAL if high else REPETITION


@kernel
def harmless(b: Board) -> bool:
    """Return whether neither side has a chariot, horse, cannon or soldier (R16)."""
    for general in (0, MEN):
        for man in range(general + FIRST[HORSE - 1], general + EMPTY):
            if b.where[man]:
                return False
    return True


@kernel
def stroll(b: Board, seed: int, out: Buffer, trace: Buffer) -> int:
    """Play random moves until the game is over or `trace` is full; return how many plies.

    trace: 3 entries a ply, of 64 bits: the key before it, a digest of the sorted legal moves, where the game stands.
    """
    most = len(trace) // 3
    ply = 0
    b.reg[WATCHED] = watch(b)
    while ply < most and b.reg[WHY] == 0:
        end = allowed(b, b.reg[WATCHED], out, 0)
        for i in range(1, end):
            move = out[i]
            j = i
            while j > 0 and out[j - 1] > move:
                out[j] = out[j - 1]
                j -= 1
            out[j] = move
        digest = 0
        for i in range(end):
            digest = (digest * 48271 + out[i]) % 2147483647
        trace[3 * ply] = b.keys[b.reg[PLIES]]
        trace[3 * ply + 1] = digest
        seed = lcg(seed)
        play(b, out[(seed >> 16) % end])
        reg = b.reg
        trace[3 * ply + 2] = ((reg[WHY] * 4 + reg[WINNER] + 1) * 4 + reg[WARNED] + 1) * 8 + reg[SEEN]
        ply += 1
    return ply


@kernel
def wander(b: Board, seed: int, plies: int, out: Buffer) -> int:
    """Play so many random plies, game after game from the board's position; return how many games were ended."""
    games = 0
    b.reg[WATCHED] = watch(b)
    for _ in range(plies):
        if b.reg[WHY]:
            games += 1
            while b.reg[PLIES]:
                unmake(b)
            b.reg[WHY] = 0
            b.reg[WATCHED] = watch(b)
        end = allowed(b, b.reg[WATCHED], out, 0)
        seed = lcg(seed)
        play(b, out[(seed >> 16) % end])
    return games
