"""The steps that people have done: united, exported, erased."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace

from qipai.community.lessons import service
from qipai.store import Sqlite


def test_what_is_done_is_united_exported_and_erased(tmp_path: Path) -> None:
    async def visit() -> None:
        store = Sqlite(tmp_path / "hall.sqlite", [service.script()])
        await store.open()
        common = SimpleNamespace(store=store, now=1000)
        lessons = service.LessonService(common)  # type: ignore[arg-type]
        assert await lessons.add(1, {"gouji": ["sides", "goal"]}) == {"gouji": ["goal", "sides"]}
        common.now = 2000
        await lessons.add(2, {"gouji": ["goal"]})
        assert await lessons.add(1, {"gouji": ["goal", "?"], "whist": ["goal"]}) == {"gouji": ["goal", "sides"]}
        exported = await store.read(lambda db: lessons.exported(db, 1))
        assert exported == {
            "lessons.json": {"rows": [{"game": "gouji", "step": s, "at": 1000} for s in ("goal", "sides")]}
        }
        await lessons.erase(1)
        assert (await lessons.of(1), await lessons.of(2)) == ({}, {"gouji": ["goal"]})
        await store.close()

    asyncio.run(visit())


def test_the_steps_of_a_game_are_those_of_its_lesson() -> None:
    assert service.steps_of("gouji")[0] == "goal"
    assert service.steps_of("whist") == ()
