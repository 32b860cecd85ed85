"""Positions as text (xiangqi 11, 10); boards kept from move to move say what boards laid out anew say."""

from __future__ import annotations

import random

import pytest
from tests.unit.games.xiangqi import positions

from qipai.core.contract import BadNotation
from qipai.games.xiangqi import position as boards
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import (
    START,
    START_FEN,
    apply,
    explain_move,
    format_fen,
    in_check,
    legal_moves,
    parse_fen,
    point,
    square,
    valid_move,
)
from qipai.games.xiangqi.rules import Xiangqi
from qipai.games.xiangqi.state import Move, State


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


CODES = (Options(repetition="simple"), Options(repetition="asian"), Options(repetition="cxa", repetition_count=4))


def forget() -> None:
    boards._hand.boards.clear()


def to_and_fro(luck: random.Random, state: State) -> str:
    """Return a move of the side on turn, often back to where its man came from, so that positions come again."""
    moves = legal_moves(state.position)
    if len(state.plies) > 1 and luck.random() < 0.7:
        last = state.plies[-2].m
        if (back := last[2:] + last[:2]) in moves:
            return back
    return luck.choice(moves)


@pytest.mark.parametrize("seed", range(30))
def test_a_board_that_goes_on_judges_as_one_laid_out_anew(seed: int) -> None:
    luck = random.Random(seed)
    rules = Xiangqi(CODES[seed % 3])
    start = START if seed % 2 else positions.sparse(luck)
    state = rules.at(start)
    for _ in range(60):
        position = state.position
        move = Move(to_and_fro(luck, state))
        if luck.random() < 0.2:  # the same game under another code
            other = Xiangqi(CODES[(seed + 1) % 3])
            crossed = other.apply(state, position.side, move)
            forget()
            assert other.apply(state, position.side, move) == crossed
        step = rules.apply(state, position.side, move)
        after = step.state
        kept = legal_moves(after.position), in_check(after.position), after.check
        forget()
        assert rules.apply(state, position.side, move) == step, format_fen(position)
        forget()
        assert (legal_moves(after.position), in_check(after.position), after.check) == kept, format_fen(after.position)
        forget()
        again = rules.apply(state, position.side, move)  # the board has gone on by one ply, and goes on
        assert again == step
        if after.phase == "over":
            return
        state = again.state


def test_games_in_turn_and_their_like_under_other_options_keep_apart() -> None:
    luck = random.Random(7)
    states = {code: Xiangqi(code).at(START) for code in CODES}
    for _ in range(40):
        if any(state.phase == "over" for state in states.values()):
            break
        first = next(iter(states.values()))
        move = Move(to_and_fro(luck, first))
        for code, state in states.items():
            states[code] = Xiangqi(code).apply(state, state.position.side, move).state
    alone = {code: Xiangqi(code).at(START) for code in CODES}
    for code, state in states.items():
        forget()
        for ply in state.plies:
            alone[code] = Xiangqi(code).apply(alone[code], alone[code].position.side, Move(ply.m)).state
    assert alone == states


def test_more_tables_than_boards_are_at_hand() -> None:
    luck = random.Random(3)
    rules = Xiangqi(Options())
    states = [rules.at(START)] * (boards.KEPT + 20)
    for _ in range(6):
        for number, state in enumerate(states):
            move = luck.choice(legal_moves(state.position))
            assert explain_move(state.position, move) is None
            states[number] = rules.apply(state, state.position.side, Move(move)).state
    assert len(boards._hand.boards) == boards.KEPT
    for state in states:
        game = Xiangqi(Options()).at(START)
        for ply in state.plies:
            game = rules.apply(game, game.position.side, Move(ply.m)).state
        assert game == state
