"""Implements `core.contract.Rules` on top of the kernel, which holds all rules: turns, refusals, steps, luck."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Final

import msgspec

from qipai.core.contract import NATURE, Malformed, Outcome, Refusal, Rng, Seat, Step, Turn, one_of, stepped
from qipai.core.kernel import buffer, freeze_each, frozen, read_each, thaw_each, thawed
from qipai.games.gouji import observation
from qipai.games.gouji.imagine import imagine
from qipai.games.gouji.kernel import flow, play, sets
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.kernel import tribute as paying
from qipai.games.gouji.listing import listed, room
from qipai.games.gouji.notation import PACK, PHASES, action_of, code_of, read_set, write_play
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import (
    Action,
    Carry,
    Close,
    Closed,
    Deal,
    Dealt,
    Event,
    Leave,
    Pass,
    Passed,
    Play,
    Return,
    SetPlayed,
    State,
    Texts,
    View,
    Wind,
    Winded,
)
from qipai.kit import hung
from qipai.kit.cards import dealt
from qipai.kit.climbing import texts

__all__ = ["Gouji", "first_carry", "freeze", "next_leader", "thaw"]

BUFFERS: Final[Callable[[State], tuple[tuple[int, ...], ...]]] = attrgetter(*t.Table._fields)
WINDOWS: Final[dict[str, tuple[int, ...]]] = {
    "play": (t.LEAD, t.ANSWER, t.CLOSE, t.BURN_PLAY),
    "pass": (t.ANSWER,),
    "close": (t.CLOSE,),
    "wind": (t.ANSWER, t.CLOSE),
    "burn": (t.BURN,),
    "no_burn": (t.BURN,),
    "return": (t.TRIBUTE,),
}


def next_leader(deal: int, first_seated: Seat) -> Seat:
    """Return who leads the first trick of a deal (gouji 3); deals count from 1."""
    return (first_seated + deal - 1) % t.SEATS


def thaw(state: State) -> t.Table:
    """Return a state's buffers for the kernel, as copies that may be changed."""
    return t.Table(*thaw_each(BUFFERS(state)))


def seen(state: State) -> t.Table:
    """Return a state's buffers for the kernel, which must not be changed."""
    return t.Table(*read_each(BUFFERS(state)))


def freeze(
    s: t.Table,
    before: State,
    trick: tuple[SetPlayed, ...] = (),
    last: tuple[SetPlayed, ...] = (),
    still: State | None = None,
    moved: Seat | None = None,
) -> State:
    """Return a state with these buffers. moved: the only seat whose cards have changed, if that is known."""
    cells = tuple(freeze_each(s))
    found = texts(PACK, cells[0], cells[1], before.hands, before.texts, moved)
    return State(before.deal, before.leader, before.previous, trick, last, still, found, *cells)


def _trick_over(state: State) -> bool:
    """Return whether nobody is left to ask about a set on the table."""
    return bool(state.reg[t.TOP] == 0 or state.reg[t.PHASE] == t.OVER)


def first_carry(options: Options, first_seated: Seat) -> Carry:
    """Return the carry of a match's first deal."""
    return Carry(1, next_leader(1, first_seated))


