"""The moves of a deal: what is legal, taking an action, whole deals at random."""

from __future__ import annotations

from qipai.core.kernel import Buffer, kernel, lcg
from qipai.games.baohuang.kernel.flow import pass_by, put
from qipai.games.baohuang.kernel.opening import answer, hide, keep, reveal, yield_throne
from qipai.games.baohuang.kernel.sets import all_answers, all_leads
from qipai.games.baohuang.kernel.table import (
    ANSWER,
    BIG,
    CARDS,
    CROWN,
    DECK,
    DO_HIDE,
    DO_KEEP,
    DO_NO_KICK,
    DO_NO_REBEL,
    DO_PASS,
    DO_REVEAL,
    DO_YIELD,
    GUARD,
    KEEP_SIX,
    LEAD,
    OVER,
    PHASE,
    REBEL,
    SEATS,
    SIX_HUNG,
    SMALL,
    SWORD,
    TOP,
    TURN,
    Table,
)
from qipai.kit.cards import shuffle


@kernel
def legal(s: Table, seat: int, out: Buffer) -> int:
    """Write the actions of a seat that is asked to `out` in canonical order (4.1, 5), return their number."""
    r, hands = s.reg, s.hands
    phase = r[PHASE]
    if phase == LEAD:
        return all_leads(hands, seat * CARDS, r[KEEP_SIX] != 0, r[SIX_HUNG] != 0, out)
    if phase == ANSWER:
        n = all_answers(hands, seat * CARDS, r[TOP], out)
        out[n] = DO_PASS
        return n + 1
    if phase == REBEL and seat == r[GUARD]:
        out[0] = DO_NO_REBEL
        return 1
    out[0] = 2 * phase  # the actions of the opening are numbered by phase; in each phase yes comes before no
    out[1] = 2 * phase + 1
    return 2


@kernel
def act(s: Table, seat: int, action: int) -> None:
    """Take a legal action."""
    if action > DO_NO_KICK:
        put(s, seat, action)
    elif action == DO_PASS:
        pass_by(s, seat)
    elif action == DO_YIELD:
        yield_throne(s)
    elif action == DO_KEEP:
        keep(s)
    elif action == DO_REVEAL:
        reveal(s)
    elif action == DO_HIDE:
        hide(s)
    else:
        answer(s, seat, action % 2 == 0)


@kernel
def idle(s: Table, seat: int, out: Buffer) -> int:
    """Return the time-out action of a seat that is asked (4.1); `out` is work space."""
    phase = s.reg[PHASE]
    if phase == LEAD:
        legal(s, seat, out)
        return out[0]
    return DO_PASS if phase == ANSWER else 2 * phase + 1


@kernel
def deal_out(s: Table, first: int, seed: int, deck: Buffer) -> int:
    """Deal a whole deck by the kernels' own random numbers, the first card to `first`; return the next seed.

    deck: work space of 165 cells.
    """
    for i in range(DECK):
        deck[i] = 0 if i < 13 else (i + 3) // 16
    for i in range(4):
        deck[DECK - 8 + i] = SMALL if i < 3 else SWORD
        deck[DECK - 4 + i] = BIG if i < 3 else CROWN
    seed = shuffle(deck, DECK, seed)
    hands = s.hands
    for i in range(SEATS * CARDS):
        hands[i] = 0
    for i in range(DECK):
        hands[(first + i) % SEATS * CARDS + deck[i]] += 1
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
