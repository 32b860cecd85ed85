"""What a seat sees holds nothing it may not know: worlds that differ in hidden cards alone look the same."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from qipai.core.contract import NATURE, Seat
from qipai.core.rng import Stream
from qipai.games.gouji import ENTRY, observation
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.notation import PACK
from qipai.games.gouji.options import Options
from qipai.games.gouji.rules import Gouji
from qipai.games.gouji.state import Action, Burn, Carry, Deal, NoBurn, Pass, Play, State, View

Move = tuple[Seat, Action, bool]  # who, what, and whether it is a burner's first set


class Channel:
    """What the hall would send to a seat, or to the watchers: views that differ from the last, and what is told."""

    def __init__(self, rules: Gouji, seat: Seat | None) -> None:
        self.rules, self.seat = rules, seat
        self.sent: list[bytes] = []
        self.held: list[bytes] = []

    def show(self, state: State, paused: bool) -> None:
        view = self.rules.observe(state, self.seat)
        if paused and self.seat not in observation.asked(state):
            view = ENTRY.conceal(view)
        data = msgspec.json.encode(view)
        if data not in self.sent[-1:]:
            self.sent.append(data)

    def tell(self, events: Sequence[Any], paused: bool) -> None:
        lines = [msgspec.json.encode(each.event) for each in events]
        if paused:
            self.held += lines
        else:
            self.sent += self.held + lines
            self.held = []


def replay(rules: Gouji, start: State, moves: Sequence[Move], channel: Channel) -> State | None:
    """Send a channel all it gets while public moves are made; None where the hidden cards do not allow them."""
    state = start
    channel.show(state, False)
    paused = False
    for seat, action, burns in moves:
        while rules.turn(state).ask == "burn":
            asked = observation.asked(state)[0]
            answer: Action = Burn() if burns and asked == seat else NoBurn()
            step = rules.apply(state, asked, answer)
            state = step.state
            channel.tell(step.told, True)
            channel.show(state, True)
        if paused:
            channel.tell((), False)
            channel.show(state, False)
        if (rules.turn(state).ask == "burn_play") != burns or rules.refuse(state, seat, action) is not None:
            return None
        step = rules.apply(state, seat, action)
        state = step.state
        paused = step.conceal_ms > 0
        channel.tell(step.told, False)
        channel.tell(step.later, True)
        channel.show(state, paused)
    return state


def random_moves(rules: Gouji, state: State, random: Random) -> list[Move]:
    """Play a deal to its end: long sets are led seldom, so that there are answers, burns and winds."""
    moves: list[Move] = []
    while rules.outcome(state) is None:
        seat = observation.asked(state)[0]
        ask = rules.turn(state).ask
        listed = list(rules.legal(state, seat))
        if ask == "burn":
            state = rules.apply(state, seat, listed[random.random() < 0.3]).state
            continue
        action = listed[int(len(listed) * random.random() ** (3 if ask == "lead" else 1))]
        moves.append((seat, action, ask == "burn_play"))
        state = rules.apply(state, seat, action).state
    return moves


def as_dealt(state: State) -> list[str]:
    """The hands that were dealt, from what became of them."""
    hands = [
        [sum(cells[seat * t.CARDS + card] for cells in (state.hands, state.played, state.lost)) for card in range(15)]
        for seat in range(6)
    ]
    paid, back = observation._payments(state)
    for each in (*paid, *back):
        for card, n in enumerate(PACK.read(each.cards)):
            hands[each.giver][card] += n
            hands[each.to][card] -= n
    return [PACK.write(max(0, n) for n in hand) for hand in hands]


@pytest.mark.parametrize("seed", range(12))
def test_the_whole_traffic_is_the_same_in_every_world_that_fits(seed: int) -> None:
    random = Random(seed)
    rng = Stream.of_seed(f"sight {seed}")
    options = Options(
        report_at=random.choice((0, 10, 20)),
        partners_view=seed % 2 == 0,
        keep_three=seed % 3 == 0,
        burn_own_side=seed % 4 != 0,
        tribute="on" if seed % 6 == 0 else "off",
        tribute_return=False,
    )
    rules = Gouji(options)
    start = rules.start(Carry(2, seed % 6, tuple(random.sample(range(6), 6))))
    dealt = rules.apply(start, NATURE, rules.chance(start, rng)).state
    moves = random_moves(rules, dealt, random)
    worlds = 0
    for seat in (None, 0, 3, 5):
        for length in (0, len(moves) // 4, len(moves) // 2, 3 * len(moves) // 4):
            truth = Channel(rules, seat)
            now = replay(rules, dealt, moves[:length], truth)
            assert now is not None
            dream = rules.imagine(rules.observe(now, seat), rng)
            other = rules.start(Carry(2, seed % 6, start.previous))
            hands = as_dealt(dream)
            if [len(hand) for hand in hands] != [36] * 6 or rules.refuse(other, NATURE, Deal(tuple(hands))):
                continue
            assert hands != as_dealt(now)
            dreamt = Channel(rules, seat)
            if replay(rules, rules.apply(other, NATURE, Deal(tuple(hands))).state, moves[:length], dreamt) is None:
                continue  # somebody burns, or stays in play as a burner, with cards he has not got in this world
            assert dreamt.sent == truth.sent
            worlds += 1
    assert worlds >= 4


def test_imagined_deals_hold_the_whole_deck_and_the_hands_that_are_known() -> None:
    rules, rng, random = Gouji(Options(partners_view=True)), Stream.of_seed(3), Random(3)
    start = rules.start()
    state = rules.apply(start, NATURE, rules.chance(start, rng)).state
    for seat, action, burns in random_moves(rules, state, random):
        while rules.turn(state).ask == "burn":
            asked = observation.asked(state)[0]
            state = rules.apply(state, asked, Burn() if burns and asked == seat else NoBurn()).state
        for viewer in range(6):
            view = rules.observe(state, viewer)
            dream = rules.imagine(view, rng)
            if dream.still is None:
                cells = zip(dream.hands, dream.played, dream.lost, strict=True)
                total = [sum(each) for each in cells]
                assert tuple(sum(total[card::15]) for card in range(15)) == PACK.copies
            assert observation.hand_of(dream, viewer) == observation.hand_of(state, viewer)
            assert [sum(observation.hand_of(dream, other)) for other in range(6)] == [
                sum(observation.hand_of(state, other)) for other in range(6)
            ]
            assert rules.observe(dream, viewer) == view
        state = rules.apply(state, seat, action).state


def test_who_is_asked_in_an_imagined_burn_window_can_burn() -> None:
    rules = Gouji()
    state = rules.place(["34KK", "59AAx", "6677", "88QQ", "4455", "3344"], 0)
    state = rules.apply(state, 0, Play("KK")).state
    for viewer in (None, 0, 2, 3, 4, 5):
        view = rules.observe(state, viewer)
        assert view.phase == "burn_wait"
        for seed in range(5):
            dream = rules.imagine(view, Stream.of_seed(seed))
            assert observation.asked(dream)
            dream = rules.apply(dream, observation.asked(dream)[0], Burn()).state
            assert rules.turn(dream).ask == "burn_play"
            burner = observation.asked(dream)[0]
            assert list(rules.legal(dream, burner))
            assert rules.imagine(rules.observe(dream, viewer), Stream.of_seed(seed))


def test_a_bound_leader_can_lead_in_every_imagined_deal() -> None:
    rules = Gouji()
    state = rules.place(["34KK", "59AAx", "6677", "88QQ", "4455", "3344"], 0)
    for seat, action in ((0, Play("KK")), (1, Burn()), (1, Play("AA"))):
        state = rules.apply(state, seat, action).state
    state = rules.apply(state, 4, next(iter(reversed(list(rules.legal(state, 4)))))).state
    assert rules.turn(state).ask == "lead"
    for seed in range(10):
        dream = rules.imagine(rules.observe(state, 3), Stream.of_seed(seed))
        assert list(rules.legal(dream, 1))


def test_cards_of_a_tribute_stay_where_they_went() -> None:
    rules = Gouji(Options(tribute="on", tribute_return=False))
    start = rules.start(Carry(2, 0, (0, 1, 2, 3, 4, 5)))
    state = rules.apply(start, NATURE, rules.chance(start, Stream.of_seed(8))).state
    view = rules.observe(state, 3)
    assert [len(each.cards) for each in view.payments] == [2, 1]
    for seed in range(10):
        dream = rules.observe(rules.imagine(view, Stream.of_seed(seed)), 0)
        assert dream.hand is not None
        assert all(dream.hand.count(card) >= view.payments[0].cards.count(card) for card in "2xX")


def test_the_counter_is_what_the_seat_has_not_located() -> None:
    rules = Gouji()
    start = rules.start()
    state = rules.apply(start, NATURE, rules.chance(start, Stream.of_seed(2))).state
    for viewer in range(6):
        view = rules.observe(state, viewer)
        assert view.hand is not None
        assert view.unseen == tuple(n - view.hand.count(card) for card, n in zip("A2xX", (16, 16, 4, 4), strict=True))
    assert rules.observe(state, None).unseen == (16, 16, 4, 4)


def test_all_that_is_left_is_shown_at_the_end() -> None:
    rules = Gouji()
    state = rules.place(["3", "4", "5", "66", "", ""], 0, fell=[4, 5])
    for seat, cards in ((0, "3"), (1, "4"), (2, "5")):
        assert not rules.observe(state, None).shown
        state = rules.apply(state, seat, Play(cards)).state
    view = rules.observe(state, None)
    assert (view.phase, view.order, view.scores) == ("over", (0, 1, 2, 3, 5, 4), (0, 0, 0, 0, 0, 0))
    assert [(hand.seat, hand.cards) for hand in view.shown] == [(3, "66")]
    assert view.places == (1, 2, 3, 4, 6, 5)


def test_views_say_who_may_answer_who_is_headless_and_what_lies_there() -> None:
    rules = Gouji()
    state = rules.place(["34AA", "99KK", "7788", "", "4455", "3366"], 1, out=[3])
    state = rules.apply(state, 1, Play("KK")).state
    view = rules.observe(state, 5)
    assert view.headless == (0,)
    assert view.answerers == (0, 4)
    assert [(made.seat, made.cards) for made in view.trick] == [(1, "KK")]
    state = rules.apply(rules.apply(state, 4, Pass()).state, 0, Pass()).state
    view = rules.observe(state, 5)
    assert view.answerers == (4,)
    assert view.turn == (4,)
    assert view.phase == "close"


def everything(view: View) -> str:
    return msgspec.json.encode(view).decode()


def test_no_view_is_larger_than_it_need_be() -> None:
    rules = Gouji()
    start = rules.start()
    state = rules.apply(start, NATURE, rules.chance(start, Stream.of_seed(2))).state
    assert len(everything(rules.observe(state, 0))) < 1400
