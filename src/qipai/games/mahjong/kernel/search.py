"""The kernels of the strong player: imagined hands and walls, and trying actions in them."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel, lcg
from qipai.games.mahjong.kernel.bars import shown_to
from qipai.games.mahjong.kernel.flow import ask, exchange
from qipai.games.mahjong.kernel.money import balance
from qipai.games.mahjong.kernel.play import act, legal, to_act
from qipai.games.mahjong.kernel.policy import (
    ALIKE,
    CALL_COST,
    HALF,
    LACKED,
    MIDDLE,
    SHARE_SURE,
    WORST,
    WORST_SUIT,
    all_four,
    danger,
    fear,
    keeps,
    prospects,
    sound,
    suit_size,
    suits_kept,
)
from qipai.games.mahjong.kernel.shape import lacks, short_with, unseen
from qipai.games.mahjong.kernel.table import (
    ANSWER,
    ASKED,
    BACK,
    CELLS,
    CLAIM,
    DIE,
    DISCARD,
    DO_DISCARD,
    DO_HU,
    DRAWS,
    END,
    FRONT,
    HANDS,
    KINDS,
    LACKS,
    LIVE,
    O_BASE,
    PHASE,
    RIVER,
    RIVERS,
    ROB,
    ROBBED,
    SEATS,
    SUIT,
    SWAP,
    TILE,
    TURN,
    VOIDING,
    WALL,
    Table,
    copy,
    give,
    take,
)

# These are chosen by hand and not measured alone (docs/spec/mahjong.md, 14, measures the strong player as a whole).
MARGIN: Final = 250  # in hundredths of the base: a discard worth less than the best by this much is not tried
REPAIRS: Final = 4  # most tiles of a hidden hand that are replaced since its seat would have thrown them
DRAWS_TRIED: Final = 3  # most tiles drawn for a place of a hidden hand to find one of a suit that its seat keeps


@kernel
def shortlist(s: Table, costs: Buffer, taste: Buffer, seat: int, out: Buffer, tried: Buffer, most: int) -> int:
    """Write the actions worth trying to `tried`, the sound player's choice first; return their number.

    A winning draw is always taken. So is a kong that can be robbed, since no imagined hand holds the tile that is being
    added. most: the largest number of actions.
    """
    b = s.b
    first = sound(s, costs, taste, seat, out)
    tried[0] = first
    phase = b[PHASE]
    if phase == ROB or (phase == TURN and first == DO_HU):
        return 1
    n = legal(s, seat, out)
    found = 1
    if phase == SWAP:
        for i in range(n):
            out[HALF + i] = -keeps(s, costs, seat, out[i])
        return best_of(out, n, tried, found, most, -WORST_SUIT)
    if phase != TURN:
        for i in range(n):
            if out[i] != first and found < most:
                tried[found] = out[i]
                found += 1
        return found
    for i in range(n):
        if out[i] < DO_DISCARD and out[i] != first:
            tried[found] = out[i]
            found += 1
    unseen(s, seat)
    lacks(s, costs, seat)
    fear(s, seat)
    fours, shown = all_four(s, seat), shown_to(s, seat)
    top = -(1 << 40)
    for i in range(n):
        action = out[i]
        tile = action & 31
        out[HALF + i] = -(1 << 30)
        if action < DO_DISCARD:
            continue
        worth = prospects(s, costs, taste, seat, tile, b[LACKS + tile], fours) - danger(s, taste, seat, tile)
        if action >= DO_DISCARD + 64:
            worth -= CALL_COST
        elif action >= DO_DISCARD + 32 and not shown >> tile & 1:
            continue  # singing is only useful to throw a tile that a dancer waits for
        out[HALF + i] = worth
        top = max(top, worth)
    return best_of(out, n, tried, found, most, top - MARGIN)


@kernel
def best_of(out: Buffer, n: int, tried: Buffer, found: int, most: int, least: int) -> int:
    """Add the actions of `out` that are worth most, and more than `least`, to `tried`; return how many it holds.

    found: how many it holds already, the first of which is not added again; out[HALF + i]: what an action is worth.
    """
    while found < most:
        best = -1
        for i in range(n):
            if out[i] != tried[0] and out[HALF + i] > least and (best < 0 or out[HALF + i] > out[HALF + best]):
                best = i
        if best < 0:
            break
        tried[found] = out[best]
        out[HALF + best] = -(1 << 30)
        found += 1
    return found


@kernel
def imagine(s: Table, world: Table, costs: Buffer, seat: int, want: Buffer, tiles: Buffer, many: int, seed: int) -> int:
    """Make `world` like `s` with hidden hands and a wall dealt from the unseen tiles; return the next seed.

    want: how many hidden tiles each seat holds; tiles: the `many` unseen tiles in any order, which this call shuffles.
    A seat gets fewer tiles of a suit that it seems to be without. Then each hidden hand draws and throws as often as
    its seat has done, since a hand after ten draws is no longer a random hand. Such hands are as near to a win as those
    of the sound player (measured: after 5, 8, 11 draws 21, 38, 57 in a hundred are ready, against 17, 38, 59; dealt
    at random, 1). At last tiles go out of it that its seat would have thrown rather than the one that it threw last
    (measured in 25 hands: the waits of a hidden hand are guessed with a log loss of 1.67 in place of 1.73).
    """
    copy(s, world)
    b = world.b
    kept = suits_kept(s, seat)
    at = 0
    for other in range(SEATS):
        for _ in range(want[other]):
            j = at
            for _try in range(DRAWS_TRIED):
                seed = lcg(seed)
                j = at + (seed >> 8) % (many - at)
                seed = lcg(seed)
                if (seed >> 16) % (SHARE_SURE + 1) <= kept >> 4 * (other * 3 + SUIT[tiles[j]]) & 15:
                    break
            tiles[at], tiles[j] = tiles[j], tiles[at]
            give(world, other, tiles[at])
            at += 1
    begin = 0
    for other in range(SEATS):
        end = begin + want[other]
        if begin < end and at < many:
            for _ in range(b[other * CELLS + DRAWS] - 1):
                seed = lcg(seed)
                j = at + (seed >> 8) % (many - at)
                seed = lcg(seed)
                if (seed >> 16) % (SHARE_SURE + 1) <= kept >> 4 * (other * 3 + SUIT[tiles[j]]) & 15:
                    drawn = tiles[j]
                    thrown = swap_worst(world, costs, other, drawn)
                    for i in range(begin, end):  # the tiles stay the same ones: the next world is dealt from them too
                        if tiles[i] == thrown:
                            tiles[i], tiles[j] = drawn, thrown
                            break
            last = last_thrown(s, other)
            for _ in range(REPAIRS if last >= 0 else 0):
                sooner = regretted(world, costs, other, last)
                if sooner < 0:
                    break
                seed = lcg(seed)
                j = at + (seed >> 8) % (many - at)
                seed = lcg(seed)
                if (seed >> 16) % (SHARE_SURE + 1) <= kept >> 4 * (other * 3 + SUIT[tiles[j]]) & 15:
                    take(world, other, sooner)
                    give(world, other, tiles[j])
                    for i in range(begin, end):
                        if tiles[i] == sooner:
                            tiles[i], tiles[j] = tiles[j], sooner
                            break
        begin = end
    for i in range(b[BACK] - b[FRONT]):
        seed = lcg(seed)
        j = at + (seed >> 8) % (many - at)
        tiles[at], tiles[j] = tiles[j], tiles[at]
        b[WALL + b[FRONT] + i] = tiles[at]
        at += 1
    if b[PHASE] == SWAP or b[PHASE] == VOIDING:  # what others have answered is not known: they answer again
        b[ASKED] = (1 << SEATS) - 1
        for other in range(SEATS):
            b[other * CELLS + ANSWER] = 0
    if b[PHASE] == CLAIM or b[PHASE] == ROB:
        ask(world, b[TILE], ROBBED if b[PHASE] == ROB else DISCARD)
        b[ASKED] |= 1 << seat
    return seed


@kernel
def last_thrown(s: Table, seat: int) -> int:
    """Return the tile that a seat threw last, -1 before its first."""
    b = s.b
    found = -1
    for i in range(RIVERS, RIVERS + b[RIVER]):
        if b[i] >> 5 & 3 == seat:
            found = b[i] & 31
    return found


@kernel
def regretted(s: Table, costs: Buffer, seat: int, thrown: int) -> int:
    """Return a tile without which a hand would be nearer to a win than without the one thrown last, -1 for none."""
    worst = swap_worst(s, costs, seat, thrown)
    give(s, seat, worst)
    nearer = short_with(s, costs, seat, worst, -1) < short_with(s, costs, seat, thrown, -1)
    take(s, seat, thrown)
    return worst if nearer else -1


@kernel
def swap_worst(s: Table, costs: Buffer, seat: int, tile: int) -> int:
    """Put a tile into a hand and take the least useful tile out of it; return the tile taken."""
    b = s.b
    give(s, seat, tile)
    sizes = suit_size(s, seat, 0) | suit_size(s, seat, 1) << 8 | suit_size(s, seat, 2) << 16
    worst, least = tile, WORST
    for other in range(KINDS):
        held = b[HANDS + seat * KINDS + other]
        if held:
            worth = short_with(s, costs, seat, other, -1) * LACKED + held * ALIKE
            worth += MIDDLE - abs(other % 9 - 4) + (sizes >> 8 * SUIT[other] & 255)
            if worth < least:
                worst, least = other, worth
    take(s, seat, worst)
    return worst


@kernel
def try_out(
    world: Table,
    work: Table,
    costs: Buffer,
    taste: Buffer,
    seat: int,
    action: int,
    out: Buffer,
    ledger: Buffer,
    seed: int,
) -> int:
    """Return the chips that an action brings a seat in an imagined hand when all seats then play by `sound`."""
    copy(world, work)
    act(work, seat, action)
    b = work.b
    while b[PHASE] != END and b[LIVE] >> seat & 1:
        if b[PHASE] == DIE:
            seed = lcg(seed)
            exchange(work, (seed >> 16) % 6 + 1)
        else:
            other = to_act(work)
            act(work, other, sound(work, costs, taste, other, out))
    balance(work, ledger)
    return ledger[seat]


@kernel
def compare(
    s: Table,
    world: Table,
    work: Table,
    costs: Buffer,
    taste: Buffer,
    seat: int,
    actions: Buffer,
    alive: int,
    out: Buffer,
    ledger: Buffer,
    want: Buffer,
    tiles: Buffer,
    many: int,
    hands: int,
    most: int,
    sums: Buffer,
    seed: int,
) -> int:
    """Try actions in `hands` imagined hands, all in the same ones; return the next seed.

    actions: the sound player's own first; alive: which of the others are tried, as bits; want, tiles, many: see
    `imagine`. sums: what each action brought more than the first, in bases, and the square of that, are added to its
    cells 2i and 2i + 1. most: no trial counts more bases.
    """
    base = s.b[O_BASE]
    for _ in range(hands):
        seed = imagine(s, world, costs, seat, want, tiles, many, seed)
        usual = try_out(world, work, costs, taste, seat, actions[0], out, ledger, seed) // base
        usual = max(-most, min(most, usual))
        for i in range(1, len(actions)):
            if alive >> i & 1:
                found = try_out(world, work, costs, taste, seat, actions[i], out, ledger, seed) // base
                more = max(-most, min(most, found)) - usual
                sums[2 * i] += more
                sums[2 * i + 1] += more * more
    return seed
