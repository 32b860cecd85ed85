"""The kernel's moves against a slow twin and published counts (xiangqi 5)."""

from __future__ import annotations

import random
import shutil
import subprocess
from itertools import product

import pytest
from tests.unit.games.xiangqi import positions, twin

from qipai.core.kernel import buffer
from qipai.games.xiangqi.bench import PERFT
from qipai.games.xiangqi.kernel import asking
from qipai.games.xiangqi.kernel import board as kernel
from qipai.games.xiangqi.kernel.board import KIND, MOST, PLIES, SIDE
from qipai.games.xiangqi.kernel.repetition import attackers
from qipai.games.xiangqi.notation import to_uci
from qipai.games.xiangqi.position import (
    START,
    Position,
    apply,
    encode,
    explain_move,
    format_fen,
    in_check,
    legal_moves,
    on_board,
    parse_fen,
    square_name,
    status,
    to_board,
    to_text,
    try_piece,
)

SQUARES = [f"{file}{rank}" for file in "abcdefghi" for rank in range(10)]

# Play positions whose counts two other engines agree on: conformance holds the same.
COUNTED = [
    ("5ab2/3k5/7cc/p3n1p2/2p3b2/9/P3P1P2/B3B3N/9/1N1A1K3 w - - 0 1", 2, 598),
    ("r1b1ka3/4a4/n2cb4/p1C5p/4p4/P3P3P/2P6/2N5R/6r2/R1BAKA3 w - - 0 1", 2, 1397),
    ("9/5k3/9/3P3P1/9/P1B6/9/9/8R/4KAp2 w - - 0 1", 3, 2399),
]


def drawn(count: int, seed: int) -> list[Position]:
    luck = random.Random(seed)
    return [positions.sparse(luck) if i % 2 else positions.played(luck, luck.randrange(4, 120)) for i in range(count)]


def perft(position: Position, depth: int) -> int:
    return int(kernel.perft(to_board(position, depth), depth, buffer(depth * (MOST + 2), 64)))


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_perft_counts_are_the_published_ones(depth: int) -> None:
    assert perft(START, depth) == PERFT[depth]


@pytest.mark.parametrize(("fen", "depth", "nodes"), COUNTED)
def test_perft_of_play_positions(fen: str, depth: int, nodes: int) -> None:
    assert perft(parse_fen(fen), depth) == nodes


def test_the_twin_finds_the_same_moves() -> None:
    for position in drawn(60, 1):
        board, side = twin.board_of(format_fen(position))
        assert list(legal_moves(position)) == sorted(map(twin.name, twin.legal(board, side))), format_fen(position)
        assert in_check(position) == bool(twin.attackers(board, side)), format_fen(position)


def test_the_twin_counts_the_same_lines() -> None:
    for position in drawn(3, 2):
        board, side = twin.board_of(format_fen(position))
        assert perft(position, 2) == twin.perft(board, side, 2), format_fen(position)


def test_explain_refuses_exactly_what_is_not_legal() -> None:
    for position in drawn(4, 3):
        legal = set(legal_moves(position))
        for origin, target in product(SQUARES, repeat=2):
            refusal = explain_move(position, origin + target)
            assert (refusal is None) == (origin + target in legal), (format_fen(position), origin + target, refusal)


def test_a_man_in_the_way_is_named() -> None:
    facts = {
        "b0d1": ("leg_blocked", "c0"),
        "c0a2": (None, None),
        "b0c2": (None, None),
        "a0a5": ("path_blocked", "a3"),
        "h2h8": ("path_blocked", "h7"),
        "b2i2": ("path_blocked", "h2"),
        "a0b1": ("bad_shape", None),
    }
    for move, (code, square) in facts.items():
        refusal = explain_move(START, move)
        assert (refusal and refusal.code) == code, move
        assert (dict(refusal.facts).get("square") if refusal else None) == square, move
    horse = parse_fen("3k5/9/9/9/9/9/9/4p4/4N4/5K3 w")
    assert explain_move(horse, "e1d3").facts == {"square": "e2"}  # type: ignore[union-attr]
    elephant = parse_fen("3k5/9/9/9/9/9/9/9/3p5/2B2K3 w")
    assert explain_move(elephant, "c0e2").facts == {"square": "d1"}  # type: ignore[union-attr]
    screens = parse_fen("4k4/4c4/9/4p4/9/9/4p4/4C4/9/3K5 w")
    assert explain_move(screens, "e2e8").facts == {"square": "e6"}  # type: ignore[union-attr]


