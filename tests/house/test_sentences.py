"""The grammar of sentences, by the cases that the client's own reading is held to as well (docs/sentences.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from qipai import lang
from qipai.lang.plurals import plural

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "sentences.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES["sentences"], ids=lambda case: case["what"])
def test_a_sentence_is_filled(case: dict[str, Any]) -> None:
    voice = CASES["voices"].get(case["lang"], {})
    said = lang.fill(
        case["sentence"], case["facts"], voice.get("between", ", "), lang=case["lang"], you=voice.get("you", "")
    )
    assert said == case["said"]


@pytest.mark.parametrize("tongue", CASES["plurals"])
def test_plurals_are_those_of_cldr(tongue: str) -> None:
    for category, numbers in CASES["plurals"][tongue].items():
        assert {n: plural(tongue, str(n)) for n in numbers} == dict.fromkeys(numbers, category)
