"""Records in PGN: what is read, what is refused, what is written (xiangqi 11)."""

from __future__ import annotations

import pytest
from tests.unit.games.xiangqi.records_twin import of, refused

from qipai.games.xiangqi.notation import GameRecord, pgn, read_all

HEAD = '[Game "Chinese Chess"]\n'


@pytest.mark.parametrize(
    "moves",
    [
        "1. 炮二平五 马8进7 2. 马二进三",
        "1.炮二平五 马８进７ 2.马二进三",
        "1. C2=5 H8+7 2. N2+3",
        "1.C2.5 1...H8+7 2.H2+3",
        "1 H2-E2 H9-G7 2 H0-G2",
        "1. h2e2 1... h9g7 2. h0g2",
        "7747 7062 7967",
        "1.7747 7062 2.7967",
        "１．炮二平五　马８进７　２．马二进三",
        "1. 炮二平五! 马8进7?! $14 2. H0-G2 ; the rest of a line is a comment",
        "1. 炮二平五 ... 马8进7 2. 7967!!",
        "炮二平五\n馬8進7\n馬二進三",
    ],
)
def test_moves_of_all_formats_are_tried_token_by_token(moves: str) -> None:
    record = of(HEAD + "\n" + moves + " *")
    assert record.main() == ("h2e2", "h9g7", "h0g2")


def test_soldiers_with_an_index_are_no_move_numbers() -> None:
    fen = '[FEN "5k3/9/3P5/3P1P1P1/5P3/9/9/9/9/4K4 w - - 0 14"]\n'
    assert of(HEAD + fen + "14. 16.5").main() == ("d7e7",)
    assert of(HEAD + fen + "14.16.5").main() == ("d7e7",)
    assert of(HEAD + fen + "16.5").main() == ("d7e7",)


@pytest.mark.parametrize(
    ("tag", "end", "result"),
    [
        ("1-0", "0-1", "1-0"),
        ("*", "0-1", "0-1"),
        ("*", "1/2-1/2", "1/2-1/2"),
        (None, "1-0", "1-0"),
        (None, "", "*"),
        ("0-1", "", "0-1"),
        ("?", "1-0", "1-0"),
    ],
)
def test_the_result_tag_counts_before_the_terminator(tag: str | None, end: str, result: str) -> None:
    head = HEAD + (f'[Result "{tag}"]\n' if tag else "")
    assert of(f"{head}\n1. 炮二平五 (1. 炮八平五 0-1) {end}").result == result


def test_a_variation_replaces_the_move_before_it() -> None:
    record = of("1. h2e2 {甲} ({乙} 1. b2e2 {丙} h9g7 (1... b9c7) (1... h7e7)) (1. c3c4) h9g7 {丁} 2. h0g2")
    assert list(record.lines()) == [
        ("h2e2", "h9g7", "h0g2"),
        ("b2e2", "h9g7"),
        ("b2e2", "b9c7"),
        ("b2e2", "h7e7"),
        ("c3c4",),
    ]
    comments = {node.move: node.comment for node in record.nodes if node.comment}
    assert comments == {"h2e2": "甲", "b2e2": "乙\n丙", "h9g7": "丁"}


