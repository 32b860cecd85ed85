"""The course of a deal and of a match, through the contract; random actions: drawn without a list, any can be."""

from __future__ import annotations

import msgspec
import pytest
from tests.unit.games.shengji.tables import act, code, dealt, pass_all, played_out, playing

from qipai.core.contract import NATURE, Malformed
from qipai.core.rng import Stream
from qipai.games.shengji import ENTRY
from qipai.games.shengji import rules as module
from qipai.games.shengji.conform import KINDS
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import NAMES
from qipai.games.shengji.options import Options
from qipai.games.shengji.rules import Shengji
from qipai.games.shengji.score import promoted
from qipai.games.shengji.state import (
    Action,
    Bury,
    Carry,
    Declared,
    Ended,
    KittyShown,
    NextDeal,
    Play,
    State,
    ThrowFailed,
)

RULES = Shengji()


@pytest.mark.parametrize("decks", [1, 2, 3])
def test_a_deal_keeps_all_its_points(decks: int) -> None:
    rules = Shengji(Options(decks=decks))  # type: ignore[arg-type]
    for seed in range(6):
        state = played_out(rules, rules.start(), seed)
        cards = [state.kitty[c] + sum(state.gone[s * t.CARDS + c] for s in range(4)) for c in range(t.CARDS)]
        assert cards == [decks] * t.CARDS
        assert t.points_in(cards, 0) == 100 * decks
        assert state.reg[t.POINTS] - state.reg[t.BONUS] == t.points_in(state.captured, 0)


def test_the_first_to_declare_deals_though_another_sets_the_trumps() -> None:
    state = dealt(RULES, ["TS 2C", "TH TH 3C", "X X 4C", "5C"])
    state = act(RULES, state, 0, a="declare", cards="TS")
    assert code(RULES, state, 1, a="declare", cards="TH") == "declaration_too_low"
    state = act(RULES, state, 1, a="declare", cards="TH TH")
    state = act(RULES, state, 2, a="declare", cards="X X")
    assert [made.label for made in state.declarations] == [None, "overcall", "overcall_nt"]
    view = RULES.observe(pass_all(RULES, state), 3)
    assert (view.dealer, view.trump, view.phase) == (0, None, "burying")


def test_a_new_declaration_asks_everybody_anew() -> None:
    state = dealt(RULES, ["TS 2C", "TH TH 3C", "4C", "5C"])
    for seat in (0, 2, 3):
        state = act(RULES, state, seat, a="pass")
    assert RULES.turn(state).seats == {1}
    assert RULES.turn(state).may == {0, 2, 3}
    state = act(RULES, state, 0, a="declare", cards="TS")
    assert RULES.turn(state).seats == {0, 1, 2, 3}


def test_a_refused_declaration_moves_nothing() -> None:
    state = act(RULES, dealt(RULES, ["TS TS", "TH TH", "", ""]), 0, a="declare", cards="TS TS")
    assert code(RULES, state, 1, a="declare", cards="TH TH") == "declaration_too_low"
    assert code(RULES, state, 1, a="declare", cards="TH TS") == "cards_not_held"
    assert code(RULES, state, 1, a="declare", cards="") == "bad_declaration"
    assert RULES.observe(state, None).trump == "S"


@pytest.mark.parametrize("decks", [2, 3])
@pytest.mark.parametrize("cards", ["x X", "X x"])
def test_unlike_jokers_declare_nothing_with_more_decks(decks: int, cards: str) -> None:
    rules = Shengji(Options(decks=decks))  # type: ignore[arg-type]
    state = dealt(rules, ["x x X X", "", "", ""])
    assert code(rules, state, 0, a="declare", cards=cards) == "bad_declaration"
    assert code(rules, state, 0, a="declare", cards="x x") is None


def test_a_new_deck_in_the_middle_of_the_opening_deal_comes_in_the_wrong_phase() -> None:
    shuffled = RULES.chance(RULES.start(), Stream.of_seed(1))
    assert isinstance(shuffled, NextDeal)
    bare = msgspec.structs.replace(shuffled, starter=None)
    assert RULES.refuse(dealt(RULES, ["TS", "", "", ""]), -1, bare).code == "wrong_phase"  # type: ignore[union-attr]
    assert RULES.refuse(RULES.start(), -1, bare).code == "bad_action"  # type: ignore[union-attr]


