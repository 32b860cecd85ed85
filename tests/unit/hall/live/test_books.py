"""Who was first, as statistics count it (platform P-75)."""

from __future__ import annotations

import pytest

from qipai.hall.live.books import first_side


@pytest.mark.parametrize(
    ("places", "sides", "found"),
    [
        ((1, 2), (0, 1), "0"),
        ((2, 1), (0, 1), "1"),
        ((1, 1), (0, 1), "shared"),  # drawn
        ((1, 2, 1, 2), (0, 1, 0, 1), "side0"),
        ((2, 1, 2, 1), (0, 1, 0, 1), "side1"),
        ((1, 1, 1, 1), (0, 1, 0, 1), "shared"),
        ((6, 1, 2, 3, 4, 5), (0, 1, 0, 1, 0, 1), "side1"),
        ((2, 1, 1, 4), (0, 1, 2, 3), "shared"),
    ],
)
def test_who_was_first(places: tuple[int, ...], sides: tuple[int, ...], found: str) -> None:
    assert first_side(places, sides) == found
