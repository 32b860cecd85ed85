"""Moves in every notation, both ways (xiangqi 11, R17)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.core.contract import BadNotation
from qipai.games.xiangqi.notation import from_uci, parse_move, to_dhtmlxq, to_iccs, to_uci, to_wxf, to_zh
from qipai.games.xiangqi.position import START, Position, apply, format_fen, legal_moves, parse_fen

# Soldiers in stacks of every height, for both sides.
TWO = "5k3/9/9/4P4/4P4/9/9/9/9/3K5 w"
THREE = "5k3/9/9/4P4/4P4/9/4P4/9/9/3K5 w"
FOUR = "5k3/9/4P4/4P4/4P4/9/4P4/9/9/3K5 w"
FIVE = "5k3/4P4/4P4/4P4/4P4/9/4P4/9/9/3K5 w"
TWO_AND_TWO = "5k3/9/3P5/3P1P1P1/5P3/9/9/9/9/4K4 w"
THREE_AND_TWO = "4k4/9/3P1P3/3P1P3/3P5/9/9/9/9/3K5 w"
BLACK_TWO_AND_TWO = "4k4/9/9/9/9/2p1p4/2p1p4/9/9/3K5 b"
BLACK_FOUR = "4k4/9/9/9/4p4/4p4/4p4/4p4/9/3K5 b"


@pytest.mark.parametrize(
    ("fen", "move", "zh", "wxf"),
    [
        (TWO, "e6f6", "前兵平四", "P+=4"),
        (TWO, "e5d5", "后兵平六", "P-=6"),
        (THREE, "e6e7", "前兵进一", "15+1"),
        (THREE, "e5d5", "中兵平六", "25=6"),
        (THREE, "e3e4", "后兵进一", "35+1"),
        (FOUR, "e7d7", "一兵平六", "15=6"),
        (FOUR, "e5f5", "三兵平四", "35=4"),
        (FIVE, "e8e9", "一兵进一", "15+1"),
        (FIVE, "e3e4", "五兵进一", "55+1"),
        (TWO_AND_TWO, "d7e7", "前兵六平五", "16=5"),
        (TWO_AND_TWO, "f6e6", "前兵四平五", "14=5"),
        (TWO_AND_TWO, "h6h7", "兵二进一", "P2+1"),
        (THREE_AND_TWO, "d6e6", "中兵六平五", "26=5"),
        (THREE_AND_TWO, "f6g6", "后兵四平三", "24=3"),
        (BLACK_TWO_AND_TWO, "c3d3", "前卒3平4", "13=4"),
        (BLACK_TWO_AND_TWO, "c4b4", "后卒3平2", "23=2"),
        (BLACK_FOUR, "e4d4", "三卒平4", "35=4"),
        ("3k5/9/4c4/9/9/9/4c4/9/9/5K3 b", "e3a3", "前炮平1", "C+=1"),
        ("3k5/9/4c4/9/9/9/4c4/9/9/5K3 b", "e7e9", "后炮退2", "C--2"),
        ("4k4/9/3a5/9/9/9/9/9/9/3K5 b", "d7e8", "士4退5", "A4-5"),
        ("2b1k4/9/9/9/2b6/9/9/9/9/3K5 b", "c5e7", "象3退5", "E3-5"),
    ],
)
def test_a_move_is_written_and_read_back(fen: str, move: str, zh: str, wxf: str) -> None:
    position = parse_fen(fen, check=False)
    assert (to_zh(position, move), to_wxf(position, move)) == (zh, wxf)
    assert parse_move(position, zh) == parse_move(position, wxf) == move


@given(st.integers(0, 2**32))
def test_every_legal_move_comes_back_from_every_notation(seed: int) -> None:
    rng = random.Random(seed)
    position = START
    for _ in range(rng.randrange(120)):
        moves = legal_moves(position)
        if not moves:
            break
        position = apply(position, rng.choice(moves))
    moves = legal_moves(position)
    for write in (to_zh, to_wxf):
        texts = [write(position, move) for move in moves]
        assert len(set(texts)) == len(moves)
    for move in moves:
        for text in (to_zh(position, move), to_wxf(position, move), to_iccs(move), to_dhtmlxq(move), move):
            assert parse_move(position, text) == move
        assert from_uci(to_uci(move)) == move


@pytest.mark.slow
def test_wxf_agrees_with_an_independent_judge() -> None:
    judge = pytest.importorskip("pyffish")
    rng = random.Random(7)
    for start in (START, *(parse_fen(fen, check=False) for fen in (THREE, FOUR, TWO_AND_TWO, BLACK_TWO_AND_TWO))):
        position = start
        for _ in range(60):
            moves = legal_moves(position)
            if not moves:
                break
            for move in rng.sample(moves, min(5, len(moves))):
                theirs = judge.get_san("xiangqi", format_fen(position), to_uci(move), False, judge.NOTATION_XIANGQI_WXF)
                ours = to_wxf(position, move)
                if ours != theirs:  # the judge marks no piece that only one legal move fits; we always do
                    assert ours[1] in "+-", (format_fen(position), move)
                    assert (ours[0], ours[2:]) == (theirs[0], theirs[2:]), (format_fen(position), move)
                    assert parse_move(position, theirs) == move
            position = apply(position, rng.choice(moves))


@pytest.mark.parametrize(
    "text",
    [
        "炮二平五",
        "砲二平五",
        "包二平五",
        "炮2平5",
        "炮２平５",
        "砲2平五",
        " 炮二平五 ",
        "C2=5",
        "C2.5",
        "c2=5",
        "Ｃ２＝５",
        "h2e2",
        "H2-E2",
        "h2-e2",
        "7747",
        "７７４７",
    ],
)
def test_many_spellings_name_one_move(text: str) -> None:
    assert parse_move(START, text) == "h2e2"


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("馬二進三", "h0g2"),
        ("傌二上三", "h0g2"),
        ("俥一進一", "i0i1"),
        ("車九上一", "a0a1"),
        ("士四进五", "f0e1"),
        ("仕四上五", "f0e1"),
        ("象三进五", "g0e2"),
        ("將五进一", "e0e1"),
        ("帥五進一", "e0e1"),
        ("卒7进1", "c3c4"),
        ("N2+3", "h0g2"),
        ("B3+5", "g0e2"),
        ("E3+5", "g0e2"),
    ],
)
def test_either_colours_names_and_numerals_will_do(text: str, move: str) -> None:
    assert parse_move(START, text) == move


def test_black_counts_from_its_own_right_in_either_numerals() -> None:
    black = apply(START, "h2e2")
    for text in ("马8进7", "馬八進七", "傌８进７", "H8+7"):
        assert parse_move(black, text) == "h9g7"


@pytest.mark.parametrize(
    ("fen", "text", "move"),
    [
        (TWO_AND_TWO, "前六平五", "d7e7"),  # the soldier left out
        (TWO_AND_TWO, "后四平三", "f5g5"),
        (BLACK_TWO_AND_TWO, "后5平6", "e4f4"),
        (TWO_AND_TWO, "前兵六平五", "d7e7"),
        (FOUR, "前兵进一", "e7e8"),  # first and last of the stack whatever its height
        (FOUR, "后兵进一", "e3e4"),
        (FIVE, "P+=6", "e8d8"),
        (FIVE, "P-+1", "e3e4"),
        (THREE, "二兵平六", "e5d5"),  # counted from the front
        (TWO, "15=6", "e6d6"),
        (TWO, "後兵平六", "e5d5"),
        ("3k5/9/9/9/4R4/9/4R4/9/9/5K3 w", "R+.9", "e5a5"),
        ("3k5/9/9/9/4R4/9/4R4/9/9/5K3 w", "后車上一", "e3e4"),
        ("3k5/9/9/9/4R4/9/4R4/9/9/5K3 w", "车五退三", "e3e0"),  # only the rear one can go back three
        ("3k5/9/9/9/4R4/9/4R4/9/9/5K3 w", "前车退一", "e5e4"),
        (TWO, "兵五进一", "e6e7"),  # the rear soldier is blocked
    ],
)
def test_marks_name_pieces_of_one_file(fen: str, text: str, move: str) -> None:
    assert parse_move(parse_fen(fen), text) == move


def code_of(position: Position, text: str) -> str:
    with pytest.raises(BadNotation) as caught:
        parse_move(position, text)
    return caught.value.code


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "炮",
        "炮二平",
        "炮二五",
        "炮十平五",
        "炮零平五",
        "炮二平五五",
        "王二平五",
        "六兵平五",
        "炮N平5",
        "C2平5",
        "C2",
        "C2=0",
        "Z2=5",
        "65=4",
        "C2=5x",
        "h2",
        "h2j2",
        "h10h9",
        "77",
        "9747",
        "77477",
        "h2e2q",
        "0000\n1",
        "o-o",
    ],
)
def test_what_has_no_reading_is_bad_notation(text: str) -> None:
    assert code_of(START, text) == "bad_notation"


@pytest.mark.parametrize(
    "text",
    [
        "炮二平二",
        "马二进五",
        "车五进一",
        "C2+9",
        "h2h8",
        "H2-H8",
        "7771",
        "e4e5",
        "h2h2",
        "前炮平五",
        "C+=5",
        "15+1",
        "前兵进一",
        "中兵进一",
        "帅五平四",
        "h7e7",
    ],
)
def test_what_fits_no_legal_move_is_no_such_move(text: str) -> None:
    assert code_of(START, text) == "no_such_move"


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        ("5k3/9/9/4P4/9/4P4/9/9/9/3K5 w", "兵五进一"),
        ("3k5/9/9/9/4R4/9/4R4/9/9/5K3 w", "车五平九"),
        ("3k5/9/9/9/4R4/9/4R4/9/9/5K3 w", "R5=9"),
        (TWO_AND_TWO, "前兵平五"),
        (TWO_AND_TWO, "后兵平五"),
    ],
)
def test_what_fits_several_is_ambiguous(fen: str, text: str) -> None:
    assert code_of(parse_fen(fen), text) == "ambiguous_move"


def test_a_move_that_leaves_the_general_attacked_is_no_reading() -> None:
    pinned = parse_fen("3kr4/9/9/9/9/9/9/4C4/9/4K4 w")
    assert code_of(pinned, "炮五平四") == "no_such_move"


def tried(position: Position, text: str) -> str:
    try:
        return parse_move(position, text)
    except BadNotation as wrong:
        return wrong.code


@given(st.text(max_size=8) | st.text("炮马车兵前后中一二五平进退123CHRP+-=.abhe09 ", max_size=6))
def test_any_text_is_a_move_or_refused(text: str) -> None:
    for fen in (format_fen(START), TWO_AND_TWO, BLACK_FOUR):
        position = parse_fen(fen)
        assert tried(position, text) in (*legal_moves(position), "bad_notation", "no_such_move", "ambiguous_move")


@pytest.mark.parametrize(("uci", "move"), [("h3e3", "h2e2"), ("a10a1", "a9a0"), ("i1i10", "i0i9")])
def test_engines_count_ranks_from_one(uci: str, move: str) -> None:
    assert (to_uci(move), from_uci(uci)) == (uci, move)


@pytest.mark.parametrize("text", ["", "0000", "a0a1", "a11a1", "j1a1", "h3e3 ponder", "(none)"])
def test_what_an_engine_may_say_instead_of_a_move(text: str) -> None:
    assert from_uci(text) is None
