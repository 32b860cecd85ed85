"""The moves of a hand: what is legal, taking an action, what an absent player does, whole hands at random."""

from __future__ import annotations

from qipai.core.kernel import Buffer, kernel, lcg
from qipai.games.mahjong.kernel.bars import (
    bar_discard,
    bar_kong,
    clearing,
    closing,
    left,
    shown_to,
    wins_now,
)
from qipai.games.mahjong.kernel.flow import (
    answer,
    deal_out,
    exchange,
    give_three,
    go_on,
    lay,
    prepare,
    take_horse,
    throw,
    win_self,
)
from qipai.games.mahjong.kernel.forms import waits_without
from qipai.games.mahjong.kernel.table import (
    ACTOR,
    ADDED,
    ANSWER,
    ASKED,
    BENCH,
    CALLED,
    CELLS,
    CLAIM,
    CONCEALED,
    DANCED,
    DEAL,
    DEALER,
    DIE,
    DO_DISCARD,
    DO_HORSE,
    DO_HU,
    DO_KONG,
    DO_PASS,
    DO_PONG,
    DO_SWAP,
    DO_VOID,
    DRAWN,
    END,
    HANDS,
    HORSE,
    HORSE_AT,
    HU,
    KEYS,
    KINDS,
    KONG,
    MELD_SUITS,
    MELDS,
    O_CALLS,
    O_KONGS,
    OPEN,
    PASSED,
    PHASE,
    PONG,
    ROB,
    SEATS,
    STEP,
    SUIT,
    SUNG,
    SWAP,
    TILE,
    TILES,
    TURN,
    VOID,
    VOIDING,
    WALL,
    Table,
)


@kernel
def to_act(s: Table) -> int:
    """Return a seat that is asked: in a window the first after the thrower; -1 before a draw of luck and at the end."""
    b = s.b
    phase = b[PHASE]
    if phase == TURN:
        return b[ACTOR]
    if phase == HORSE:
        return SEATS + b[HORSE_AT]
    if phase in (CLAIM, ROB, SWAP, VOIDING):
        asked = b[ASKED]
        for step in range(1, SEATS + 1):
            seat = (b[ACTOR] + step) % SEATS
            if asked >> seat & 1:
                return seat
    return -1


@kernel
def legal(s: Table, seat: int, out: Buffer) -> int:
    """Write the actions of a seat that is asked to `out`, return their number."""
    b = s.b
    phase = b[PHASE]
    if phase == TURN:
        return legal_turn(s, seat, out)
    if phase in (CLAIM, ROB):
        return legal_claim(s, seat, out)
    if phase == SWAP:
        return legal_swaps(s, seat, out)
    if phase == VOIDING:
        for suit in range(3):
            out[suit] = DO_VOID + suit
        return 3
    if phase == HORSE:
        n = left(s)
        for i in range(n):
            out[i] = DO_HORSE + i
        out[n] = DO_PASS
        return n + 1
    return 0


@kernel
def legal_claim(s: Table, seat: int, out: Buffer) -> int:
    """Write the answers open to a seat in a window."""
    b = s.b
    tile = b[TILE]
    found = b[seat * CELLS + OPEN]
    n = 0
    if found & HU:
        out[n] = DO_HU
        n += 1
        if closing(s):
            return n
    if found & KONG:
        out[n] = DO_KONG + tile
        n += 1
    if found & PONG:
        out[n] = DO_PONG
        n += 1
    out[n] = DO_PASS
    return n + 1


@kernel
def legal_turn(s: Table, seat: int, out: Buffer) -> int:
    """Write what the seat whose turn it is may do: win, kongs, discards with their calls."""
    b = s.b
    at = seat * CELLS
    first = seat * KINDS
    n = 0
    melds = b[at + MELDS]
    if b[DRAWN] >= 0:
        if wins_now(s, seat):
            out[0] = DO_HU
            n = 1
            if closing(s):
                return n
        if b[O_KONGS] and left(s) > 0:
            for tile in range(KINDS):
                held = b[HANDS + first + tile]
                if held and (held == 4 or melds) and bar_kong(s, seat, tile) == 0:
                    out[n] = DO_KONG + tile
                    n += 1
    void, called, shown = clearing(s, seat), b[at + CALLED], shown_to(s, seat)
    suits = b[at + MELD_SUITS]
    for suit in range(3):
        if b[KEYS + seat * 3 + suit]:
            suits |= 1 << suit
    sings = b[O_CALLS] and not called
    dances = b[O_CALLS] and not called & DANCED
    for tile in range(KINDS):
        held = b[HANDS + first + tile]
        suit = SUIT[tile]
        if held == 0 or (void >= 0 and suit != void):
            continue
        if called:
            if bar_discard(s, seat, tile, 0, 0) == 0:
                out[n] = DO_DISCARD + tile
                n += 1
            if dances and bar_discard(s, seat, tile, DANCED, 0) == 0:
                out[n] = DO_DISCARD + 32 * DANCED + tile
                n += 1
            continue
        if not shown >> tile & 1:
            out[n] = DO_DISCARD + tile
            n += 1
        # With three suits in hand and melds only the last tile of one of them can leave a ready hand.
        if sings and (suits != 7 or (held == 1 and last_of_suit(s, seat, tile))) and waits_without(s, seat, tile):
            out[n] = DO_DISCARD + 32 * SUNG + tile
            out[n + 1] = DO_DISCARD + 32 * DANCED + tile
            n += 2
    if n == 0:  # an imagined hand may be unable to keep its seat's call: then the call does not bind it
        for tile in range(KINDS):
            if b[HANDS + first + tile]:
                out[n] = DO_DISCARD + tile
                n += 1
    return n


