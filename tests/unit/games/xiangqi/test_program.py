"""Our player over UCI and UCCI, spoken to as GUIs speak, and by our own client of other people's engines."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from queue import Queue

import pytest

from qipai.games.xiangqi.notation.engine import Engine
from qipai.games.xiangqi.position import START, legal_moves, parse_fen
from qipai.games.xiangqi.program import program

MATE_IN_ONE = "3k5/9/9/9/9/9/9/9/R8/1R2K4 w"  # on the last rank, or on the file of the general
MATED = "R2k5/1R7/9/9/9/9/9/9/9/4K4 b"
WAIT_S = 60  # for what must come; a search of one ply takes no time


class Gui:
    """What a GUI says and hears; lines are waited for by what they begin with."""

    def __init__(self) -> None:
        self._to: Queue[str | None] = Queue()
        self._from: Queue[str] = Queue()
        self.heard: list[str] = []
        self._thread = threading.Thread(target=program, args=(self._lines(), self._from.put), daemon=True)
        self._thread.start()

    def _lines(self) -> Iterator[str]:
        while (line := self._to.get()) is not None:
            yield line

    def say(self, *lines: str) -> None:
        """Say some lines."""
        for line in lines:
            self._to.put(line)

    def until(self, word: str) -> str:
        """Return the next line that begins so."""
        while True:
            line = self._from.get(timeout=WAIT_S)
            self.heard.append(line)
            if line.startswith(word):
                return line

    def over(self) -> None:
        """Close the pipe, and wait for the end."""
        self._to.put(None)
        self._thread.join(WAIT_S)
        assert not self._thread.is_alive()


@pytest.fixture
def gui() -> Iterator[Gui]:
    """Return a GUI with our player behind it."""
    made = Gui()
    yield made
    made.over()


def test_a_gui_that_speaks_uci(gui: Gui) -> None:
    gui.say("uci")
    gui.until("uciok")
    names = [line.split(" type ")[0] for line in gui.heard if line.startswith("option")]
    assert names == [f"option name {name}" for name in ("Hash", "Ponder", "Level", "Ranks", "UCI_Variant")]
    gui.say("setoption name Hash value 2", "isready")
    gui.until("readyok")
    gui.say("ucinewgame", "position startpos moves h2e2 h9g7", "go depth 3")
    best = gui.until("bestmove").split()
    told = [line for line in gui.heard if line.startswith("info depth")]
    assert [line.split()[2] for line in told] == ["1", "2", "3"]
    pattern = r"info depth \d+ score (cp|mate) -?\d+ nodes \d+ time \d+( nps \d+)? pv( [a-i]\d[a-i]\d)+"
    assert all(re.fullmatch(pattern, line) for line in told)
    assert best[2] == "ponder"
    assert told[-1].split(" pv ")[1].split()[:2] == [best[1], best[3]]


def test_a_mate_is_said_in_moves(gui: Gui) -> None:
    gui.say("uci", f"position fen {MATE_IN_ONE}", "go depth 4")
    gui.until("bestmove")
    assert any(" score mate 1 " in line for line in gui.heard)
    gui.say(f"position fen {MATED}", "go depth 1")
    assert gui.until("bestmove") == "bestmove (none)"


def test_ranks_from_one_for_who_names_the_variant(gui: Gui) -> None:
    gui.say("uci", "setoption name UCI_Variant value xiangqi", "position startpos moves h3e3 h10g8", "go depth 1")
    best = gui.until("bestmove").split()[1]
    assert re.fullmatch(r"[a-i](10|[1-9])[a-i](10|[1-9])", best)
    assert not any("no legal move" in line for line in gui.heard)


def test_an_endless_search_ends_when_it_is_told_to(gui: Gui) -> None:
    gui.say("uci", "position startpos", "go infinite")
    gui.until("info depth 2")
    gui.say("stop")
    assert gui.until("bestmove").split()[1] in legal_moves(START)
    gui.say(f"position fen {MATE_IN_ONE}", "go infinite")  # nothing is left to search, and yet nothing is said
    gui.until("info depth")
    gui.say("isready")
    gui.until("readyok")
    assert not gui.heard[-1].startswith("bestmove")
    gui.say("stop")
    gui.until("bestmove")


def test_pondering_answers_when_it_is_hit(gui: Gui) -> None:
    gui.say("uci", "position startpos", "go ponder wtime 40 btime 40", "isready")
    gui.until("readyok")
    assert not any(line.startswith("bestmove") for line in gui.heard)
    gui.say("ponderhit")
    assert gui.until("bestmove").split()[1] in legal_moves(START)


def test_only_some_moves_may_be_searched(gui: Gui) -> None:
    gui.say("uci", "position startpos", "go depth 2 searchmoves a0a1 i0i1")
    assert gui.until("bestmove").split()[1] in ("a0a1", "i0i1")
    all_but = [move for move in legal_moves(START) if move != "a3a4"]
    gui.say("ucci", "position startpos", f"banmoves {' '.join(all_but)}", "go depth 2")
    assert gui.until("bestmove").split()[1] == "a3a4"
    gui.say("position startpos", f"banmoves {' '.join(legal_moves(START))}", "go depth 2")
    assert gui.until("nobestmove") == "nobestmove"


def test_a_gui_that_speaks_ucci(gui: Gui) -> None:
    gui.say("ucci")
    gui.until("ucciok")
    gui.say("setoption usemillisec false", "position startpos moves b2e2", "go draw time 1 movestogo 5 increment 0")
    gui.until("bestmove")
    assert all(re.search(r"score -?\d+ ", line) for line in gui.heard if line.startswith("info depth"))
    gui.say("quit")
    assert gui.until("bye") == "bye"


def test_what_is_wrong_is_said_and_the_talk_goes_on(gui: Gui) -> None:
    gui.say(
        "uci", "nonsense", "setoption name Nothing value 1", "position fen 9/9 w", "position startpos moves a0a9 b2e2"
    )
    gui.say("go depth 1")
    best = gui.until("bestmove").split()[1]
    told = " ".join(line for line in gui.heard if line.startswith("info string"))
    for words in ("unknown command: nonsense", "no such option", "bad_fen", "a0a9 is no legal move here"):
        assert words in told
    assert best in legal_moves(START)


def test_our_own_client_plays_against_it() -> None:
    """A program of its own, as `qipai engine xiangqi` starts it, answers position after position."""
    command = [sys.executable, "-m", "qipai", "engine", "xiangqi", "--interpreted"]
    position = parse_fen(MATE_IN_ONE)
    for protocol in ("uci", "ucci"):
        with Engine(command, protocol) as engine:
            assert engine.best_move(START, ["h2e2", "h9g7"], 200) is not None
            thought = engine.think(position, [], 500)
            assert thought.move in ("b0b9", "b0d0")
