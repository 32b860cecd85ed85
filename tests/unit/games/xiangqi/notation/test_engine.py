"""Engines over UCI and UCCI: a real one where it is installed, and made-up ones that misbehave."""

from __future__ import annotations

import shutil
import sys
import textwrap
import time
from pathlib import Path

import pytest

from qipai.games.xiangqi.notation import engine
from qipai.games.xiangqi.notation.engine import Engine, EngineError
from qipai.games.xiangqi.position import START, apply, explain_move, parse_fen, status

FAIRY = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")


if FAIRY:  # test-only, never shipped

    def test_a_real_engine_plays_and_mates() -> None:
        with Engine([str(FAIRY)], options={"Threads": 1, "Hash": 16}) as fairy:
            thought = fairy.think(START, ["h2e2"], 1000)  # on a busy machine, too, it gets to say a line
            after = apply(START, "h2e2")
            assert thought.move
            assert explain_move(after, thought.move) is None
            assert thought.line[0] == thought.move
            assert thought.depth > 0
            assert thought.centipawns is not None
            mate_in_one = parse_fen("3k5/9/9/9/9/9/9/9/8R/R3K4 w")
            thought = fairy.think(mate_in_one, [], 1000)
            assert thought.mate == 1
            assert thought.move
            assert status(apply(mate_in_one, thought.move)) == "checkmate"
            mated = parse_fen("R2k5/8R/9/9/9/9/9/9/9/4K4 b")
            assert fairy.best_move(mated, [], 50) is None


def script(tmp_path: Path, text: str) -> list[str]:
    """Return the command of a made-up engine; `text` handles one line of input."""
    file = tmp_path / "engine.py"
    body = textwrap.indent(textwrap.dedent(text).strip(), "    ")
    file.write_text(
        f"import sys, time\ndef say(s): print(s, flush=True)\nfor line in sys.stdin:\n    line = line.strip()\n{body}\n"
    )
    return [sys.executable, "-u", str(file)]


XIANGQI_ONLY = """
if line == "uci": say("id name a friend"); say("uciok")
elif line == "isready": say("readyok")
elif line.startswith("position"): moves = line.split("moves ")[-1]
elif line.startswith("go movetime"):
    say("info string thinking"); say("info depth x score cp y pv"); say("info depth 3 score cp 21 pv h9g7 h0g2 rubbish")
    say("info depth 4 score cp 99 lowerbound pv b9c7")
    say("bestmove h9g7 ponder h0g2" if moves == "h2e2" else "bestmove a0a1")
elif line == "quit": break
"""


def test_an_engine_of_xiangqi_alone_counts_ranks_from_zero(tmp_path: Path) -> None:
    with Engine(script(tmp_path, XIANGQI_ONLY)) as friend:
        thought = friend.think(START, ["h2e2"], 1000)
    assert (thought.move, thought.line, thought.centipawns, thought.depth) == ("h9g7", ("h9g7", "h0g2"), 21, 3)


UCCI = """
if line == "ucci": say("option usemillisec type check default false"); say("ucciok")
elif line == "setoption usemillisec true": ms = True
elif line == "setoption level 3": level = 3
elif line == "isready": say("readyok" if ms and level else "no")
elif line.startswith("go time 70 movestogo 1"): say("info depth 6 score -4 pv h2e2 h9g7"); say("bestmove h2e2")
elif line.startswith("go"): say("nobestmove")
elif line == "quit": say("bye"); break
"""


def test_ucci_engines(tmp_path: Path) -> None:
    with Engine(script(tmp_path, UCCI), "ucci", {"level": 3}) as engine:
        thought = engine.think(START, [], 70)
        assert (thought.move, thought.centipawns, thought.line) == ("h2e2", -4, ("h2e2", "h9g7"))
        assert engine.best_move(START, [], 80) is None


HELLO = 'if line == "uci": say("uciok")\nelif line == "isready": say("readyok")\n'


@pytest.mark.parametrize(
    "answer",
    [
        'say("bestmove h2e3")',
        'say("bestmove h3e3")',
        'say("bestmove rubbish")',
        'say("bestmove")',
        "sys.exit(1)",
        "pass",
        "sys.stdout.buffer.write(bytes(range(256)) * 100); sys.stdout.flush(); sys.exit(0)",
    ],
)
def test_an_engine_that_misbehaves_is_an_error(tmp_path: Path, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "GRACE_S", 0.3)
    command = script(tmp_path, f'{HELLO}elif line.startswith("go"): {answer}')
    with Engine(command) as bad, pytest.raises(EngineError):
        bad.think(START, [], 50)


@pytest.mark.parametrize(
    "text",
    [
        "sys.exit(0)",
        'if line == "uci": say("option name UCI_Variant type combo default chess var chess"); say("uciok")',
        'if line == "uci": say("uciok")',
        "pass",
    ],
)
def test_an_engine_that_does_not_start_is_an_error(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "START_S", 0.5)
    began = time.monotonic()
    with pytest.raises(EngineError):
        Engine(script(tmp_path, text))
    assert time.monotonic() - began < 10


def test_a_program_that_is_not_there_is_an_error() -> None:
    with pytest.raises(EngineError):
        Engine(["/no/such/engine"])


def test_an_engine_that_thinks_too_long_is_told_to_stop(tmp_path: Path) -> None:
    text = HELLO + 'elif line == "stop": say("bestmove h2e2")\nelif line == "quit": break'
    with Engine(script(tmp_path, text)) as slow:
        assert slow.best_move(START, [], 20) == "h2e2"
