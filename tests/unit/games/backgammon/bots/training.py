"""What the tests of training share."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from qipai.games.backgammon.options import Options

HYPER = Options(variant="hyper", cube=False)


class Enough(Exception):
    """What was to be seen has been seen."""


def run(monkeypatch: pytest.MonkeyPatch, module: Any, *words: str) -> None:
    """Train the net of hyper with these words of a command, interpreted."""
    monkeypatch.setattr(module, "JIT", True)
    monkeypatch.setattr(sys, "argv", [module.__name__, "hyper", *words])
    module.main()
