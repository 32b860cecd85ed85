"""The bots: they move by the rules, in time, and know the table's repetition code (xiangqi 13)."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import pytest

from qipai.core.contract import UNTIMED, play
from qipai.core.rng import Stream
from qipai.games.xiangqi import ENTRY
from qipai.games.xiangqi.bots import engine as memory
from qipai.games.xiangqi.bots import search
from qipai.games.xiangqi.bots.book import book, book_move, book_of
from qipai.games.xiangqi.bots.engine import DEEPEST, VALUED, WON
from qipai.games.xiangqi.bots.evaluate import evaluate, guarded
from qipai.games.xiangqi.bots.players import Level, pace, think, welcome
from qipai.games.xiangqi.kernel import asking
from qipai.games.xiangqi.kernel import board as kernel
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import START, apply, encode, legal_moves, parse_fen, to_board
from qipai.games.xiangqi.rules import SETUP, Xiangqi, board_of
from qipai.games.xiangqi.state import (
    AcceptDraw,
    AcceptTime,
    DeclineDraw,
    Move,
    OfferDraw,
    ProposeTime,
    Ready,
    State,
)


def game(**options: Any) -> Xiangqi:
    return Xiangqi(msgspec.convert(options, Options))


def chosen(rules: Xiangqi, state: State, seat: int, level: str = "steady", ms: int = 300) -> Any:
    return ENTRY.bots[level](rules.options, seed=1).choose(rules.observe(state, seat), ms)


def after(rules: Xiangqi, fen: str, *moves: str) -> State:
    state = rules.at(parse_fen(fen))
    for move in moves:
        state = play(rules, state, state.position.side, Move(move)).state
    return state


@pytest.mark.parametrize("level", ["easy", "steady", "strong"])
def test_a_bot_plays_by_the_rules(level: str) -> None:
    rules = game()
    state = rules.start()
    for _ in range(14):
        seat = state.position.side
        state = play(rules, state, seat, chosen(rules, state, seat, level, 40)).state


@pytest.mark.parametrize("level", ["easy", "steady", "strong"])
def test_a_bot_mates_when_it_can(level: str) -> None:
    rules = game()
    state = after(rules, "3k5/R8/9/9/9/9/9/9/9/1R2K4 w")
    assert chosen(rules, state, 0, level) == Move("b0b9")


@pytest.mark.parametrize("level", ["steady", "strong"])
def test_a_bot_takes_what_hangs_and_saves_what_is_hit(level: str) -> None:
    rules = game()
    state = after(rules, "4k4/9/9/9/r8/9/9/9/9/R2K1A3 w")
    assert chosen(rules, state, 0, level) == Move("a0a5")


def test_the_easy_bot_answers_at_once_even_interpreted() -> None:
    rules = game()
    state = after(rules, "r1bakab1r/9/1cn2cn2/p1p1p3p/6p2/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w")
    chosen(rules, state, 0, "easy")
    spent = []
    for _ in range(5):
        began = time.process_time()  # not the clock on the wall: other tests run beside this one
        chosen(rules, state, 0, "easy", 1000)
        spent.append(time.process_time() - began)
    assert min(spent) < 0.1


def test_the_time_given_is_kept() -> None:
    rules = game()
    state = rules.at(START)
    began = time.perf_counter()
    board = to_board(START, DEEPEST + 8)
    thought = think(board, Level(nodes=10**9), 150)
    assert time.perf_counter() - began < 1.5, "a machine busy elsewhere is given its time"
    assert thought.move in legal_moves(state.position)
    assert thought.depth >= 1


def test_the_same_question_gets_the_same_answer() -> None:
    position = parse_fen("r1bakab1r/9/1cn2cn2/p1p1p3p/6p2/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w")
    for level in (Level(nodes=700), Level(nodes=700, depth=2, heat=40.0)):
        thoughts = [think(to_board(position, DEEPEST + 8), level, 60_000) for _ in range(3)]
        assert thoughts[0] == thoughts[1] == thoughts[2]


# The repetition code inside the search


CHECKS = "3k5/9/9/9/9/3R5/9/9/9/5K3 b"
CIRCLE = ("d9e9", "d4e4", "e9d9", "e4d4", "d9e9")


def test_without_a_clock_a_bot_thinks_by_its_own_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def noted(board: Any, level: Level, ms: int, **rest: Any) -> Any:
        asked.append(ms)
        return think(board, Level(nodes=50), ms, **rest)

    monkeypatch.setattr("qipai.games.xiangqi.bots.players.think", noted)
    rules = game()
    state = after(rules, "3k5/4a4/4b4/9/2b6/9/9/4BC3/4A4/R3KA3 w - - 0 1")
    for ms in (UNTIMED, 10**8):
        chosen(rules, state, 0, "easy", ms)
    assert asked == [UNTIMED, 50]


def test_a_bot_does_not_check_itself_into_a_loss() -> None:
    """The chariot has checked twice round; once more loses, anything else keeps a chariot ahead."""
    rules = game()
    state = after(rules, CHECKS, *CIRCLE[:4], *CIRCLE[:3])
    assert state.repetition_count == 2
    assert refused_by_the_code(rules, state, "e4d4")
    assert chosen(rules, state, 0) != Move("e4d4")


def refused_by_the_code(rules: Xiangqi, state: State, move: str) -> bool:
    seat = state.position.side
    return play(rules, state, seat, Move(move)).state.winner == 1 - seat


def test_a_bot_does_not_chase_itself_into_a_loss_under_asian() -> None:
    fen = "3k5/9/9/9/9/9/9/9/cr1CAK3/9 w"
    circle = ("d1d3", "b1b3", "d3d1", "b3b1", "d1d3", "b1b3", "d3d1")
    rules = game(repetition="asian")
    state = after(rules, fen, *circle)
    assert refused_by_the_code(rules, state, "b3b1")
    assert chosen(rules, state, 1) != Move("b3b1")


def test_a_bot_does_not_let_a_won_game_drift_into_a_draw() -> None:
    rules = game()
    fen = "3k5/9/9/9/9/9/9/9/R8/R3K4 w"
    state = after(rules, fen, "a1b1", "d9d8", "b1a1", "d8d9", "a1b1", "d9d8")
    assert chosen(rules, state, 0) != Move("b1a1")


def test_the_search_scores_a_repetition_by_the_tables_code() -> None:
    position = parse_fen(CHECKS)
    board = board_of(Options(), position, 0, list(CIRCLE[:4]), room=DEEPEST + 8)
    assert search.repeated(board)
    # Black is on turn and red has checked all the way round: red loses.
    assert search.verdict(board, 1) > WON
    chase = parse_fen("3k5/9/9/9/9/9/9/9/cr1CAK3/9 w")
    circle = ["d1d3", "b1b3", "d3d1", "b3b1"]
    for rule, won in (("simple", False), ("asian", True), ("cxa", True)):
        options = msgspec.convert({"repetition": rule}, Options)
        board = board_of(options, chase, 0, circle, room=DEEPEST + 8)
        assert (search.verdict(board, 1) > WON) == won


def test_scores_are_kept_up_to_date_move_by_move() -> None:
    position = parse_fen("r1bakab1r/9/1cn2cn2/p1p1p3p/6p2/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w")
    engine = memory.engine(6)
    board = to_board(position, DEEPEST + 8)
    memory.prepare(board, engine)
    other = memory.engine(6)
    for move in legal_moves(position):
        memory.step(board, engine, 0, encode(move))
        memory.prepare(to_board(apply(position, move), 4), other)
        assert engine.plies[memory.STRIDE + VALUED] == other.plies[VALUED]
        kernel.unmake(board)


def test_both_colours_are_valued_alike() -> None:
    fen = "r1bakab1r/9/1cn2cn2/p1p1p3p/6p2/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w"
    rows = fen.split()[0].split("/")
    turned = "/".join(row.swapcase() for row in reversed(rows)) + " b"
    engine = memory.engine(6)
    scores = []
    for text in (fen, turned):
        board = to_board(parse_fen(text), 4)
        memory.prepare(board, engine)
        scores.append(evaluate(board, engine, 0))
    assert scores[0] == scores[1]


def test_guarded_is_what_strikes_says() -> None:
    for fen in (
        "r1bakab1r/9/1cn2cn2/p1p1p3p/6p2/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w",
        "5ab2/3k5/7cc/p3n1p2/2p3b2/9/P3P1P2/B3B3N/9/1N1A1K3 w",
        "3k1P3/3P5/5a3/2p6/4p4/9/9/2n1B4/4A4/2p1KA3 b",
    ):
        board = to_board(parse_fen(fen))
        for square in range(kernel.CELLS):
            if board.cells[square] == kernel.OFF:
                continue
            for side in (0, 1):
                men = [man for man in range(side * 17, side * 17 + 16) if board.where[man] not in (0, square)]
                struck = any(asking.strikes(board.cells, man, board.where[man], square) for man in men)
                assert guarded(board, square, side) == struck, (fen, square, side)


def test_a_search_takes_less_time_the_longer_its_move_stands() -> None:
    assert [round(pace(steady, 0), 1) for steady in (0, 4, 8, 20)] == [1.3, 0.9, 0.5, 0.5]
    assert pace(4, 0) == pace(4, -50) < pace(4, 20) < pace(4, 200) == pace(4, 2000)


# Offers and talks


def test_a_bot_accepts_a_draw_only_when_it_stands_worse() -> None:
    rules = game()
    fen = "4k4/9/9/9/r8/9/9/9/9/3K1A3 {}"
    losing = play(rules, after(rules, fen.format("b")), 1, OfferDraw()).state
    assert chosen(rules, losing, 0) == AcceptDraw()
    winning = play(rules, after(rules, fen.format("w")), 0, OfferDraw()).state
    assert chosen(rules, winning, 1) == DeclineDraw()
    moved = play(rules, losing, 1, Move("a5a4")).state
    assert chosen(rules, moved, 0) == AcceptDraw()


@pytest.mark.parametrize("level", ["easy", "steady", "strong"])
@pytest.mark.parametrize("moves", [(), ("h2e2",), ("h2e2", "h9g7")])
def test_a_bot_plays_on_when_a_draw_is_offered_at_the_start(level: str, moves: tuple[str, ...]) -> None:
    rules = game()
    state = rules.start()
    for move in moves:
        state = play(rules, state, state.position.side, Move(move)).state
    offerer = state.position.side
    state = play(rules, state, offerer, OfferDraw()).state
    assert chosen(rules, state, 1 - offerer, level) == DeclineDraw()
    state = play(rules, state, offerer, Move("b0c2" if offerer == 0 else "b9c7")).state
    assert isinstance(chosen(rules, state, 1 - offerer, level), Move)


def test_a_draw_grows_welcome_as_the_game_goes_on() -> None:
    taken = [[score for score in (-500, -100, 0, 100) if welcome(score, plies)] for plies in (0, 39, 40, 119, 120, 230)]
    assert taken == [[-500], [-500], [-500, -100], [-500, -100], [-500, -100, 0], [-500, -100, 0]]


def test_a_bot_offers_a_draw_when_nobody_can_attack() -> None:
    rules = game()
    assert chosen(rules, after(rules, "3k5/9/9/9/9/9/9/9/9/4KA3 w"), 0) == OfferDraw()


def test_a_bot_agrees_to_a_clock_and_is_ready() -> None:
    rules = game()
    state = rules.start(SETUP)
    assert chosen(rules, state, 0) == Ready()
    proposed = play(rules, state, 0, ProposeTime({"first_s": 60})).state
    assert chosen(rules, proposed, 1) == AcceptTime()


# The book


def test_every_line_of_the_book_is_legal_to_its_end() -> None:
    from importlib.resources import files

    text = files("qipai.games.xiangqi.bots").joinpath("openings.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        position = START
        for move in line.split("#")[0].split():
            assert move in legal_moves(position), line
            position = apply(position, move)


def test_a_book_is_made_of_games() -> None:
    made = book_of([["h2e2", "h9g7"], ["h2e2", "h7e7"], ["c3c4", "a0a9"]])
    assert made[f"{START.board}0"] == {"h2e2": 2, "c3c4": 1}
    assert len(book()) > 50
    assert book_move(parse_fen("3k5/9/9/9/9/9/9/9/9/4KA3 w"), Stream.of_seed(1)) is None
