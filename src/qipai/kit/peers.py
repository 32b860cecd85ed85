"""Other people's engines that card games are measured beside: dou dizhu, a climbing game with a pack of 54 cards."""

from __future__ import annotations

from importlib import metadata
from typing import Any

from qipai.core.kernel import lcg
from qipai.core.measure import Absent, Work

__all__ = ["openspiel_dou_dizhu", "rlcard_doudizhu"]


def openspiel_dou_dizhu() -> Work:
    """Play random games of OpenSpiel's dou dizhu from Python; an operation is a decision of a player."""
    import pyspiel

    if "dou_dizhu" not in pyspiel.registered_names():
        raise Absent("this OpenSpiel has no dou_dizhu")
    game, seed = pyspiel.load_game("dou_dizhu"), 1

    def once() -> int:
        nonlocal seed
        state, found = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                chances = state.chance_outcomes()
                seed = lcg(seed)
                state.apply_action(chances[(seed >> 8) % len(chances)][0])
                continue
            actions = state.legal_actions()
            seed = lcg(seed)
            state.apply_action(actions[(seed >> 8) % len(actions)])
            found += 1
        return found

    return Work(once, version=metadata.version("open_spiel"))


def rlcard_doudizhu() -> Work:
    """Play random games of RLCard's bare dou dizhu, without its environment; an operation is a decision."""
    from rlcard.games.doudizhu import Game

    seed = 1

    def once() -> int:
        nonlocal seed
        game: Any = Game()
        state, _ = game.init_game()
        found = 0
        while not game.is_over():
            actions = state["actions"]
            seed = lcg(seed)
            state, _ = game.step(actions[(seed >> 8) % len(actions)])
            found += 1
        return found

    return Work(once, version=metadata.version("rlcard"))
