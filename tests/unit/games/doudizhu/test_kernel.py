"""The kernels against a slow, obvious twin: readings, comparison, lists of plays, whole deals."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.games.doudizhu import twin

from qipai.core.kernel import buffer, thawed
from qipai.games.doudizhu.conform import drive
from qipai.games.doudizhu.kernel import sets
from qipai.games.doudizhu.kernel import table as t
from qipai.games.doudizhu.notation import PACK, form_of, read_set, write_play


def listed(hand: str, top: int = 0) -> list[str]:
    """What the kernels list for a hand."""
    out, cells = buffer(t.MOST_PLAYS, 64), thawed(PACK.read(hand))
    n = sets.all_answers(cells, 0, top, out) if top else sets.all_leads(cells, 0, out)
    return [write_play(int(code)) for code in out[:n]]


def form(cards: str, over: str | None = None) -> twin.Form | None:
    """How the kernels read cards."""
    code = read_set(cards, read_set(over) & sets.FORM if over else 0)
    if not code:
        return None
    found = form_of(code & sets.FORM)
    return found.kind, found.rank, found.length


@st.composite
def hands(draw: st.DrawFn, ranks: str = twin.ORDER, most: int = 12) -> str:
    """A hand of a few ranks near each other, so that there are runs, planes and bombs in it."""
    start = draw(st.integers(0, len(ranks) - 1))
    near = ranks[start : start + draw(st.integers(2, 7))] + draw(st.sampled_from(["", "2", "xX", "A2x"]))
    counts = Counter(draw(st.lists(st.sampled_from(near), min_size=1, max_size=most)))
    return "".join(card * min(n, 1 if card in "xX" else 4) for card, n in sorted(counts.items(), key=by_card))


def by_card(item: tuple[str, int]) -> int:
    return twin.ORDER.index(item[0])


@given(hand=hands())
@settings(max_examples=30, deadline=None)
def test_leads_are_all_that_can_be_put_together(hand: str) -> None:
    assert listed(hand) == twin.plays(hand)


@pytest.mark.slow
@given(hand=hands(most=9))
@settings(max_examples=30, deadline=None)
def test_every_part_of_a_hand_that_is_a_set_is_listed_and_no_other(hand: str) -> None:
    counts = Counter(hand)
    parts = product(*(range(n + 1) for n in counts.values()))
    texts = ["".join(card * n for card, n in zip(counts, part, strict=True)) for part in parts]
    assert sorted(listed(hand)) == sorted(text for text in texts if text and twin.readings(text))


@given(hand=hands(), other=hands(), pick=st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_answers_are_the_sets_that_beat_the_top(hand: str, other: str, pick: int) -> None:
    leads = twin.plays(other)
    cards = leads[pick % len(leads)]
    over = twin.read(cards)
    assert listed(hand, read_set(cards) & sets.FORM) == twin.plays(hand, over)


@given(cards=hands(), other=hands())
@settings(max_examples=120, deadline=None)
def test_cards_are_read_alike(cards: str, other: str) -> None:
    over = twin.read(other)
    assert form(cards) == twin.read(cards)
    if over is not None:
        assert form(cards, other) == twin.read(cards, over)


@pytest.mark.slow
def test_sets_of_all_kinds_beat_each_other_alike() -> None:
    luck = random.Random(1)
    found: dict[str, list[str]] = {}
    for hand in (
        "334455667788",
        "333344445566",
        "3334445577xX",
        "TTTTJJJKKKAAA",
        "3456789TJQKA2222",
        "777888QQQQKK2xX",
    ):
        for cards in twin.plays(hand):
            found.setdefault(twin.readings(cards)[0][0], []).append(cards)
    assert set(found) == set(twin.KINDS)
    some = [cards for kind in found.values() for cards in luck.sample(kind, min(len(kind), 6))]
    for one in some:
        for other in some:
            mine, theirs = twin.read(one, twin.read(other)), twin.read(other)
            assert mine is not None
            assert theirs is not None
            top = read_set(other) & sets.FORM
            assert sets.beats(read_set(one, top), top) == twin.beats(mine, theirs), (one, other)


def test_no_hand_has_more_plays_than_there_is_room_for() -> None:
    most = 0
    for hand in ("33344455566677789TJQ", "33344455566778899TJQ", "333444555666789TJQKA", "33334444555566667778"):
        most = max(most, len(listed(hand)))
    assert 300 < most < t.MOST_PLAYS


def test_whole_deals_go_as_in_the_twin() -> None:
    for seed in range(1):
        cards = list(twin.ORDER[:13] * 4 + "xX")
        random.Random(seed).shuffle(cards)
        dealt = [twin.ascending("".join(cards[seat * 17 : seat * 17 + 17])) for seat in range(3)]
        bottom = twin.ascending("".join(cards[51:]))
        slow = twin.Twin(list(dealt), bottom, first=seed % 3)
        steps, digest = slow.drive(seed)
        given = {"hands": dealt, "bottom": bottom, "first": seed % 3, "seed": seed, "options": {"redeals": 0}}
        found = drive(given)
        assert (found["steps"], found["digest"]) == (steps, digest)
        assert (found["landlord"], found["bid"], list(found["scores"])) == (slow.landlord, slow.bid, slow.scores)
