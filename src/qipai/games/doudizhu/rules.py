"""The contract over the kernel: turns, legality, refusals, steps, luck. It decides nothing that the kernel decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from qipai.core.contract import (
    NATURE,
    BadNotation,
    Malformed,
    Outcome,
    Refusal,
    Rng,
    Seat,
    Step,
    Turn,
    one_of,
    stepped,
)
from qipai.core.kernel import buffer, freeze_each, thaw_each
from qipai.games.doudizhu import observation
from qipai.games.doudizhu.imagine import imagine
from qipai.games.doudizhu.kernel import flow, play, sets
from qipai.games.doudizhu.kernel import table as t
from qipai.games.doudizhu.listing import listed
from qipai.games.doudizhu.notation import PACK, PHASES, action_of, code_of, counted, form_of, read_set, write_play
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.state import (
    Action,
    Bid,
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
from qipai.kit.cards import dealt
from qipai.kit.climbing import texts

__all__ = ["Doudizhu", "first_carry", "freeze", "thaw"]

WINDOWS: Final[dict[str, tuple[int, ...]]] = {
    "no_bid": (t.BID,),
    "bid": (t.BID,),
    "play": (t.LEAD, t.ANSWER),
    "pass": (t.ANSWER,),
}


def thaw(state: State) -> t.Table:
    """Return the kernel's buffers of a state, free to change."""
    return t.Table(*thaw_each(observation.cells(state)))


def freeze(
    s: t.Table,
    before: State,
    trick: tuple[SetPlayed, ...] = (),
    last: tuple[SetPlayed, ...] = (),
    moved: Seat | None = None,
) -> State:
    """Return the state with these buffers. moved: the one seat that has other cards than before, where it is known."""
    cells = tuple(freeze_each(s))
    found = texts(PACK, cells[0], cells[1], before.hands, before.texts, moved)
    return State(before.deal, trick, last, found, *cells)


def first_carry(options: Options, first_seated: Seat) -> Carry:
    """Return the carry of a match's first deal: luck says who calls first (R1)."""
    return Carry(1, None)


