"""What each seat sees of a state (doudizhu 9), and what is told of a step."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Final

from msgspec.structs import replace

from qipai.core.contract import Seat
from qipai.core.kernel import read_each
from qipai.core.recent import recent
from qipai.games.doudizhu.kernel import flow
from qipai.games.doudizhu.kernel import table as t
from qipai.games.doudizhu.notation import PACK, PHASES, form_of
from qipai.games.doudizhu.state import (
    Action,
    Called,
    Deal,
    Ended,
    Event,
    Hand,
    Left,
    Played,
    Redealt,
    SetPlayed,
    Settled,
    State,
    Taken,
    View,
)
from qipai.kit.seats import seat_or_none

__all__ = [
    "asked",
    "cells",
    "hand_of",
    "known_bottom",
    "observe",
    "places",
    "played",
    "price",
    "secret",
    "seen",
    "teams",
    "told_between",
    "waiting",
]


def secret(state: State, seat: Seat, action: Action) -> bool:
    """Return whether an action is nobody's business until the deal is over: the cards as they were dealt."""
    return isinstance(action, Deal)


def price(view: View) -> int:
    """Return what leaving costs as the viewer sees the deal (R18)."""
    if view.phase == "over":
        return 0
    return flow.EARLY if view.landlord is None else -2 * view.multiple


def teams(state: State) -> tuple[int, ...]:
    """Return the side of each seat at the end: the landlord against the others."""
    return tuple(int(seat == state.reg[t.LANDLORD]) for seat in range(t.SEATS))


def seen(state: State) -> t.Table:
    """Return the kernel's buffers of a state for kernels that only read them."""
    return t.Table(*read_each(cells(state)))


cells: Final = attrgetter(*t.Table._fields)  # the kernel's buffers of a state, frozen


def asked(state: State) -> tuple[Seat, ...]:
    """Return who may act."""
    turn = state.reg[t.TURN]
    return (turn,) if turn >= 0 else ()


