from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from tests import stores

from qipai.bench.database import MISSING, Server, programs

schemas = count(1)


@pytest.fixture(scope="session")
def database() -> Iterator[Server]:
    """A PostgreSQL server of the tests' own, which they may stop and start again."""
    if programs() is None:
        pytest.skip(MISSING)
    with stores.server() as found:
        yield found


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where a store is kept, for either engine."""
    if request.param == "sqlite":
        return tmp_path / "x.sqlite"
    server: Server = request.getfixturevalue("database")
    return server.url(schema=f"s{os.getpid()}_{next(schemas)}")
