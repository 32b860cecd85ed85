"""The play of the cards (4.4, 4.5): what follows a set or a pass, how a trick and a deal end."""

from __future__ import annotations

from qipai.core.kernel import kernel
from qipai.games.baohuang.kernel import score
from qipai.games.baohuang.kernel.opening import close_window
from qipai.games.baohuang.kernel.sets import WITH_CROWN, WITH_SWORD
from qipai.games.baohuang.kernel.table import (
    ANSWER,
    BEAT_EMPEROR,
    BEAT_OTHER,
    BIG,
    CARDS,
    CROWN,
    EMPEROR,
    GUARD,
    KICKED,
    LEAD,
    LEFT,
    LIVE,
    MODE,
    OPENED,
    OUTS,
    OVER,
    OWNER,
    PHASE,
    PUBLIC,
    RANKS,
    SEATS,
    SMALL,
    SOLO_HIDDEN,
    SOLO_OPEN,
    SPARED_EMPEROR,
    SPARED_OTHER,
    SWORD,
    TALLIES,
    TOP,
    TRICKS,
    TURN,
    VOID,
    Table,
)
from qipai.kit import hung
from qipai.kit.cards import held
from qipai.kit.seats import following


@kernel
def put(s: Table, seat: int, play: int) -> None:
    """Lay a set on the table, then ask the next seat or end the deal."""
    r, hands, played = s.reg, s.hands, s.played
    at = seat * CARDS
    sword, crown = 1 if play & WITH_SWORD else 0, 1 if play & WITH_CROWN else 0
    rank = hung.base(play) & 15
    smalls, bigs = hung.smalls(play) - sword, hung.bigs(play) - crown
    if rank < RANKS:
        hands[at + rank] -= hung.plain(play)
        played[at + rank] += hung.plain(play)
    hands[at + SMALL] -= smalls
    played[at + SMALL] += smalls
    hands[at + SWORD] -= sword
    played[at + SWORD] += sword
    hands[at + BIG] -= bigs
    played[at + BIG] += bigs
    hands[at + CROWN] -= crown
    played[at + CROWN] += crown
    if r[TOP]:
        s.tally[seat * TALLIES + (BEAT_EMPEROR if r[OWNER] == r[EMPEROR] else BEAT_OTHER)] += 1
    if sword and not r[VOID]:
        r[PUBLIC] = seat  # R16
    r[TOP] = play
    r[OWNER] = seat
    if held(hands, at, CARDS) == 0:
        s.out[r[OUTS]] = seat
        r[OUTS] += 1
        r[LIVE] &= ~(1 << seat)
        if decided(s):
            finish(s)
            return
    ask(s, seat)


@kernel
def pass_by(s: Table, seat: int) -> None:
    """Let a seat decline the top set."""
    r = s.reg
    if hung.bigs(r[TOP]) == 0:
        s.tally[seat * TALLIES + (SPARED_EMPEROR if r[OWNER] == r[EMPEROR] else SPARED_OTHER)] += 1
    ask(s, seat)


@kernel
def ask(s: Table, pointer: int) -> None:
    """Ask the next live seat after `pointer`, or end the trick when it has gone round to the owner (R7, R17)."""
    r = s.reg
    owner, on = r[OWNER], r[LIVE]
    seat = (pointer + 1) % SEATS
    while seat != owner:
        if on >> seat & 1:
            r[PHASE] = ANSWER
            r[TURN] = seat
            return
        seat = (seat + 1) % SEATS
    r[TURN] = owner if on >> owner & 1 else following(on, owner, SEATS)
    r[PHASE] = LEAD
    r[TOP] = 0
    r[OWNER] = -1
    r[TRICKS] += 1


@kernel
def decided(s: Table) -> bool:
    """Return whether the deal is over now that somebody went out (4.5)."""
    r = s.reg
    mode, on = r[MODE], r[LIVE]
    if mode == SOLO_OPEN:
        return True
    if mode == SOLO_HIDDEN:
        return r[OUTS] == 2 or not on >> r[EMPEROR] & 1
    pair = 1 << r[EMPEROR] | 1 << r[GUARD]
    return on & pair == 0 or on & ~pair == 0


@kernel
def finish(s: Table) -> None:
    """End the deal: the finishing order and the scores."""
    r = s.reg
    out, order = s.out, s.order
    n = r[OUTS]
    for i in range(n):
        order[i] = out[i]
    last = out[n - 1]
    placed = 0
    if r[MODE] == SOLO_HIDDEN and r[LIVE] >> r[EMPEROR] & 1:
        order[n] = r[EMPEROR]
        placed = 1 << r[EMPEROR]
        n += 1
    for step in range(1, SEATS):
        seat = (last + step) % SEATS
        if (r[LIVE] & ~placed) >> seat & 1:
            order[n] = seat
            n += 1
    r[PHASE] = OVER
    r[TURN] = -1
    score.settle(order, r[MODE], r[EMPEROR], r[GUARD], r[OPENED] == 1, r[KICKED] == 1, s.scores)


@kernel
def leave(s: Table, seat: int) -> None:
    """Void the deal because a seat left where nobody plays on (R26)."""
    r = s.reg
    s.scores[seat] = score.penalty(r[PHASE])
    close_window(s)
    r[PHASE] = OVER
    r[TURN] = -1
    r[LEFT] = seat
