"""PettingZoo: every game as an agent-environment cycle. Needs the extra `research`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from qipai.research.deal import Deal, Kind

__all__ = ["Table", "env"]

MODES: Final = ("ansi", "human")


class Table(AECEnv[str, dict[str, Any], np.int64]):
    """One deal of a game; agents are `seat_0` to `seat_<n-1>`, in order of play.

    observation: int16, shape (`Kind.size`,), its fields are those of `kind.legend()`, seats from the viewer on.
    action_mask: int8, shape (tokens,), 1 for each token that may come now. An action is a token, its number in
    `kind.tokens`; several tokens in a row spell one action of the game, so the same agent may be asked again.
    Rewards are the game's own points, all of them when the deal ends. infos: `why` the deal ended.
    """

    def __init__(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        seats: int | None = None,
        render_mode: str | None = None,
        lang: str = "en",
    ) -> None:
        super().__init__()
        self.kind = Kind(game, options, seats)
        if render_mode is not None and render_mode not in MODES:
            raise ValueError(f"render_mode is one of {', '.join(MODES)}, not {render_mode}")
        self.metadata = {"render_modes": list(MODES), "name": f"qipai_{game}_v0", "is_parallelizable": False}
        self.render_mode, self.lang = render_mode, lang
        self.possible_agents = [f"seat_{seat}" for seat in range(self.kind.seats)]
        self.agents: list[str] = []
        info, many = np.iinfo(np.int16), len(self.kind.tokens)
        space: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(info.min, info.max, (self.kind.size,), np.int16),
            "action_mask": spaces.Box(0, 1, (many,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(space) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(many) for agent in self.possible_agents}
        self._seeds = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what an agent is shown."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of its tokens."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a deal; the same seed gives the same luck. Without one, luck goes on from the last seed."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.deal = Deal(self.kind, int(self._seeds.integers(1 << 62)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._settle()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent knows, and which tokens it may choose: none while it is not asked."""
        seat = self.possible_agents.index(agent)
        mask = self.deal.mask() if seat == self.deal.seat else bytearray(len(self.kind.tokens))
        return {
            "observation": np.array(self.deal.observe(seat), np.int16),
            "action_mask": np.frombuffer(bytes(mask), np.int8),
        }

    def step(self, action: np.int64 | int | None) -> None:
        """Let the agent that is asked choose a token; raises WrongToken where it may not come."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.deal.step(-1 if action is None else int(action))
        self._settle()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _settle(self) -> None:
        """Say whose turn it is, or what the deal gave."""
        if self.deal.seat is not None:
            self.agent_selection = self.possible_agents[self.deal.seat]
            return
        self.agent_selection = self.agents[0]
        outcome = self.deal.outcome
        for agent, seat in zip(self.possible_agents, range(self.kind.seats), strict=True):
            self.terminations[agent] = outcome is not None
            self.truncations[agent] = outcome is None
            if outcome is not None:
                self.rewards[agent] = float(outcome.points[seat])
                self.infos[agent] = {"why": outcome.why}

    def render(self) -> str | None:
        """Return the table as text, as the seat that is asked sees it; in the mode `human` print it."""
        view = self.deal.rules.observe(self.deal.state, self.deal.seat)
        text = self.kind.entry.show(self.kind.options, view, self.lang)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def env(game: str, **more: Any) -> Table:
    """Return an environment: `env("gouji", options={...}, seats=6, render_mode="ansi")`; raises NotOffered."""
    return Table(game, **more)