def test_a_script_may_stop_before_the_deal_is_over() -> None:
    given = {
        "decks": 1,
        "levels": ["2", "2"],
        "dealer": 2,
        "deck": list(NAMES),
        "actions": [[-1, {"a": "deal", "n": 1}]],
    }
    unsettled = {"next_dealer": None, "side": None, "up": None, "match_winner": None}
    expect = {"steps": {"0": {"dealer": 2, "forced": None}}, "final": {"phase": "dealing", **unsettled}}
    found = KINDS["script"].run(given)
    assert KINDS["script"].differs(found, expect) is None
    assert KINDS["script"].differs(found, {"final": {"phase": "declaring"}}) is not None


def test_codes_come_in_their_order() -> None:
    state = dealt(RULES, ["TS", "", "", ""])
    assert code(RULES, state, 0, a="play", cards=[]) == "wrong_phase"
    assert code(RULES, state, 0, a="deal", n=0) == "bad_action"
    assert code(RULES, state, 0, a="deal", n=1) == "wrong_phase"
    assert code(RULES, state, -1, a="declare", cards="TS") == "not_your_turn"
    assert code(RULES, state, 0, a="declare", cards="1S") == "bad_action"
    assert code(RULES, RULES.start(), 0, a="next_deal", deck=["2S"]) == "bad_action"
    shuffled = RULES.chance(RULES.start(), Stream.of_seed(1))
    assert RULES.refuse(RULES.start(), 0, shuffled).code == "not_your_turn"  # type: ignore[union-attr]
    assert RULES.refuse(state, 0, Malformed("play", "cards")).code == "bad_action"  # type: ignore[union-attr]


def test_the_opening_deal_carries_who_draws_first() -> None:
    first = RULES.chance(RULES.start(), Stream.of_seed(4))
    assert isinstance(first, NextDeal)
    stream = Stream.of_seed(4)
    assert first.starter == stream.below(4)
    later = RULES.chance(RULES.start(Carry(2, ("3", "2"), 2)), Stream.of_seed(4))
    assert isinstance(later, NextDeal)
    assert later.starter is None
    assert "starter" not in msgspec.to_builtins(later)


def test_a_throw_that_fails_leads_the_least_beaten_part_and_says_no_more() -> None:
    hands = ["9H 8H 8H 4H 4H", "QH QH 2C 3C 4C", "3H 5C 6C 7C 8C", "JH 2D 3D 4D 5D"]
    state = playing(Options(), hands)
    step = RULES.apply(state, 0, ENTRY.act({"a": "play", "cards": hands[0].split()}))  # type: ignore[arg-type]
    failed = next(told.event for told in step.told if isinstance(told.event, ThrowFailed))
    assert (failed.forced, failed.returned) == (("4H", "4H"), ("9H", "8H", "8H"))
    assert all(told.to is None for told in step.told)
    view = RULES.observe(step.state, 1)
    assert view.trick is not None
    assert view.trick.attempt is not None
    assert view.open[0] == ("9H", "8H", "8H")
    assert "QH" not in str(view.trick)


def test_the_kitty_counts_as_often_as_the_last_lead_is_wide() -> None:
    # Worked in 6.1: 65 points, a pair ruffed, king and five in the kitty: 65 + 15 × 4.
    state = playing(Options(), ["3H 3H", "2S 2S", "4H 5D", "6H 7D"], kitty="KH 5C", points=65)
    for seat, cards in enumerate(("3H 3H", "2S 2S", "4H 5D", "6H 7D")):
        action = ENTRY.act({"a": "play", "cards": cards.split()})
        assert RULES.refuse(state, seat, action) is None
        step = RULES.apply(state, seat, action)  # type: ignore[arg-type]
        state = step.state
    shown = next(told.event for told in step.told if isinstance(told.event, KittyShown))
    assert (shown.points, shown.width, shown.multiplier, shown.bonus) == (15, 2, 4, 60)
    ended = next(told.event for told in step.told if isinstance(told.event, Ended))
    assert (ended.points, ended.side, ended.up, ended.next_dealer) == (130, "attackers", 1, 1)
    assert ended.scores == (-3, 3, -3, 3)


@pytest.mark.parametrize(
    ("level", "up", "dealer_side", "must_play", "expected"),
    [
        ("Q", 3, True, ["A"], ("A", False)),
        ("A", 1, True, ["A"], ("A", True)),
        ("A", 2, False, ["A"], ("A", False)),
        ("K", 2, False, [], ("A", True)),
        ("9", 3, True, ["5", "T", "K", "A"], ("T", False)),
        ("T", 1, False, ["5", "T", "K", "A"], ("T", False)),
        ("T", 3, True, ["5", "T", "K", "A"], ("K", False)),
    ],
)
def test_promotions_stop_on_what_must_be_played(
    level: str, up: int, dealer_side: bool, must_play: list[str], expected: tuple[str, bool]
) -> None:
    assert promoted(level, up, dealer_side=dealer_side, must_play=must_play) == expected


