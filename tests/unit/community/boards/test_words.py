"""The search finds Chinese words of any length, and takes nothing that is typed for syntax."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.community.boards import words

TEXTS = [
    "讨论板里谈象棋和够级",
    "象棋比赛:炮二平五,马八进七",
    "Gouji with six players — 够级六人",
    "板。讨论",
    "ＧＯＵＪＩ full width",
    "100% <script>alert('x')</script> AND OR NOT",
    "שלום עולם and some words",
    "一",
]


@pytest.fixture(scope="module")
def index() -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(":memory:")
    db.execute(
        "CREATE VIRTUAL TABLE post_words USING fts5 (words, chars, content = '', columnsize = 0, tokenize = 'ascii')"
    )
    for number, text in enumerate(TEXTS):
        db.execute("INSERT INTO post_words (rowid, words, chars) VALUES (?, ?, ?)", (number, *words.indexed("", text)))
    yield db
    db.close()


def find(db: sqlite3.Connection, query: str) -> list[int]:
    if not (wanted := words.conditions(query)):
        return []
    sql = "SELECT rowid FROM post_words WHERE post_words MATCH ? ORDER BY rowid"
    return [row[0] for row in db.execute(sql, (words.match_of(wanted),))]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("象棋", [0, 1]),
        ("板", [0, 3]),
        ("讨论板", [0]),
        ("板讨论", []),  # 板。讨论 does not stand side by side
        ("够级 六人", [2]),
        ("够级", [0, 2]),
        ("一", [7]),
        ("gouj", [2, 4]),
        ("ｇｏｕｊｉ", [2, 4]),
        ("炮二平五", [1]),
        ("עולם", [6]),
        ("\u202eשלום", [6]),
        ("AND OR NOT ( *", [5]),
        ("\"'%", []),
        ("100%", [5]),
        ("words : 象棋", []),
        ("", []),
        ("NEAR(象棋 够级)", []),
    ],
)
def test_what_is_found(index: sqlite3.Connection, query: str, found: list[int]) -> None:
    assert find(index, query) == found


@given(st.text(max_size=120))
def test_whatever_is_typed_is_a_query_and_no_syntax(index: sqlite3.Connection, query: str) -> None:
    find(index, query)
    assert "".join(part.text for part in words.marked(query, query, 500)) == query


@given(st.text("讨论板象棋ab 。<", min_size=1, max_size=30), st.integers(0, 29), st.integers(1, 6))
def test_every_piece_of_a_chinese_text_is_found_and_marked(text: str, at: int, most: int) -> None:
    piece = text[at : at + most]
    runs = words.terms(piece)
    if not runs or any(run.isascii() for run in runs):
        return
    with sqlite3.connect(":memory:") as db:
        db.execute("CREATE VIRTUAL TABLE post_words USING fts5 (words, chars, content = '', tokenize = 'ascii')")
        db.execute("INSERT INTO post_words (rowid, words, chars) VALUES (1, ?, ?)", words.indexed("", text))
        assert find(db, piece) == [1]
    marked = words.marked(text, piece, 500)
    hits = [part.text for part in marked if part.hit]
    assert hits
    assert all(any(run in hit for hit in hits) for run in runs)
    assert "".join(part.text for part in marked) == text


def test_an_excerpt_has_no_marks() -> None:
    text = "> [青屿 · #1](/threads/1?post=1)\n>\n> 我**觉得**好\n\n## 同意，[书](/x) 2*3 `a`\n/g/abcdefgh#3"
    assert words.read_as(text) == "我觉得好 同意，[书](/x) 23 a /g/abcdefgh#3"


def test_an_excerpt_shows_the_cells_of_a_table() -> None:
    text = "先手\n\n| 先 | 后 |\n|:---|---:|\n| 炮 | 马 |\n\n> | 甲 |\n> |---|\n\n---\n甲|乙 a||b"
    assert words.read_as(text) == "先手 先 · 后 炮 · 马 甲 甲|乙 a||b"


def test_an_excerpt_stands_around_what_was_found() -> None:
    text = "前" * 500 + "<b>象棋</b>" + "后" * 500
    parts = words.marked(text, "象棋")
    assert parts[0] == words.TextPart("…", False)
    assert parts[-1] == words.TextPart("…", False)
    assert [part.text for part in parts if part.hit] == ["象棋"]
    assert sum(len(part.text) for part in parts) == 202
