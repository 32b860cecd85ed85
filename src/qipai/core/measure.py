"""What a game says of its own speed: the rows of `qipai bench engine <game>`, in `games/<game>/bench.py`.

That module has `rows() -> Sequence[Row]`. A contestant is a function without arguments that prepares its work and
returns it; it runs in a process of its own, ours once compiled and once interpreted. A peer that cannot be had raises
Absent or ImportError. Peers are imported inside their contestant, never by the module.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

__all__ = ["OURS", "Absent", "Contestant", "Mode", "Rival", "Row", "Target", "Whole", "Work", "peers_folder"]

Mode = Literal["compiled", "interpreted"]
OURS: Final = "qipai"


class Absent(Exception):
    """A peer that is not installed."""


def peers_folder() -> Path:
    """Return where `qipai bench peers` puts what no package index installs beside us, and what is built of ours."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "qipai" / "peers"


@dataclass(frozen=True, slots=True)
class Work:
    """What a contestant does: `once` does a portion and returns how many operations it was."""

    once: Callable[[], int]
    cpu: Callable[[], float] = time.process_time  # seconds of CPU so far; another process's for external programs
    version: str = ""
    close: Callable[[], None] = lambda: None


Contestant = Callable[[], Work]


@dataclass(frozen=True, slots=True)
class Target:
    """A ratio to reach: operations per CPU second of ours in a mode, over those of a peer, in the same run."""

    mode: Mode
    peer: str  # a key of the row's peers, or "interpreted"
    at_least: float


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that is measured."""

    name: str
    unit: str  # of one operation: "leaves", "plies", "games"
    ours: Contestant
    peers: Mapping[str, Contestant] = field(default_factory=dict[str, Contestant])
    targets: tuple[Target, ...] = ()
    most_us: Mapping[Mode, float] = field(default_factory=dict[Mode, float])  # CPU µs an operation at most, by mode


@dataclass(frozen=True, slots=True)
class Rival:
    """Somebody else's program as a player, at a fixed strength."""

    bot: str  # "package.module:name" of a `core.contract.Bot`
    found: Callable[[], str | None]  # where the program is, None where it is not


@dataclass(frozen=True, slots=True)
class Whole:
    """How a game is played from its start to its end, in `games/<game>/whole.py` as WHOLE: `qipai bench selfplay`."""

    unit: str  # "games", "deals", "races"
    random: Contestant  # any of the legal actions
    steady: Contestant  # what the steady player does
    peers: Mapping[str, Contestant] = field(default_factory=dict[str, Contestant])  # at random, the same game
    rivals: Mapping[str, Rival] = field(default_factory=dict[str, Rival])  # that our strongest plays against
