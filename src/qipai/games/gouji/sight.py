"""What each seat sees of a state (gouji 9), what is told of a step, and states that fit a view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from qipai.core.contract import Rng, Seat
from qipai.core.kernel import buffer, frozen, thawed
from qipai.games.gouji.kernel import flow, sets
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.notation import PACK, PHASES, read_set, write_play
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import (
    Burning,
    Ended,
    Event,
    Fell,
    Hand,
    Left,
    Paid,
    Payment,
    Played,
    Resisted,
    Returned,
    State,
    Taken,
    Tangled,
    View,
    WentOut,
)
from qipai.kit import hung
from qipai.kit.climbing import bits, mask

__all__ = [
    "asked",
    "bars",
    "floors",
    "hush",
    "imagine",
    "located",
    "observe",
    "public_table",
    "sizes",
    "summed_table",
    "told_between",
    "unseen",
    "waiting",
]


def asked(state: State) -> tuple[Seat, ...]:
    """Return who may act, in a burn window in order of priority."""
    reg = state.reg
    if reg[t.PHASE] == t.BURN:
        order = ((reg[t.OWNER] + step) % t.SEATS for step in range(1, t.SEATS))
        return tuple(seat for seat in order if reg[t.ASKED] >> seat & 1)
    return (reg[t.TURN],) if reg[t.TURN] >= 0 else ()


def hand_of(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the counts of a hand."""
    return state.hands[seat * t.CARDS : seat * t.CARDS + t.CARDS]


def text_at(cells: Sequence[int], seat: Seat) -> str:
    """Return the text of a seat's counts in a buffer of six."""
    return PACK.write(cells[seat * t.CARDS : seat * t.CARDS + t.CARDS])


def headless_seats(live: int) -> tuple[Seat, ...]:
    """Return the live seats whose opposite is not."""
    return tuple(seat for seat in bits(live) if not live >> (seat + 3) % t.SEATS & 1)


def answerers(state: State) -> tuple[Seat, ...]:
    """Return who may answer a restricted top without burning: the live opposite, headless seats still in the trick."""
    reg = state.reg
    if not reg[t.RESTRICTED]:
        return ()
    owner, live = reg[t.OWNER], reg[t.LIVE]
    closer = (owner + 3) % t.SEATS
    free = [seat for seat in headless_seats(live) if seat != owner and not reg[t.PASSED] >> seat & 1]
    return tuple(sorted({*free, closer} if live >> closer & 1 else free))


def waiting(state: State) -> Mapping[str, Any]:
    """Return the facts for a seat that is not asked. On a restricted set they are the same whoever is asked to burn."""
    reg = state.reg
    if reg[t.PHASE] == t.BURN_PLAY:
        return {"seats": [reg[t.TURN]], "case": "burn_play"}
    if reg[t.RESTRICTED]:
        return {"seats": list(answerers(state)), "case": "restricted"}
    return {"seats": list(asked(state))}


# views ---------------------------------------------------------------------------------------------------------------


_memo: tuple[Options, State, View] | None = None  # the last public view: six seats ask for theirs right after it


def observe(options: Options, state: State, seat: Seat | None) -> View:
    """Return what a seat may know; None: a spectator."""
    global _memo
    memo = _memo
    if memo is not None and memo[1] is state and memo[0] is options:
        public = memo[2]
    else:
        public = _observed(options, state)
        _memo = (options, state, public)
    if seat is None:
        return public
    reg = state.reg
    phase, turn = public.phase, public.turn
    if reg[t.PHASE] == t.BURN and reg[t.ASKED] >> seat & 1:
        phase, turn = "burn", (seat,)
    mine = reg[t.LIVE] >> seat & 1 == 1
    partners: tuple[Hand, ...] = ()
    if options.partners_view and seat in public.out:
        side = (other for other in bits(reg[t.LIVE]) if other % 2 == seat % 2)
        partners = tuple(Hand(other, text_at(state.hands, other)) for other in side)
    own = hand_of(state, seat)
    unseen = public.unseen
    if public.phase != "over" and mine:
        located = (own[t.RANKS - 1], own[t.TWO], own[t.SMALL], own[t.BIG])
        unseen = tuple(max(0, n - have) for n, have in zip(unseen, located, strict=True))
    return msgspec.structs.replace(
        public,
        seat=seat,
        hand=PACK.write(own) if mine else "",
        phase=phase,
        turn=turn,
        counts=(*public.counts[:seat], sum(own), *public.counts[seat + 1 :]) if mine else public.counts,
        unseen=unseen,
        partners=partners,
        still=observe(options, state.still, seat) if state.still is not None else None,
    )