def test_all_ways_to_ask_who_attacks_a_general_agree() -> None:
    for position in drawn(80, 4):
        board = to_board(position)
        for side in (0, 1):
            found = attackers(board, side)
            assert bool(found) == asking.checked(board, side), format_fen(position)
            for man in range(33):
                if found >> man & 1 and KIND[man] != kernel.GENERAL:
                    throne = board.where[side * kernel.MEN]
                    assert asking.strikes(board.cells, man, board.where[man], throne)


def test_unmake_restores_everything_that_make_changed() -> None:
    for position in drawn(20, 5):
        board = to_board(position, 4)
        before = [list(part) for part in (board.cells, board.where[1:16], board.where[17:], board.reg)]
        key = board.keys[0]
        for move in legal_moves(position):
            kernel.make(board, encode(move))
            assert on_board(board) == apply(position, move).board
            assert board.keys[1] == to_board(apply(position, move)).keys[0], "the key is that of the new position"
            kernel.unmake(board)
            after = [list(part) for part in (board.cells, board.where[1:16], board.where[17:], board.reg)]
            assert after == before
            assert board.keys[0] == key
        assert (board.reg[SIDE], board.reg[PLIES]) == (position.side, 0)


def test_positions_with_like_men_exchanged_are_the_same() -> None:
    """b0c2 h0i2 and then c2b0-like walks that end with the horses' places changed give an equal key."""
    position = parse_fen("3k5/9/9/9/9/9/4N1N2/9/9/4K4 w")
    board = to_board(position, 20)
    for move in ("e3c4", "d9d8", "g3e4", "d8d9", "c4d6", "d9d8", "e4f6", "d8d9"):
        kernel.make(board, encode(move))
    end = on_board(board)
    other = to_board(position, 20)
    for move in ("e3f5", "d9d8", "g3e4", "d8d9", "f5d6", "d9d8", "e4f6", "d8d9"):
        kernel.make(other, encode(move))
    assert on_board(other) == end
    assert other.keys[8] == board.keys[8]


def test_no_side_has_more_moves_than_the_buffer_holds() -> None:
    """17 for a chariot or cannon, 8 a horse, 3 a soldier, 4 an elephant, an advisor, the general."""
    assert MOST > 2 * 17 + 2 * 17 + 2 * 8 + 5 * 3 + 2 * 4 + 2 * 4 + 4


def test_a_tutorial_piece_needs_no_generals_and_no_set() -> None:
    crowd = parse_fen("RRRRRRRRR/9/9/9/4N4/9/9/9/9/9 w", check=False)
    assert try_piece(crowd, "e5") == sorted(["c4", "c6", "d3", "d7", "f3", "f7", "g4", "g6"])
    assert try_piece(crowd, "a0") == []


def test_stalemate_and_checkmate_are_told_apart() -> None:
    assert status(parse_fen("3k5/4P4/9/9/9/9/9/9/9/4K4 b")) == "stalemate"
    assert status(parse_fen("1R1k5/R8/9/9/9/9/9/9/9/4K4 b")) == "checkmate"
    assert status(START) == "ongoing"


def test_moves_sort_as_their_texts_do() -> None:
    moves = [first + second for first in SQUARES for second in SQUARES if first != second]
    assert sorted(moves) == [to_text(move) for move in sorted(map(encode, moves))]
    assert square_name(encode("e3e4") & 255) == "e4"


@pytest.mark.slow
def test_pyffish_finds_the_same_moves() -> None:
    pyffish = pytest.importorskip("pyffish", reason="pyffish, an independent judge, is not installed")
    for position in drawn(200, 6):
        fen = format_fen(position)
        assert sorted(pyffish.legal_moves("xiangqi", fen, [])) == sorted(map(to_uci, legal_moves(position))), fen


def test_fairy_stockfish_counts_the_same_lines() -> None:
    path = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
    if path is None:
        pytest.skip("fairy-stockfish, an independent judge, is not installed")
    drawn_ones = drawn(12, 7)
    lines = ["uci", "setoption name UCI_Variant value xiangqi"]
    for position in drawn_ones:
        lines += [f"position fen {format_fen(position)}", "go perft 2"]
    told = subprocess.run([path], input="\n".join([*lines, "quit", ""]), capture_output=True, text=True, timeout=60)
    counts = [int(line.split(":")[1]) for line in told.stdout.splitlines() if line.startswith("Nodes searched")]
    assert counts == [perft(position, 2) for position in drawn_ones]