def test_a_match_is_a_fold_of_deals_until_a_side_passes_ace() -> None:
    rules = Shengji(Options(decks=1, start_level="J", qq_balances=(90, 90, 90, 90)))
    carry = ENTRY.carry(rules.options, 0)
    for seed in range(200):
        state = played_out(rules, rules.start(carry), seed)
        outcome = rules.outcome(state)
        assert outcome is not None
        assert sum(outcome.points) == 0
        view = rules.observe(state, None)
        assert view.result is not None
        if outcome.carry is None:
            assert view.phase == "match_over"
            assert "A" in view.result.levels
            return
        assert outcome.carry.dealer == view.result.next_dealer
        assert outcome.carry.balances == tuple(a + b for a, b in zip(state.balances or (), outcome.points, strict=True))
        carry = msgspec.convert(msgspec.to_builtins(outcome.carry), Carry)
        # The dealer draws first, and the level is that of the dealer's side.
        begun = rules.apply(rules.start(carry), -1, rules.chance(rules.start(carry), Stream.of_seed(seed))).state
        assert begun.reg[t.FIRST] == carry.dealer
        assert rules.observe(begun, 0).level == carry.levels[carry.dealer % 2]
    pytest.fail("the match does not end")


def test_a_declaration_is_told_with_its_name() -> None:
    state = act(RULES, dealt(RULES, ["TS TS", "", "", ""]), 0, a="declare", cards="TS")
    step = RULES.apply(state, 0, ENTRY.act({"a": "declare", "cards": ["TS", "TS"]}))  # type: ignore[arg-type]
    assert step.told[0].event == Declared(0, ("TS", "TS"), "S", "reinforce")


def led_to(rules: Shengji, luck: Stream, until: int) -> State:
    """A random deal, up to where whoever is on turn leads and has so many cards left."""
    state = rules.start()
    while True:
        seat = min(rules.turn(state).seats)
        view = rules.observe(state, max(seat, 0))
        if view.phase == "playing" and view.trick is None and max(view.counts) <= until:
            return state
        action = rules.chance(state, luck) if seat == NATURE else rules.sample(state, seat, luck)
        assert rules.refuse(state, seat, action) is None
        state = rules.apply(state, seat, action).state


@pytest.mark.parametrize("decks", [1, 2, 3])
def test_a_whole_deal_is_drawn_and_nothing_is_listed(decks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("burials", "leads", "follows"):
        monkeypatch.delattr(module, name)
    rules = Shengji(Options(decks=decks))  # type: ignore[arg-type]
    thrown = 0
    for seed in range(5):
        luck = Stream.of_seed(f"{decks} {seed}")
        state = rules.start()
        kitties: set[Action] = set()
        plays = 0
        while rules.outcome(state) is None:
            seat = min(rules.turn(state).seats)
            action = rules.chance(state, luck) if seat == NATURE else rules.sample(state, seat, luck)
            assert rules.refuse(state, seat, action) is None
            if isinstance(action, Bury):
                kitties = {rules.sample(state, seat, luck) for _ in range(50)}
                assert all(rules.refuse(state, seat, kitty) is None for kitty in kitties)
            plays += isinstance(action, Play)
            step = rules.apply(state, seat, action)
            thrown += any(type(told.event).__name__ == "ThrowFailed" for told in step.events)
            state = step.state
        assert len(kitties) > 45
        assert plays > 20
    assert thrown, "throws come up, and fail"


@pytest.mark.parametrize("decks", [pytest.param(1, marks=pytest.mark.slow), 2, pytest.param(3, marks=pytest.mark.slow)])
def test_every_lead_and_every_follow_can_be_drawn(decks: int) -> None:
    rules = Shengji(Options(decks=decks))  # type: ignore[arg-type]
    for seed in range(6):
        luck = Stream.of_seed(f"end {decks} {seed}")
        state = led_to(rules, luck, 5)
        for _ in range(4):
            seat = min(rules.turn(state).seats)
            listed = set(rules.legal(state, seat))
            drawn = {rules.sample(state, seat, luck) for _ in range(120 * len(listed))}
            assert drawn == listed
            state = rules.apply(state, seat, max(listed, key=lambda play: (len(play.cards), play.cards))).state  # type: ignore[union-attr]
            if rules.outcome(state) is not None:
                break
