"""Implements `core.contract.Rules` on top of the kernel, which holds all rules: turns, refusals, steps, luck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from qipai.core.contract import NATURE, BadNotation, Malformed, Outcome, Refusal, Rng, Seat, Step, Turn, one_of, stepped
from qipai.core.kernel import Buffer, frozen, packed, pour, thawed, unpacked
from qipai.games.shengji import observation
from qipai.games.shengji.imagine import imagine
from qipai.games.shengji.kernel import flow, follow, moves, shapes
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.listing import burials, calls, follows, leads
from qipai.games.shengji.notation import (
    GROUPS,
    INDEX,
    NAMES,
    Order,
    call_of,
    component,
    counted,
    counts_of,
    groups_of,
    order_of,
    suit_name,
    write,
)
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
    Texts,
    ThrowFailed,
    Trick,
    View,
)

__all__ = ["BEATS", "FELL_SHORT", "Shengji", "first_carry", "how_played", "label_of"]

BEATS: Final[Mapping[int, int]] = {1: 320, 2: 200, 3: 140}  # ms from card to card: about twenty seconds in all
PASS: Final = Pass()
NOTHING: Final[tuple[Action, ...]] = ()
FOUR: Final = frozenset(range(t.SEATS))
NOBODY: Final[frozenset[Seat]] = frozenset()
# Turns are shared: there are few.
DECLARES: Final = tuple(
    Turn(FOUR - passed, "declare", may=passed)
    for passed in (frozenset(seat for seat in FOUR if mask >> seat & 1) for mask in range(1 << t.SEATS))
)
BURIES, LEADS, FOLLOWS = (
    tuple(Turn(frozenset((seat,)), ask) for seat in range(t.SEATS)) for ask in ("bury", "lead", "follow")
)
DEAL: Final = Turn(frozenset((NATURE,)), "deal")
FALLS: Final = {decks: Turn(DEAL.seats, "deal", beat, may=FOUR) for decks, beat in BEATS.items()}
OVER: Final = Turn(NOBODY, "over")
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
    """Return the label of a declaration, relative to the present one (4.1)."""
    if standing is None:
        return None
    if cards[0] in "xX" and standing.trump is not None:
        return "overcall_nt"
    if standing.seat != seat:
        return "overcall"
    return "reinforce" if standing.cards[0] == cards[0] else "self_overcall"


def first_carry(options: Options, first_seated: Seat) -> Carry:
    """Return the carry of a match's first deal."""
    return Shengji(options).first_carry()


