"""The runner of conformance scripts finds what is wrong, whoever wrote it."""

from __future__ import annotations

from typing import Any

from qipai.games.gouji import ENTRY
from qipai.games.gouji.conform import facts
from qipai.games.gouji.rules import Gouji
from qipai.kit import scripts

HANDS = ["3478", "99x", "TT", "66", "77", "88"]


def run(*steps: Any) -> Any:
    rules = Gouji()
    return scripts.run_script(rules, rules.place(HANDS, 0), steps, ENTRY.act, lambda state: facts(rules, state))


def test_a_script_that_holds_is_ok() -> None:
    assert run({"check": {"phase": "lead"}}, [0, {"a": "play", "cards": "7"}], {"check": {"turn": [1]}}) == {"ok": True}


def test_a_wrong_fact_is_found() -> None:
    found = run([0, {"a": "play", "cards": "7"}], {"check": {"turn": [2]}})
    assert found["ok"] is False
    assert found["step"] == 1
    assert "turn" in found["why"]


def test_an_unknown_fact_is_found() -> None:
    assert "missing" in run({"check": {"mood": "good"}})["why"]


def test_a_refusal_that_was_not_expected_is_found() -> None:
    assert "not_a_set" in run([0, {"a": "play", "cards": "34"}])["why"]


def test_an_expected_refusal_that_does_not_come_is_found() -> None:
    assert "instead of not_a_set" in run([0, {"a": "play", "cards": "3"}, {"error": "not_a_set"}])["why"]


def test_a_wrong_view_is_found() -> None:
    assert run({"view": 1, "check": {"hand": "99x"}}) == {"ok": True}
    assert "hand" in run({"view": None, "check": {"hand": "99x"}})["why"]
