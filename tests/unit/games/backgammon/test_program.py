"""Our player as gnubg's external player: board lines as gnubg 1.07 has said them, ours, and whole games against it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.core.contract import NATURE, BadNotation
from qipai.core.rng import Stream
from qipai.games.backgammon import external
from qipai.games.backgammon.bots.players import Easy
from qipai.games.backgammon.observation import observe
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.program import asked, program
from qipai.games.backgammon.rules import Backgammon

# gnubg is player 0, the external player; `root` is player 1, whose checkers are positive.
OPENING = (
    "board:gnubg:root:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:3:1:3:1"
    ":1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
)
# root doubles, gnubg answers
DOUBLED = (
    "board:root:gnubg:9:6:2:0:-2:0:2:2:0:4:2:2:0:0:0:-3:2:0:-1:0:-3:0:-4:-2:0:0:0:1:0:1:0:0:0:0"
    ":2:1:0:1:1:-1:0:25:0:0:0:0:0:0:0:1"
)


def answers(*lines: str) -> list[str]:
    """Return what is said to these lines."""
    said: list[str] = []
    program(lines, said.append)
    return said


def test_an_opening_is_played_as_everybody_plays_it() -> None:
    assert answers(OPENING) == ["8/5 6/5"]


def test_whose_checkers_are_whose() -> None:
    options, state = asked(OPENING)
    view = observe(options, state, 0)
    assert view.position == "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
    assert (options.match_to, view.on_roll, view.dice, view.phase) == (3, 0, (3, 1), "to_play")

    options, state = asked(DOUBLED)
    view = observe(options, state, 0)
    assert (view.phase, view.turn, view.on_roll) == ("double_offered", 0, 1)
    assert view.score == (2, 6)
    assert (view.cube.value, view.cube.owner) == (2, 1)  # root may double: the cube was root's
    assert view.sides[0].points[23] == 2  # gnubg's two checkers are still in root's home
    assert sum(view.sides[0].points) == 15


def test_whose_line_is_no_board_is_told_and_the_talk_goes_on() -> None:
    wrong = ["hello", OPENING.replace(":-1:0:25:", ":-1:7:25:"), OPENING.replace(":5:0:3:", ":9:0:9:")]
    said = answers(*wrong, "", OPENING, "quit", "x")
    assert [line.split(":")[0] for line in said] == ["error", "error", "error", "8/5 6/5"]
    for line in ("board", "board:" + ":".join(["x"] * 52)):
        with pytest.raises(BadNotation):
            asked(line)


@given(st.integers(0, 2**32))
@settings(max_examples=10)
def test_what_we_ask_gnubg_we_understand_ourselves(seed: int) -> None:
    """Every decision of a played match says the same table after the way through a board line."""
    options = Options(match_to=5)
    rules = Backgammon(options)
    luck, bots = Stream.of_seed(seed), (Easy(options, seed=seed), Easy(options, seed=seed + 1))
    state = rules.start()
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        if seat == NATURE:
            state = rules.apply(state, seat, rules.chance(state, luck)).state
            continue
        view = rules.observe(state, seat)
        if view.phase in ("to_roll", "to_play", "double_offered"):
            back = observe(*asked(external.fibs_board(view, seat)), 0)
            mine = (view.sides[seat], view.sides[1 - seat])
            assert back.sides == mine
            dice = view.dice if view.phase == "to_play" else None
            assert (back.phase, back.dice, back.cube.value) == (view.phase, dice, view.cube.value)
            assert back.score == (view.score[seat], view.score[1 - seat])
        state = rules.apply(state, seat, bots[seat].choose(view, 50)).state


GNUBG = external.found()


@pytest.fixture
def port() -> Iterator[int]:
    """Return where our player listens, as a program of its own."""
    command = [sys.executable, "-m", "qipai", "engine", "backgammon", "--interpreted", "--listen", "localhost:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline().rpartition(":")[2])
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.skipif(GNUBG is None and not os.environ.get("CI"), reason="gnubg is not installed")
@pytest.mark.parametrize("seat", [0, 1])
def test_gnubg_plays_a_match_against_us(port: int, seat: int) -> None:
    assert GNUBG
    other = 1 - seat
    words = [
        "set display off",
        f"set player {seat} external localhost:{port}",
        f"set player {other} gnubg",
        f"set player {other} chequerplay evaluation plies 0",
        f"set player {other} cubedecision evaluation plies 0",
        "set seed 5",
        "new match 3",
        "show score",
    ]
    with subprocess.Popen(
        [GNUBG, "-t", "-q", "-r"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as gnubg:
        assert gnubg.stdin is not None
        assert gnubg.stdout is not None
        gnubg.stdin.write("\n".join(words) + "\n")
        gnubg.stdin.flush()
        told = []
        for line in gnubg.stdout:
            told.append(line)
            assert "llegal" not in line, told
            if "has won the match" in line:
                break
        gnubg.kill()
    assert "has won the match" in told[-1], told
