"""A real hall in a process of its own; nothing here waits for a clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.client import Server
from tests.hall.nodes import Halls

# Bots answer at once, by the quick policy in the hall's own process; nobody is limited in what he sends too fast here.
SETTINGS = """
[bots]
pace_ms = 0
workers = 0
[limits]
messages = 100000
acts = 100000
"""

Run = Callable[[Callable[[], Coroutine[Any, Any, Any]]], Any]


def run(visit: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a test's coroutine."""

    async def main() -> Any:
        async with asyncio.timeout(900):
            return await visit()

    return asyncio.run(main())


def shared(request: pytest.FixtureRequest, data: Path, settings: str) -> Server:
    """A hall that tests share, on as many nodes as this run is to have."""
    count, dying = request.config.getoption("nodes"), request.config.getoption("dying")
    return Server(data, settings) if count == 1 else Halls(data, settings, count, dying)


@pytest.fixture(scope="module")
def hall(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall that one module's tests share. It must be quiet to the end."""
    with shared(request, tmp_path_factory.mktemp("hall"), SETTINGS) as server:
        yield server
        status = server.stop()
        assert (status, server.complaints()) == (0, "")


@pytest.fixture(scope="module")
def strict(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall with the limits of the specification."""
    with shared(request, tmp_path_factory.mktemp("strict"), "[bots]\nworkers = 0\n") as server:
        yield server
        status = server.stop()
        assert (status, server.complaints()) == (0, "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder of a test's own."""
    return tmp_path / "hall"
