"""Records: what is read, what is refused, what is written comes back (xiangqi 11)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.games.xiangqi import records_twin as twin
from tests.unit.games.xiangqi.records_twin import of, refused

from qipai.core.contract import BadNotation
from qipai.games.xiangqi.notation import GameRecord, cbridge, dhtmlxq, format_of, pgn, read, read_all, ucci, xqf
from qipai.games.xiangqi.position import START, format_fen, parse_fen

SIGNS = "红黑车马炮兵将士象中开局好棋 abc123.()[]{}\"\\'\n|;%$*-;,。（）　"
COMMENTS = st.text(SIGNS, max_size=30).map(str.strip)
WORDS = ("title", "event", "site", "date", "round", "red", "black", "red_team", "black_team", "opening", "ecco", "own")


# Round trips


@given(
    twin.records(COMMENTS.map(lambda t: t.replace("}", "")).map(str.strip), *WORDS),
    st.sampled_from(["Chinese", "WXF", "ICCS"]),
)
@settings(max_examples=60)
def test_pgn_gives_back_what_it_was_given(record: GameRecord, style: pgn.Format) -> None:
    assert list(read_all(pgn.write(record, style).encode(), "pgn")) == [record]


@given(st.lists(twin.records(st.sampled_from(["", "好棋"]), "red", "black"), min_size=1, max_size=4))
@settings(max_examples=15)
def test_a_pgn_file_holds_many_games(games: list[GameRecord]) -> None:
    text = "".join(pgn.write(game) for game in games)
    assert list(read_all(text.encode())) == games
    assert list(read_all(text.encode("gb18030"))) == games
    assert list(read_all(text.encode("utf-8-sig"))) == games
    assert list(read_all(text.encode("utf-16"))) == games


def plain(text: str) -> str:
    return text.replace("|", "¦").strip()  # two bars in a row are a line break


@given(twin.records(COMMENTS.map(plain), *WORDS))
@settings(max_examples=60)
def test_dhtmlxq_gives_back_what_it_was_given(record: GameRecord) -> None:
    back = of(dhtmlxq.write(record), "dhtmlxq")
    if not record.nodes:  # the format says neither who begins nor, ever, how many rounds were played before
        assert (back.start.board, back.headers) == (record.start.board, record.headers)
        return
    assert (back.start.board, back.start.side) == (record.start.board, record.start.side)
    assert (back.nodes, back.comment, back.headers) == (record.nodes, record.comment, record.headers)
    assert back.result == record.result


@given(twin.records(st.just("")))
@settings(max_examples=30)
def test_a_plain_line_gives_back_the_main_line(record: GameRecord) -> None:
    back = of(ucci.write(record), "ucci")
    assert (back.start, back.main()) == (record.start, record.main())


LATIN = st.text("红黑车马炮兵 abc!", max_size=15).map(str.strip)


@given(
    twin.records(LATIN, "title", "event", "red", "black"),
    st.integers(0, 20),
    st.integers(0, 255),
    st.binary(min_size=4, max_size=4),
    st.binary(min_size=4, max_size=4),
)
@settings(max_examples=80)
def test_xqf_of_every_version_is_read(record: GameRecord, version: int, mask: int, ors: bytes, keys: bytes) -> None:
    short = {
        key: value.encode("gb18030")[:14].decode("gb18030", "ignore").strip() for key, value in record.headers.items()
    }
    record = GameRecord(
        start=parse_fen(format_fen(record.start, counters=False)),  # XQF counts no rounds
        nodes=record.nodes,
        comment=record.comment,
        headers={key: value for key, value in short.items() if value},
        result=record.result,
    )
    assert read(twin.xqf(record, version, mask, ors, keys)) == record


@given(twin.records(LATIN, "title", "event", "red", "black"), st.binary(max_size=9))
@settings(max_examples=40)
def test_cbr_is_read(record: GameRecord, rubbish: bytes) -> None:
    back = read(twin.cbr(record, rubbish))
    assert (back.start.board, back.start.side, back.start.round) == (
        record.start.board,
        record.start.side,
        record.start.round,
    )
    assert (back.nodes, back.comment, back.headers, back.result) == (
        record.nodes,
        record.comment,
        record.headers,
        record.result,
    )


@given(st.lists(twin.records(LATIN, "red", start=START), max_size=3))
@settings(max_examples=15)
def test_cbl_holds_the_games_of_a_library(games: list[GameRecord]) -> None:
    data = twin.cbl([twin.cbr(game) for game in games])
    assert list(read_all(data)) == games
    assert refused(data, "cbl", len(games)) == "bad_record"


def test_a_long_game_in_a_library_fills_several_slots() -> None:
    long = twin.random_record(3, 60, ["很长的评注" * 40], {}, START)
    short = twin.random_record(4, 5, [""], {}, START)
    data = twin.cbr(long)
    assert len(data) > 3 * 4096
    assert list(read_all(twin.cbl([data, twin.cbr(short)]))) == [long, short]


# A stranger's bytes


def tried(data: bytes, form: str) -> str:
    """Return why a file is refused, "" when it is read; whatever it holds can be walked."""
    try:
        for record in read_all(data, form):
            assert next(record.lines()) == record.main()
            record.final()
    except BadNotation as wrong:
        return wrong.code
    return ""


@given(st.binary(max_size=300), st.sampled_from(["", "pgn", "dhtmlxq", "ucci", "xqf", "cbr", "cbl", "no such"]))
def test_any_bytes_are_records_or_refused(data: bytes, form: str) -> None:
    assert tried(data, form) in ("", "bad_record")


@given(st.text('[]{}()"炮二平五马8进7 1.*-/;\n' + "GDFENhtmlXQ_movebin", max_size=60) | st.text(max_size=40))
def test_any_text_is_a_record_or_refused(text: str) -> None:
    for form in ("pgn", "dhtmlxq", "ucci"):
        assert tried(text.encode(), form) in ("", "bad_record")


@given(st.integers(0, 2**32), st.data())
@settings(max_examples=60)
def test_a_damaged_file_is_a_record_or_refused(seed: int, data: st.DataObject) -> None:
    record = twin.random_record(seed, 12, ["", "评"], {"red": "甲"})
    files = [
        twin.xqf(record, 10, 0, bytes(4), bytes(4)),
        twin.xqf(record, 18, 255, b"abcd", b"\x01\x02\x03\x04"),
        twin.cbr(record),
        twin.cbl([twin.cbr(record)]),
        pgn.write(record).encode(),
        pgn.write(record).encode("gb18030"),
        dhtmlxq.write(record).encode(),
    ]
    file = bytearray(data.draw(st.sampled_from(files)))
    form = format_of(bytes(file))
    for _ in range(data.draw(st.integers(1, 3))):
        tail = max(0, len(file) - data.draw(st.integers(1, 200)))
        file[min(tail, len(file) - 1)] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del file[data.draw(st.integers(0, len(file))) :]
    assert tried(bytes(file), form) in ("", "bad_record")


@pytest.mark.slow
def test_a_very_deep_tree_needs_no_recursion() -> None:
    shuffle = ["h2e2", "h7e7", "e2h2", "e7h7"] * 1500
    record = GameRecord.of_moves(shuffle)
    for form, data in (
        ("pgn", pgn.write(record, "ICCS").encode()),
        ("dhtmlxq", dhtmlxq.write(record).encode()),
        ("ucci", ucci.write(record).encode()),
        ("xqf", xqf_chain(shuffle)),
    ):
        assert read(data, form).main() == record.main()
    nested = "1. H2-E2 " + "(1. H2-E2 " * 2000 + ")" * 2000
    assert len(of(nested).nodes) == 2001
    assert pgn.read(next(pgn.drafts(pgn.write(of(nested))))) == of(nested)


def xqf_chain(moves: list[str]) -> bytes:
    head = bytearray(twin.xqf(GameRecord(), 10, 0, bytes(4), bytes(4))[:1024])
    body = b"\x18\x20\xf0\0\0\0\0\0"
    for at, move in enumerate(moves):
        origin, target = (10 * "abcdefghi".index(move[i]) + int(move[i + 1]) for i in (0, 2))
        body += bytes([origin + 24, target + 32, 0xF0 if at + 1 < len(moves) else 0, 0, 0, 0, 0, 0])
    return bytes(head) + body


# DhtmlXQ


def dhtml(**fields: str) -> str:
    return "[DhtmlXQ]" + "".join(f"[DhtmlXQ_{k}]{v}[/DhtmlXQ_{k}]" for k, v in fields.items()) + "[/DhtmlXQ]"


def test_pieces_of_a_kind_may_stand_in_any_order() -> None:
    swapped = "8979695949392919097717866646260680706050403020100072128363432303"
    record = of(dhtml(binit=swapped, movelist="77477062"), "dhtmlxq")
    assert record.start == START
    assert dhtmlxq.binit(record.start) == dhtmlxq.STANDARD


def test_a_page_without_the_outer_marks_is_read() -> None:
    """As published: the marks around the fields are missing, the pieces stand from the right."""
    text = (
        "[DhtmlXQ_title]例[/DhtmlXQ_title][DhtmlXQ_result]未知[/DhtmlXQ_result]"
        "[DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]"
        "[DhtmlXQ_movelist]2625232425242042242310312333002017372029373173[/DhtmlXQ_movelist]"
        "[DhtmlXQ_move_0_11_1]3111[/DhtmlXQ_move_0_11_1]"
    )
    assert refused(text, "dhtmlxq") == "bad_record"  # 173 is torn off
    whole = of(text.replace("373173", "3731"), "dhtmlxq")
    assert len(whole.main()) == 11
    assert whole.main()[0] == "c3c4"
    assert of(text.replace("movelist", "move_0_1_0").replace("373173", "3731"), "dhtmlxq") == whole


def test_variations_hang_on_any_line_and_come_in_the_order_of_their_numbers() -> None:
    record = of(
        dhtml(
            movelist="774770627967",
            move_0_1_9="1747",  # b2e2
            move_2_3_1="1927",  # b0c2, hangs on line 2, which comes later
            move_0_2_2="10227967",  # b9c7 h0g2
            move_0_2_3="7242",  # h7e7
            move_5_1_6="1747",  # there is no line 5
            move_0_9_7="1747",  # the main line is not so long
            move_3_3_8="79674",  # h0g2, then a torn move
            comment0="开||局",
            comment2="主",
            comment2_3="变",
            comment77="无",
        ),
        "dhtmlxq",
    )
    assert list(record.lines()) == [
        ("h2e2", "h9g7", "h0g2"),
        ("h2e2", "b9c7", "h0g2"),
        ("h2e2", "b9c7", "b0c2"),
        ("h2e2", "h7e7", "h0g2"),
        ("b2e2",),
    ]
    assert record.comment == "开\n局"
    assert [node.comment for node in record.nodes if node.comment] == ["主", "变"]


@pytest.mark.parametrize(
    ("word", "result"),
    [("红胜", "1-0"), ("黑胜", "0-1"), ("和棋", "1/2-1/2"), ("和局", "1/2-1/2"), ("未知", "*"), ("", "*")],
)
def test_results_are_words(word: str, result: str) -> None:
    assert of(dhtml(result=word), "dhtmlxq").result == result


def test_who_begins_without_moves() -> None:
    red_is_in_check = dhtmlxq.binit(parse_fen("3k5/9/9/9/9/9/9/9/9/4K3r w"))
    black_is_in_check = dhtmlxq.binit(parse_fen("3k4R/9/9/9/9/9/9/9/9/4K4 b"))
    assert of(dhtml(binit=red_is_in_check), "dhtmlxq").start.side == 0
    assert of(dhtml(binit=black_is_in_check), "dhtmlxq").start.side == 1
    assert of(dhtml(), "dhtmlxq").start == START


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "[DhtmlXQ][DhtmlXQ_movelist]7747",
        "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]",
        dhtml(movelist="774"),
        dhtml(movelist="77477"),
        dhtml(movelist="9747"),
        dhtml(movelist="7747x062"),
        dhtml(movelist="7746"),
        dhtml(movelist="77477747"),
        dhtml(movelist="4547"),
        dhtml(binit="0919"),
        dhtml(binit=dhtmlxq.STANDARD[:-2] + "91"),
        dhtml(binit=dhtmlxq.STANDARD[:-2] + "63"),
        dhtml(binit="99" * 32),
    ],
)
def test_dhtmlxq_that_is_no_record(text: str) -> None:
    assert refused(text, "dhtmlxq") == "bad_record"


# XQF, CBR, CBL


def one_move(version: int = 10) -> bytes:
    return twin.xqf(GameRecord.of_moves(["h2e2", "h9g7"]), version, 3, b"\x11\x22\x33\x44", b"\x55\x66\x77\x88")


@pytest.mark.parametrize("version", [10, 11, 12, 18])
def test_xqf_cut_anywhere_in_its_moves_is_refused(version: int) -> None:
    whole = one_move(version)
    assert read(whole).main() == ("h2e2", "h9g7")
    for end in (0, 1, 2, 500, 1023, *range(1024, len(whole))):
        assert refused(whole[:end], "xqf") == "bad_record"


def test_what_stands_behind_the_moves_is_ignored() -> None:
    assert read(one_move() + b"rubbish").main() == ("h2e2", "h9g7")


def test_xqf_with_a_wrong_magic_or_an_impossible_board() -> None:
    assert refused(b"XX" + one_move()[2:], "xqf") == "bad_record"
    twice = bytearray(one_move())
    twice[16] = twice[17]
    assert refused(bytes(twice), "xqf") == "bad_record"
    headless = bytearray(one_move())
    headless[20] = 255
    assert refused(bytes(headless), "xqf") == "bad_record"


def test_the_first_mover_owns_the_first_moved_piece() -> None:
    black = parse_fen("3k5/9/9/9/9/9/4c4/9/9/4K4 b")
    record = GameRecord.of_moves(["e3e8"], black)
    file = bytearray(twin.xqf(record, 10, 0, bytes(4), bytes(4)))
    assert file[50] == 1
    file[50] = 0
    assert read(bytes(file)).start.side == 1
    silent = twin.xqf(GameRecord(start=black), 10, 0, bytes(4), bytes(4))
    assert read(silent).start.side == 1
    cbr = bytearray(twin.cbr(record))
    cbr[2112] = 1
    assert read(bytes(cbr)).start.side == 1
    assert read(twin.cbr(GameRecord(start=black))).start.side == 1


def test_cbr_cut_or_of_another_layout_is_refused() -> None:
    whole = twin.cbr(GameRecord.of_moves(["h2e2", "h9g7"]))
    assert read(whole).main() == ("h2e2", "h9g7")
    for end in (5, 15, 16, 100, 2213, *range(2214, len(whole))):
        assert refused(whole[:end], "cbr") == "bad_record"
    for layout in (0, 1, 3):
        assert refused(whole[:19] + bytes([layout]) + whole[20:], "cbr") == "bad_record"
    assert refused(b"ccbridge" + whole[8:], "cbr") == "bad_record"


def test_cbr_results_and_the_number_of_the_first_round() -> None:
    file = bytearray(twin.cbr(GameRecord()))
    for byte, result in enumerate(["*", "1-0", "0-1", "1/2-1/2", "*", "*"]):
        file[2076] = byte
        assert read(bytes(file)).result == result
    file[2116:2118] = b"\x2c\x01"
    assert read(bytes(file)).start.round == 300


def test_cbl_without_games_or_with_a_wrong_magic() -> None:
    assert refused(twin.cbl([]), "cbl") == "bad_record"
    assert refused(b"CCBridgeLibrarx\0" + bytes(100), "cbl") == "bad_record"
    assert refused(b"CCBridgeLibrary\0" + bytes(20), "cbl") == "bad_record"
    assert refused(b"CCBridgeLibrary\0" + bytes(44) + b"\xff" * 4, "cbl") == "bad_record"


# Plain lines


@pytest.mark.parametrize(
    "line",
    [
        "startpos moves h2e2 h9g7",
        "position startpos moves h2e2 h9g7",
        "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7",
        "fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r moves h2e2 h9g7",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR moves h2e2 h9g7\n",
    ],
)
def test_plain_lines(line: str) -> None:
    record = of(line, "")
    assert (record.start, record.main()) == (START, ("h2e2", "h9g7"))


def test_a_line_without_moves_is_a_position() -> None:
    assert of("startpos", "").nodes == of("position startpos moves", "").nodes == ()


@pytest.mark.parametrize(
    "line", ["position", "moves h2e2", "fen moves h2e2", "startpos moves h2e3", "startpos h2e2", "9 w moves"]
)
def test_plain_lines_that_are_no_record(line: str) -> None:
    assert refused(line, "ucci") == "bad_record"


def test_the_format_of_a_file_is_seen_by_its_first_signs() -> None:
    record = twin.random_record(1, 9, [""], {}, START)
    for form, data in {
        "xqf": twin.xqf(record, 18, 1, b"abcd", b"efgh"),
        "cbr": twin.cbr(record),
        "cbl": twin.cbl([]),
        "pgn": pgn.write(record).encode("gb18030"),
        "dhtmlxq": b"<div>" + dhtmlxq.write(record).encode(),
        "ucci": ucci.write(record).encode(),
    }.items():
        assert format_of(data) == form


def test_the_readers_are_the_ones_the_door_opens() -> None:
    record = GameRecord.of_moves(["h2e2"])
    assert xqf.read(twin.xqf(record, 10, 0, bytes(4), bytes(4))) == record
    assert cbridge.read(twin.cbr(record)) == record
