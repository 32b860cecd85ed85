"""What views and hints of climbing games have in common: sets on the table, hands that lie open, sets one may play."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

__all__ = ["Choice", "Hand", "SetPlayed", "bits", "mask"]


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


def bits(seats: int) -> tuple[int, ...]:
    """Return the seats of a mask, ascending."""
    return tuple(seat for seat in range(seats.bit_length()) if seats >> seat & 1)


def mask(seats: Iterable[int]) -> int:
    """Return seats as bits."""
    return sum(1 << seat for seat in seats)