def _observed(options: Options, state: State) -> View:
    """Return what everybody may know."""
    reg = state.reg
    phase, live, over = reg[t.PHASE], reg[t.LIVE], reg[t.PHASE] == t.OVER
    outs, fells = state.out[: reg[t.OUTS]], state.fell[: reg[t.FELLS]]
    name = PHASES[phase]
    turn: tuple[int, ...] = (reg[t.TURN],) if reg[t.TURN] >= 0 else ()
    if phase == t.BURN:
        name, turn = "burn_wait", ()
    elif phase == t.DEAL:
        turn = (-1,)
    places: list[int | None] = [None] * t.SEATS
    for place, other in enumerate(outs, 1):
        places[other] = place
    for place, other in enumerate(fells):
        places[other] = 6 - place
    ended = over and reg[t.LEFT] < 0
    if ended:
        for place, other in enumerate(state.order, 1):
            places[other] = place
    payments, returns = _payments(state)
    return View(
        seat=None,
        deal=state.deal,
        leader=state.leader,
        previous=state.previous,
        trick_no=reg[t.TRICKS],
        hand=None,
        phase=name,
        turn=turn,
        counts=counts(options, state),
        top=write_play(reg[t.TOP]) if reg[t.TOP] else None,
        owner=reg[t.OWNER] if reg[t.OWNER] >= 0 else None,
        restricted=reg[t.RESTRICTED] == 1,
        answerers=answerers(state),
        passed=bits(reg[t.PASSED]),
        wind=reg[t.WIND] if reg[t.WIND] >= 0 else None,
        burners=tuple((other, victim) for other, victim in enumerate(state.bound) if victim >= 0),
        headless=headless_seats(live),
        out=outs,
        fell=fells,
        gone=reg[t.LAST] if reg[t.LAST] >= 0 else None,
        places=tuple(places),
        tangle=reg[t.TANGLE] == 1,
        suspended=reg[t.SUSPENDED] == 1,
        dead_top=reg[t.DEAD_TOP] == 1,
        dead_answer=reg[t.DEAD_ANSWER] == 1,
        trick=state.trick,
        last=state.last,
        played=tuple(text_at(state.played, other) for other in range(t.SEATS)),
        unseen=_counter(state, over),
        shown=_shown(state, over),
        partners=(),
        payments=payments,
        resisted=_resisted(state),
        returns=returns,
        order=state.order if ended else None,
        scores=state.scores if over else None,
        left=reg[t.LEFT] if reg[t.LEFT] >= 0 else None,
        still=observe(options, state.still, None) if state.still is not None else None,
    )


def counts(options: Options, state: State) -> tuple[int | None, ...]:
    """Return the numbers of cards left as a spectator sees them (报户, R24)."""
    seen: list[int | None] = []
    for other in range(t.SEATS):
        cards = sum(hand_of(state, other)) if state.reg[t.LIVE] >> other & 1 else 0
        seen.append(cards if cards <= options.report_at else None)
    return tuple(seen)


def _counter(state: State, over: bool) -> tuple[int, ...]:
    """Return how many aces, twos and jokers have not been seen."""
    found = []
    for card in (t.RANKS - 1, t.TWO, t.SMALL, t.BIG):
        located = sum(state.played[card :: t.CARDS]) + sum(state.lost[card :: t.CARDS])
        if over:
            located += sum(state.hands[card :: t.CARDS])
        found.append(max(0, PACK.copies[card] - located))
    return tuple(found)