class Gouji:
    """The rules of gouji under one set of options. It implements `core.contract.Rules`."""

    seats = t.SEATS

    def __init__(self, options: Options | None = None) -> None:
        self.options = options if options is not None else Options()

    def start(self, carry: Any = None) -> State:
        """Return the state before the deal. carry: a `Carry`, or its JSON."""
        if carry is None:
            carry = Carry(1, next_leader(1, self.options.first_seated))
        elif not isinstance(carry, Carry):
            carry = msgspec.convert(carry, Carry)
        s = self._empty(carry.leader)
        s.reg[t.LIVE] = (1 << t.SEATS) - 1
        return freeze(s, State(carry.deal, carry.leader, carry.previous, (), (), None, Texts(), *((),) * 10))

    def place(
        self,
        hands: Sequence[str],
        leader: Seat,
        out: Sequence[Seat] = (),
        fell: Sequence[Seat] = (),
        previous: Sequence[Seat] | None = None,
    ) -> State:
        """Return a deal in which these hands were dealt, with some seats gone already (conformance, puzzles)."""
        s = self._empty(leader)
        r = s.reg
        for seat in range(t.SEATS):
            if seat not in out and seat not in fell:
                r[t.LIVE] |= 1 << seat
        for i, seat in enumerate(out):
            s.out[i] = seat
        for i, seat in enumerate(fell):
            s.fell[i] = seat
        r[t.OUTS], r[t.FELLS] = len(out), len(fell)
        before = State(1, leader, tuple(previous) if previous else None, (), (), None, Texts(), *((),) * 10)
        return self._begun(s, before, hands)

    def _empty(self, leader: Seat) -> t.Table:
        s = t.new_table()
        r, options = s.reg, self.options
        r[t.LEADER] = leader
        r[t.BURN_OWN] = int(options.burn_own_side)
        r[t.DECIDED] = int(options.end_when_decided)
        r[t.KEEP_THREE] = int(options.keep_three)
        r[t.RETURNS] = int(options.tribute_return)
        return s

    def _begun(self, s: t.Table, before: State, hands: Sequence[str]) -> State:
        PACK.lay(hands, s.hands)
        due = before.previous is not None and self.options.tribute == "on"
        previous = thawed(before.previous if before.previous is not None and due else (-1,) * t.SEATS)
        play.begin(s, before.leader, previous, self.options.tribute_resist)
        return freeze(s, before)

    # who acts -----------------------------------------------------------------------------------------------------

    def turn(self, state: State) -> Turn:
        """Return who may act; in a burn window every candidate that has not answered."""
        phase = state.reg[t.PHASE]
        if phase == t.OVER:
            return Turn(frozenset(), "over")
        if phase == t.DEAL:
            return Turn(frozenset({NATURE}), "deal")
        return Turn(frozenset(observation.asked(state)), PHASES[phase])

    def legal(self, state: State, seat: Seat) -> Iterator[Action]:
        """Return a seat's actions in canonical order (5.5); none when it is not its turn."""
        return map(action_of, listed(seen(state), seat) if seat in observation.asked(state) else ())

    def leaving(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield nothing: nobody can end a deal early."""
        return iter(())

    def sample(self, state: State, seat: Seat, rng: Rng) -> Action:
        """Draw one of a seat's actions."""
        return one_of(self.legal(state, seat), rng)

    def idle(self, state: State, seat: Seat) -> Action:
        """Return the action that is played for a seat whose time is up (4.2)."""
        return action_of(int(play.idle(seen(state), seat, buffer(room(state.hands, seat)))))

    # refusals -----------------------------------------------------------------------------------------------------

    def refuse(self, state: State, seat: Seat, action: Action | Malformed) -> Refusal | None:
        """Return why an action is forbidden, in the order of 5.4."""
        phase = state.reg[t.PHASE]
        if phase == t.OVER:
            return Refusal("deal_over")
        verb = action.verb if isinstance(action, Malformed) else str(action.__struct_config__.tag)
        if seat == NATURE:
            return self._refuse_nature(state, action)
        if not 0 <= seat < t.SEATS:
            return Refusal("bad_seat", {"seat": seat})
        if phase != t.DEAL and not state.reg[t.LIVE] >> seat & 1:
            return Refusal("not_in_play")
        if seat not in observation.asked(state):
            return Refusal("not_your_turn", observation.waiting(state))
        if verb not in WINDOWS:
            return Refusal("unknown_action", {"action": verb[:20]})
        if phase not in WINDOWS[verb]:
            return Refusal("wrong_window", {"action": verb, "phase": PHASES[phase]})
        if verb == "play":
            return self._refuse_play(state, seat, action.cards if isinstance(action, Play) else "")
        if verb == "return":
            return self._refuse_return(state, seat, action.cards if isinstance(action, Return) else "")
        if verb == "wind" and not flow.may_wind(seen(state), seat):
            return Refusal("no_wind")
        return None

    def _refuse_nature(self, state: State, action: Action | Malformed) -> Refusal | None:
        if isinstance(action, Leave):
            if not 0 <= action.seat < t.SEATS:
                return Refusal("bad_seat", {"seat": action.seat})
            return None if state.reg[t.LIVE] >> action.seat & 1 else Refusal("not_in_play")
        if not isinstance(action, Deal):
            return Refusal("bad_seat", {"seat": NATURE})
        if state.reg[t.PHASE] != t.DEAL:
            return Refusal("wrong_window", {"action": "deal", "phase": PHASES[state.reg[t.PHASE]]})
        return PACK.refuse(action.hands, t.SEATS)

    def _refuse_play(self, state: State, seat: Seat, cards: str) -> Refusal | None:
        made = read_set(cards)
        if not made:
            return Refusal("not_a_set", {"cards": cards[:40]})
        hand = observation.hand_of(state, seat)
        if lack := PACK.lacking(cards, hand):
            return Refusal("cards_not_held", {"cards": lack})
        top = state.reg[t.TOP]
        if top and hung.size(made) != hung.size(top):
            return Refusal("wrong_count", {"need": hung.size(top), "got": hung.size(made)})
        if top and not hung.beats(made, top):
            return Refusal("not_higher", {"top": write_play(top), "owner": state.reg[t.OWNER]})
        bound = state.bound[seat] >= 0 and not hung.smalls(made) + hung.bigs(made)
        if bound and hung.size(made) != sum(hand):
            return Refusal("burner_needs_joker", {"victim": state.bound[seat]})
        if state.reg[t.KEEP_THREE] and not sets.threes_last(seen(state), seat, made):
            return Refusal("threes_last")
        return None

    def _refuse_return(self, state: State, seat: Seat, cards: str) -> Refusal | None:
        s = seen(state)
        need = int(paying.owing(s, state.reg[t.DEBT]))
        if len(cards) != need:
            return Refusal("wrong_count", {"need": need, "got": len(cards)})
        if lack := PACK.lacking(cards, observation.hand_of(state, seat)):
            return Refusal("cards_not_held", {"cards": lack})
        return None if code_of(Return(cards)) in listed(s, seat) else Refusal("bad_return")

    # steps --------------------------------------------------------------------------------------------------------

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Return the result of an action, with its events, and the even pause after a restricted set."""
        s = thaw(state)
        if isinstance(action, Deal):
            after = self._begun(s, state, action.hands)
            return stepped(
                after, Dealt(state.deal, state.leader), *observation.tribute_told(after), *observation.ended(after)
            )
        if isinstance(action, Leave):
            flow.leave(s, action.seat)
            after = freeze(s, state, state.trick, state.last)
            return stepped(after, *observation.told_between(state.reg, after))
        events: list[Event] = []
        if isinstance(action, Play):
            return self._played(state, s, seat, action, events)
        play.act(s, seat, code_of(action))
        if isinstance(action, Pass):
            events.append(Passed(seat))
        elif isinstance(action, Wind):
            events.append(Winded(seat))
        elif isinstance(action, Close):
            events.append(Closed(seat))
        after = self._frozen(s, state, state.trick)
        if state.reg[t.PHASE] == t.BURN and _trick_over(after):
            after = msgspec.structs.replace(after, still=state)  # as where nobody was asked, see `_played`
        if isinstance(action, Return):
            events += observation.returned(state, after)
        events += observation.told_between(state.reg, after, seat if isinstance(action, Wind) else state.reg[t.WIND])
        return stepped(after, *events)

    def _played(self, state: State, s: t.Table, seat: Seat, action: Play, events: list[Event]) -> Step[State]:
        made = read_set(action.cards)
        flow.put(s, seat, made)
        reg, trick = frozen(s.reg), (*state.trick, SetPlayed(seat, write_play(made)))
        events.append(observation.played(state.reg, reg, trick[-1]))
        restricted, middle = reg[t.RESTRICTED] == 1, None
        if restricted or reg[t.OUTS] != state.reg[t.OUTS]:
            middle = freeze(s, state, trick, state.last, moved=seat)
            events += observation.told_between(state.reg, middle)
        flow.settle(s)
        fallen = s.reg[t.FELLS] != reg[t.FELLS]
        after = self._frozen(s, middle or state, trick, None if fallen else seat)
        if restricted and _trick_over(after):
            # Nobody is left to ask, the trick is over; but for a while it must look as if there were (README X6).
            after = msgspec.structs.replace(after, still=middle)
            return stepped(after, *events, conceal_ms=self._pause, later=observation.told_between(reg, after))
        events += observation.told_between(reg, after)
        return stepped(after, *events, conceal_ms=self._pause if restricted else 0)

    @property
    def _pause(self) -> int:
        return self.options.burn_seconds * 1000

    def _frozen(self, s: t.Table, before: State, trick: tuple[SetPlayed, ...], moved: Seat | None = None) -> State:
        """Return the state after an action, with its trick put aside when it is over."""
        if s.reg[t.TOP] == 0 and trick:
            return freeze(s, before, (), trick, moved=moved)
        return freeze(s, before, trick, before.last, moved=moved)

    def chance(self, state: State, rng: Rng) -> Action:
        """Shuffle and deal (gouji 3, platform P-92)."""
        return Deal(dealt(PACK, rng.shuffled(range(PACK.size)), state.leader, t.SEATS))

    # views and ends -----------------------------------------------------------------------------------------------

    def observe(self, state: State, seat: Seat | None) -> View:
        """Return the view of a seat. seat None: a watcher."""
        return observation.observe(self.options, state, seat)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return a random state that fits this view."""
        return imagine(self.options, view, rng)

    def outcome(self, state: State) -> Outcome | None:
        """Return scores, places and where the next deal starts. A match of gouji has no end of its own."""
        if state.reg[t.PHASE] != t.OVER:
            return None
        coming = Carry(state.deal + 1, (state.leader + 1) % t.SEATS)
        if state.reg[t.LEFT] >= 0:
            return Outcome(state.scores, (1,) * t.SEATS, "left", coming)
        places = tuple(state.order.index(seat) + 1 for seat in range(t.SEATS))
        decided = state.reg[t.LIVE] & (state.reg[t.LIVE] - 1) != 0
        carry = Carry(coming.deal, coming.leader, state.order)
        return Outcome(state.scores, places, "decided" if decided else "all_out", carry)
