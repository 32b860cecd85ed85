"""The kernels against slow, obvious twins: every set by trying all, comparison card by card, the score table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.core.kernel import buffer, thawed
from qipai.games.baohuang.kernel import score, sets
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.notation import PACK, read_set, write_play

STRENGTH = dict(enumerate((*range(10), 10, 10, 11, 11)))


def cards_of(counts: list[int]) -> list[int]:
    return [card for card, n in enumerate(counts) for _ in range(n)]


def obvious_sets(hand: list[int]) -> Iterator[list[int]]:
    """All ways to take cards of a hand that are of one rank at most, in canonical order."""
    ways = product(*(range(n + 1) for n in hand))
    made = [list(way) for way in ways if sum(way) and sum(1 for n in way[: t.RANKS] if n) <= 1]
    yield from sorted(made, key=lambda way: (sum(way), cards_of(way)))


def obvious_beats(play: list[int], over: list[int]) -> bool:
    high, low = (sorted((STRENGTH[card] for card in cards_of(each)), reverse=True) for each in (play, over))
    return len(high) == len(low) and all(mine > other for mine, other in zip(high, low, strict=True))


def obvious_lead(hand: list[int], way: list[int], keep_six: bool, six_hung: bool) -> bool:
    if not way[0]:
        return True
    left = [have - n for have, n in zip(hand, way, strict=True)]
    return not (keep_six and any(left[1:])) and (six_hung or not any(way[t.SMALL :]))


@st.composite
def small_hands(draw: st.DrawFn) -> list[int]:
    counts = [0] * t.CARDS
    for card in draw(st.lists(st.sampled_from(range(t.CARDS)), min_size=1, max_size=9)):
        counts[card] = min(counts[card] + 1, PACK.copies[card])
    return counts


def texts(out: object, n: int) -> list[str]:
    return [write_play(int(out[i])) for i in range(n)]  # type: ignore[index]


@given(hand=small_hands(), keep_six=st.booleans(), six_hung=st.booleans())
@settings(max_examples=150, deadline=None)
def test_leads_are_all_that_can_be_put_together(hand: list[int], keep_six: bool, six_hung: bool) -> None:
    out = buffer(t.MOST_PLAYS)
    n = sets.all_leads(thawed(hand), 0, keep_six, six_hung, out)
    expected = [PACK.write(way) for way in obvious_sets(hand) if obvious_lead(hand, way, keep_six, six_hung)]
    assert texts(out, n) == expected


@pytest.mark.slow
@given(hand=small_hands(), over=small_hands())
@settings(max_examples=150, deadline=None)
def test_answers_are_the_sets_that_beat_card_by_card(hand: list[int], over: list[int]) -> None:
    for top in list(obvious_sets(over))[:40]:
        out = buffer(t.MOST_PLAYS)
        n = sets.all_answers(thawed(hand), 0, read_set(PACK.write(top)), out)
        assert texts(out, n) == [PACK.write(way) for way in obvious_sets(hand) if obvious_beats(way, top)]


@given(order=st.permutations(range(5)), opened=st.booleans(), kicked=st.booleans(), guard=st.integers(1, 4))
def test_scores_are_those_of_the_table_and_sum_to_nothing(
    order: list[int], opened: bool, kicked: bool, guard: int
) -> None:
    scores = buffer(5)
    kicked = kicked and opened
    score.settle(thawed(order), t.PAIR, 0, guard, opened, kicked, scores)
    g = 6 - (order.index(0) + 1 + order.index(guard) + 1)
    emperor, second, rebel = (6 * g, 6 * g, -4 * g) if kicked else (4 * g, 2 * g, -2 * g) if opened else (2 * g, g, -g)
    assert [int(n) for n in scores] == [emperor if s == 0 else second if s == guard else rebel for s in range(5)]
    for mode in (t.SOLO_OPEN, t.SOLO_HIDDEN):
        score.settle(thawed(order), mode, 0, -1, opened, kicked, scores)
        assert sum(int(n) for n in scores) == 0


def test_no_hand_has_more_plays_than_there_is_room_for() -> None:
    out = buffer(t.MOST_PLAYS)
    most = 0
    for hand in ("7777777777777777888888888" + "A" + "xxxx*XXXX*", "7" * 16 + "8" * 10 + "xxxx*XXXX*"):
        most = max(most, int(sets.all_leads(thawed(PACK.read(hand)), 0, False, True, out)))
    assert 26 * 64 <= most < t.MOST_PLAYS
