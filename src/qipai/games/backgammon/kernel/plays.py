"""Whole turns: every different board that a roll can lead to, each with one way to get there. Kernels.

Most turns are listed by `quick`. The rest (bearing off, turns that cannot be played in full, variants in which the
order of steps matters) is searched here, with a table of the boards that were met.
"""

from __future__ import annotations

from qipai.core.kernel import Buffer, kernel
from qipai.games.backgammon.kernel.board import (
    BAR,
    CLONES,
    FACING,
    MIRROR,
    OUT,
    PINS,
    RES,
    RUNNER,
    SIDE,
    ended,
    make,
    prime_shuts,
    unmake,
    why_not,
)
from qipai.games.backgammon.kernel.quick import fours, pairs
from qipai.games.backgammon.kernel.room import LISTED, LONGEST, MOST, NUMBERS, SLOTS, STAMP, STEPS, Room, new_room

__all__ = ["MOST", "Room", "apply_way", "generate", "new_room"]


@kernel
def new_to(room: Room, key: int) -> bool:
    """Return whether a key has not been seen in this turn, and remember it."""
    stamp = room.reg[STAMP]
    slot = (key ^ key >> 19 ^ key >> 37) & SLOTS - 1
    while room.stamps[slot] == stamp:
        if room.seen[slot] == key:
            return False
        slot = slot + 1 & SLOTS - 1
    room.stamps[slot] = stamp
    room.seen[slot] = key
    return True


@kernel
def moved_key(b: Buffer, me: int, origin: int, did: int, key: int) -> int:
    """Return the key after a step that `make` has taken. Pins need no part of it: they follow from the checkers."""
    to = did & 31
    key += NUMBERS[me + to] - NUMBERS[me + origin]
    if did & 32:
        key += NUMBERS[SIDE - me + BAR] - NUMBERS[SIDE - me + MIRROR[b[FACING] + to]]
    if did & 128:
        key += NUMBERS[me + RES]
    return key


@kernel
def put_down(b: Buffer, seat: int, room: Room, key: int, depth: int, over: bool) -> None:
    """List the present board as the end of a play, unless a play listed before uses more numbers."""
    reg = room.reg
    if depth < reg[LONGEST] and not over:
        return
    if depth > reg[LONGEST]:
        reg[LONGEST] = depth
    # A board that ends the game is listed once, whatever the number of steps. Any other is listed once for each number
    # of steps: it may be met first with one number (R12 drops that play later) and then with both.
    if not new_to(room, key << 4 | (7 if over else 8 + depth)):
        return
    way = 0
    for k in range(depth):
        way |= room.walk[k * STEPS + 3] << 8 * k
    n = reg[LISTED]
    room.ways[n] = way
    room.keys[n] = key
    mark = depth << 2
    if over:
        mark += 1
    elif b[RUNNER] and prime_shuts(b, seat):
        mark += 2
    room.marks[n] = mark
    reg[LISTED] = n + 1


@kernel
def walk_out(b: Buffer, seat: int, d1: int, d2: int, most: int, tag: int, room: Room) -> None:
    """List the turns that use d1 first and then d2 (for a double the same, up to four times), searched depth first.

    Where steps commute a double is played from the back forward only: no step begins behind the one before it. Where
    they do not (clones enter, mothers end the game, a runner frees the others) a board that was met after as many steps
    is not searched again. tag: 0 for one order of two numbers, 3 for the other; it keeps the boards of both apart.
    A level of the walk: 0 the next origin to try, 1 what the step did, 2 the key before it, 3 the step, 4 legal steps.
    """
    me = seat * SIDE
    ordered = not (b[CLONES] or b[PINS] or b[RUNNER])
    walk = room.walk
    depth, key = 0, 0
    walk[0] = RES
    walk[4] = 0
    while True:
        at = depth * STEPS
        origin, lowest, stepped = walk[at], 1, False
        die = d1 if depth == 0 else d2
        if origin > 6 and b[me + OUT] == 0:
            origin = 6
        if b[me + BAR] > 0:  # R14: nothing else may move
            lowest = BAR
            if origin > BAR:
                origin = BAR
        if depth < most:
            while origin >= lowest:
                if b[me + origin] > 0 and why_not(b, seat, origin, die) == 0:
                    stepped = True
                    break
                origin -= 1
        if stepped:
            did = make(b, seat, origin, die)
            walk[at] = origin - 1
            walk[at + 1] = did
            walk[at + 2] = key
            walk[at + 3] = origin << 3 | die
            walk[at + 4] += 1
            key = moved_key(b, me, origin, did, key)
            depth += 1
            if ended(b, seat) != 0:
                put_down(b, seat, room, key, depth, True)
            elif ordered or depth == most or new_to(room, key << 4 | depth - 1 + tag):
                # the bar comes before the reserve, which has the higher number
                walk[at + STEPS] = origin if ordered and most > 2 and origin < BAR else RES
                walk[at + STEPS + 4] = 0
                continue
        else:
            if depth == 0:
                return
            if walk[at + 4] == 0:
                put_down(b, seat, room, key, depth, False)
        depth -= 1
        at = depth * STEPS
        unmake(b, seat, walk[at + 3] >> 3, walk[at + 1])
        key = walk[at + 2]


@kernel
def generate(b: Buffer, seat: int, d1: int, d2: int, room: Room) -> int:
    """Write every different play of a roll to the room, return their number; the board is left as it was."""
    reg = room.reg
    if not (b[CLONES] or b[PINS] or b[RUNNER]):
        found = fours(b, seat, d1, room) if d1 == d2 else pairs(b, seat, max(d1, d2), min(d1, d2), room)
        if found >= 0:
            reg[LISTED] = found
            return found
    reg[STAMP] += 1
    reg[LISTED] = 0
    reg[LONGEST] = 0
    if d1 == d2:
        walk_out(b, seat, d1, d1, 4, 0, room)
    else:
        high = d1 if d1 > d2 else d2
        walk_out(b, seat, high, d1 + d2 - high, 2, 0, room)
        larger = reg[LISTED]
        walk_out(b, seat, d1 + d2 - high, high, 2, 3, room)
        if reg[LONGEST] == 1 and larger > 0:
            # R12: where one number only can be used it is the larger; a step that ends the game may use either.
            n = larger
            for i in range(larger, reg[LISTED]):
                if room.marks[i] & 1:
                    keep(room, i, n)
                    n += 1
            reg[LISTED] = n
    return sift(room)


@kernel
def keep(room: Room, i: int, n: int) -> None:
    """Copy play i to index n."""
    room.ways[n] = room.ways[i]
    room.keys[n] = room.keys[i]
    room.marks[n] = room.marks[i]


@kernel
def sift(room: Room) -> int:
    """Drop the plays that use fewer numbers than they must (R12) or shut the enemy in without need (R38)."""
    reg = room.reg
    n, open_ones = 0, 0
    for i in range(reg[LISTED]):
        mark = room.marks[i]
        if mark & 1 or mark >> 2 == reg[LONGEST]:
            keep(room, i, n)
            if not mark & 2:
                open_ones += 1
            n += 1
    if 0 < open_ones < n:
        k = 0
        for i in range(n):
            if not room.marks[i] & 2:
                keep(room, i, k)
                k += 1
        n = k
    reg[LISTED] = n
    return n


@kernel
def apply_way(b: Buffer, seat: int, way: int) -> int:
    """Take the steps of a way; return how they leave the game, as `board.ended`."""
    while way > 0:
        make(b, seat, (way & 255) >> 3, way & 7)
        way >>= 8
    return ended(b, seat)
