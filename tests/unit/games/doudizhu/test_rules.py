"""Bidding, tricks, ends, refusals, carries: what the contract adds to the kernels."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from qipai.core.contract import NATURE, IllegalAction, Malformed, play
from qipai.core.rng import Stream
from qipai.games.doudizhu import ENTRY
from qipai.games.doudizhu.notation import PACK
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.rules import Doudizhu
from qipai.games.doudizhu.state import (
    Action,
    Bid,
    Called,
    Deal,
    Dealt,
    Ended,
    Form,
    Leave,
    Left,
    NoBid,
    Pass,
    Passed,
    Play,
    Played,
    Redealt,
    Settled,
    State,
    Taken,
)

HANDS = ["345", "678", "9TJ"]
LANDLORD = {"landlord": 0, "bid": 2}


def told(rules: Doudizhu, state: State, seat: int, action: Action) -> tuple[State, list[Any]]:
    """The state after an action, and the events."""
    step = play(rules, state, seat, action)
    return step.state, [each.event for each in step.events]


def code(rules: Doudizhu, state: State, seat: int, action: Action | Malformed) -> str | None:
    refusal = rules.refuse(state, seat, action)
    return refusal.code if refusal else None


def test_luck_deals_the_whole_pack_and_draws_who_calls_first() -> None:
    rules = Doudizhu()
    firsts = set()
    for seed in range(20):
        deal = rules.chance(rules.start(), Stream.of_seed(seed))
        assert isinstance(deal, Deal)
        assert [len(hand) for hand in deal.hands] == [17, 17, 17]
        assert tuple(PACK.read("".join(deal.hands) + deal.bottom)) == PACK.copies
        firsts.add(deal.first)
    assert firsts == {0, 1, 2}
    known = rules.start({"deal": 2, "first": 1})
    deal = rules.chance(known, Stream.of_seed(1))
    assert isinstance(deal, Deal)
    assert deal.first == 1
    assert rules.observe(known, None).first == 1


def test_luck_may_not_deal_anything_else() -> None:
    rules = Doudizhu()
    state = rules.start({"deal": 2, "first": 1})
    deal = rules.chance(state, Stream.of_seed(1))
    assert isinstance(deal, Deal)
    swapped = (deal.hands[0] + deal.hands[1][:1], deal.hands[1][1:], deal.hands[2])
    for wrong, why in (
        (Deal(deal.hands, deal.bottom, 2), "bad_seat"),
        (Deal(deal.hands, deal.bottom, 3), "bad_seat"),
        (Deal(deal.hands[:2], deal.bottom, 1), "cards_not_held"),
        (Deal(swapped, deal.bottom, 1), "cards_not_held"),
        (Deal(deal.hands, "1" + deal.bottom[1:], 1), "not_a_set"),
    ):
        assert code(rules, state, NATURE, wrong) == why
    assert code(rules, state, NATURE, NoBid()) == "bad_seat"
    after, events = told(rules, state, NATURE, deal)
    assert events == [Dealt(2, 1)]
    assert code(rules, after, NATURE, deal) == "wrong_window"


def test_calls_are_told_and_the_highest_is_landlord() -> None:
    rules = Doudizhu()
    state = rules.place(HANDS, "KA2", 2)
    state, events = told(rules, state, 2, NoBid())
    assert events == [Called(2, 0)]
    state, events = told(rules, state, 0, Bid(1))
    assert events == [Called(0, 1)]
    state, events = told(rules, state, 1, Bid(2))
    assert events == [Called(1, 2), Settled(1, 2, "KA2", False)]
    view = rules.observe(state, None)
    assert (view.landlord, view.counts, view.turn, view.sides) == (1, (3, 6, 3), (1,), (1, 0, 1))


def test_when_nobody_calls_the_cards_are_dealt_again_and_the_next_seat_calls_first() -> None:
    rules = Doudizhu(Options(redeals=1))
    luck = Stream.of_seed(3)
    state = play(rules, rules.start({"deal": 1, "first": 1}), NATURE, Deal(*_whole(), 1)).state
    for seat, after in ((1, [Called(1, 0)]), (2, [Called(2, 0)]), (0, [Called(0, 0), Redealt(2)])):
        state, events = told(rules, state, seat, NoBid())
        assert events == after
    assert rules.turn(state).seats == {NATURE}
    assert rules.observe(state, 0).hand == ""
    state = play(rules, state, NATURE, rules.chance(state, luck)).state
    assert rules.turn(state).seats == {2}
    for seat in (2, 0, 1):
        state, events = told(rules, state, seat, NoBid())
    view = rules.observe(state, None)
    assert view.bottom is not None
    assert events[1:] == [Settled(2, 1, view.bottom, True)]
    assert (view.landlord, view.bid, view.redealt) == (2, 1, 1)


def _whole() -> tuple[tuple[str, ...], str]:
    deal = Doudizhu().chance(Doudizhu().start(), Stream.of_seed(9))
    assert isinstance(deal, Deal)
    return deal.hands, deal.bottom


def test_a_trick_and_its_events() -> None:
    rules = Doudizhu()
    state = rules.place(["3344", "5556", "5568"], setup=LANDLORD)
    state, events = told(rules, state, 0, Play("33"))
    assert events == [Played(0, "33", None, Form("pair", "3", 1), 2)]
    state, events = told(rules, state, 1, Pass())
    assert events == [Passed(1)]
    state, events = told(rules, state, 2, Play("55"))
    assert events == [Played(2, "55", "33", Form("pair", "5", 1), 2)]
    state = play(rules, state, 0, Pass()).state
    state, events = told(rules, state, 1, Pass())
    assert events == [Passed(1), Taken(2, 2)]
    view = rules.observe(state, 1)
    assert (view.top, view.form, view.owner, view.phase, view.trick_no) == (None, None, None, "lead", 2)
    assert [made.cards for made in view.last] == ["33", "55"]


def test_the_end_is_told_with_its_spring() -> None:
    rules = Doudizhu()
    state = rules.place(["3K", "45", "55"], setup=LANDLORD)
    for seat, action in ((0, Play("K")), (1, Pass()), (2, Pass())):
        state = play(rules, state, seat, action).state
    state, events = told(rules, state, 0, Play("3"))
    form = Form("single", "3", 1)
    assert events == [Played(0, "3", None, form, 4), Taken(0, None), Ended(0, 0, (8, -4, -4), 4, True)]
    outcome = rules.outcome(state)
    assert outcome is not None
    assert (outcome.points, outcome.places, outcome.why) == ((8, -4, -4), (1, 2, 2), "landlord_won")
    assert msgspec.to_builtins(outcome.carry) == {"deal": 2, "first": 0}
    assert rules.observe(state, None).shown[0].cards == "45"


def test_who_went_out_calls_first_in_the_next_deal() -> None:
    rules = Doudizhu()
    state = rules.place(["3K", "4", "55"], setup=LANDLORD)
    state = play(rules, play(rules, state, 0, Play("3")).state, 1, Play("4")).state
    outcome = rules.outcome(state)
    assert outcome is not None
    assert (outcome.places, outcome.why, outcome.carry.first) == ((3, 1, 1), "peasants_won", 1)
    assert ENTRY.teams is not None
    assert list(ENTRY.teams(state)) == [1, 0, 0]


def test_leaving_makes_a_deal_void_only_where_nobody_plays_on() -> None:
    rules = Doudizhu(Options(on_leave="void"))
    state = rules.place(["3K", "4444", "55"], setup={"landlord": 0, "bid": 3, "leader": 1})
    assert ENTRY.leaving.price(rules.observe(state, 2)) == -6
    bomb = rules.place(["3K", "44445", "55"], setup={"landlord": 0, "bid": 3, "leader": 1})
    bomb = play(rules, bomb, 1, Play("4444")).state
    assert ENTRY.leaving.price(rules.observe(bomb, 2)) == -12
    state, events = told(rules, bomb, NATURE, Leave(2))
    assert events == [Left(2), Ended(None, 0, (0, 0, -12), 6, False)]
    outcome = rules.outcome(state)
    assert outcome is not None
    assert (outcome.why, outcome.points) == ("left", (0, 0, -12))
    assert ENTRY.leaving.price(rules.observe(state, 2)) == 0
    assert code(Doudizhu(), bomb, NATURE, Leave(2)) == "wrong_window"
    assert code(rules, rules.start(), NATURE, Leave(0)) is None
    void = rules.outcome(play(rules, rules.start(), NATURE, Leave(0)).state)
    assert void is not None
    assert (void.points, void.carry.first) == ((-2, 0, 0), None)


def test_what_cannot_be_read_is_refused_in_order() -> None:
    rules = Doudizhu()
    state = rules.place(HANDS)
    assert code(rules, state, 0, ENTRY.act({"a": "bid", "n": 4})) == "bid_too_low"
    assert code(rules, state, 0, ENTRY.act({"a": "bid"})) == "bid_too_low"
    assert code(rules, state, 0, ENTRY.act({"a": "play"})) == "wrong_window"
    assert code(rules, state, 0, ENTRY.act({"a": "sing"})) == "unknown_action"
    assert code(rules, state, 0, ENTRY.act(7)) == "unknown_action"
    assert code(rules, state, 1, ENTRY.act({"a": "sing"})) == "not_your_turn"
    with pytest.raises(IllegalAction, match="bid_too_low"):
        play(rules, play(rules, state, 0, Bid(2)).state, 1, Bid(2))


def test_who_is_away_calls_nothing_leads_low_and_passes() -> None:
    rules = Doudizhu()
    assert rules.idle(rules.place(HANDS), 0) == NoBid()
    state = rules.place(["3344", "555", "666"], setup=LANDLORD)
    assert rules.idle(state, 0) == Play("3")
    assert rules.idle(play(rules, state, 0, Play("33")).state, 1) == Pass()


def test_the_clock_has_a_time_for_calls() -> None:
    assert ENTRY.clock(Options(turn_seconds=15, bid_seconds=7))["asks"] == {"bid": 7}
