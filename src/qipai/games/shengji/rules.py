"""The contract over the kernel: turns, legality, refusals, steps, luck. It decides nothing that the kernel decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from qipai.core.contract import NATURE, BadNotation, Malformed, Outcome, Refusal, Rng, Seat, Step, Turn, stepped
from qipai.core.kernel import Buffer, thawed
from qipai.games.shengji import sight
from qipai.games.shengji.imagine import imagine
from qipai.games.shengji.kernel import flow, follow, moves, shapes
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.listing import burials, calls, follows, leads
from qipai.games.shengji.notation import GROUPS, NAMES, call_of, component, counted, in_line, own_line, suit_name, write
from qipai.games.shengji.options import Options
from qipai.games.shengji.state import (
    Action,
    Attempt,
    Begun,
    Buried,
    Bury,
    Carry,
    Deal,
    Declaration,
    Declare,
    Declared,
    Drawn,
    Ended,
    Event,
    Fixed,
    KittyShown,
    NextDeal,
    Pass,
    Passed,
    Play,
    Played,
    SeatPlay,
    State,
    Taken,
    ThrowFailed,
    Trick,
    View,
)

__all__ = ["BEATS", "FELL_SHORT", "Shengji", "call_cards", "how_played", "label_of"]

BEATS: Final[Mapping[int, int]] = {1: 320, 2: 200, 3: 140}  # ms from card to card: about twenty seconds in all
NO_CARDS: Final = [0] * t.CARDS
PHASES_OF: Final[Mapping[type, tuple[int, ...]]] = {
    NextDeal: (t.NEW,),
    Deal: (t.DEALING,),
    Declare: (t.DEALING, t.DECLARING),
    Pass: (t.DECLARING,),
    Bury: (t.BURYING,),
    Play: (t.PLAYING,),
}
FELL_SHORT: Final[Mapping[int, str]] = {
    follow.BY_SUIT: "must_follow_suit",
    shapes.TITANIC: "must_follow_titanic",
    shapes.TRACTOR: "must_follow_tractor",
    shapes.TRIPLE: "must_follow_triple",
    shapes.PAIR: "must_follow_pair",
}
WHY: Final = {-3: "big_sweep", -2: "small_sweep", -1: "held", 0: "takeover"}


def label_of(standing: Declaration | None, seat: Seat, cards: Sequence[str]) -> str | None:
    """Return what a declaration is called beside the one that stands (4.1)."""
    if standing is None:
        return None
    if cards[0] in "xX" and standing.trump is not None:
        return "overcall_nt"
    if standing.seat != seat:
        return "overcall"
    return "reinforce" if standing.cards[0] == cards[0] else "self_overcall"


class Shengji:
    """The rules of shengji under one set of options. It implements `core.contract.Rules`."""

    seats = t.SEATS

    def __init__(self, options: Options | None = None) -> None:
        self.options = options if options is not None else Options()
        self.room = t.new_room()

    def start(self, carry: Any = None) -> State:
        """Return the state before the deck is laid down. carry: a `Carry`, or its JSON."""
        if carry is None:
            carry = self.first_carry()
        elif not isinstance(carry, Carry):
            carry = msgspec.convert(carry, Carry)
        s = t.new_table()
        sight.fixed_rules(s, self.options, carry.levels, carry.dealer)
        t.arrange(s)
        return State(
            deal=carry.deal,
            levels=carry.levels,
            opening=carry.dealer is None,
            balances=carry.balances,
            declarations=(),
            trick=None,
            last=None,
            record=((),) * t.SEATS,
            **sight.freeze(s),
        )

    def first_carry(self) -> Carry:
        """Return where a match starts: both sides on the start level (R30)."""
        level = self.options.start_level
        return Carry(1, (level, level), None, self.options.qq_balances)

    # who acts -----------------------------------------------------------------------------------------------------

    def turn(self, state: State) -> Turn:
        """Return who may act: anybody may declare while cards fall, and again after having passed."""
        phase = state.reg[t.PHASE]
        asked = frozenset(sight.asked(state))
        if phase == t.NEW:
            return Turn(asked, "deal")
        if phase == t.DEALING:
            return Turn(asked, "deal", BEATS[self.options.decks], may=frozenset(range(t.SEATS)))
        if phase == t.DECLARING:
            return Turn(asked, "declare", may=frozenset(range(t.SEATS)) - asked)
        if phase == t.BURYING:
            return Turn(asked, "bury")
        if phase == t.OVER:
            return Turn(frozenset(), "over")
        return Turn(asked, "lead" if state.reg[t.TABLED] == 0 else "follow")

    def legal(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield a seat's actions: declarations by class, kitties and plays by size and from the top of each group."""
        phase = state.reg[t.PHASE]
        if phase in (t.DEALING, t.DECLARING) and 0 <= seat < t.SEATS:
            s = sight.thaw(state)
            for card, n in calls(s, seat):
                yield Declare(call_cards(s, card, n))
            if seat in sight.asked(state):
                yield Pass()
        elif seat == state.reg[t.TURN] and phase in (t.BURYING, t.PLAYING):
            s = sight.thaw(state)
            line = own_line(s, seat)
            if phase == t.BURYING:
                yield from (Bury(in_line(line, cards)) for cards in burials(s))
            elif s.reg[t.TABLED] == 0:
                yield from (Play(in_line(line, cards)) for cards in leads(s, seat))
            else:
                yield from (Play(in_line(line, cards)) for cards in follows(s, seat, self.room))

    # refusals -----------------------------------------------------------------------------------------------------

    def refuse(self, state: State, seat: Seat, action: Action | Malformed) -> Refusal | None:
        """Return why an action is forbidden, None when it is allowed. Codes and their order: shengji 10."""
        if isinstance(action, Malformed):
            return Refusal("bad_action", {"verb": action.verb[:40], "field": action.field[:40]})
        if bad := self._malformed(state, action):
            return bad
        if state.reg[t.PHASE] not in PHASES_OF[type(action)]:
            return Refusal("wrong_phase", {"phase": self.observe(state, None).phase})
        if isinstance(action, NextDeal | Deal):
            return None if seat == NATURE else Refusal("not_your_turn", {"seats": [NATURE]})
        if not 0 <= seat < t.SEATS or (isinstance(action, Bury | Play) and seat != state.reg[t.TURN]):
            return Refusal("not_your_turn", {"seats": list(sight.asked(state))})
        if isinstance(action, Pass):
            return None
        if isinstance(action, Play) and not action.cards:
            return Refusal("empty_play")
        counts = counted(action.cards)
        held = state.hands[seat * t.CARDS : (seat + 1) * t.CARDS]
        lacking = [NAMES[card] for card in range(t.CARDS) for _ in range(int(counts[card]) - held[card])]
        if lacking:
            return Refusal("cards_not_held", {"cards": lacking})
        s = sight.thaw(state)
        if isinstance(action, Declare):
            return self._refuse_call(s, action)
        if isinstance(action, Bury):
            return self._refuse_burial(s, counts)
        return self._refuse_play(s, seat, counts)

    def _malformed(self, state: State, action: Action) -> Refusal | None:
        if isinstance(action, Deal):
            return None if action.n >= 1 else Refusal("bad_action", {"verb": "deal", "field": "n"})
        if isinstance(action, Pass):
            return None
        cards = action.deck if isinstance(action, NextDeal) else action.cards
        try:
            counts = counted(cards)
        except BadNotation as wrong:
            return Refusal("bad_action", {"verb": "", "field": str(wrong.facts["card"])})
        if isinstance(action, NextDeal):
            if any(n != self.options.decks for n in counts):
                return Refusal("bad_action", {"verb": "next_deal", "field": "deck"})
            starter = action.starter
            # Whether somebody has to start is asked of a deal that may begin: at any other time it is the wrong one.
            astray = state.reg[t.PHASE] == t.NEW and (starter is None) == state.opening
            if astray or (starter is not None and not 0 <= starter < t.SEATS):
                return Refusal("bad_action", {"verb": "next_deal", "field": "starter"})
        return None

    def _refuse_call(self, s: t.Table, action: Declare) -> Refusal | None:
        card, n = call_of(action.cards, self.options.decks)
        found = int(flow.call_class(s, card, n)) if n else 0
        if not found:
            return Refusal("bad_declaration", {"level": NAMES[int(s.reg[t.LEVEL]) * 4][0]})
        if found <= s.reg[t.CLASS]:
            return Refusal("declaration_too_low", {"seat": int(s.reg[t.DECLARER])})
        return None

    def _refuse_burial(self, s: t.Table, counts: Buffer) -> Refusal | None:
        got, need, limit = int(t.count(counts, 0)), int(s.reg[t.KITTIES]), int(s.reg[t.LIMIT])
        if got != need:
            return Refusal("wrong_count", {"need": need, "got": got})
        points = int(t.points_in(counts, 0))
        if 0 <= limit < points:
            return Refusal("bury_points", {"limit": limit, "points": points})
        return None

    def _refuse_play(self, s: t.Table, seat: Seat, counts: Buffer) -> Refusal | None:
        reg, room = s.reg, self.room
        if reg[t.TABLED] == 0:
            return Refusal("mixed_lead") if shapes.one_group(s.group, counts, 0) < 0 else None
        got, need, group = int(t.count(counts, 0)), int(reg[t.LENGTH]), int(reg[t.LED])
        if got != need:
            return Refusal("wrong_count", {"need": need, "got": got})
        at, first = seat * t.CARDS, int(reg[t.TRIPLES_FIRST])
        verdict = int(follow.judge(s, s.hands, at, counts, 0, group, s.shape, reg[t.SHAPES], need, first, room))
        if verdict == follow.COMPLETE:
            return None
        # What could be played instead: whoever is refused is shown cards that would do.
        moves.answer(s, seat, thawed(_cheapness(s)), room)
        would = [name for name in write(s, room.move) if s.group[NAMES.index(name)] == group]
        return Refusal(FELL_SHORT[verdict], {"group": GROUPS[group], "cards": would})

    # steps --------------------------------------------------------------------------------------------------------

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Return what an action leads to and what is told."""
        s = sight.thaw(state)
        reg = s.reg
        if isinstance(action, NextDeal):
            for k, name in enumerate(action.deck):
                s.deck[k] = NAMES.index(name)
            flow.open_deal(s, action.starter if action.starter is not None else reg[t.DEALER])
            dealer = int(reg[t.DEALER])
            begun = Begun(
                state.deal,
                NAMES[int(reg[t.LEVEL]) * 4][0],
                state.levels,
                dealer if dealer >= 0 else None,
                int(reg[t.FIRST]),
            )
            return stepped(_with(state, s), begun)
        if isinstance(action, Deal):
            at = (int(reg[t.FIRST]) + int(reg[t.DEALT])) % t.SEATS
            fell = int(flow.deal(s, action.n))
            return stepped(_with(state, s), Drawn(at, fell))
        if isinstance(action, Declare):
            return self._declared(state, s, seat, action)
        if isinstance(action, Pass):
            events: list[Event] = [Passed(seat)]
            if flow.pass_by(s, seat):
                level = NAMES[int(reg[t.LEVEL]) * 4][0]
                events.append(Fixed(suit_name(int(reg[t.TRUMP])), int(reg[t.DEALER]), level))
            return stepped(_with(state, s), *events)
        if isinstance(action, Bury):
            flow.bury(s, counted(action.cards))
            return stepped(_with(state, s), Buried(seat))
        return self._played(state, s, seat, counted(action.cards))

    def _declared(self, state: State, s: t.Table, seat: Seat, action: Declare) -> Step[State]:
        label = label_of(state.declarations[-1] if state.declarations else None, seat, action.cards)
        card, n = call_of(action.cards, self.options.decks)
        flow.declare(s, seat, card, n)
        made = Declaration(seat, action.cards, suit_name(int(s.reg[t.TRUMP])), label)
        after = _with(state, s, declarations=(*state.declarations, made))
        return stepped(after, Declared(seat, made.cards, made.trump, label))

    def _played(self, state: State, s: t.Table, seat: Seat, counts: Buffer) -> Step[State]:
        reg = s.reg
        leads_now = reg[t.TABLED] == 0
        attempt = cards = write(s, counts)
        how = ""
        if not leads_now:  # the trick is cleared when it is over: what lies in it is read before the play is settled
            how, _ = how_played(s, counts, seat, self.room)
        over = bool(flow.play(s, seat, counts, self.room))
        events: list[Event] = []
        if leads_now:
            n = int(reg[t.SHAPES])
            failed = None
            if reg[t.FAILED]:
                held = state.hands[seat * t.CARDS : (seat + 1) * t.CARDS]
                left = s.hands[seat * t.CARDS : (seat + 1) * t.CARDS]
                laid = thawed([int(had) - int(has) for had, has in zip(held, left, strict=True)])
                cards = write(s, laid)
                back = thawed([int(had) - int(has) for had, has in zip(counts, laid, strict=True)])
                failed = Attempt(seat, attempt, cards, write(s, back))
                events.append(ThrowFailed(seat, attempt, cards, failed.returned))
            group = int(reg[t.LED])
            parts = tuple(component(s, int(s.shape[i]), group) for i in range(n))
            how = "throw" if n > 1 else "lead"
            trick = Trick(seat, parts, (SeatPlay(seat, cards, how),), seat, int(reg[t.WORTH]), failed)
        else:
            assert state.trick is not None
            best = int(reg[t.TAKER] if over else reg[t.BEST])
            points = int(reg[t.TAKEN] if over else reg[t.WORTH])
            trick = msgspec.structs.replace(
                state.trick, plays=(*state.trick.plays, SeatPlay(seat, cards, how)), best=best, points=points
            )
        events.append(Played(seat, cards, how))
        record = tuple((*own, *cards) if other == seat else own for other, own in enumerate(state.record))
        if not over:
            return stepped(_with(state, s, trick=trick, record=record), *events)
        after = _with(state, s, trick=None, last=trick, record=record)
        total = int(reg[t.POINTS]) - int(reg[t.BONUS])
        events.append(Taken(int(reg[t.TAKER]), int(reg[t.TAKEN]), total))
        if reg[t.PHASE] == t.OVER:
            shown = sight.revealed(s)
            ended = sight.outcome_of(self.options, after)
            events.append(KittyShown(shown.cards, shown.points, shown.width, shown.multiplier, shown.bonus))
            events.append(
                Ended(
                    ended.points,
                    ended.side,
                    ended.up,
                    ended.levels,
                    ended.next_dealer,
                    ended.match_winner,
                    ended.scores,
                )
            )
        return stepped(after, *events)

    def idle(self, state: State, seat: Seat) -> Action:
        """Return what is played for an absent player: pass; the cheapest kitty, lead or follow."""
        phase = state.reg[t.PHASE]
        if phase == t.DECLARING:
            return Pass()
        s = sight.thaw(state)
        keep = _cheapness(s)
        if phase == t.BURYING:
            return Bury(write(s, cheapest_burial(s, keep)))
        if s.reg[t.TABLED] == 0:
            held = [card for card in range(t.CARDS) if s.hands[seat * t.CARDS + card]]
            return Play((NAMES[min(held, key=lambda card: keep[card])],))
        moves.answer(s, seat, thawed(keep), self.room)
        return Play(write(s, self.room.move))

    def chance(self, state: State, rng: Rng) -> Action:
        """Shuffle, for the opening deal after drawing who starts (platform P-92); let a card fall."""
        if state.reg[t.PHASE] == t.DEALING:
            return Deal(1)
        starter = rng.below(t.SEATS) if state.opening else None
        order = rng.shuffled(range(54 * self.options.decks))
        return NextDeal(tuple(NAMES[index % 54] for index in order), starter)

    # views and ends -----------------------------------------------------------------------------------------------

    def observe(self, state: State, seat: Seat | None) -> View:
        """Return what a seat may know; None: a spectator."""
        return sight.observe(self.options, state, seat)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return some state that fits this view."""
        return imagine(self.options, view, rng)

    def outcome(self, state: State) -> Outcome | None:
        """Return ledger points, places, and where the next deal starts; a match ends past A."""
        if state.reg[t.PHASE] != t.OVER:
            return None
        ended = sight.outcome_of(self.options, state)
        places = tuple(1 if points > 0 else 3 if points < 0 else 1 for points in ended.scores)
        steps = int(flow.steps_up(ended.points, self.options.decks))
        if ended.match_winner is not None:
            return Outcome(ended.scores, places, "match", None)
        balances = state.balances
        if balances is not None:
            b = [old + points for old, points in zip(balances, ended.scores, strict=True)]
            balances = (b[0], b[1], b[2], b[3])
        carry = Carry(state.deal + 1, ended.levels, ended.next_dealer, balances)
        return Outcome(ended.scores, places, WHY.get(steps, "takeover_up"), carry)


