"""Every round of a pond drowns somebody and makes no points."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from qipai.contests.ponds import rounds as ponds
from qipai.contests.ponds.rounds import Runner

BIDS = st.none() | st.integers(0, 100)


@given(
    st.sampled_from(["regular", "rain", "dark"]),
    st.integers(1, 3),
    st.lists(st.tuples(BIDS, st.integers(0, 100)), min_size=2, max_size=8),
    st.sampled_from([None, "regular"]),
)
def test_every_round_of_a_pond_drowns_somebody_and_makes_no_points(
    variant: ponds.Variant, number: int, bids: list[Any], final: str | None
) -> None:
    runners = [Runner(f"p{i}", 100, bid, prev) for i, (bid, prev) in enumerate(bids)]
    found = ponds.run_round(variant, number, runners, rain_final=final)
    assert found.fallen
    assert sorted({*found.fallen, *found.points}) == sorted(runner.id for runner in runners)
    for id, left in found.points.items():
        assert left == 100 - found.used[id] + (500 if found.bonus == id else 0)
    assert found.finished == (len(found.points) < 2)
    assert (found.winner is not None) == (len(found.points) == 1)
    assert found.bonus is None or found.bonus in found.points
