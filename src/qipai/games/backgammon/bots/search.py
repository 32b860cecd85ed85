"""Choosing a play: the net values every result, and the best again after each reply, or reply and answer. Kernels.

A worth is linear in the five outcomes: terms[0] + terms[1] * wins + terms[2] * wins double + terms[3] * wins triple
+ terms[4] * loses double + terms[5] * loses triple, chances of UNIT; so a match, money and every house rule are six
numbers.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from qipai.core.kernel import Buffer, buffer, kernel
from qipai.games.backgammon.bots.net import OUTPUTS, UNIT, Brain, outcomes
from qipai.games.backgammon.kernel.board import BAR, DRAWN, FACING, LOST, MIRROR, OFF, RES, SIDE, SIZE, TOTAL
from qipai.games.backgammon.kernel.plays import Room, apply_way, generate, new_room
from qipai.games.backgammon.kernel.score import multiple, pips

__all__ = [
    "LOSES",
    "MOST_VALUED",
    "TERMS",
    "TRIPLE",
    "Look",
    "after_answers",
    "after_replies",
    "best_reply",
    "new_look",
    "rank",
    "simple",
    "worth",
    "worth_after",
]

TERMS: Final = 8
LOSES: Final = 6  # terms[LOSES]: who empties the board has lost
TRIPLE: Final = 7  # terms[TRIPLE]: the most a game counts
MOST_VALUED: Final = 2000

# What the easy player counts (`simple`), in pips. Chosen by hand, not measured by themselves: docs/spec/backgammon.md
# tells in 14 how the player that follows them stands against the others.
OUT_OF_GAME: Final = 100_000  # more than any board: the game is won or lost
BORNE_OFF: Final = 6  # a checker borne off
ENEMY_ON_BAR: Final = 10
IN_RESERVE: Final = 4  # less: a checker not yet entered
HOME_POINT: Final = 6  # a point held of the first HOME
HOME: Final = 8  # points
OTHER_POINT: Final = 2
BLOT: Final = 4  # less: a single checker that may be hit, and more the farther it has come:
BLOT_FAR: Final = 4  # points for one more
BLOT_BEHIND: Final = 2  # less: the same among the first points of the way, from BEHIND on
BEHIND: Final = 19
CROWDED: Final = 4  # checkers on a point beyond which
CROWD: Final = 2  # each more costs so much


@kernel
def worth(terms: Buffer, value: Buffer) -> int:
    """Return what outcomes are worth to the side that they belong to."""
    return (
        terms[0] * UNIT
        + terms[1] * value[0]
        + terms[2] * value[1]
        + terms[3] * value[2]
        + terms[4] * value[3]
        + terms[5] * value[4]
    )


@kernel
def turned(value: Buffer) -> None:
    """Turn the outcomes into those of the other side."""
    value[0] = UNIT - value[0]
    keep = value[1]
    value[1] = value[3]
    value[3] = keep
    keep = value[2]
    value[2] = value[4]
    value[4] = keep


@kernel
def final(b: Buffer, seat: int, how: int, terms: Buffer, value: Buffer) -> None:
    """Write the outcome of a game that a step of `seat` has ended, for that seat."""
    for i in range(5):
        value[i] = 0
    if how == DRAWN:
        value[0] = UNIT >> 1
        return
    me = seat * SIDE
    wins, times = how != LOST, 2
    if b[me + OFF] == b[me + TOTAL]:
        times = multiple(b, 1 - seat)
        if terms[LOSES]:
            wins = False
    if times > terms[TRIPLE]:
        times = terms[TRIPLE]
    first = 1 if wins else 3
    value[0] = UNIT if wins else 0
    if times > 1:
        value[first] = UNIT
    if times > 2:
        value[first + 1] = UNIT


@kernel
def worth_after(b: Buffer, seat: int, how: int, terms: Buffer, net: Brain) -> int:
    """Return what a board after a play of `seat` is worth to that seat."""
    if how != 0:
        final(b, seat, how, terms, net.value)
    else:
        outcomes(b, 1 - seat, net)
        turned(net.value)
    return worth(terms, net.value)


@kernel
def copied(source: Buffer, target: Buffer) -> None:
    """Copy a board."""
    for i in range(SIZE):
        target[i] = source[i]


@kernel
def rank(b: Buffer, seat: int, count: int, terms: Buffer, net: Brain, room: Room, work: Buffer, found: Buffer) -> int:
    """Value the room's plays; write worths to found[0:count], the best one's outcomes to net.top; return its index."""
    best = 0
    for i in range(count):
        copied(b, work)
        how = apply_way(work, seat, room.ways[i])
        found[i] = worth_after(work, seat, how, terms, net)
        if i == 0 or found[i] > found[best]:
            best = i
            for o in range(OUTPUTS):
                net.top[o] = net.value[o]
    return best


class Look(NamedTuple):
    """The work space for looking ahead: for the reply, and for the answer to it."""

    room: Room
    work: Buffer
    found: Buffer
    mean: Buffer  # the outcomes after all replies, of UNIT, for the side that has moved
    next: Buffer  # the board after a reply
    sums: Buffer


def new_look() -> Look:
    """Return a work space for one thread."""
    return Look(new_room(), buffer(SIZE), buffer(MOST_VALUED, 64), buffer(OUTPUTS), buffer(SIZE), buffer(OUTPUTS, 64))


@kernel
def best_reply(b: Buffer, seat: int, one: int, two: int, terms: Buffer, net: Brain, look: Look) -> int:
    """Return the way of a seat's best play of a throw, and leave what it leads to, for that seat, in net.top.

    0: it can play nothing.
    """
    n = generate(b, seat, one, two, look.room)
    if n == 0:
        outcomes(b, 1 - seat, net)
        turned(net.value)
        for i in range(OUTPUTS):
            net.top[i] = net.value[i]
        return 0
    if n > MOST_VALUED:
        n = MOST_VALUED
    return look.room.ways[rank(b, seat, n, terms, net, look.room, look.work, look.found)]


@kernel
def after_replies(b: Buffer, seat: int, his_terms: Buffer, net: Brain, look: Look) -> None:
    """Write what a board after a play of `seat` holds for him to look.mean: the mean over the other's best replies.

    his_terms: the worth for the other side, the negative of one's own.
    """
    for i in range(OUTPUTS):
        look.sums[i] = 0
    for one in range(1, 7):
        for two in range(1, one + 1):
            best_reply(b, 1 - seat, one, two, his_terms, net, look)
            for i in range(OUTPUTS):
                look.sums[i] += net.top[i] if one == two else 2 * net.top[i]
    for i in range(OUTPUTS):
        look.mean[i] = look.sums[i] // 36
    turned(look.mean)


@kernel
def after_answers(b: Buffer, seat: int, terms: Buffer, his_terms: Buffer, net: Brain, look: Look, deeper: Look) -> None:
    """Write what a board after a play of `seat` holds for him to look.mean, one more play of his looked ahead."""
    for i in range(OUTPUTS):
        look.sums[i] = 0
    for one in range(1, 7):
        for two in range(1, one + 1):
            way = best_reply(b, 1 - seat, one, two, his_terms, net, look)
            copied(b, look.next)
            if apply_way(look.next, 1 - seat, way) == 0:
                after_replies(look.next, 1 - seat, terms, net, deeper)
                for i in range(OUTPUTS):
                    net.top[i] = deeper.mean[i]
            for i in range(OUTPUTS):
                look.sums[i] += net.top[i] if one == two else 2 * net.top[i]
    for i in range(OUTPUTS):
        look.mean[i] = look.sums[i] // 36
    turned(look.mean)


@kernel
def simple(b: Buffer, seat: int, how: int) -> int:
    """Return roughly how good a board after a play is: pips, points held, single checkers within reach."""
    if how != 0:
        return -OUT_OF_GAME if how == LOST else OUT_OF_GAME
    me = seat * SIDE
    it = SIDE - me
    facing = b[FACING]
    total = pips(b, 1 - seat) - pips(b, seat)
    total += BORNE_OFF * b[me + OFF] + ENEMY_ON_BAR * b[it + BAR] - IN_RESERVE * b[me + RES]
    back = 25 if b[it + BAR] > 0 else 24
    while back > 0 and b[it + back] == 0:
        back -= 1
    for p in range(1, 25):
        n = b[me + p]
        if n == 0:
            continue
        there = MIRROR[facing + p]
        if n > 1:
            total += HOME_POINT if p <= HOME else OTHER_POINT
        elif there < back:  # an enemy checker may still come by
            total -= BLOT + (25 - p) // BLOT_FAR if p < BEHIND else BLOT_BEHIND
        if n > CROWDED:
            total -= CROWD * (n - CROWDED)
    return total
