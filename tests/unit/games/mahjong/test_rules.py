"""The contract over the kernel: refusals that move nothing, windows and their secret, what is told, ledgers, ends."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from qipai.core.contract import NATURE, Malformed, play
from qipai.core.rng import Stream
from qipai.games.mahjong import ENTRY
from qipai.games.mahjong.conform import KINDS, Play
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.rules import Mahjong
from qipai.games.mahjong.selfplay import ruled
from qipai.games.mahjong.state import Action, Discard, Hu, Pass, State

CLAIMED = {
    "hands": ["14579m24578p1369s", "23568m1369p1479s", "55m124689p13579s", "13469m1479p2578s"],
    "wall": "3s6s9s2s5s8s",
    "drawn": "5m",
}


def placed(given: dict[str, Any]) -> tuple[Mahjong, State]:
    case = Play(given)
    return case.rules, case.state


def refused(rules: Mahjong, state: State, seat: int, raw: Any) -> str | None:
    found = rules.refuse(state, seat, ENTRY.act(raw))
    return found.code if found else None


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        "hu",
        {},
        {"a": "chow"},
        {"a": "discard"},
        {"a": "discard", "t": "0m"},
        {"a": "discard", "t": "5m", "call": "shout"},
        {"a": "discard", "t": "5m", "x": 1},
        {"a": "kong", "t": "5z"},
        {"a": "void", "suit": "z"},
        {"a": "horse", "i": 6},
        {"a": "horse", "i": -1},
        {"a": "deal", "wall": ""},
        {"a": "die", "d": 3},
        {"a": "swap", "t": ["1m", "1m", "1z"]},
    ],
)
def test_what_is_no_action_is_a_bad_one(raw: Any) -> None:
    rules, state = placed(CLAIMED)
    assert refused(rules, state, 0, raw) == "bad_action"
    assert refused(rules, state, 1, raw) == "bad_action"


def test_two_answers_late_answers_and_claims_on_ones_own_discard_are_refused() -> None:
    rules, state = placed(CLAIMED)
    state = rules.apply(state, 0, Discard("5m")).state
    assert refused(rules, state, 0, {"a": "pong"}) == "not_your_turn"
    assert refused(rules, state, 4, {"a": "pass"}) == "not_your_turn"
    assert refused(rules, state, 1, {"a": "pass"}) == "not_your_turn"
    state = rules.apply(state, 2, Pass()).state
    assert refused(rules, state, 2, {"a": "pong"}) == "not_your_turn", "the window is over"
    two = {**CLAIMED, "hands": [CLAIMED["hands"][0], "1346m12345678999p", *CLAIMED["hands"][2:]]}
    rules, state = placed(
        {**two, "hands": [two["hands"][0], "46m12345678999p", "55m124689p13579s", "13469m1479p2578s"]}
    )
    state = rules.apply(state, 0, Discard("5m")).state
    state = rules.apply(state, 2, Pass()).state
    assert refused(rules, state, 2, {"a": "pong"}) == "already_answered"
    assert rules.turn(state).seats == {1}


def test_luck_is_checked_as_well() -> None:
    rules = Mahjong()
    state = rules.start()
    assert refused(rules, state, NATURE, {"a": "deal", "wall": "1m"}) == "wrong_phase"
    assert refused(rules, state, NATURE, {"a": "dice", "d": [0, 7]}) == "bad_action"
    assert refused(rules, state, 0, {"a": "pass"}) == "wrong_phase"
    state = rules.apply(state, NATURE, ENTRY.act({"a": "dice", "d": [4, 1]})).state  # type: ignore[arg-type]
    assert refused(rules, state, NATURE, {"a": "deal", "wall": "1m"}) == "bad_action"
    assert rules.observe(state, 2).dealer == 0
    state = rules.apply(state, NATURE, rules.chance(state, Stream.of_seed(1))).state
    assert refused(rules, state, NATURE, Malformed("x")) == "bad_action"
    assert [len(list(rules.legal(state, seat))) > 0 for seat in range(4)] == [True, False, False, False]


def test_a_dealer_who_is_known_is_not_thrown_for() -> None:
    rules = Mahjong()
    state = rules.start({"deal": 3, "dealer": 2})
    assert rules.turn(state).ask == "deal"
    assert (rules.observe(state, None).deal, rules.observe(state, None).dealer) == (3, 2)


# the even pause


def test_after_every_discard_and_added_kong_there_is_the_same_pause() -> None:
    rules, state = placed(CLAIMED)
    asked = rules.apply(state, 0, Discard("5m"))
    silent = rules.apply(state, 0, Discard("1m"))
    assert asked.conceal_ms == silent.conceal_ms == 8000
    assert rules.turn(asked.state).ask == "claim"
    assert rules.turn(silent.state).ask == "turn"
    assert [msgspec.to_builtins(told.event)["e"] for told in silent.told] == ["discarded"]
    assert [msgspec.to_builtins(told.event)["e"] for told in silent.later] == ["drew"], "the draw is told later"
    assert [msgspec.to_builtins(told.event)["e"] for told in rules.apply(asked.state, 2, Pass()).told] == ["drew"]
    given = {**CLAIMED, "hands": ["7m2468p13579s4m", *CLAIMED["hands"][1:]], "drawn": "7m"}
    given["melds"] = [[{"k": "pong", "t": "7m"}], [], [], []]  # type: ignore[list-item]
    rules, state = placed(given)
    assert rules.apply(state, 0, ENTRY.act({"a": "kong", "t": "7m"})).conceal_ms == 8000  # type: ignore[arg-type]


def test_who_is_not_asked_sees_the_same_whether_or_not_somebody_is() -> None:
    hands = CLAIMED["hands"]
    rules, asked = placed(CLAIMED)
    other = Play({**CLAIMED, "hands": [hands[0], hands[1], "25m124689p13579s", hands[3]]})
    after = [rules.apply(state, 0, Discard("5m")).state for state in (asked, other.state)]
    for seat in (None, 0, 1, 3):
        views = [ENTRY.conceal(rules.observe(state, seat)) for state in after]
        assert views[0] == views[1]
        assert (views[0].phase, views[0].turn) == ("wait", ())
        dreams = [rules.imagine(view, Stream.of_seed(1)) for view in views]
        for raw in ({"a": "hu"}, {"a": "pong"}, {"a": "kong", "t": "5m"}, {"a": "pass"}, {"a": "discard", "t": "1m"}):
            assert [refused(rules, dream, seat or 0, raw) for dream in dreams] == ["not_your_turn"] * 2
    passed = rules.apply(after[0], 2, Pass()).state
    assert ENTRY.conceal(rules.observe(passed, 1)) == ENTRY.conceal(rules.observe(after[1], 1))


# whole hands


def deal(rules: Mahjong, seed: int, bench: tuple[int, ...] = ()) -> tuple[State, list[dict[str, Any]]]:
    """A random hand to its end, and all that was told."""
    luck = Stream.of_seed(seed)
    state, told = rules.start(None, bench), []
    while rules.outcome(state) is None:
        turn = rules.turn(state)
        seat = sorted(turn.seats)[luck.below(len(turn.seats))]
        if seat == NATURE:
            action: Action = rules.chance(state, luck)
        else:
            listed = list(rules.legal(state, seat))
            action = Hu() if Hu() in listed else listed[luck.below(len(listed))]
        step = play(rules, state, seat, action)
        told += [msgspec.to_builtins(each.event) for each in step.events]
        state = step.state
    return state, told


@pytest.mark.parametrize("seed", range(60))
def test_every_ledger_sums_to_zero_and_every_payment_is_told(seed: int) -> None:
    bench = tuple(range(4, 4 + seed % 5))
    rules = Mahjong(ruled(seed * 7919 + 1))
    state, told = deal(rules, seed, bench)
    outcome = rules.outcome(state)
    assert outcome is not None
    assert len(outcome.points) == len(outcome.places) == 4 + len(bench)
    assert sum(outcome.points) == 0
    view = rules.observe(state, None)
    assert sum(view.ledger) == 0
    assert view.full == outcome.points
    paid = [each for each in told if each["e"] == "paid"]
    assert len(paid) == len(view.payments)
    net = [0] * 4
    for each in paid:
        net[each["payer"]] -= each["amount"]
        net[each["payee"]] += each["amount"]
    assert tuple(net) == view.ledger
    assert told[-1] == {"e": "ended", "end": view.end, "ledger": outcome.points}
    assert sum(each["e"] == "discarded" for each in told) == sum(map(len, view.rivers))
    assert outcome.carry.deal == 2


def test_horses_take_the_fate_of_their_seats() -> None:
    rules = Mahjong()
    for seed in range(40):
        state, _ = deal(rules, seed, (4, 6))
        view = rules.observe(state, 6)
        assert view.hand is None
        taken = {horse.owner: horse.seat for horse in view.horses}
        full = dict(zip((0, 1, 2, 3, 4, 6), view.full, strict=True))
        if len(taken) == 1:
            ((owner, seat),) = taken.items()
            assert full[owner] == view.ledger[seat]
            return
    raise AssertionError("no hand with one horse")


def test_who_leaves_early_owes_the_hands_of_the_agreed_rounds() -> None:
    rules = Mahjong(Options(min_rounds=2, base=3))
    view = rules.observe(rules.start({"deal": 3, "dealer": 0}), 1)
    assert (view.owed, view.fine) == (6, 6 * 16 * 3)
    assert rules.observe(rules.start({"deal": 9, "dealer": 0}), 1).fine == 0


def test_the_threes_of_an_exchange_are_compared_with_what_a_case_lists() -> None:
    wall = "".join(f"{rank * 4}{suit}" for suit in "mps" for rank in "123456789")
    threes = {"0": "111 115 119 155 159 199 555 559 599 999m", "1": "222 226 266 666m 111 114p"}
    threes |= {"2": "333 337 377 777m 222 224p", "3": "444 448 488 888m 333 334p"}
    listed: dict[str, list[dict[str, Any]]] = {}
    for seat, text in threes.items():
        suits = re.findall(r"([\d ]+)([mps])", text)
        listed[seat] = [{"a": "swap", "t": [r + s for r in three]} for run, s in suits for three in run.split()]
    found = KINDS["legal"].run({"deal": True, "wall": wall, "dealer": 0, "options": {"exchange": "three"}})
    assert KINDS["legal"].differs(found, {"legal": listed}) is None
    listed["3"].pop()
    assert KINDS["legal"].differs(found, {"legal": listed})


def test_a_position_may_leave_out_what_a_winner_holds() -> None:
    given: dict[str, Any] = {
        "hands": ["7m13579m2468p1357s", "2468m13579p2468s", None, "2468m13579p2468s"],
        "wall": "3s6s",
        "drawn": "7m",
    }
    given |= {"won": [2], "options": {"void_rule": "declare"}, "voids": ["s", "s", None, "s"]}
    found = KINDS["script"].run({**given, "actions": [[0, {"a": "discard", "t": "1s"}]]})
    assert KINDS["script"].differs(found, {"turn": 1, "hand": {"2": ""}}) is None


def test_a_state_is_small() -> None:
    state, _ = deal(Mahjong(), 1)
    assert len(state.cells) == t.STATE
    assert len(msgspec.json.encode(state)) < 8_000


# answers given beforehand


def test_only_win_passes_what_cannot_be_won_and_nothing_else() -> None:
    only_win = ENTRY.standing["only_win"]
    rules, state = placed(
        {**CLAIMED, "hands": [CLAIMED["hands"][0], "46m12345678999p", "55m124689p13579s", "13469m1479p2578s"]}
    )
    assert only_win(rules, state, 0) is None, "on turn"
    state = rules.apply(state, 0, Discard("5m")).state
    assert rules.turn(state).seats == {1, 2}
    assert only_win(rules, state, 1) is None, "it can win"
    assert only_win(rules, state, 2) == Pass()


def test_the_four_modes_are_what_one_chooses() -> None:
    from qipai import lang

    modes = {None: Options().mode, **{name: fixed["mode"] for name, fixed in ENTRY.form.variants.items()}}  # type: ignore[misc]
    assert modes == {None: "bloody_rain", "standard": "standard", "rain": "rain", "bloody": "bloody"}
    names = {"usual": "血战下雨", "standard": "标准打法", "rain": "标准下雨", "bloody": "标准血战"}
    words = lang.of_game("mahjong", "zh-CN")
    assert {name: words[f"variant.{name}"] for name in names} == names
    for name in ENTRY.form.variants:  # each has a chapter of its own, by its name, to which 另见 leads
        assert words[f"rules.{name}.title"] == names[name]