def _shown(state: State, over: bool) -> tuple[Hand, ...]:
    shown: list[Hand] = []
    if not over and not state.reg[t.FELLS]:
        return ()
    for seat in range(t.SEATS):
        cards = text_at(state.lost, seat)
        if over and not cards:
            cards = text_at(state.hands, seat)
        if cards:
            shown.append(Hand(seat, cards))
    return tuple(shown)


def _payments(state: State) -> tuple[tuple[Payment, ...], tuple[Payment, ...]]:
    """Return tribute payments and the returns made."""
    paid, back = [], []
    if state.previous is None:
        return (), ()
    for debt in range(t.DEBTS):
        cells = state.debts[debt * t.DEBT_CELLS : (debt + 1) * t.DEBT_CELLS]
        if cells[t.FROM] < 0:
            continue
        cards = "2" * cells[t.PAID_TWOS] + "x" * cells[t.PAID_SMALLS] + "X" * cells[t.PAID_BIGS]
        paid.append(Payment(cells[t.FROM], cells[t.TO], cards))
        if cells[t.BACK]:
            cards = "".join(PACK.names[card] for card in cells[t.BACK_LOW :] if card >= 0)
            back.append(Payment(cells[t.TO], cells[t.FROM], cards))
    return tuple(paid), tuple(back)


def _resisted(state: State) -> tuple[Seat, ...]:
    """Return the payers that kept their tribute, place 6 first."""
    if state.previous is None:
        return ()
    return tuple(seat for seat in reversed(state.previous) if state.reg[t.RESISTED] >> seat & 1)


def hush(view: View) -> View:
    """Return what whoever is not asked to burn sees during the even pause after a restricted set (README X6)."""
    if view.still is not None:
        return view.still
    if view.restricted and view.phase in ("answer", "close", "burn_play"):
        return msgspec.structs.replace(view, phase="burn_wait", turn=())
    return view


# events --------------------------------------------------------------------------------------------------------------


def tribute_told(state: State) -> list[Event]:
    """Return what is told of the tribute right after the deal."""
    paid, _ = _payments(state)
    return [
        *(Paid(each.giver, each.to, each.cards) for each in paid),
        *(Resisted(seat) for seat in _resisted(state)),
    ]


def returned(before: State, after: State) -> list[Event]:
    """Return what is told of a return."""
    made = _payments(after)[1][len(_payments(before)[1]) :]
    return [Returned(each.giver, each.to, each.cards) for each in made]


def played(before: State, after: State) -> Played:
    """Return the event of a set that has just been put down."""
    reg, top = after.reg, before.reg[t.TOP]
    seat, made = after.trick[-1].seat, after.trick[-1].cards
    closer = (seat + 3) % t.SEATS
    return Played(
        seat=seat,
        cards=made,
        over=write_play(top) if top else None,
        gouji=bool(sets.is_gouji(read_set(made))) and not before.reg[t.TANGLE],
        only=closer if reg[t.RESTRICTED] and reg[t.LIVE] >> closer & 1 else None,
        burns=before.reg[t.OWNER] if before.reg[t.PHASE] == t.BURN_PLAY else None,
        kills=reg[t.DEAD_ANSWER] == 1,
    )


def told_between(before: State, after: State, applicant: Seat = -1) -> list[Event]:
    """Return what everybody learns between two states. applicant: who had asked for the wind, -1."""
    old, new = before.reg, after.reg
    events: list[Event] = []
    if old[t.PHASE] == t.BURN and new[t.PHASE] == t.BURN_PLAY:
        events.append(Burning(new[t.TURN], new[t.OWNER]))
    for place in range(old[t.OUTS], new[t.OUTS]):
        events.append(WentOut(after.out[place], place + 1))
    if old[t.TOP] and not new[t.TOP]:
        leader = new[t.TURN] if new[t.PHASE] == t.LEAD else None
        events.append(Taken(old[t.OWNER], leader, leader == applicant and leader is not None))
    if new[t.TANGLE] and not old[t.TANGLE]:
        events.append(Tangled())
    for index in range(old[t.FELLS], new[t.FELLS]):
        seat = after.fell[index]
        events.append(Fell(seat, 6 - index, text_at(after.lost, seat)))
    if new[t.LEFT] >= 0 and old[t.LEFT] < 0:
        events.append(Left(new[t.LEFT]))
    if old[t.PHASE] != t.OVER:
        events += ended(after)
    return events


