"""States that fit a view: hidden cards are dealt at random; a tribute's and a burner's cards go where they must be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qipai.core.contract import Rng, Seat
from qipai.core.kernel import buffer, frozen, pour, thaw_each, thawed
from qipai.games.gouji.kernel import flow, sets
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.notation import PACK, PHASES, read_set
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import State, View
from qipai.kit import hung
from qipai.kit.climbing import texts
from qipai.kit.seats import mask

__all__ = [
    "asked_table",
    "bars",
    "floors",
    "imagine",
    "located",
    "public_table",
    "question",
    "sizes",
    "summed_table",
    "unseen",
]


NONE: Final = t.new_table()  # never written to
EMPTY: Final = t.Table(*map(frozen, NONE))
SMALL: Final = (EMPTY.out, EMPTY.fell, EMPTY.bound, EMPTY.debts)


def unseen(view: View) -> list[int]:
    """Return counts of the cards that this viewer has not located: those hidden in the other hands."""
    known = "".join(view.played) + (view.hand or "")
    for hand in view.partners:
        known += hand.cards
    for hand in view.shown:
        if hand.seat != view.seat or not view.hand:
            known += hand.cards
    located = map(known.count, PACK.names)
    return [n - seen if n > seen else 0 for n, seen in zip(PACK.copies, located, strict=True)]


def sizes(options: Options, view: View) -> list[int]:
    """Return how many cards each seat has; where that is not shown it follows from the 36 that each was dealt."""
    found = []
    for seat, shown in enumerate(view.counts):
        if shown is None:  # not out of play: that is shown
            cards = 36 - len(view.played[seat])
            if view.payments:
                for each in (*view.payments, *view.returns):
                    cards += len(each.cards) * ((each.to == seat) - (each.giver == seat))
            shown = cards if cards > options.report_at else options.report_at + 1
        found.append(shown)
    return found


def imagine(options: Options, view: View, rng: Rng) -> State:
    """Return some state that fits this view: hidden cards are dealt at random, those of a tribute to their receivers.

    Such a state is a *determinization* of the view: a search plays on in many of them.
    """
    s = public_table(options, view)
    if view.phase not in ("deal", "over"):
        _deal_hidden(options, view, s, rng)
    if view.phase in ("burn", "burn_wait"):
        mine = 1 << view.seat if view.seat is not None else 0
        candidates = flow.candidates(s) & ~mine
        s.reg[t.ASKED] = candidates | mine if view.phase == "burn" else candidates
        if s.reg[t.ASKED]:
            flow.burn_window(s)
    still = imagine(options, view.still, rng) if view.still is not None else None
    cells = tuple(map(frozen, s))
    return State(
        view.deal, view.leader, view.previous, view.trick, view.last, still, texts(PACK, cells[0], cells[1]), *cells
    )


def located(view: View) -> set[Seat]:
    """Return the seats whose hands the view tells: the viewer's, shown ones, and those of seats out of play."""
    seen = {hand.seat for hand in (*view.partners, *view.shown)} | {*view.out, *view.fell}
    return seen | {view.seat} if view.seat is not None else seen


def public_table(options: Options, view: View) -> t.Table:
    """Return the kernel's buffers with all that a view tells; hidden hands are empty."""
    s = _asked_of(options, view, t.Table(*thaw_each(EMPTY)))
    pour(s.order, view.order or ())
    pour(s.scores, view.scores or ())
    for seat, cards in enumerate(view.played):
        pour(s.played, PACK.read(cards), seat * t.CARDS)
    for hand in view.shown:
        pour(s.lost if hand.seat in view.fell else s.hands, PACK.read(hand.cards), hand.seat * t.CARDS)
    for hand in view.partners:
        if hand.seat != view.seat:
            pour(s.hands, PACK.read(hand.cards), hand.seat * t.CARDS)
    return s


def _asked_of(options: Options, view: View, s: t.Table) -> t.Table:
    """Write the part of a view that decides what a seat may do: neither played cards nor other hands."""
    s.reg[:] = _registers(options, view)
    s.out[: len(view.out)], s.fell[: len(view.fell)] = view.out, view.fell
    for seat, victim in view.burners:
        s.bound[seat] = victim
    if view.seat is not None and view.hand:
        at = view.seat * t.CARDS
        s.hands[at : at + t.CARDS] = PACK.read(view.hand)
    if view.previous is not None:
        _write_debts(options, view, s)
    return s


def _registers(options: Options, view: View) -> t.Registers:
    """Return the registers as far as a view tells them; no seat is asked to burn."""
    phase = "burn" if view.phase == "burn_wait" else view.phase
    return t.Registers(
        phase=PHASES.index(phase),
        turn=view.turn[0] if view.turn and phase != "burn" else -1,
        top=read_set(view.top) if view.top else 0,
        owner=-1 if view.owner is None else view.owner,
        restricted=1 if view.restricted else 0,
        passed=mask(view.passed),
        wind=-1 if view.wind is None else view.wind,
        suspended=1 if view.suspended else 0,
        dead_top=1 if view.dead_top else 0,
        dead_answer=1 if view.dead_answer else 0,
        tangle=1 if view.tangle else 0,
        live=(1 << t.SEATS) - 1 & ~mask(view.out) & ~mask(view.fell),
        outs=len(view.out),
        fells=len(view.fell),
        asked=0,
        burns=0,
        last=-1 if view.gone is None else view.gone,
        leader=view.leader,
        debt=0,
        resisted=mask(view.resisted),
        left=-1 if view.left is None else view.left,
        tricks=view.trick_no,
        burn_own=1 if options.burn_own_side else 0,
        decided=1 if options.end_when_decided else 0,
        keep_three=1 if options.keep_three else 0,
        returns=1 if options.tribute_return else 0,
    )


