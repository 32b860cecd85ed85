"""The simulated town (`qipai simulate`): a small one is found in order, and what is wrong with one is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qipai.bench.town.checks import Violation
from qipai.bench.town.year import Plan, lived
from qipai.contests.contract import Contest, Payment
from qipai.contests.kinds import kinds_of
from qipai.contests.ponds.kind import PondKind


@pytest.mark.slow
def test_a_small_town_plays_two_weeks_with_kills_and_everything_is_in_order(tmp_path: Path) -> None:
    told: list[str] = []
    lines = lived(tmp_path, Plan(people=24, days=14, kills=4, seed="spring"), told.append)
    assert lines[0].startswith("14 days of 24 people")
    assert all(any(line.startswith(kind) for line in lines) for kind in ("duplicate", "pond", "teams", "tournament"))
    kills = next(line for line in lines if " kills" in line)
    assert int(kills.split()[0]) > 0
    assert any("is the same" in line for line in lines)
    assert told


class Dear(PondKind):
    """A pond that takes every fee twice."""

    def payments(self, state: Any, event: Any) -> tuple[Payment, ...]:
        paid = super().payments(state, event)
        return (*paid, *(one for one in paid if one.reason == "fee"))


@pytest.mark.slow
def test_a_kind_that_takes_something_twice_is_found(tmp_path: Path) -> None:
    def kinds(draw: Callable[[], str]) -> tuple[Contest[Any], ...]:
        return tuple(Dear(draw) if isinstance(kind, PondKind) else kind for kind in kinds_of(draw))

    with pytest.raises(Violation, match=r"^pond:\d+: coins were moved that were not due"):
        lived(tmp_path, Plan(people=12, days=12, kills=2, seed="autumn"), lambda _text: None, kinds)
