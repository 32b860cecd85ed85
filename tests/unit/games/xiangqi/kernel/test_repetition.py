"""The repetition code against its own text and against an independent judge (xiangqi 6.3, R6–R9)."""

from __future__ import annotations

import random

import pytest
from tests.unit.games.xiangqi import positions, twin

from qipai.games.xiangqi.kernel.repetition import ASIAN, chased, levels, occurrences, span
from qipai.games.xiangqi.notation import to_uci
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import Position, format_fen, parse_fen, square_name, to_board
from qipai.games.xiangqi.rules import CODES_OF_RULE, board_of


def judged(position: Position, moves: list[str], rule: str) -> tuple[int, int]:
    board = board_of(Options(repetition=rule), position, 0, moves)  # type: ignore[arg-type]
    found = levels(board, 0, CODES_OF_RULE[rule])
    return found & 3, found >> 2


def test_the_twin_finds_the_same_chased_men() -> None:
    luck = random.Random(1)
    for number in range(60):
        position = positions.sparse(luck) if number % 3 else positions.played(luck, luck.randrange(10, 100))
        board, (slow, _) = to_board(position), twin.board_of(format_fen(position))
        for side in (0, 1):
            for soldiers in (False, True):
                found = chased(board, side, soldiers)
                names = {square_name(board.where[man]) for man in range(33) if found >> man & 1}
                assert names == {f"{twin.FILES[f]}{r}" for f, r in twin.chased(slow, side, soldiers)}, (
                    format_fen(position),
                    side,
                    soldiers,
                )


@pytest.mark.slow
def test_the_twin_gives_random_cycles_the_same_levels() -> None:
    luck = random.Random(2)
    seen = set()
    for _ in range(45):
        position = positions.sparse(luck)
        slow, side = twin.board_of(format_fen(position))
        for cycle in positions.cycles(luck, position, 25):
            plies = [(twin.square(move[:2]), twin.square(move[2:])) for move in cycle]
            for rule in ("asian", "cxa"):
                found = judged(position, cycle, rule)
                # Most cycles do nothing; the twin is slow and looks at a part of those.
                if found != (0, 0) or luck.random() < 0.02:
                    assert found == twin.levels(slow, side, plies, rule), (format_fen(position), cycle, rule)
                    seen.add((rule, found))
    assert {("asian", (0, 1)), ("asian", (1, 0)), ("cxa", (0, 1)), ("cxa", (1, 0)), ("cxa", (2, 0))} <= seen


# Where pyffish judges otherwise (R8): false roots, and victims taken over by another attacker. All are a draw by the
# text and a perpetual chase for pyffish, or the other way round; the twin agrees with the text in each.
OTHERWISE = {"3cN4/1N3k3/3a5/8P/3P2b2/6P2/4R4/4B1R2/2C1K4/1p1C5 b d9d8 c1d1 d8d9 d1c1"}


@pytest.mark.slow
def test_pyffish_judges_random_cycles_the_same_but_for_the_named_ones() -> None:
    pyffish = pytest.importorskip("pyffish", reason="pyffish, an independent judge, is not installed")
    luck = random.Random(3)
    judgements, otherwise = 0, set()
    for _ in range(90):
        position = positions.sparse(luck)
        fen = format_fen(position)
        for cycle in positions.cycles(luck, position, 5):
            board = board_of(Options(repetition="asian"), position, 0, cycle * 2)
            found = levels(board, span(board, 3), ASIAN)
            red, black = found & 3, found >> 2
            ended, score = pyffish.is_optional_game_end("xiangqi", fen, [to_uci(move) for move in cycle * 2])
            assert ended
            theirs = (score > 0) - (score < 0) if position.side == 0 else (score < 0) - (score > 0)
            judgements += 1
            if theirs != (black > red) - (red > black):
                assert 2 not in (red, black), "perpetual check is judged alike"
                otherwise.add(f"{fen.split(' -')[0]} {' '.join(cycle)}")
    assert judgements > 300
    assert otherwise <= OTHERWISE


def test_occurrences_are_counted_from_the_last_capture() -> None:
    position = parse_fen("3k5/9/9/9/9/9/9/p8/R8/5K3 w")
    dance = ["f0f1", "d9d8", "f1f0", "d8d9"]
    board = board_of(Options(), position, 0, dance)
    assert occurrences(board) == 2
    board = board_of(Options(), position, 0, [*dance, "a1a2", "d9d8"])
    assert occurrences(board) == 1
    assert span(board, 2) == -1
    board = board_of(Options(), position, 0, ["a1a2", *["d9d8", "f0f1", "d8d9", "f1f0"] * 2])
    assert occurrences(board) == 3
    assert span(board, 3) == 1


def test_judging_leaves_the_board_as_it_was() -> None:
    position = parse_fen("3k5/9/9/9/9/9/9/9/cr1CAK3/9 w")
    cycle = ["d1d3", "b1b3", "d3d1", "b3b1"] * 2
    for rule in ("simple", "asian", "cxa"):
        board = board_of(Options(repetition=rule), position, 0, cycle)
        before = [list(part) for part in (board.cells, board.where[:16], board.reg, board.past, board.keys)]
        levels(board, 0, CODES_OF_RULE[rule])
        assert [list(part) for part in (board.cells, board.where[:16], board.reg, board.past, board.keys)] == before


@pytest.mark.parametrize(("rule", "expected"), [("simple", (0, 0)), ("asian", (0, 1)), ("cxa", (0, 1))])
def test_a_chariot_that_chases_a_rootless_cannon(rule: str, expected: tuple[int, int]) -> None:
    position = parse_fen("3k5/9/9/9/9/9/9/9/cr1CAK3/9 w")
    assert judged(position, ["d1d3", "b1b3", "d3d1", "b3b1"], rule) == expected