class Doudizhu:
    """The rules of doudizhu under one set of options. It implements `core.contract.Rules`."""

    seats = t.SEATS

    def __init__(self, options: Options | None = None) -> None:
        self.options = options if options is not None else Options()

    def start(self, carry: Any = None) -> State:
        """Return the state before the deal. carry: a `Carry`, or its JSON."""
        if carry is None:
            carry = Carry(1, None)
        elif not isinstance(carry, Carry):
            carry = msgspec.convert(carry, Carry)
        s = self._empty()
        if carry.first is not None:
            s.reg[t.FIRST] = carry.first
        return freeze(s, State(carry.deal, (), (), Texts(), *((),) * 7))

    def place(
        self, hands: Sequence[str], bottom: str = "", first: Seat = 0, setup: Mapping[str, Any] | None = None
    ) -> State:
        """Return a deal of these hands: before its first call, or with `setup` at its first lead (12).

        setup: landlord, bid, and if wanted leader.
        """
        s = self._empty()
        PACK.lay(hands, s.hands)
        PACK.lay([bottom], s.bottom)
        flow.begin(s, first)
        if setup is not None:
            s.reg[t.CALLED] = setup["bid"]
            for card in range(t.CARDS):
                s.bottom[card] = 0  # they are in the hand already
            flow.settle(s, setup["landlord"])
            PACK.lay([bottom], s.bottom)
            s.reg[t.TURN] = setup.get("leader", setup["landlord"])
        return freeze(s, State(1, (), (), Texts(), *((),) * 7))

    def _empty(self) -> t.Table:
        s = t.new_table()
        r, options = s.reg, self.options
        r[t.REDEALS] = options.redeals
        r[t.SPRING] = int(options.spring)
        r[t.MOST_DOUBLINGS] = options.max_doublings
        return s

    # who acts -----------------------------------------------------------------------------------------------------

    def turn(self, state: State) -> Turn:
        """Return who may act."""
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
        return map(action_of, listed(observation.seen(state), seat))

    def leaving(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield nothing: nobody can end a deal before its end."""
        return iter(())

    def sample(self, state: State, seat: Seat, rng: Rng) -> Action:
        """Draw one of a seat's actions."""
        return one_of(self.legal(state, seat), rng)

    def idle(self, state: State, seat: Seat) -> Action:
        """Return what is played for a seat out of time (4.1)."""
        return action_of(int(play.idle(observation.seen(state), seat, buffer(t.MOST_PLAYS, 64))))

    # refusals -----------------------------------------------------------------------------------------------------

    def refuse(self, state: State, seat: Seat, action: Action | Malformed) -> Refusal | None:
        """Return why an action is forbidden, in the order of 5."""
        reg = state.reg
        phase = reg[t.PHASE]
        if phase == t.OVER:
            return Refusal("deal_over")
        if seat == NATURE:
            return self._refuse_nature(state, action)
        if not 0 <= seat < t.SEATS:
            return Refusal("bad_seat", {"seat": seat})
        if seat not in observation.asked(state):
            return Refusal("not_your_turn", observation.waiting(state))
        verb = action.verb if isinstance(action, Malformed) else str(action.__struct_config__.tag)
        if verb not in WINDOWS:
            return Refusal("unknown_action", {"action": verb[:20]})
        if phase not in WINDOWS[verb]:
            return Refusal("wrong_window", {"action": verb, "phase": PHASES[phase]})
        if verb == "bid":
            return self._refuse_bid(state, action)
        if verb == "play":
            return self._refuse_play(state, seat, action.cards if isinstance(action, Play) else "")
        return None

    def _refuse_nature(self, state: State, action: Action | Malformed) -> Refusal | None:
        phase = PHASES[state.reg[t.PHASE]]
        if isinstance(action, Leave):
            if not 0 <= action.seat < t.SEATS:
                return Refusal("bad_seat", {"seat": action.seat})
            if self.options.on_leave != "void":
                return Refusal("wrong_window", {"action": "leave", "phase": phase})
            return None
        if not isinstance(action, Deal):
            return Refusal("bad_seat", {"seat": NATURE})
        if state.reg[t.PHASE] != t.DEAL:
            return Refusal("wrong_window", {"action": "deal", "phase": phase})
        first = state.reg[t.FIRST]
        if not 0 <= action.first < t.SEATS or first not in (-1, action.first):
            return Refusal("bad_seat", {"seat": action.first})
        return _refuse_cards(action)

    def _refuse_bid(self, state: State, action: Action | Malformed) -> Refusal | None:
        called = state.reg[t.CALLED]
        n = action.n if isinstance(action, Bid) else 0
        if not called < n <= t.MOST_BID:
            facts: dict[str, Any] = {"least": called + 1, "most": t.MOST_BID}
            return Refusal("bid_too_low", facts if called + 1 < t.MOST_BID else {**facts, "case": "last"})
        return None

    def _refuse_play(self, state: State, seat: Seat, cards: str) -> Refusal | None:
        top = state.reg[t.TOP]
        made = read_set(cards, top)
        if not made:
            return Refusal("not_a_set", {"cards": cards[:40]})
        if lack := PACK.lacking(cards, observation.hand_of(state, seat)):
            return Refusal("cards_not_held", {"cards": lack})
        if not top or sets.beats(made, top):
            return None
        if sets.kind_of(made) != sets.kind_of(top):
            return Refusal("wrong_kind", {"top": state.trick[-1].cards, "owner": state.reg[t.OWNER]})
        if sets.length_of(made) != sets.length_of(top):
            return Refusal("wrong_count", {"need": int(sets.size_of(top)), "got": int(sets.size_of(made))})
        return Refusal("not_higher", {"top": state.trick[-1].cards, "owner": state.reg[t.OWNER]})

    # steps --------------------------------------------------------------------------------------------------------

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Return what an action leads to, and what is told."""
        s = thaw(state)
        if isinstance(action, Deal):
            PACK.lay(action.hands, s.hands)
            PACK.lay([action.bottom], s.bottom)
            flow.begin(s, action.first)
            return stepped(freeze(s, state), Dealt(state.deal, action.first))
        if isinstance(action, Leave):
            flow.leave(s, action.seat)
            after = freeze(s, state, state.trick, state.last)
            return stepped(after, *observation.told_between(state, after, seat))
        trick, moved = state.trick, None
        code = code_of(action, s.reg[t.TOP])
        play.act(s, seat, code)
        events: list[Event] = []
        if isinstance(action, Play):
            trick, moved = (*trick, SetPlayed(seat, write_play(code), form_of(code & sets.FORM))), seat
        ended = trick and s.reg[t.TOP] == 0
        after = freeze(s, state, () if ended else trick, trick if ended else state.last, moved)
        if isinstance(action, Play):
            events.append(observation.played(state, after, trick[-1]))
        elif isinstance(action, Pass):
            events.append(Passed(seat))
        return stepped(after, *events, *observation.told_between(state, after, seat))

    def chance(self, state: State, rng: Rng) -> Action:
        """Shuffle and deal, then draw who calls first where nobody is known to (3, R1)."""
        order = rng.shuffled(range(PACK.size))
        cut = PACK.size - t.BOTTOM
        (bottom,) = dealt(PACK, order[cut:], 0, 1)
        first = state.reg[t.FIRST]
        return Deal(dealt(PACK, order[:cut], 0, t.SEATS), bottom, first if first >= 0 else rng.below(t.SEATS))

    # views and ends -----------------------------------------------------------------------------------------------

    def observe(self, state: State, seat: Seat | None) -> View:
        """Return what a seat may know; None: a spectator."""
        return observation.observe(state, seat)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return some state that fits this view."""
        return imagine(self.options, view, rng)

    def outcome(self, state: State) -> Outcome | None:
        """Return scores, places and who calls first in the next deal. A match of doudizhu has no end of its own."""
        reg = state.reg
        if reg[t.PHASE] != t.OVER:
            return None
        if reg[t.LEFT] >= 0:
            first = reg[t.FIRST]
            return Outcome(state.scores, (1,) * t.SEATS, "left", Carry(state.deal + 1, first if first >= 0 else None))
        winner, landlord = reg[t.WINNER], reg[t.LANDLORD]
        why = "landlord_won" if winner == landlord else "peasants_won"
        return Outcome(state.scores, observation.places(winner, landlord), why, Carry(state.deal + 1, winner))


def _refuse_cards(deal: Deal) -> Refusal | None:
    """Return why these cards are not the whole pack, 17 for each seat and three at the bottom."""
    try:
        counts = [counted(cards) for cards in (*deal.hands, deal.bottom)]
    except BadNotation as wrong:
        return Refusal("not_a_set", wrong.facts)
    whole = tuple(map(sum, counts)) == (t.HAND,) * t.SEATS + (t.BOTTOM,)
    if not whole or tuple(map(sum, zip(*counts, strict=True))) != PACK.copies:
        return Refusal("cards_not_held")
    return None
