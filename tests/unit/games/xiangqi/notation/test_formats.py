"""Deals of the hall in the world's own formats (xiangqi 11)."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core.entry import Record
from qipai.games.xiangqi.notation import FORMATS, read

MOVES = ("h2e2", "h9g7", "h0g2", "i9h9")
HANDICAP = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKABNR w - - 0 1"


def deal(*moves: str, points: tuple[int, int] | None = (2, -2), **rest: Any) -> Record:
    rows: list[tuple[int, Any, int]] = [(at % 2, {"a": "move", "m": move}, 900) for at, move in enumerate(moves)]
    rows.insert(1, (1, {"a": "offer_draw"}, 5))
    rows.append((1, {"a": "resign"}, 5))
    outcome = points and {"points": list(points), "places": [1, 2], "why": "resign"}
    words: dict[str, Any] = {"options": {}, "players": ("甲 一", "乙]"), "date": "2026-11-20", "deal": 3}
    return Record(game="xiangqi", rows=tuple(rows), outcome=outcome, **(words | rest))


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_is_read_back(name: str) -> None:
    text = FORMATS[name](deal(*MOVES))
    record = read(text.encode())
    assert record.main() == MOVES
    if name != "ucci":
        assert (record.headers["red"], record.headers["black"], record.result) == ("甲 一", "乙]", "1-0")
    assert read(FORMATS[name](deal(*MOVES, options={"handicap_fen": HANDICAP})).encode()).start.board.count("N") == 1


def test_pgn_is_written_in_three_notations() -> None:
    assert FORMATS["pgn"](deal(*MOVES)) == (
        '[Game "Chinese Chess"]\n[Site "qipai"]\n[Date "2026.11.20"]\n[Round "3"]\n[Red "甲 一"]\n[Black "乙]"]\n'
        '[Result "1-0"]\n[Format "Chinese"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 1-0\n\n'
    )
    assert "1. C2=5 H8+7 2. H2+3 R9=8 1-0" in FORMATS["pgn-wxf"](deal(*MOVES))
    assert '[Format "ICCS"]\n\n1. H2-E2 H9-G7 2. H0-G2 I9-H9 1-0' in FORMATS["pgn-iccs"](deal(*MOVES))


def test_dhtmlxq_and_plain_lines() -> None:
    text = FORMATS["dhtmlxq"](deal(*MOVES, points=(0, 0)))
    assert "[DhtmlXQ_movelist]7747706279678070[/DhtmlXQ_movelist]" in text
    assert "[DhtmlXQ_result]和棋[/DhtmlXQ_result]" in text
    assert FORMATS["ucci"](deal(*MOVES)) == "position startpos moves h2e2 h9g7 h0g2 i9h9\n"
    assert FORMATS["ucci"](deal(options={"handicap_fen": HANDICAP})) == f"position fen {HANDICAP}\n"


@pytest.mark.parametrize(("points", "result"), [((2, -2), "1-0"), ((-2, 2), "0-1"), ((0, 0), "1/2-1/2"), (None, "*")])
def test_results(points: tuple[int, int] | None, result: str) -> None:
    assert read(FORMATS["pgn"](deal(*MOVES, points=points)).encode()).result == result


def test_a_lost_last_move_stays_readable() -> None:
    """Under `forfeit` a move may leave the generals facing; no reader would take it for a move."""
    fen = "4k4/4a4/9/9/9/9/9/9/4C4/4K4 b - - 0 1"
    record = read(FORMATS["pgn"](deal("e8d7", "e1a1", options={"handicap_fen": fen}, points=(-2, 2))).encode())
    assert (record.main(), record.nodes[-1].comment, record.result) == (("e8d7",), "E1-A1", "0-1")
    lone = read(FORMATS["dhtmlxq"](deal("e1a1", options={"handicap_fen": "4k4/9/9/9/9/9/9/9/4C4/4K4 w"})).encode())
    assert (lone.main(), lone.comment) == ((), "E1-A1")


def test_a_deal_without_moves_or_names() -> None:
    record = read(FORMATS["pgn"](deal(players=(), date="", points=None)).encode())
    assert (record.main(), record.headers, record.result) == ((), {"site": "qipai", "round": "3"}, "*")
