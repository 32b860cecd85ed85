from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from qipai import games
from qipai.bench.broker import MISSING, Broker, program
from qipai.core.entry import AnyEntry

TOY = str(Path(__file__).parents[1] / "hall" / "toy")


@pytest.fixture
def snatch(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnyEntry]:
    """The small game of another package with all that makes a game hard, here and in processes that are started."""
    monkeypatch.syspath_prepend(TOY)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([TOY, os.environ.get("PYTHONPATH", "")]))
    games.forget()
    yield games.find("snatch")
    monkeypatch.undo()
    games.forget()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """A NATS server of the test's own, which it may stop and start again; it asks for a password."""
    if program() is None:
        pytest.skip(MISSING)
    found = Broker(tmp_path, "--user", "hall", "--pass", "secret")
    found.start()
    yield found
    found.stop()
