"""OpenSpiel's own tests pass: random simulations with serialization, and playthroughs that can be replayed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")

import numpy as np  # noqa: E402
from absl import flags  # noqa: E402
from open_spiel.python.algorithms import generate_playthrough  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from qipai.research import spiel  # noqa: E402

SMALL = ("xiangqi", "backgammon", "gouji")
QUICK = ("xiangqi", "backgammon", "doudizhu")  # a playthrough of gouji is 2 MB


def test_every_game_is_registered_once() -> None:
    assert spiel.register() == spiel.NAMES
    assert len(spiel.NAMES) == 8
    assert set(spiel.NAMES) <= set(pyspiel.registered_names())


@pytest.mark.parametrize("game", SMALL)
def test_openspiel_simulates_it(game: str, capfd: Any) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(spiel.PREFIX + game), num_sims=1, serialize=True, verbose=False)
    capfd.readouterr()


@pytest.mark.slow
@pytest.mark.parametrize("game", QUICK)
def test_a_playthrough_is_the_same_again(game: str, tmp_path: Path) -> None:
    flags.FLAGS.mark_as_parsed()  # there is no command line
    file = tmp_path / "playthrough.txt"
    file.write_text(generate_playthrough.playthrough(spiel.PREFIX + game, None, seed=7))
    before, after = generate_playthrough.replay(str(file))
    assert before == after


def test_luck_follows_from_what_was_drawn() -> None:
    for game in SMALL:
        name = spiel.PREFIX + game
        assert played(name, 7) == played(name, 7) != played(name, 8)


def played(name: str, seed: int) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    state, luck = pyspiel.load_game(name).new_initial_state(), np.random.default_rng(seed)
    while not state.is_terminal() and len(found) < 60:
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            action = int(luck.choice(outcomes, p=chances))
        else:
            action = int(luck.choice(state.legal_actions()))
        found.append((state.current_player(), state.action_to_string(action)))
        state.apply_action(action)
    return found


def test_what_a_player_is_shown_is_what_the_deal_says() -> None:
    game = pyspiel.load_game(spiel.PREFIX + "backgammon")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[1][0])
    observation = make_observation(game)
    observation.set_from(state, state.current_player())
    assert sum(observation.dict["points"]) == 30
    assert "24" in observation.string_from(state, 0)


def test_house_rules_are_a_parameter() -> None:
    game = pyspiel.load_game(spiel.PREFIX + "backgammon", {"options": '{"variant": "plakoto"}'})
    assert game.new_initial_state().kind.options.variant == "plakoto"
