"""Other people's engines that games are measured beside.

Card games have dou dizhu beside them, a climbing game with a pack of 54 cards; backgammon has pgx's.
"""

from __future__ import annotations

import sys
from importlib import metadata
from typing import Any, Final

from qipai.core.kernel import lcg
from qipai.core.measure import Absent, Work, peers_folder

__all__ = ["PGX", "openspiel_dou_dizhu", "pgx_backgammon", "rlcard_doudizhu"]

PGX: Final = "pgx"  # its folder under `peers_folder()`
BATCH: Final = 64  # boards that pgx plays at once


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


def pgx_backgammon() -> Work:
    """Play random games of pgx's backgammon on the CPU, a batch at once as it is meant to; an operation is a game."""
    folder = peers_folder() / PGX
    if not folder.is_dir():
        raise Absent("not installed; `qipai bench peers` fetches it")
    sys.path.append(str(folder))  # after everything else: its wheel brings a package `tests` of its own
    import jax
    import jax.numpy as jnp
    import pgx

    jax.config.update("jax_compilation_cache_dir", str(folder / "compiled"))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.1)
    env: Any = pgx.make("backgammon")
    start, step = jax.vmap(env.init), jax.vmap(env.step)

    def ply(carry: Any) -> Any:
        state, key, ended, steps = carry
        key, one, two = jax.random.split(key, 3)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(one, logits, axis=-1)
        state = step(state, actions, jax.random.split(two, BATCH))
        return state, key, ended | state.terminated, steps + 1

    @jax.jit  # type: ignore[untyped-decorator]
    def batch(key: Any) -> Any:
        key, first = jax.random.split(key)
        state = start(jax.random.split(first, BATCH))
        none = jnp.zeros(BATCH, dtype=bool)
        done = jax.lax.while_loop(lambda carry: ~carry[2].all() & (carry[3] < 20_000), ply, (state, key, none, 0))
        return done[2].sum(), done[1]

    key = jax.random.PRNGKey(1)

    def once() -> int:
        nonlocal key
        ended, key = batch(key)
        return int(ended)

    return Work(once, version=metadata.version("pgx"))
