"""A small game of another package, with all that makes a game hard for a hall.

Two or three seats hold four cards each, of 1 to 12. Whoever is on turn puts one down. Whoever holds the next higher
card is asked whether to snatch it: a window that nobody else may notice (`conceal`). The first in order who takes it
scores a point and is on turn. When hands are empty, luck rolls a die in the open, after a beat in which any seat may
shout; a shout changes nothing. The die is added to the score of the seat it names. Whoever waits while another puts
down may cheer, once, and nobody waits for it.

House rules let the cards fall one by one, a beat each, while whoever sees the highest may call it; and let everybody
say in secret, before the first card is put down, whether he will win: who has said it, nobody sees until all have.
Further options let the hall end it by its clock, remove idle players, and refuse those who are too quick or just erred.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from qipai.core.contract import NATURE, Malformed, Notice, Outcome, Refusal, Rng, Seat, Step, Turn, one_of
from qipai.core.entry import Entry, Form, Leaving, Past, Records, Timing

SEATS, HAND, PAUSE, BEAT = 3, 4, 2000, 500


class Options(Struct, frozen=True, forbid_unknown_fields=True, rename={"yield_": "yield"}):
    deals: int = 2  # in a match
    takeback: str = "off"
    yield_: bool = False  # who has snatched lets the next one go on; a name that Python keeps for itself
    falling: bool = False
    wager: bool = False
    on_leave: Literal["bot", "void", "leave"] = "bot"
    limit_ms: int = 0
    idle_ms: int = 0
    gap_ms: int = 0  # between two cards of one seat
    miss_ms: int = 0  # after a card it does not hold
    pace_ms: int = 0  # of its bots, to twice as long


class Act(Struct, frozen=True, tag_field="a", tag=str.lower):
    """An action."""


class Deal(Act, frozen=True):
    hands: tuple[tuple[int, ...], ...]


class Roll(Act, frozen=True):
    d: int


class Put(Act, frozen=True):
    card: int


class Snatch(Act, frozen=True):
    yes: bool


class Shout(Act, frozen=True):
    pass


class Cheer(Act, frozen=True):
    pass


class Fall(Act, frozen=True):
    pass


class Call(Act, frozen=True):
    pass


class Wager(Act, frozen=True):
    yes: bool


class Leave(Act, frozen=True):
    seat: int


class Happened(Struct, frozen=True, tag_field="e", tag=str.lower):
    """An event."""


class Dealt(Happened, frozen=True):
    pass


class Yours(Happened, frozen=True):
    cards: tuple[int, ...]


class Down(Happened, frozen=True):
    seat: int
    card: int


class Taken(Happened, frozen=True):
    seat: int


class Cheered(Happened, frozen=True):
    seat: int


class Called(Happened, frozen=True):
    seat: int


class Rolled(Happened, frozen=True):
    d: int


class State(Struct, frozen=True):
    hands: tuple[tuple[int, ...], ...] = ()
    on: Seat = NATURE
    top: int = 0
    window: tuple[Seat, ...] = ()  # asked, in order
    said: tuple[bool | None, ...] = ()  # their answers
    scores: tuple[int, ...] = (0,) * SEATS
    shouted: tuple[bool, ...] = (False,) * SEATS
    cheered: tuple[bool, ...] = (False,) * SEATS
    die: int = 0
    fallen: int = HAND  # cards of each hand
    called: Seat | None = None
    wagers: tuple[bool | None, ...] = ()
    left: Seat | None = None


class View(Struct, frozen=True):
    seat: int | None
    hand: tuple[int, ...] | None
    counts: tuple[int, ...]
    top: int
    phase: str  # deal fall wager put snatch wait roll over
    turn: tuple[int, ...]
    scores: tuple[int, ...]
    shouted: tuple[bool, ...]
    cheered: tuple[bool, ...]
    die: int
    called: int | None
    wagered: bool  # this seat has, while others are still asked
    wagers: tuple[bool, ...]  # once all have
    left: int | None


def phase(state: State) -> str:
    if state.left is not None:
        return "over"
    if not state.hands:
        return "deal"
    if state.fallen < HAND:
        return "fall"
    if None in state.wagers:
        return "wager"
    if state.window:
        return "snatch"
    if any(state.hands):
        return "put"
    return "over" if state.die else "roll"


def asked(state: State) -> tuple[Seat, ...]:
    match phase(state):
        case "snatch":
            return tuple(s for s, said in zip(state.window, state.said, strict=True) if said is None)
        case "put":
            return (state.on,)
        case "wager":
            return tuple(seat for seat, said in enumerate(state.wagers) if said is None)
        case "roll":
            return tuple(seat for seat, done in enumerate(state.shouted) if not done)
    return ()


def free(state: State) -> frozenset[Seat]:
    """Return who may cheer, or call."""
    match phase(state):
        case "put":
            return frozenset(s for s, done in enumerate(state.cheered) if s != state.on and not done)
        case "fall" if state.called is None:
            return frozenset(range(len(state.hands)))
    return frozenset()


def after_put(state: State) -> State:
    """Let the next seat with cards be on turn."""
    count = len(state.hands)
    seats = [(state.on + k) % count for k in range(1, count + 1)]
    return replace(state, on=next((s for s in seats if state.hands[s]), NATURE), window=(), said=())


class Rules:
    def __init__(self, options: Options, seats: int) -> None:
        self.options, self.seats = options, seats

    def start(self, carry: Any = None) -> State:
        nobody = (False,) * self.seats
        return State(scores=(0,) * self.seats, shouted=nobody, cheered=nobody)

    def turn(self, state: State) -> Turn:
        match phase(state):
            case "deal":
                return Turn(frozenset([NATURE]), "deal")
            case "fall":
                return Turn(frozenset([NATURE]), "call", delay_ms=BEAT, may=free(state))
            case "roll":
                return Turn(frozenset([NATURE, *asked(state)]), "shout", delay_ms=BEAT)
        return Turn(frozenset(asked(state)), phase(state), may=free(state))

    def legal(self, state: State, seat: Seat) -> Iterator[Any]:
        if seat in asked(state):
            match phase(state):
                case "put":
                    yield from map(Put, sorted(state.hands[seat]))
                case "snatch":
                    yield from (Snatch(True), Snatch(False))
                case "wager":
                    yield from (Wager(True), Wager(False))
                case "roll":
                    yield Shout()
        elif seat in free(state):
            if phase(state) == "put":
                yield Cheer()
            elif self.highest in state.hands[seat][: state.fallen]:
                yield Call()

    def leaving(self, state: State, seat: Seat) -> Iterator[Any]:
        return iter(())

    def sample(self, state: State, seat: Seat, rng: Rng) -> Any:
        return one_of(self.legal(state, seat), rng)

    @property
    def highest(self) -> int:
        return self.seats * HAND

    def refuse(self, state: State, seat: Seat, action: Any) -> Refusal | None:
        if isinstance(action, Malformed):
            return Refusal("bad_action", {"field": action.field})
        if phase(state) == "over":
            return Refusal("over")
        if isinstance(action, Leave):
            return None if seat == NATURE and self.options.on_leave == "leave" else Refusal("bad_action")
        if seat == NATURE:
            return None if isinstance(action, Deal | Fall | Roll) else Refusal("bad_seat")
        if isinstance(action, Deal | Fall | Roll):
            return Refusal("bad_action")
        if seat not in asked(state) and seat not in free(state):
            return Refusal("not_your_turn")
        return None if action in self.legal(state, seat) else Refusal("not_held", {"have": len(state.hands[seat])})

    def apply(self, state: State, seat: Seat, action: Any) -> Step[State]:
        match action:
            case Deal(hands=hands):
                wagers = (None,) * self.seats if self.options.wager else ()
                if self.options.falling:
                    return Step(replace(state, hands=hands, on=0, wagers=wagers, fallen=0), (Notice(Dealt()),))
                told = tuple(Notice(Yours(hand), frozenset([s])) for s, hand in enumerate(hands))
                return Step(replace(state, hands=hands, on=0, wagers=wagers), (Notice(Dealt()), *told))
            case Fall():
                new = replace(state, fallen=state.fallen + 1)
                hands = tuple(tuple(sorted(hand)) for hand in state.hands)
                return Step(new if new.fallen < HAND else replace(new, hands=hands))
            case Call():
                return Step(replace(state, called=seat), (Notice(Called(seat)),))
            case Wager(yes=yes):
                return Step(replace(state, wagers=tuple(yes if s == seat else v for s, v in enumerate(state.wagers))))
            case Leave(seat=left):
                return Step(replace(state, left=left))
            case Roll(d=d):
                scores = tuple(n + (s == d % self.seats) * d for s, n in enumerate(state.scores))
                return Step(replace(state, die=d, scores=scores), (Notice(Rolled(d)),))
            case Put(card=card):
                hands = tuple(tuple(c for c in h if s != seat or c != card) for s, h in enumerate(state.hands))
                order = [(seat + k) % self.seats for k in range(1, self.seats)]
                able = tuple(s for s in order if card + 1 in hands[s])
                new = replace(state, hands=hands, top=card, window=able, said=(None,) * len(able))
                return Step(new if able else after_put(new), (Notice(Down(seat, card)),), PAUSE)
            case Snatch(yes=yes):
                said = tuple(yes if s == seat else v for s, v in zip(state.window, state.said, strict=True))
                for taker, answer in zip(state.window, said, strict=True):
                    if answer is None:
                        break
                    if answer:
                        scores = tuple(n + (s == taker) for s, n in enumerate(state.scores))
                        new = replace(state, on=taker, scores=scores, window=(), said=())
                        return Step(after_put(new) if self.options.yield_ else new, (Notice(Taken(taker)),))
                else:
                    return Step(after_put(replace(state, said=said)))
                return Step(replace(state, said=said))
            case Cheer():
                cheered = tuple(v or s == seat for s, v in enumerate(state.cheered))
                return Step(replace(state, cheered=cheered), (Notice(Cheered(seat)),))
            case Shout():
                return Step(replace(state, shouted=tuple(v or s == seat for s, v in enumerate(state.shouted))))
        raise AssertionError(action)

    def idle(self, state: State, seat: Seat) -> Any:
        match phase(state):
            case "put":
                return Put(min(state.hands[seat]))
            case "roll":
                return Shout()
        return Snatch(False) if phase(state) == "snatch" else Wager(False)

    def chance(self, state: State, rng: Rng) -> Any:
        match phase(state):
            case "roll":
                return Roll(rng.below(6) + 1)
            case "fall":
                return Fall()
        cards = rng.shuffled(range(1, self.seats * HAND + 1))
        hands = [cards[s * HAND : (s + 1) * HAND] for s in range(self.seats)]
        return Deal(tuple(hand if self.options.falling else tuple(sorted(hand)) for hand in hands))

    def observe(self, state: State, seat: Seat | None) -> View:
        now, turn = phase(state), asked(state)
        if now == "snatch" and seat not in turn:
            now, turn = "wait", ()
        elif now == "snatch":
            turn = (seat,) if seat is not None else ()
        elif now == "wager":
            turn = tuple(range(self.seats))  # who has wagered, nobody sees
        hands = [hand[: state.fallen] for hand in state.hands]
        return View(
            seat=seat,
            hand=hands[seat] if hands and seat is not None else None,
            counts=tuple(map(len, hands)),
            top=state.top,
            phase=now,
            turn=turn,
            scores=state.scores,
            shouted=state.shouted,
            cheered=state.cheered,
            die=state.die,
            called=state.called,
            wagered=now == "wager" and seat is not None and state.wagers[seat] is not None,
            wagers=() if None in state.wagers else tuple(map(bool, state.wagers)),
            left=state.left,
        )

    def imagine(self, view: View, rng: Rng) -> State:
        """Return some state that fits this view; in a pause, one in which somebody else is asked."""
        mine = view.seat if view.seat is not None else NATURE
        known = {*(view.hand or ()), view.top}
        pool = list(rng.shuffled([card for card in range(1, self.highest + 1) if card not in known]))
        size = HAND if view.phase == "fall" else 0
        own = view.hand or ()
        hands = tuple(
            (*(own if seat == mine else ()), *(pool.pop() for _ in range(max(size, count) - len(own) * (seat == mine))))
            for seat, count in enumerate(view.counts)
        )
        window = (mine,) if view.phase == "snatch" else ()
        if view.phase == "wait":
            window = ((mine + 1) % self.seats,)
        wagers: tuple[bool | None, ...] = view.wagers
        if view.phase == "wager":
            wagers = tuple(True if seat == mine and view.wagered else None for seat in range(self.seats))
        return State(
            hands=hands if view.phase == "fall" else tuple(tuple(sorted(hand)) for hand in hands),
            on=view.turn[0] if view.phase == "put" else 0 if view.phase in ("fall", "wager") else NATURE,
            top=view.top,
            window=window,
            said=(None,) * len(window),
            scores=view.scores,
            shouted=view.shouted,
            cheered=view.cheered,
            die=view.die,
            fallen=view.counts[0] if view.phase == "fall" else HAND,
            called=view.called,
            wagers=(None,) * self.seats if view.phase == "fall" and self.options.wager else wagers,
            left=view.left,
        )

    def outcome(self, state: State) -> Outcome | None:
        if phase(state) != "over":
            return None
        if state.left is not None:
            return Outcome((0,) * self.seats, (1,) * self.seats, "left")
        points = tuple(self.seats * n - sum(state.scores) for n in state.scores)
        places = tuple(1 + sum(other > mine for other in points) for mine in points)
        return Outcome(points, places, "counted", {"again": 1} if self.options.deals > 1 else None)


class Still(Rules):
    """The same without luck: everybody has the same cards each time, and nobody rolls."""

    def start(self, carry: Any = None) -> State:
        hands = tuple(tuple(range(1 + seat, self.highest + 1, self.seats)) for seat in range(self.seats))
        return replace(super().start(), hands=hands, on=0, die=1)


class First:
    """Puts down the lowest card and snatches whatever it can."""

    def __init__(self, options: Options, *, seed: int) -> None:
        pass

    def choose(self, view: View, budget_ms: int) -> Any:
        if view.phase == "fall":
            return Call() if view.hand and max(view.hand) == len(view.counts) * HAND else None
        if view.seat not in view.turn:
            return Cheer() if view.seat == 1 and not view.cheered[1] else None
        if view.phase == "snatch":
            return Snatch(True)
        if view.phase == "wager":
            return Wager(True)
        return Shout() if view.phase == "roll" else Put(min(view.hand or (0,)))


def timing(options: Options) -> Timing:
    def pause(action: Any, refusal: Refusal | None, past: Past, now: int) -> Refusal | None:
        if isinstance(action, Put) and past.missed is not None and now < past.missed + options.miss_ms:
            return Refusal("erred", {"wait": past.missed + options.miss_ms - now})
        if isinstance(action, Put) and past.done is not None and now < past.done + options.gap_ms:
            return Refusal("hasty")
        return refusal

    return Timing(
        idle_ms=options.idle_ms,
        idle=Leave,
        limit_ms=options.limit_ms,
        limit=lambda: Leave(0),
        counts=lambda action: isinstance(action, Put),
        misses=frozenset(["not_held"]),
        pause=pause,
    )


def conceal(view: View) -> View:
    return view if view.phase in ("deal", "over") else replace(view, phase="wait", turn=())


ENTRY = Entry(
    __name__,
    name="snatch",
    seats=(2, SEATS),
    options=Options,
    rules=Rules,
    action=Deal | Fall | Roll | Leave | Put | Snatch | Shout | Cheer | Call | Wager,
    event=Dealt | Yours | Down | Taken | Cheered | Called | Rolled,
    state=State,
    view=View,
    hint=list[int],
    hints=lambda options, view: list(view.hand) if view.phase == "put" and view.turn and view.hand else None,
    bots={"easy": First, "steady": First, "strong": First},
    kinds={},
    cards=True,
    form=Form(variants={"short": {"deals": 1}}, presets={"kind": {"takeback": "ask"}}),
    clock=lambda options: {"type": "move", "s": 10, "asks": {"snatch": 2, "shout": 1}},
    leaving=Leaving(
        substitute=lambda options: options.on_leave == "bot",
        gone=Leave,
        price=lambda view: -5 if view.phase == "put" else -9,
        done=lambda view, seat: view.phase not in ("deal", "roll") and not view.hand,
    ),
    conceal=conceal,
    standing={"never": lambda rules, state, seat: Snatch(False) if phase(state) == "snatch" else None},
    timing=timing,
    pace=lambda level, options, view, action, luck: options.pace_ms + luck.below(options.pace_ms + 1),
    secret=lambda state, seat, action: isinstance(action, Deal | Snatch | Wager),
    show=lambda options, view, lang: str(view),
    read=lambda options, view, text: Put(int(text)),
    say=lambda event, lang: str(event),
    records=Records({"book": lambda record: " ".join(str(seat) for seat, _action, _ms in record.rows)}),
)

STILL = dataclasses.replace(ENTRY, name="still", rules=Still, luck=False)
