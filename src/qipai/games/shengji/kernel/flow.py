"""The course of a deal: cards are dealt, trumps declared, the kitty buried, tricks played (4, 5, 6.1)."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, inlined, kernel
from qipai.games.shengji.kernel import follow, shapes
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.kernel.table import CARDS, SEATS, Room, Table

__all__ = [
    "bury",
    "call_class",
    "call_trump",
    "class_of",
    "deal",
    "declare",
    "holds_call",
    "lead_stands",
    "multiplier",
    "open_deal",
    "pass_by",
    "play",
    "settle",
    "size_of_hand",
    "start_tricks",
    "steps_up",
    "to_fall",
    "weigh",
    "wins",
]

ALL: Final = (1 << SEATS) - 1


@inlined
def to_fall(s: Table) -> int:
    """Return how many cards are still to be dealt."""
    return 54 * s.reg[t.DECKS] - s.reg[t.KITTIES] - s.reg[t.DEALT]


@kernel
def size_of_hand(s: Table) -> int:
    """Return how many cards a seat is dealt."""
    return (54 * s.reg[t.DECKS] - s.reg[t.KITTIES]) // SEATS


@kernel
def open_deal(s: Table, first: int) -> None:
    """Begin to deal from the deck, which the caller has set."""
    s.reg[t.FIRST] = first
    s.reg[t.PHASE] = t.DEALING
    t.arrange(s)


@kernel
def deal(s: Table, n: int) -> int:
    """Deal n cards, or all that are left except the kitty; return how many were dealt."""
    reg, hands, deck = s.reg, s.hands, s.deck
    left = to_fall(s)
    fall = min(n, left)
    for k in range(fall):
        at = reg[t.DEALT] + k
        hands[(reg[t.FIRST] + at) % SEATS * CARDS + deck[at]] += 1
    reg[t.DEALT] += fall
    if fall == left:
        reg[t.PHASE] = t.DECLARING
    return fall


# declaring --------------------------------------------------------------------------------------------------------


@kernel
def call_class(s: Table, card: int, n: int) -> int:
    """Return the class of n identical cards as a declaration (4.1), 0 for none.

    With one deck x and X together are called as two small jokers.
    """
    return class_of(card, n, s.reg[t.LEVEL], s.reg[t.DECKS])


@kernel
def class_of(card: int, n: int, level: int, decks: int) -> int:
    """Return the same for a level and a number of decks."""
    if card >= t.SMALL:
        if decks == 1:
            return 2 if n == 2 and card == t.SMALL else 0
        if n == 2:
            return 3
        return 5 if n == 3 and decks == 3 else 0
    if card >> 2 != level or n < 1 or n > decks:
        return 0
    return 4 if n == 3 else n


@kernel
def call_trump(card: int) -> int:
    """Return the trump suit that a declaration makes, -1 for none."""
    return -1 if card >= t.SMALL else card & 3


@kernel
def holds_call(s: Table, seat: int, card: int, n: int) -> bool:
    """Return whether a seat holds the cards of a declaration."""
    hands = s.hands
    at = seat * CARDS
    if s.reg[t.DECKS] == 1 and card == t.SMALL:
        return hands[at + t.SMALL] > 0 and hands[at + t.BIG] > 0
    return hands[at + card] >= n


@kernel
def declare(s: Table, seat: int, card: int, n: int) -> None:
    """Make a declaration the standing one."""
    reg, shown = s.reg, s.shown
    reg[t.CLASS] = call_class(s, card, n)
    reg[t.DECLARER] = seat
    if reg[t.FIRST_DECLARER] < 0:
        reg[t.FIRST_DECLARER] = seat
    reg[t.SHOWN] = card
    reg[t.TRUMP] = call_trump(card)
    reg[t.PASSED] = 0
    if reg[t.DECKS] == 1 and card == t.SMALL:
        shown[seat * CARDS + t.SMALL] = 1
        shown[seat * CARDS + t.BIG] = 1
    else:
        shown[seat * CARDS + card] = n
    t.arrange(s)


@kernel
def pass_by(s: Table, seat: int) -> bool:
    """Pass on the declaration; return whether all seats have now passed, so that the dealer has taken the kitty."""
    reg = s.reg
    reg[t.PASSED] |= 1 << seat
    if reg[t.PASSED] != ALL:
        return False
    if reg[t.DEALER] < 0:  # R3, R4
        reg[t.DEALER] = reg[t.DECLARER] if reg[t.LAST_DEALS] else reg[t.FIRST_DECLARER]
        if reg[t.DEALER] < 0:
            reg[t.DEALER] = reg[t.FIRST]
    hands, picked, deck = s.hands, s.picked, s.deck
    at = reg[t.DEALER] * CARDS
    for i in range(54 * reg[t.DECKS] - reg[t.KITTIES], 54 * reg[t.DECKS]):
        hands[at + deck[i]] += 1
        picked[deck[i]] += 1
    reg[t.PHASE] = t.BURYING
    reg[t.TURN] = reg[t.DEALER]
    return True


@kernel
def bury(s: Table, cards: Buffer) -> None:
    """Bury cards of the dealer as the kitty and begin the play."""
    reg, hands, kitty, shown = s.reg, s.hands, s.kitty, s.shown
    at = reg[t.DEALER] * CARDS
    for card in range(CARDS):
        hands[at + card] -= cards[card]
        kitty[card] = cards[card]
        shown[at + card] = 0  # cards that the dealer showed may now be in the kitty
    start_tricks(s, reg[t.DEALER])


@kernel
def start_tricks(s: Table, leader: int) -> None:
    """Begin the play."""
    s.reg[t.PHASE] = t.PLAYING
    _new_trick(s, leader)


# tricks -----------------------------------------------------------------------------------------------------------


@inlined
def _new_trick(s: Table, leader: int) -> None:
    reg, put = s.reg, s.put
    for i in range(SEATS * CARDS):
        put[i] = 0
    reg[t.LEADER] = leader
    reg[t.TURN] = leader
    reg[t.LENGTH] = 0
    reg[t.TABLED] = 0
    reg[t.BEST] = -1
    reg[t.KEY] = -1
    reg[t.TRUMPED] = 0
    reg[t.WORTH] = 0
    reg[t.SHAPES] = 0
    reg[t.FAILED] = 0


@kernel
def play(s: Table, seat: int, cards: Buffer, room: Room) -> bool:
    """Play legal cards; return whether the trick is over. A throw that fails becomes the forced component."""
    t.distinct(cards, 0, room.laid)
    return _settle(s, seat, cards, room)


@kernel
def settle(s: Table, seat: int, cards: Buffer, room: Room) -> bool:
    """Do the same with cards that room.laid lists already."""
    return _settle(s, seat, cards, room)


@inlined
def _settle(s: Table, seat: int, cards: Buffer, room: Room) -> bool:
    reg, shape, of, laid = s.reg, s.shape, s.group, room.laid
    group = of[laid[0]]
    if reg[t.TABLED] == 0:
        n = shapes.decompose(s, cards, 0, group, room, shape)
        part = follow.forced(s, seat, shape, n, group, s.hands, room) if n > 1 else 0
        if part != 0:
            shown, trial = s.shown, room.trial
            for card in range(CARDS):
                if cards[card] > shown[seat * CARDS + card]:
                    shown[seat * CARDS + card] = cards[card]
                trial[card] = 0
            shapes.put_down(s, part, group, trial, 0)
            t.distinct(trial, 0, laid)
            shape[0] = part
            reg[t.FAILED] = 1
            n = 1
            _lay(s, seat, trial, laid)
        else:
            _lay(s, seat, cards, laid)
        lead_stands(s, seat, group, n, room)
    else:
        _lay(s, seat, cards, laid)
        given = 0
        i = 0
        while laid[i] >= 0:
            if of[laid[i]] != group:
                group = -1
            if of[laid[i]] == reg[t.LED]:
                given += cards[laid[i]]
            i += 1
        _weigh(s, seat, group, room)
        s.lacks[seat * t.GROUPS + reg[t.LED]] |= follow.shortfall(s, seat, given, room)
    reg[t.TABLED] += 1
    reg[t.TURN] = (seat + 1) % SEATS
    if reg[t.TABLED] < SEATS:
        return False
    _take_trick(s, room)
    return True


@inlined
def lead_stands(s: Table, seat: int, group: int, n: int, room: Room) -> None:
    """Make the n components in s.shape, which lie before a seat, the lead."""
    reg, put = s.reg, s.put
    reg[t.SHAPES] = n
    reg[t.LED] = group
    reg[t.LENGTH] = 0
    for i in range(n):
        reg[t.LENGTH] += shapes.size(s.shape[i])
    reg[t.BEST] = seat
    if n == 1:
        reg[t.KEY] = shapes.top(s.shape[0])
    else:
        reg[t.KEY] = follow.winning(s, put, seat * CARDS, group, s.shape, n, -1, room)


@kernel
def weigh(s: Table, seat: int, group: int, room: Room) -> bool:
    """Make what lies before a seat, of one group or of several (-1), the highest of the trick if it is (5.5).

    Return whether it is.
    """
    return _weigh(s, seat, group, room)


@kernel
def wins(s: Table, cards: Buffer, group: int, room: Room) -> bool:
    """Return whether cards of one group, or of several: -1, would be the highest of the trick as it lies."""
    return _key(s, cards, 0, group, room) >= 0


@inlined
def _key(s: Table, cards: Buffer, at: int, group: int, room: Room) -> int:
    """Return the key that cards would win the trick with as it lies, -1 when they would not win it."""
    reg = s.reg
    above = reg[t.KEY]
    if group == 0 and reg[t.LED] != 0:
        if not reg[t.TRUMPED]:
            above = -1
    elif group != reg[t.LED] or reg[t.TRUMPED]:
        return -1
    return follow.winning(s, cards, at, group, s.shape, reg[t.SHAPES], above, room)


@inlined
def _weigh(s: Table, seat: int, group: int, room: Room) -> bool:
    reg = s.reg
    key = _key(s, s.put, seat * CARDS, group, room)
    if key < 0:
        return False
    reg[t.BEST] = seat
    reg[t.KEY] = key
    if group != reg[t.LED]:
        reg[t.TRUMPED] = 1
    return True


@inlined
def _lay(s: Table, seat: int, cards: Buffer, laid: Buffer) -> None:
    """Move cards, which `laid` lists, from a hand to the trick."""
    hands, put, gone, shown = s.hands, s.put, s.gone, s.shown
    worth = 0
    i = 0
    while laid[i] >= 0:
        n = cards[laid[i]]
        at = seat * CARDS + laid[i]
        hands[at] -= n
        put[at] += n
        gone[at] += n
        shown[at] = max(0, shown[at] - n)
        worth += n * t.worth_of(laid[i])
        i += 1
    s.reg[t.WORTH] += worth


@inlined
def _take_trick(s: Table, room: Room) -> None:
    reg, put, captured = s.reg, s.put, s.captured
    winner = reg[t.BEST]
    reg[t.TAKER] = winner
    reg[t.TAKEN] = reg[t.WORTH]
    reg[t.TRICKS] += 1
    attackers = (winner + reg[t.DEALER]) % 2 == 1
    if attackers:
        reg[t.POINTS] += reg[t.WORTH]
        if reg[t.WORTH] > 0:
            for rank in t.POINTED:
                for card in range(4 * rank, 4 * rank + 4):
                    for seat in range(SEATS):
                        captured[card] += put[seat * CARDS + card]
    if t.holds_any(s.hands, winner * CARDS):
        _new_trick(s, winner)
        return
    width = shapes.size(s.shape[0])
    if reg[t.BY_WINNER]:
        shapes.decompose(s, put, winner * CARDS, shapes.one_group(s.group, put, winner * CARDS), room, room.parts)
        width = shapes.size(room.parts[0])
    reg[t.WIDTH] = width
    reg[t.KITTY_POINTS] = t.points_in(s.kitty, 0)
    if attackers:
        reg[t.MULTIPLIER] = multiplier(width)
        reg[t.BONUS] = reg[t.KITTY_POINTS] * reg[t.MULTIPLIER]
        reg[t.POINTS] += reg[t.BONUS]
    _new_trick(s, winner)
    reg[t.PHASE] = t.OVER
    reg[t.TURN] = -1


@kernel
def multiplier(width: int) -> int:
    """Return how often the kitty counts when so many cards are the principal component of the last trick (6.1)."""
    return min(64, 1 << width)


@kernel
def steps_up(points: int, decks: int) -> int:
    """Return the result of a deal (6.2): from 0 on the attackers take over and rise by so many levels.

    -1, -2, -3: the dealer side rises by one, two or three levels.
    """
    segment = 20 * decks
    if points == 0:
        return -3
    if points < segment:
        return -2
    if points < 2 * segment:
        return -1
    return (points - 2 * segment) // segment
