"""Situations whose right answer good players agree on, and what `strong` does in them after a fixed number of deals.

Each game's `judged.jsonl` has a row a situation: its kind, a position as `setup` reads it, the seat that is asked, the
answers that are acceptable (`good`) or those that are not (`bad`), and why. `python -m tests.unit.games.judged GAME`
prints the answers as JSON; the kernels are compiled where QIPAI_JIT is set.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai import games
from qipai.core.entry import rules_of

__all__ = ["DEALS", "GAMES", "Situation", "answered", "said", "situations"]

GAMES: Final = ("baohuang", "gouji", "mahjong", "shengji")
DEALS: Final = 24  # that `strong` imagines for each


class Situation(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of `judged.jsonl`."""

    kind: str
    start: str
    seat: int
    why: str
    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()

    def accepts(self, answer: str) -> bool:
        """Return whether an answer is acceptable."""
        return answer in self.good if self.good else answer not in self.bad


def situations(game: str) -> list[Situation]:
    """Return the situations of a game."""
    lines = (Path(__file__).parent / game / "judged.jsonl").read_text("utf-8").splitlines()
    return [msgspec.json.decode(line, type=Situation) for line in lines]


def said(action: Any) -> str:
    """Return an action as the rows write it: cards, or its verb and what it needs."""
    raw = msgspec.to_builtins(action)
    return "".join(raw["cards"]) if raw["a"] == "play" else " ".join(map(str, raw.values()))


def answered(game: str) -> Iterator[str]:
    """Yield what `strong` does in each situation."""
    entry = games.find(game)
    options = entry.chosen({})
    rules = rules_of(entry, options, None)
    strong: Any = entry.bots["strong"]
    read = import_module(f"qipai.games.{game}.setup").SETUP.read
    for one in situations(game):
        view = rules.observe(read(options, one.start), one.seat)
        yield said(strong(options, seed=1, deals=DEALS).choose(view, 0))


if __name__ == "__main__":
    sys.stdout.write(msgspec.json.encode(list(answered(sys.argv[1]))).decode())
