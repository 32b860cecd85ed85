"""The kernels of the strong player: dealing imagined deals and solving them."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.baohuang.kernel.play import act, legal
from qipai.games.baohuang.kernel.policy import SCALE, worth
from qipai.games.baohuang.kernel.table import (
    CARDS,
    EMPEROR,
    OVER,
    PHASE,
    REGISTERS,
    SEATS,
    TURN,
    Table,
    loyal,
)
from qipai.kit import tree
from qipai.kit.cards import deal_some

__all__ = ["CELLS", "DEPTH", "PAUSED", "UNSOLVED", "WIDTH", "deal_hidden", "solve"]

DEPTH: Final = 64  # plies of the exact search
WIDTH: Final = 64  # actions of one ply
HANDS: Final = SEATS * CARDS
CELLS: Final = HANDS + REGISTERS + SEATS  # what one ply saves
UNSOLVED: Final = tree.UNSOLVED
PAUSED: Final = tree.PAUSED


@kernel
def deal_hidden(s: Table, want: Buffer, cards: Buffer, seed: int) -> int:
    """Deal cards to the hands on the table; return the next seed.

    want: how many cards each seat gets; cards: the cards to deal, in any order; this call shuffles them.
    """
    hands = s.hands
    first = 0
    for seat in range(SEATS):
        seed = deal_some(hands, seat * CARDS, want[seat], cards, first, seed)
        first += want[seat]
    return seed


@kernel
def save(s: Table, stack: Buffer, depth: int) -> None:
    """Save the buffers that a move can change and the rules read."""
    tree.keep(s.out, stack, tree.keep(s.reg, stack, tree.keep(s.hands, stack, depth * CELLS)))


@kernel
def restore(s: Table, stack: Buffer, depth: int) -> None:
    """Restore what `save` saved."""
    tree.bring(s.out, stack, tree.bring(s.reg, stack, tree.bring(s.hands, stack, depth * CELLS)))


@kernel
def solve(s: Table, depth: int, most: int, stack: Buffer, lists: Buffer, plies: Buffer, out: Buffer) -> int:
    """Return what a deal is worth to the emperor's side (`policy.worth`) if all see all hands and play perfectly.

    `tree.solved` calls it. depth: 0 to begin, or the ply where a search in the same buffers paused; most: positions
    before it pauses. stack: DEPTH * CELLS; lists: DEPTH * WIDTH; plies: DEPTH * tree.PLY cells.
    """
    positions = 0
    low, high = -3 * SCALE, 3 * SCALE
    if depth > 0:
        low, high = tree.low(plies, depth - 1), tree.high(plies, depth - 1)
    emperor = s.reg[EMPEROR]
    while True:
        positions += 1
        if s.reg[PHASE] == OVER:
            value = worth(s, emperor)
            depth -= 1
            # Go up to the next ply with an action to try.
            child = -1
            while depth >= 0:
                restore(s, stack, depth)
                tree.take(plies, depth, value, loyal(s, s.reg[TURN]))
                child = tree.next_child(plies, depth)
                if child >= 0:
                    break
                value = tree.result(plies, depth)
                depth -= 1
            if depth < 0:
                return value
        else:
            if depth >= DEPTH:
                return UNSOLVED
            if positions > most:
                return PAUSED + depth
            n = legal(s, s.reg[TURN], out)
            if n > WIDTH:
                return UNSOLVED
            for i in range(n):  # long sets first: they end a deal sooner
                lists[depth * WIDTH + i] = out[n - 1 - i]
            tree.enter(plies, depth, n, low, high, loyal(s, s.reg[TURN]))
            save(s, stack, depth)
            child = tree.next_child(plies, depth)
        low, high = tree.low(plies, depth), tree.high(plies, depth)
        act(s, s.reg[TURN], lists[depth * WIDTH + child])
        depth += 1
