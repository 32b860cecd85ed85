"""Why an action is not allowed: each `bar_` function returns 0, or the number of an error code of section 10."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import kernel
from qipai.games.mahjong.kernel.fan import (
    BEST,
    DI_HU,
    GANG_SHANG_HUA,
    GANG_SHANG_PAO,
    HAI_DI,
    HAI_DI_PAO,
    QIANG_GANG,
    TIAN_HU,
    ZI_MO,
    capped,
    fan,
)
from qipai.games.mahjong.kernel.forms import completes, is_whole, waits, waits_without
from qipai.games.mahjong.kernel.table import (
    ACTOR,
    ADDED,
    AFTER,
    BACK,
    CALLED,
    CELLS,
    CONCEALED,
    DANCED,
    DEALER,
    DIRECT,
    DRAWN,
    DRAWS,
    FRESH,
    FRONT,
    HANDS,
    KEYS,
    KINDS,
    LAID,
    LIVE,
    LOCKS,
    MELD_CELLS,
    MELD_SUITS,
    MELDS,
    O_CALLS,
    O_KONGS,
    O_LAST,
    O_LATE,
    O_SELF,
    PUNG,
    REPLACED,
    RIVER,
    ROBBED,
    SEATS,
    SELF,
    SHOWN,
    SUIT,
    SUNG,
    VOID,
    Table,
    add_meld,
    bits,
    give,
    pong_of,
    take,
)

CODES: Final = (
    "",
    "cannot_win",
    "passed_win",
    "kong_off",
    "no_kong",
    "no_pair",
    "wall_empty",
    "void_suit",
    "must_keep_waits",
    "must_stay_ready",
    "late_kong",
    "not_in_hand",
    "must_discard_void",
    "bad_action",
    "already_called",
    "not_ready",
    "danced_tile",
)
CANNOT_WIN: Final = 1
PASSED_WIN: Final = 2
KONG_OFF: Final = 3
NO_KONG: Final = 4
NO_PAIR: Final = 5
WALL_EMPTY: Final = 6
VOID_SUIT: Final = 7
MUST_KEEP_WAITS: Final = 8
MUST_STAY_READY: Final = 9
LATE_KONG: Final = 10
NOT_IN_HAND: Final = 11
MUST_DISCARD_VOID: Final = 12
BAD_ACTION: Final = 13
ALREADY_CALLED: Final = 14
NOT_READY: Final = 15
DANCED_TILE: Final = 16


@kernel
def left(s: Table) -> int:
    """Return how many tiles are left in the wall."""
    b = s.b
    return b[BACK] - b[FRONT]


@kernel
def closing(s: Table) -> bool:
    """Return whether a seat that may win must do so (后四张必胡, 5.7)."""
    b = s.b
    return b[O_LAST] != 0 and left(s) <= 3


@kernel
def moment(s: Table, seat: int, by: int) -> int:
    """Return the items that a win would have because it happens now, as bits."""
    b = s.b
    empty = b[BACK] == b[FRONT]
    found = 0
    if by == SELF:
        if b[O_SELF] == 2:
            found |= 1 << ZI_MO
        if b[REPLACED]:
            found |= 1 << GANG_SHANG_HUA
        if empty:
            found |= 1 << HAI_DI
        if b[FRESH]:
            if seat == b[DEALER]:
                if b[RIVER] == 0:
                    found |= 1 << TIAN_HU
            elif b[seat * CELLS + DRAWS] == 1:
                found |= 1 << DI_HU
        return found
    if by == ROBBED:
        return 1 << QIANG_GANG
    if b[AFTER]:
        found |= 1 << GANG_SHANG_PAO
    if empty:
        found |= 1 << HAI_DI_PAO
    if b[FRESH] and b[RIVER] == 1 and b[ACTOR] == b[DEALER]:
        found |= 1 << DI_HU
    return found


@kernel
def value_self(s: Table, seat: int) -> int:
    """Return the fan of winning on the tile just drawn, uncapped; its items are in `b[ITEMS]`."""
    b = s.b
    drawn = b[DRAWN]
    return fan(s, seat, drawn, moment(s, seat, SELF), bits(waits_without(s, seat, drawn)) == 1, BEST)


@kernel
def value_on(s: Table, seat: int, tile: int, by: int) -> int:
    """Return the fan of winning on somebody's tile, uncapped; its items are in `b[ITEMS]`."""
    sole = bits(waits(s, seat)) == 1
    give(s, seat, tile)
    found = fan(s, seat, tile, moment(s, seat, by), sole, BEST)
    take(s, seat, tile)
    return found