def asked_table(options: Options, view: View) -> t.Table:
    """Return the public table as the seat that is asked knows it: it is its turn."""
    return _asking(public_table(options, view), view)


def question(options: Options, view: View) -> t.Table:
    """Return the part of the asked table that decides what a seat may do: its own hand only, and no played cards."""
    hands, reg = buffer(t.SEATS * t.CARDS), buffer(t.REGISTERS)
    out, fell, bound, debts = thaw_each(SMALL)
    s = t.Table(
        hands=hands,
        played=NONE.played,
        lost=NONE.lost,
        reg=reg,
        out=out,
        fell=fell,
        bound=bound,
        order=NONE.order,
        scores=NONE.scores,
        debts=debts,
    )
    return _asking(_asked_of(options, view, s), view)


def _asking(s: t.Table, view: View) -> t.Table:
    if view.seat is not None:
        s.reg[t.TURN] = view.seat
    return s


def summed_table(options: Options, view: View) -> t.Table:
    """Return the asked table with the unseen cards put into the hidden hands arbitrarily: only their sum is right."""
    s = asked_table(options, view)
    if view.phase in ("deal", "over"):
        return s
    want, known = sizes(options, view), located(view)
    rest, card = unseen(view), 0
    for seat in range(t.SEATS):
        room = want[seat] if seat not in known else 0
        while room and card < t.CARDS:
            n = min(room, rest[card])
            s.hands[seat * t.CARDS + card] += n
            rest[card] -= n
            room -= n
            if not rest[card]:
                card += 1
    return s


def _write_debts(options: Options, view: View, s: t.Table) -> None:
    assert view.previous is not None
    if options.tribute == "on" and view.phase not in ("deal", "tribute"):
        s.reg[t.DEBT] = t.DEBTS
    for debt in range(t.DEBTS):
        cell = debt * t.DEBT_CELLS
        for each in view.payments:
            if each.giver == view.previous[5 - debt]:
                twos, smalls, bigs = PACK.read(each.cards)[t.TWO :]
                paid = t.Debt(
                    payer=each.giver,
                    to=each.to,
                    paid_twos=twos,
                    paid_smalls=smalls,
                    paid_bigs=bigs,
                    back=0,
                    back_low=-1,
                    back_high=-1,
                )
                pour(s.debts, paid, cell)
        for each in view.returns:
            if each.to == view.previous[5 - debt]:
                low, high = PACK.index[each.cards[0]], PACK.index[each.cards[-1]]
                s.debts[cell + t.BACK] = len(each.cards)
                s.debts[cell + t.BACK_LOW] = low
                s.debts[cell + t.BACK_HIGH] = high if len(each.cards) == 2 else -1
        if view.phase == "tribute" and view.turn == (view.previous[debt],):
            s.reg[t.DEBT] = debt


def _deal_hidden(options: Options, view: View, s: t.Table, rng: Rng) -> None:
    """Deal the unseen cards to the hidden hands so that the seats asked are able to do what they are asked for."""
    pool, want = unseen(view), sizes(options, view)
    known = located(view)
    hidden = [seat for seat in range(t.SEATS) if seat not in known and want[seat] > 0]
    floor, barred = floors(view, hidden, options.tribute_resist), bars(view)
    while sum(want[seat] for seat in hidden) > sum(pool):  # hands that no deal can contain: a made-up position
        want[max(hidden, key=lambda seat: want[seat])] -= 1
    for attempt in range(10):
        for seat in hidden:
            pour(s.hands, (0,) * t.CARDS, seat * t.CARDS)
        rest, room = list(pool), {seat: want[seat] for seat in hidden}
        if attempt < 9:
            for seat, card in floor:
                if room[seat] and rest[card]:
                    _move(s, rest, room, seat, card)
            for card in range(t.TWO, t.CARDS):
                _deal_barred(s, rest, room, card, barred, rng)
        else:
            _furnish(view, s, rest, room, rng)
        cards = rng.shuffled([card for card, n in enumerate(rest) for _ in range(n)])
        at = 0
        for seat in hidden:
            for card in cards[at : at + room[seat]]:
                s.hands[seat * t.CARDS + card] += 1
            at += room[seat]
        if _fits(view, s):
            return


def _move(s: t.Table, rest: list[int], room: dict[Seat, int], seat: Seat, card: int, n: int = 1) -> None:
    rest[card] -= n
    room[seat] -= n
    s.hands[seat * t.CARDS + card] += n


