"""The course of a hand: dealing, the phases before the first discard, turns, claim windows, the end (3.5, 4)."""

from __future__ import annotations

from qipai.core.kernel import kernel
from qipai.games.mahjong.kernel.bars import (
    bar_claimed_kong,
    bar_pong,
    closing,
    line,
    on_offer,
    value_on,
    value_self,
)
from qipai.games.mahjong.kernel.forms import waits
from qipai.games.mahjong.kernel.money import pay_kong, pay_win, settle_checks, transfer
from qipai.games.mahjong.kernel.table import (
    ACTOR,
    ADDED,
    AFTER,
    ANSWER,
    ASKED,
    BACK,
    BENCH,
    CALLED,
    CELLS,
    CLAIM,
    CONCEALED,
    DANCED,
    DEALER,
    DIE,
    DIRECT,
    DISCARD,
    DRAWN,
    DRAWS,
    END,
    ENDED,
    FRESH,
    FRONT,
    GIVER,
    HANDS,
    HORSE,
    HORSE_AT,
    HORSES,
    HU,
    ITEMS,
    KINDS,
    KONG,
    KONGS,
    LAID,
    LIVE,
    LOCKS,
    O_BLOODY,
    O_DECLARE,
    O_EXCHANGE,
    O_FLOWER,
    O_FRONT,
    O_HORSE,
    O_LATE,
    O_LOCK,
    O_NEAREST,
    O_TRANSFER,
    OPEN,
    PHASE,
    PONG,
    PUNG,
    REPLACED,
    RIVER,
    RIVERS,
    ROB,
    ROBBED,
    SEATS,
    SELF,
    SHOWN,
    SWAP,
    SWAPPED,
    SWAPS,
    TILE,
    TILES,
    TURN,
    VOIDING,
    W_BY,
    W_FAN,
    W_GIVER,
    W_ITEMS,
    W_NO,
    W_SEAT,
    W_TILE,
    WALL,
    WIN_CELLS,
    WINS,
    WON,
    WON_TILES,
    WORTH,
    Table,
    add_meld,
    give,
    pong_of,
    take,
)
from qipai.kit.seats import following


@kernel
def deal_out(s: Table) -> None:
    """Deal the wall (3.5) and enter the first phase; the caller has set the dealer and the bench."""
    b = s.b
    b[FRONT], b[BACK] = 0, TILES
    dealer = b[DEALER]
    for many in range(4):
        for step in range(SEATS):
            for _ in range(4 if many < 3 else 1):
                give(s, (dealer + step) % SEATS, b[WALL + b[FRONT]])
                b[FRONT] += 1
    tile = b[WALL + b[FRONT]]
    b[FRONT] += 1
    give(s, dealer, tile)
    b[dealer * CELLS + DRAWS] = 1
    b[DRAWN] = tile
    b[ACTOR] = dealer
    b[FRESH] = 1
    prepare(s, HORSE)


@kernel
def prepare(s: Table, phase: int) -> None:
    """Enter the first phase of 3.6, from `phase` on, that the house rules ask for."""
    b = s.b
    b[ASKED] = 0
    for seat in range(SEATS):
        b[seat * CELLS + ANSWER] = 0
    if phase == HORSE and b[O_HORSE] and b[HORSE_AT] < b[BENCH]:
        b[PHASE] = HORSE
    elif phase <= SWAP and b[O_EXCHANGE]:
        b[PHASE] = SWAP
        b[ASKED] = 15
    elif phase <= VOIDING and b[O_DECLARE]:
        b[PHASE] = VOIDING
        b[ASKED] = 15
    else:
        b[PHASE] = TURN


@kernel
def take_horse(s: Table, index: int) -> None:
    """Give the buyer whose choice it is the tile at an index of the live wall, -1 for none."""
    b = s.b
    at = b[HORSE_AT]
    if index >= 0:
        where = b[FRONT] + index
        tile = b[WALL + where]
        while where > b[FRONT]:
            b[WALL + where] = b[WALL + where - 1]
            where -= 1
        b[WALL + where] = tile
        b[FRONT] += 1
        b[HORSES + 2 * at] = tile
        b[HORSES + 2 * at + 1] = (b[DEALER] + tile % 9) % SEATS
    b[HORSE_AT] = at + 1
    prepare(s, HORSE)


@kernel
def give_three(s: Table, seat: int, first: int, second: int, third: int) -> None:
    """Take a seat's three tiles for the exchange; the die is due when all are in."""
    b = s.b
    b[SWAPS + seat * 3] = first
    b[SWAPS + seat * 3 + 1] = second
    b[SWAPS + seat * 3 + 2] = third
    b[seat * CELLS + ANSWER] = 1
    b[ASKED] &= ~(1 << seat)
    if b[ASKED] == 0:
        b[PHASE] = DIE


