from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from qipai import games

TOY = str(Path(__file__).parent / "toy")


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A game of another package, here and in every process that is started."""
    monkeypatch.syspath_prepend(TOY)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([TOY, os.environ.get("PYTHONPATH", "")]))
    games.forget()
    yield "toy"
    monkeypatch.undo()
    games.forget()
