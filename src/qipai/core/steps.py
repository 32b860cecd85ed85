"""Levels of bots between those that a game has written: a player who now and then overlooks what the better one sees.

Where it overlooks it, it plays as the weaker one would. So its mistakes are those that people make who know the game
less well, and never an action without any sense. Which questions it slips at follows from the question alone: the same
one, asked again after a restart, gets the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

import msgspec

from qipai.core.contract import Bot

__all__ = ["LEVELS", "STEPS", "WRITTEN", "Between", "Slipping", "Step", "with_steps"]

LEVELS: Final = ("easy", "casual", "steady", "sharp", "strong")  # of bots, from the weakest
WRITTEN: Final = ("easy", "steady", "strong")  # those that a game writes itself
HUNDRED: Final = 100

Make = Callable[..., Bot[Any, Any]]  # (options, seed=int) -> a player


@dataclass(frozen=True, slots=True)
class Step:
    """A level between two others. slips: at so many questions of a hundred it plays as the weaker of the two."""

    below: str
    above: str
    slips: int


STEPS: Final[Mapping[str, Step]] = {"casual": Step("easy", "steady", 50), "sharp": Step("steady", "strong", 50)}


@dataclass(frozen=True, slots=True)
class Between:
    """What makes the players of a level between two others, as other levels are made: (options, seed=int)."""

    below: Make
    above: Make
    slips: int

    def __call__(self, options: Any = None, seed: int = 0) -> Slipping:
        """Return a player of this level."""
        return Slipping(self.below(options, seed=seed), self.above(options, seed=seed), self.slips, seed)


class Slipping:
    """A player between two others."""

    def __init__(self, below: Bot[Any, Any], above: Bot[Any, Any], slips: int, seed: int) -> None:
        self.below, self.above, self.slips, self.seed = below, above, slips, seed

    def choose(self, view: Any, budget_ms: int) -> Any:
        """Return the better player's action, or the weaker one's where this one slips."""
        bot = self.below if self.slips_at(view) else self.above
        return bot.choose(view, budget_ms)

    def slips_at(self, view: Any) -> bool:
        """Return whether this player overlooks at this question what the better one would see."""
        asked = blake2b(msgspec.msgpack.encode(view), digest_size=4, salt=self.seed.to_bytes(8, "big", signed=True))
        return int.from_bytes(asked.digest(), "big") % HUNDRED < self.slips


def with_steps(bots: Mapping[str, Make], steps: Mapping[str, Step] = STEPS) -> dict[str, Make]:
    """Return a game's levels, from the weakest, with those that can be made between its own."""
    found = dict(bots)
    for level, step in steps.items():
        if level not in bots and step.below in bots and step.above in bots:
            found[level] = Between(bots[step.below], bots[step.above], step.slips)
    return {level: found[level] for level in LEVELS if level in found}
