"""Stairs keep their order, and challenges have two who are there."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from qipai.contests.stairs import steps as stairs


@given(st.dictionaries(st.text(min_size=1, max_size=3), st.integers(1, 50), max_size=20))
def test_compacted_stairs_keep_their_order_and_have_no_empty_step(steps: dict[str, Any]) -> None:
    found = stairs.compacted(steps)
    assert set(found.values()) == set(range(1, len(set(steps.values())) + 1))
    for one, other in combinations(steps, 2):
        assert (steps[one] < steps[other]) == (found[one] < found[other])


def test_a_member_who_is_not_there_can_neither_challenge_nor_be_challenged() -> None:
    assert stairs.refused(None, 3) == "NOT_MEMBER"
    assert stairs.refused(3, None) == "TARGET_BUSY"
    assert stairs.refused(3, 9, same_user=True, my_retired=True) == "SELF"
