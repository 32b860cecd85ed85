"""A store that dies at a planted commit, lost or made, of which nobody hears."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Literal

import pytest

from qipai.bench.town.mortal import Mortal
from qipai.store import LogEntry, Sqlite


@pytest.mark.parametrize(("when", "there"), [("before", 2), ("behind", 3)])
def test_a_commit_at_which_it_dies_is_lost_or_made_and_nobody_hears_of_it(
    tmp_path: Path, when: Literal["before", "behind"], there: int
) -> None:
    async def case() -> None:
        store = Mortal(tmp_path / "log.sqlite")
        await store.open()
        store.plant(2, when)
        for seq in (1, 2):
            await store.append([LogEntry("cup:1", seq, "cup.made", {})], 1000)
        waiting = store.append([LogEntry("cup:1", 3, "cup.ended", {})], 1000)
        await store.died.wait()
        assert store.dead
        later = [store.append([LogEntry("cup:1", 4, "cup.late", {})], 1000), store.read(lambda _db: 1)]
        await asyncio.sleep(0.01)
        assert not any(each.done() for each in (waiting, *later))
        await store.close()
        again = Sqlite(tmp_path / "log.sqlite")
        await again.open()
        assert again.newest == there
        await again.close()

    asyncio.run(case())


def test_it_lives_when_it_is_spared(tmp_path: Path) -> None:
    async def case() -> None:
        store = Mortal(tmp_path / "log.sqlite")
        await store.open()
        store.plant(0, "before")
        store.spare()
        await store.append([LogEntry("cup:1", 1, "cup.made", {})], 1000)
        assert not store.dead
        await store.close()

    asyncio.run(case())
