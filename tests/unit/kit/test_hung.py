"""Sets with hung jokers against slow, obvious twins: every sub-multiset of a hand, compared card by card."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.core.kernel import buffer
from qipai.kit import hung

# Counts as the kernels take them: four plain ranks, then wild cards, small jokers, big jokers.
RANKS = 4
HANDS = st.tuples(*([st.integers(0, 3)] * RANKS), st.integers(0, 3), st.integers(0, 3), st.integers(0, 2))
Counts = tuple[int, ...]


def all_sets(hand: Counts, wild_is_plain: bool = True) -> list[Counts]:
    """Every way to take cards of at most one plain rank, with any wild cards and jokers: counts by card."""
    found = set()
    for taken in product(*(range(n + 1) for n in hand)):
        if sum(taken) and sum(1 for n in taken[:RANKS] if n) <= 1:
            found.add(taken)
    return sorted(found, key=lambda taken: (sum(taken), cards(taken)))


def cards(taken: Counts) -> list[int]:
    """The ascending list of cards."""
    return [card for card, n in enumerate(taken) for _ in range(n)]


def strength(taken: Counts) -> list[int]:
    """The cards as they compare: wild ones count as the plain rank beside them; sorted descending."""
    plain = [card for card, n in enumerate(taken[:RANKS]) if n]
    return sorted((plain[0] if plain and card == RANKS else card for card in cards(taken)), reverse=True)


def obviously_beats(taken: Counts, over: Counts) -> bool:
    mine, theirs = strength(taken), strength(over)
    return len(mine) == len(theirs) and all(a > b for a, b in zip(mine, theirs, strict=True))


def pack(taken: Counts) -> int:
    base = cards(taken)[0]
    return hung.packed(base, taken[base] if base < RANKS else 0, *taken[RANKS:])


def unpack(play: int) -> Counts:
    taken = [0] * RANKS + [hung.wilds(play), hung.smalls(play), hung.bigs(play)]
    if hung.base(play) < RANKS:
        taken[hung.base(play)] = hung.plain(play)
    return tuple(taken)


@given(HANDS, st.booleans(), st.booleans())
def test_leads_are_all_sets_in_canonical_order(hand: Counts, kept: bool, duty: bool) -> None:
    wanted = []
    for taken in all_sets(hand):
        rest = [have - n for have, n in zip(hand, taken, strict=True)]
        if kept and taken[0] and any(rest[1:]):
            continue
        if duty and not taken[RANKS + 1] + taken[RANKS + 2] and any(rest):
            continue
        wanted.append(taken)
    out = buffer(5000)
    n = hung.leads(hand, 0, RANKS, hand[4], hand[5], hand[6], kept, duty, out)
    assert [unpack(out[i]) for i in range(n)] == wanted


@given(HANDS, HANDS, st.integers(0, 10_000))
def test_answers_are_all_sets_that_beat_the_top_card_by_card(hand: Counts, other: Counts, pick: int) -> None:
    tops = all_sets(other)
    if not tops:
        return
    top = tops[pick % len(tops)]
    packed = pack(top)
    out = buffer(5000)
    n = 0
    if not hung.bigs(packed):
        need = hung.smalls(packed)
        n = hung.fill(
            hand, 0, RANKS, hand[4], hand[5], hand[6], hung.size(packed), hung.base(packed) + 1, need, need, out, 0
        )
    assert [unpack(out[i]) for i in range(n)] == [taken for taken in all_sets(hand) if obviously_beats(taken, top)]


@pytest.mark.slow
@given(HANDS, HANDS)
def test_the_closed_form_of_beating_is_the_comparison_card_by_card(one: Counts, other: Counts) -> None:
    for taken in all_sets(one)[:40]:
        for over in all_sets(other)[-40:]:
            assert bool(hung.beats(pack(taken), pack(over))) == obviously_beats(taken, over), (taken, over)


@given(HANDS, st.integers(1, 7), st.integers(0, 3))
def test_reach_is_the_highest_base_of_that_size(hand: Counts, count: int, bigs: int) -> None:
    bases = [cards(taken)[0] for taken in all_sets(hand) if sum(taken) == count and taken[RANKS + 2] >= bigs]
    assert hung.reach(hand, 0, RANKS, hand[4], hand[5], hand[6], count, bigs) == max(bases, default=-1)


@given(HANDS, st.integers(0, 14), st.integers(0, 3))
def test_all_reaches_are_those_of_one_size_after_the_other(hand: Counts, most: int, bigs: int) -> None:
    out = buffer(20)
    hung.reaches(hand, 0, RANKS, hand[4], hand[5], hand[6], most, out, 2)
    for count in range(1, most + 1):
        found = hung.reach(hand, 0, RANKS, hand[4], hand[5], hand[6], count, min(bigs, count))
        assert found == (out[1 + count] if hand[6] >= min(bigs, count) else -1)
    assert not any(out[:2])
    assert not any(out[2 + most :])


@given(HANDS)
def test_a_set_survives_packing(hand: Counts) -> None:
    for taken in all_sets(hand)[:60]:
        play = pack(taken)
        assert unpack(play) == taken
        assert hung.size(play) == sum(taken)


@pytest.mark.parametrize(("plain", "wild"), [(14, 14), (13, 15), (15, 13)])
def test_the_most_leads_a_hand_of_36_can_have(plain: int, wild: int) -> None:
    """The bound that buffers are made to: plain cards of one rank, wild ones, all eight jokers."""
    out = buffer(5624)
    n = hung.leads([0] * 11 + [plain], 0, 12, wild, 4, 4, False, False, out)
    assert n == plain * (wild + 1) * 25 + (wild + 1) * 25 - 1 <= 5624
