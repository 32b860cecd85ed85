"""A hall that starts wakes its tables at leisure: it rests longer than it works, and serves meanwhile."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from qipai.hall import hall
from qipai.hall.hall import LEISURE, Hall


def test_it_rests_after_each_table_so_much_longer_than_waking_took(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    now = 0.0

    async def find(id: int) -> None:
        nonlocal now
        now += id
        done.append(id)

    async def sleep(seconds: float) -> None:
        done.append(("rest", seconds))

    loop = SimpleNamespace(time=lambda: now)
    monkeypatch.setattr(hall, "asyncio", SimpleNamespace(sleep=sleep, get_running_loop=lambda: loop))
    starting = SimpleNamespace(runner=SimpleNamespace(cache=SimpleNamespace(find=find)))
    asyncio.run(Hall._wake(starting, [2, 5]))  # type: ignore[arg-type]
    assert LEISURE > 1
    assert done == [2, ("rest", LEISURE * 2), 5, ("rest", LEISURE * 5)]
