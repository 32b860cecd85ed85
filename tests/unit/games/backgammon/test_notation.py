"""Texts in both directions: positions, plays, ids, records."""

from __future__ import annotations

import random

import pytest
from tests.unit.games.backgammon.kernel.test_plays import boards
from tests.unit.games.backgammon.records import played

from qipai.core.contract import BadNotation
from qipai.games.backgammon.kernel import board as k
from qipai.games.backgammon.notation import mat, sgf
from qipai.games.backgammon.notation.formats import FORMATS
from qipai.games.backgammon.notation.ids import (
    Match,
    Table,
    from_match_id,
    from_position_id,
    from_xgid,
    match_id,
    position_id,
    xgid,
)
from qipai.games.backgammon.notation.moves import parse_play, write_play
from qipai.games.backgammon.notation.sheet import facts, sheet_of
from qipai.games.backgammon.options import VARIANTS, Options
from qipai.games.backgammon.position import board_of, cells_of, format_position, parse_position
from qipai.games.backgammon.race import mean_rolls, win_chance
from qipai.games.backgammon.turns import all_plays, read_turn, walked

GNU = [name for name, row in VARIANTS.items() if row.gnu]
DICE = [name for name, row in VARIANTS.items() if row.dice]
MOSTLY_SLOW = [name if name == "backgammon" else pytest.param(name, marks=pytest.mark.slow) for name in DICE]


@pytest.mark.parametrize("variant", GNU)
def test_ids_come_back(variant: str) -> None:
    row = VARIANTS[variant]
    for cells, seat, dice in boards(variant, 200, random.Random(variant)):
        assert from_position_id(row, position_id(cells, seat), seat) == cells
        table = Table(cells=cells, on_roll=seat, dice=(max(dice), min(dice)))
        for bottom in (0, 1):
            assert from_xgid(row, xgid(table, bottom), bottom) == table


@pytest.mark.parametrize("variant", MOSTLY_SLOW)
def test_positions_and_plays_come_back(variant: str) -> None:
    options = Options(variant=variant)  # type: ignore[arg-type]
    for cells, seat, dice in boards(variant, 60, random.Random(f"plays {variant}")):
        assert parse_position(options.row, format_position(cells)) == cells
        for text, way in list(all_plays(options, cells, seat, max(dice), min(dice)).items())[:30]:
            parts = text.split()
            random.Random(text).shuffle(parts)
            turn = read_turn(options, cells, seat, dice, " ".join(parts).upper())
            assert hasattr(turn, "steps"), (format_position(cells), dice, text, turn)
            one, two = board_of(options, cells), board_of(options, cells)
            walked(one, seat, turn.steps)
            walked(two, seat, [((way >> 8 * i & 255) >> 3, way >> 8 * i & 7) for i in range(4) if way >> 8 * i])
            assert cells_of(one) == cells_of(two), "parts in any order name the same result"


def test_places_that_are_none_are_not_read() -> None:
    for text in ("25/3", "0/3", "off/3", "6/off*", "6/3(5)", "6/3(0)", "6//3", "6/bar", "/3", "6", "6/3**", "06/3"):
        with pytest.raises(BadNotation):
            parse_play(text)
    assert [part.count for part in parse_play("6/3*(2) BAR/22")] == [2, 1]


def test_like_chains_are_grouped_and_marked_once() -> None:
    assert write_play([(6, 4), (6, 4), (5, 3), (5, 3)], {4}) == "6/4*(2) 5/3(2)"  # type: ignore[arg-type]
    assert write_play([(25, 20), (20, 15), (26, 21)], {20}) == "bar/20*/15 res/21"  # type: ignore[arg-type]


def test_a_position_text_must_be_one() -> None:
    row = VARIANTS["backgammon"]
    for text in ("24:2", "24:2 / 25:1 / 3:1", "24:x / 3:1", "0:1 / 3:1", "24:2 a / "):
        with pytest.raises(BadNotation):
            parse_position(row, text)


@pytest.mark.parametrize("raw", [{"match_to": 5}, {"games": 3, "beavers": True, "jacoby": True, "auto_doubles": 2}])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_match_written_down_reads_the_same(raw: dict[str, object], seed: int) -> None:
    record = played(raw, seed)
    want = facts(sheet_of(record))
    for read, write in ((mat.read, mat.export), (sgf.read, sgf.export)):
        assert facts(read(write(record))) == want


def test_a_record_that_cannot_be_is_refused() -> None:
    good = mat.export(played({"match_to": 1}))
    with pytest.raises(BadNotation):
        mat.read(good.replace("  1) ", "  1) 31: 24/1 ", 1))
    for text in ("", "nothing", "(;FF[4]GM[6]", "(;W[31zz])"):
        with pytest.raises(BadNotation):
            sgf.read(text)
    with pytest.raises(BadNotation):
        FORMATS["mat"](played({"variant": "race"}))


def test_comments_and_variations_are_passed_over() -> None:
    text = "(;FF[4]GM[6]MI[length:1][game:0][ws:0][bs:0]PW[A\\]]PB[B];W[31hefe]C[a \\] b](;B[64aggk])(;B[64mgmi]))"
    told = facts(sgf.read(text))
    assert told["players"] == ["A]", "B"]
    assert told["plays"] == [["0 31 8/5 6/5", "1 64 24/14"]]


def test_bearing_off_is_worked_out() -> None:
    assert mean_rolls((1, 0, 0, 0, 0, 0)) == 1
    assert mean_rolls((0, 0, 0, 0, 0, 1)) == pytest.approx(1.25)
    assert win_chance((1, 1, 0, 0, 0, 0), (2, 0, 0, 0, 0, 0)) == 1
    assert mean_rolls((2, 2, 2, 0, 0, 0)) > mean_rolls((2, 2, 1, 0, 0, 0))


def test_the_tables_of_points_are_their_own_way_back() -> None:
    for base in (0, 27, 54):
        for p in range(1, 25):
            assert k.MIRROR[base + k.MIRROR[base + p]] == p


def test_a_match_id_keeps_the_dice_in_their_order() -> None:
    # 11: die 1 and die 2 are fields of their own; only of an XGID section 12 says that its dice are unordered.
    thrown = Match(dice=(2, 6), match_to=7)
    assert from_match_id(match_id(thrown)) == thrown
    assert match_id(thrown) != match_id(Match(dice=(6, 2), match_to=7))


def test_no_part_at_all_is_too_little_even_where_nothing_can_be_played() -> None:
    options = Options()
    cells = parse_position(options.row, "bar:1 6:14 / 13:3 6:2 5:2 4:2 3:2 2:2 1:2")
    assert not all_plays(options, cells, 0, 6, 6)
    assert getattr(read_turn(options, cells, 0, (6, 6), ""), "code", None) == "must_play_more"
