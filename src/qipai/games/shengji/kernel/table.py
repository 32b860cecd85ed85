"""The buffers of one deal: named, flat, small enough to copy. What the rules read and write.

A card is a number 0 .. 53: rank (0 is the two, 12 the ace) times four plus suit (S H C D), 52 the small joker, 53 the
big one. A hand is counts by card. Cards that follow each other make a *group*: 0 the trumps, 1 .. 4 the side suits.
In a group cards stand on *steps* (docs/spec/shengji.md 3.3), 0 the lowest; equal cards share one, side by side in
*lanes*, in the order S H C D. The *line* is all cards, group by group, each from the top down: what looks at a group
walks its part of the line instead of all cards.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from qipai.core.kernel import Buffer, buffer, copy_into, frozen, kernel, places, thawed

SEATS: Final = 4
CARDS: Final = 54
SMALL: Final = 52
BIG: Final = 53
DECK: Final = 162  # the most cards: three packs
GROUPS: Final = 5
STEPS: Final = 18  # room for a group: trumps have at most 17
LANES: Final = 4
MOST: Final = 40  # cards of a hand, and so components of a lead
KITTY: Final = 18  # the most cards in a kitty
POINTED: Final = (3, 8, 11)  # ranks of the cards with points
WORTHS: Final = (0, 0, 0, 5, 0, 0, 0, 0, 10, 0, 0, 10, 0, 0)  # by rank, the jokers last (R8)

# phases of 4
NEW: Final = 0
DEALING: Final = 1
DECLARING: Final = 2
BURYING: Final = 3
PLAYING: Final = 4
OVER: Final = 5

# bits of `lacks`: what a seat has shown that it does not hold in a group
VOID: Final = 1
NO_PAIR: Final = 2
NO_TRIPLE: Final = 4
NO_TRACTOR: Final = 8


class Registers(NamedTuple):
    """What the registers of a deal hold, in their order."""

    phase: int
    turn: int  # who buries or plays, -1
    dealer: int  # -1 in an opening deal until the trumps are fixed
    first: int  # who draws the first card
    dealt: int  # cards fallen
    call_class: int  # of the standing declaration, 0 for none
    declarer: int  # of the standing declaration, -1
    first_declarer: int  # -1
    shown: int  # the card of the standing declaration, -1
    trump: int  # suit 0 .. 3, -1 for none
    passed: int  # seats that have let the declaration be, as bits
    leader: int
    led: int  # group led
    length: int  # cards led, 0 before the lead
    tabled: int  # seats that have played to the trick
    best: int  # whose play stands highest
    key: int  # its step
    trumped: int  # it is a ruff
    worth: int  # points in the trick
    points: int  # the attackers'; with the kitty once over
    tricks: int  # that are over
    shapes: int  # components of the lead
    failed: int  # the lead is what was left of a throw
    kitty_points: int  # the rest: once over
    width: int
    multiplier: int
    bonus: int
    taker: int  # who took the last trick that is over, -1
    taken: int  # points that were in it
    # house rules and the deal's own terms, fixed for a deal
    decks: int
    level: int  # rank 0 .. 12
    constant: int  # twos are trumps
    kitties: int  # cards in the kitty
    limit: int  # points that may be buried, -1: any
    last_deals: int  # the last declarer deals the opening deal
    triples_first: int
    by_winner: int  # the kitty is multiplied by the winner's own cards


AT: Final = places(Registers)
PHASE: Final = AT.phase
TURN: Final = AT.turn
DEALER: Final = AT.dealer
FIRST: Final = AT.first
DEALT: Final = AT.dealt
CLASS: Final = AT.call_class
DECLARER: Final = AT.declarer
FIRST_DECLARER: Final = AT.first_declarer
SHOWN: Final = AT.shown
TRUMP: Final = AT.trump
PASSED: Final = AT.passed
LEADER: Final = AT.leader
LED: Final = AT.led
LENGTH: Final = AT.length
TABLED: Final = AT.tabled
BEST: Final = AT.best
KEY: Final = AT.key
TRUMPED: Final = AT.trumped
WORTH: Final = AT.worth
POINTS: Final = AT.points
TRICKS: Final = AT.tricks
SHAPES: Final = AT.shapes
FAILED: Final = AT.failed
KITTY_POINTS: Final = AT.kitty_points
WIDTH: Final = AT.width
MULTIPLIER: Final = AT.multiplier
BONUS: Final = AT.bonus
TAKER: Final = AT.taker
TAKEN: Final = AT.taken
DECKS: Final = AT.decks
LEVEL: Final = AT.level
CONSTANT: Final = AT.constant
KITTIES: Final = AT.kitties
LIMIT: Final = AT.limit
LAST_DEALS: Final = AT.last_deals
TRIPLES_FIRST: Final = AT.triples_first
BY_WINNER: Final = AT.by_winner
REGISTERS: Final = len(AT)


class Table(NamedTuple):
    """One deal."""

    deck: Buffer  # cards in drawing order, the kitty last
    hands: Buffer  # by seat and card
    kitty: Buffer  # by card: buried, once it is
    picked: Buffer  # by card: the kitty as the dealer took it up
    put: Buffer  # by seat and card: in this trick
    gone: Buffer  # by seat and card: played so far, this trick too
    shown: Buffer  # by seat and card: what everybody knows it holds
    lacks: Buffer  # by seat and group: what it has shown not to hold
    captured: Buffer  # by card: point cards the attackers have taken
    shape: Buffer  # components of the lead, the principal one first
    reg: Buffer  # see Registers
    # the order of the cards: follows from LEVEL, TRUMP and CONSTANT
    group: Buffer  # by card
    step: Buffer  # by card
    lane: Buffer  # by group, step and lane: the card there, -1
    steps: Buffer  # by group: how many
    line: Buffer  # cards: group by group, from the top down, equal ones in the order S H C D
    first: Buffer  # by group: where its part of the line begins; one more for its end
    mark: Buffer  # by card: step and lane, as a component has them


class Room(NamedTuple):
    """Work space of the kernels; nothing in it lasts."""

    pairs: Buffer  # by step: cards held at least twice
    triples: Buffer  # by step: cards held three times
    pairs2: Buffer
    triples2: Buffer
    runs: Buffer  # tractors and titanics that a profile must hold
    undo: Buffer
    now: Buffer  # grades
    best: Buffer
    chain: Buffer  # steps on which runs may lie
    lists: Buffer  # components, by step where they begin
    counts: Buffer
    made: Buffer  # components that are being put together
    spare: Buffer
    parts: Buffer  # components of a lead under consideration
    move: Buffer  # by card: what is to be played
    trial: Buffer
    keep: Buffer  # by card: how much a player prefers to keep it
    facts: Buffer  # what a player knows
    laid: Buffer  # cards that are played, each once, then -1
    dear: Buffer  # cards, the dearest first


SIZES: Final = Table(  # cells of each buffer
    deck=DECK,
    hands=SEATS * CARDS,
    kitty=CARDS,
    picked=CARDS,
    put=SEATS * CARDS,
    gone=SEATS * CARDS,
    shown=SEATS * CARDS,
    lacks=SEATS * GROUPS,
    captured=CARDS,
    shape=MOST,
    reg=REGISTERS,
    group=CARDS,
    step=CARDS,
    lane=GROUPS * STEPS * LANES,
    steps=GROUPS,
    line=CARDS,
    first=GROUPS + 1,
    mark=CARDS,
)
ROOMS: Final = Room(  # cells of each buffer
    pairs=STEPS,
    triples=STEPS,
    pairs2=STEPS,
    triples2=STEPS,
    runs=4 * MOST,
    undo=(MOST + 1) * STEPS,
    now=3 * MOST,
    best=3 * MOST,
    chain=4 * (STEPS + 4),
    lists=(STEPS + 6) * MOST,
    counts=STEPS + 6,
    made=2 * MOST,
    spare=2 * MOST,
    parts=2 * MOST,
    move=CARDS,
    trial=CARDS,
    keep=CARDS,
    facts=4 * CARDS,
    laid=CARDS + 1,
    dear=CARDS,
)


def new_table() -> Table:
    """Return an empty table in phase NEW."""
    return Table(*map(thawed, empty()))


@cache
def empty() -> tuple[tuple[int, ...], ...]:
    """Return what the buffers of an empty table hold."""
    table = Table(*(buffer(size) for size in SIZES))
    clear(table)
    return tuple(map(frozen, table))


def new_room() -> Room:
    """Return new work space for the kernels."""
    return Room(*(buffer(size) for size in ROOMS))


@kernel
def clear(s: Table) -> None:
    """Empty a table, but for the house rules and terms."""
    hands, kitty, picked, put, gone, shown = s.hands, s.kitty, s.picked, s.put, s.gone, s.shown
    captured, lacks, shape, reg, deck = s.captured, s.lacks, s.shape, s.reg, s.deck
    for i in range(SEATS * CARDS):
        hands[i] = 0
        put[i] = 0
        gone[i] = 0
        shown[i] = 0
    for i in range(CARDS):
        kitty[i] = 0
        picked[i] = 0
        captured[i] = 0
    for i in range(SEATS * GROUPS):
        lacks[i] = 0
    for i in range(MOST):
        shape[i] = 0
    for i in range(DECK):
        deck[i] = -1
    for i in range(DECKS):
        reg[i] = 0
    reg[TURN] = -1
    reg[DEALER] = -1
    reg[DECLARER] = -1
    reg[FIRST_DECLARER] = -1
    reg[SHOWN] = -1
    reg[TRUMP] = -1
    reg[LEADER] = -1
    reg[BEST] = -1
    reg[TAKER] = -1


@kernel
def copy(source: Table, target: Table) -> None:
    """Make `target` equal to `source`."""
    copy_into(source.deck, target.deck)
    copy_into(source.hands, target.hands)
    copy_into(source.kitty, target.kitty)
    copy_into(source.picked, target.picked)
    copy_into(source.put, target.put)
    copy_into(source.gone, target.gone)
    copy_into(source.shown, target.shown)
    copy_into(source.lacks, target.lacks)
    copy_into(source.captured, target.captured)
    copy_into(source.shape, target.shape)
    copy_into(source.reg, target.reg)
    copy_into(source.group, target.group)
    copy_into(source.step, target.step)
    copy_into(source.lane, target.lane)
    copy_into(source.steps, target.steps)
    copy_into(source.line, target.line)
    copy_into(source.first, target.first)
    copy_into(source.mark, target.mark)


@kernel
def count(cards: Buffer, at: int) -> int:
    """Return the number of cards in a hand that begins at a place of a buffer."""
    n = 0
    for i in range(at, at + CARDS):
        n += cards[i]
    return n


@kernel
def holds_any(cards: Buffer, at: int) -> bool:
    """Return whether there is a card in a hand that begins at a place of a buffer."""
    i = at
    while i < at + CARDS and cards[i] == 0:
        i += 1
    return i < at + CARDS


@kernel
def distinct(cards: Buffer, at: int, out: Buffer) -> None:
    """List the cards of a hand that begins at a place of a buffer, each once; -1 ends the list."""
    n = 0
    for card in range(CARDS):
        if cards[at + card] > 0:
            out[n] = card
            n += 1
    out[n] = -1


@kernel
def arrange(s: Table) -> None:
    """Put the cards in order for the level, the trump suit and the constant twos (3.3)."""
    group, step, lane, steps, reg = s.group, s.step, s.lane, s.steps, s.reg
    level, trump, constant = reg[LEVEL], reg[TRUMP], reg[CONSTANT]
    for i in range(GROUPS * STEPS * LANES):
        lane[i] = -1
    for g in range(GROUPS):
        steps[g] = 0
    for suit in range(4):
        g = 0 if suit == trump else suit + 1
        n = 0
        for rank in range(13):
            if rank == level or (rank == 0 and constant):
                continue
            card = rank * 4 + suit
            group[card] = g
            step[card] = n
            lane[(g * STEPS + n) * LANES] = card
            n += 1
        steps[g] = n
    n = steps[0]
    for which in range(2):  # constant twos below, level cards above; in each the trump suit's above the others
        rank = level if which == 1 else 0
        if which == 0 and (constant == 0 or level == 0):
            continue
        for main in range(2):
            k = 0
            for suit in range(4):
                if (suit == trump) == (main == 1):
                    card = rank * 4 + suit
                    group[card] = 0
                    step[card] = n
                    lane[n * LANES + k] = card
                    k += 1
            if k > 0:
                n += 1
    for card in range(SMALL, BIG + 1):
        group[card] = 0
        step[card] = n
        lane[n * LANES] = card
        n += 1
    steps[0] = n
    _line_up(s)


@kernel
def _line_up(s: Table) -> None:
    """Put all cards in line, and mark each with its step and lane."""
    lane, line, mark = s.lane, s.line, s.mark
    n = 0
    for g in range(GROUPS):
        s.first[g] = n
        for step in range(s.steps[g] - 1, -1, -1):
            cell = (g * STEPS + step) * LANES
            alone = lane[cell + 1] < 0
            for k in range(LANES):
                card = lane[cell + k]
                if card < 0:
                    break
                line[n] = card
                mark[card] = step << 4 if alone else step << 4 | LANES - 1 - k << 2
                n += 1
    s.first[GROUPS] = n


@kernel
def worth_of(card: int) -> int:
    """Return the points of a card (R8)."""
    return WORTHS[card >> 2]


@kernel
def points_in(cards: Buffer, at: int) -> int:
    """Return the points of the cards that begin at a place of a buffer."""
    points = 0
    for suit in range(4):
        points += 5 * cards[at + 12 + suit] + 10 * (cards[at + 32 + suit] + cards[at + 44 + suit])
    return points
