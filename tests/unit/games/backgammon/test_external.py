"""GNU Backgammon where it is installed: a judge of our plays and files, spoken to through its socket."""

from __future__ import annotations

import os
import random
import re
import subprocess
from typing import Any

import pytest
from tests.unit.games.backgammon.kernel.test_plays import anchored, boards, found
from tests.unit.games.backgammon.records import played

from qipai.core.rng import Stream
from qipai.games.backgammon import external
from qipai.games.backgammon.conform import begun as set_up
from qipai.games.backgammon.kernel.board import BAR, SIDE
from qipai.games.backgammon.notation import mat, sgf
from qipai.games.backgammon.notation.ids import position_id
from qipai.games.backgammon.notation.sheet import facts, sheet_of
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.rules import Backgammon
from qipai.games.backgammon.state import Double, Play, Roll

GNUBG = external.found()
needs_gnubg = pytest.mark.skipif(GNUBG is None and not os.environ.get("CI"), reason="gnubg is not installed")


def told_by_gnubg(commands: str) -> str:
    """What gnubg prints."""
    assert GNUBG
    done = subprocess.run(
        [GNUBG, "-t", "-q", "-r"], input=commands, capture_output=True, text=True, timeout=120, check=False
    )
    return done.stdout


@pytest.mark.slow
@needs_gnubg
def test_gnubg_lists_as_many_plays_as_there_are() -> None:
    lines = [
        "set automatic game off",
        "set automatic roll off",
        "set evaluation chequerplay evaluation plies 0",
        "set player 0 human",
        "set player 1 human",
        "new session",
    ]
    wanted = []
    asked = list(boards("backgammon", 120, random.Random(3)))
    asked += [(cells, 0, dice) for cells, dice in anchored("backgammon", 600, random.Random(4))]
    for cells, seat, dice in asked:
        mine = found(Options(), cells, seat, dice)
        # To gnubg both numbers must be played even where the first bears off the last checker; the result is the same.
        ends = any(end.split(" / ")[seat] == "off:15" for end in mine)
        if not ends and all(any(cells[me + 1 : me + BAR + 1]) for me in (0, SIDE)):
            wanted.append(len(mine))
            lines += [
                "set turn 0",
                f"set board {position_id(cells, seat)}",
                f"set dice {dice[0]} {dice[1]}",
                "hint 2000",
            ]
            lines.append("show version")
    text = told_by_gnubg("\n".join(lines) + "\n")
    parts = text.split("GNU Backgammon 1.")[1 : len(wanted) + 1]
    assert [len(re.findall(r"^ +\d+\. ", part, re.MULTILINE)) for part in parts] == wanted


@needs_gnubg
def test_gnubg_speaks_our_plays_through_its_socket() -> None:
    rules = Backgammon(Options(match_to=3))
    player = external.Gnubg(rules.options)
    luck, plays = Stream.of_seed(5), 0
    try:
        state = rules.start()
        while rules.outcome(state) is None and plays < 120:
            seat = min(rules.turn(state).seats)
            action = rules.chance(state, luck) if seat < 0 else player.choose(rules.observe(state, seat), 100)
            assert rules.refuse(state, seat, action) is None, (action, state)
            plays += isinstance(action, Play)
            state = rules.apply(state, seat, action).state
    finally:
        player.close()
    assert plays > 20


@needs_gnubg
@pytest.mark.parametrize(("ending", "write"), [("mat", mat.export), ("sgf", sgf.export)])
@pytest.mark.parametrize("options", [{"match_to": 5}, {"match_to": 3, "variant": "nackgammon"}])
def test_gnubg_reads_what_we_write_and_writes_what_we_read(
    ending: str, write: Any, options: Any, tmp_path: Any
) -> None:
    record = played(options, seed=4)
    ours = tmp_path / f"ours.{ending}"
    ours.write_text(write(record))
    load = f"import mat {ours}" if ending == "mat" else f"load match {ours}"
    told_by_gnubg(f"{load}\nexport match mat {tmp_path}/back.mat\nsave match {tmp_path}/back.sgf\n")
    want = facts(sheet_of(record))
    for back, read in (("mat", mat.read), ("sgf", sgf.read)):
        got = facts(read((tmp_path / f"back.{back}").read_text()))
        assert got["plays"] == want["plays"], back
        assert (got["score"], got["match_to"]) == (want["score"], want["match_to"])


@needs_gnubg
def test_gnubg_is_told_the_scores_the_right_way_round() -> None:
    # Two points away a leader does not double; gnubg 1.07 reads the scores of who is on roll as those of the other.
    rules = Backgammon(Options(match_to=7))
    player = external.Gnubg(rules.options)
    init = {"phase": "to_roll", "turn": 0, "on_roll": 0, "first": False, "cube": {"value": 1, "owner": None}}
    pos = "24:2 13:4 8:2 7:1 6:2 5:2 3:2 / bar:1 24:1 13:2 11:1 10:2 8:2 6:4 3:2"
    try:
        told = []
        for score in ([5, 1], [1, 5]):
            state = set_up(rules.options, rules, {**init, "pos": pos, "score": score})
            told.append(type(player.choose(rules.observe(state, 0), 100)))
    finally:
        player.close()
    assert told == [Roll, Double]
