"""What the rules say of baohuang, claim by claim."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core.contract import NATURE, Malformed, play
from qipai.core.rng import Stream
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.rules import Baohuang
from qipai.games.baohuang.state import (
    Deal,
    Ended,
    Grab,
    Grabbed,
    Hide,
    Keep,
    Kick,
    Kicked,
    Leave,
    NoGrab,
    NoKick,
    NoRebel,
    Pass,
    Play,
    Played,
    Rebel,
    Rebelled,
    Reveal,
    Revealed,
    State,
    Taken,
    WentOut,
    Yield,
    Yielded,
)

HANDS = ["79X*", "88", "99x*", "TT", "JJ"]
BOTH = ["79x*X*", "88", "99", "TT", "JJ"]
PAIR = {"emperor": 0, "guard": 2, "mode": "pair", "opened": False}


def after(state: State, *moves: tuple[int, Any], rules: Baohuang | None = None) -> tuple[State, list[Any]]:
    """Return where moves lead, and all that was told."""
    rules = rules or Baohuang()
    told: list[Any] = []
    for seat, action in moves:
        step = play(rules, state, seat, action)
        state, told = step.state, told + [each.event for each in step.told]
    return state, told


def nobody_grabs(hands: list[str], rules: Baohuang | None = None) -> State:
    rules = rules or Baohuang()
    state, told = after(rules.place(hands), *((seat, NoGrab()) for seat in range(5)), rules=rules)
    assert told == []  # who declined is never told
    return state


def code(state: State, seat: int, action: Any, rules: Baohuang | None = None) -> str | None:
    refusal = (rules or Baohuang()).refuse(state, seat, action)
    return refusal.code if refusal else None


def test_a_deal_gives_thirty_three_cards_each_from_the_first_seat_on() -> None:
    rules = Baohuang()
    for first in range(5):
        state = rules.start({"deal": 3, "first_card": first})
        action = rules.chance(state, Stream.of_seed(first))
        assert isinstance(action, Deal)
        assert rules.refuse(state, NATURE, action) is None
        state = rules.apply(state, NATURE, action).state
        assert rules.observe(state, None).counts == (33,) * 5
        assert "X*" in action.hands[state.reg[t.EMPEROR]]
        short = Deal((action.hands[0][1:], *action.hands[1:]))
        assert code(rules.start(), NATURE, short) == "cards_not_held"


def test_the_first_in_order_of_play_has_the_first_right_to_the_solo() -> None:
    state, told = after(Baohuang().place(HANDS), (3, Grab()), (1, NoGrab()))
    assert told == []
    state, told = after(state, (0, NoGrab()), (2, NoGrab()))
    assert told == [Grabbed(3)]
    view = Baohuang().observe(state, None)
    assert (view.emperor, view.crown, view.mode, view.multiple, view.guard_public) == (3, 0, "solo_open", 2, None)


def test_a_throne_given_away_moves_the_crown_two_seats_on() -> None:
    state, told = after(nobody_grabs(BOTH), (0, Yield()))
    assert told == [Yielded(0, 2)]
    view = Baohuang().observe(state, 2)
    assert (view.hand, view.emperor, view.guard_public, view.crown) == ("99X*", 2, 0, 2)
    assert code(state, 2, Yield()) == "not_your_turn"


def test_the_pause_of_yield_and_reveal_is_the_same_whoever_is_asked() -> None:
    for options, ms in ((Options(), 16_000), (Options(yield_=False), 8_000), (Options(declare_seconds=3), 6_000)):
        for hands in (HANDS, BOTH):
            rules = Baohuang(options)
            state = rules.place(hands)
            for seat in range(5):
                step = rules.apply(state, seat, NoGrab())
                assert step.conceal_ms == (ms if seat == 4 else 0)
                state = step.state
            while rules.turn(state).ask in ("yield", "reveal"):
                (asked,) = rules.turn(state).seats
                step = rules.apply(state, asked, rules.idle(state, asked))
                assert step.conceal_ms == 0
                state = step.state
            assert rules.turn(state).ask == "rebel"


def test_without_grabbing_the_pause_begins_with_the_deal() -> None:
    rules = Baohuang(Options(grab=False))
    state = rules.start()
    step = rules.apply(state, NATURE, rules.chance(state, Stream.of_seed(1)))
    assert step.conceal_ms == 16_000


def test_a_shown_guard_may_be_kicked_by_two_rebels() -> None:
    state, told = after(nobody_grabs(HANDS), (2, Reveal()))
    assert told == [Revealed(2, solo=False)]
    state, told = after(state, (1, Kick()), (3, NoKick()))
    assert told == []
    state, told = after(state, (4, Kick()))
    assert told == [Kicked((1, 4))]
    view = Baohuang().observe(state, None)
    assert (view.kicked, view.multiple, view.phase, view.kickers) == (True, 4, "lead", (1, 4))


def test_two_rebels_make_a_rebellion_and_one_shows_nowhere() -> None:
    state, _ = after(nobody_grabs(HANDS), (2, Hide()))
    one, told = after(state, (1, Rebel()), (2, NoRebel()), (3, NoRebel()), (4, NoRebel()))
    assert told == []
    assert Baohuang().observe(one, 3).rebelled == ()
    two, told = after(state, (1, Rebel()), (4, Rebel()))
    assert told == [Rebelled((1, 4), 2, solo=False)]
    assert Baohuang().observe(two, 3).guard == 2
    assert code(state, 2, Rebel()) == "guard_cannot_rebel"


def test_a_rebellion_against_both_marks_keeps_the_hidden_score_table() -> None:
    state, _ = after(nobody_grabs(BOTH), (0, Keep()), (0, Hide()))
    state, told = after(state, (2, Rebel()), (4, Rebel()))
    assert told == [Rebelled((2, 4), 0, solo=True)]
    state, _ = after(state, (0, NoKick()))
    view = Baohuang().observe(state, 1)
    assert (view.mode, view.guard_public, view.guard, view.multiple) == ("solo_hidden", 0, None, 2)
    assert [line.emperor for line in view.sheet] == [24, 0, -24]


def test_who_passed_may_play_again() -> None:
    rules = Baohuang()
    state = rules.place(["79", "8A", "TT", "9K", "JJ"], PAIR)
    state, told = after(state, (0, Play("7")), (1, Pass()), (2, Pass()), (3, Play("9")), (4, Pass()), (0, Pass()))
    assert rules.observe(state, None).passed == (4, 0)
    state, told = after(state, (1, Play("A")))
    assert told == [Played(1, "A", "9", shows=False)]
    state, told = after(state, (2, Pass()), (3, Pass()), (4, Pass()), (0, Pass()))
    assert told[-1] == Taken(1, 1)
    view = rules.observe(state, None)
    assert [made.cards for made in view.last] == ["7", "9", "A"]
    assert view.tally[1] == (0, 1, 1, 0)  # it let the emperor's seven stand and beat a nine


def test_the_guard_card_in_a_set_tells_and_does_not_double() -> None:
    rules = Baohuang()
    state = rules.place(["79", "88", "Tx*", "9K", "6J"], PAIR)
    state, told = after(state, (0, Play("7")), (1, Pass()), (2, Play("x*")))
    assert told[-1] == Played(2, "x*", "7", shows=True)
    view = rules.observe(state, 1)
    assert (view.guard, view.sides, view.multiple) == (2, (0, 1, 0, 1, 1), 1)


def test_a_set_up_of_an_open_solo_is_that_of_a_grab() -> None:
    setup = {"emperor": 0, "mode": "solo_open", "opened": True, "kicked": None, "leader": None, "out": None}
    state, told = after(Baohuang().place(["79", "88", "Tx*", "9K", "6J"], setup), (0, Play("7")), (1, Pass()))
    state, told = after(state, (2, Play("x*")))
    assert told == [Played(2, "x*", "7", shows=False)]
    view = Baohuang().observe(state, None)
    assert (view.guard_public, view.grabbed, view.kicked) == (None, True, False)


def test_a_deal_ends_with_events_and_a_carry() -> None:
    rules = Baohuang()
    state = rules.place(["9", "88", "T", "JK", "6J"], PAIR)
    state, told = after(state, (0, Play("9")), (1, Pass()), (2, Play("T")))
    assert told[-3:] == [
        WentOut(2, 2),
        Taken(2, None),
        Ended((0, 2, 3, 4, 1), (6, -3, 3, -3, -3), "pair", 0, 2, opened=False, kicked=False),
    ]
    outcome = rules.outcome(state)
    assert outcome is not None
    assert (outcome.why, outcome.places, outcome.carry.first_card) == ("emperor_won", (1, 5, 2, 3, 4), 0)
    assert [line.places for line in rules.observe(state, None).sheet if line.open] == ["1+2"]


def test_a_six_waits_until_nothing_else_is_left() -> None:
    state = Baohuang().place(["669X", "88", "TT", "9K", "6J"], PAIR)
    assert code(state, 0, Play("6")) == "sixes_last"
    assert code(state, 0, Play("66X")) == "sixes_last"
    loose = Baohuang(Options(keep_six=False))
    assert code(loose.place(["669X", "88", "TT", "9K", "6J"], PAIR), 0, Play("66X"), loose) is None
    bare = Baohuang(Options(six_hung=False))
    refusal = bare.refuse(bare.place(["66X", "88", "TT", "9K", "6J"], PAIR), 0, Play("66X"))
    assert refusal is not None
    assert (refusal.code, refusal.facts) == ("sixes_last", {"case": "hung"})


def test_marked_jokers_are_cards_of_their_own() -> None:
    rules = Baohuang()
    state = rules.place(["7xx*XX*", "88", "TT", "9K", "6J"], {**PAIR, "guard": 0, "mode": "solo_hidden"})
    listed = [action.cards for action in rules.legal(state, 0) if isinstance(action, Play) and len(action.cards) <= 2]
    assert listed[:5] == ["7", "x", "x*", "X", "X*"]
    assert code(state, 0, Play("x*x*")) == "not_a_set"
    assert code(state, 0, Play("xx")) == "cards_not_held"


@pytest.mark.parametrize(
    ("seat", "action", "expected"),
    [
        (7, Grab(), "bad_seat"),
        (0, Malformed("fold"), "unknown_action"),
        (0, Leave(1), "unknown_action"),
        (0, Play("7"), "wrong_window"),
        (NATURE, Leave(9), "bad_seat"),
        (NATURE, Leave(1), "wrong_window"),  # where a substitute plays on
        (NATURE, Grab(), "bad_seat"),
    ],
)
def test_refusals_come_in_order(seat: int, action: Any, expected: str) -> None:
    assert code(Baohuang().place(HANDS), seat, action) == expected


def test_leaving_voids_a_deal_where_the_table_says_so() -> None:
    rules = Baohuang(Options(on_leave="void"))
    state, told = after(nobody_grabs(HANDS, rules), (NATURE, Leave(3)), rules=rules)
    outcome = rules.outcome(state)
    assert outcome is not None
    assert (outcome.points, outcome.why) == ((0, 0, 0, -40, 0), "left")
    assert isinstance(told[-1], Ended)
    assert told[-1].order is None
