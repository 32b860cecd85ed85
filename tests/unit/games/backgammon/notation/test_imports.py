"""Matches of other programs' files as records that the hall replays (backgammon 11)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.games.backgammon.records import played

from qipai import games
from qipai.core.contract import BadNotation
from qipai.core.entry import Found
from qipai.core.record import replayed, verified
from qipai.games.backgammon import ENTRY

MATCHES = [
    {},
    {"match_to": 3},
    {"match_to": 5},
    {"games": 4},
    {"games": 3, "jacoby": True, "beavers": True},
    {"games": 4, "auto_doubles": 3},
    {"variant": "nackgammon", "match_to": 3},
    {"variant": "hyper", "match_to": 5},
]

MONEY = """\
; [Site "a club"]
; [EventDate "2003.01.02"]

 0 point match

 Game 1
 Jörg : 0                      Ann : 0
  1) 31: 8/5 6/5                  64: 24/14
  2)  Doubles => 2                 Drops
      Wins 1 point

 Game 2
 Jörg : 1                      Ann : 0
  1)                              21: 13/11 6/5
  2) 66: 24/18 24/18 13/7 13/7
"""


def read(data: bytes) -> list[Found]:
    """Every record of a file, as the house reads it that knows nothing of it."""
    seen = games.recognised(data)
    assert seen is not None
    assert seen[0] == "backgammon"
    return [one() for one in ENTRY.records.imports(data, seen[1])]


@pytest.mark.parametrize("form", ["mat", "sgf"])
@pytest.mark.parametrize("raw", MATCHES, ids=str)
@pytest.mark.parametrize("seed", [1, 4])
def test_what_the_hall_writes_comes_back(raw: dict[str, object], seed: int, form: str) -> None:
    record = played(raw, seed)
    [one] = read(ENTRY.records.formats[form](record).encode())
    told = [row[1] for row in record.rows if row[1]["a"] in ("play", "double", "take", "drop", "beaver", "dice")]
    back = [row[1] for row in one.record.rows if row[1]["a"] in ("play", "double", "take", "drop", "beaver", "dice")]
    assert [action.get("m") for action in back] == [action.get("m") for action in told]
    assert [sorted(action.get("d", ())) for action in back] == [sorted(action.get("d", ())) for action in told]
    outcome = verified(ENTRY, one.record)
    assert outcome is not None
    assert (list(outcome.points), outcome.why) == (list(record.outcome["points"]), record.outcome["why"])
    assert one.record.players == record.players


def test_a_file_of_another_program_replays() -> None:
    [one] = read(MONEY.encode("cp1252"))
    assert one.record.players == ("Jörg", "Ann")
    assert one.record.date == "2003-01-02"
    assert one.titles["site"] == "a club"
    assert one.titles["score"] == "1–0"
    assert one.record.options == {"games": 2}
    assert replayed(ENTRY, one.record) is None  # the second game goes on
    assert one.record.rows[0][1] == {"a": "opening", "d": (3, 1)}
    assert [row[1]["a"] for row in one.record.rows].count("opening") == 2


def test_a_resignation_in_the_others_turn_parts_the_match() -> None:
    text = MONEY.replace("  2)  Doubles => 2                 Drops\n", "")  # whose turn it is wins
    first, second = read(text.encode())
    assert replayed(ENTRY, first.record) is None
    assert second.record.rows[0][1] == {"a": "opening", "d": (1, 2)}
    assert second.titles["score"] == "1–0"


def test_a_match_that_begins_in_its_middle_is_played_as_its_games() -> None:
    text = MONEY.replace("0 point match", "7 point match").replace("Jörg : 0", "Jörg : 3").replace("Ann : 0", "Ann : 2")
    [one] = read(text.encode())
    assert one.record.options == {"games": 2}
    assert (one.titles["match"], one.titles["from"]) == ("7", "3–2")


def test_comments_of_sgf_are_kept() -> None:
    text = "(;FF[4]GM[6]CA[UTF-8]MI[length:1][game:0][ws:0][bs:0]PW[A]PB[林]EV[杯];W[31hefe]C[the point];B[64aggk])"
    [one] = read(text.encode())
    assert one.record.players == ("A", "林")
    assert one.titles["event"] == "杯"
    assert one.notes == {2: "the point"}


@pytest.mark.parametrize(
    ("old", "new", "facts"),
    [
        ("8/5 6/5", "8/5 6/4", {"line": 8, "move": "31: 8/5 6/4"}),
        (" Doubles => 2                 Drops", "62: 24/18 13/11            31: 13/9", {"line": 9}),
        ("64: 24/14", "64: 24/1", {"line": 8}),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(old: str, new: str, facts: dict[str, object]) -> None:
    with pytest.raises(BadNotation) as caught:
        read(MONEY.replace(old, new).encode())
    assert caught.value.code == "bad_record"
    assert facts.items() <= caught.value.facts.items()


@pytest.mark.slow
@pytest.mark.parametrize("form", ["mat", "sgf"])
@given(data=st.data())
@settings(max_examples=60)
def test_a_damaged_file_is_a_match_or_refused(form: str, data: st.DataObject) -> None:
    text = ENTRY.records.formats[form](PLAYED)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        text = (
            text[:at]
            + data.draw(st.sampled_from(["", "(", ")", "31", "]", ":", " Takes", "\n", "x"]))
            + text[at + data.draw(st.integers(0, 4)) :]
        )
    if ENTRY.records.recognise(text.encode()) != form:
        return
    try:
        for one in ENTRY.records.imports(text.encode(), form):
            replayed(ENTRY, one().record)
    except BadNotation as wrong:
        refused = wrong
    else:
        return
    assert "why" in refused.facts


PLAYED = played({"games": 2}, 3)
