"""A small month: the same seed gives the same scores, and planted pairs stand above honest ones."""

from __future__ import annotations

from qipai.bench.honesty.month import Month, Part, Scores
from qipai.bench.honesty.report import FIELDS

FOUND = (("soft", "doudizhu"), ("given", "doudizhu"), ("timing", "xiangqi"), ("fed", "xiangqi"))


def played(seed: str, *parts: Part) -> Scores:
    """Return the scores of some parts of a month."""
    month = Month(4, 1, seed)
    for part in parts:
        month.play(part)
    return month.scores


def test_planted_cheats_stand_above_the_honest() -> None:
    games = ("doudizhu", "xiangqi")
    scores = played("test", *(Part(game, cheat, 0, 1) for game in games for cheat in (False, True)))
    assert {flag for flag, _ in scores} == set(FIELDS)
    for flag, game in FOUND:
        honest, cheats = scores[flag, game]
        assert max(honest) < min(cheats), flag


def test_the_same_seed_gives_the_same_month() -> None:
    part = Part("xiangqi", False, 0, 2)
    one, other = (played(seed, part) for seed in ("a", "a"))
    assert one == other
    assert one != played("b", part)