@kernel
def line(tile: int) -> int:
    """Return the line of a tile: suit and rank class, 0 .. 8 (5.5)."""
    return SUIT[tile] * 3 + tile % 3


@kernel
def on_offer(s: Table, seat: int, tile: int, by: int) -> int:
    """Return the capped fan of the win that somebody's tile offers a seat, -1 for none, -2 where its lock bars it."""
    b = s.b
    if not completes(s, seat, tile):
        return -1
    found = capped(b, value_on(s, seat, tile, by))
    return -2 if found <= b[LOCKS + seat * 9 + line(tile)] else found


@kernel
def wins_now(s: Table, seat: int) -> bool:
    """Return whether the seat whose turn it is may win on its draw."""
    b = s.b
    return b[DRAWN] >= 0 and is_whole(s, seat)


@kernel
def after_kong(s: Table, seat: int, tile: int, kind: int) -> int:
    """Return what a seat would wait for after laying a kong, before it draws the replacement."""
    b = s.b
    if kind == ADDED:
        at = pong_of(s, seat, tile)
        take(s, seat, tile)
        b[LAID + at] |= ADDED << 5
        found = waits(s, seat)
        b[LAID + at] ^= ADDED << 5
        give(s, seat, tile)
        return found
    n = 4 if kind == CONCEALED else 3
    suits = b[seat * CELLS + MELD_SUITS]
    for _ in range(n):
        take(s, seat, tile)
    add_meld(s, seat, tile, kind, -1)
    found = waits(s, seat)
    b[seat * CELLS + MELDS] -= 1
    b[seat * CELLS + MELD_SUITS] = suits
    b[LAID + seat * MELD_CELLS + b[seat * CELLS + MELDS]] = 0
    for _ in range(n):
        give(s, seat, tile)
    return found


@kernel
def breaks(s: Table, seat: int, tile: int, kind: int) -> int:
    """Return what a kong would break: a singer must stay ready, a dancer must keep the waits; 0 for nothing."""
    b = s.b
    at = seat * CELLS
    called, shown = b[at + CALLED], b[at + SHOWN]
    if called & DANCED:
        return 0 if after_kong(s, seat, tile, kind) == shown else MUST_KEEP_WAITS
    if called & SUNG:
        return 0 if after_kong(s, seat, tile, kind) else MUST_STAY_READY
    return 0


@kernel
def kind_of_kong(s: Table, seat: int, tile: int) -> int:
    """Return which kong a seat can lay from its hand on its turn, 0 for none."""
    b = s.b
    n = b[HANDS + seat * KINDS + tile]
    if b[DRAWN] < 0 or n == 0:
        return 0
    if n == 4:
        return CONCEALED
    return ADDED if pong_of(s, seat, tile) >= 0 else 0


@kernel
def bar_kong(s: Table, seat: int, tile: int) -> int:
    """Return what bars a kong on one's own turn."""
    b = s.b
    if not b[O_KONGS]:
        return KONG_OFF
    kind = kind_of_kong(s, seat, tile)
    if kind == 0:
        return NO_KONG
    if left(s) == 0:
        return WALL_EMPTY
    if SUIT[tile] == b[seat * CELLS + VOID]:
        return VOID_SUIT
    broken = breaks(s, seat, tile, kind)
    if broken:
        return broken
    if kind == ADDED and tile != b[DRAWN] and b[O_LATE] == 2:
        return LATE_KONG
    return 0


