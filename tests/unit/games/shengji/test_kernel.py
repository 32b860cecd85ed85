"""The kernel against the slow, obvious twin: decompositions, grades, follows and winning keys of random hands."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tests.unit.games.shengji import twin

from qipai.core.kernel import buffer
from qipai.games.shengji.kernel import flow, follow, moves, shapes
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.listing import follows
from qipai.games.shengji.notation import GROUPS, NAMES, RANKS, SUITS, TYPES, component, counted, write

# level, trumps, constant twos, and the group whose hands are drawn
PLACES = [
    ("T", "S", False, "H"),
    ("T", "S", False, "T"),
    ("5", "D", True, "T"),
    ("5", None, True, "T"),
    ("2", None, False, "T"),
]


def table(level: str, trump: str | None, constant: bool, decks: int) -> t.Table:
    s = t.new_table()
    s.reg[t.DECKS], s.reg[t.LEVEL], s.reg[t.CONSTANT] = decks, RANKS.index(level), int(constant)
    s.reg[t.TRUMP] = SUITS.index(trump) if trump else -1
    t.arrange(s)
    return s


def drawn(random: Random, order: twin.Order, group: str, decks: int, n: int) -> list[str]:
    """A hand of one group, with few different cards, so that pairs and runs are many."""
    steps = order.steps[group]
    low = random.randrange(max(1, len(steps) - 5))
    near = [card for step in steps[low : low + 5] for card in step]
    stock = random.sample(near, min(len(near), 7)) * decks
    return random.sample(stock, min(n, len(stock)))


def lay(s: t.Table, seat: int, cards: list[str]) -> None:
    counts = counted(cards)
    for card in range(t.CARDS):
        s.hands[seat * t.CARDS + card] = counts[card]


@pytest.mark.parametrize("decks", [1, 2, 3])
@pytest.mark.parametrize(("level", "trump", "constant", "group"), PLACES)
def test_cards_stand_where_the_rules_put_them(
    level: str, trump: str | None, constant: bool, group: str, decks: int
) -> None:
    s, order = table(level, trump, constant, decks), twin.Order(level, trump, constant=constant)
    for card, name in enumerate(NAMES):
        assert (GROUPS[s.group[card]], s.step[card]) == order.place[name]


@pytest.mark.parametrize("decks", [2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("level", "trump", "constant", "group"),
    [*PLACES[:4], *(pytest.param(*place, marks=pytest.mark.slow) for place in PLACES[4:])],
)
def test_the_decomposition_is_the_best_of_all_splits(
    level: str, trump: str | None, constant: bool, group: str, decks: int
) -> None:
    s, order, room = table(level, trump, constant, decks), twin.Order(level, trump, constant=constant), t.new_room()
    out = buffer(2 * t.MOST)
    seen = set()
    for seed in range(150):
        random = Random(f"{level}{trump}{decks}{seed}")
        hand = drawn(random, order, group, decks, 2 + seed % 10)
        n = shapes.decompose(s, counted(hand), 0, GROUPS.index(group), room, out)
        found = [component(s, int(out[i]), GROUPS.index(group)) for i in range(n)]
        expected = twin.canonical(order, Counter(hand))
        assert [(one.type, list(dict.fromkeys(one.cards))) for one in found] == [
            (kind, list(cards)) for kind, cards in expected
        ], hand
        seen |= {one.type for one in found}
    assert seen >= {"single", "pair", "tractor"}


@pytest.mark.parametrize("triples_first", [False, True])
@pytest.mark.parametrize("decks", [2, 3])
@pytest.mark.parametrize(("level", "trump", "constant", "group"), PLACES)
def test_legal_follows_are_those_that_trying_all_finds(
    level: str, trump: str | None, constant: bool, group: str, decks: int, triples_first: bool
) -> None:
    order, room = twin.Order(level, trump, constant=constant), t.new_room()
    graded = 0
    for seed in range(250):
        random = Random(f"{level}{trump}{decks}{triples_first}{seed}")
        s = table(level, trump, constant, decks)
        s.reg[t.TRIPLES_FIRST] = int(triples_first)
        lead = drawn(random, order, group, decks, 1 + seed % 6)
        hand = drawn(random, order, group, decks, 4 + seed % 7)
        hand += random.sample([name for name in NAMES if order.group(name) != group], seed % 3)
        put(s, lead, group, room)
        lay(s, 1, hand)
        parts = [
            (TYPES[int(shapes.type_of(s.shape[i]))], int(shapes.length(s.shape[i]))) for i in range(s.reg[t.SHAPES])
        ]
        expected = twin.follows(order, parts, group, hand, triples_first=triples_first)
        found = [tuple(sorted(cards)) for cards in follows(s, 1)]
        assert len(found) == len(set(found))
        assert set(found) == expected, (lead, hand)
        graded += len(expected) > 1 and parts[0][0] != "single"
        # What is made to measure is legal, whatever its maker holds dear; and nothing is judged otherwise.
        for _ in range(3):
            moves.drawn_answer(s, 1, random.randrange(1 << 30), room)
            assert tuple(sorted(write(s, room.move))) in expected
        for _ in range(6):
            cards = sorted(random.sample(hand, min(len(lead), len(hand))))
            if len(cards) == len(lead):
                verdict = follow.judge(
                    s,
                    s.hands,
                    t.CARDS,
                    counted(cards),
                    0,
                    GROUPS.index(group),
                    s.shape,
                    s.reg[t.SHAPES],
                    len(lead),
                    int(triples_first),
                    room,
                )
                assert (verdict == follow.COMPLETE) == (tuple(cards) in expected), (lead, hand, cards)
    assert graded > 10


def put(s: t.Table, lead: list[str], group: str, room: t.Room) -> None:
    counts = counted(lead)
    for card in range(t.CARDS):
        s.put[card] = counts[card]
    n = shapes.decompose(s, s.put, 0, GROUPS.index(group), room, s.shape)
    flow.lead_stands(s, 0, GROUPS.index(group), n, room)
    s.reg[t.TABLED], s.reg[t.PHASE], s.reg[t.TURN], s.reg[t.LEADER] = 1, t.PLAYING, 1, 0


@pytest.mark.parametrize("decks", [2, 3])
@pytest.mark.parametrize(("level", "trump", "constant", "group"), PLACES)
def test_a_winning_key_is_the_highest_of_all_exact_splits(
    level: str, trump: str | None, constant: bool, group: str, decks: int
) -> None:
    order, room = twin.Order(level, trump, constant=constant), t.new_room()
    able = 0
    for seed in range(150):
        random = Random(f"{level}{trump}{decks}{seed}")
        s = table(level, trump, constant, decks)
        n = 1 + seed % 7
        lead, other = (drawn(random, order, group, decks, n) for _ in range(2))
        if len(other) != len(lead):
            continue
        put(s, lead, group, room)
        expected = twin.key(order, Counter(other), twin.canonical(order, Counter(lead)))
        counts = counted(other)
        found = follow.winning(s, counts, 0, GROUPS.index(group), s.shape, s.reg[t.SHAPES], -1, room)
        assert found == expected, (lead, other)
        able += expected >= 0
    assert able > 10


@pytest.mark.parametrize("decks", [2, 3])
def test_a_throw_is_stopped_by_what_one_other_hand_holds(decks: int) -> None:
    order, room = twin.Order("T", "S"), t.new_room()
    stopped = 0
    for seed in range(300):
        random = Random(f"{decks}{seed}")
        s = table("T", "S", False, decks)
        cards = drawn(random, order, "H", decks, 2 + seed % 5)
        hands = [drawn(random, order, "H", decks, seed % 7) for _ in range(3)]
        for seat, hand in enumerate(hands, 1):
            lay(s, seat, hand)
        n = shapes.decompose(s, counted(cards), 0, 2, room, s.shape)
        beaten = [
            (kind, one)
            for kind, one in twin.canonical(order, Counter(cards))
            if any(
                order.step(run[0]) > order.step(one[0])
                for hand in hands
                for run in twin.pieces(order, Counter(hand), twin.EACH[kind], len(one))
            )
        ]
        found = follow.forced(s, 0, s.shape, n, 2, s.hands, room)
        if not beaten:
            assert found == 0
            continue
        stopped += 1
        kind, one = min(beaten, key=lambda part: (order.step(part[1][0]), twin.size(part)))
        assert component(s, int(found), 2).cards == tuple(card for card in one for _ in range(twin.EACH[kind]))
    assert stopped > 50