@kernel
def last_of_suit(s: Table, seat: int, tile: int) -> bool:
    """Return whether a seat has no other tile of its suit."""
    b = s.b
    suit = SUIT[tile]
    return b[KEYS + seat * 3 + suit] == STEP[tile] and not b[seat * CELLS + MELD_SUITS] >> suit & 1


@kernel
def legal_swaps(s: Table, seat: int, out: Buffer) -> int:
    """Write all threes of one suit, ascending."""
    b = s.b
    first = seat * KINDS
    n = 0
    for i in range(KINDS):
        if b[HANDS + first + i] == 0:
            continue
        end = SUIT[i] * 9 + 9
        for j in range(i, end):
            if b[HANDS + first + j] < (2 if j == i else 1):
                continue
            for k in range(j, end):
                same = 1 + (1 if k == j else 0) + (1 if k == i else 0)
                if b[HANDS + first + k] >= same:
                    out[n] = DO_SWAP | i | j << 5 | k << 10
                    n += 1
    return n


@kernel
def act(s: Table, seat: int, action: int) -> None:
    """Take a legal action; a window that has all its answers is resolved."""
    begin(s, seat, action)
    settle(s)


@kernel
def begin(s: Table, seat: int, action: int) -> None:
    """Take a legal action; do not resolve a window that it completes or in which no seat is asked."""
    b = s.b
    phase = b[PHASE]
    if phase == TURN:
        if action == DO_HU:
            win_self(s, seat)
        elif action < DO_DISCARD:
            tile = action - DO_KONG
            lay(s, seat, tile, CONCEALED if b[HANDS + seat * KINDS + tile] == 4 else ADDED)
        else:
            throw(s, seat, action & 31, action - DO_DISCARD >> 5)
    elif phase in (CLAIM, ROB):
        if action == DO_HU:
            answer(s, seat, HU)
        elif action == DO_PONG:
            answer(s, seat, PONG)
        elif action == DO_PASS:
            answer(s, seat, PASSED)
        else:
            answer(s, seat, KONG)
    elif phase == SWAP:
        give_three(s, seat, action & 31, action >> 5 & 31, action >> 10 & 31)
    elif phase == VOIDING:
        b[seat * CELLS + VOID] = action - DO_VOID
        b[seat * CELLS + ANSWER] = 1
        b[ASKED] &= ~(1 << seat)
        if b[ASKED] == 0:
            prepare(s, TURN)
    elif phase == HORSE:
        take_horse(s, action - DO_HORSE if action >= DO_HORSE else -1)


@kernel
def settle(s: Table) -> None:
    """Resolve a window that has all its answers."""
    b = s.b
    while (b[PHASE] == CLAIM or b[PHASE] == ROB) and b[ASKED] == 0:
        go_on(s)


@kernel
def idle(s: Table, seat: int) -> int:
    """Return what is done for a seat that is out of time (R36)."""
    b = s.b
    first = seat * KINDS
    phase = b[PHASE]
    if phase == TURN:
        if wins_now(s, seat) and closing(s):
            return DO_HU
        shown = shown_to(s, seat)
        if b[DRAWN] >= 0 and bar_discard(s, seat, b[DRAWN], 0, shown) == 0:
            return DO_DISCARD + b[DRAWN]
        for i in range(KINDS):
            tile = KINDS - 1 - i
            if bar_discard(s, seat, tile, 0, shown) == 0:
                return DO_DISCARD + tile
    if phase in (CLAIM, ROB):
        return DO_HU if b[seat * CELLS + OPEN] & HU and closing(s) else DO_PASS
    if phase in (SWAP, VOIDING):
        best, fewest = 0, 99
        for suit in range(3):
            n = 0
            for i in range(first + suit * 9, first + suit * 9 + 9):
                n += b[HANDS + i]
            if n < fewest and (n >= 3 or phase == VOIDING):
                best, fewest = suit, n
        if phase == VOIDING:
            return DO_VOID + best
        found, code = 0, DO_SWAP
        for tile in range(best * 9, best * 9 + 9):
            for _ in range(b[HANDS + first + tile]):
                if found < 3:
                    code |= tile << 5 * found
                    found += 1
        return code
    return DO_PASS


@kernel
def shuffle(s: Table, seed: int) -> int:
    """Shuffle a whole set of tiles into the wall by the kernels' own random numbers; return the next seed."""
    b = s.b
    for i in range(TILES):
        b[WALL + i] = i // 4
    for i in range(TILES - 1, 0, -1):
        seed = lcg(seed)
        j = (seed >> 8) % (i + 1)
        b[WALL + i], b[WALL + j] = b[WALL + j], b[WALL + i]
    return seed


@kernel
def start(s: Table, dealer: int, bench: int) -> None:
    """Deal the shuffled wall of an empty table."""
    b = s.b
    b[PHASE] = DEAL
    b[DEALER] = dealer
    b[BENCH] = bench
    deal_out(s)


@kernel
def play_at_random(s: Table, seed: int, out: Buffer, trace: Buffer) -> int:
    """Play a dealt hand to its end with uniformly random actions; return the number of actions.

    trace: its first cell takes a 31-bit hash of every seat, action and number of choices, in order.
    """
    b = s.b
    steps, trail = 0, 0
    while b[PHASE] != END:
        seed = lcg(seed)
        if b[PHASE] == DIE:
            exchange(s, (seed >> 16) % 6 + 1)
            continue
        seat = to_act(s)
        n = legal(s, seat, out)
        action = out[(seed >> 16) % n]
        trail = (trail * 31 + action * 7 + n * 6 + seat) & 0x7FFFFFFF
        act(s, seat, action)
        steps += 1
    trace[0] = trail
    return steps
