"""The stored report and the numbers of `hall.toml` say the same (platform P-95)."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from qipai.bench.honesty.report import FIELDS, RATE, SIGN, found, page, picture, written
from qipai.bench.honesty.roc import wilson
from qipai.config import Flags

SCORES = {("soft", "doudizhu"): ([0.0, 1.0, 2.5], [4.0, 1.5])}
PAGE = Path(__file__).parents[4] / "docs" / "honesty.md"
ROW = re.compile(r"^\| `flags\.(\w+)` \| (-?[\d.]+) \| ([\d.]+) \| (\w+), (\w+) \| ([\d.e+-]+) ‰ \|", re.M)
HONEST = re.compile(r"^\| (\w+) \| (\w+) \| (\d+) \|", re.M)


def test_the_thresholds_are_those_that_the_stored_report_gives() -> None:
    text = PAGE.read_text("utf-8")
    rows, honest = ROW.findall(text), {(flag, game): int(n) for flag, game, n in HONEST.findall(text)}
    assert {flag for _, _, _, flag, _ in (row[:5] for row in rows)} == set(FIELDS)
    for field, least, threshold, flag, game, alarms in rows:
        assert FIELDS[flag] == field
        assert float(threshold) == Flags().least(field, game), (flag, game)
        sign = SIGN.get(flag, 1)
        # as strict as the other month's people ask for, or more so; and these people agree, as far as so many can
        assert sign * float(threshold) >= sign * float(least), (flag, game)
        assert wilson(float(alarms) / 1000, honest[flag, game])[0] <= RATE, (flag, game)


def test_a_page_keeps_what_else_it_says(tmp_path: Path) -> None:
    rows = found(SCORES, SCORES, Flags())
    path = tmp_path / "honesty.md"
    written(path, rows, {"seed": "1"})
    path.write_text("before\n" + path.read_text("utf-8") + "after\n", "utf-8")
    written(path, rows, {"seed": "2"})
    text = path.read_text("utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert text.count(page(rows, {"seed": "2"})) == 1
    assert "seed 1" not in text


def test_the_picture_is_well_formed() -> None:
    rows = found(SCORES, SCORES, Flags())
    assert ElementTree.fromstring(picture(rows)).tag.endswith("svg")
