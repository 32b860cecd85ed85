"""Tiles that bring a hand nearer, against plain counting, in positions of hands that all play soundly."""

from __future__ import annotations

from tests.unit.games.mahjong.tables import positions

from qipai.games.mahjong.kernel import shape
from qipai.games.mahjong.kernel import table as t


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
