"""The moves of a deal: opening it, what is legal, taking an action, whole deals at random."""

from __future__ import annotations

from qipai.core.kernel import Buffer, kernel, lcg
from qipai.games.gouji.kernel.flow import (
    answer_burn,
    begin_tangle,
    end_trick,
    lead,
    may_wind,
    pass_by,
    put,
    settle,
)
from qipai.games.gouji.kernel.sets import all_answers, all_leads, keeps
from qipai.games.gouji.kernel.table import (
    ANSWER,
    BURN,
    BURN_PLAY,
    CARDS,
    CLOSE,
    DECK,
    DO_BURN,
    DO_CLOSE,
    DO_NO_BURN,
    DO_PASS,
    DO_WIND,
    KEEP_THREE,
    LEAD,
    LEADER,
    OUTS,
    OVER,
    PHASE,
    RETURN,
    SEATS,
    TOP,
    TRIBUTE,
    TURN,
    WIND,
    Table,
)
from qipai.games.gouji.kernel.tribute import all_returns, give_back, next_return, pay
from qipai.kit.cards import shuffle


@kernel
def begin(s: Table, leader: int, previous: Buffer, resist: int) -> None:
    """Begin the play of the hands on the table; the caller has set LIVE, `out` and `fell`.

    previous: the last deal's order when tribute is due, -1 in its first cell when not.
    """
    r = s.reg
    r[LEADER] = leader
    if r[OUTS] >= 2:
        begin_tangle(s)
    if previous[0] >= 0:
        pay(s, previous, resist)
        next_return(s, 0)
    else:
        lead(s, leader)


@kernel
def legal(s: Table, seat: int, out: Buffer) -> int:
    """Write the actions of a seat whose turn it is to `out` in canonical order (5.5), return their number."""
    r, hands, bound = s.reg, s.hands, s.bound
    phase = r[PHASE]
    if phase == LEAD:
        return all_leads(hands, seat * CARDS, bound[seat] >= 0, r[KEEP_THREE] != 0, out)
    if phase == BURN:
        out[0] = DO_BURN
        out[1] = DO_NO_BURN
        return 2
    if phase == TRIBUTE:
        return all_returns(s, out)
    n = all_answers(hands, seat * CARDS, r[TOP], bound[seat] >= 0, out)
    if phase != BURN_PLAY:
        out[n] = DO_CLOSE if phase == CLOSE else DO_PASS
        n += 1
        if may_wind(s, seat):
            out[n] = DO_WIND
            n += 1
    return n


@kernel
def act(s: Table, seat: int, action: int) -> None:
    """Take a legal action."""
    r = s.reg
    if action == DO_PASS:
        pass_by(s, seat)
    elif action == DO_CLOSE:
        end_trick(s)
    elif action == DO_WIND:
        r[WIND] = seat
        pass_by(s, seat)
    elif action == DO_BURN:
        answer_burn(s, seat, True)
    elif action == DO_NO_BURN:
        answer_burn(s, seat, False)
    elif action & RETURN:
        give_back(s, action)
    else:
        put(s, seat, action)
        settle(s)


@kernel
def idle(s: Table, seat: int, out: Buffer) -> int:
    """Return the time-out action of a seat whose turn it is (4.2, R26); `out` is work space."""
    hands, phase = s.hands, s.reg[PHASE]
    if phase == ANSWER:
        return DO_PASS
    if phase == CLOSE:
        return DO_CLOSE
    if phase == BURN:
        return DO_NO_BURN
    n = legal(s, seat, out)
    if phase == BURN_PLAY:
        for i in range(n):
            if keeps(hands, seat * CARDS, out[i]):
                return out[i]
    return out[0]


@kernel
def deal_out(s: Table, seed: int, deck: Buffer) -> int:
    """Deal a whole deck by the kernels' own random numbers and set all seats live; return the next seed.

    deck: work space of 216 cells.
    """
    for i in range(DECK):
        deck[i] = min(i // 16, 13) if i < 212 else 14
    seed = shuffle(deck, DECK, seed)
    hands = s.hands
    for i in range(SEATS * CARDS):
        hands[i] = 0
    for i in range(DECK):
        hands[i % SEATS * CARDS + deck[i]] += 1
    return seed


@kernel
def play_at_random(s: Table, seed: int, out: Buffer, trace: Buffer) -> int:
    """Play a deal to its end with uniformly random actions; return the number of actions.

    trace: its first cell takes a 31-bit hash of every seat, action and number of choices, in order.
    """
    r = s.reg
    steps, trail = 0, 0
    while r[PHASE] != OVER:
        seat = r[TURN]
        n = legal(s, seat, out)
        seed = lcg(seed)
        action = out[(seed >> 16) % n]
        trail = (trail * 31 + action * 7 + n * 6 + seat) & 0x7FFFFFFF
        act(s, seat, action)
        steps += 1
    trace[0] = trail
    return steps
