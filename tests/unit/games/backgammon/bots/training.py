"""What the tests of training share."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from qipai.core.kernel import copy_into
from qipai.games.backgammon.options import Options

numpy: Any = pytest.importorskip("numpy")
HYPER = Options(variant="hyper", cube=False)


class Enough(Exception):
    """What was to be seen has been seen."""


def plain(monkeypatch: pytest.MonkeyPatch, *modules: Any) -> None:
    """Let modules of training run interpreted, each game from the first position and without random plays."""

    def begun(start: Any, b: Any, seed: int) -> int:
        copy_into(start, b)
        return seed

    for module in modules:
        monkeypatch.setattr(module, "np", numpy, raising=False)  # imported where kernels are compiled
        monkeypatch.setattr(module, "begun", begun)
        monkeypatch.setattr(module, "random_plays", lambda seed: 0)


def run(monkeypatch: pytest.MonkeyPatch, module: Any, *words: str) -> None:
    """Train the net of hyper with these words of a command, interpreted."""
    monkeypatch.setattr(module, "JIT", True)
    monkeypatch.setattr(sys, "argv", [module.__name__, "hyper", *words])
    module.main()