def ended(state: State) -> list[Event]:
    """Return the event of the deal's end, if it has ended."""
    reg = state.reg
    if reg[t.PHASE] != t.OVER:
        return []
    if reg[t.LEFT] >= 0:
        return [Ended(None, state.scores, None)]
    side = int(flow.swept_by(thawed(state.order)))
    return [Ended(state.order, state.scores, side if side >= 0 else None)]


# imagination ---------------------------------------------------------------------------------------------------------


def unseen(view: View) -> list[int]:
    """Return counts of the cards that this viewer has not located: hidden in the hands of the others."""
    known = [view.hand or "", *view.played, *(hand.cards for hand in view.partners)]
    known += [hand.cards for hand in view.shown if hand.seat != view.seat or not view.hand]
    located = PACK.read("".join(known))
    return [max(0, n - seen) for n, seen in zip(PACK.copies, located, strict=True)]


def sizes(options: Options, view: View) -> list[int]:
    """Return the number of cards of each seat, inferred where it is not shown: all were dealt 36."""
    gone = {*view.out, *view.fell}
    found = []
    for seat in range(t.SEATS):
        shown = view.counts[seat]
        if shown is None:
            cards = 36 - len(view.played[seat])
            for each in (*view.payments, *view.returns):
                cards += len(each.cards) * ((each.to == seat) - (each.giver == seat))
            shown = max(cards, options.report_at + 1)
        found.append(0 if seat in gone else shown)
    return found


def imagine(options: Options, view: View, rng: Rng) -> State:
    """Return some state that fits this view: hidden cards at random, with those of a tribute where they went."""
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
    cells = (frozen(cells) for cells in s)
    return State(view.deal, view.leader, view.previous, view.trick, view.last, still, *cells)


def located(view: View) -> set[Seat]:
    """Return the seats whose hands the view tells: the own, shown ones, those of seats out of play."""
    seen = {hand.seat for hand in (*view.partners, *view.shown)} | {*view.out, *view.fell}
    return seen | {view.seat} if view.seat is not None else seen


def public_table(options: Options, view: View) -> t.Table:
    """Return the kernel's buffers with all that a view tells, hidden hands empty."""
    s = t.new_table()
    r = s.reg
    phase = "burn" if view.phase == "burn_wait" else view.phase
    r[t.PHASE] = PHASES.index(phase)
    r[t.TURN] = view.turn[0] if view.turn and phase != "burn" else -1
    r[t.TOP] = read_set(view.top) if view.top else 0
    for cell, seat in ((t.OWNER, view.owner), (t.WIND, view.wind), (t.LAST, view.gone), (t.LEFT, view.left)):
        r[cell] = seat if seat is not None else -1
    for cell, flag in (
        (t.RESTRICTED, view.restricted),
        (t.SUSPENDED, view.suspended),
        (t.DEAD_TOP, view.dead_top),
        (t.DEAD_ANSWER, view.dead_answer),
        (t.TANGLE, view.tangle),
        (t.BURN_OWN, options.burn_own_side),
        (t.DECIDED, options.end_when_decided),
        (t.KEEP_THREE, options.keep_three),
        (t.RETURNS, options.tribute_return),
    ):
        r[cell] = int(flag)
    r[t.PASSED] = mask(view.passed)
    r[t.RESISTED] = mask(view.resisted)
    r[t.LIVE] = sum(1 << seat for seat in range(t.SEATS) if seat not in view.out and seat not in view.fell)
    r[t.LEADER], r[t.TRICKS] = view.leader, view.trick_no
    r[t.OUTS], r[t.FELLS] = len(view.out), len(view.fell)
    _fill(s.out, view.out)
    _fill(s.fell, view.fell)
    _fill(s.order, view.order or ())
    _fill(s.scores, view.scores or ())
    for seat, victim in view.burners:
        s.bound[seat] = victim
    for seat, cards in enumerate(view.played):
        _fill(s.played, PACK.read(cards), seat * t.CARDS)
    known = {hand.seat: hand.cards for hand in view.partners}
    for hand in view.shown:
        if hand.seat in view.fell:
            _fill(s.lost, PACK.read(hand.cards), hand.seat * t.CARDS)
        else:
            known[hand.seat] = hand.cards
    if view.seat is not None and view.hand:
        known[view.seat] = view.hand
    for seat, cards in known.items():
        _fill(s.hands, PACK.read(cards), seat * t.CARDS)
    _write_debts(view, s)
    return s


