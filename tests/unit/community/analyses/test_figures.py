"""Means over deals with their errors, and months."""

from __future__ import annotations

from qipai.community.analyses.figures import Deal, by_month, figure


def deal(at: int, skill: float, game: str = "gouji") -> Deal:
    return Deal(game, at, f"g{at}", "points", 10, 0.5, None, 2.0, skill, 0.25, 2.0 - skill, 1.0)


def test_a_mean_has_the_error_of_its_spread_and_one_deal_its_own() -> None:
    assert figure([]) is None
    assert figure([None, None]) is None
    one = figure([1.5], [0.2])
    assert one is not None
    assert (one.mean, one.error) == (1.5, 0.2)
    many = figure([1.0, 3.0, 5.0, None])
    assert many is not None
    assert (many.mean, many.error) == (3.0, 1.1547)


def test_months_stand_apart_and_the_newest_is_first() -> None:
    day = 86_400
    found = by_month([deal(40 * day, 1.0), deal(41 * day, 3.0), deal(3 * day, -1.0), deal(3 * day, 0.5, "mahjong")])
    assert [(one.month, one.game, one.deals) for one in found] == [
        ("1970-02", "gouji", 2),
        ("1970-01", "gouji", 1),
        ("1970-01", "mahjong", 1),
    ]
    first = found[0]
    assert first.skill is not None
    assert (first.skill.mean, first.skill.error, first.decisions, first.loss) == (2.0, 1.0, 20, 0.5)
