"""Games of other programs' files as records that the hall replays (xiangqi 11)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.games.xiangqi import records_twin as twin

from qipai import games
from qipai.core.contract import BadNotation
from qipai.core.entry import Found, Record
from qipai.core.record import replayed, verified
from qipai.games.xiangqi import ENTRY
from qipai.games.xiangqi.notation.imports import found

TAGS = '[Game "Chinese Chess"]\n[Event "全国赛"]\n[Red "胡荣华"]\n[Black "柳大华"]\n[Date "1980.01.02"]\n'
MOVES = "1. 炮二平五 {中炮局} 马８进７ (1... 炮８平５ 2. 马二进三)\n2. 马二进三 车９平８ "


def read(data: bytes) -> list[Found]:
    """Every game of a file, as the house reads it that knows nothing of it."""
    seen = games.recognised(data)
    assert seen is not None
    assert seen[0] == "xiangqi"
    return [one() for one in ENTRY.records.imports(data, seen[1])]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_a_file_of_another_program_replays(encoding: str) -> None:
    [one] = read(f'{TAGS}[Result "1-0"]\n\n{MOVES}1-0\n'.encode(encoding))
    assert one.record.players == ("胡荣华", "柳大华")
    assert one.record.date == "1980-01-02"
    assert one.titles["event"] == "全国赛"
    assert [row[1].get("m") for row in one.record.rows] == ["h2e2", "h9g7", "h0g2", "i9h9", None]
    assert one.notes == {1: "中炮局"}
    [aside] = one.asides
    assert (aside.after, aside.words["zh"].split()[0]) == (1, "炮8平5")
    outcome = verified(ENTRY, one.record)
    assert outcome is not None
    assert (outcome.why, outcome.places) == ("resign", (1, 2))


def test_traditional_characters_in_big5_are_read() -> None:
    text = '[Game "Chinese Chess"]\n[Red "許銀川"]\n[Black "呂欽"]\n\n1. 炮二平五 馬8進7\n2. 馬二進三 車9平8\n'
    [one] = read(text.encode("big5"))
    assert one.record.players == ("許銀川", "呂欽")
    assert len(one.record.rows) == 4


@pytest.mark.parametrize(
    ("result", "why", "places"),
    [("1-0", "resign", (1, 2)), ("0-1", "resign", (2, 1)), ("1/2-1/2", "agreement", (1, 1)), ("*", None, None)],
)
def test_the_end_is_the_one_that_the_file_tells(result: str, why: str | None, places: tuple[int, int] | None) -> None:
    [one] = read(f'{TAGS}[Result "{result}"]\n\n{MOVES}{result}\n'.encode())
    outcome = replayed(ENTRY, one.record)
    if outcome is None:
        assert why is None
        assert one.record.outcome is None
    else:
        assert outcome.places == places
        assert one.record.outcome["places"] == list(places or ())
        assert outcome.why == why


@given(twin.records(st.text("红黑车马炮兵 abc!", max_size=15).map(str.strip), "red", "black", "event"))
@settings(max_examples=40)
def test_what_the_hall_writes_comes_back(game: object) -> None:
    one = found(game)  # type: ignore[arg-type]
    for name, write in ENTRY.records.formats.items():
        if name == "ucci":  # which has no headers and no result
            continue
        try:
            text = write(one.record)
        except BadNotation:
            continue
        data = text.encode()
        seen = games.recognised(data)
        assert seen is not None
        [back] = [read() for read in ENTRY.records.imports(data, seen[1])]
        moves = [row[1]["m"] for row in one.record.rows if row[1]["a"] == "move"]
        assert [row[1]["m"] for row in back.record.rows if row[1]["a"] == "move"] == moves
        replayed(ENTRY, back.record)


def test_a_game_that_went_on_where_the_house_would_have_ended_it_is_whole() -> None:
    shuffle = ["h2e2", "h7e7", "e2h2", "e7h7"] * 3  # a position that comes four times ends a game of the house
    record = Record(
        game="xiangqi",
        options={"repetition_count": 5},
        rows=tuple((n % 2, {"a": "move", "m": m}, 0) for n, m in enumerate(shuffle)),
    )
    [one] = read(ENTRY.records.formats["pgn"](record).encode())
    assert one.beyond == 0
    assert len(one.record.rows) == len(shuffle)
    replayed(ENTRY, one.record)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (f"{TAGS}\n1. 炮二平五 马８进７\n2. 马二进九 车９平８\n", {"line": 8, "ply": 3, "move": "马二进九"}),
        (f"{TAGS}\n1. 炮二平五 马８进７\n2. 马二进三)\n", {"line": 8, "why": "bracket"}),
        (f"{TAGS}\n1. 炮二平五 (1. 炮八平五\n", {"why": "cut_short"}),
        ("position startpos moves h2e2 h9g7\nposition startpos moves h2e2 h2e3\n", {"line": 2, "ply": 2}),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(text: str, facts: dict[str, object]) -> None:
    with pytest.raises(BadNotation) as caught:
        read(text.encode())
    assert caught.value.code == "bad_record"
    assert facts.items() <= caught.value.facts.items()


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"%PDF-1.4 [x]", b"(;GM[1]FF[4];B[pd])", "你好，世界".encode("gb18030")]
)
def test_what_is_no_record_is_not_taken_for_one(data: bytes) -> None:
    assert games.recognised(data) is None


@given(st.binary(max_size=200) | st.text('[]{}()"炮二平五马8进7 1.*-/;\n', max_size=80).map(str.encode))
@settings(max_examples=300)
def test_any_file_is_games_or_refused(data: bytes) -> None:
    form = ENTRY.records.recognise(data)
    if form is None:
        return
    try:
        for one in ENTRY.records.imports(data, form):
            replayed(ENTRY, one().record)
    except BadNotation as wrong:
        refused = wrong
    else:
        return
    assert "why" in refused.facts
