"""What was made of texts is kept while it is asked for, and no more of it than there is room for."""

from __future__ import annotations

from qipai.community.renderings import Renderings


def test_what_was_unused_for_longest_goes_first() -> None:
    kept = Renderings(10)
    a, b, c = (Renderings.key(text, {}) for text in "abc")
    kept.keep(a, "12345")
    kept.keep(a, "12345")
    kept.keep(b, "12345")
    assert kept.find(a) == "12345"
    kept.keep(c, "1")
    assert [kept.find(key) for key in (a, b, c)] == ["12345", None, "1"]
    kept.keep(b, 11 * "x")
    assert kept.find(b) is None


def test_a_key_holds_what_a_text_becomes() -> None:
    key = Renderings.key
    assert key("hello @you", {"you": 1}) != key("hello @you", {"you": 2})
    assert key("hello @you", {}) != key("hello @you", {"you": 1})
    assert key("hello @you", {"you": 1}) == key("hello @you", {"you": 1, "other": 2})
    assert key("a", {}) != key("b", {})
    assert key("\ud800", {})
