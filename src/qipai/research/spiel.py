"""OpenSpiel: the games as Python games of `pyspiel`. Importing this registers them. Needs the extra `research`.

`pyspiel.load_game("python_qipai_xiangqi")`. A player's action is a token (`research/deal.py`). Luck that can be listed,
such as dice, is one chance node a throw. Shuffles cannot: four chance nodes of 256 outcomes stand at the beginning,
which together are the seed of the deal's luck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
import numpy as np
import pyspiel

from qipai import games
from qipai.core.contract import Outcome
from qipai.research.deal import STEPS, Deal, Kind

__all__ = ["PREFIX", "QipaiGame", "QipaiState", "register"]

PREFIX: Final = "python_qipai_"
BYTES: Final = 4  # of the seed
MOST: Final = 100_000.0  # points of a deal, whatever the options

Types: Final = pyspiel.GameType


class QipaiGame(pyspiel.Game):
    """One deal of a game under its default options, or those of the parameter `options`, JSON."""

    name: str
    kind: Kind

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        params, name, kind = dict(params or {}), self.name, self.kind
        if params.get("options"):
            kind = Kind(kind.entry.name, msgspec.json.decode(params["options"]))
        self.kind = kind
        self.listed = kind.arrays.luck is not None  # its luck can be listed
        outcomes = 36 if self.listed else 256
        info = pyspiel.GameInfo(
            num_distinct_actions=len(kind.tokens),
            max_chance_outcomes=outcomes if kind.entry.luck else 0,
            num_players=kind.seats,
            min_utility=-MOST,
            max_utility=MOST,
            utility_sum=0.0,
            max_game_length=STEPS,
        )
        super().__init__(type_of(name, kind), info, params)

    def new_initial_state(self) -> QipaiState:
        """Return the beginning of a deal."""
        return QipaiState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return what writes observations: the numbers of `Kind.numbers`."""
        return Observer(self.kind)


class QipaiState(pyspiel.State):
    """A moment of a deal."""

    def __init__(self, game: QipaiGame) -> None:
        super().__init__(game)
        self.kind, self.listed = game.kind, game.listed
        self.seed: tuple[int, ...] = ()
        self.deal: Deal | None = None
        if self.listed or not self.kind.entry.luck:
            self.deal = Deal(self.kind, 0, by_hand=self.listed)

    def current_player(self) -> int:
        """Return whose token is wanted, or that it is luck's, or that the deal is over."""
        if self.deal is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.deal.seat is not None:
            return self.deal.seat
        over = self.deal.outcome is not None or self.deal.stopped
        return int(pyspiel.PlayerId.TERMINAL if over else pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        assert self.deal is not None
        return self.deal.legal() if player == self.deal.seat else []

    def _chances(self) -> Sequence[tuple[str, float, Any]]:
        assert self.deal is not None
        return self.deal.chances() or ()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what luck may decide, with probabilities."""
        if self.deal is None:
            return [(byte, 1 / 256) for byte in range(256)]
        return [(i, chance) for i, (_, chance, _) in enumerate(self._chances())]

    def _apply_action(self, action: int) -> None:
        if self.deal is None:
            self.seed = (*self.seed, action)
            if len(self.seed) == BYTES:
                self.deal = Deal(self.kind, bytes(self.seed).hex())
        elif self.deal.seat is None:
            self.deal.happen(self._chances()[action][2])
        else:
            self.deal.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed {action}" if self.deal is None else self._chances()[action][0]
        return self.kind.tokens[action]

    def is_terminal(self) -> bool:
        """Return whether the deal is over."""
        return bool(self.current_player() == pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Return the points of each seat; 0 while the deal goes on."""
        outcome: Outcome | None = self.deal.outcome if self.deal is not None else None
        return [0.0] * self.kind.seats if outcome is None else [float(n) for n in outcome.points[: self.kind.seats]]

    def __str__(self) -> str:
        """Return the table as watchers see it, and the word that is being spelled."""
        if self.deal is None:
            return f"seed {bytes(self.seed).hex()}"
        view = self.deal.rules.observe(self.deal.state, None)
        return f"{self.kind.entry.show(self.kind.options, view, 'en')}\n{' '.join(self.deal.word)}"


class Observer:
    """What a player sees, as OpenSpiel asks for it."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.tensor = np.zeros(kind.size, np.float32)
        self.dict = {name: self.tensor[at : at + size] for at, size, name, _ in kind.legend()}

    def set_from(self, state: QipaiState, player: int) -> None:
        """Write what a player sees into the tensor; nothing before the luck is known."""
        self.tensor[:] = 0 if state.deal is None else state.deal.observe(player)

    def string_from(self, state: QipaiState, player: int) -> str:
        """Return what a player sees as text."""
        if state.deal is None:
            return ""
        view = state.deal.rules.observe(state.deal.state, player)
        own = " ".join(state.deal.word) if player == state.deal.seat else ""
        return f"{self.kind.entry.show(self.kind.options, view, 'en')}\n{own}"


def type_of(name: str, kind: Kind) -> Any:
    """Return how OpenSpiel describes the game."""
    hidden = kind.entry.name not in PERFECT
    return Types(
        short_name=name,
        long_name=f"qipai {kind.entry.name}",
        dynamics=Types.Dynamics.SEQUENTIAL,
        chance_mode=Types.ChanceMode.EXPLICIT_STOCHASTIC if kind.entry.luck else Types.ChanceMode.DETERMINISTIC,
        information=(Types.Information.IMPERFECT_INFORMATION if hidden else Types.Information.PERFECT_INFORMATION),
        utility=Types.Utility.ZERO_SUM,
        reward_model=Types.RewardModel.TERMINAL,
        max_num_players=kind.seats,
        min_num_players=kind.seats,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"options": ""},
    )


PERFECT: Final = frozenset({"xiangqi", "backgammon"})


def register() -> list[str]:
    """Register every game that can be had in numbers; return their names."""
    names = []
    for game in games.names():
        if games.find(game).arrays is None:
            continue
        name, kind = PREFIX + game, Kind(game)
        if name not in pyspiel.registered_names():
            made = type(f"{QipaiGame.__name__}_{game}", (QipaiGame,), {"name": name, "kind": kind})
            pyspiel.register_game(type_of(name, kind), made)
        names.append(name)
    return names


NAMES: Final = register()
