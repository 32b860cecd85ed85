"""What views and hints of climbing games have in common: sets on the table, hands that lie open, sets one may play."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from qipai.core.kernel import Buffer
from qipai.kit import hung

__all__ = ["Choice", "Hand", "SetPlayed", "choice", "unbeaten"]


class SetPlayed(Struct, frozen=True, gc=False):
    """A set lying on the table."""

    seat: int
    cards: str


class Hand(Struct, frozen=True, array_like=True, gc=False):
    """The cards of a seat that this viewer may see."""

    seat: int
    cards: str


class Choice(Struct, frozen=True, array_like=True, gc=False):
    """A set that may be put down: ["99x", 2, 0, 1, 0, "u"]."""

    cards: str  # ascending; its first card is the rank
    natural: int  # cards of the rank, wild ones among them
    twos: int  # of these: wild ones (gouji's 贴钱; none where twos are ordinary cards)
    smalls: int  # small jokers hung
    bigs: int  # big jokers hung
    # What else is true of it, a letter each. In every game u: no unseen cards beat it, o: it is the whole hand.
    flags: str


def choice(cards: str, play: int, ranks: int, flags: str) -> Choice:
    """Return the choice of a packed set (`kit.hung`); cards: its text; ranks: how many plain ranks the game has."""
    base, smalls, bigs = hung.base(play), hung.smalls(play), hung.bigs(play)
    natural, twos = hung.plain(play) + hung.wilds(play), hung.wilds(play) if base < ranks else 0
    if base == ranks + 2:
        natural, bigs = bigs, 0
    elif base == ranks + 1:
        natural, smalls = smalls, 0
    return Choice(cards, int(natural), int(twos), int(smalls), int(bigs), flags)


def unbeaten(
    plays: Sequence[int], plain: Buffer, ranks: int, wild: int, small: int, big: int, largest: int
) -> list[bool]:
    """Return of packed sets whether no set of the unseen cards could beat them, as far as those may lie in one hand.

    plain: counts of unseen cards by plain rank; wild, small, big: the others'; largest: most cards of another seat.
    """
    highest: dict[int, int] = {}  # base of a set that beats one with so many cards of each kind, -1: none does
    reached: dict[tuple[int, int], int] = {}
    for cards in {play & hung.CARDS for play in plays}:
        size, smalls = hung.size(cards), cards >> 6 & 63
        if hung.bigs(cards) or size > largest:
            highest[cards] = -1
            continue
        if (size, smalls) not in reached:
            reached[size, smalls] = int(hung.reach(plain, 0, ranks, wild, small, big, size, smalls))
        highest[cards] = reached[size, smalls]
    return [highest[play & hung.CARDS] <= play >> 24 for play in plays]
