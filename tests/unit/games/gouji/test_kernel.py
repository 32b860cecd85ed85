"""The kernel against the slow, obvious twin: every state of random deals, with every house rule."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.unit.games.gouji import twin

from qipai.core.kernel import buffer
from qipai.games.gouji.conform import facts
from qipai.games.gouji.kernel import sets
from qipai.games.gouji.notation import PACK, read_set, text_of
from qipai.games.gouji.options import Options
from qipai.games.gouji.rules import Gouji
from qipai.games.gouji.state import State

HIGH = "3569TJQKA22xxXX"


def dealt(random: Random, cards: int, ranks: str = HIGH) -> list[str]:
    return [twin.sort(random.choices(ranks, k=cards)) for _ in range(6)]


def compare(rules: Gouji, state: State, deal: twin.Deal) -> None:
    found = facts(rules, state)
    assert found["phase"] == deal.phase
    assert list(found["turn"]) == deal.turn
    assert found["top"] == deal.top
    assert found["restricted"] == deal.restricted
    assert set(found["passed"]) == deal.passed
    assert found["wind"] == deal.wind
    assert found["burners"] == sorted(deal.bound)
    assert list(found["out"]) == deal.out
    assert list(found["fell"]) == deal.fell
    assert found["tangle"] == deal.tangle
    assert found["counts"] == [len(hand) for hand in deal.hands]


def play(seed: int, hands: list[str], **options: Any) -> tuple[int, set[str]]:
    """Play a random deal in both, comparing all the way; return its length and what it saw."""
    random = Random(seed)
    rules = Gouji(Options(**options))
    leader = random.randrange(6)
    state, deal = rules.place(hands, leader), twin.Deal(hands, leader, **options)
    seen, steps = set(), 0
    while deal.phase != "over":
        compare(rules, state, deal)
        listed = list(rules.legal(state, deal.turn[0]))
        assert [text_of(action) for action in listed] == deal.legal()
        # Now and then out of order, as answers to the burn question may come.
        number = random.randrange(len(listed))
        seen |= {deal.phase, *(name for name in ("dead_answer", "suspended", "tangle") if getattr(deal, name))}
        if deal.fell:
            seen.add("fell")
        if deal.wind is not None:
            seen.add("wind")
        state = rules.apply(state, deal.turn[0], listed[number]).state
        deal.act(text_of(listed[number]))
        steps += 1
    outcome = rules.outcome(state)
    assert outcome is not None
    assert state.order == tuple(deal.order or ())
    assert list(outcome.points) == deal.scores
    return steps, seen


@pytest.mark.slow
def test_short_deals_agree_in_every_state() -> None:
    seen: set[str] = set()
    for seed in range(150):
        random = Random(seed)
        options = {name: random.random() < 0.4 for name in ("burn_own_side", "end_when_decided", "keep_three")}
        _, found = play(seed, dealt(random, 3 + seed % 7), **options)
        seen |= found
    assert seen >= {
        "lead",
        "answer",
        "close",
        "burn",
        "burn_play",
        "fell",
        "wind",
        "tangle",
        "suspended",
        "dead_answer",
    }


def test_whole_deals_agree_in_every_state() -> None:
    random = Random(7)
    deck = [name for name, n in zip(PACK.names, PACK.copies, strict=True) for _ in range(n)]
    random.shuffle(deck)
    steps, _ = play(7, [twin.sort(deck[seat::6]) for seat in range(6)])
    assert steps > 150


@pytest.mark.parametrize("seed", range(40))
def test_what_beats_what_and_what_is_gouji(seed: int) -> None:
    random = Random(seed)
    listed = [twin.all_sets(hand) for hand in dealt(random, 7)]
    for one in listed[0]:
        assert bool(sets.is_gouji(read_set(one))) == twin.gouji(one), one
        for other in listed[1]:
            assert bool(sets.hung.beats(read_set(one), read_set(other))) == twin.beats(one, other), (one, other)  # type: ignore[attr-defined]


@pytest.mark.parametrize("duty", [False, True])
def test_who_is_able_to_burn_has_a_first_set_that_keeps_the_condition(duty: bool) -> None:
    answers = 0
    for seed in range(400):
        random = Random(seed)
        hand, other = dealt(random, 1 + seed % 8)[:2]
        counts = PACK.read(hand)
        for top in twin.all_sets(other)[-12:]:
            first = [
                one for one in twin.all_sets(hand) if twin.beats(one, top) and twin.carries(twin.without(hand, one))
            ]
            if duty:
                first = [one for one in first if "x" in one or "X" in one or one == hand]
            assert bool(sets.able(counts, 0, read_set(top), duty)) == bool(first), (hand, top)
            out = buffer(2000)
            n = sets.all_answers(counts, 0, read_set(top), duty, out)
            kept = [out[i] for i in range(n) if sets.keeps(counts, 0, out[i])]
            assert [read_set(one) for one in first] == kept
            answers += len(first)
    assert answers > 100


@pytest.mark.parametrize(
    ("hand", "splits"),
    [("", True), ("5", True), ("55222", True), ("57", False), ("57x", True), ("579xX", True), ("579A2xX", False)],
)
def test_the_condition_is_a_split_into_sets_with_a_joker_but_for_the_last(hand: str, splits: bool) -> None:
    assert bool(sets.holds(PACK.read(hand), 0)) == splits == split(hand)


def split(hand: str) -> bool:
    """Whether some first set with a joker leaves a rest that splits, or the whole is one set: by trying."""
    if not hand or twin.is_set(hand):
        return True
    tried = [one for one in twin.all_sets(hand) if "x" in one or "X" in one]
    return any(split(twin.without(hand, one)) for one in tried)


def test_the_count_of_points_and_jokers_is_that_split() -> None:
    for seed in range(60):
        hand = dealt(Random(seed), seed % 7)[0]
        assert bool(sets.holds(PACK.read(hand), 0)) == split(hand), hand
