"""Boards kept from move to move say what boards laid out anew say, and hints call moves as the notation does."""

from __future__ import annotations

import random

import pytest
from tests.unit.games.xiangqi import positions

from qipai.games.xiangqi import ENTRY
from qipai.games.xiangqi import position as boards
from qipai.games.xiangqi.notation import to_zh
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import START, Position, explain_move, format_fen, in_check, legal_moves, parse_fen
from qipai.games.xiangqi.rules import Xiangqi
from qipai.games.xiangqi.state import Move, State

CODES = (Options(repetition="simple"), Options(repetition="asian"), Options(repetition="cxa", repetition_count=4))

# Like men on one file: chariots, cannons and horses; soldiers, two and three of them.
ALIKE = (
    "3k5/9/4P4/4P4/9/4P4/2N6/2N3R2/6R2/4K3C w",
    "3k5/9/2P1P4/2P1P4/9/9/9/7C1/7C1/4K4 w",
    "4k4/4r4/4r4/9/2p3p2/2p6/2p6/9/9/3K5 b",
)


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


@pytest.mark.parametrize("seed", range(40))
def test_hints_call_each_move_as_the_notation_does(seed: int) -> None:
    luck = random.Random(seed)
    drawn = (positions.sparse(luck), positions.played(luck, luck.randrange(80)))
    for position in (*map(parse_fen, ALIKE), *drawn):
        if not legal_moves(position):
            continue
        assert words(position) == {move: to_zh(position, move) for move in legal_moves(position)}, format_fen(position)


def words(position: Position) -> dict[str, str]:
    rules = Xiangqi(Options())
    hint = ENTRY.hints(rules.options, rules.observe(rules.at(position), position.side))
    assert [origin + target for origin, targets in hint.moves.items() for target in targets] == list(hint.words)
    found: dict[str, str] = hint.words
    return found
