"""The play of the cards: what follows a set, a pass, a closing, a burn; how a trick and a deal end (4.3 to 4.10, 6)."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.gouji.kernel.sets import able, holds, is_gouji
from qipai.games.gouji.kernel.table import (
    ANSWER,
    ASKED,
    BIG,
    BURN,
    BURN_OWN,
    BURN_PLAY,
    BURNS,
    CARDS,
    CLOSE,
    DEAD_ANSWER,
    DEAD_TOP,
    DECIDED,
    FELLS,
    LAST,
    LEAD,
    LEFT,
    LIVE,
    OUTS,
    OVER,
    OWNER,
    PASSED,
    PHASE,
    RESTRICTED,
    SEATS,
    SMALL,
    SUSPENDED,
    TANGLE,
    TOP,
    TRICKS,
    TURN,
    TWO,
    WIND,
    Table,
    live,
    opposite,
)
from qipai.kit import hung
from qipai.kit.cards import held
from qipai.kit.seats import following

PLACE_POINTS: Final = (4, 2, 0, 0, -2, -4)
LEAVING: Final = -12  # R32, platform P-31


@kernel
def put(s: Table, seat: int, play: int) -> None:
    """Lay a set on the table: steps 1 to 3 of 4.3. `settle` then asks the next seat."""
    r, hands, played, bound = s.reg, s.hands, s.played, s.bound
    at = seat * CARDS
    rank = play >> 24
    if rank < TWO:
        hands[at + rank] -= hung.plain(play)
        played[at + rank] += hung.plain(play)
    hands[at + TWO] -= hung.wilds(play)
    played[at + TWO] += hung.wilds(play)
    hands[at + SMALL] -= hung.smalls(play)
    played[at + SMALL] += hung.smalls(play)
    hands[at + BIG] -= hung.bigs(play)
    played[at + BIG] += hung.bigs(play)
    if r[PHASE] == BURN_PLAY:
        bound[seat] = r[OWNER]
    r[DEAD_ANSWER] = 1 if r[DEAD_TOP] and r[OWNER] == opposite(seat) else 0
    r[DEAD_TOP] = 0
    r[TOP] = play
    r[OWNER] = seat
    r[PASSED] &= ~(1 << seat)
    r[WIND] = -1
    gouji = is_gouji(play) and not r[TANGLE]
    if held(hands, at, CARDS) == 0:
        go_out(s, seat)
        if r[PHASE] == OVER:
            r[RESTRICTED] = 0
            return
        if gouji and r[OUTS] <= 2 and live(s, opposite(seat)):
            r[DEAD_TOP] = 1
        if r[OUTS] >= 2 and not r[TANGLE]:
            if r[DEAD_TOP] or r[DEAD_ANSWER] or r[SUSPENDED]:
                r[SUSPENDED] = 1
            else:
                begin_tangle(s)
                gouji = False
    r[RESTRICTED] = 0
    r[TURN] = -1
    if gouji and (live(s, opposite(seat)) or r[DEAD_ANSWER]):
        r[RESTRICTED] = 1
        r[PHASE] = BURN


@kernel
def settle(s: Table) -> None:
    """Ask the next seat after a set was played: step 4 of 4.3."""
    r = s.reg
    if r[PHASE] == OVER:
        return
    if r[RESTRICTED]:
        r[ASKED] = candidates(s)
        r[BURNS] = 0
        if r[ASKED]:
            burn_window(s)
            return
    ask(s, r[OWNER])


@kernel
def go_out(s: Table, seat: int) -> None:
    """Record that a seat has played its last card; this ends its duty and may end the deal."""
    r = s.reg
    s.out[r[OUTS]] = seat
    r[OUTS] += 1
    s.bound[seat] = -1
    depart(s, seat)


@kernel
def fall(s: Table, seat: int) -> None:
    """Remove a failed burner from play: its cards are shown and leave the deal (R13)."""
    r = s.reg
    s.fell[r[FELLS]] = seat
    r[FELLS] += 1
    s.bound[seat] = -1
    hands, lost = s.hands, s.lost
    for i in range(seat * CARDS, seat * CARDS + CARDS):
        lost[i] = hands[i]
        hands[i] = 0
    depart(s, seat)


@kernel
def depart(s: Table, seat: int) -> None:
    """Take a seat out of play and end the deal when one seat, or with DECIDED one side, is left (R25)."""
    r = s.reg
    r[LIVE] &= ~(1 << seat)
    r[LAST] = seat
    left = r[LIVE]
    if left & (left - 1) == 0 or (r[DECIDED] and (left & 0b010101 == 0 or left & 0b101010 == 0)):
        finish(s)


@kernel
def begin_tangle(s: Table) -> None:
    """Begin the four-player tangle: from now on no set is gouji, and duties end (4.10, R16)."""
    s.reg[TANGLE] = 1
    bound = s.bound
    for seat in range(SEATS):
        bound[seat] = -1


@kernel
def candidates(s: Table) -> int:
    """Return who is asked whether to burn the top set, as bits (4.5, R10, R14)."""
    r, hands, bound = s.reg, s.hands, s.bound
    owner, on = r[OWNER], r[LIVE]
    asked = 0
    for step in range(1, SEATS):
        seat = (owner + step) % SEATS
        if step == 3 or not on >> seat & 1 or r[PASSED] >> seat & 1 or not on >> (seat + 3) % SEATS & 1:
            continue  # the closer, gone, passed, headless
        if step % 2 == 0 and not r[BURN_OWN]:
            continue
        if able(hands, seat * CARDS, r[TOP], bound[seat] >= 0):
            asked |= 1 << seat
    return asked


@kernel
def burn_window(s: Table) -> None:
    """Find the burner, or the next candidate to answer, in order of play from the owner (R11)."""
    r = s.reg
    for step in range(1, SEATS):
        seat = (r[OWNER] + step) % SEATS
        if r[BURNS] >> seat & 1:
            r[PHASE] = BURN_PLAY
            r[TURN] = seat
            r[ASKED] = 0
            r[BURNS] = 0
            return
        if r[ASKED] >> seat & 1:
            r[PHASE] = BURN
            r[TURN] = seat
            return
    r[BURNS] = 0
    ask(s, r[OWNER])


@kernel
def answer_burn(s: Table, seat: int, burns: bool) -> None:
    """Take a candidate's answer."""
    r = s.reg
    r[ASKED] &= ~(1 << seat)
    if burns:
        r[BURNS] |= 1 << seat
    burn_window(s)


