"""The components that cards form, and the canonical decomposition of a lead (5.1, 5.2). Kernels.

A *component* is one integer: how many cards, its type, the step of its top, and on the steps where equal cards stand
side by side (at most two in a run) how early in S H C D its card comes. Descending integers are the canonical order.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.shengji.kernel.table import CARDS, LANES, MOST, STEPS, Room, Table

__all__ = [
    "PAIR",
    "SINGLE",
    "TITANIC",
    "TRACTOR",
    "TRIPLE",
    "alike",
    "copies",
    "decompose",
    "highest",
    "length",
    "lone",
    "one_group",
    "put_down",
    "size",
    "top",
    "type_of",
]

SINGLE: Final = 1
PAIR: Final = 2
TRIPLE: Final = 3
TRACTOR: Final = 4
TITANIC: Final = 5

# the chain of a decomposition: rows of room.chain
WIDE: Final = STEPS + 4
STEP: Final = 0  # the step that stands here
LANE: Final = 1  # and the lane
COPIES: Final = 2  # cards there
BREAK: Final = 3  # 1: no run goes from here to the next


@kernel
def size(component: int) -> int:
    """Return the number of cards."""
    return component >> 12


@kernel
def type_of(component: int) -> int:
    """Return SINGLE … TITANIC."""
    return component >> 9 & 7


@kernel
def top(component: int) -> int:
    """Return the step of the highest card."""
    return component >> 4 & 31


@kernel
def copies(component: int) -> int:
    """Return how many cards it has on each step."""
    kind = component >> 9 & 7
    return kind if kind <= TRIPLE else kind - 2


@kernel
def length(component: int) -> int:
    """Return the number of steps."""
    kind = component >> 9 & 7
    return 1 if kind <= TRIPLE else (component >> 12) // (kind - 2)


@kernel
def one_group(group: Buffer, cards: Buffer, at: int) -> int:
    """Return the group that all the cards are of, -1 when they are of several, -2 when there are none."""
    found = -2
    for card in range(CARDS):
        if cards[at + card] > 0:
            if found == -2:
                found = group[card]
            elif found != group[card]:
                return -1
    return found


@kernel
def alike(s: Table, card: int, n: int) -> int:
    """Return the component of n copies of a card."""
    return n << 12 | n << 9 | s.mark[card]


@kernel
def lone(lane: Buffer, cell: int, k: int, step: int, n: int) -> int:
    """Return the component of n copies of the card in lane k of a step, whose lanes begin at `cell`."""
    early = LANES - 1 - k if lane[cell + 1] >= 0 else 0
    return n << 12 | n << 9 | step << 4 | early << 2


@kernel
def put_down(s: Table, component: int, group: int, cards: Buffer, at: int) -> None:
    """Add the cards of a component to counts by card."""
    lane = s.lane
    kind = component >> 9 & 7
    each = kind if kind <= TRIPLE else kind - 2
    steps = 1 if kind <= TRIPLE else (component >> 12) // each
    high = component >> 4 & 31
    early = component >> 2 & 3
    for k in range(steps):
        cell = (group * STEPS + high - k) * LANES
        which = 0
        if lane[cell + 1] >= 0:
            which = LANES - 1 - early
            early = component & 3
        cards[at + lane[cell + which]] += each


@kernel
def highest(s: Table, component: int, group: int) -> int:
    """Return the card at the top of a component."""
    lane = s.lane
    cell = (group * STEPS + (component >> 4 & 31)) * LANES
    which = LANES - 1 - (component >> 2 & 3) if lane[cell + 1] >= 0 else 0
    return lane[cell + which]


@kernel
def _insert(list_: Buffer, at: int, n: int, component: int) -> int:
    """Insert a component into a descending list of n; return n + 1."""
    i = n
    while i > 0 and list_[at + i - 1] < component:
        list_[at + i] = list_[at + i - 1]
        i -= 1
    list_[at + i] = component
    return n + 1


@kernel
def _better(one: Buffer, i: int, other: Buffer, j: int, n: int) -> bool:
    """Return whether the first of two lists of n components is the canonical one: sizes, then types, then cards."""
    for k in range(n):
        if one[i + k] >> 12 != other[j + k] >> 12:
            return one[i + k] >> 12 > other[j + k] >> 12
    for k in range(n):
        if one[i + k] >> 9 != other[j + k] >> 9:
            return one[i + k] >> 9 > other[j + k] >> 9
    for k in range(n):
        if one[i + k] != other[j + k]:
            return one[i + k] > other[j + k]
    return False


@kernel
def _run(lane: Buffer, chain: Buffer, group: int, i: int, j: int, each: int) -> int:
    """Return the component on the places i .. j of the chain, `each` cards on each."""
    steps = j - i + 1
    kind = each if steps == 1 else each + 2
    early = 0
    found = 0
    for k in range(i, j + 1):
        if lane[(group * STEPS + chain[k]) * LANES + 1] >= 0:
            place = LANES - 1 - chain[WIDE + k]
            if found == 0:
                early |= place << 2
            elif found == 1:
                early |= place
            found += 1
    return steps * each << 12 | kind << 9 | chain[i] << 4 | early


@kernel
def _split(lane: Buffer, group: int, n: int, chain: Buffer, least: Buffer, lists: Buffer, made: Buffer) -> int:
    """Write the canonical components of a chain of n places to `made`; return how many.

    Runs lie side by side on a chain, so the best split from a place on follows from the splits of what comes later
    (dynamic programming).
    """
    least[n] = 0
    for i in range(n - 1, -1, -1):
        have = chain[2 * WIDE + i]
        if have <= 1:
            least[i] = least[i + 1] + have
            continue
        best = 999
        cost = 1
        j = i
        while j < n and chain[2 * WIDE + j] >= 2:  # a tractor or a pair
            if chain[2 * WIDE + j] == 3:
                cost += 1
            if cost + least[j + 1] < best:
                best = cost + least[j + 1]
            if chain[3 * WIDE + j]:
                break
            j += 1
        j = i
        while j < n and chain[2 * WIDE + j] == 3:  # a titanic or a triple
            if 1 + least[j + 1] < best:
                best = 1 + least[j + 1]
            if chain[3 * WIDE + j]:
                break
            j += 1
        least[i] = best
    # Of the splits with the fewest components the canonical one, from the end. lists[i]: that of the places from i on.
    for i in range(n - 1, -1, -1):
        have = chain[2 * WIDE + i]
        here = i * MOST
        if have <= 1:
            m = least[i + 1]
            for k in range(m):
                lists[here + k] = lists[here + MOST + k]
            if have == 1:
                _insert(lists, here, m, _run(lane, chain, group, i, i, 1))
            continue
        found = False
        for each in range(3, 1, -1):
            j = i
            cost = 1
            while j < n and chain[2 * WIDE + j] >= each:
                if each == 2 and chain[2 * WIDE + j] == 3:
                    cost += 1
                if cost + least[j + 1] == least[i]:
                    m = least[j + 1]
                    for k in range(m):
                        made[k] = lists[(j + 1) * MOST + k]
                    m = _insert(made, 0, m, _run(lane, chain, group, i, j, each))
                    if each == 2:
                        for k in range(i, j + 1):
                            if chain[2 * WIDE + k] == 3:
                                m = _insert(made, 0, m, _run(lane, chain, group, k, k, 1))
                    if not found or _better(made, 0, lists, here, m):
                        for k in range(m):
                            lists[here + k] = made[k]
                        found = True
                if chain[3 * WIDE + j]:
                    break
                j += 1
    for k in range(least[0]):
        made[k] = lists[k]
    return least[0]


@kernel
def decompose(s: Table, cards: Buffer, at: int, group: int, room: Room, out: Buffer) -> int:
    """Write the canonical decomposition of cards of one group to `out`; return the number of components."""
    line, step, mark = s.line, s.step, s.mark
    n = 0
    last = -9  # the step on which a card was last held twice
    for i in range(s.first[group], s.first[group + 1]):
        card = line[i]
        have = cards[at + card]
        if have == 0:
            continue
        if have >= 2:
            if last - step[card] == 1:
                return _with_runs(s, cards, at, group, room, out)
            last = step[card]
        n = _insert(out, 0, n, have << 12 | have << 9 | mark[card])
    return n


@kernel
def _with_runs(s: Table, cards: Buffer, at: int, group: int, room: Room, out: Buffer) -> int:
    """Write the canonical decomposition of cards among which runs may be to `out`; return its length."""
    lane, steps = s.lane, s.steps[group]
    chain, least, lists, made, spare = room.chain, room.counts, room.lists, room.made, room.spare
    wide = -1  # the steps on which two different cards are held at least twice: at most two such steps
    wide2 = -1
    for step in range(steps - 1, -1, -1):
        cell = (group * STEPS + step) * LANES
        doubles = 0
        for k in range(LANES):
            card = lane[cell + k]
            if card < 0:
                break
            if cards[at + card] >= 2:
                doubles += 1
        if doubles >= 2:
            if wide < 0:
                wide = step
            else:
                wide2 = step
    best = 0
    # On a wide step: which card the run through it takes, or which two a run that ends and one that begins there take.
    for way in range(LANES * LANES if wide >= 0 else 1):
        for way2 in range(LANES * LANES if wide2 >= 0 else 1):
            sides = 0  # most runs of two steps beside the chain, where two wide steps adjoin (no trump, constant twos)
            if wide2 >= 0 and wide == wide2 + 1:
                sides = 3
            for triples in range(sides + 1):
                for pairs in range(sides + 1 - triples):
                    m = _laid(
                        lane,
                        steps,
                        cards,
                        at,
                        group,
                        wide,
                        way,
                        wide2,
                        way2,
                        triples,
                        pairs,
                        chain,
                        least,
                        lists,
                        made,
                        spare,
                    )
                    if m > 0 and (best == 0 or m < best or (m == best and _better(spare, 0, out, 0, m))):
                        best = m
                        for k in range(m):
                            out[k] = spare[k]
    return best


@kernel
def _laid(
    lane: Buffer,
    steps: int,
    cards: Buffer,
    at: int,
    group: int,
    wide: int,
    way: int,
    wide2: int,
    way2: int,
    triples: int,
    pairs: int,
    chain: Buffer,
    least: Buffer,
    lists: Buffer,
    made: Buffer,
    out: Buffer,
) -> int:
    """Write the decomposition for one choice of cards on the wide steps to `out`; return its length, 0 for none.

    way: lane of the upper run's card times four plus lane of the lower's; the same twice: one run goes through.
    triples, pairs: so many titanics and tractors of two lie across both wide steps, beside the chain.
    """
    n = 0  # places of the chain
    m = 0  # components beside it
    for step in range(steps - 1, -1, -1):
        cell = (group * STEPS + step) * LANES
        upper = -1
        lower = -1
        if step in (wide, wide2):
            choice = way if step == wide else way2
            upper, lower = choice // LANES, choice % LANES
            if lane[cell + upper] < 0 or lane[cell + lower] < 0:
                return 0
            if cards[at + lane[cell + upper]] < 2 or cards[at + lane[cell + lower]] < 2:
                return 0
            chain[n], chain[WIDE + n] = step, upper
            chain[2 * WIDE + n], chain[3 * WIDE + n] = cards[at + lane[cell + upper]], int(upper != lower)
            n += 1
            if upper != lower:
                chain[n], chain[WIDE + n] = step, lower
                chain[2 * WIDE + n], chain[3 * WIDE + n] = cards[at + lane[cell + lower]], 0
                n += 1
        else:
            # One run at most passes here: by the card that is held twice, if there is one.
            for k in range(LANES):
                card = lane[cell + k]
                if card >= 0 and cards[at + card] > 0 and (upper < 0 or cards[at + card] >= 2):
                    upper = k
            lower = upper
            chain[n], chain[WIDE + n] = step, max(upper, 0)
            chain[2 * WIDE + n] = cards[at + lane[cell + upper]] if upper >= 0 else 0
            chain[3 * WIDE + n] = 0
            n += 1
        if step in (wide, wide2) and triples + pairs > 0:
            continue
        for k in range(LANES):
            card = lane[cell + k]
            if card >= 0 and k not in (upper, lower) and cards[at + card] > 0:
                m = _insert(out, 0, m, lone(lane, cell, k, step, cards[at + card]))
    if triples + pairs > 0:
        m = _beside(lane, cards, at, group, wide, way, way2, triples, pairs, out, m)
        if m < 0:
            return 0
    more = _split(lane, group, n, chain, least, lists, made)
    for k in range(more):
        m = _insert(out, 0, m, made[k])
    return m


@kernel
def _beside(
    lane: Buffer,
    cards: Buffer,
    at: int,
    group: int,
    wide: int,
    way: int,
    way2: int,
    triples: int,
    pairs: int,
    out: Buffer,
    m: int,
) -> int:
    """Add runs across the two wide steps, and what is left on these, to `out`; return its length, -1 for none."""
    high, low = (group * STEPS + wide) * LANES, (group * STEPS + wide - 1) * LANES
    used = 1 << way // LANES | 1 << way % LANES
    used2 = 1 << way2 // LANES | 1 << way2 % LANES
    for each in range(3, 1, -1):
        for _ in range(triples if each == 3 else pairs):
            one = -1
            other = -1
            for have in range(each, 4):  # a pair is taken from a triple only when there is no other
                for k in range(LANES):
                    if one < 0 and not used >> k & 1 and cards[at + lane[high + k]] == have:
                        one = k
                    if other < 0 and not used2 >> k & 1 and cards[at + lane[low + k]] == have:
                        other = k
            if one < 0 or other < 0:
                return -1
            used |= 1 << one
            used2 |= 1 << other
            early = LANES - 1 - one << 2 | LANES - 1 - other
            m = _insert(out, 0, m, 2 * each << 12 | each + 2 << 9 | wide << 4 | early)
            if each == 2 and cards[at + lane[high + one]] == 3:
                m = _insert(out, 0, m, lone(lane, high, one, wide, 1))
            if each == 2 and cards[at + lane[low + other]] == 3:
                m = _insert(out, 0, m, lone(lane, low, other, wide - 1, 1))
    for k in range(LANES):
        if not used >> k & 1 and cards[at + lane[high + k]] > 0:
            m = _insert(out, 0, m, lone(lane, high, k, wide, cards[at + lane[high + k]]))
        if not used2 >> k & 1 and cards[at + lane[low + k]] > 0:
            m = _insert(out, 0, m, lone(lane, low, k, wide - 1, cards[at + lane[low + k]]))
    return m
