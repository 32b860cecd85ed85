"""`strong` answers as good players do where they agree: in 95 of 100 judged situations of each game."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module

import msgspec
import pytest
from tests.unit.games.judged import GAMES, said, situations

from qipai import games
from qipai.core.entry import rules_of

LEAST = 40  # situations of a game
PART = 0.95


@pytest.mark.parametrize("game", GAMES)
def test_a_situation_leaves_a_choice_and_each_answer_named_is_legal(game: str) -> None:
    entry = games.find(game)
    options = entry.chosen({})
    rules = rules_of(entry, options, None)
    read = import_module(f"qipai.games.{game}.setup").SETUP.read
    rows = situations(game)
    assert len({row.start for row in rows}) >= LEAST
    for row in rows:
        assert bool(row.good) != bool(row.bad), row
        assert row.why
        legal = {said(action) for action in rules.legal(read(options, row.start), row.seat)}
        assert legal >= {*row.good, *row.bad}, row
        assert legal - {*row.good, *row.bad}, row


@pytest.mark.compiled
def test_strong_answers_acceptably() -> None:
    asked = {
        game: subprocess.Popen(
            [sys.executable, "-m", "tests.unit.games.judged", game],
            stdout=subprocess.PIPE,
            env={**os.environ, "QIPAI_JIT": "1"},
        )
        for game in GAMES
    }
    for game, process in asked.items():
        answers = msgspec.json.decode(process.communicate()[0], type=list[str])
        rows = situations(game)
        assert len(answers) == len(rows)
        wrong = [
            (row.kind, row.start, answer) for row, answer in zip(rows, answers, strict=True) if not row.accepts(answer)
        ]
        assert len(wrong) <= (1 - PART) * len(rows), wrong
