"""The kernels of the strong player: dealing imagined deals, trying actions in them, solving them."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.gouji.kernel.play import act, legal
from qipai.games.gouji.kernel.table import (
    CARDS,
    DECIDED,
    OVER,
    PHASE,
    REGISTERS,
    SEATS,
    TURN,
    Table,
    copy,
)
from qipai.games.gouji.kernel.value import look_ahead
from qipai.kit import tree
from qipai.kit.cards import deal_some

DEPTH: Final = 64  # plies of the exact search
WIDTH: Final = 48  # actions of one ply
HANDS: Final = SEATS * CARDS
CELLS: Final = HANDS + REGISTERS + 3 * SEATS  # what one ply saves
UNSOLVED: Final = tree.UNSOLVED
PAUSED: Final = tree.PAUSED


@kernel
def imagine(s: Table, target: Table, want: Buffer, cards: Buffer, held: Buffer, seed: int) -> int:
    """Make `target` like `s`, with hidden hands dealt from the unseen cards; return the next seed.

    want: how many hidden cards each seat holds; cards: the unseen cards in any order, which this call shuffles;
    held: counts like `hands` of cards known to be in hidden hands (neither in `cards` nor counted in `want`).
    """
    copy(s, target)
    hands = target.hands
    first = 0
    for seat in range(SEATS):
        if want[seat] == 0:
            continue
        for card in range(seat * CARDS, seat * CARDS + CARDS):
            hands[card] = held[card]
        seed = deal_some(hands, seat * CARDS, want[seat], cards, first, seed)
        first += want[seat]
    return seed


@kernel
def try_out(
    world: Table,
    work: Table,
    seat: int,
    action: int,
    tricks: int,
    weights: Buffer,
    values: Buffer,
    out: Buffer,
    facts: Buffer,
    f: Buffer,
    x: Buffer,
) -> int:
    """Return what an action brings the seat's side in an imagined deal, in 1/SCALE points: see `value.look_ahead`."""
    copy(world, work)
    work.reg[DECIDED] = 1  # places that only one side still plays for do not change the score
    act(work, seat, action)
    found = look_ahead(work, tricks, weights, values, out, facts, f, x)
    return found if seat % 2 == 0 else -found


@kernel
def save(s: Table, stack: Buffer, depth: int) -> None:
    """Save the buffers that a move can change and the rules read."""
    at = tree.keep(s.reg, stack, tree.keep(s.hands, stack, depth * CELLS))
    tree.keep(s.bound, stack, tree.keep(s.fell, stack, tree.keep(s.out, stack, at)))


@kernel
def restore(s: Table, stack: Buffer, depth: int) -> None:
    """Restore what `save` saved."""
    at = tree.bring(s.reg, stack, tree.bring(s.hands, stack, depth * CELLS))
    tree.bring(s.bound, stack, tree.bring(s.fell, stack, tree.bring(s.out, stack, at)))


@kernel
def solve(s: Table, depth: int, most: int, stack: Buffer, lists: Buffer, plies: Buffer, out: Buffer) -> int:
    """Return the score of side 0 when both sides see all hands and play perfectly; `tree.solved` calls it.

    A depth-first alpha-beta search; side 0 maximizes. depth: 0 to begin, or the ply where a search in the same buffers
    paused; most: positions before it pauses. stack: DEPTH * CELLS; lists: DEPTH * WIDTH; plies: DEPTH * tree.PLY cells.
    """
    positions = 0
    low, high = -12, 12
    if depth > 0:
        low, high = tree.low(plies, depth - 1), tree.high(plies, depth - 1)
    while True:
        positions += 1
        if s.reg[PHASE] == OVER:
            value = s.scores[0]
            depth -= 1
            # Go up to the next ply with an action to try.
            child = -1
            while depth >= 0:
                restore(s, stack, depth)
                tree.take(plies, depth, value, s.reg[TURN] % 2 == 0)
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
            tree.enter(plies, depth, n, low, high, s.reg[TURN] % 2 == 0)
            save(s, stack, depth)
            child = tree.next_child(plies, depth)
        low, high = tree.low(plies, depth), tree.high(plies, depth)
        act(s, s.reg[TURN], lists[depth * WIDTH + child])
        depth += 1
