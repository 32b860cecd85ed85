"""What is a set, what beats what, all sets that a hand can play (5). A set is one of `kit.hung` plus its marked jokers.

The marked jokers are as strong as the plain ones, but they are different cards (R6): a packed set has the bit
WITH_SWORD when x* is one of its small jokers, WITH_CROWN when X* is one of its big ones. `bare` removes these bits.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.baohuang.kernel.table import BIG, CROWN, RANKS, SMALL, SWORD
from qipai.kit import hung

WITH_SWORD: Final = 1 << 28
WITH_CROWN: Final = 1 << 29
BARE: Final = WITH_SWORD - 1
JOKERS: Final = (1 << 12) - 1  # the bits of a set that count its jokers
SMALLS: Final = RANKS + 1  # base of a set of jokers, a small one among them
BIGS: Final = RANKS + 2  # base of a set of big jokers


@kernel
def bare(play: int) -> int:
    """Return a set as `kit.hung` has it, without the bits of the marked jokers."""
    return play & BARE


@kernel
def beats(play: int, over: int) -> bool:
    """Return whether a set beats another (5); it does not matter which jokers are marked."""
    return hung.beats(play & BARE, over & BARE)


@kernel
def classify(counts: Buffer) -> int:
    """Return the set that cards form (counts by card, no more than the deck has), 0 when they form none."""
    made = hung.formed(counts, 0, RANKS, 0, counts[SMALL] + counts[SWORD], counts[BIG] + counts[CROWN])
    if made == 0:
        return 0
    return made | (WITH_SWORD if counts[SWORD] else 0) | (WITH_CROWN if counts[CROWN] else 0)


@kernel
def marked(n: int, smalls: int, sword: int, bigs: int, crown: int, out: Buffer) -> int:
    """Tell apart which jokers are in the n sets of `out`, in canonical order; return how many sets there are then.

    smalls, bigs: plain jokers in the hand; sword, crown: marked jokers in the hand, 0 or 1. The list is rewritten from
    its end, so that it can grow in place.
    """
    if sword + crown == 0:
        return n
    total = 0
    for i in range(n):
        if out[i] & JOKERS == 0:
            total += 1
            continue
        s, b = hung.smalls(out[i]), hung.bigs(out[i])
        ways = (1 if s <= smalls else 0) + (1 if sword and 0 < s <= smalls + 1 else 0)
        total += ways * ((1 if b <= bigs else 0) + (1 if crown and 0 < b <= bigs + 1 else 0))
    at = total
    for i in range(n - 1, -1, -1):
        play = out[i]
        if play & JOKERS == 0:
            at -= 1
            out[at] = play
            continue
        s, b = hung.smalls(play), hung.bigs(play)
        for with_sword in range(sword if s > 0 else 0, -1, -1):
            if s - with_sword > smalls:
                continue
            for with_crown in range(crown if b > 0 else 0, -1, -1):
                if b - with_crown > bigs:
                    continue
                at -= 1
                out[at] = play | with_sword * WITH_SWORD | with_crown * WITH_CROWN
    return total


@kernel
def all_leads(hands: Buffer, at: int, kept: bool, six_hung: bool, out: Buffer) -> int:
    """Write the sets that the hand at `at` may lead to `out` in canonical order, return their number.

    kept: sixes last (憋6); six_hung: sixes and jokers may go together.
    """
    smalls, bigs = hands[at + SMALL] + hands[at + SWORD], hands[at + BIG] + hands[at + CROWN]
    n = hung.leads(hands, at, RANKS, 0, smalls, bigs, kept, False, out)
    if not six_hung:
        m = 0
        for i in range(n):
            if hung.base(out[i]) > 0 or hung.smalls(out[i]) + hung.bigs(out[i]) == 0:
                out[m] = out[i]
                m += 1
        n = m
    return marked(n, hands[at + SMALL], hands[at + SWORD], hands[at + BIG], hands[at + CROWN], out)


@kernel
def all_answers(hands: Buffer, at: int, top: int, out: Buffer) -> int:
    """Write the sets of the hand at `at` that beat `top` to `out` in canonical order, return their number.

    A six beats nothing, so 憋6 forbids none of them.
    """
    smalls, bigs = hands[at + SMALL] + hands[at + SWORD], hands[at + BIG] + hands[at + CROWN]
    n = hung.answers(hands, at, RANKS, 0, smalls, bigs, top & BARE, False, out)
    return marked(n, hands[at + SMALL], hands[at + SWORD], hands[at + BIG], hands[at + CROWN], out)
