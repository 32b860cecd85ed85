"""What a seat knows, written by the kernel in the order of `arrays.FIELDS`, and play on to the next question."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel, lcg
from qipai.games.mahjong.kernel import money
from qipai.games.mahjong.kernel.flow import exchange
from qipai.games.mahjong.kernel.play import act, legal, shuffle, start, to_act
from qipai.games.mahjong.kernel.table import (
    ACTOR,
    ANSWER,
    BACK,
    CALLED,
    CELLS,
    CLAIM,
    DANCED,
    DEALER,
    DIE,
    DO_DISCARD,
    DO_HU,
    DO_KONG,
    DO_PONG,
    DO_SWAP,
    DO_VOID,
    DRAWN,
    END,
    FRONT,
    HANDS,
    HELD,
    KINDS,
    LAID,
    MELD_CELLS,
    MELDS,
    OPEN,
    PHASE,
    RIVER,
    RIVERS,
    ROB,
    SEATS,
    SUNG,
    TILE,
    VOID,
    VOIDING,
    W_SEAT,
    WIN_CELLS,
    WINS,
    WON,
    Table,
    clear,
)

__all__ = ["KNOWN", "SAID", "dealt", "describe", "go_on", "look"]

WAIT: Final = 9  # places of the phases in `arrays.PHASES`
OVER: Final = 10
PHASES: Final = 11
KNOWN: Final = KINDS * (3 + 2 * SEATS) + SEATS * 11 + 1 + PHASES  # numbers that `look` writes
SAID: Final = KINDS * 2 + 3 + 7  # numbers that `describe` writes


@kernel
def look(s: Table, seat: int, out: Buffer, money_room: Buffer) -> None:
    """Write what a seat knows; nothing that it may not know is read."""
    b = s.b
    for i in range(KNOWN):
        out[i] = 0
    phase = b[PHASE]
    window = phase in (CLAIM, ROB)
    at = 0
    for tile in range(KINDS):
        out[tile] = b[HANDS + seat * KINDS + tile]
    at += KINDS
    if b[DRAWN] >= 0 and b[ACTOR] == seat:
        out[at + b[DRAWN]] = 1
    at += KINDS
    for step in range(SEATS):
        other = (seat + step) % SEATS
        for i in range(b[other * CELLS + MELDS]):
            code = b[LAID + other * MELD_CELLS + i]
            out[at + step * KINDS + (code & 31)] += 4 if code >> 5 & 3 else 3
    at += KINDS * SEATS
    for i in range(b[RIVER]):
        code = b[RIVERS + i]
        if code >> 9 == 0:
            out[at + ((code >> 5 & 3) - seat) % SEATS * KINDS + (code & 31)] += 1
    at += KINDS * SEATS
    if window and b[TILE] >= 0:
        out[at + b[TILE]] = 1
        out[at + KINDS + (b[ACTOR] - seat) % SEATS] = 1
    at += KINDS + SEATS
    money.balance(s, money_room)
    for step in range(SEATS):
        other = (seat + step) % SEATS
        cells = other * CELLS
        out[at + step] = b[cells + HELD]
        if b[cells + VOID] >= 0 and (phase != VOIDING or step == 0):
            out[at + SEATS + step * 3 + b[cells + VOID]] = 1
        out[at + 5 * SEATS + step] = b[cells + CALLED] & SUNG
        out[at + 6 * SEATS + step] = 1 if b[cells + CALLED] & DANCED else 0
        out[at + 9 * SEATS + 1 + step] = money_room[other]
    for i in range(b[WINS]):
        out[at + 4 * SEATS + (b[WON + i * WIN_CELLS + W_SEAT] - seat) % SEATS] = 1
    out[at + 7 * SEATS + (b[DEALER] - seat) % SEATS] = 1
    if b[ACTOR] >= 0:
        out[at + 8 * SEATS + (b[ACTOR] - seat) % SEATS] = 1
    out[at + 9 * SEATS] = b[BACK] - b[FRONT]
    at += 10 * SEATS + 1
    if phase == END:
        phase = OVER
    elif window and not b[seat * CELLS + ANSWER] and not b[seat * CELLS + OPEN]:
        phase = WAIT
    out[at + phase] = 1


@kernel
def describe(codes: Buffer, many: int, out: Buffer) -> None:
    """Write actions as numbers, SAID each: tile thrown, tile of a kong, suit; discard sing dance hu pong pass swap."""
    for i in range(many * SAID):
        out[i] = 0
    for i in range(many):
        code, at = codes[i], i * SAID
        verb = at + 2 * KINDS + 3
        if code & DO_SWAP:
            out[at + (code & 31)] += 1
            out[at + (code >> 5 & 31)] += 1
            out[at + (code >> 10 & 31)] += 1
            out[verb + 6] = 1
        elif code >= DO_VOID:
            out[at + 2 * KINDS + code - DO_VOID] = 1
        elif code >= DO_DISCARD:
            out[at + (code & 31)] = 1
            out[verb + (code - DO_DISCARD >> 5)] = 1
        elif code >= DO_KONG:
            out[at + KINDS + code - DO_KONG] = 1
        elif code == DO_HU:
            out[verb + 3] = 1
        elif code == DO_PONG:
            out[verb + 4] = 1
        else:
            out[verb + 5] = 1


@kernel
def dealt(s: Table, seed: int) -> int:
    """Deal a new hand out of a seed; return the next seed."""
    clear(s)
    seed = shuffle(s, seed)
    start(s, seed % SEATS, 0)
    return seed


@kernel
def go_on(s: Table, seat: int, code: int, seed: int, known: Buffer, codes: Buffer, told: Buffer) -> int:
    """Take an action (0: none), play luck, and write the next question; return the next seed.

    told: who is asked, -1 at the end; how many `codes` it may choose from; at the end the points of each seat.
    """
    b = s.b
    if code:
        act(s, seat, code)
    while b[PHASE] == DIE:
        seed = lcg(seed)
        exchange(s, (seed >> 16) % 6 + 1)
    asked = to_act(s)
    told[0], told[1] = asked, 0
    if asked < 0:
        money.balance(s, told[2:])
        return seed
    look(s, asked, known, told[2:])
    told[1] = legal(s, asked, codes)
    return seed
