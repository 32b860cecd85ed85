"""Text of files whose encoding nobody says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.core.encoding import decoded

SIGNS = frozenset("炮马馬车車平进進二五")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("炮二平五 马8进7", "utf-8"),
        ("炮二平五 马8进7", "utf-8-sig"),
        ("炮二平五 马8进7", "utf-16"),
        ("炮二平五 马8进7", "gb18030"),
        ("炮二平五 馬8進7", "big5"),
        ("许银川 炮", "gb18030"),
        ("許銀川 炮", "big5"),
    ],
)
def test_an_encoding_is_found_out(text: str, encoding: str) -> None:
    assert decoded(text.encode(encoding), SIGNS) == text


def test_letters_alone_among_ascii_are_latin() -> None:
    assert decoded("Jörg : 0   Zoë : 1".encode("cp1252")) == "Jörg : 0   Zoë : 1"
    assert decoded("林海 : 0   袁 : 1".encode("gb18030")) == "林海 : 0   袁 : 1"


@given(st.binary(max_size=80))
def test_any_bytes_are_text(data: bytes) -> None:
    assert isinstance(decoded(data), str)
    assert isinstance(decoded(data, SIGNS), str)
