"""The moves of a deal: what is legal, taking an action, whole deals at random."""

from __future__ import annotations

from qipai.core.kernel import Buffer, kernel, lcg
from qipai.games.doudizhu.kernel.flow import begin, call, pass_by, put
from qipai.games.doudizhu.kernel.sets import all_answers, all_leads
from qipai.games.doudizhu.kernel.table import (
    ANSWER,
    BOTTOM,
    CALLED,
    CARDS,
    DEAL,
    DECK,
    DO_BID,
    DO_NO_BID,
    DO_PASS,
    FIRST,
    LAST_WORD,
    LEAD,
    MOST_BID,
    OVER,
    PHASE,
    SEATS,
    SMALL,
    TOP,
    TURN,
    Table,
)
from qipai.kit.cards import shuffle


@kernel
def legal(s: Table, seat: int, out: Buffer) -> int:
    """Write the actions of a seat that is asked to `out` in canonical order (5), return their number."""
    r, hands = s.reg, s.hands
    phase = r[PHASE]
    if phase == LEAD:
        return all_leads(hands, seat * CARDS, out)
    if phase == ANSWER:
        n = all_answers(hands, seat * CARDS, r[TOP], out)
        out[n] = DO_PASS
        return n + 1
    out[0] = DO_NO_BID
    n = 1
    for bid in range(r[CALLED] + 1, MOST_BID + 1):
        out[n] = DO_BID + bid
        n += 1
    return n


@kernel
def act(s: Table, seat: int, action: int) -> None:
    """Take a legal action."""
    if action > LAST_WORD:
        put(s, seat, action)
    elif action == DO_PASS:
        pass_by(s, seat)
    else:
        call(s, seat, action - DO_BID)


@kernel
def idle(s: Table, seat: int, out: Buffer) -> int:
    """Return the time-out action of a seat that is asked (4.1); `out` is work space."""
    phase = s.reg[PHASE]
    if phase == LEAD:
        legal(s, seat, out)
        return out[0]
    return DO_PASS if phase == ANSWER else DO_NO_BID


@kernel
def deal_out(s: Table, seed: int, deck: Buffer) -> int:
    """Deal a whole deck by the kernels' own random numbers and ask for the first call; return the next seed.

    deck: work space of 54 cells.
    """
    for i in range(DECK):
        deck[i] = i // 4 if i < DECK - 2 else SMALL + i - (DECK - 2)
    seed = shuffle(deck, DECK, seed)
    hands, bottom = s.hands, s.bottom
    for i in range(DECK - BOTTOM):
        hands[i % SEATS * CARDS + deck[i]] += 1
    for i in range(DECK - BOTTOM, DECK):
        bottom[deck[i]] += 1
    first = s.reg[FIRST]
    if first < 0:
        seed = lcg(seed)
        first = (seed >> 8) % SEATS
    begin(s, first)
    return seed


@kernel
def play_at_random(s: Table, seed: int, out: Buffer, deck: Buffer, trace: Buffer) -> int:
    """Play a deal to its end with uniformly random actions; return the number of actions.

    trace: its first cell takes a 31-bit hash of every seat, action and number of choices, in order.
    """
    r = s.reg
    steps, trail = 0, 0
    while r[PHASE] != OVER:
        if r[PHASE] == DEAL:
            seed = deal_out(s, seed, deck)
        seat = r[TURN]
        n = legal(s, seat, out)
        seed = lcg(seed)
        action = out[(seed >> 16) % n]
        trail = (trail * 31 + (action & 0xFFFFFF) * 7 + (action >> 24) + n * 6 + seat) & 0x7FFFFFFF
        act(s, seat, action)
        steps += 1
    trace[0] = trail
    return steps