@kernel
def bar_claimed_kong(s: Table, seat: int, tile: int) -> int:
    """Return what bars a direct kong of the tile just thrown."""
    b = s.b
    if not b[O_KONGS]:
        return KONG_OFF
    if b[HANDS + seat * KINDS + tile] < 3:
        return NO_KONG
    if left(s) == 0:
        return WALL_EMPTY
    if SUIT[tile] == b[seat * CELLS + VOID]:
        return VOID_SUIT
    return breaks(s, seat, tile, DIRECT)


@kernel
def bar_pong(s: Table, seat: int, tile: int) -> int:
    """Return what bars a pong of the tile just thrown."""
    b = s.b
    at = seat * CELLS
    if b[HANDS + seat * KINDS + tile] < 2:
        return NO_PAIR
    if left(s) == 0:
        return WALL_EMPTY
    if SUIT[tile] == b[at + VOID]:
        return VOID_SUIT
    called = b[at + CALLED]
    if called & DANCED:
        return MUST_KEEP_WAITS
    if called & SUNG:
        suits = b[at + MELD_SUITS]
        take(s, seat, tile)
        take(s, seat, tile)
        add_meld(s, seat, tile, PUNG, -1)
        ready = False
        for other in range(KINDS):
            if not ready and b[HANDS + seat * KINDS + other] and waits_without(s, seat, other):
                ready = True
        b[at + MELDS] -= 1
        b[at + MELD_SUITS] = suits
        b[LAID + seat * MELD_CELLS + b[at + MELDS]] = 0
        give(s, seat, tile)
        give(s, seat, tile)
        if not ready:
            return MUST_STAY_READY
    return 0


@kernel
def shown_to(s: Table, seat: int) -> int:
    """Return the kinds a seat may not throw plainly: the waits shown by other dancers in play (5.6)."""
    b = s.b
    live = b[LIVE]
    if b[seat * CELLS + CALLED]:
        return 0
    mask = 0
    for other in range(SEATS):
        if other != seat and live >> other & 1 and b[other * CELLS + CALLED] & DANCED:
            mask |= b[other * CELLS + SHOWN]
    if mask == 0:
        return 0
    void = clearing(s, seat)
    for tile in range(KINDS):
        if b[HANDS + seat * KINDS + tile] and (void < 0 or SUIT[tile] == void) and not mask >> tile & 1:
            return mask
    return 0  # if every possible discard is barred, none is


@kernel
def clearing(s: Table, seat: int) -> int:
    """Return the declared suit while tiles of it are in the hand and must go first (5.3), -1 otherwise."""
    b = s.b
    void = b[seat * CELLS + VOID]
    return void if void >= 0 and b[KEYS + seat * 3 + void] else -1


@kernel
def bar_discard(s: Table, seat: int, tile: int, call: int, shown: int) -> int:
    """Return what bars a discard. call: 0, SUNG or DANCED; shown: see `shown_to`."""
    b = s.b
    if not b[HANDS + seat * KINDS + tile]:
        return NOT_IN_HAND
    rest = waits_without(s, seat, tile) if call or b[seat * CELLS + CALLED] else 0
    return bar_throw(s, seat, tile, call, shown, clearing(s, seat), rest)


@kernel
def bar_throw(s: Table, seat: int, tile: int, call: int, shown: int, void: int, rest: int) -> int:
    """Return what bars the discard of a tile of the hand; void: see `clearing`; rest: what the hand then waits for."""
    b = s.b
    at = seat * CELLS
    if void >= 0 and SUIT[tile] != void:
        return MUST_DISCARD_VOID
    called = b[at + CALLED]
    if call:
        if not b[O_CALLS]:
            return BAD_ACTION
        if called & (DANCED | call):
            return ALREADY_CALLED
    if call or called:
        if call and not rest:
            return NOT_READY
        if called & DANCED and rest != b[at + SHOWN]:
            return MUST_KEEP_WAITS
        if called and not rest:
            return MUST_STAY_READY
    if not call and shown >> tile & 1:
        return DANCED_TILE
    return 0


@kernel
def bar_hu(s: Table, seat: int, tile: int, by: int) -> int:
    """Return what bars a win on somebody's tile."""
    found = on_offer(s, seat, tile, by)
    if found >= 0:
        return 0
    return PASSED_WIN if found == -2 else CANNOT_WIN
