"""States that fit a view: hidden cards are dealt at random, marked cards go where they must be."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from qipai.core.contract import Rng, Seat
from qipai.core.kernel import freeze_each, pour, read_each
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.kernel.opening import first_asked
from qipai.games.baohuang.notation import MODES, PACK, PHASES, counted, read_set
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.state import State, View
from qipai.kit.climbing import texts
from qipai.kit.seats import mask

__all__ = [
    "fixed",
    "imagine",
    "public_table",
    "question",
    "settle_roles",
    "summed_table",
    "unseen",
]

NONE: Final = t.new_table()  # never written to
SETTLED: Final = ("rebel", "kick", "lead", "answer")


def unseen(view: View) -> list[int]:
    """Return counts of the cards that this viewer has not located: those hidden in the other hands."""
    known = "".join(view.played) + (view.hand or "")
    for hand in view.shown:
        if hand.seat != view.seat:
            known += hand.cards
    located = [*map(known.count, PACK.names)]
    located[t.SMALL] -= located[t.SWORD]  # "x" is in "x*" as well
    located[t.BIG] -= located[t.CROWN]
    return [n - seen if n > seen else 0 for n, seen in zip(PACK.copies, located, strict=True)]


def shown(view: View) -> list[Any]:
    """Return the hands that lie open, except the viewer's own."""
    return [hand for hand in view.shown if hand.seat != view.seat]


def fixed(view: View, pool: list[int]) -> list[tuple[Seat, int]]:
    """Return which unseen marked cards can only be in one hand, and in whose (R12, R16, R25)."""
    found = []
    if pool[t.CROWN] and view.crown is not None:
        found.append((view.crown, t.CROWN))
    if pool[t.SWORD] and not view.grabbed and view.guard_public is not None:
        found.append((view.guard_public, t.SWORD))
    return found


def public_table(options: Options, view: View) -> t.Table:
    """Return the kernel's buffers with all that a view tells; hidden hands are empty, hidden roles undecided."""
    s = t.new_table()
    r = s.reg
    phase = "reveal" if view.phase == "opening" else view.phase
    pour(r, _registers(options, view, phase, turn=view.turn[0] if view.turn else -1))
    if view.phase in ("grab", "rebel", "kick"):
        r[t.WINDOW] = r[t.ASKED] = mask(view.turn)
        if view.answered and view.seat is not None:
            r[t.ASKED] &= ~(1 << view.seat)
        if phase == "kick":
            r[t.NEED] = 1 if view.emperor in view.turn else 2
        r[t.TURN] = first_asked(s)
    pour(s.out, view.out)
    pour(s.order, view.order or ())
    pour(s.scores, view.scores or ())
    pour(s.tally, (n for seat in view.tally for n in seat))
    for seat, cards in enumerate(view.played):
        s.played[seat * t.CARDS : (seat + 1) * t.CARDS] = counted(cards)
    for hand in shown(view):
        pour(s.hands, counted(hand.cards), hand.seat * t.CARDS)
    if view.seat is not None and view.hand:
        pour(s.hands, counted(view.hand), view.seat * t.CARDS)
    return s


def question(options: Options, view: View) -> t.Table:
    """Return what decides which sets a seat may lead or answer with: its own hand only, and no played cards."""
    seat = view.seat
    assert seat is not None
    hands, tally = [0] * (t.SEATS * t.CARDS), [n for row in view.tally for n in row]
    if view.hand:
        hands[seat * t.CARDS : (seat + 1) * t.CARDS] = counted(view.hand)
    reg = _registers(options, view, view.phase, turn=seat)
    own, registers, tallies = read_each((tuple(hands), reg, tuple(tally)))
    return t.Table(
        hands=own,
        played=NONE.played,
        reg=registers,
        out=NONE.out,
        order=NONE.order,
        scores=NONE.scores,
        tally=tallies,
    )


