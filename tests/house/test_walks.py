"""Every walk that is said to be proved is proved by a test that is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.hall.walks import WALKS

FOLDER = Path(__file__).parents[1] / "hall" / "walks"


@pytest.mark.parametrize(("walk", "test"), [(walk, test) for walk, tests in WALKS.items() for test in tests])
def test_a_walk_has_its_test(walk: str, test: str) -> None:
    file, name = test.split("::")
    text = (FOLDER / file).read_text("utf-8")
    assert f"\ndef {name}(" in text
    assert walk in text
