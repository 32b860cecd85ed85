"""What views and hints of climbing games have in common: sets on the table, hands that lie open, sets one may play."""

from __future__ import annotations

from msgspec import Struct

from qipai.core.kernel import Buffer
from qipai.kit import hung

__all__ = ["Choice", "Hand", "SetPlayed", "Unseen", "choice"]


class SetPlayed(Struct, frozen=True):
    """A set lying on the table."""

    seat: int
    cards: str


class Hand(Struct, frozen=True, array_like=True):
    """The cards of a seat that this viewer may see."""

    seat: int
    cards: str


class Choice(Struct, frozen=True, array_like=True):
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


class Unseen:
    """The cards a seat has not seen, as far as they may lie in one hand: which sets can they beat?"""

    def __init__(self, plain: Buffer, ranks: int, wild: int, small: int, big: int, largest: int) -> None:
        """plain: counts by plain rank; wild, small, big: the others'; largest: most cards of another seat."""
        self._cards = (plain, 0, ranks, wild, small, big)
        self._largest = largest
        self._reached: dict[int, int] = {}

    def beat(self, play: int) -> bool:
        """Return whether some of these cards could beat a packed set."""
        cards = play & hung.CARDS
        reached = self._reached.get(cards)
        if reached is None:
            reached = self._reached[cards] = self._reach(play)
        return reached > play >> 24

    def _reach(self, play: int) -> int:
        """Return the highest base of a set that such a set could be beaten with, -1 if there is none."""
        size = hung.size(play)
        if hung.bigs(play) or size > self._largest:
            return -1
        return int(hung.reach(*self._cards, size, hung.smalls(play)))
