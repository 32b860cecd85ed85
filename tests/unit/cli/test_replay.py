"""`qipai replay`: records step by step, and whether they hold."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from qipai import cli, games
from qipai.core.contract import one_of
from qipai.core.entry import Record, rules_of
from qipai.core.record import dumps
from qipai.core.rng import Stream, commitment
from qipai.hall import hall
from qipai.lang import hall as hall_says
from qipai.store import LogEntry, Sqlite

SEED = bytes(range(32))
SEEDS = ["a", "", "牌", "d", "e", "f"]
ID = "k7f3q9x2"


def played(name: str) -> dict[str, Any]:
    """A whole deal by idle players, as GET /g/<id> tells it; its luck is that of P-92."""
    entry = games.find(name)
    options = entry.options()
    rules = rules_of(entry, options)
    luck = Stream.of_deal(SEED, ID, 1, SEEDS)
    carry = entry.carry(options, 0)
    state = rules.start(carry)
    moves = Stream.of_seed(5)
    rows: list[Any] = []
    while (outcome := rules.outcome(state)) is None:
        seat = min(rules.turn(state).seats)
        if seat < 0:
            action = rules.chance(state, luck)
        else:
            leaving = tuple(rules.leaving(state, seat))
            action = one_of(leaving, moves) if leaving and moves.below(30) == 0 else rules.sample(state, seat, moves)
        rows.append([seat, msgspec.to_builtins(action), 1500])
        state = rules.apply(state, seat, action).state
    return {
        "game_id": ID,
        "deal": 1,
        "table": 1,
        "game": name,
        "variant": None,
        "options": {},
        "carry": msgspec.to_builtins(carry),
        "seats": [{"user": {"id": 1, "name": "海潮生", "kind": "user"}}] + [{"bot": "easy"}] * (rules.seats - 1),
        "first_seated": 0,
        "fair": {"commitment": commitment(SEED), "server_seed": SEED.hex(), "client_seeds": SEEDS},
        "rows": rows,
        "result": {"points": outcome.points, "places": outcome.places, "why": outcome.why},
    }


@pytest.fixture(scope="module")
def deal() -> dict[str, Any]:
    return played("gouji")


def written(tmp_path: Path, whole: dict[str, Any]) -> str:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(whole, ensure_ascii=False), "utf-8")
    return str(path)


def test_every_step_is_said(deal: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", written(tmp_path, deal), "--lang", "zh"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"gouji {ID} deal 1: 0 海潮生, 1 easy, 2 easy, 3 easy, 4 easy, 5 easy"
    steps = {int(line[:4]) for line in lines[1:-1]}
    assert steps == set(range(1, len(deal["rows"]) + 1))
    assert lines[1].startswith("   1     1.5 s  ")
    assert lines[-1].startswith("points ")


def test_the_table_is_shown_as_a_seat_sees_it(
    deal: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, {**deal, "rows": deal["rows"][:3], "result": None} | {"result": deal["result"]})
    assert cli.main(["replay", file, "--lang", "en"]) == 0
    plain = capsys.readouterr().out
    assert cli.main(["replay", file, "--lang", "en", "--show", "--seat", "2"]) == 0
    shown = capsys.readouterr().out
    assert len(shown) > len(plain) + 300
    assert cli.main(["replay", file, "--seat", "6"]) == 1
    assert "--seat 6: gouji has seats 0 to 5" in capsys.readouterr().err


def test_a_game_that_holds_is_verified(
    deal: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["replay", written(tmp_path, deal), "--verify"]) == 0
    count = len(deal["rows"])
    assert capsys.readouterr().out == f"{count} steps hold, and give the result; the luck is that of the seeds\n"


def changed(deal: dict[str, Any], how: str) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads(json.dumps(deal))
    if how == "seal":
        whole["fair"]["commitment"] = "00" * 32
    elif how == "seeds":
        whole["fair"]["client_seeds"][1] = "x"
    elif how == "move":
        whole["rows"][1][1] = {"a": "play", "cards": "XXXXXXXX"}
    elif how == "result":
        whole["result"]["points"] = [0] * 6
    elif how == "cut":
        del whole["rows"][5:]
    return whole


@pytest.mark.parametrize(
    ("how", "complaint"),
    [
        ("seal", "the opened seed is not the one that was committed to"),
        ("seeds", "step 1: "),
        ("move", "the record breaks the rules: seat 0 may not "),
        ("result", "the record says "),
        ("cut", "the actions do not end the game, and yet it has a result"),
    ],
)
def test_a_game_that_does_not_hold_is_told(
    deal: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], how: str, complaint: str
) -> None:
    assert cli.main(["replay", written(tmp_path, changed(deal, how)), "--verify"]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"qipai replay: {complaint}")
    assert err.count("\n") == 1


def test_a_record_in_lines_is_read_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = played("xiangqi")
    record = Record(game="xiangqi", options={}, rows=tuple((s, a, ms) for s, a, ms in whole["rows"]))
    file = tmp_path / "game.jsonl"
    file.write_text(dumps(record), "utf-8")
    assert cli.main(["replay", str(file), "--verify"]) == 0
    assert capsys.readouterr().out == f"{len(whole['rows'])} steps hold, and give the result\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("not json", "is no record that qipai reads"),
        ('{"rows": 5}', "is no record"),
        ('{"game":"whist","options":{}}\n', "there is no game whist"),
        ('{"game":"xiangqi","options":{"spice":1}}\n', "is no record"),
        ("", "is no record"),
    ],
)
def test_a_file_that_is_no_record_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, complaint: str
) -> None:
    file = tmp_path / "odd"
    file.write_text(text, "utf-8")
    assert cli.main(["replay", str(file)]) == 1
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1


def test_a_game_of_the_hall_is_found_by_its_id(
    deal: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from qipai.accounts import service as accounts

    async def store() -> None:
        store = Sqlite(tmp_path / "hall.sqlite", [accounts.script(), hall.script()])
        await store.open()
        stream = f"game:{ID}"
        head = {key: deal[key] for key in ("table", "game_id", "deal", "game", "variant", "options", "carry")}
        created = {**head, "seats": [{"bot": "easy"}] * 6, "first_seated": 0, "commitment": commitment(SEED), "wait": 0}
        rows = [{"seat": seat, "action": action, "ms": ms} for seat, action, ms in deal["rows"]]
        ended = {**deal["result"], "carry": None, "server_seed": SEED.hex(), "paid": [], "again": 0}
        events = [
            LogEntry(stream, None, "game.created", created),
            LogEntry(stream, None, "game.seeded", {"game_id": ID, "client_seeds": SEEDS}),
            *(LogEntry(stream, None, "game.acted", row) for row in rows),
            LogEntry(stream, None, "game.ended", ended),
        ]
        await store.append(events, 1_790_000_000_000)
        await store.close()

    asyncio.run(store())
    assert cli.main(["replay", ID, "--data", str(tmp_path), "--verify"]) == 0
    assert "the luck is that of the seeds" in capsys.readouterr().out
    for wrong in ("k7f3q9x3", "../etc/passwd"):
        assert cli.main(["replay", wrong, "--data", str(tmp_path)]) == 1
        assert capsys.readouterr().err.startswith("qipai replay: there is no ")


# Files of other programs

PGN = (
    '[Game "Chinese Chess"]\n[Event "杯"]\n[Red "胡荣华"]\n[Black "柳大华"]\n\n'
    "1. 炮二平五 {中炮} 马８进７ (1... 炮８平５)\n2. MOVE *\n"
)


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("zh", ["红方 炮二平五", "# 中炮", "# (炮8平5)", "黑方 马8进7"]),
        ("en", ["Red C2=5", "# 中炮", "# (C8=5)", "Black H8+7"]),
    ],
)
def test_a_file_of_another_program_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str, expected: list[str]
) -> None:
    file = tmp_path / "game.pgn"
    file.write_bytes(PGN.replace("MOVE", "马二进三").encode("gb18030"))
    assert cli.main(["replay", str(file), "--lang", lang]) == 0
    out = capsys.readouterr().out
    assert "0 胡荣华, 1 柳大华" in out
    assert "event: 杯" in out
    at = [out.index(line) for line in expected]
    assert at == sorted(at)
    assert cli.main(["replay", str(file), "--verify"]) == 0
    assert capsys.readouterr().out == "3 steps hold; the game is not over\n"


@pytest.mark.parametrize(
    ("lang", "complaint"),
    [("zh", "第 7 行，第 3 着，“马二进九”：没有这样一着"), ("en", "line 7, move 3, “马二进九”: No such move")],
)
def test_a_file_that_cannot_be_read_says_where_and_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str, complaint: str
) -> None:
    file = tmp_path / "game.pgn"
    file.write_text(PGN.replace("MOVE", "马二进九"), "utf-8")
    assert cli.main(["replay", str(file), "--lang", lang]) == 1
    assert capsys.readouterr().err.startswith(f"qipai replay: {file} (pgn): {complaint}")


def test_a_file_of_several_games_is_a_list_to_choose_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.pgn"
    file.write_text("\n".join(PGN.replace("MOVE", move) for move in ("马二进三", "马二进九", "马八进七")), "utf-8")
    assert cli.main(["replay", str(file), "--lang", "en"]) == 0
    first, second, third, how = capsys.readouterr().out.splitlines()
    assert "胡荣华 – 柳大华" in first
    assert "No such move" in second
    assert "胡荣华 – 柳大华" in third
    assert "--game N" in how
    assert cli.main(["replay", str(file), "--game", "3", "--lang", "zh"]) == 0
    assert "马八进七" in capsys.readouterr().out
    assert cli.main(["replay", str(file), "--game", "4"]) == 1
    assert "no such game" in capsys.readouterr().err


READ = [(name, form) for name in ("backgammon", "xiangqi") for form in games.find(name).records.formats]


@pytest.mark.parametrize(("game", "form"), READ)
def test_every_format_that_the_hall_writes_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, form: str
) -> None:
    whole = played(game)
    record = Record(
        game=game,
        options={},
        rows=tuple((seat, action, ms) for seat, action, ms in whole["rows"]),
        players=("Lin", "Yuan"),
        outcome=whole["result"],
    )
    file = tmp_path / "written"
    file.write_text(games.find(game).records.formats[form](record), "utf-8")
    assert cli.main(["replay", str(file), "--lang", "en"]) == 0
    made = sum(1 for _seat, action, _ms in record.rows if "m" in action)
    assert capsys.readouterr().out.count(" s  ") >= made > 0
    assert cli.main(["replay", str(file), "--verify"]) == 0


def test_every_reason_that_a_reader_gives_has_a_sentence() -> None:
    source = Path(cli.__file__).parents[1] / "games"
    given = {
        why
        for file in source.glob("*/notation/*.py")
        for why in re.findall(r'BadNotation\("bad_record", .*?why="([^"]+)"', file.read_text("utf-8"))
    }
    assert {"bracket", "cut_short", "set_up", "no_players"} <= given
    for code in ("zh-CN", "en"):
        assert {why for why in given if f"unread.why.{why}" not in hall_says(code)} == set()
