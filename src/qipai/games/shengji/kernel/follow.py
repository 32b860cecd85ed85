"""What a follower must play and what wins a trick: the grade of 5.4, throws (5.3), winning keys (5.5).

Two facts about a hand matter here, for each step: how many cards it holds at least twice, and how many three times
(`profile`). A pair is taken from a card held exactly twice, if there is one: breaking a triple is never better.

The grade is the lexicographically greatest list of numbers, so it is found number by number: each is the greatest that
fits beside what the numbers before it took (`fits`). No subset of the hand is ever listed. Kernels.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, inlined, kernel
from qipai.games.shengji.kernel import shapes
from qipai.games.shengji.kernel.table import (
    CARDS,
    LED,
    LENGTH,
    NO_PAIR,
    NO_TRACTOR,
    NO_TRIPLE,
    SEATS,
    SHAPES,
    STEPS,
    TRIPLES_FIRST,
    VOID,
    Room,
    Table,
)

__all__ = ["BY_SUIT", "COMPLETE", "VALUE", "beaten", "count_in", "forced", "grade", "judge", "profile", "winning"]

VALUE: Final = 64  # a number of a grade is the type that it counts times this, plus the count
# Verdicts of `judge`; any other is the type of component of which too few were played.
COMPLETE: Final = 0  # legal
BY_SUIT: Final = -1  # cards of the led group were kept back

RUNS: Final = 40  # rows of room.runs
EACH: Final = 0  # cards on each step: 3 for a titanic, 2 for a tractor
LONG: Final = 1  # how many steps it has
AT: Final = 2  # the step on which it begins, in `fits`
LAID: Final = 3  # 1: it has been placed there


@kernel
def profile(s: Table, cards: Buffer, at: int, group: int, pairs: Buffer, triples: Buffer) -> None:
    """Write, for each step of a group, the cards held twice and three times."""
    line, steps = s.line, s.step
    for step in range(s.steps[group]):
        pairs[step] = 0
        triples[step] = 0
    for i in range(s.first[group], s.first[group + 1]):
        have = cards[at + line[i]]
        if have >= 2:
            pairs[steps[line[i]]] += 1
            if have >= 3:
                triples[steps[line[i]]] += 1


@kernel
def count_in(s: Table, cards: Buffer, at: int, group: int) -> int:
    """Return how many cards of a group there are among cards that begin at a place."""
    line = s.line
    n = 0
    for i in range(s.first[group], s.first[group + 1]):
        n += cards[at + line[i]]
    return n


@kernel
def total(row: Buffer, steps: int) -> int:
    """Return the sum of a row of a profile."""
    n = 0
    for step in range(steps):
        n += row[step]
    return n


@kernel
def longest(row: Buffer, steps: int, most: int) -> int:
    """Return the length of the longest run, at most `most`; a run has at least two steps, 0 is none."""
    best = 0
    run = 0
    for step in range(steps):
        if row[step] > 0:
            run += 1
            if run > best:
                best = run
        else:
            run = 0
    if best > most:
        best = most
    return best if best >= 2 else 0


@kernel
def _place(row: Buffer, steps: int, long: int, first: int) -> int:
    """Return the lowest step from `first` on where a run of this length can begin, -1 if there is none."""
    run = 0
    for step in range(first, steps):
        run = run + 1 if row[step] > 0 else 0
        if run >= long:
            return step - long + 1
    return -1


@kernel
def _take(pairs: Buffer, triples: Buffer, each: int, at: int, long: int, undo: Buffer, depth: int) -> None:
    """Take a run out of a profile; `undo` keeps what it was, for `_give_back`."""
    for k in range(long):
        step = at + k
        undo[depth * STEPS + k] = triples[step]
        pairs[step] -= 1
        if each == 3:
            triples[step] -= 1
        elif triples[step] > pairs[step]:
            triples[step] = pairs[step]


@kernel
def _give_back(pairs: Buffer, triples: Buffer, at: int, long: int, undo: Buffer, depth: int) -> None:
    for k in range(long):
        pairs[at + k] += 1
        triples[at + k] = undo[depth * STEPS + k]


@kernel
def add_run(runs: Buffer, n: int, each: int, long: int) -> int:
    """Put a run among n, titanics first, longer first; return n + 1."""
    i = n
    while i > 0 and (runs[i - 1] < each or (runs[i - 1] == each and runs[RUNS + i - 1] < long)):
        runs[i] = runs[i - 1]
        runs[RUNS + i] = runs[RUNS + i - 1]
        i -= 1
    runs[i] = each
    runs[RUNS + i] = long
    return n + 1


@kernel
def drop_run(runs: Buffer, n: int, each: int, long: int) -> int:
    """Remove one such run from n; return n - 1."""
    i = 0
    while runs[i] != each or runs[RUNS + i] != long:
        i += 1
    for k in range(i, n - 1):
        runs[k] = runs[k + 1]
        runs[RUNS + k] = runs[RUNS + k + 1]
    return n - 1


@kernel
def fits(
    pairs: Buffer, triples: Buffer, steps: int, runs: Buffer, n: int, more_triples: int, more_pairs: int, undo: Buffer
) -> bool:
    """Return whether a profile holds n runs and beside them so many triples and pairs, all at the same time."""
    if n == 0:
        three = total(triples, steps)
        return three >= more_triples and total(pairs, steps) >= more_triples + more_pairs
    depth = 0
    runs[AT * RUNS] = -1
    runs[LAID * RUNS] = 0
    while depth >= 0:
        each, long, at = runs[depth], runs[RUNS + depth], runs[AT * RUNS + depth]
        if runs[LAID * RUNS + depth]:
            _give_back(pairs, triples, at, long, undo, depth)
            runs[LAID * RUNS + depth] = 0
        at = _place(triples if each == 3 else pairs, steps, long, at + 1)
        if at < 0:
            depth -= 1
            continue
        _take(pairs, triples, each, at, long, undo, depth)
        runs[AT * RUNS + depth] = at
        runs[LAID * RUNS + depth] = 1
        if depth < n - 1:
            # Equal runs may change places, so the next one is tried from where this one begins upward.
            equal = runs[depth + 1] == each and runs[RUNS + depth + 1] == long
            depth += 1
            runs[AT * RUNS + depth] = at - 1 if equal else -1
            runs[LAID * RUNS + depth] = 0
            continue
        three = total(triples, steps)
        if three >= more_triples and total(pairs, steps) >= more_triples + more_pairs:
            while depth >= 0:
                _give_back(pairs, triples, runs[AT * RUNS + depth], runs[RUNS + depth], undo, depth)
                depth -= 1
            return True
    return False


@kernel
def _most(
    pairs: Buffer,
    triples: Buffer,
    steps: int,
    runs: Buffer,
    n: int,
    three: int,
    two: int,
    each: int,
    want: int,
    undo: Buffer,
) -> int:
    """Return the length of the longest run, 2 .. want steps, that fits beside what is taken; 0 when none does."""
    long = longest(triples if each == 3 else pairs, steps, want)
    while long >= 2:
        fit = fits(pairs, triples, steps, runs, add_run(runs, n, each, long), three, two, undo)
        drop_run(runs, n + 1, each, long)
        if fit:
            return long
        long -= 1
    return 0


@kernel
def grade(
    pairs: Buffer, triples: Buffer, steps: int, shape: Buffer, n: int, triples_first: int, room: Room, out: Buffer
) -> int:
    """Write the grade that a profile allows for a led shape of n components (5.4); return how many numbers it has.

    Negative: the shape can be followed in full.
    """
    runs, undo = room.runs, room.undo
    k = 0  # runs taken
    three = 0  # triples and pairs taken beside them
    two = 0
    m = 0
    full = True
    for kind in range(shapes.TITANIC, shapes.SINGLE, -1):
        for i in range(n):
            if shape[i] >> 9 & 7 != kind:
                continue
            want = shapes.length(shape[i])
            asked = kind
            while want > 0:
                if asked == shapes.TITANIC and want >= 2:
                    long = _most(pairs, triples, steps, runs, k, three, two, 3, want, undo)
                    out[m] = shapes.TITANIC * VALUE + long
                    m += 1
                    if long > 0:
                        k = add_run(runs, k, 3, long)
                        want -= long
                        if want > 0:
                            full = False
                        continue
                    full = False
                    if not triples_first:
                        long = _most(pairs, triples, steps, runs, k, three, two, 2, want, undo)
                        out[m] = shapes.TRACTOR * VALUE + long
                        m += 1
                        if long > 0:
                            k = add_run(runs, k, 2, long)
                            break
                    got = 0
                    while got < want and fits(pairs, triples, steps, runs, k, three + 1, two, undo):
                        three += 1
                        got += 1
                    out[m] = shapes.TRIPLE * VALUE + got
                    want -= got
                    got = 0
                    while got < want and fits(pairs, triples, steps, runs, k, three, two + 1, undo):
                        two += 1
                        got += 1
                    out[m + 1] = shapes.PAIR * VALUE + got
                    m += 2
                    break
                if asked == shapes.TRACTOR and want >= 2:
                    long = _most(pairs, triples, steps, runs, k, three, two, 2, want, undo)
                    out[m] = shapes.TRACTOR * VALUE + long
                    m += 1
                    if long > 0:
                        k = add_run(runs, k, 2, long)
                        want -= long
                        if want > 0:
                            full = False
                    else:
                        full = False
                        asked = shapes.PAIR
                    continue
                # What is left of a titanic is asked for as a triple, of a tractor as a pair.
                if asked in (shapes.TITANIC, shapes.TRIPLE):
                    fit = fits(pairs, triples, steps, runs, k, three + 1, two, undo)
                    out[m] = shapes.TRIPLE * VALUE + (1 if fit else 0)
                    m += 1
                    want -= 1
                    if fit:
                        three += 1
                        continue
                    full = False
                else:
                    want -= 1
                fit = fits(pairs, triples, steps, runs, k, three, two + 1, undo)
                out[m] = shapes.PAIR * VALUE + (1 if fit else 0)
                m += 1
                if fit:
                    two += 1
                else:
                    full = False
    return -m if full else m


@kernel
def judge(
    s: Table,
    hand: Buffer,
    hand_at: int,
    play: Buffer,
    play_at: int,
    group: int,
    shape: Buffer,
    n: int,
    length: int,
    triples_first: int,
    room: Room,
) -> int:
    """Return COMPLETE when a play of the right length may follow, else what it falls short of (5.4)."""
    steps = s.steps[group]
    held = count_in(s, hand, hand_at, group)
    given = count_in(s, play, play_at, group)
    if held <= length:
        return COMPLETE if given == held else BY_SUIT
    if given < length:
        return BY_SUIT
    if shapes.type_of(shape[0]) == shapes.SINGLE:
        return COMPLETE
    profile(s, hand, hand_at, group, room.pairs, room.triples)
    profile(s, play, play_at, group, room.pairs2, room.triples2)
    best, now = room.best, room.now
    m = grade(room.pairs, room.triples, steps, shape, n, triples_first, room, best)
    k = grade(room.pairs2, room.triples2, steps, shape, n, triples_first, room, now)
    for i in range(min(abs(m), abs(k))):
        if best[i] != now[i]:
            return int(best[i]) // VALUE
    return COMPLETE


@kernel
def winning(s: Table, cards: Buffer, at: int, group: int, shape: Buffer, n: int, above: int, room: Room) -> int:
    """Return the highest step > above that the principal component may have in cards of one group, -1 for none (5.5).

    The cards must be splittable into the shape; they may be more than were led, then some of them are.
    """
    steps = s.steps[group]
    if shapes.type_of(shape[0]) == shapes.SINGLE:
        line, step_of = s.line, s.step
        for i in range(s.first[group], s.first[group + 1]):
            step = step_of[line[i]]
            if step <= above:
                return -1
            if cards[at + line[i]] > 0:
                return step
        return -1
    long = shapes.length(shape[0])
    pairs, triples, runs, undo = room.pairs2, room.triples2, room.runs, room.undo
    profile(s, cards, at, group, pairs, triples)
    each = shapes.copies(shape[0])
    row = triples if each == 3 else pairs
    k = 0
    three = 0
    two = 0
    for i in range(1, n):
        other = shape[i] >> 9 & 7
        if other >= shapes.TRACTOR:
            k = add_run(runs, k, other - 2, shapes.length(shape[i]))
        elif other == shapes.TRIPLE:
            three += 1
        elif other == shapes.PAIR:
            two += 1
    depth = k  # `fits` uses the rows of `undo` below
    for high in range(steps - 1, max(above, long - 2), -1):
        low = high - long + 1
        lies = True
        for step in range(low, high + 1):
            if row[step] <= 0:
                lies = False
                break
        if not lies:
            continue
        _take(pairs, triples, each, low, long, undo, depth)
        fit = fits(pairs, triples, steps, runs, k, three, two, undo)
        _give_back(pairs, triples, low, long, undo, depth)
        if fit:
            return high
    return -1


@kernel
def beaten(s: Table, component: int, group: int, hand: Buffer, at: int, room: Room) -> bool:
    """Return whether a hand holds a component of the same type and length with a higher top (5.3)."""
    line, steps = s.line, s.step
    kind = component >> 9 & 7
    each = kind if kind <= shapes.TRIPLE else kind - 2
    long = 1 if kind <= shapes.TRIPLE else (component >> 12) // each
    above = component >> 4 & 31
    run = 0
    last = -1  # the lowest step of the run
    for i in range(s.first[group], s.first[group + 1]):
        step = steps[line[i]]
        if run == 0 or last - step > 1:
            if step <= above:
                return False  # no run from here down is high enough
            run = 0
        if hand[at + line[i]] < each or (run > 0 and step == last):
            continue
        run += 1
        if run == long:
            return True
        last = step
    return False


@kernel
def forced(s: Table, seat: int, shape: Buffer, n: int, group: int, hands: Buffer, room: Room) -> int:
    """Return the component of a throw that must be led instead, 0 when the throw stands (5.3, R16)."""
    found = 0
    for i in range(n):
        one = shape[i]
        # The lowest top counts, then fewer cards, then the later suit.
        if found != 0:
            lower = shapes.top(one) - shapes.top(found)
            if lower > 0 or (lower == 0 and one >> 12 > found >> 12):
                continue
            if lower == 0 and one >> 12 == found >> 12 and (one >> 2 & 3) > (found >> 2 & 3):
                continue
        for other in range(SEATS):
            if other != seat and beaten(s, one, group, hands, other * CARDS, room):
                found = one
                break
    return found


@inlined
def shortfall(s: Table, seat: int, given: int, room: Room) -> int:
    """Return what a legal follow shows its hand to lack in the led group from now on, as bits of `Table.lacks`.

    given: how many cards of that group it has.
    The grade of a follow is that of the hand, so a number below what was led says that nothing of its kind is left.
    """
    reg, now = s.reg, room.now
    group = reg[LED]
    if given < reg[LENGTH]:
        return VOID | NO_PAIR | NO_TRIPLE | NO_TRACTOR
    if shapes.type_of(s.shape[0]) == shapes.SINGLE:
        return 0
    profile(s, s.put, seat * CARDS, group, room.pairs2, room.triples2)
    m = grade(room.pairs2, room.triples2, s.steps[group], s.shape, reg[SHAPES], reg[TRIPLES_FIRST], room, now)
    lacks = 0
    for i in range(m):
        if now[i] % VALUE > 0:
            continue
        kind = int(now[i]) // VALUE
        if kind == shapes.PAIR:
            lacks |= NO_PAIR | NO_TRIPLE | NO_TRACTOR
        elif kind == shapes.TRIPLE:
            lacks |= NO_TRIPLE
        elif kind == shapes.TRACTOR:
            lacks |= NO_TRACTOR
    return lacks
