"""The fourteen grades 游戏等级 by total score (platform P-37); all games share one table."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

__all__ = ["GRADES", "grade", "grade_name"]

# The name and the least score of each. RP-5: 0 and less is 家丁.
GRADES: Final = (
    ("家丁", None),
    ("护院", 1),
    ("镖师", 20),
    ("镖头", 50),
    ("衙役", 100),
    ("班头", 200),
    ("军门官", 400),
    ("中军官", 800),
    ("御林军", 1600),
    ("皇城守备", 3200),
    ("皇城都司", 6400),
    ("皇城参将", 12800),
    ("值殿将军", 25600),
    ("御前侍卫", 51200),
)
_LEAST: Final = [least for _name, least in GRADES if least is not None]


def grade(score: int) -> int:
    """Return the grade of a total score, 0 to 13."""
    return bisect_right(_LEAST, score)


def grade_name(number: int) -> str:
    """Return the name of a grade."""
    return GRADES[number][0]
