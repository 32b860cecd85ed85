"""What each seat sees of a state (gouji 9), and what is told of a step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from msgspec.structs import replace

from qipai.core.contract import Seat
from qipai.core.kernel import thawed
from qipai.games.gouji.kernel import flow, sets
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.notation import PACK, PHASES, write_play
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import (
    Action,
    Burn,
    Burning,
    Deal,
    Ended,
    Event,
    Fell,
    Hand,
    Left,
    NoBurn,
    Paid,
    Payment,
    Played,
    Resisted,
    Returned,
    SetPlayed,
    State,
    Taken,
    Tangled,
    View,
    WentOut,
)
from qipai.kit.climbing import unseen
from qipai.kit.seats import bits, seat_or_none

__all__ = ["asked", "conceal", "hand_of", "observe", "secret", "told_between", "waiting"]

SECRETS: Final = (Deal, Burn, NoBurn)
COUNTED: Final = tuple(zip(PACK.names, PACK.copies, strict=True))[
    t.RANKS - 1 :
]  # of these it is told how many are left


def secret(state: State, seat: Seat, action: Action) -> bool:
    """Return whether an action stays secret until the deal is over: the cards dealt, and answers to a burn."""
    return isinstance(action, SECRETS)


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


@lru_cache(maxsize=64)
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
    """Return the facts of a refusal for a seat that is not asked. On a restricted set they do not tell who may burn."""
    reg = state.reg
    if reg[t.PHASE] == t.BURN_PLAY:
        return {"seats": [reg[t.TURN]], "case": "burn_play"}
    if reg[t.RESTRICTED]:
        return {"seats": list(answerers(state)), "case": "restricted"}
    return {"seats": list(asked(state))}


# views ---------------------------------------------------------------------------------------------------------------


_memo: tuple[Options, State, View] | None = None  # the last public view: six seats ask for theirs right after it


def observe(options: Options, state: State, seat: Seat | None) -> View:
    """Return the view of a seat. seat None: a watcher."""
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
    partners: tuple[Hand, ...] = ()
    if options.partners_view and seat in public.out:
        side = (other for other in bits(reg[t.LIVE]) if other % 2 == seat % 2)
        partners = tuple(Hand(other, state.texts.hands[other]) for other in side)
    hand, counts, unseen = "", public.counts, public.unseen
    if reg[t.LIVE] >> seat & 1:
        hand = state.texts.hands[seat]
        if counts[seat] is None:
            counts = (*counts[:seat], len(hand), *counts[seat + 1 :])
        if reg[t.PHASE] != t.OVER:
            aces, twos, smalls, bigs = state.hands[seat * t.CARDS + t.RANKS - 1 : (seat + 1) * t.CARDS]
            unseen = (unseen[0] - aces, unseen[1] - twos, unseen[2] - smalls, unseen[3] - bigs)
            if min(unseen) < 0:  # hands that no deal can contain
                unseen = tuple([max(0, n) for n in unseen])
    view = replace(public, seat=seat, hand=hand, counts=counts, unseen=unseen)
    if partners or turn is not public.turn or state.still is not None:
        still = observe(options, state.still, seat) if state.still is not None else None
        view = replace(view, phase=phase, turn=turn, partners=partners, still=still)
    return view


def _observed(options: Options, state: State) -> View:
    """Return the public part of a view."""
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
    played = state.texts.played
    shown = _shown(state, over)
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
        owner=seat_or_none(reg[t.OWNER]),
        restricted=reg[t.RESTRICTED] == 1,
        answerers=answerers(state),
        passed=bits(reg[t.PASSED]),
        wind=seat_or_none(reg[t.WIND]),
        burners=tuple([(other, victim) for other, victim in enumerate(state.bound) if victim >= 0]),
        headless=headless_seats(live),
        out=outs,
        fell=fells,
        gone=seat_or_none(reg[t.LAST]),
        places=tuple(places),
        tangle=reg[t.TANGLE] == 1,
        suspended=reg[t.SUSPENDED] == 1,
        dead_top=reg[t.DEAD_TOP] == 1,
        dead_answer=reg[t.DEAD_ANSWER] == 1,
        trick=state.trick,
        last=state.last,
        played=played,
        unseen=unseen(COUNTED, [*played, *[hand.cards for hand in shown]]),
        shown=shown,
        partners=(),
        payments=payments,
        resisted=_resisted(state),
        returns=returns,
        order=state.order if ended else None,
        scores=state.scores if over else None,
        left=seat_or_none(reg[t.LEFT]),
        still=observe(options, state.still, None) if state.still is not None else None,
    )


def counts(options: Options, state: State) -> tuple[int | None, ...]:
    """Return the numbers of cards left as a spectator sees them (报户, R24)."""
    live, most = state.reg[t.LIVE], options.report_at
    cards = [len(hand) if live >> seat & 1 else 0 for seat, hand in enumerate(state.texts.hands)]
    return tuple([n if n <= most else None for n in cards])


def _shown(state: State, over: bool) -> tuple[Hand, ...]:
    shown: list[Hand] = []
    if not over and not state.reg[t.FELLS]:
        return ()
    for seat in range(t.SEATS):
        cards = text_at(state.lost, seat)
        if over and not cards:
            cards = state.texts.hands[seat]
        if cards:
            shown.append(Hand(seat, cards))
    return tuple(shown)


def _payments(state: State) -> tuple[tuple[Payment, ...], tuple[Payment, ...]]:
    """Return tribute payments and the returns made."""
    if state.previous is None:
        return (), ()
    paid, back = [], []
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


def conceal(view: View) -> View:
    """Return the view of a seat that is not asked to burn, during the even pause after a restricted set (README X6)."""
    if view.still is not None:
        return view.still
    if view.restricted and view.phase in ("answer", "close", "burn_play"):
        return replace(view, phase="burn_wait", turn=())
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


def played(before: Sequence[int], after: Sequence[int], made: SetPlayed) -> Played:
    """Return the event of a set that has just been played. before, after: the registers."""
    top = before[t.TOP]
    closer = (made.seat + 3) % t.SEATS
    return Played(
        seat=made.seat,
        cards=made.cards,
        over=write_play(top) if top else None,
        gouji=bool(sets.is_gouji(after[t.TOP])) and not before[t.TANGLE],
        only=closer if after[t.RESTRICTED] and after[t.LIVE] >> closer & 1 else None,
        burns=before[t.OWNER] if before[t.PHASE] == t.BURN_PLAY else None,
        kills=after[t.DEAD_ANSWER] == 1,
    )


def told_between(old: Sequence[int], after: State, applicant: Seat = -1) -> list[Event]:
    """Return the public events between two states. old: the registers of the first.

    applicant: who had asked for the wind, -1.
    """
    new = after.reg
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
