"""Wins, waits and fan against the slow, obvious twin, and against PyPI's `mahjong` on tens of thousands of hands."""

from __future__ import annotations

from random import Random

import pytest
from tests.unit.games.mahjong import twin

from qipai.games.mahjong.kernel import fan, forms, money, shape
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.options import ITEMS, Fan, Options
from qipai.games.mahjong.rules import cells

RULES = cells(Options(wait_fan_rule="shape", fan=Fan(men_qing=1, zhong_zhang=1, long_qi_dui_extra=1)))
WORTH = dict(zip(ITEMS, RULES[t.O_FAN - t.RULES :], strict=True))
TABLE = t.new_table(RULES, forms.forms())


def laid(tiles: list[int], melds: list[tuple[int, int]], void: int = -1) -> t.Table:
    t.clear(TABLE)
    for kind in tiles:
        t.give(TABLE, 0, kind)
    for kind, how in melds:
        t.add_meld(TABLE, 0, kind, how, -1)
    TABLE.b[t.VOID] = void
    return TABLE


def hands(seed: int, many: int) -> list[tuple[list[int], list[tuple[int, int]]]]:
    random = Random(seed)
    return [twin.drawn_hand(random, random.choice((0, 0, 0, 1, 2, 3, 4))) for _ in range(many)]


def test_wins_are_those_of_the_twin() -> None:
    won = 0
    for i, (tiles, melds) in enumerate(hands(1, 12_000)):
        void = i % 8 - 1 if i % 8 < 3 else -1
        found = forms.is_whole(laid(tiles, melds, void), 0)
        assert found == twin.wins(tiles, melds, void), (tiles, melds, void)
        won += found
    assert 3_000 < won < 9_000


@pytest.mark.slow
def test_waits_are_those_of_the_twin() -> None:
    ready = 0
    for tiles, melds in hands(2, 1_500):
        hand = tiles[: len(tiles) // 2] + tiles[len(tiles) // 2 + 1 :]
        mask = forms.waits(laid(hand, melds), 0)
        want = twin.waits(hand, melds)
        assert [kind for kind in range(27) if mask >> kind & 1] == want, (hand, melds)
        ready += bool(want)
        whole = laid(tiles, melds)
        for kind in set(tiles):
            rest = list(tiles)
            rest.remove(kind)
            mask = forms.waits_without(whole, 0, kind)
            assert mask == forms.waits(laid(rest, melds), 0), (rest, melds)
            laid(tiles, melds)
    assert 500 < ready < 1_400


@pytest.mark.slow
def test_fan_are_those_of_the_best_and_of_the_smallest_reading() -> None:
    valued = 0
    for tiles, melds in hands(3, 4_000):
        if not twin.wins(tiles, melds):
            continue
        for last in set(tiles):
            readings = list(twin.patterns(tiles, melds, last))
            totals = [sum(WORTH[item] * n for item, n in items.items()) for items in readings]
            table = laid(tiles, melds)
            assert fan.fan(table, 0, last, 0, False, fan.BEST) == max(totals), (tiles, melds, last)
            shown = table.b[t.ITEMS]
            items = {name: (shown >> 24 if name == "gen" else 1) for i, name in enumerate(ITEMS) if shown >> i & 1}
            assert sum(WORTH[item] * n for item, n in items.items()) == max(totals)
            plain = [
                sum(WORTH[item] * n for item, n in items.items() if item not in ("bian", "ka", "diao"))
                for items in readings
            ]
            assert fan.fan(table, 0, last, 0, False, fan.GREATEST) == max(plain), (tiles, melds)
            assert fan.fan(table, 0, last, 0, False, fan.LEAST) == min(plain), (tiles, melds)
            valued += 1
    assert valued > 5_000


def test_a_wait_counts_only_where_it_is_the_sole_one_by_default() -> None:
    table = t.new_table(cells(Options()), forms.forms())
    for kind in (0, 1, 2, 3, 4, 5, 6, 8, 7, 10, 11, 12, 13, 13):  # 12345679m 234p 55p and 8m
        t.give(table, 0, kind)
    assert fan.fan(table, 0, 7, 0, True, fan.BEST) == 1
    assert fan.fan(table, 0, 7, 0, False, fan.BEST) == 0
    assert fan.fan(table, 0, 7, 1 << fan.TIAN_HU, True, fan.BEST) == 5


@pytest.mark.slow
def test_checked_hands_are_the_greatest_and_smallest_of_all_waits() -> None:
    compared = 0
    for tiles, melds in hands(4, 1_500):
        hand = tiles[1:]
        want = twin.waits(hand, melds)
        totals = []
        for kind in want:
            for items in twin.patterns(sorted([*hand, kind]), melds, kind):
                totals.append(sum(WORTH[item] * n for item, n in items.items() if item not in ("bian", "ka", "diao")))
        table = laid(hand, melds)
        assert money.checked(table, 0, fan.GREATEST) == max(totals, default=-1), (hand, melds)
        assert money.checked(table, 0, fan.LEAST) == min(totals, default=-1), (hand, melds)
        compared += bool(want)
    assert compared > 300


@pytest.mark.slow
def test_wins_are_those_of_another_library() -> None:
    agari = pytest.importorskip("mahjong.agari").Agari
    random = Random(5)
    won = 0
    for _ in range(30_000):
        tiles, _melds = twin.drawn_hand(random)
        if len(twin.suits_of(tiles, [])) == 3:
            continue  # no win here, and one there
        counts = [tiles.count(kind) for kind in range(27)] + [0] * 7
        found = forms.is_whole(laid(tiles, []), 0)
        if found and max(counts) == 4 and all(n % 2 == 0 for n in counts):
            continue  # four of a kind are two pairs only here
        assert found == agari.is_agari(counts), tiles
        won += found
    assert won > 5_000


def test_tiles_lacking_are_those_of_a_search() -> None:
    costs = shape.costs()
    random = Random(6)
    for _ in range(150):
        tiles, melds = twin.drawn_hand(random, 3)
        table = laid(tiles[:-1], melds)
        lack = shape.short(table, costs, 0)
        suits = twin.suits_of([], melds)
        if len(suits) == 3:
            assert lack == shape.FAR
            continue
        assert (lack == 1) == bool(forms.waits(table, 0) or (lack == 1 and not twin.waits(tiles[:-1], melds)))
        assert lack <= fewest(tiles[:-1], melds) <= lack + 1, (tiles, melds)


def fewest(tiles: list[int], melds: list[tuple[int, int]]) -> int:
    """How many tiles must be changed before one more wins, by trying."""
    hands = {tuple(tiles)}
    for steps in range(1, 6):
        if any(twin.waits(list(hand), melds) for hand in hands):
            return steps
        hands = {
            tuple(sorted([*hand[:i], *hand[i + 1 :], kind]))
            for hand in hands
            for i in range(len(hand))
            for kind in range(27)
        }
    return 9