def floors(view: View, hidden: Sequence[Seat], resist: int) -> list[tuple[Seat, int]]:
    """Return the cards that receivers of a tribute and payers who resisted (with big jokers) must still hold."""
    held: dict[tuple[Seat, int], int] = {}
    for each in (*view.payments, *view.returns):
        for card, n in enumerate(PACK.read(each.cards)):
            if n and each.to in hidden:
                held[each.to, card] = held.get((each.to, card), 0) + n
            if n and each.giver in hidden and each in view.returns:
                held[each.giver, card] = held.get((each.giver, card), 0) - n
    for seat in hidden:
        if seat in view.resisted and resist:
            held[seat, t.BIG] = resist
        for card, n in enumerate(PACK.read(view.played[seat])):
            if (seat, card) in held:
                held[seat, card] -= n
    return [key for key, n in held.items() for _ in range(n)]


def bars(view: View) -> set[tuple[Seat, int]]:
    """Return which high cards payers of a tribute cannot hold: they paid their highest card, or had none to pay."""
    found: set[tuple[Seat, int]] = set()
    if view.previous is None or not (view.payments or view.resisted):
        return found
    owed = {view.previous[5]: (view.previous[0], 2), view.previous[4]: (view.previous[1], 1)}
    if len({seat % 2 for seat in view.previous[:3]}) == 1:
        owed[view.previous[3]] = (view.previous[2], 1)
    paid = {each.giver: each.cards for each in view.payments}
    back = {(each.to, card) for each in view.returns for card in each.cards}
    for payer, (receiver, number) in owed.items():
        if payer % 2 == receiver % 2 or payer in view.resisted:
            continue
        cards = paid.get(payer, "")
        lowest = PACK.index[cards[0]] if len(cards) == number else t.TWO - 1
        found |= {(payer, card) for card in range(lowest + 1, t.CARDS) if (payer, PACK.names[card]) not in back}
    return found


def _deal_barred(
    s: t.Table, rest: list[int], room: dict[Seat, int], card: int, barred: set[tuple[Seat, int]], rng: Rng
) -> None:
    """Deal the copies of a card that some seat cannot hold to the other seats; each free place is equally likely."""
    if not any((seat, card) in barred for seat in room):
        return
    while rest[card]:
        places = [seat for seat in room if (seat, card) not in barred for _ in range(room[seat])]
        if not places:
            return
        _move(s, rest, room, places[rng.below(len(places))], card)


def _fits(view: View, s: t.Table) -> bool:
    """Return whether the hidden hands are able to do what the view says they are asked for."""
    r = s.reg
    if view.phase == "burn_wait":
        mine = 1 << view.seat if view.seat is not None else 0
        return bool(flow.candidates(s) & ~mine)
    turn = r[t.TURN]
    if view.phase == "burn_play" and turn != view.seat:
        return bool(sets.able(s.hands, turn * t.CARDS, r[t.TOP], s.bound[turn] >= 0))
    if view.phase == "lead" and turn != view.seat and s.bound[turn] >= 0:
        return bool(sets.holds(s.hands, turn * t.CARDS))
    return True


def _furnish(view: View, s: t.Table, rest: list[int], room: dict[Seat, int], rng: Rng) -> None:
    """Give one hidden seat a hand that can burn (or keep the burner's duty): jokers, twos, and the fewest ranks."""
    r = s.reg
    if view.phase == "burn_wait":
        owner = r[t.OWNER]
        seats = [
            seat
            for seat in rng.shuffled(list(room))
            if (seat - owner) % t.SEATS not in (0, 3)
            and not r[t.PASSED] >> seat & 1
            and not t.headless(s, seat)
            and (r[t.BURN_OWN] or (seat - owner) % 2)
        ]
    else:
        seats = [seat for seat in room if seat == r[t.TURN]]
    for seat in seats:
        firsts = [0]
        if view.phase != "lead":
            out = buffer(t.MOST_PLAYS * 4)
            n = sets.all_answers(thawed(rest), 0, r[t.TOP], s.bound[seat] >= 0, out)
            firsts = [int(out[i]) for i in rng.shuffled(range(n))]
        for first in firsts:
            hand = _joined(rest, room[seat], first)
            if hand is not None:
                for card, n in enumerate(hand):
                    _move(s, rest, room, seat, card, n)
                return


def _joined(rest: Sequence[int], room: int, first: int) -> list[int] | None:
    """Return a hand of `room` cards from `rest` with the set `first` that meets the burner's condition, or None."""
    hand = [0] * t.CARDS
    if first:
        base = hung.base(first)
        if base < t.RANKS:
            hand[base] = hung.plain(first)
        hand[t.TWO], hand[t.SMALL], hand[t.BIG] = hung.wilds(first), hung.smalls(first), hung.bigs(first)
    if sum(hand) > room:
        return None
    by_number = sorted(range(t.RANKS), key=lambda card: rest[card] - hand[card], reverse=True)
    for card in (t.BIG, t.SMALL, t.TWO, *by_number):
        hand[card] += min(rest[card] - hand[card], room - sum(hand))
    good = sets.keeps(thawed(hand), 0, first) if first else sets.holds(thawed(hand), 0)
    return hand if good else None