@pytest.mark.parametrize("wrong", ["h2h9x", "h2e3", "hello", "炮九平六", "前兵进一"])
def test_an_illegal_move_in_a_variation_drops_the_rest_of_it(wrong: str) -> None:
    record = of(f"1. h2e2 h9g7 (1... b9c7 2. {wrong} (2. h0g2 h7h2) h7e7 3. h0g2) 2. h0g2 ({wrong}) i9h9")
    assert list(record.lines()) == [
        ("h2e2", "h9g7", "h0g2", "i9h9"),
        ("h2e2", "b9c7", "h0g2", "h7h2"),  # what stood beside the illegal move is a variation of its own
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "hello",
        HEAD + "1. h2e2 h2e2",
        HEAD + "1. h2e2 e2e6 *",
        HEAD + "1. h2e2 (1. b2e2",
        HEAD + "1. h2e2 {a comment",
        HEAD + "1. h2e2 )",
        HEAD + "( 1. h2e2 )",
        HEAD + "1. h2e2 ((1. b2e2))",
        HEAD + '[Red "cut',
        HEAD + "[Red]\n1. h2e2",
        HEAD + '[FEN "9/9/9/9/9/9/9/9/9/9 w"]',
        HEAD + '[FEN "hello"]\n1. h2e2',
        HEAD + '[FEN "4k4/9/9/9/9/9/9/9/9/4K4 w"]\n1. e0e1',
        HEAD + '[FEN "5k3/9/9/4P4/9/4P4/9/9/9/3K5 w"]\n1. 兵五进一',
    ],
)
def test_pgn_that_is_no_record(text: str) -> None:
    assert refused(text, "pgn") == "bad_record"


def test_a_broken_game_does_not_spoil_the_others() -> None:
    text = HEAD + "1. h2e2 1-0\n\n" + HEAD + "1. h2e3 *\n\n" + HEAD + '[FEN "9"]\n*\n\n' + HEAD + "1. b2e2 0-1\n"
    assert of(text, game=0).main() == ("h2e2",)
    assert refused(text, "pgn", 1) == refused(text, "pgn", 2) == refused(text, "pgn", 4) == "bad_record"
    assert of(text, game=3).main() == ("b2e2",)


def test_tags_with_brackets_quotes_and_foreign_names_are_kept() -> None:
    record = GameRecord(headers={"red": '王"天一" [特大]', "event": "C:\\赛事\\", "Weather": "晴"})
    assert of(pgn.write(record)) == record


def test_the_writing_of_pgn_is_stable() -> None:
    record = of(
        '[Game "Chinese Chess"][Event "第24届五羊杯"][Date "2004.01.05"][RedTeam "广东"][Red "吕钦"][Black "许银川"]'
        '[Result "1-0"][FEN "r1bak1bnr/4a4/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 b - - 4 7"]'
        "{开局} 7... H8+7 {稳} (7... R1=2 8. C8=7 {好} (8. P3+1) H8+7) 8. P7+1"
    )
    assert pgn.write(record) == (
        '[Game "Chinese Chess"]\n[Event "第24届五羊杯"]\n[Date "2004.01.05"]\n[RedTeam "广东"]\n[Red "吕钦"]\n'
        '[Black "许银川"]\n[Result "1-0"]\n'
        '[FEN "r1bak1bnr/4a4/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 b - - 4 7"]\n[Format "Chinese"]\n\n'
        "{开局} 7... 马8进7 {稳} (7... 车1平2 8. 炮八平七 {好} (8. 兵三进一) "
        "8... 马8进7) 8. 兵七进一 1-0\n\n"
    )


FAREWELL = "  ============================\n 欢迎访问《象棋百科全书网》 (棋谱) [\n http://www.xqbase.com/ }\n"


def test_what_programs_say_behind_a_game_is_passed_over() -> None:
    text = f"{HEAD}1. h2e2 1-0 {{好}}\n{FAREWELL}"
    assert [game.main() for game in read_all(text.encode())] == [("h2e2",)]
    assert of(text).nodes[0].comment == "好"
    assert [game.main() for game in read_all((text + HEAD + "1. b2e2 *" + FAREWELL).encode())] == [("h2e2",), ("b2e2",)]


def test_games_without_tags_are_parted_by_their_results() -> None:
    games = list(read_all("1. h2e2 h9g7 1-0\n\n1. b2e2 0-1 {甲} {乙} 1. c3c4 *".encode(), "pgn"))
    assert [(game.main(), game.result) for game in games] == [
        (("h2e2", "h9g7"), "1-0"),
        (("b2e2",), "0-1"),
        (("c3c4",), "*"),
    ]
    assert games[1].nodes[0].comment == "甲\n乙"