def summed_table(options: Options, view: View) -> t.Table:
    """Return the public table with the unseen cards laid into the hidden hands in any way: only their sum is right."""
    s = public_table(options, view)
    if view.phase in ("deal", "over"):
        return s
    want, known = sizes(options, view), located(view)
    hidden = [other for other in range(t.SEATS) if other not in known for _ in range(want[other])]
    cards = (card for card, n in enumerate(unseen(view)) for _ in range(n))
    for seat, card in zip(hidden, cards, strict=False):
        s.hands[seat * t.CARDS + card] += 1
    return s


def _fill(cells: Any, values: Iterable[int], at: int = 0) -> None:
    for i, value in enumerate(values, at):
        cells[i] = value


def _write_debts(view: View, s: t.Table) -> None:
    if view.previous is None:
        return
    for debt in range(t.DEBTS):
        cell = debt * t.DEBT_CELLS
        for each in view.payments:
            if each.giver == view.previous[5 - debt]:
                paid = PACK.read(each.cards)[t.TWO :]
                _fill(s.debts, (each.giver, each.to, *paid, 0, -1, -1), cell)
        for each in view.returns:
            if each.to == view.previous[5 - debt]:
                low, high = PACK.index[each.cards[0]], PACK.index[each.cards[-1]]
                _fill(s.debts, (len(each.cards), low, high if len(each.cards) == 2 else -1), cell + t.BACK)
        if view.phase == "tribute" and view.turn == (view.previous[debt],):
            s.reg[t.DEBT] = debt


def _deal_hidden(options: Options, view: View, s: t.Table, rng: Rng) -> None:
    """Deal the unseen cards to the hidden hands so that whoever is asked can do what it is asked for."""
    pool, want = unseen(view), sizes(options, view)
    known = located(view)
    hidden = [seat for seat in range(t.SEATS) if seat not in known and want[seat] > 0]
    floor, barred = floors(view, hidden, options.tribute_resist), bars(view)
    while sum(want[seat] for seat in hidden) > sum(pool):  # hands no deal can give: a position somebody made up
        want[max(hidden, key=lambda seat: want[seat])] -= 1
    for attempt in range(10):
        for seat in hidden:
            _fill(s.hands, (0,) * t.CARDS, seat * t.CARDS)
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
    """Return cards that receivers of a tribute must still hold, and payers who resisted with so many big jokers."""
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
    """Return which high cards payers of a tribute cannot hold: they paid their highest, or had none to pay."""
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
    """Deal a card that some seat cannot hold to the others, each place in a hand as likely as any other."""
    if not any((seat, card) in barred for seat in room):
        return
    while rest[card]:
        places = [seat for seat in room if (seat, card) not in barred for _ in range(room[seat])]
        if not places:
            return
        _move(s, rest, room, places[rng.below(len(places))], card)


def _fits(view: View, s: t.Table) -> bool:
    """Return whether the hidden hands can do what the view says they are asked for."""
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
    """Give one hidden seat a hand with which it can burn (or go on burning): jokers, twos, and the fewest ranks."""
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
    """Return a hand of `room` cards from `rest` that holds a set and meets the condition behind it, or None."""
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
