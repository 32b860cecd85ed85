from __future__ import annotations

from typing import Any

import pytest

from qipai.cli.conform import kinds_of


@pytest.mark.parametrize(
    ("kind", "given", "field"),
    [
        ("pass_month", {"highest": [1, 3]}, "config"),
        ("pass_step", {"state": {"pass": 1, "highest": 1, "points": 5}, "event": {"kind": "win"}}, "config"),
        ("quit_points", {"game": "backgammon", "phase": "playing", "cause": "quit"}, "cube"),
        ("pond_script", {"variant": "regular", "players": ["a", "b"], "bids": [{"a": 1, "b": 2}]}, "start"),
        ("poll", {"options": ["x", "y"], "closes": 9, "votes": [["u", 0, 1], ["u", 1, 2]]}, "may_change"),
    ],
)
def test_a_field_that_may_be_left_out_may_be_null(kind: str, given: dict[str, Any], field: str) -> None:
    kinds = kinds_of("platform")
    assert kinds is not None
    assert kinds[kind].run({**given, field: None}) == kinds[kind].run(given)


@pytest.mark.parametrize("name", ["up", "down", "strict", "max_pass"])
def test_a_number_of_the_climb_that_is_null_is_the_usual_one(name: str) -> None:
    kinds = kinds_of("platform")
    assert kinds is not None
    given = {"state": {"pass": 1, "highest": 1, "points": 5}, "event": {"kind": "win"}, "config": {name: None}}
    assert kinds["pass_step"].run(given)["moved"] == "up"
