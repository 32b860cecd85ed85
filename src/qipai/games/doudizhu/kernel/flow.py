"""What follows a call, a set or a pass (4.2, 4.3), and what a finished deal is worth (6)."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import kernel
from qipai.games.doudizhu.kernel.sets import AT, BODY, doubles
from qipai.games.doudizhu.kernel.table import (
    ANSWER,
    BID,
    BOMBS,
    CALLED,
    CARDS,
    DEAL,
    FIRST,
    LANDLORD,
    LEAD,
    LEFT,
    MOST_BID,
    MOST_DOUBLINGS,
    OVER,
    OWNER,
    PASSES,
    PHASE,
    REDEALS,
    REDEALT,
    SEATS,
    SPRING,
    SPRUNG,
    TOP,
    TRICKS,
    TURN,
    WINNER,
    Table,
)
from qipai.kit.cards import held

EARLY: Final = -2  # leaving before there is a landlord (R18)


@kernel
def begin(s: Table, first: int) -> None:
    """Ask the first seat to call for the cards that were just dealt."""
    r = s.reg
    r[PHASE] = BID
    r[FIRST] = first
    r[TURN] = first


@kernel
def call(s: Table, seat: int, n: int) -> None:
    """Take a seat's call, 0 for none, and settle the landlord when the calls decide it (R2)."""
    r, calls = s.reg, s.calls
    calls[seat] = n
    if n > 0:
        r[CALLED] = n
        r[LANDLORD] = seat
    following = (seat + 1) % SEATS
    if n < MOST_BID and following != r[FIRST]:
        r[TURN] = following
    elif r[CALLED] > 0:
        settle(s, r[LANDLORD])
    elif r[REDEALT] < r[REDEALS]:
        throw_in(s)
    else:
        r[CALLED] = 1  # R4
        settle(s, r[FIRST])


@kernel
def throw_in(s: Table) -> None:
    """Collect the cards so that they are dealt again (R3)."""
    r, hands, bottom, calls = s.reg, s.hands, s.bottom, s.calls
    for i in range(SEATS * CARDS):
        hands[i] = 0
    for i in range(CARDS):
        bottom[i] = 0
    for i in range(SEATS):
        calls[i] = -1
    r[PHASE] = DEAL
    r[TURN] = -1
    r[FIRST] = (r[FIRST] + 1) % SEATS
    r[REDEALT] += 1


@kernel
def settle(s: Table, seat: int) -> None:
    """Make a seat the landlord: it takes up the bottom cards and leads."""
    r, hands, bottom = s.reg, s.hands, s.bottom
    for card in range(CARDS):
        hands[seat * CARDS + card] += bottom[card]
    r[LANDLORD] = seat
    r[PHASE] = LEAD
    r[TURN] = seat
    r[TRICKS] = 1


@kernel
def put(s: Table, seat: int, play: int) -> None:
    """Lay a set on the table, then ask the next seat or end the deal."""
    r, hands, played, sets = s.reg, s.hands, s.played, s.sets
    at, rank = seat * CARDS, play >> 4 & 15
    body = BODY[play >> 8 & 15]
    for card in range(rank, rank + (play & 15)):
        hands[at + card] -= body
        played[at + card] += body
    wings = play >> AT
    card = 0
    while wings:
        hands[at + card] -= wings & 3
        played[at + card] += wings & 3
        wings >>= 2
        card += 1
    if doubles(play):
        r[BOMBS] += 1
    sets[seat] += 1
    r[TOP] = play & (1 << AT) - 1
    r[OWNER] = seat
    r[PASSES] = 0
    if held(hands, at, CARDS) == 0:
        finish(s, seat)
    else:
        r[PHASE] = ANSWER
        r[TURN] = (seat + 1) % SEATS


@kernel
def pass_by(s: Table, seat: int) -> None:
    """Let a seat pass; after the second pass the owner of the top set leads."""
    r = s.reg
    r[PASSES] += 1
    if r[PASSES] < SEATS - 1:
        r[TURN] = (seat + 1) % SEATS
        return
    r[PHASE] = LEAD
    r[TURN] = r[OWNER]
    r[TOP] = 0
    r[OWNER] = -1
    r[PASSES] = 0
    r[TRICKS] += 1


@kernel
def doublings(s: Table) -> int:
    """Return how many times the call has been doubled so far (R13, R14, R17)."""
    r = s.reg
    return min(r[BOMBS] + r[SPRUNG], r[MOST_DOUBLINGS])


@kernel
def multiple(s: Table) -> int:
    """Return the stakes of the deal: the call with its doublings."""
    return s.reg[CALLED] << doublings(s)


@kernel
def finish(s: Table, seat: int) -> None:
    """End the deal: a seat has gone out."""
    r, sets, scores = s.reg, s.sets, s.scores
    landlord = r[LANDLORD]
    others = sets[(landlord + 1) % SEATS] + sets[(landlord + 2) % SEATS]
    sprung = others == 0 if seat == landlord else sets[landlord] == 1  # R14
    r[SPRUNG] = 1 if sprung and r[SPRING] else 0
    r[WINNER] = seat
    r[PHASE] = OVER
    r[TURN] = -1
    worth = multiple(s) if seat == landlord else -multiple(s)
    for other in range(SEATS):
        scores[other] = 2 * worth if other == landlord else -worth


@kernel
def price(s: Table) -> int:
    """Return what leaving costs now (R18)."""
    phase = s.reg[PHASE]
    if phase == OVER:
        return 0
    return EARLY if phase in (DEAL, BID) else -2 * multiple(s)


@kernel
def leave(s: Table, seat: int) -> None:
    """Void the deal because a seat left where nobody plays on (R18)."""
    r, scores = s.reg, s.scores
    scores[seat] = price(s)
    r[PHASE] = OVER
    r[TURN] = -1
    r[LEFT] = seat
