"""Implements `core.contract.Rules` on top of the kernel, which holds all rules: turns, refusals, steps, luck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

import msgspec

from qipai.core.contract import NATURE, Malformed, Outcome, Refusal, Rng, Seat, Step, Turn, one_of, stepped
from qipai.core.kernel import buffer, freeze_each, read_each, thaw_each, thawed
from qipai.games.baohuang import observation
from qipai.games.baohuang.imagine import imagine
from qipai.games.baohuang.kernel import flow, opening, play, sets
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.listing import listed, room
from qipai.games.baohuang.notation import MODES, PACK, PHASES, action_of, code_of, read_set, write_play
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.state import (
    Action,
    Carry,
    Deal,
    Dealt,
    Event,
    Leave,
    Pass,
    Passed,
    Play,
    SetPlayed,
    State,
    Texts,
    View,
)
from qipai.kit import hung
from qipai.kit.cards import dealt
from qipai.kit.climbing import texts

__all__ = ["Baohuang", "first_carry", "freeze", "thaw"]

WINDOWS: Final[dict[str, tuple[int, ...]]] = {
    "grab": (t.GRAB,),
    "no_grab": (t.GRAB,),
    "yield": (t.YIELD,),
    "keep": (t.YIELD,),
    "reveal": (t.REVEAL,),
    "hide": (t.REVEAL,),
    "rebel": (t.REBEL,),
    "no_rebel": (t.REBEL,),
    "kick": (t.KICK,),
    "no_kick": (t.KICK,),
    "play": (t.LEAD, t.ANSWER),
    "pass": (t.ANSWER,),
}


def thaw(state: State) -> t.Table:
    """Return a state's buffers for the kernel, as copies that may be changed."""
    return t.Table(*thaw_each(_cells(state)))


def seen(state: State) -> t.Table:
    """Return a state's buffers for the kernel, which must not be changed."""
    return t.Table(*read_each(_cells(state)))


def freeze(
    s: t.Table,
    before: State,
    trick: tuple[SetPlayed, ...] = (),
    last: tuple[SetPlayed, ...] = (),
    moved: Seat | None = None,
) -> State:
    """Return a state with these buffers. moved: the only seat whose cards have changed, if that is known."""
    cells = tuple(freeze_each(s))
    found = texts(PACK, cells[0], cells[1], before.hands, before.texts, moved)
    return State(before.deal, before.first_card, trick, last, found, *cells)


_cells: Final = attrgetter(*t.Table._fields)


def first_carry(options: Options, first_seated: Seat) -> Carry:
    """Return the carry of a match's first deal."""
    return Carry(1, 0)


