"""What climbing games share: forming sets, the lowest rank last, cards that are lacking, a search of any game."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from qipai.core.kernel import buffer, thawed
from qipai.kit import hung, tree
from qipai.kit.cards import Pack, shuffle, wrapped
from qipai.kit.climbing import unbeaten
from qipai.kit.seats import bits, mask

PACK = Pack(("6", "7", "8", "x", "x*", "X"), (4, 4, 4, 3, 1, 4))


def test_cards_of_two_ranks_form_no_set() -> None:
    assert hung.formed(thawed([0, 2, 0]), 0, 3, 0, 1, 0) == hung.packed(1, 2, 0, 1, 0)
    assert hung.formed(thawed([1, 2, 0]), 0, 3, 0, 1, 0) == 0
    assert hung.formed(thawed([0, 0, 0]), 0, 3, 2, 1, 0) == hung.packed(3, 0, 2, 1, 0)
    assert hung.formed(thawed([0, 0, 0]), 0, 3, 0, 0, 2) == hung.packed(5, 0, 0, 0, 2)
    assert hung.formed(thawed([0, 0, 0]), 0, 3, 0, 0, 0) == 0


def test_the_lowest_rank_goes_last() -> None:
    hand = thawed([2, 1, 0, 1])
    assert not hung.lowest_last(hand, 0, 4, hung.packed(0, 2, 0, 0, 0))
    assert not hung.lowest_last(hand, 0, 4, hung.packed(0, 2, 0, 1, 0))
    assert hung.lowest_last(thawed([2, 0, 0, 1]), 0, 4, hung.packed(0, 1, 0, 1, 0))
    assert hung.lowest_last(hand, 0, 4, hung.packed(1, 1, 0, 0, 0))


def test_lacking_cards_are_named_unknown_ones_first() -> None:
    held = PACK.read("667x")
    assert PACK.lacking("67x", held) == ""
    assert PACK.lacking("X77x*", held) == "7x*X"
    assert PACK.lacking("9677", held) == "97"


def test_stacks_count_each_card() -> None:
    assert PACK.stacks("66x*") == ["    6  x*", "   ×2    "]


def test_words_are_wrapped_and_none_is_lost() -> None:
    words = [f"word{i}" for i in range(40)]
    lines = wrapped(words, 30)
    assert all(len(line) <= 30 for line in lines)
    assert " ".join(lines).split() == words


@given(seed=st.integers(0, 2**31 - 1), n=st.integers(1, 40))
def test_shuffling_loses_no_card_and_leaves_the_rest_alone(seed: int, n: int) -> None:
    deck = thawed(range(50))
    shuffle(deck, n, seed)
    assert sorted(int(card) for card in deck[:n]) == list(range(n))
    assert [int(card) for card in deck[n:]] == list(range(n, 50))


@given(seats=st.sets(st.integers(0, 9)))
def test_a_mask_is_its_seats(seats: set[int]) -> None:
    assert bits(mask(seats)) == tuple(sorted(seats))


@given(values=st.lists(st.integers(-9, 9), min_size=8, max_size=8))
def test_the_bookkeeping_finds_what_trying_everything_finds(values: list[int]) -> None:
    """A tree of three plies with two actions each; the maximizer moves first and last."""
    plies = buffer(3 * tree.PLY)
    path = [0] * 3
    depth, low, high = 0, -9, 9
    while True:
        if depth == 3:
            value = values[path[0] * 4 + path[1] * 2 + path[2]]
            depth -= 1
            child = -1
            while depth >= 0:
                tree.take(plies, depth, value, depth != 1)
                child = tree.next_child(plies, depth)
                if child >= 0:
                    break
                value = int(tree.result(plies, depth))
                depth -= 1
            if depth < 0:
                break
        else:
            tree.enter(plies, depth, 2, low, high, depth != 1)
            child = tree.next_child(plies, depth)
        low, high = tree.low(plies, depth), tree.high(plies, depth)
        path[depth] = child
        depth += 1
    best = max(min(max(values[a * 4 + b * 2 : a * 4 + b * 2 + 2]) for b in range(2)) for a in range(2))
    assert value == best


def test_what_was_put_aside_comes_back() -> None:
    cells, stack = thawed([3, 1, 2]), buffer(10)
    assert tree.keep(cells, stack, 4) == 7
    cells[0] = 9
    assert tree.bring(cells, stack, 4) == 7
    assert [int(n) for n in cells] == [3, 1, 2]


@given(
    plain=st.lists(st.integers(0, 3), min_size=3, max_size=3),
    others=st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)),
    hand=st.lists(st.integers(0, 3), min_size=3, max_size=3),
    hangers=st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)),
    largest=st.integers(0, 8),
)
def test_nothing_beats_what_is_called_unbeaten(
    plain: list[int],
    others: tuple[int, int, int],
    hand: list[int],
    hangers: tuple[int, int, int],
    largest: int,
) -> None:
    mine, theirs = buffer(400), buffer(400)
    plays = mine[: hung.leads(thawed(hand), 0, 3, *hangers, False, False, mine)]
    against = theirs[: hung.leads(thawed(plain), 0, 3, *others, False, False, theirs)]
    found = unbeaten(plays, thawed(plain), 3, *others, largest)
    assert found == [
        not any(hung.beats(other, play) and hung.size(other) <= largest for other in against) for play in plays
    ]
