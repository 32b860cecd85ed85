"""The contract over the kernel: refusals in their order with their facts, what is told, the even pause, luck, ends."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from qipai.core.contract import NATURE, Malformed, Refusal, play
from qipai.core.rng import Stream
from qipai.games.gouji import ENTRY
from qipai.games.gouji.options import Options
from qipai.games.gouji.rules import Gouji, next_leader
from qipai.games.gouji.state import Burn, Carry, Close, Deal, Leave, NoBurn, Pass, Play, Return, State, View, Wind

RULES = Gouji()
PLAIN = ["3478", "99x", "TT", "66", "77", "88"]


def refusal(state: State, seat: int, raw: Any, rules: Gouji = RULES) -> tuple[str, dict[str, Any]] | None:
    found = rules.refuse(state, seat, ENTRY.act(raw))
    return (found.code, dict(found.facts)) if found else None


def after(state: State, *moves: tuple[int, Any], rules: Gouji = RULES) -> State:
    for seat, action in moves:
        state = play(rules, state, seat, action).state
    return state


def told(state: State, seat: int, action: Any, rules: Gouji = RULES) -> list[dict[str, Any]]:
    step = play(rules, state, seat, action)
    assert all(each.to is None for each in step.told)
    return [msgspec.to_builtins(each.event) for each in step.events]


# refusals


def test_refusals_come_in_the_order_of_the_spec() -> None:
    state = RULES.place(PLAIN, 0)
    assert refusal(state, 7, {"a": "dance"}) == ("bad_seat", {"seat": 7})
    assert refusal(state, 1, {"a": "dance"}) == ("not_your_turn", {"seats": [0]})
    assert refusal(state, 0, {"a": "dance"}) == ("unknown_action", {"action": "dance"})
    assert refusal(state, 0, {"a": "pass"}) == ("wrong_window", {"action": "pass", "phase": "lead"})
    gone = after(RULES.place(["3", "44", "55", "66", "77", "88"], 0), (0, Play("3")))
    assert refusal(gone, 0, {"a": "dance"}) == ("not_in_play", {})


@pytest.mark.parametrize("raw", [None, 5, [], "play", {}, {"a": 5}, {"a": None}, {"a": "deal"}, {"a": "leave"}])
def test_what_is_no_action_is_an_unknown_one(raw: Any) -> None:
    found = refusal(RULES.place(PLAIN, 0), 0, raw)
    assert found is not None
    assert found[0] == "unknown_action"


@pytest.mark.parametrize("cards", ["", "34", "3S", "1", None, 5, ["3"], "3" * 70, "x" * 500])
def test_what_is_no_set_is_not_a_set(cards: Any) -> None:
    found = refusal(RULES.place(PLAIN, 0), 0, {"a": "play", "cards": cards})
    assert found is not None
    assert found[0] in ("not_a_set", "cards_not_held")
    assert refusal(RULES.place(PLAIN, 0), 0, {"a": "play"}) == ("not_a_set", {"cards": ""})


def test_facts_fill_the_sentences() -> None:
    state = RULES.place(["334455", "66777", "888", "99", "TT", "JJ"], 0)
    assert refusal(state, 0, {"a": "play", "cards": "3388"}) == ("not_a_set", {"cards": "3388"})
    assert refusal(state, 0, {"a": "play", "cards": "333"}) == ("cards_not_held", {"cards": "3"})
    led = after(state, (0, Play("44")))
    assert refusal(led, 1, {"a": "play", "cards": "777"}) == ("wrong_count", {"need": 2, "got": 3})
    high = after(led, (1, Play("77")), (2, Play("88")))
    assert refusal(high, 3, {"a": "wind"}) == ("no_wind", {})
    assert refusal(after(high, (3, Play("99"))), 4, {"a": "play", "cards": "T"})[0] == "wrong_count"  # type: ignore[index]


def test_higher_names_what_lies_there() -> None:
    state = after(RULES.place(["33", "44", "55", "66", "77", "88"], 2), (2, Play("5")))
    assert refusal(state, 3, {"a": "play", "cards": "6"}) is None
    state = after(RULES.place(["33", "48", "59", "36", "77", "88"], 2), (2, Play("9")))
    assert refusal(state, 3, {"a": "play", "cards": "6"}) == ("not_higher", {"top": "9", "owner": 2})


def test_a_restricted_set_names_who_may_answer_whether_or_not_somebody_is_asked_to_burn() -> None:
    quiet = after(RULES.place(["34KK", "4455", "3456", "88QQ", "6677", "3344"], 0), (0, Play("KK")))
    asked = after(RULES.place(["34KK", "59AAx", "3456", "88QQ", "6677", "3344"], 0), (0, Play("KK")))
    assert RULES.turn(quiet).ask == "close"
    assert RULES.turn(asked).ask == "burn"
    for state in (quiet, asked):
        for seat in (2, 4, 5):
            assert refusal(state, seat, {"a": "pass"}) == ("not_your_turn", {"seats": [3], "case": "restricted"})


def test_a_burner_is_named_once_he_is_known() -> None:
    state = RULES.place(["34KK", "59AAx", "3456", "88QQ", "6677", "3344"], 0)
    state = after(state, (0, Play("KK")), (1, Burn()))
    assert refusal(state, 3, {"a": "close"}) == ("not_your_turn", {"seats": [1], "case": "burn_play"})
    state = after(state, (1, Play("AA")), (4, Close()))
    assert refusal(state, 1, {"a": "play", "cards": "5"}) == ("burner_needs_joker", {"victim": 0})


def test_returns_are_refused_in_their_order() -> None:
    rules = Gouji(Options(tribute="on"))
    state = rules.place(["3478", "67xX", "889T", "9TQ2", "JJQ2", "KKAxx"], 3, previous=[0, 1, 2, 3, 4, 5])
    assert refusal(state, 0, {"a": "return"}, rules) == ("wrong_count", {"need": 2, "got": 0})
    assert refusal(state, 0, {"a": "return", "cards": 34}, rules) == ("wrong_count", {"need": 2, "got": 0})
    assert refusal(state, 0, {"a": "return", "cards": "3?"}, rules) == ("cards_not_held", {"cards": "?"})
    assert refusal(state, 0, {"a": "return", "cards": "3x"}, rules) == ("bad_return", {})
    assert refusal(state, 0, {"a": "return", "cards": "73"}, rules) is None


def test_a_deal_must_be_the_whole_deck() -> None:
    start = RULES.start()
    hands = RULES.chance(start, Stream.of_seed(1)).hands  # type: ignore[union-attr]
    assert RULES.refuse(start, NATURE, Deal(hands)) is None
    for wrong in (hands[:5], (*hands[:5], hands[5][1:]), (*hands[:5], "3" * 36), (*hands[:5], "?" * 36)):
        assert RULES.refuse(start, NATURE, Deal(wrong)) is not None
    assert refusal(start, 0, {"a": "pass"}) == ("not_your_turn", {"seats": []})
    dealt = RULES.apply(start, NATURE, Deal(hands)).state
    assert isinstance(RULES.refuse(dealt, NATURE, Deal(hands)), Refusal)
    assert isinstance(RULES.refuse(dealt, NATURE, Malformed("deal", "hands")), Refusal)


# the even pause


@pytest.mark.parametrize("second", ["59AAx", "4455"])
def test_the_pause_after_a_restricted_set_is_the_same_whether_or_not_anybody_can_burn(second: str) -> None:
    rules = Gouji(Options(burn_seconds=7))
    state = rules.place(["34KK", second, "3456", "88QQ", "6677", "3344"], 0)
    step = rules.apply(state, 0, Play("KK"))
    assert step.conceal_ms == 7000
    assert rules.apply(state, 0, Play("3")).conceal_ms == 0
    assert [type(each.event).__name__ for each in step.events] == ["Played"]
    for seat in (None, 0, 2, 3, 4, 5):
        view = ENTRY.conceal(rules.observe(step.state, seat))
        assert (view.phase, view.turn, view.answerers) == ("burn_wait", (), (3,))


def test_hushed_views_do_not_tell_how_the_question_went() -> None:
    state = RULES.place(["34KK", "59AAx", "922x", "88QQ", "6677", "3344"], 0)
    asked = after(state, (0, Play("KK")))
    ways = [
        after(asked, (1, NoBurn())),
        after(asked, (2, NoBurn())),
        after(asked, (1, NoBurn()), (2, NoBurn())),
        after(asked, (1, Burn())),
        after(asked, (2, Burn())),
    ]
    for seat in (None, 0, 3, 4, 5):
        views = {msgspec.json.encode(ENTRY.conceal(RULES.observe(way, seat))) for way in (asked, *ways)}
        assert len(views) == 1


def test_a_trick_that_ends_with_a_killing_answer_looks_open_until_the_pause_is_over() -> None:
    state = RULES.place(["KK", "3499", "7788", "5KKAA", "4455", "3366"], 0)
    killed = RULES.apply(after(state, (0, Play("KK"))), 3, Play("AA"))
    assert killed.conceal_ms == 4000
    assert [msgspec.to_builtins(each.event)["e"] for each in killed.told] == ["played"]
    assert [msgspec.to_builtins(each.event)["e"] for each in killed.later] == ["taken"]
    assert RULES.turn(killed.state).ask == "lead"
    burnable = RULES.place(["KK", "3499", "7788", "5KKAA", "4455", "22xx"], 0)
    asked = after(burnable, (0, Play("KK")), (5, NoBurn()), (3, Play("AA")))
    assert RULES.turn(asked).ask == "burn"
    for state in (killed.state, asked):
        for seat in (None, 0, 1, 2, 3, 4):
            view = ENTRY.conceal(RULES.observe(state, seat))
            assert (view.phase, view.turn, view.top, view.owner) == ("burn_wait", (), "AA", 3)
            assert (view.dead_answer, view.trick_no, len(view.trick)) == (True, 1, 2)
    # When somebody was asked the same follows from the answer.
    events = told(asked, 5, NoBurn())
    assert events == [msgspec.to_builtins(each.event) for each in killed.later]
    assert events == [{"e": "taken", "seat": 3, "leader": 3, "wind": False}]
    answered = after(asked, (5, NoBurn()))
    for seat in (None, 0, 1, 2, 3, 4):
        assert RULES.observe(answered, seat) == RULES.observe(killed.state, seat), "nothing shows when it is over"


# what is told


def test_a_whole_deal_is_told() -> None:
    state = RULES.place(["KK", "59AAx", "6922x", "88QQ", "4455", "33"], 0)
    assert [event["e"] for event in told(state, 0, Play("KK"))] == ["played", "went_out"]
    state = after(state, (0, Play("KK")))
    assert told(state, 1, NoBurn()) == []
    state = after(state, (1, NoBurn()))
    assert told(state, 2, Burn()) == [{"e": "burning", "seat": 2, "victim": 0}]
    state = after(state, (2, Burn()))
    assert told(state, 2, Play("2x")) == [
        {"e": "played", "seat": 2, "cards": "2x", "over": "KK", "gouji": True, "only": 5, "burns": 0, "kills": False}
    ]
    state = after(state, (2, Play("2x")), (3, Pass()))
    events = told(state, 5, Close())
    assert [event["e"] for event in events] == ["closed", "taken", "fell"]
    assert events[2] == {"e": "fell", "seat": 2, "place": 6, "cards": "692"}


def test_the_wind_and_the_tangle_are_told() -> None:
    state = after(RULES.place(["7", "8", "99", "TT", "JJ", "QQ"], 0), (0, Play("7")))
    assert told(state, 1, Wind()) == [{"e": "winded", "seat": 1}]
    events = told(state, 1, Play("8"))
    assert [event["e"] for event in events] == ["played", "went_out", "tangled"]
    state = after(state, (1, Pass()), (2, Pass()), (3, Pass()), (4, Pass()), (5, Wind()))
    assert told(state, 3, Close()) == [
        {"e": "closed", "seat": 3},
        {"e": "taken", "seat": 0, "leader": 5, "wind": True},
    ]


def test_tribute_is_told_with_the_deal() -> None:
    rules = Gouji(Options(tribute="on", tribute_resist=1))
    start = rules.start(Carry(2, 1, (0, 1, 2, 3, 4, 5)))
    hands = ["3" * 16 + "4" * 16 + "5555", "5" * 12 + "6" * 16 + "7" * 8, "7" * 8 + "8" * 16 + "9" * 12]
    hands += ["9999" + "T" * 16 + "J" * 16, "Q" * 16 + "K" * 16 + "222A", "A" * 15 + "2" * 13 + "xxxxXXXX"]
    events = told(start, NATURE, Deal(tuple(hands)), rules)
    assert events == [
        {"e": "dealt", "deal": 2, "leader": 1},
        {"e": "paid", "seat": 4, "to": 1, "cards": "2"},
        {"e": "resisted", "seat": 5},
    ]
    state = rules.apply(start, NATURE, Deal(tuple(hands))).state
    assert told(state, 1, Return("5"), rules) == [{"e": "returned", "seat": 1, "to": 4, "cards": "5"}]


# ends


def test_leaving_voids_the_deal_and_charges_the_leaver_alone() -> None:
    state = RULES.place(PLAIN, 0)
    assert refusal(state, NATURE, {"a": "leave", "seat": 6}) == ("bad_seat", {"seat": 6})
    step = RULES.apply(state, NATURE, Leave(4))
    outcome = RULES.outcome(step.state)
    assert outcome is not None
    assert outcome.points == (0, 0, 0, 0, -12, 0)
    assert outcome.places == (1, 1, 1, 1, 1, 1)
    assert outcome.why == "left"
    assert outcome.carry == Carry(2, 1, None)
    assert [msgspec.to_builtins(each.event)["e"] for each in step.events] == ["left", "ended"]
    assert refusal(step.state, 1, {"a": "pass"}) == ("deal_over", {})
    early = RULES.apply(RULES.start(), NATURE, Leave(2)).state
    assert RULES.outcome(early) is not None


def test_the_result_decides_the_tribute_of_the_next_deal_unless_a_table_has_none() -> None:
    previous = (0, 1, 2, 3, 4, 5)
    hands = ("3456x", "3467", "3578", "4689", "569X", "567XX")
    paid = [(each.giver, each.to, each.cards) for each in observed(Gouji(), hands, previous).payments]
    assert paid == [(5, 0, "XX"), (4, 1, "X")]
    assert observed(Gouji(Options(tribute="off")), hands, previous).payments == ()


def observed(rules: Gouji, hands: tuple[str, ...], previous: tuple[int, ...]) -> View:
    return rules.observe(rules.place(list(hands), 0, previous=list(previous)), None)


def test_a_match_goes_on_for_ever_with_the_next_leader_and_the_order() -> None:
    rules, rng = Gouji(), Stream.of_seed(5)
    carry = ENTRY.carry(rules.options, 4)
    for deal in range(1, 4):
        assert (carry.deal, carry.leader) == (deal, next_leader(deal, 4))
        state = rules.start(carry)
        state = rules.apply(state, NATURE, rules.chance(state, rng)).state
        while (outcome := rules.outcome(state)) is None:
            seat = min(rules.turn(state).seats)
            state = rules.apply(state, seat, rules.idle(state, seat)).state
        assert sum(outcome.points) == 0
        assert sorted(outcome.places) == [1, 2, 3, 4, 5, 6]
        carry = outcome.carry
        assert [outcome.places[seat] for seat in carry.previous] == [1, 2, 3, 4, 5, 6]


def test_a_carry_may_come_as_json() -> None:
    assert RULES.start({"deal": 3, "leader": 2, "previous": [0, 1, 2, 3, 4, 5]}) == RULES.start(
        Carry(3, 2, (0, 1, 2, 3, 4, 5))
    )
    assert RULES.start() == RULES.start(Carry(1, 0))
    assert Gouji(Options(first_seated=4)).start().leader == 4


# the entry


def test_what_the_house_asks_of_the_entry() -> None:
    clock = {"type": "move", "s": 30, "asks": {"burn": 6}, "bank": 30}
    assert ENTRY.clock(Options(turn_seconds=30, burn_seconds=6)) == clock
    assert ENTRY.sides(6) == (0, 1, 0, 1, 0, 1)
    state = RULES.place(["3", "44", "55", "66", "77", "88"], 0)
    assert ENTRY.leaving.substitute(Options())
    assert ENTRY.leaving.price(RULES.observe(state, 0)) == -12
    assert not ENTRY.leaving.done(RULES.observe(state, 0), 0)
    assert ENTRY.leaving.done(RULES.observe(after(state, (0, Play("3"))), 0), 0)
    assert ENTRY.leaving.gone is not None
    assert ENTRY.leaving.gone(3) == Leave(3)


def test_the_deal_and_the_answers_to_the_burn_question_stay_secret() -> None:
    state = RULES.place(PLAIN, 0)
    assert ENTRY.secret(state, NATURE, Deal(("",) * 6))
    assert ENTRY.secret(state, 1, Burn())
    assert ENTRY.secret(state, 1, NoBurn())
    for action in (Play("3"), Pass(), Close(), Wind(), Return("3"), Leave(0)):
        assert not ENTRY.secret(state, 0, action)


def test_options_are_checked() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"burn_seconds": 0}, Options)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"tribute": "maybe"}, Options)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"house_open": True}, Options)


# answers given beforehand


def test_never_burn_declines_a_burn_and_answers_nothing_else() -> None:
    never_burn = ENTRY.standing["never_burn"]
    state = RULES.place(["KK", "3499", "7788", "5KKAA", "4455", "22xx"], 0)
    assert never_burn(RULES, state, 0) is None
    state = after(state, (0, Play("KK")))
    assert RULES.turn(state).ask == "burn"
    assert {never_burn(RULES, state, seat) for seat in RULES.turn(state).seats} == {NoBurn()}
