"""A small game of another package that the hall must carry: hidden hands, a secret window, open luck, a race."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from qipai import games
from qipai.hall.table import model

TOY = str(Path(__file__).parent / "toy")


@pytest.fixture
def snatch(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The game `snatch`, found as any other."""
    monkeypatch.syspath_prepend(TOY)
    games.forget()
    model._rules.cache_clear()
    yield "snatch"
    monkeypatch.undo()
    games.forget()
    model._rules.cache_clear()
