"""What each seat sees of a state (baohuang 9), and what is told of a step."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from msgspec.structs import replace

from qipai.core.contract import Seat
from qipai.core.recent import recent
from qipai.games.baohuang.kernel import score
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.notation import MODES, PHASES, write_play
from qipai.games.baohuang.state import (
    Action,
    Ended,
    Event,
    Grabbed,
    Hand,
    Kicked,
    Leave,
    Left,
    Line,
    Pass,
    Play,
    Played,
    Rebelled,
    Revealed,
    State,
    Taken,
    View,
    WentOut,
    Yielded,
)
from qipai.kit.climbing import unseen
from qipai.kit.seats import seat_or_none

__all__ = ["asked", "conceal", "hand_of", "observe", "played", "price", "secret", "teams", "told_between", "waiting"]

WINDOWS: Final = (t.GRAB, t.REBEL, t.KICK)  # several seats are asked, and nobody sees who has answered
SECRET: Final = (t.YIELD, t.REVEAL)  # one seat is asked, and nobody sees who


def secret(state: State, seat: Seat, action: Action) -> bool:
    """Return whether an action stays secret until the deal is over: all except what is played openly."""
    return not isinstance(action, Play | Pass | Leave)


def price(view: View) -> int:
    """Return what leaving costs as the viewer sees the deal (R19): in the opening, unless it is asked to yield, 40."""
    if view.seat in view.out or view.phase == "over":
        return 0
    return int(score.EARLY if view.phase in ("deal", "grab", "yield") else score.LATE)


def teams(state: State) -> tuple[int, ...]:
    """Return the side of each seat at the end: the emperor, with his guard where he has one, against the others."""
    crown = (state.reg[t.EMPEROR], state.reg[t.GUARD])
    return tuple(int(seat in crown) for seat in range(5))


def in_order(state: State, seats: int) -> tuple[Seat, ...]:
    """Return the seats of a mask in order of play from the emperor."""
    return _from(state.reg[t.EMPEROR], seats) if seats else ()


@lru_cache(maxsize=256)
def _from(first: Seat, seats: int) -> tuple[Seat, ...]:
    order = ((first + step) % t.SEATS for step in range(t.SEATS))
    return tuple(seat for seat in order if seats >> seat & 1)


def asked(state: State) -> tuple[Seat, ...]:
    """Return who may act: in a window who has not answered, in order of play from the emperor."""
    reg = state.reg
    if reg[t.PHASE] in WINDOWS:
        return in_order(state, reg[t.ASKED])
    return (reg[t.TURN],) if reg[t.TURN] >= 0 else ()


def hand_of(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the counts of a hand."""
    return state.hands[seat * t.CARDS : seat * t.CARDS + t.CARDS]


def waiting(state: State) -> Mapping[str, Any]:
    """Return the facts of a refusal for a seat that is not asked: only public ones."""
    phase = state.reg[t.PHASE]
    if phase in WINDOWS:
        return {"seats": list(in_order(state, state.reg[t.WINDOW])), "case": "window"}
    if phase in SECRET:
        return {"case": "opening"}
    return {"seats": list(asked(state)), "case": "turn"} if asked(state) else {}


# views ---------------------------------------------------------------------------------------------------------------


def observe(state: State, seat: Seat | None) -> View:
    """Return the view of a seat. seat None: a watcher."""
    public = _observed(None, state)
    if seat is None:
        return public
    reg = state.reg
    phase = reg[t.PHASE]
    unseen, sides = public.unseen, public.sides
    if phase != t.OVER:
        aces, twos, small, sword, big, crown = state.hands[seat * t.CARDS + 8 : (seat + 1) * t.CARDS]
        unseen = (unseen[0] - aces, unseen[1] - twos, unseen[2] - small - sword, unseen[3] - big - crown)
        if min(unseen) < 0:  # hands that no deal can contain
            unseen = tuple([max(0, n) for n in unseen])
    if sides[seat] is None and reg[t.EMPEROR] >= 0:
        sides = (*sides[:seat], 1, *sides[seat + 1 :])
    view = replace(public, seat=seat, hand=state.texts.hands[seat], unseen=unseen, sides=sides)
    mode, guard = public.mode, public.guard
    if phase not in (t.DEAL, t.OVER):
        if seat in (reg[t.EMPEROR], reg[t.GUARD]):
            mode = MODES[reg[t.MODE]]
        if seat == reg[t.GUARD] != reg[t.EMPEROR]:
            guard = seat
    if mode != public.mode or guard != public.guard:
        sheet = _sheet(state, mode, guard)
        view = replace(view, guard=guard, mode=mode, sides=_sides(state, seat, mode, guard), sheet=sheet)
    if phase in SECRET and reg[t.TURN] == seat:
        return replace(view, phase=PHASES[phase], turn=(seat,))
    if phase in WINDOWS and (reg[t.WINDOW] & ~reg[t.ASKED]) >> seat & 1:
        return replace(view, answered=True)
    return view


