"""Positions as text (xiangqi 11, 10)."""

from __future__ import annotations

import random

import pytest
from tests.unit.games.xiangqi import positions

from qipai.core.contract import BadNotation
from qipai.games.xiangqi.position import (
    START,
    START_FEN,
    apply,
    format_fen,
    parse_fen,
    point,
    square,
    valid_move,
)


def code(fen: str) -> str:
    with pytest.raises(BadNotation) as found:
        parse_fen(fen)
    return found.value.code


def test_points_and_squares_name_each_other() -> None:
    assert [square(point(square(number))) for number in range(90)] == [square(number) for number in range(90)]
    assert (point("a0"), point("i0"), point("a1"), point("i9")) == (0, 8, 9, 89)
    assert START.at("e0") == "K"
    assert START.at("h7") == "c"


def test_what_is_written_is_read_again() -> None:
    luck = random.Random(1)
    for _ in range(40):
        position = positions.played(luck, luck.randrange(80))
        assert parse_fen(format_fen(position)) == position


def test_other_letters_missing_fields_and_r_for_red_are_read() -> None:
    assert format_fen(parse_fen(START_FEN.split()[0])) == START_FEN
    assert format_fen(parse_fen(START_FEN.replace("N", "H").replace("b", "e").replace(" w", " r", 1))) == START_FEN
    assert format_fen(parse_fen(START_FEN.split()[0] + " b - - 7 31")).endswith(" b - - 7 31")


@pytest.mark.parametrize(
    "fen",
    [
        "",
        "9/9",
        START_FEN.replace("RNBAKABNR", "RNBAKABN"),
        START_FEN.replace("RNBAKABNR", "RNBAKABNRR"),
        START_FEN.replace("RNBAKABNR", "RNBAXABNR"),
        START_FEN.replace("/9/1c5c1", "/09/1c5c1"),
        START_FEN.replace("RNBAKABNR", "RNBA1ABNR"),
        START_FEN.replace("rnbakabnr", "rnbkkabnr"),
        START_FEN.replace(" w ", " x "),
        START_FEN.replace("0 1", "zero 1"),
        START_FEN.replace("0 1", "-1 1"),
        START_FEN.replace("0 1", "0 ²"),
        START_FEN + " more",
    ],
)
def test_bad_fen(fen: str) -> None:
    assert code(fen) == "bad_fen"


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "generals face each other"),
        ("4k4/9/9/9/9/9/9/9/4R4/3K5 w", "black is in check and red moves"),
        ("3k5/9/9/9/9/9/9/9/9/2K6 w", "general outside its palace"),
        ("3k5/9/9/9/9/9/9/9/3A5/4K4 w", "advisor between its points"),
        ("3k5/9/9/9/4B4/9/9/9/9/4K4 w", "elephant across the river"),
        ("3k5/9/9/9/9/9/9/1P7/9/4K4 w", "soldier behind its start"),
        ("3k5/9/9/9/9/1P7/9/9/9/4K4 w", "uncrossed soldier on a file where none starts"),
        ("3k5/9/9/9/1p7/9/9/9/9/4K4 w", "the same for black"),
        ("RRRk5/9/9/9/9/9/9/9/9/4K4 b", "three chariots"),
        ("PPPk5/PPP6/9/9/9/9/9/9/9/4K4 b", "six soldiers"),
    ],
)
def test_bad_position(fen: str, why: str) -> None:
    assert code(fen) == "bad_position", why


def test_a_tutorial_board_may_hold_anything_that_is_written_well() -> None:
    assert parse_fen("RRR6/9/9/9/9/9/9/9/9/9", check=False).at("a9") == "R"
    with pytest.raises(BadNotation):
        parse_fen("RRR7/9/9/9/9/9/9/9/9/9", check=False)


def test_counters_follow_the_moves() -> None:
    one = apply(START, "h2e2")
    assert (one.side, one.quiet, one.round) == (1, 1, 1)
    two = apply(one, "h7e7")
    assert (two.side, two.quiet, two.round) == (0, 2, 2)
    three = apply(two, "e2e6")
    assert (three.quiet, three.at("e6")) == (0, "C")


@pytest.mark.parametrize("text", ["", "h2", "h2e10", "H2E2", "h2h2", "j0a0", "h2e2 ", "h2-e2", "h२e2"])
def test_not_a_move(text: str) -> None:
    assert not valid_move(text)