def hand_of(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the counts of a hand."""
    return state.hands[seat * t.CARDS : seat * t.CARDS + t.CARDS]


def waiting(state: State) -> Mapping[str, Any]:
    """Return the facts for a seat that is not asked."""
    turn = asked(state)
    return {"seats": list(turn), "case": "turn"} if turn else {}


def places(winner: Seat, landlord: Seat) -> tuple[int, ...]:
    """Return the place of each seat: who wins shares the first (6)."""
    if winner == landlord:
        return tuple(1 if seat == landlord else 2 for seat in range(t.SEATS))
    return tuple(3 if seat == landlord else 1 for seat in range(t.SEATS))


# views ---------------------------------------------------------------------------------------------------------------


def observe(state: State, seat: Seat | None) -> View:
    """Return what a seat may know; None: a spectator."""
    public = _observed(None, state)
    if seat is None:
        return public
    unseen = public.unseen
    if public.phase != "over":
        kept = known_bottom(state.bottom, state.played, seat) if seat == public.landlord else (0,) * t.CARDS
        # The landlord's own bottom cards are in the hand that is taken off, and were taken off already.
        own = hand_of(state, seat)
        unseen = tuple([max(0, n - have + k) for n, have, k in zip(unseen, own, kept, strict=True)])
    return replace(public, seat=seat, hand=state.texts.hands[seat], unseen=unseen)


def known_bottom(bottom: tuple[int, ...], played: tuple[int, ...], landlord: Seat) -> tuple[int, ...]:
    """Return which bottom cards are still in the landlord's hand, as counts: those not played (R5)."""
    laid = played[landlord * t.CARDS : landlord * t.CARDS + t.CARDS]
    return tuple([max(0, n - gone) for n, gone in zip(bottom, laid, strict=True)])


@recent
def _observed(_options: None, state: State) -> View:
    """Return what everybody may know; no rule of the house changes that."""
    reg = state.reg
    phase, over = reg[t.PHASE], reg[t.PHASE] == t.OVER
    settled = reg[t.LANDLORD] >= 0 and (reg[t.TRICKS] > 0)
    landlord = reg[t.LANDLORD] if settled else None
    hands, texts = state.texts.hands, state.texts
    ended = over and reg[t.LEFT] < 0
    winner = reg[t.WINNER]
    bottom = PACK.write(state.bottom) if settled or over else ""
    shown = tuple([Hand(seat, cards) for seat, cards in enumerate(hands) if cards]) if over else ()
    s = seen(state)
    return View(
        seat=None,
        deal=state.deal,
        redealt=reg[t.REDEALT],
        trick_no=reg[t.TRICKS],
        hand=None,
        phase=PHASES[phase],
        turn=(-1,) if phase == t.DEAL else asked(state),
        first=seat_or_none(reg[t.FIRST]),
        calls=tuple([seat_or_none(n) for n in state.calls]),
        bid=reg[t.CALLED],
        landlord=landlord,
        sides=tuple([None if landlord is None else int(seat != landlord) for seat in range(t.SEATS)]),
        bottom=bottom or None,
        doublings=int(flow.doublings(s)),
        multiple=int(flow.multiple(s)),
        counts=tuple(map(len, hands)),
        top=state.trick[-1].cards if reg[t.TOP] and state.trick else None,
        form=form_of(reg[t.TOP]) if reg[t.TOP] else None,
        owner=seat_or_none(reg[t.OWNER]),
        passed=tuple([(reg[t.OWNER] + step) % t.SEATS for step in range(1, reg[t.PASSES] + 1)]),
        out=(winner,) if winner >= 0 else (),
        places=places(winner, reg[t.LANDLORD]) if ended else (None,) * t.SEATS,
        trick=state.trick,
        last=state.last,
        played=texts.played,
        sets=state.sets,
        unseen=_unseen(state, landlord, over),
        shown=shown,
        spring=reg[t.SPRUNG] == 1,
        scores=state.scores if over else None,
        left=seat_or_none(reg[t.LEFT]),
    )


def _unseen(state: State, landlord: Seat | None, over: bool) -> tuple[int, ...]:
    """Return how many of each card nobody has seen: none when all hands are shown."""
    n, played = t.CARDS, state.played
    if over:
        return (0,) * n
    located = [played[card] + played[n + card] + played[2 * n + card] for card in range(n)]
    if landlord is not None:
        kept = known_bottom(state.bottom, played, landlord)
        located = [laid + k for laid, k in zip(located, kept, strict=True)]
    return tuple([max(0, copies - laid) for copies, laid in zip(PACK.copies, located, strict=True)])


# events --------------------------------------------------------------------------------------------------------------


def played(before: State, after: State, made: SetPlayed) -> Played:
    """Return the event of a set that has just been put down."""
    top = before.trick[-1].cards if before.reg[t.TOP] and before.trick else None
    return Played(made.seat, made.cards, top, made.form, int(flow.multiple(seen(after))))


def told_between(before: State, after: State, seat: Seat) -> list[Event]:
    """Return what everybody learns between two states, beside the set or the pass itself."""
    old, new = before.reg, after.reg
    events: list[Event] = []
    over = new[t.PHASE] == t.OVER
    if new[t.LEFT] >= 0:
        events.append(Left(new[t.LEFT]))
    elif old[t.PHASE] == t.BID:
        thrown = new[t.REDEALT] > old[t.REDEALT]
        n = 0 if thrown else after.calls[seat]
        events.append(Called(seat, n))
        if thrown:
            events.append(Redealt(new[t.FIRST]))
        elif new[t.PHASE] == t.LEAD:
            forced = not any(after.calls[each] > 0 for each in range(t.SEATS))
            events.append(Settled(new[t.LANDLORD], new[t.CALLED], PACK.write(after.bottom), forced))
    elif over or new[t.TRICKS] > old[t.TRICKS] > 0:
        owner = new[t.OWNER] if over else old[t.OWNER]
        events.append(Taken(owner, None if over else new[t.TURN]))
    if over:
        landlord = seat_or_none(new[t.LANDLORD]) if new[t.TRICKS] else None
        multiple, spring = int(flow.multiple(seen(after))), new[t.SPRUNG] == 1
        events.append(Ended(seat_or_none(new[t.WINNER]), landlord, after.scores, multiple, spring))
    return events
