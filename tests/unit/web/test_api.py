"""Whatever body a call is sent that is none of its own, the answer is a sentence of ours, in every language."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import qipai.web.calls  # noqa: F401  # it declares them
from qipai import lang
from qipai.hall.table.messages import Err
from qipai.web.api import CALLS, status_of
from qipai.web.protocol import NoBody, bad_field, read_frame

WRONG: tuple[Any, ...] = ({"a": [{}]}, [[{}]], 1.5, "\u0000" * 100_000)
THEIRS = ("Expected", "Invalid", "Object", "JSON", "`", "$")  # msgspec's own words
BODIES: dict[tuple[str, str], Any] = {
    (call.method, call.path): call.body or NoBody
    for call in CALLS
    if call.method != "GET" and isinstance(call.body or NoBody, type(NoBody))  # the rest take any object
}


def wrong_bodies(body: Any) -> list[tuple[bytes, str | None]]:
    """Return what is no such body, each with the field that is to be named; None: one of them."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(body)}
    found: list[tuple[bytes, str | None]] = [(b'{"no_such_field": 1}', "no_such_field" if not missing(body) else None)]
    for name, field in fields.items():
        for value in WRONG:
            data = {name: value}
            try:
                msgspec.convert(value, field.type)
            except msgspec.ValidationError:
                found.append((msgspec.json.encode(data), name if not missing(body) - {name} else None))
    if needed := missing(body):
        found.append((b"{}", next(iter(needed)) if len(needed) == 1 else None))
    return found


def complaint(data: bytes, body: Any) -> str | None:
    """Return the field that a body is refused for, None where it is taken."""
    try:
        msgspec.json.decode(data, type=body)
    except msgspec.DecodeError as wrong:
        return bad_field(wrong)
    return None


def missing(body: Any) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(body) if field.required}


def test_there_are_calls() -> None:
    assert len(BODIES) > 50


@pytest.mark.parametrize("call", BODIES, ids=" ".join)
def test_a_body_that_is_none_is_answered_in_our_words(call: tuple[str, str]) -> None:
    body = BODIES[call]
    found = [(named, field, data) for data, field in wrong_bodies(body) if (named := complaint(data, body)) is not None]
    assert found
    for named, field, data in found:
        assert named
        assert field in (None, named), data
        for name in lang.languages():
            said = lang.fill(lang.hall(name)["BAD_MESSAGE"], {"field": named})
            assert named in said
            assert not any(words in said for words in THEIRS), said
    assert status_of("BAD_MESSAGE") == 400


@pytest.mark.parametrize(
    ("name", "field", "said"),
    [
        ("en", "seat", "Not understood: seat in this message is not as it should be. Reload the page and try again."),
        ("en", "", "Not understood: this message is not as it should be. Reload the page and try again."),
        ("zh-CN", "seat", "听不懂：这条消息里 seat 不合规矩。重新载入页面再试。"),
        ("zh-CN", "", "听不懂：这条消息不合规矩。重新载入页面再试。"),
    ],
)
def test_a_message_that_cannot_be_read_at_all_has_a_whole_sentence(name: str, field: str, said: str) -> None:
    found = read_frame("{" if not field else '{"t":"sit","cid":"a","table":1,"seat":"x"}')
    assert isinstance(found, Err)
    assert found.facts == {"field": field}
    assert lang.fill(lang.hall(name)["BAD_MESSAGE"], found.facts, lang=name) == said