def _registers(options: Options, view: View, phase: str, turn: int) -> t.Registers:
    """Return the registers as far as a view tells them; no seat is asked in a window."""
    return t.Registers(
        phase=PHASES.index(phase),
        turn=turn,
        top=_top(view.top) if view.top else 0,
        owner=-1 if view.owner is None else view.owner,
        live=(1 << t.SEATS) - 1 & ~mask(view.out),
        outs=len(view.out),
        emperor=-1 if view.emperor is None else view.emperor,
        guard=-1 if view.guard is None else view.guard,
        mode=MODES.index(view.mode),
        opened=1 if view.opened else 0,
        kicked=1 if view.kicked else 0,
        public=-1 if view.guard_public is None else view.guard_public,
        void=1 if view.grabbed else 0,
        keeper=-1 if view.crown is None else view.crown,
        yielded=-1 if view.yielded is None else view.yielded,
        window=0,
        asked=0,
        said=0,
        need=0,
        rebels=mask(view.rebelled),
        kickers=mask(view.kickers),
        tricks=view.trick_no,
        left=-1 if view.left is None else view.left,
        keep_six=1 if options.keep_six else 0,
        six_hung=1 if options.six_hung else 0,
        may_grab=1 if options.grab else 0,
        may_yield=1 if options.yield_ else 0,
        may_kick=1 if options.kick else 0,
    )


@lru_cache(maxsize=512)
def _top(text: str) -> int:
    return read_set(text)


def imagine(options: Options, view: View, rng: Rng) -> State:
    """Return some state that fits this view: every deal of the unseen cards is as likely as any other.

    Such a state is a *determinization* of the view: a search plays on in many of them.
    """
    s = public_table(options, view)
    if view.phase not in ("deal", "over"):
        _deal_hidden(view, s, rng)
        settle_roles(options, view, s)
    cells = tuple(freeze_each(s))
    return State(view.deal, view.first_card, view.trick, view.last, texts(PACK, cells[0], cells[1]), *cells)


def settle_roles(options: Options, view: View, s: t.Table) -> None:
    """Write the hidden roles, which follow from who holds the guard card, into a table whose hands are dealt."""
    r = s.reg
    holder = next((seat for seat in range(t.SEATS) if s.hands[seat * t.CARDS + t.SWORD]), -1)
    if view.grabbed or view.phase in ("kick", "yield") or view.mode is not None:
        # All is known except, in a pair, who is the guard; at `yield` the emperor is also the guard.
        if view.phase == "yield":
            r[t.GUARD] = r[t.EMPEROR]
        elif view.mode == "pair" and view.guard is None:
            r[t.GUARD] = holder
    else:
        r[t.GUARD] = holder
        if view.phase in SETTLED or (view.phase == "opening" and holder != r[t.EMPEROR]):
            r[t.MODE] = t.PAIR if holder != r[t.EMPEROR] else t.SOLO_HIDDEN
            if holder == r[t.EMPEROR]:
                r[t.GUARD] = -1
    if view.phase == "opening":
        if r[t.MODE] == t.UNDECIDED:
            # The emperor holds both marked cards and is asked whether to yield, or, where yielding is off, to reveal.
            if options.yield_:
                r[t.PHASE] = t.YIELD
            else:
                r[t.MODE], r[t.GUARD] = t.SOLO_HIDDEN, -1
        turn = r[t.GUARD] if r[t.MODE] == t.PAIR else r[t.EMPEROR]
        r[t.TURN] = turn if turn != view.seat else -1  # a viewer who has answered is not asked again in the pause


def _deal_hidden(view: View, s: t.Table, rng: Rng) -> None:
    """Deal the unseen cards to the hidden hands."""
    pool = unseen(view)
    known = {view.seat, *(hand.seat for hand in shown(view))}
    room = {seat: n for seat, n in enumerate(view.counts) if seat not in known and n}
    for seat, card in fixed(view, pool):
        if room.get(seat):
            pool[card] -= 1
            room[seat] -= 1
            s.hands[seat * t.CARDS + card] += 1
    cards = rng.shuffled([card for card, n in enumerate(pool) for _ in range(n)])
    at = 0
    for seat, n in room.items():
        for card in cards[at : at + n]:
            s.hands[seat * t.CARDS + card] += 1
        at += n


def summed_table(options: Options, view: View) -> t.Table:
    """Return the public table with the unseen cards put into the hidden hands arbitrarily: only their sum is right."""
    s = public_table(options, view)
    if view.phase not in ("deal", "over"):
        _lay_anyhow(view, s, unseen(view))
    return s


def _lay_anyhow(view: View, s: t.Table, pool: list[int]) -> None:
    known = {view.seat, *(hand.seat for hand in shown(view))}
    room = [(seat, n) for seat, n in enumerate(view.counts) if n and seat not in known]
    seat, free = room.pop(0) if room else (0, 0)
    for card, n in enumerate(pool):
        while n and free:
            laid = min(n, free)
            s.hands[seat * t.CARDS + card] += laid
            n, free = n - laid, free - laid
            if not free and room:
                seat, free = room.pop(0)
    if view.seat in view.turn:
        s.reg[t.TURN] = view.seat
