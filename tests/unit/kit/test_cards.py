"""Packs of cards: texts and dealing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.core.contract import BadNotation
from qipai.core.rng import Stream
from qipai.kit.cards import Pack, dealt

GOUJI = Pack(tuple("3456789TJQKA2xX"), (16,) * 13 + (4, 4))
BAOHUANG = Pack((*"6789TJQKA2", "x", "x*", "X", "X*"), (13, *(16,) * 9, 3, 1, 3, 1))


def test_a_text_may_be_in_any_order_and_comes_back_ascending() -> None:
    assert GOUJI.write(GOUJI.read("X2T9x9T")) == "99TT2xX"


def test_a_mark_belongs_to_the_joker_before_it() -> None:
    counts = BAOHUANG.read("X*7x7xx*X")
    assert counts[BAOHUANG.index["x"]] == 2
    assert counts[BAOHUANG.index["x*"]] == counts[BAOHUANG.index["X"]] == counts[BAOHUANG.index["X*"]] == 1
    assert BAOHUANG.write(counts) == "77xxx*XX*"


@pytest.mark.parametrize("text", ["1", "3S", "t", "10", "x*", "王", " 3", "*"])
def test_cards_that_are_not_in_the_pack_are_refused(text: str) -> None:
    with pytest.raises(BadNotation, match="not_a_card"):
        GOUJI.read(text)


@given(st.lists(st.sampled_from(BAOHUANG.names)))
def test_texts_survive_reading_and_writing(cards: list[str]) -> None:
    counts = BAOHUANG.read("".join(cards))
    assert BAOHUANG.read(BAOHUANG.write(counts)) == counts
    assert sum(counts) == len(cards)


def test_the_deck_is_in_canonical_order() -> None:
    assert [GOUJI.card(i) for i in (0, 15, 16, 207, 208, 211, 212, 215)] == [0, 0, 1, 12, 13, 13, 14, 14]
    assert GOUJI.size == 216
    assert BAOHUANG.size == 165
    assert [BAOHUANG.names[BAOHUANG.card(i)] for i in (12, 13, 159, 160, 161, 164)] == ["6", "7", "x", "x*", "X", "X*"]
    with pytest.raises(IndexError):
        GOUJI.card(216)


def test_cards_go_round_one_by_one_from_the_first_seat() -> None:
    assert dealt(Pack(("a", "b"), (3, 2)), (4, 0, 1, 3, 2), first=1, seats=2) == ("ab", "aab")


def test_the_worked_example_of_the_platform() -> None:
    """P-92: the cards 9C 4H 7C 5C TC 5H go to the leader and on; the leader's whole hand is printed there."""
    seed = bytes.fromhex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
    stream = Stream.of_deal(seed, "k7f3q9x2", 1, ["a", "", "牌", "seat three"])
    hands = dealt(GOUJI, stream.shuffled(range(216)), first=2, seats=6)
    assert hands[2] == "3334455566778899999TTTTJJJQKKAAA222X"
    assert [len(hand) for hand in hands] == [36] * 6
