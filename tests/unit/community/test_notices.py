"""Notices are told once, also after a kill between cause and telling."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.community.people import town

from qipai.community.achievements.known import known
from qipai.community.notices import sentences, service
from qipai.config import Config
from qipai.store import Sqlite


def _store(folder: Path) -> Sqlite:
    return Sqlite(folder / "hall.sqlite", [service.script()])


@pytest.mark.asyncio
async def test_what_is_untold_is_told_after_a_kill(tmp_path: Path) -> None:
    store = _store(tmp_path)
    await store.open()
    await store.transaction(lambda db: service.put(db, 7, "reply", "/boards/1", {"from": "a"}, 100))
    await store.close()  # before anybody was told

    store = _store(tmp_path)
    await store.open()
    notices = service.NoticeService(store)
    told: list[service.Notice] = []
    notices.tell.append(told.append)
    await notices.open()
    await notices.wake()
    await notices.wake()
    assert [(one.user, one.kind, one.facts) for one in told] == [(7, "reply", {"from": "a"})]
    await store.close()


@pytest.mark.asyncio
async def test_reading(tmp_path: Path) -> None:
    store = _store(tmp_path)
    await store.open()
    notices = service.NoticeService(store)
    await notices.open()

    for n in range(3):
        await store.transaction(lambda db, n=n: service.put(db, 7, "reply", "/", {"n": n}, 100 + n))  # type: ignore[misc]
    await store.transaction(lambda db: service.put(db, 7, "once", "/", {}, 200, "key"))
    await store.transaction(lambda db: service.put(db, 7, "once", "/", {}, 201, "key"))
    await notices.wake()
    assert notices.unread(7) == 4
    rows = await notices.of(7, None, 2)
    assert [one.kind for one in rows] == ["once", "reply"]
    assert [one.facts["n"] for one in await notices.of(7, rows[-1].id, 9)] == [1, 0]
    await notices.read(7, rows[-1].id)
    assert notices.unread(7) == 1
    again = service.NoticeService(store)
    await again.open()
    assert again.unread(7) == 1
    await notices.erase(7)
    assert await notices.of(7, None, 9) == []
    await store.close()


@pytest.mark.asyncio
async def test_who_deletes_their_account_is_named_to_nobody(tmp_path: Path) -> None:
    async with town(tmp_path, Config()) as here:
        notices = here.community.notices
        for kind, facts in (
            ("mail", {"from": "石头记"}),
            ("board_reply", {"name": "石头记", "title": "x"}),
            ("board_reply", {"name": "other", "title": "石头记"}),  # a title is not a person
            ("contest", {"name": "石头记"}),  # nor is a contest
        ):
            await here.store.transaction(lambda db, kind=kind, facts=facts: service.put(db, 99, kind, "/", facts, 1))  # type: ignore[misc]
        await notices.wake()
        assert notices.unread(99) == 3
        await here.store.transaction(
            lambda db: (
                db.execute(
                    "INSERT INTO tips (at, author, zh, en, state, by) VALUES (1, 99, 'x', '', 'taken', ?)", (here.user,)
                ).rowcount
            )
        )
        await here.community.erase(here.user)
        assert [one.facts for one in await notices.of(99, None, 9)] == [
            {"name": "石头记"},
            {"name": "other", "title": "石头记"},
        ]
        assert notices.unread(99) == 2
        assert await here.store.read(lambda db: db.execute("SELECT author, by FROM tips").fetchall()) == [(99, None)]


@pytest.mark.parametrize("tongue", ["en", "zh-CN"])
def test_an_achievement_is_told_by_its_name(tongue: str) -> None:
    told = [sentences.said("achievement", {"id": one.id, "game": one.game}, tongue) for one in known()]
    assert len(set(told)) == len(told)
    assert not any(each.strip().endswith((":", "：")) for each in told)
