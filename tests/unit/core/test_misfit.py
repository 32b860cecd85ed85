"""A stranger's data that do not fit are told of in our own words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from qipai import cli, games
from qipai.config import ConfigError, load
from qipai.core import conform
from qipai.core.conform import Failure
from qipai.core.entry import AnyEntry, BadOption
from qipai.core.misfit import misfit

THEIRS = ("Expected `", "Invalid ", "Object ", "JSON is malformed", " - at `$")  # msgspec's own words


class Part(Struct, forbid_unknown_fields=True):
    n: Annotated[int, Meta(ge=1, le=9)] = 1
    word: Annotated[str, Meta(max_length=3, pattern="^[a-z]*$")] = ""
    one: Literal["a", "b"] = "a"
    on: bool | None = None


class Whole(Struct):
    name: str
    parts: list[Part] = []


@pytest.mark.parametrize(
    ("text", "why", "said"),
    [
        ("{", "text", "it cannot be read: that is no JSON"),
        ("", "text", "it cannot be read: that is no JSON"),
        ("[]", "kind", "the whole must be an object"),
        ("{}", "missing", "name is missing"),
        ('{"name": 7}', "kind", "name must be a text"),
        ('{"name": "x", "parts": 7}', "kind", "parts must be a list"),
        ('{"name": "x", "parts": [{"m": 1}]}', "unknown", "parts[0].m is not known"),
        ('{"name": "x", "parts": [{"n": "1"}]}', "kind", "parts[0].n must be a whole number"),
        ('{"name": "x", "parts": [{"n": 0}]}', "bound", "parts[0].n must be a whole number of at least 1"),
        ('{"name": "x", "parts": [{"n": 10}]}', "bound", "parts[0].n must be a whole number of at most 9"),
        ('{"name": "x", "parts": [{"word": "long"}]}', "bound", "parts[0].word must be a text of length at most 3"),
        ('{"name": "x", "parts": [{"word": "A"}]}', "value", "parts[0].word has a value that there is not"),
        ('{"name": "x", "parts": [{"one": "c"}]}', "value", "parts[0].one has a value that there is not"),
        ('{"name": "x", "parts": [{"on": 1}]}', "kind", "parts[0].on must be true or false or null"),
    ],
)
def test_what_does_not_fit_is_named(text: str, why: str, said: str) -> None:
    with pytest.raises(msgspec.DecodeError) as wrong:
        msgspec.json.decode(text, type=Whole)
    found = misfit(wrong.value)
    assert (found.why, str(found)) == (why, said)


def test_a_complaint_of_a_later_version_is_a_wrong_value() -> None:
    assert str(misfit(msgspec.ValidationError("Thou shalt not - at `$.x`"))) == "x has a value that there is not"


def refused(entry: AnyEntry, name: str, value: Any) -> BadOption | None:
    """Return how a value of an option is refused, None where it is none."""
    try:
        entry.chosen({name: value})
    except BadOption as wrong:
        return wrong
    return None


@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize("value", [[], {}, "no such thing", -1, 10**9, 1.5])
def test_no_option_is_refused_in_their_words(game: str, value: Any) -> None:
    entry = games.find(game)
    found = {name: wrong for name in entry.option_names() if (wrong := refused(entry, name, value)) is not None}
    assert found
    for name, wrong in found.items():
        assert wrong.field == name
        assert len(str(wrong)) > 5
        assert not any(words in str(wrong) for words in THEIRS)


def test_a_type_that_looks_for_itself_says_it_in_its_own_words() -> None:
    class Even(Struct):
        n: int

        def __post_init__(self) -> None:
            if self.n % 2:
                raise ValueError("n must be even")

    with pytest.raises(msgspec.ValidationError) as wrong:
        msgspec.convert({"n": 1}, Even)
    assert str(misfit(wrong.value)) == "n must be even"


def test_a_line_that_is_no_case_is_told_of_in_ours() -> None:
    lines = ["{", "[]", '{"id": "x"}', '{"id": 7, "game": "g", "kind": "k", "given": {}, "expect": 1}']
    found = [each.why for each in conform.read(lines, "f") if isinstance(each, Failure)]
    assert found == [
        "not a case: it cannot be read: that is no JSON",
        "not a case: the whole must be an object",
        "not a case: game is missing",
        "not a case: id must be a text",
    ]


SETTINGS = ("seats = 1", "[seats]\ngrace_s = 'x'", "[seats]\ngrace_s = -1", "[nothing]", "[[web]]")
RECORDS = ('{"game": "xiangqi", "options": {"turn_seconds": []}}', '{"game": 7}', '{"rows": [], "fair": 1}')


@pytest.mark.parametrize("text", SETTINGS)
def test_no_setting_is_refused_in_their_words(text: str, tmp_path: Path) -> None:
    (tmp_path / "hall.toml").write_text(text)
    with pytest.raises(ConfigError) as wrong:
        load(tmp_path / "hall.toml")
    assert not any(words in str(wrong.value) for words in THEIRS)


@pytest.mark.parametrize("text", RECORDS)
def test_no_record_is_refused_in_their_words(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.jsonl").write_text(text + "\n")
    assert cli.main(["replay", str(tmp_path / "x.jsonl")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("qipai replay: ")
    assert not any(words in said for words in THEIRS)