@kernel
def regulars(s: Table) -> int:
    """Return the seats that may answer the top set in turn, as bits (4.4, R5, R9, R18)."""
    r = s.reg
    on, owner = r[LIVE], r[OWNER]
    free = on & ~r[PASSED] & ~(1 << owner)
    if r[RESTRICTED]:
        across = (on << 3 | on >> 3) & 0b111111  # bit s: the opposite of s is live
        free &= ~across | 1 << (owner + 3) % SEATS
    return free


@kernel
def ask(s: Table, pointer: int) -> None:
    """Find who answers next after `pointer`, or end the trick (4.4, R6, R7, R8)."""
    r = s.reg
    owner, free = r[OWNER], regulars(s)
    closer = (owner + 3) % SEATS
    first, others = -1, False
    seat = (pointer + 1) % SEATS
    while seat != owner:
        if free >> seat & 1:
            if first >= 0:
                others = True
                break
            first = seat
        seat = (seat + 1) % SEATS
    if first >= 0:
        r[TURN] = first
        r[PHASE] = CLOSE if first == closer and not others else ANSWER
    elif r[LIVE] >> closer & 1 and r[PASSED] >> closer & 1 and r[WIND] != closer:
        r[TURN] = closer
        r[PHASE] = CLOSE
    else:
        end_trick(s)


@kernel
def end_trick(s: Table) -> None:
    """Clear the table and give the lead to the owner, the applicant for the wind, or the next seat (4.6, R22, R23)."""
    r = s.reg
    leader = r[OWNER]
    if not live(s, leader):
        leader = r[WIND] if r[WIND] >= 0 else following(r[LIVE], leader, SEATS)
    r[TOP] = 0
    r[OWNER] = -1
    r[RESTRICTED] = 0
    r[PASSED] = 0
    r[WIND] = -1
    r[SUSPENDED] = 0
    r[DEAD_TOP] = 0
    r[DEAD_ANSWER] = 0
    if r[OUTS] >= 2 and not r[TANGLE]:
        begin_tangle(s)
    lead(s, leader)


@kernel
def lead(s: Table, leader: int) -> None:
    """Give the lead to a seat; a bound seat that cannot keep its duty falls and the next seat leads (4.5, R13)."""
    r, hands, bound = s.reg, s.hands, s.bound
    while bound[leader] >= 0 and not holds(hands, leader * CARDS):
        burned = bound[leader]
        fall(s, leader)
        if r[PHASE] == OVER:
            return
        leader = burned if live(s, burned) else following(r[LIVE], burned, SEATS)
    r[PHASE] = LEAD
    r[TURN] = leader
    r[TRICKS] += 1


@kernel
def may_wind(s: Table, seat: int) -> bool:
    """Return whether the seat that answers or closes may ask for the wind (4.7, R22)."""
    r = s.reg
    return not r[LIVE] >> r[OWNER] & 1 and not r[RESTRICTED] and r[WIND] < 0 and not r[PASSED] >> seat & 1


@kernel
def pass_by(s: Table, seat: int) -> None:
    """Let a seat leave the trick."""
    s.reg[PASSED] |= 1 << seat
    ask(s, seat)


@kernel
def finish(s: Table) -> None:
    """End the deal: the finishing order and the scores (6)."""
    r = s.reg
    out, fell, order, scores = s.out, s.fell, s.order, s.scores
    r[PHASE] = OVER
    r[TURN] = -1
    n = 0
    for i in range(r[OUTS]):
        order[n] = out[i]
        n += 1
    for step in range(1, SEATS + 1):
        seat = (r[LAST] + step) % SEATS
        if r[LIVE] >> seat & 1:
            order[n] = seat
            n += 1
    for i in range(r[FELLS] - 1, -1, -1):
        order[n] = fell[i]
        n += 1
    even = side_points(order)
    if swept_by(order) >= 0:
        even *= 2
    for seat in range(SEATS):
        scores[seat] = even if seat % 2 == 0 else -even


@kernel
def side_points(order: Buffer) -> int:
    """Return the place points of side 0, undoubled; those of side 1 are their negative."""
    even = 0
    for place in range(SEATS):
        if order[place] % 2 == 0:
            even += PLACE_POINTS[place]
    return even


@kernel
def swept_by(order: Buffer) -> int:
    """Return the side with places 1, 2 and 3 (串三户, R21), -1 when there is none."""
    side = order[0] % 2
    return side if order[1] % 2 == side and order[2] % 2 == side else -1


@kernel
def leave(s: Table, seat: int) -> None:
    """Void the deal because a seat left where nobody plays on (R32)."""
    s.reg[PHASE] = OVER
    s.reg[TURN] = -1
    s.reg[ASKED] = 0
    s.reg[BURNS] = 0
    s.reg[LEFT] = seat
    s.scores[seat] = LEAVING