@recent
def _observed(_options: None, state: State) -> View:
    """Return the public part of a view; no option changes it."""
    reg = state.reg
    phase, over = reg[t.PHASE], reg[t.PHASE] == t.OVER
    public = reg[t.PUBLIC]
    known = over or public >= 0 or reg[t.MODE] == t.SOLO_OPEN
    mode = MODES[reg[t.MODE]] if known else None
    guard = seat_or_none(reg[t.GUARD] if over else public) if mode == "pair" else None
    ended = over and reg[t.LEFT] < 0
    outs = state.out[: reg[t.OUTS]]
    places: list[int | None] = [None] * t.SEATS
    for place, seat in enumerate(state.order if ended else outs, 1):
        places[seat] = place
    name, turn = PHASES[phase], asked(state)
    if phase in WINDOWS:
        turn = in_order(state, reg[t.WINDOW])
    elif phase in SECRET:
        name, turn = "opening", ()
    elif phase == t.DEAL:
        turn = (-1,)
    passed: tuple[int, ...] = ()
    if phase == t.ANSWER:
        between = range(1, (reg[t.TURN] - reg[t.OWNER]) % t.SEATS)
        passed = tuple(seat for step in between if reg[t.LIVE] >> (seat := (reg[t.OWNER] + step) % t.SEATS) & 1)
    hands, played = state.texts.hands, state.texts.played
    shown = tuple([Hand(seat, cards) for seat, cards in enumerate(hands) if cards]) if over else ()
    return View(
        seat=None,
        deal=state.deal,
        first_card=state.first_card,
        trick_no=reg[t.TRICKS],
        hand=None,
        phase=name,
        turn=turn,
        answered=False,
        counts=tuple([len(cards) - cards.count("*") for cards in hands]),
        emperor=seat_or_none(reg[t.EMPEROR]),
        crown=seat_or_none(reg[t.KEEPER]),
        guard=guard,
        guard_public=seat_or_none(public),
        mode=mode,
        opened=reg[t.OPENED] == 1,
        kicked=reg[t.KICKED] == 1,
        multiple=int(score.multiple(reg[t.MODE] if known else t.UNDECIDED, reg[t.OPENED] == 1, reg[t.KICKED] == 1)),
        grabbed=reg[t.VOID] == 1,
        yielded=seat_or_none(reg[t.YIELDED]),
        rebelled=in_order(state, reg[t.REBELS]),
        kickers=in_order(state, reg[t.KICKERS]),
        sides=_sides(state, None, mode, guard),
        top=write_play(reg[t.TOP]) if reg[t.TOP] else None,
        owner=seat_or_none(reg[t.OWNER]),
        passed=passed,
        out=outs,
        places=tuple(places),
        trick=state.trick,
        last=state.last,
        played=played,
        tally=tuple([state.tally[at : at + t.TALLIES] for at in range(0, t.SEATS * t.TALLIES, t.TALLIES)]),
        unseen=unseen(COUNTED, [*played, *[hand.cards for hand in shown]]),
        shown=shown,
        sheet=_sheet(state, mode, guard),
        order=state.order if ended else None,
        scores=state.scores if over else None,
        left=seat_or_none(reg[t.LEFT]),
    )


COUNTED: Final = (("A", 16), ("2", 16), ("x", 4), ("X", 4))  # counted in the view, marked ones included


def _sides(state: State, viewer: Seat | None, mode: str | None, guard: Seat | None) -> tuple[int | None, ...]:
    """Return the side of each seat as far as the viewer knows: 0 the emperor's, 1 the rebels'."""
    reg = state.reg
    emperor = reg[t.EMPEROR]
    if emperor < 0:
        return (None,) * t.SEATS
    sides: list[int | None] = [None] * t.SEATS
    told = guard is not None or mode in ("solo_open", "solo_hidden")
    for seat in range(t.SEATS):
        if seat in (emperor, guard):
            sides[seat] = 0
        # Who goes out without having shown the guard card has never held it.
        elif told or seat == viewer or seat in state.out:
            sides[seat] = 1
    return tuple(sides)


# the score sheet -----------------------------------------------------------------------------------------------------

PAIRS: Final = ("1+2", "1+3", "1+4 2+3", "1+5 2+4", "2+5 3+4", "3+5", "4+5")


