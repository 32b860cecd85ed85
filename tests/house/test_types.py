"""What a type checker knows of a game, so that an editor completes its options, states, views and actions."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

from qipai import games
from qipai.core.entry import Entry
from qipai.core.steps import Between

PROGRAM = """\
from qipai.core.contract import play
from qipai.games import gouji, xiangqi
from qipai.games.gouji import ENTRY
from qipai.games.gouji.state import Play

rules = ENTRY.rules(ENTRY.options(turn_seconds=30))
state = rules.start()
view = rules.observe(state, 0)
bot = ENTRY.bots["easy"](ENTRY.options(), seed=1)
if (action := bot.choose(view, budget_ms=50)) is not None:
    state = play(rules, state, 0, action).state
state = play(rules, state, 0, Play("888")).state
hands = state.hands
reveal_type(gouji.ENTRY)
reveal_type(ENTRY.options)
reveal_type(rules)
reveal_type(view)
reveal_type(action)
reveal_type(ENTRY.chosen({}))
ENTRY.options(turn_secs=30)
state.hand
ENTRY.rules(xiangqi.ENTRY.options())
xiangqi.ENTRY.rules(xiangqi.ENTRY.options()).observe(state, 0)
"""

# Of every game, of which `late` tells a type checker nothing: what it hands over is what its entry says it is.
TRUE = """\
from qipai.core.contract import Bot, Rules
from qipai.core.entry import Entry
from qipai.games.{game} import ENTRY
from qipai.games.{game}.options import Options
from qipai.games.{game}.state import Action, State, View
from {rules_module} import {rules}
{bot_imports}
entry: Entry[Options, State, View, Action] = ENTRY
def rules(options: Options) -> Rules[State, Action, View]:
    return {rules}(options{seats})
bots: list[Bot[Action, View]] = [{bots}]
"""


def checked(*programs: Path) -> str:
    """Return what mypy, as strict as it gets, says of programs of somebody who has installed qipai."""
    strict = ["--strict", "--no-error-summary", "--hide-error-context", "--no-color-output"]
    words = [sys.executable, "-m", "mypy", *strict, *map(str, programs)]
    done = subprocess.run(words, cwd=programs[0].parent, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.slow
def test_a_type_checker_knows_a_game_by_its_entry(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    state = "qipai.games.gouji.state"
    found = checked(program)
    lines = PROGRAM.splitlines()

    def said(line: str) -> str:
        """All that is said of a line of the program."""
        number = lines.index(line) + 1
        return "\n".join(each for each in found.splitlines() if each.startswith(f"program.py:{number}:"))

    entry = said("reveal_type(gouji.ENTRY)")
    assert "qipai.core.entry.Entry[qipai.games.gouji.options.Options" in entry, found
    assert f"{state}.State, {state}.View, {state}.Deal |" in entry
    assert "type[qipai.games.gouji.options.Options]" in said("reveal_type(ENTRY.options)")
    assert f"qipai.core.contract.Rules[{state}.State, {state}.Deal | " in said("reveal_type(rules)")
    assert f'"{state}.View"' in said("reveal_type(view)")
    assert f"{state}.Play |" in said("reveal_type(action)")
    assert "| None" in said("reveal_type(action)")
    assert '"qipai.games.gouji.options.Options"' in said("reveal_type(ENTRY.chosen({}))")
    assert 'Unexpected keyword argument "turn_secs"' in said("ENTRY.options(turn_secs=30)")
    assert '"State" has no attribute "hand"; maybe "hands"?' in said("state.hand")
    assert "incompatible type" in said("ENTRY.rules(xiangqi.ENTRY.options())")
    assert "incompatible type" in said("xiangqi.ENTRY.rules(xiangqi.ENTRY.options()).observe(state, 0)")
    errors = [line for line in found.splitlines() if ": error: " in line]
    assert len(errors) == 4, found


@pytest.mark.slow
def test_what_a_game_hands_over_is_what_its_entry_says(tmp_path: Path) -> None:
    programs = []
    for game in games.names():
        entry = games.find(game)
        made = {
            level: type(make(entry.options(), seed=1))
            for level, make in entry.bots.items()
            if not isinstance(make, Between)
        }
        rules = type(entry.rules(entry.options(), *entry.seats[-1:] if len(entry.seats) > 1 else ()))
        text = TRUE.format(
            game=game,
            rules=rules.__name__,
            rules_module=rules.__module__,
            seats=", 2" if len(entry.seats) > 1 else "",
            bot_imports="\n".join(sorted({f"from {bot.__module__} import {bot.__name__}" for bot in made.values()})),
            bots=", ".join(f"{bot.__name__}(Options(), seed=1)" for bot in made.values()),
        )
        programs.append(tmp_path / f"{game}.py")
        programs[-1].write_text(text)
    assert len(programs) == len(games.names())
    assert checked(*programs) == ""


@pytest.mark.parametrize("game", games.names())
def test_the_types_of_an_entry_are_its_fields(game: str) -> None:
    module, entry = import_module(f"qipai.games.{game}"), games.find(game)
    options, state = import_module(f"qipai.games.{game}.options"), import_module(f"qipai.games.{game}.state")
    said = eval(module.__annotations__["ENTRY"], {"Entry": Entry, **vars(options), **vars(state)})
    assert get_args(said) == (entry.options, entry.state, entry.view, entry.action)
