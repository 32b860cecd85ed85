"""Which tip is that of a day."""

from __future__ import annotations

from qipai.community.tips.days import SHIPPED, of_day

DAY = 86400


def test_a_tip_a_day_each_in_its_turn() -> None:
    for own in (0, 3):
        seen = [of_day(day * DAY + 17, own) for day in range(SHIPPED + own)]
        assert seen == list(range(SHIPPED + own))
        assert of_day((SHIPPED + own) * DAY, own) == 0
    assert of_day(DAY - 1, 0) == 0
    assert of_day(DAY, 0) == 1