@lru_cache(64)
def _rows(mode: int, opened: bool, kicked: bool) -> tuple[tuple[str, int, int, int, frozenset[tuple[int, int]]], ...]:
    """Return the lines of a mode: places, points of emperor, guard and rebel, and all the places that makes."""
    times = int(score.multiple(mode, opened, kicked))
    rows = []
    if mode == t.PAIR:
        for sum_, name in enumerate(PAIRS, 3):
            places = frozenset((e, sum_ - e) for e in range(1, 6) if 1 <= sum_ - e <= 5 and e != sum_ - e)
            emperor, guard = score.emperor_points(mode, sum_, times), score.guard_points(sum_, times)
            rows.append((name, emperor, guard, score.rebel_points(mode, sum_, times), places))
    else:
        for place, most in ((1, 1), (2, 5)) if mode == t.SOLO_OPEN else ((1, 1), (2, 2), (3, 5)):
            name = str(place) if most == place else f"{place}+"
            at = frozenset((e, 0) for e in range(place, most + 1))
            emperor = score.emperor_points(mode, place, times)
            rows.append((name, emperor, 0, score.rebel_points(mode, place, times), at))
    return tuple((name, int(e), int(g), int(r), places) for name, e, g, r, places in rows)


@lru_cache(512)
def _lines(
    modes: tuple[int, ...], opened: bool, kicked: bool, taken: int, emperor: int | None, guard: int | None
) -> tuple[Line, ...]:
    """Return the sheet. taken: how many are out; emperor, guard: their places, None where that is open or unknown."""
    lines = []
    for mode in modes:
        for name, e, g, r, places in _rows(mode, opened, kicked):
            fits = any(
                (at == emperor if emperor is not None else at > taken)
                and (mode != t.PAIR or (with_ == guard if guard is not None else with_ > taken))
                for at, with_ in places
            )
            lines.append(Line(str(MODES[mode]), name, e, g, r, fits))
    return tuple(lines)


def _sheet(state: State, mode: str | None, guard: Seat | None) -> tuple[Line, ...]:
    """Return the score sheet of the modes that a viewer with this knowledge must reckon with."""
    reg = state.reg
    modes = (MODES.index(mode),) if mode else (t.PAIR, t.SOLO_HIDDEN)
    over = reg[t.PHASE] == t.OVER and reg[t.LEFT] < 0
    out = state.order if over else state.out[: reg[t.OUTS]]
    place = {seat: i for i, seat in enumerate(out, 1)}
    known = place.get(guard) if guard is not None else None
    return _lines(modes, reg[t.OPENED] == 1, reg[t.KICKED] == 1, len(out), place.get(reg[t.EMPEROR]), known)


def conceal(view: View) -> View:
    """Return the view of a seat that is not asked during the even pause of yield and reveal (README X6)."""
    opening = view.phase in ("yield", "reveal", "rebel", "kick") or (view.phase == "lead" and view.trick_no == 1)
    return replace(view, phase="opening", turn=(), answered=False) if opening else view


# events --------------------------------------------------------------------------------------------------------------


def played(before: State, after: State, seat: Seat, cards: str) -> Played:
    """Return the event of a set that has just been played."""
    top = before.reg[t.TOP]
    shows = after.reg[t.PUBLIC] != before.reg[t.PUBLIC]
    return Played(seat, cards, write_play(top) if top else None, shows)


def told_between(before: State, after: State) -> list[Event]:
    """Return the public events between two states, except the set or the pass itself."""
    old, new = before.reg, after.reg
    events: list[Event] = []
    if new[t.VOID] and not old[t.VOID]:
        events.append(Grabbed(new[t.EMPEROR]))
    if new[t.YIELDED] != old[t.YIELDED]:
        events.append(Yielded(new[t.YIELDED], new[t.EMPEROR]))
    if new[t.OPENED] and not old[t.OPENED] and not new[t.VOID]:
        guard, solo = new[t.PUBLIC], new[t.GUARD] < 0
        rebels = in_order(after, new[t.REBELS])
        events.append(Rebelled(rebels, guard, solo) if rebels else Revealed(guard, solo))
    if new[t.KICKED] and not old[t.KICKED]:
        events.append(Kicked(in_order(after, new[t.KICKERS])))
    for place in range(old[t.OUTS], new[t.OUTS]):
        events.append(WentOut(after.out[place], place + 1))
    over = new[t.PHASE] == t.OVER
    if new[t.LEFT] >= 0:
        events.append(Left(new[t.LEFT]))
    elif new[t.TRICKS] > old[t.TRICKS] > 0 or over:
        owner = new[t.OWNER] if over else old[t.OWNER]
        events.append(Taken(owner, None if over else new[t.TURN]))
    if over:
        order = after.order if new[t.LEFT] < 0 else None
        guard_ = seat_or_none(new[t.GUARD]) if new[t.MODE] == t.PAIR else None
        opened, kicked = new[t.OPENED] == 1, new[t.KICKED] == 1
        events.append(Ended(order, after.scores, MODES[new[t.MODE]], new[t.EMPEROR], guard_, opened, kicked))
    return events