class Baohuang:
    """The rules of baohuang under one set of options. It implements `core.contract.Rules`."""

    seats = t.SEATS

    def __init__(self, options: Options | None = None) -> None:
        self.options = options if options is not None else Options()

    def start(self, carry: Any = None) -> State:
        """Return the state before the deal. carry: a `Carry`, or its JSON."""
        if carry is None:
            carry = Carry(1, 0)
        elif not isinstance(carry, Carry):
            carry = msgspec.convert(carry, Carry)
        s = self._empty()
        s.reg[t.LIVE] = (1 << t.SEATS) - 1
        return freeze(s, State(carry.deal, carry.first_card, (), (), Texts(), *((),) * 7))

    def place(self, hands: Sequence[str], setup: Mapping[str, Any] | None = None) -> State:
        """Return a deal of these hands: before its first question, or with `setup` at its first lead (12).

        setup: emperor, guard, mode, opened, and if wanted kicked, leader, out.
        """
        s = self._empty()
        r = s.reg
        PACK.lay(hands, s.hands)
        opening.begin(s)
        if setup is not None:
            r[t.MODE] = MODES.index(setup["mode"])
            r[t.EMPEROR] = setup["emperor"]
            guard = setup.get("guard")
            r[t.GUARD] = -1 if guard is None else guard
            r[t.OPENED], r[t.KICKED] = int(setup["opened"]), int(bool(setup.get("kicked")))
            if r[t.MODE] == t.SOLO_OPEN:
                r[t.VOID] = 1  # nobody has the guard card to show, so it was grabbed (4.3)
            elif r[t.OPENED]:
                r[t.PUBLIC] = r[t.GUARD] if r[t.MODE] == t.PAIR else r[t.EMPEROR]
            for i, seat in enumerate(setup.get("out") or ()):
                s.out[i] = seat
                r[t.OUTS] += 1
                r[t.LIVE] &= ~(1 << seat)
            opening.start(s)
            leader = setup.get("leader")
            r[t.TURN] = r[t.EMPEROR] if leader is None else leader
        return freeze(s, State(1, 0, (), (), Texts(), *((),) * 7))

    def _empty(self) -> t.Table:
        s = t.new_table()
        r, options = s.reg, self.options
        r[t.KEEP_SIX] = int(options.keep_six)
        r[t.SIX_HUNG] = int(options.six_hung)
        r[t.MAY_GRAB] = int(options.grab)
        r[t.MAY_YIELD] = int(options.yield_)
        r[t.MAY_KICK] = int(options.kick)
        return s

    # who acts -----------------------------------------------------------------------------------------------------

    def turn(self, state: State) -> Turn:
        """Return who may act; in a window every seat that has not answered."""
        phase = state.reg[t.PHASE]
        if phase == t.OVER:
            return Turn(frozenset(), "over")
        if phase == t.DEAL:
            return Turn(frozenset({NATURE}), "deal")
        return Turn(frozenset(observation.asked(state)), PHASES[phase])

    def legal(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield a seat's actions in canonical order (5); none when it is not asked."""
        if seat not in observation.asked(state):
            return iter(())
        return map(action_of, listed(seen(state), seat))

    def leaving(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield nothing: nobody can end a deal early."""
        return iter(())

    def sample(self, state: State, seat: Seat, rng: Rng) -> Action:
        """Draw one of a seat's actions."""
        return one_of(self.legal(state, seat), rng)

    def idle(self, state: State, seat: Seat) -> Action:
        """Return the action that is played for a seat whose time is up (4.1)."""
        return action_of(int(play.idle(seen(state), seat, buffer(room(state.hands, seat)))))

    # refusals -----------------------------------------------------------------------------------------------------

    def refuse(self, state: State, seat: Seat, action: Action | Malformed) -> Refusal | None:
        """Return why an action is forbidden, in the order of 5."""
        reg = state.reg
        phase = reg[t.PHASE]
        if phase == t.OVER:
            return Refusal("deal_over")
        verb = action.verb if isinstance(action, Malformed) else str(action.__struct_config__.tag)
        if seat == NATURE:
            return self._refuse_nature(state, action)
        if not 0 <= seat < t.SEATS:
            return Refusal("bad_seat", {"seat": seat})
        if phase != t.DEAL and not reg[t.LIVE] >> seat & 1:
            return Refusal("not_in_play")
        if seat not in observation.asked(state):
            if phase in observation.WINDOWS and reg[t.WINDOW] >> seat & 1:
                return Refusal("not_your_turn", {"case": "answered"})
            return Refusal("not_your_turn", observation.waiting(state))
        if verb not in WINDOWS:
            return Refusal("unknown_action", {"action": verb[:20]})
        if phase not in WINDOWS[verb]:
            return Refusal("wrong_window", {"action": verb, "phase": PHASES[phase]})
        if verb == "rebel" and seat == reg[t.GUARD]:
            return Refusal("guard_cannot_rebel")
        if verb == "play":
            return self._refuse_play(state, seat, action.cards if isinstance(action, Play) else "")
        return None

    def _refuse_nature(self, state: State, action: Action | Malformed) -> Refusal | None:
        if isinstance(action, Leave):
            if not 0 <= action.seat < t.SEATS:
                return Refusal("bad_seat", {"seat": action.seat})
            if not state.reg[t.LIVE] >> action.seat & 1:
                return Refusal("not_in_play")
            if self.options.on_leave != "void":
                return Refusal("wrong_window", {"action": "leave", "phase": PHASES[state.reg[t.PHASE]]})
            return None
        if not isinstance(action, Deal):
            return Refusal("bad_seat", {"seat": NATURE})
        if state.reg[t.PHASE] != t.DEAL:
            return Refusal("wrong_window", {"action": "deal", "phase": PHASES[state.reg[t.PHASE]]})
        return PACK.refuse(action.hands, t.SEATS)

    def _refuse_play(self, state: State, seat: Seat, cards: str) -> Refusal | None:
        made = read_set(cards)
        if not made:
            return Refusal("not_a_set", {"cards": cards[:40]})
        if lack := PACK.lacking(cards, observation.hand_of(state, seat)):
            return Refusal("cards_not_held", {"cards": lack})
        reg = state.reg
        top, bare = reg[t.TOP] & sets.BARE, made & sets.BARE
        if top and hung.size(bare) != hung.size(top):
            return Refusal("wrong_count", {"need": hung.size(top), "got": hung.size(bare)})
        if top and not hung.beats(bare, top):
            return Refusal("not_higher", {"top": write_play(reg[t.TOP]), "owner": reg[t.OWNER]})
        if reg[t.KEEP_SIX] and not hung.lowest_last(thawed(state.hands), seat * t.CARDS, t.CARDS, bare):
            return Refusal("sixes_last")
        if not reg[t.SIX_HUNG] and hung.base(bare) == 0 and hung.smalls(bare) + hung.bigs(bare):
            return Refusal("sixes_last", {"case": "hung"})
        return None

    # steps --------------------------------------------------------------------------------------------------------

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Return the result of an action, with its events, and the even pause in which yield and reveal are asked."""
        s = thaw(state)
        events: list[Event] = []
        trick = state.trick
        if isinstance(action, Deal):
            PACK.lay(action.hands, s.hands)
            opening.begin(s)
            events.append(Dealt(state.deal, int(s.reg[t.EMPEROR])))
        elif isinstance(action, Leave):
            flow.leave(s, action.seat)
        else:
            code = code_of(action)
            play.act(s, seat, code)
            if isinstance(action, Play):
                trick = (*trick, SetPlayed(seat, write_play(code)))
        ended = trick and s.reg[t.TOP] == 0
        moved = seat if isinstance(action, Play) else None
        after = freeze(s, state, () if ended else trick, trick if ended else state.last, moved)
        if isinstance(action, Play):
            events.append(observation.played(state, after, seat, trick[-1].cards))
        elif isinstance(action, Pass):
            events.append(Passed(seat))
        events += observation.told_between(state, after)
        secret = after.reg[t.PHASE] in observation.SECRET and state.reg[t.PHASE] not in observation.SECRET
        return stepped(after, *events, conceal_ms=self.pause_ms() if secret else 0)

    def pause_ms(self) -> int:
        """Return how long yield and reveal take together, whoever is asked what: the time of each question."""
        return self.options.declare_seconds * 1000 * (2 if self.options.yield_ else 1)

    def chance(self, state: State, rng: Rng) -> Action:
        """Shuffle and deal (baohuang 3, platform P-92)."""
        return Deal(dealt(PACK, rng.shuffled(range(PACK.size)), state.first_card, t.SEATS))

    # views and ends -----------------------------------------------------------------------------------------------

    def observe(self, state: State, seat: Seat | None) -> View:
        """Return the view of a seat. seat None: a watcher."""
        return observation.observe(state, seat)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return a random state that fits this view."""
        return imagine(self.options, view, rng)

    def outcome(self, state: State) -> Outcome | None:
        """Return scores, places and who is dealt the next first card. A match of baohuang has no end of its own."""
        reg = state.reg
        if reg[t.PHASE] != t.OVER:
            return None
        if reg[t.LEFT] >= 0:
            return Outcome(state.scores, (1,) * t.SEATS, "left", Carry(state.deal + 1, state.first_card))
        places = tuple(state.order.index(seat) + 1 for seat in range(t.SEATS))
        won = state.scores[reg[t.EMPEROR]]
        why = "emperor_won" if won > 0 else "emperor_lost" if won < 0 else "drawn"
        return Outcome(state.scores, places, why, Carry(state.deal + 1, state.order[0]))
