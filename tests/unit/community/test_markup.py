"""What people write becomes HTML that is safe to show."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.community import markup

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](//evil.example)",
    "[x](/\\\\evil.example)",
    "![x](https://evil.example/pixel.png)",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "`<svg onload=alert(1)>`",
    "| a | b |\n|:-|-:|\n| <iframe src=//x> | y |",
    'https://a.example/"onmouseover="alert(1)',
    "@<b>x</b>",
]


class Seen(HTMLParser):
    """Collects tags and attributes, as a browser would read them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.values: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.values += [(name, value or "") for name, value in attrs]


def _safe(html: str) -> None:
    seen = Seen()
    seen.feed(html)
    assert seen.tags <= markup.TAGS
    for name, value in seen.values:
        assert not name.startswith("on")
        if name == "href":
            assert value.startswith(("https://", "http://", "#")) or (value[0] == "/" and value[1:2] not in ("/", "\\"))


@pytest.mark.parametrize("text", ATTACKS)
def test_attacks_are_words(text: str) -> None:
    _safe(markup.rendered(text))


@given(
    st.text(max_size=200) | st.lists(st.sampled_from([*ATTACKS, "*", "[", "](", "`", "\n", "> ", "@x"])).map("".join)
)
def test_any_text_is_safe(text: str) -> None:
    _safe(markup.rendered(text))


def test_what_people_may_write() -> None:
    html = markup.rendered("# 标题\n**粗** *斜* ~~去~~\n\n> 引用\n\n- 一\n- 二")
    assert "<h3>标题</h3>" in html
    assert "<strong>粗</strong> <em>斜</em> <s>去</s>" in html
    assert "<blockquote>" in html
    assert html.count("<li>") == 2


def test_addresses_and_mentions_lead_somewhere() -> None:
    html = markup.rendered("@王五 看 https://a.example/x?y=1。 `@王五` @nobody", {"王五": 5})
    assert '<a href="/users/5"' in html
    assert 'href="https://a.example/x?y=1"' in html
    assert html.count("/users/") == 1
    assert markup.mentioned("@王五 `@李四` a@b.c @zhao-6 @王五") == ["王五", "zhao-6"]


def test_a_game_alone_on_a_line_is_shown() -> None:
    html = markup.rendered("看这一局：\n\n/g/abcdefgh1#12\n\n好")
    assert '<div data-game="abcdefgh1" data-ply="12">' in html
    assert markup.embedded("看\n/g/abcdefgh1#12\nx /g/abcdefgh1") == [("abcdefgh1", 12)]


def test_a_table_is_shown_and_one_that_would_fill_pages_stays_text() -> None:
    small = markup.rendered("a paragraph\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 |\n")
    assert small.count("<td") == 4
    assert markup.rendered("> | a | b |\n> |---|---|\n> | 1 | 2 |\n").count("<td") == 2
    large = "a|" * 100 + "\n" + "-|" * 100 + "\n" + "a\n" * 1000
    assert "<t" not in markup.rendered(large)
    assert len(markup.rendered(large)) < 3 * len(large)
    # What comes after it is not concerned.
    assert markup.rendered(f"{large}\n\n| a |\n|---|\n| 1 |\n").count("<td") == 1