def call_cards(s: t.Table, card: int, n: int) -> tuple[str, ...]:
    """Return the cards of a declaration as the kernel has it."""
    if s.reg[t.DECKS] == 1 and card == t.SMALL:
        return ("x", "X")
    return (NAMES[card],) * n


def cheapest_burial(s: t.Table, keep: Sequence[int]) -> list[int]:
    """Return counts of a legal kitty of the cards that `keep` rates lowest."""
    at, limit = int(s.reg[t.DEALER]) * t.CARDS, int(s.reg[t.LIMIT])
    cards = [0] * t.CARDS
    points = chosen = 0
    for card in sorted(range(t.CARDS), key=lambda card: keep[card]):
        worth = int(t.worth_of(card))
        for _ in range(int(s.hands[at + card])):
            if chosen < s.reg[t.KITTIES] and (limit < 0 or points + worth <= limit):
                cards[card] += 1
                chosen += 1
                points += worth
    return cards


def _cheapness(s: t.Table) -> list[int]:
    """Return by card how much who is absent would rather keep it: no points, then low side cards, trumps last."""
    return [
        int(s.step[card]) + 20 * int(t.worth_of(card)) + (500 if s.group[card] == 0 else 0) for card in range(t.CARDS)
    ]


def how_played(s: t.Table, cards: Buffer, seat: Seat, room: t.Room) -> tuple[str, bool]:
    """Return how cards would answer the trick as it lies (follow, ruff, overruff, discard), and whether they win it."""
    group = int(shapes.one_group(s.group, cards, 0))
    best, key, trumped = int(s.reg[t.BEST]), int(s.reg[t.KEY]), int(s.reg[t.TRUMPED])
    at = seat * t.CARDS
    s.put[at : at + t.CARDS] = cards
    wins = bool(flow.weigh(s, seat, room))
    s.put[at : at + t.CARDS] = NO_CARDS
    s.reg[t.BEST], s.reg[t.KEY], s.reg[t.TRUMPED] = best, key, trumped
    if group == s.reg[t.LED]:
        return "follow", wins
    if not wins:
        return "discard", wins
    return "overruff" if trumped else "ruff", wins


def _with(state: State, s: t.Table, **changes: Any) -> State:
    return msgspec.structs.replace(state, **sight.freeze(s), **changes)
