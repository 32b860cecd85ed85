"""Shared parts of views and hints of climbing games: sets on the table, open hands, sets that may be played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from qipai.core.contract import Rules, Seat
from qipai.core.entry import Spare
from qipai.core.kernel import Buffer
from qipai.kit import hung
from qipai.kit.cards import Pack

__all__ = ["Choice", "Hand", "Rows", "SetPlayed", "Texts", "choice", "spare", "texts", "unbeaten", "unseen"]


class SetPlayed(Struct, frozen=True, gc=False):
    """A set lying on the table."""

    seat: int
    cards: str


class Hand(Struct, frozen=True, array_like=True, gc=False):
    """The cards of a seat that this viewer may see."""

    seat: int
    cards: str


class Texts(Struct, frozen=True, gc=False):
    """What everybody writes of the cards of a state, by seat: those of the state before, but where a card has moved."""

    hands: tuple[str, ...] = ()
    played: tuple[str, ...] = ()


def texts(
    pack: Pack,
    hands: Sequence[int],
    played: Sequence[int],
    old: Sequence[int] = (),
    before: Texts | None = None,
    moved: Seat | None = None,
) -> Texts:
    """Return the texts of all hands and of what all seats have played, counts by card, seat after seat.

    old, before: the hands of a state most of whose cards are here, and its texts; moved: the one seat that has other
    cards than there, where it is known.
    """
    if before is not None and hands == old:
        return before
    n = len(pack.names)
    cuts = [slice(at, at + n) for at in range(0, len(hands), n)]
    if before is None or not before.hands:
        return Texts(tuple([pack.write(hands[cut]) for cut in cuts]), tuple([pack.write(played[cut]) for cut in cuts]))
    own, laid = list(before.hands), list(before.played)
    for seat in range(len(cuts)) if moved is None else (moved,):
        cut = cuts[seat]
        if hands[cut] != old[cut]:  # cards are only played from a hand
            own[seat], laid[seat] = pack.write(hands[cut]), pack.write(played[cut])
    return Texts(tuple(own), tuple(laid))


def unseen(counted: Sequence[tuple[str, int]], seen: Iterable[str]) -> tuple[int, ...]:
    """Return how many of each card have not been seen. counted: cards and how many the pack has; seen: texts."""
    text = "".join(seen)
    return tuple([max(0, n - text.count(card)) for card, n in counted])


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


def spare(rules: Rules[Any, Any, Any], state: Any, seat: Seat, action: Any, play: type, let: type) -> Spare | None:
    """Return whether a seat that could beat the top set did (P-95). play, let: the game's actions for it and a pass.

    What is alike: how many cards the owner and the seat have, in sixes. Not where they sit: who sits always alike would
    be alike to nobody else.
    """
    if not isinstance(action, play | let):
        return None
    view = rules.observe(state, seat)
    owner = view.owner
    if view.top is None or owner is None or owner == seat:
        return None
    if isinstance(action, let) and not any(isinstance(each, play) for each in rules.legal(state, seat)):
        return None
    few = [min(2, view.counts[each] // 6) for each in (owner, seat)]
    return Spare(owner, isinstance(action, let), f"{few[0]} {few[1]}")


class Rows:
    """What is the same of a set in all hands, made once; what is kept are the first `most` sets, then it begins anew.

    A row is the base of a set (`above` with a big joker in it, for nothing beats that), its small jokers, its cards but
    one, and behind that its choices by what else may be said of them.
    """

    def __init__(self, made: Callable[[int], tuple[Choice, ...]], above: int, most: int) -> None:
        """made: the choices of a set; most: how many sets are kept."""
        self._made, self._above, self._most = made, above, most
        self._known: dict[int, tuple[Any, ...]] = {}

    def of(self, codes: Sequence[int]) -> list[tuple[Any, ...]]:
        """Return the rows of some sets."""
        try:
            return list(map(self._known.__getitem__, codes))
        except KeyError:
            return [self._known.get(code) or self._row(code) for code in codes]

    def _row(self, code: int) -> tuple[Any, ...]:
        base = self._above if hung.bigs(code) else hung.base(code) & 15  # a game may mark sets above their base
        row = base, hung.smalls(code), hung.size(code) - 1, *self._made(code)
        if len(self._known) >= self._most:
            self._known.clear()
        self._known[code] = row
        return row


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
