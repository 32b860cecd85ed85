"""A small month: the same seed gives the same scores, and planted pairs stand above honest ones."""

from __future__ import annotations

from qipai.bench.honesty.month import Month


def test_planted_cheats_stand_above_the_honest() -> None:
    scores = Month(4, 2, "test").lived()
    assert {flag for flag, _ in scores} == {"pair", "rating", "fed", "flow", "soft", "told", "timing", "unmoved"}
    for flag, game in (("soft", "doudizhu"), ("timing", "xiangqi"), ("fed", "xiangqi"), ("unmoved", "doudizhu")):
        honest, cheats = scores[flag, game]
        assert max(honest) < min(cheats), flag


def test_the_same_seed_gives_the_same_month() -> None:
    one, other = (Month(1, 0, seed).lived() for seed in ("a", "a"))
    assert one == other
    assert one != Month(1, 0, "b").lived()
