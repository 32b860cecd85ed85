"""Frames: what is none is refused with the field that is wrong, and with as much of its address as can be read."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.hall.table import commands
from qipai.hall.table.messages import Err
from qipai.web.protocol import encode, read_frame, version, without_nul


def wire(message: Any) -> Any:
    return msgspec.json.decode(encode(message))


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            '{"t":"hello","v":1,"lang":"zh-CN","client":"web 0.1.0"}',
            commands.Hello(1, lang="zh-CN", client="web 0.1.0"),
        ),
        ('{"t":"join","table":17,"ch":"17.2","after":41}', commands.Join(17, ch="17.2", after=41)),
        ('{"t":"sit","cid":"q-1","table":17,"seat":2}', commands.Sit("q-1", 17, 2)),
        (
            '{"t":"act","cid":"q-71","table":17,"ask":9,"action":{"a":"close"}}',
            commands.Act("q-71", 17, {"a": "close"}, 9),
        ),
        ('{"t":"fill","cid":"q-5","table":17,"seat":4,"level":null}', commands.Fill("q-5", 17, 4, None)),
        ('{"t":"ping","n":7,"seen":1790000000000,"held":14980}', commands.Ping(7, 1790000000000, 14980)),
        ('{"t":"exit","room":1}', commands.Exit(1)),
    ],
)
def test_the_examples_of_the_specification_are_read(frame: str, message: Any) -> None:
    assert read_frame(frame) == message


@pytest.mark.parametrize(
    ("frame", "field"),
    [
        ("", ""),
        ("no json", ""),
        ('{"t":"ping","n":1', ""),
        ("[]", ""),
        ("7", ""),
        ("null", ""),
        ("{}", "t"),
        ('{"t":7}', "t"),
        ('{"t":"dance"}', "t"),
        ('{"t":"welcome"}', "t"),
        ('{"t":"join"}', "table"),
        ('{"t":"join","table":"17"}', "table"),
        ('{"t":"join","table":1.5}', "table"),
        ('{"t":"join","table":-1}', "table"),
        ('{"t":"join","table":true}', "table"),
        ('{"t":"join","table":17,"spice":1}', "spice"),
        ('{"t":"join","table":17,"a`b.c[0]":1}', "a`b.c[0]"),
        ('{"t":"sit","table":17,"seat":2}', "cid"),
        ('{"t":"sit","cid":"","table":17,"seat":2}', "cid"),
        ('{"t":"sit","cid":"a b","table":17,"seat":2}', "cid"),
        ('{"t":"sit","cid":"a\\n","table":17,"seat":2}', "cid"),
        ('{"t":"sit","cid":"' + "x" * 37 + '","table":17,"seat":2}', "cid"),
        ('{"t":"sit","cid":"q１","table":17,"seat":2}', "cid"),
        ('{"t":"sit","cid":"q好","table":17,"seat":2}', "cid"),
        ('{"t":"sit","cid":"q\\u00e9","table":17,"seat":2}', "cid"),
        ('{"t":"sit","cid":"q","table":17,"seat":99}', "seat"),
        ('{"t":"ready","cid":"q","table":17,"on":1}', "on"),
        ('{"t":"set","cid":"q","table":17,"options":[]}', "options"),
        ('{"t":"fill","cid":"q","table":17,"seat":1,"level":""}', "level"),
        ('{"t":"say","cid":"q","to":"hall","text":"' + "好" * 201 + '"}', "text"),
        ('{"t":"follow","list":"spies","on":true}', "list"),
        ('{"t":"act","cid":"q","table":17,"action":' + '{"a":' * 8000 + "1" + "}" * 8000 + "}", ""),
        ('{"t":"act","cid":"q","table":17,"action":{"a":"\\ud800"}}', ""),
        *(
            (f'{{"t":"{kind}","cid":"q","table":17,"action":{action}}}', "action")
            for kind in ("act", "try")
            for action in ("[1]", "[]", '"move"', "7", "null", "true")
        ),
    ],
)
def test_the_field_that_is_wrong_is_named(frame: str, field: str) -> None:
    err = read_frame(frame)
    assert isinstance(err, Err)
    assert (err.code, err.facts) == ("BAD_MESSAGE", {"field": field})


def test_an_err_says_what_it_answers() -> None:
    assert wire(read_frame('{"t":"sit","cid":"q-1","table":17}')) == {
        "t": "err",
        "cid": "q-1",
        "re": "sit",
        "table": 17,
        "code": "BAD_MESSAGE",
        "facts": {"field": "seat"},
    }
    assert wire(read_frame('{"t":"sit","cid":"not good","table":"x"}')) == {
        "t": "err",
        "cid": None,
        "re": "sit",
        "code": "BAD_MESSAGE",
        "facts": {"field": "cid"},
    }
    assert wire(read_frame("{")) == {"t": "err", "cid": None, "re": None, "code": "BAD_MESSAGE", "facts": {"field": ""}}


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    assert isinstance(read_frame(text), Err)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@given(
    st.sampled_from(["sit", "act", "set", "say", "hello", "ping"]),
    st.dictionaries(st.text(max_size=6), JSON, max_size=4),
)
def test_whatever_is_read_can_be_answered(kind: str, fields: dict[str, Any]) -> None:
    found = read_frame(msgspec.json.encode({"t": kind, **fields}).decode())
    assert wire(found)["t"] == ("err" if isinstance(found, Err) else kind)


def test_the_version_is_read_whatever_else_a_later_hello_says() -> None:
    assert version('{"t":"hello","v":2,"quantum":true}') == 2
    assert version('{"t":"hello","v":"1"}') is None
    assert version('{"t":"hello","v":true}') is None
    assert version("{") is None


@given(st.recursive(st.text("ab\\\0u0", max_size=8), lambda inner: st.lists(inner, max_size=3), max_leaves=6))
def test_nothing_but_nuls_is_taken_out_of_texts(said: Any) -> None:
    def plain(one: Any) -> Any:
        return one.replace("\0", "") if isinstance(one, str) else [plain(each) for each in one]

    assert msgspec.json.decode(without_nul(encode(said).decode())) == plain(said)


def test_a_frame_has_no_nul() -> None:
    heard = read_frame('{"t":"say","cid":"q1","to":"table:1","text":"a\\u0000b"}')
    assert heard == commands.Say("q1", "table:1", "ab")
