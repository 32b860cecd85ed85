"""The reading level: what everybody has, what it grows with, and where it ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.community.boards.level import HIGHEST, NEW, reading_level


@pytest.mark.parametrize(
    ("posts", "days", "essence", "membership", "level"),
    [
        (2, 8, 0, "pawn", 10),  # the forum of the seeds
        (49, 29, 0, "pawn", 10),
        (50, 30, 0, "pawn", 25),
        (1000, 365, 0, "pawn", 50),
        (0, 0, 3, "pawn", 25),
        (0, 0, 9, "pawn", 30),
        (0, 0, 0, "knight", 20),
        (9999, 9999, 99, "rook", 90),
    ],
)
def test_it_grows(posts: int, days: int, essence: int, membership: str, level: int) -> None:
    assert reading_level(membership=membership, posts=posts, days=days, essence=essence) == level


@given(st.integers(0, 10**6), st.integers(0, 10**5), st.integers(0, 1000), st.sampled_from(["pawn", "knight", "rook"]))
def test_it_never_sinks_by_doing_more_and_ends(posts: int, days: int, essence: int, membership: str) -> None:
    level = reading_level(membership=membership, posts=posts, days=days, essence=essence)
    more = reading_level(membership=membership, posts=posts + 1, days=days + 1, essence=essence + 1)
    assert NEW <= level <= more <= HIGHEST


def test_what_a_moderator_sets_counts_alone() -> None:
    assert reading_level(membership="rook", posts=9999, days=999, essence=9, given=0) == 0
    assert reading_level(membership="pawn", posts=0, days=0, essence=0, given=70) == 70
