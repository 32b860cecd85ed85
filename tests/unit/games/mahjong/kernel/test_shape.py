"""What hands lack, and the tiles that bring them nearer, against plain counting."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement

from tests.unit.games.mahjong.tables import positions

from qipai.games.mahjong.kernel import shape
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.kernel.costs import ALONE, FAR, JOINED, NOBODY


def test_tiles_that_help_are_those_of_plain_counting() -> None:
    compared = 0
    for s, seat in positions(6, 4):
        if sum(s.b[t.HANDS + seat * t.KINDS : t.HANDS + (seat + 1) * t.KINDS]) % 3 != 1:
            continue
        now = shape.short(s, shape.costs(), seat)
        shape.unseen(s, seat)
        plain = sum(
            s.b[t.SEEN + kind]
            for kind in range(t.KINDS)
            if s.b[t.HANDS + seat * t.KINDS + kind] < 4 and shape.short_with(s, shape.costs(), seat, kind, 1) < now
        )
        assert shape.nearer(s, shape.costs(), seat, now) == plain
        compared += plain > 0
    assert compared > 10


def wholes() -> dict[tuple[int, bool], list[tuple[int, ...]]]:
    """Return all that so many sets of one suit can be, with and without a pair, as counts of the nine ranks."""
    sets = [tuple(int(low <= rank < low + 3) for rank in range(9)) for low in range(7)]
    sets += [tuple(3 * (rank == same) for rank in range(9)) for same in range(9)]
    pairs = [tuple(2 * (rank == same) for rank in range(9)) for same in range(9)]
    found: dict[tuple[int, bool], list[tuple[int, ...]]] = {}
    for n in range(5):
        for some in combinations_with_replacement(sets, n):
            for pair in [None, *pairs]:
                parts = [*some, pair] if pair else [*some]
                counts = tuple(map(sum, zip(*parts, strict=True))) if parts else (0,) * 9
                if max(counts) <= 4:
                    found.setdefault((n, pair is not None), []).append(counts)
    return found


def test_what_suits_lack_is_what_plain_counting_finds() -> None:
    luck, goals, costs = random.Random(5), wholes(), shape.costs()
    suits = []
    for size in (0, 1, 5, 8, 11, 14):
        drawn = luck.sample([rank for rank in range(9) for _ in range(4)], size)
        suits.append(tuple(drawn.count(rank) for rank in range(9)))
    suits.append((2, 2, 2, 4, 0, 0, 0, 4, 0))
    lacking = [
        {
            goal: min(sum(map(max, map(int.__sub__, want, have), [0] * 9)) for want in wants)
            for goal, wants in goals.items()
        }
        for have in suits
    ]
    codes = [int(costs[sum(n * t.POW[rank] for rank, n in enumerate(have))]) for have in suits]
    for have, code, lacks in zip(suits, codes, lacking, strict=True):
        assert code >> 8 & 15 == min(7, sum(n // 2 for n in have))
        assert code >> 12 == min(7, sum(n % 2 for n in have))
        for need in range(5):
            assert costs[ALONE + ((code & 127) << 3) + need] == lacks[need, True]
            assert costs[JOINED + (need << 14 | (code & 127) << 7 | NOBODY)] == FAR
            for other, lacks_too in zip(codes, lacking, strict=True):
                both = min(
                    lacks[sets, pair] + lacks_too[need - sets, not pair]
                    for sets in range(need + 1)
                    for pair in (False, True)
                )
                assert costs[JOINED + (need << 14 | (code & 127) << 7 | other & 127)] == both


def test_what_a_hand_lacks_without_each_tile_is_what_it_lacks_without_that_one() -> None:
    compared = 0
    for s, seat in positions(6, 4):
        shape.lacks(s, shape.costs(), seat)
        for kind in range(t.KINDS):
            if s.b[t.HANDS + seat * t.KINDS + kind]:
                assert s.b[t.LACKS + kind] == shape.short_with(s, shape.costs(), seat, kind, -1)
                compared += 1
    assert compared > 100
