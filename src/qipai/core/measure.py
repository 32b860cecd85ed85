"""Types for a game's own benchmarks: the rows of `qipai bench engine <game>`, defined in `games/<game>/bench.py`.

That module has `rows() -> Sequence[Row]`. A contestant is a function without arguments that prepares its work and
returns it. It runs in its own process; ours runs once compiled and once interpreted. A peer that is not installed
raises Absent or ImportError. Peers are imported inside their contestant, never at the top of the module.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

__all__ = ["OURS", "Absent", "Contestant", "Mode", "Rival", "Row", "Target", "Whole", "Work", "elo", "peers_folder"]

Mode = Literal["compiled", "interpreted"]
OURS: Final = "qipai"


class Absent(Exception):
    """A peer that is not installed."""


def peers_folder() -> Path:
    """Return the folder where `qipai bench peers` puts peers that no package index has, and our own builds."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "qipai" / "peers"


@dataclass(frozen=True, slots=True)
class Work:
    """A contestant's prepared work: `once` does a portion of it and returns how many operations that was."""

    once: Callable[[], int]
    cpu: Callable[[], float] = time.process_time  # CPU seconds used so far; of the other process for external programs
    version: str = ""
    close: Callable[[], None] = lambda: None


Contestant = Callable[[], Work]


@dataclass(frozen=True, slots=True)
class Target:
    """A ratio to reach: our operations per CPU second in a mode, divided by a peer's, in the same run."""

    mode: Mode
    peer: str  # a key of the row's peers, or "interpreted"
    at_least: float


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: what is measured, by which contestants, and what is to be reached."""

    name: str
    unit: str  # of one operation: "leaves", "plies", "games"
    ours: Contestant
    peers: Mapping[str, Contestant] = field(default_factory=dict[str, Contestant])
    targets: tuple[Target, ...] = ()
    most_us: Mapping[Mode, float] = field(default_factory=dict[Mode, float])  # CPU µs an operation at most, by mode


@dataclass(frozen=True, slots=True)
class Rival:
    """Another project's program as an opponent, at a fixed strength."""

    bot: str  # "package.module:name" of a `core.contract.Bot`
    found: Callable[[], str | None]  # where the program is, None where it is not


@dataclass(frozen=True, slots=True)
class Whole:
    """How to play a game from start to end, for `qipai bench selfplay`; each game has one in `whole.py` as WHOLE."""

    unit: str  # "games", "deals", "races"
    random: Contestant  # any of the legal actions
    steady: Contestant  # what the steady player does
    peers: Mapping[str, Contestant] = field(default_factory=dict[str, Contestant])  # at random, the same game
    rivals: Mapping[str, Rival] = field(default_factory=dict[str, Rival])  # that our strongest plays against


def elo(won: int, even: int, lost: int) -> tuple[float, float] | None:
    """Return the difference in Elo that games show, and its standard error; None where all went one way."""
    n = won + even + lost
    if not n or won + even / 2 in (0, n):
        return None
    score = (won + even / 2) / n
    spread = (won * (1 - score) ** 2 + even * (0.5 - score) ** 2 + lost * score**2) / n
    slope = 400 / math.log(10) / (score * (1 - score))
    return -400 * math.log10(1 / score - 1), slope * math.sqrt(spread / n)