class Shengji:
    """The rules of shengji under one set of options. It implements `core.contract.Rules`."""

    seats = t.SEATS

    def __init__(self, options: Options | None = None) -> None:
        self.options = options if options is not None else Options()
        self.room = t.new_room()

    def start(self, carry: Any = None) -> State:
        """Return the state before the deck is on the table. carry: a `Carry`, or its JSON."""
        if carry is None:
            carry = self.first_carry()
        elif not isinstance(carry, Carry):
            carry = msgspec.convert(carry, Carry)
        s = t.new_table()
        pour(s.reg, observation.new_registers(self.options, carry.levels, carry.dealer))
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
            **observation.freeze(s),
        )

    def first_carry(self) -> Carry:
        """Return where a match starts: both sides on the start level (R30)."""
        level = self.options.start_level
        return Carry(1, (level, level), None, self.options.qq_balances)

    # who acts -----------------------------------------------------------------------------------------------------

    def turn(self, state: State) -> Turn:
        """Return who may act. While cards are dealt, everybody may declare, even after passing."""
        reg = state.reg
        phase = reg[t.PHASE]
        if phase == t.PLAYING:
            return FOLLOWS[reg[t.TURN]] if reg[t.TABLED] else LEADS[reg[t.TURN]]
        if phase == t.DEALING:
            return FALLS[self.options.decks]
        if phase == t.DECLARING:
            return DECLARES[reg[t.PASSED]]
        if phase == t.BURYING:
            return BURIES[reg[t.TURN]]
        return DEAL if phase == t.NEW else OVER

    def legal(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield a seat's actions: declarations by class, kitties and plays by size and from the top of each group."""
        reg = state.reg
        phase = reg[t.PHASE]
        if phase in (t.DEALING, t.DECLARING) and 0 <= seat < t.SEATS:
            at = seat * t.CARDS
            found = calls(reg[t.LEVEL], reg[t.DECKS], reg[t.CLASS], state.hands[at : at + t.CARDS])
            actions: list[Action] = [Declare(cards) for _, cards, _ in found]
            if phase == t.DECLARING and not reg[t.PASSED] >> seat & 1:
                actions.append(PASS)
            return iter(actions)
        if seat != reg[t.TURN]:
            return iter(NOTHING)
        if phase == t.BURYING:
            return map(Bury, burials(observation.read(state)))
        if phase != t.PLAYING:
            return iter(NOTHING)
        if reg[t.TABLED] == 0:
            return map(Play, leads(state.texts.hands[seat]))
        return map(Play, follows(observation.read(state), seat))

    def leaving(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield nothing: nobody can end a deal early."""
        return iter(())

    def sample(self, state: State, seat: Seat, rng: Rng) -> Action:
        """Draw one of a seat's actions; cards are drawn as in the kernel's random deals, mostly leads of one component.

        Every lead, kitty and follow can be drawn. They are not listed, because there are millions of leads and kitties.
        """
        phase = state.reg[t.PHASE]
        if phase not in (t.BURYING, t.PLAYING):
            return one_of(self.legal(state, seat), rng)
        s, seed, room = observation.read(state), rng.below(1 << 31), self.room
        if phase == t.BURYING:
            moves.drawn_burial(s, seed, room)
            return Bury(write(s, room.move))
        if state.reg[t.TABLED] == 0:
            moves.drawn_lead(s, seat, seed, room)
        else:
            moves.drawn_answer(s, seat, seed, room)
        return Play(write(s, room.move))

    # refusals -----------------------------------------------------------------------------------------------------

    def refuse(self, state: State, seat: Seat, action: Action | Malformed) -> Refusal | None:
        """Return why an action is forbidden, None when it is allowed. Codes and their order: shengji 10."""
        if isinstance(action, Malformed):
            return Refusal("bad_action", {"verb": action.verb[:40], "field": action.field[:40]})
        # `type(…) is` instead of `isinstance`, which goes through a Struct's metaclass and costs 0.1 µs each time.
        kind = type(action)
        reg = state.reg
        counts: list[int] | None = None
        if kind is Deal:
            if action.n < 1:  # type: ignore[union-attr]
                return Refusal("bad_action", {"verb": "deal", "field": "n"})
        elif kind is not Pass:
            try:
                counts = counts_of(action.deck if kind is NextDeal else action.cards)  # type: ignore[union-attr]
            except BadNotation as wrong:
                return Refusal("bad_action", {"verb": "", "field": str(wrong.facts["card"])})
            if kind is NextDeal and (bad := self._refuse_deck(state, action, counts)):  # type: ignore[arg-type]
                return bad
        if reg[t.PHASE] not in PHASES_OF[kind]:
            return Refusal("wrong_phase", {"phase": self.observe(state, None).phase})
        if kind is NextDeal or kind is Deal:
            return None if seat == NATURE else Refusal("not_your_turn", {"seats": [NATURE]})
        if not 0 <= seat < t.SEATS or ((kind is Play or kind is Bury) and seat != reg[t.TURN]):
            return Refusal("not_your_turn", {"seats": list(observation.asked(state))})
        if counts is None:
            return None
        cards: tuple[str, ...] = action.cards  # type: ignore[union-attr]
        if kind is Play and not cards:
            return Refusal("empty_play")
        hands, at = state.hands, seat * t.CARDS
        for name in cards:
            if counts[INDEX[name]] > hands[at + INDEX[name]]:
                lacking = [NAMES[card] for card in range(t.CARDS) for _ in range(counts[card] - hands[at + card])]
                return Refusal("cards_not_held", {"cards": lacking})
        s = observation.read(state)
        if kind is Play:
            return self._refuse_play(state, s, seat, counts)
        return self._refuse_call(s, cards) if kind is Declare else self._refuse_burial(s, thawed(counts))

    def _refuse_deck(self, state: State, action: NextDeal, counts: Sequence[int]) -> Refusal | None:
        if any(n != self.options.decks for n in counts):
            return Refusal("bad_action", {"verb": "next_deal", "field": "deck"})
        starter = action.starter
        # `starter` is checked only where a deal may begin; at any other time the action itself is wrong.
        astray = state.reg[t.PHASE] == t.NEW and (starter is None) == state.opening
        if astray or (starter is not None and not 0 <= starter < t.SEATS):
            return Refusal("bad_action", {"verb": "next_deal", "field": "starter"})
        return None

    def _refuse_call(self, s: t.Table, cards: tuple[str, ...]) -> Refusal | None:
        card, n = call_of(cards, self.options.decks)
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

    def _refuse_play(self, state: State, s: t.Table, seat: Seat, counts: Sequence[int]) -> Refusal | None:
        reg, room = s.reg, self.room
        if reg[t.TABLED] == 0:
            mixed = sum(counts) > 1 and shapes.one_group(s.group, thawed(counts), 0) < 0
            return Refusal("mixed_lead") if mixed else None
        got, need, group = sum(counts), int(reg[t.LENGTH]), int(reg[t.LED])
        if got != need:
            return Refusal("wrong_count", {"need": need, "got": got})
        at, first, cards = seat * t.CARDS, int(reg[t.TRIPLES_FIRST]), thawed(counts)
        verdict = int(follow.judge(s, s.hands, at, cards, 0, group, s.shape, reg[t.SHAPES], need, first, room))
        if verdict == follow.COMPLETE:
            return None
        # The refusal names cards that could be played instead.
        moves.answer(s, seat, thawed(_cheapness(s)), room)
        would = [name for name in write(s, room.move) if s.group[NAMES.index(name)] == group]
        led = list(state.trick.plays[0].cards) if state.trick is not None else []
        return Refusal(FELL_SHORT[verdict], {"group": GROUPS[group], "led": led, "cards": would})

    # steps --------------------------------------------------------------------------------------------------------

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Return the result of an action, with its events."""
        kind = type(action)
        if kind is Play:
            return self._played(state, seat, action.cards)  # type: ignore[union-attr]
        if kind is Deal:
            return self._fell(state, action.n)  # type: ignore[union-attr]
        s = observation.thaw(state)
        reg = s.reg
        if isinstance(action, Declare):
            return self._declared(state, s, seat, action)
        if isinstance(action, Pass):
            if not flow.pass_by(s, seat):
                return stepped(msgspec.structs.replace(state, reg=frozen(reg)), Passed(seat))
            level = NAMES[int(reg[t.LEVEL]) * 4][0]
            fixed = Fixed(suit_name(int(reg[t.TRUMP])), int(reg[t.DEALER]), level)
            return stepped(_with(state, s), Passed(seat), fixed)
        if isinstance(action, Bury):
            flow.bury(s, counted(action.cards))
            return stepped(_with(state, s), Buried(seat))
        assert isinstance(action, NextDeal)
        for k, name in enumerate(action.deck):
            s.deck[k] = INDEX[name]
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

    def _fell(self, state: State, n: int) -> Step[State]:
        """Deal cards: of the buffers, only the hands and the registers change."""
        s = observation.read(state)._replace(hands=unpacked(state.hands), reg=thawed(state.reg))
        first = (state.reg[t.FIRST] + state.reg[t.DEALT]) % t.SEATS
        fell = int(flow.deal(s, n))
        hands, texts = packed(s.hands), state.texts
        shown = list(texts.hands)
        for k in range(min(fell, t.SEATS)):
            seat = (first + k) % t.SEATS
            shown[seat] = groups_of(s, hands, seat * t.CARDS)
        counts = tuple([sum([len(group.cards) for group in hand]) for hand in shown])
        after = Texts(tuple(shown), counts, texts.picked, texts.kitty, texts.open, texts.captured)
        made = msgspec.structs.replace(state, hands=hands, reg=frozen(s.reg), texts=after)
        return stepped(made, Drawn(first, fell))

    def _declared(self, state: State, s: t.Table, seat: Seat, action: Declare) -> Step[State]:
        label = label_of(state.declarations[-1] if state.declarations else None, seat, action.cards)
        card, n = call_of(action.cards, self.options.decks)
        flow.declare(s, seat, card, n)
        made = Declaration(seat, action.cards, suit_name(int(s.reg[t.TRUMP])), label)
        after = _with(state, s, declarations=(*state.declarations, made))
        return stepped(after, Declared(seat, made.cards, made.trump, label))

    def _played(self, state: State, seat: Seat, named: tuple[str, ...]) -> Step[State]:
        """Play cards: of the buffers, the deck, the picked-up kitty and the buried kitty do not change."""
        s = observation.read(state)._replace(
            hands=unpacked(state.hands),
            put=unpacked(state.put),
            gone=unpacked(state.gone),
            shown=unpacked(state.shown),
            lacks=unpacked(state.lacks),
            captured=unpacked(state.captured),
            shape=thawed(state.shape),
            reg=thawed(state.reg),
        )
        counts = counted(named)
        attempt = cards = named if len(named) == 1 else write(s, counts)
        trumped = state.reg[t.TRUMPED]  # before this play
        pour(self.room.laid, (*{INDEX[name] for name in named}, -1))
        over = bool(flow.settle(s, seat, counts, self.room))
        reg = frozen(s.reg)
        best, points = (reg[t.TAKER], reg[t.TAKEN]) if over else (reg[t.BEST], reg[t.WORTH])
        events: list[Event] = []
        if state.reg[t.TABLED] == 0:
            n = reg[t.SHAPES]
            failed = None
            if reg[t.FAILED]:
                held = state.hands[seat * t.CARDS : (seat + 1) * t.CARDS]
                left = s.hands[seat * t.CARDS : (seat + 1) * t.CARDS]
                laid = thawed([int(had) - int(has) for had, has in zip(held, left, strict=True)])
                cards = write(s, laid)
                back = thawed([int(had) - int(has) for had, has in zip(counts, laid, strict=True)])
                failed = Attempt(seat, attempt, cards, write(s, back))
                events.append(ThrowFailed(seat, attempt, cards, failed.returned))
            how = "throw" if n > 1 else "lead"
            parts = tuple([component(s, int(s.shape[i]), reg[t.LED]) for i in range(n)])
            trick = Trick(seat, parts, (SeatPlay(seat, cards, how),), best, points, failed)
        else:
            was = state.trick
            assert was is not None
            how = how_played(observation.order_in(state), cards, state.reg[t.LED], best == seat, trumped)
            plays = (*was.plays, SeatPlay(seat, cards, how))
            trick = Trick(was.leader, was.components, plays, best, points, was.attempt)
        events.append(Played(seat, cards, how))
        record = tuple([(*own, *cards) if other == seat else own for other, own in enumerate(state.record)])
        after = State(
            state.deal,
            state.levels,
            state.opening,
            state.balances,
            state.declarations,
            None if over else trick,
            trick if over else state.last,
            record,
            state.deck,
            packed(s.hands),
            state.kitty,
            state.picked,
            packed(s.put),
            packed(s.gone),
            packed(s.shown),
            packed(s.lacks),
            packed(s.captured),
            frozen(s.shape),
            reg,
            _texts_after(state, s, seat, cards),
        )
        if not over:
            return stepped(after, *events)
        events.append(Taken(reg[t.TAKER], reg[t.TAKEN], reg[t.POINTS] - reg[t.BONUS]))
        if reg[t.PHASE] == t.OVER:
            kitty = observation.revealed(after)
            ended = observation.outcome_of(self.options, after)
            events.append(KittyShown(kitty.cards, kitty.points, kitty.width, kitty.multiplier, kitty.bonus))
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
        s = observation.thaw(state)
        keep = _cheapness(s)
        if phase == t.BURYING:
            return Bury(write(s, cheapest_burial(s, keep)))
        if s.reg[t.TABLED] == 0:
            held = [card for card in range(t.CARDS) if s.hands[seat * t.CARDS + card]]
            return Play((NAMES[min(held, key=lambda card: keep[card])],))
        moves.answer(s, seat, thawed(keep), self.room)
        return Play(write(s, self.room.move))

    def chance(self, state: State, rng: Rng) -> Action:
        """Draw luck: who starts, for the opening deal; the shuffled deck (platform P-92); or the next card."""
        if state.reg[t.PHASE] == t.DEALING:
            return Deal(1)
        starter = rng.below(t.SEATS) if state.opening else None
        order = rng.shuffled(range(54 * self.options.decks))
        return NextDeal(tuple(NAMES[index % 54] for index in order), starter)

    # views and ends -----------------------------------------------------------------------------------------------

    def observe(self, state: State, seat: Seat | None) -> View:
        """Return the view of a seat. seat None: a watcher."""
        return observation.observe(self.options, state, seat)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return a random state that fits this view."""
        return imagine(self.options, view, rng)

    def outcome(self, state: State) -> Outcome | None:
        """Return ledger points, places, and where the next deal starts; a match ends past A."""
        if state.reg[t.PHASE] != t.OVER:
            return None
        ended = observation.outcome_of(self.options, state)
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


def cheapest_burial(s: t.Table, keep: Sequence[int]) -> list[int]:
    """Return the counts of a legal kitty of the cards that `keep` rates lowest."""
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


def _cheapness(s: t.Table) -> tuple[int, ...]:
    """Return the cost of each card for an absent player, who plays the cheapest: trumps cost most, then points."""
    reg = s.reg
    return _cheapness_in(int(reg[t.LEVEL]), int(reg[t.TRUMP]), int(reg[t.CONSTANT]))


@cache
def _cheapness_in(level: int, trump: int, constant: int) -> tuple[int, ...]:
    """Return the same for a level and a trump."""
    order = order_of(level, trump, constant)
    return tuple(
        order.step[card] + 20 * int(t.worth_of(card)) + (500 if order.group[card] == 0 else 0)
        for card in range(t.CARDS)
    )


def how_played(order: Order, cards: Sequence[str], led: int, wins: bool, trumped: int) -> str:
    """Return what an answer to a trick is: follow, ruff, overruff, discard. trumped: there was a ruff before it."""
    of = order.group
    for name in cards:
        if of[INDEX[name]] != led:
            return "discard" if not wins else "overruff" if trumped else "ruff"
    return "follow"


def _texts_after(state: State, s: t.Table, seat: Seat, cards: tuple[str, ...]) -> Texts:
    """Return the texts after a seat has played these cards."""
    texts = state.texts
    hands = list(texts.hands)
    hands[seat] = observation.without(hands[seat], cards)
    reg = s.reg
    shown = observation.open_texts(s, s.shown) if reg[t.FAILED] or texts.open[seat] else texts.open
    captured = texts.captured if reg[t.POINTS] == state.reg[t.POINTS] else write(s, s.captured)
    counts = list(texts.counts)
    counts[seat] -= len(cards)
    return Texts(tuple(hands), tuple(counts), texts.picked, texts.kitty, shown, captured)


def _with(state: State, s: t.Table, **changes: Any) -> State:
    return msgspec.structs.replace(state, **observation.freeze(s), **changes)