@kernel
def exchange(s: Table, die: int) -> None:
    """Pass the exchanged tiles on as the die says (4.2)."""
    b = s.b
    by = 1 if die <= 2 else 3 if die <= 4 else 2
    b[SWAPPED] = by
    for i in range(SEATS * 3):
        take(s, i // 3, b[SWAPS + i])
    dealer = b[DEALER]
    gone = b[HANDS + dealer * KINDS + b[DRAWN]] == 0
    for i in range(SEATS * 3):
        give(s, (i // 3 + by) % SEATS, b[SWAPS + i])
    if gone:
        for tile in range(KINDS):
            if b[HANDS + dealer * KINDS + tile]:
                b[DRAWN] = tile
    prepare(s, VOIDING)


@kernel
def draw(s: Table, seat: int) -> None:
    """Let a seat draw from the front of the wall; an empty one ends the hand."""
    b = s.b
    if b[FRONT] == b[BACK]:
        settle_checks(s)
        finish(s, 2)
        return
    tile = b[WALL + b[FRONT]]
    b[FRONT] += 1
    drew(s, seat, tile, 0)


@kernel
def drew(s: Table, seat: int, tile: int, replaced: int) -> None:
    """Begin a turn with a drawn tile. replaced: the kind of the kong it replaces, 0."""
    b = s.b
    give(s, seat, tile)
    for i in range(seat * 9, seat * 9 + 9):
        b[LOCKS + i] = -1
    b[seat * CELLS + DRAWS] += 1
    b[PHASE] = TURN
    b[ACTOR] = seat
    b[DRAWN] = tile
    b[REPLACED] = replaced
    b[TILE] = -1
    b[AFTER] = 0
    if replaced != DIRECT:
        b[GIVER] = -1


@kernel
def replace(s: Table, seat: int, kind: int) -> None:
    """Let a seat draw for a kong (4.7)."""
    b = s.b
    if b[O_FRONT]:
        tile = b[WALL + b[FRONT]]
        b[FRONT] += 1
    else:
        b[BACK] -= 1
        tile = b[WALL + b[BACK]]
    drew(s, seat, tile, kind)


@kernel
def finish(s: Table, how: int) -> None:
    """End the hand: 1 won, 2 exhausted."""
    b = s.b
    b[PHASE] = END
    b[ENDED] = how
    b[ASKED] = 0
    b[ACTOR] = -1
    b[DRAWN] = -1


@kernel
def throw(s: Table, seat: int, tile: int, call: int) -> None:
    """Discard a tile, with a call or without, and ask who may claim it."""
    b = s.b
    at = seat * CELLS
    take(s, seat, tile)
    if call:
        b[at + CALLED] |= call
        if call == DANCED:
            b[at + SHOWN] = waits(s, seat)
    b[RIVERS + b[RIVER]] = tile | seat << 5 | call << 7
    b[RIVER] += 1
    b[TILE] = tile
    b[AFTER] = b[REPLACED]
    b[REPLACED] = 0
    b[DRAWN] = -1
    b[PHASE] = CLAIM
    ask(s, tile, DISCARD)


@kernel
def ask(s: Table, tile: int, by: int) -> None:
    """Ask the seats that may claim a discard or rob an added tile; when no seat may, call `go_on`."""
    b = s.b
    actor, live = b[ACTOR], b[LIVE]
    b[ASKED] = 0
    for seat in range(SEATS):
        if seat == actor or not live >> seat & 1:
            continue
        at = seat * CELLS
        b[at + ANSWER] = 0
        found = claims(s, seat, tile, by)
        b[at + OPEN] = found
        if found:
            b[ASKED] |= 1 << seat


@kernel
def claims(s: Table, seat: int, tile: int, by: int) -> int:
    """Return the claims open to a seat, as bits."""
    b = s.b
    found = 0
    fans = on_offer(s, seat, tile, by)
    if fans >= 0:
        b[seat * CELLS + WORTH] = fans
        if closing(s):
            return HU
        found = HU
    if by == DISCARD:
        n = b[HANDS + seat * KINDS + tile]
        if n >= 2:
            if n == 3 and bar_claimed_kong(s, seat, tile) == 0:
                found |= KONG
            if bar_pong(s, seat, tile) == 0:
                found |= PONG
    return found


@kernel
def answer(s: Table, seat: int, claim: int) -> None:
    """Take a seat's answer; declining a win locks the seat (过水). The last answer resolves the window (`go_on`)."""
    b = s.b
    at = seat * CELLS
    b[at + ANSWER] = claim
    b[ASKED] &= ~(1 << seat)
    if b[at + OPEN] & HU and claim != HU and b[O_LOCK]:
        where = seat * 9 + line(b[TILE])
        if b[LOCKS + where] < b[at + WORTH]:
            b[LOCKS + where] = b[at + WORTH]


@kernel
def go_on(s: Table) -> None:
    """Resolve a window that has all its answers."""
    b = s.b
    actor, live, rob = b[ACTOR], b[LIVE], b[PHASE] == ROB
    winners, claimer = 0, -1
    for step in range(1, SEATS):
        seat = (actor + step) % SEATS
        said = b[seat * CELLS + ANSWER] if live >> seat & 1 else 0
        if said == HU and (winners == 0 or not b[O_NEAREST]):
            winners |= 1 << seat
        elif said in (KONG, PONG):
            claimer = seat
    kong = claimer >= 0 and b[claimer * CELLS + ANSWER] == KONG
    for seat in range(SEATS):
        b[seat * CELLS + ANSWER] = 0
        b[seat * CELLS + OPEN] = 0
    if winners:
        win_on(s, winners, ROBBED if rob else DISCARD)
    elif rob:
        stand(s, actor, b[TILE])
    elif claimer >= 0:
        claim(s, claimer, kong)
    else:
        draw(s, following(b[LIVE], actor, SEATS))


@kernel
def claim(s: Table, seat: int, kong: bool) -> None:
    """Carry out a pong or a direct kong of the last discard."""
    b = s.b
    tile, giver = b[TILE], b[ACTOR]
    b[RIVERS + b[RIVER] - 1] |= (2 if kong else 1) << 9
    b[FRESH] = 0
    take(s, seat, tile)
    take(s, seat, tile)
    if not kong:
        add_meld(s, seat, tile, PUNG, giver)
        b[PHASE] = TURN
        b[ACTOR] = seat
        b[DRAWN] = -1
        b[REPLACED] = 0
        b[TILE] = -1
        b[AFTER] = 0
        b[GIVER] = -1
        return
    take(s, seat, tile)
    add_meld(s, seat, tile, DIRECT, giver)
    pay_kong(s, seat, DIRECT, giver, b[KONGS])
    b[KONGS] += 1
    b[GIVER] = giver
    replace(s, seat, DIRECT)


@kernel
def lay(s: Table, seat: int, tile: int, kind: int) -> None:
    """Lay a kong from the hand: a concealed one takes effect, an added one may be robbed first."""
    b = s.b
    b[FRESH] = 0
    if kind == ADDED:
        b[TILE] = tile
        b[PHASE] = ROB
        ask(s, tile, ROBBED)
        return
    for _ in range(4):
        take(s, seat, tile)
    add_meld(s, seat, tile, CONCEALED, -1)
    pay_kong(s, seat, CONCEALED, -1, b[KONGS])
    b[KONGS] += 1
    replace(s, seat, CONCEALED)


@kernel
def stand(s: Table, seat: int, tile: int) -> None:
    """Carry out an added kong; one added late is not paid (R13)."""
    b = s.b
    take(s, seat, tile)
    b[LAID + pong_of(s, seat, tile)] |= ADDED << 5
    if tile == b[DRAWN] or b[O_LATE] == 1:
        pay_kong(s, seat, ADDED, -1, b[KONGS])
    b[KONGS] += 1
    replace(s, seat, ADDED)


@kernel
def note_win(s: Table, seat: int, by: int, tile: int, fans: int, giver: int) -> None:
    """Record a win."""
    b = s.b
    at = b[WINS] * WIN_CELLS
    b[WON + at + W_SEAT] = seat
    b[WON + at + W_BY] = by
    b[WON + at + W_TILE] = tile
    b[WON + at + W_FAN] = fans
    b[WON + at + W_GIVER] = giver
    b[WON + at + W_NO] = b[WON_TILES]
    b[WON + at + W_ITEMS] = b[ITEMS]
    b[WINS] += 1


@kernel
def win_self(s: Table, seat: int) -> None:
    """Let a seat win on its draw."""
    b = s.b
    fans = value_self(s, seat)
    note_win(s, seat, SELF, b[DRAWN], fans, -1)
    alone = b[GIVER] if b[O_FLOWER] and b[REPLACED] == DIRECT else -1
    pay_win(s, seat, SELF, alone, fans, b[WON_TILES])
    retire(s, 1 << seat, seat)


@kernel
def win_on(s: Table, winners: int, by: int) -> None:
    """Let seats win on the tile that was thrown or added."""
    b = s.b
    tile, giver, last = b[TILE], b[ACTOR], -1
    if by == DISCARD:
        b[RIVERS + b[RIVER] - 1] |= 3 << 9
    else:
        take(s, giver, tile)
    for step in range(1, SEATS):
        seat = (giver + step) % SEATS
        if winners >> seat & 1:
            fans = value_on(s, seat, tile, by)
            note_win(s, seat, by, tile, fans, giver)
            pay_win(s, seat, by, giver, fans, b[WON_TILES])
            give(s, seat, tile)
            last = seat
    if by == DISCARD and b[AFTER] and b[O_TRANSFER]:
        transfer(s, giver, b[KONGS] - 1, winners)
    retire(s, winners, last)


@kernel
def retire(s: Table, winners: int, last: int) -> None:
    """Take winners out of play; the next in play after the last of them draws, if the hand goes on (4.8)."""
    b = s.b
    b[WON_TILES] += 1
    b[LIVE] &= ~winners
    live = b[LIVE]
    if not b[O_BLOODY] or live & (live - 1) == 0:
        finish(s, 1)
    else:
        draw(s, following(live, last, SEATS))
