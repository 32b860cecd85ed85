"""Achievements follow from the log: computed back, live, and made again they are the same (P-13)."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.hall.test_xiangqi import move, two
from tests.hall.world import START, run, world
from tests.stores import url_at

from qipai.accounts.service import Accounts
from qipai.community.achievements import fold
from qipai.community.achievements.known import edition, known
from qipai.community.service import Community
from qipai.config import Coins, Config
from qipai.hall.rooms.rooms import Room
from qipai.ledger.service import Ledger
from qipai.moderation.service import Order
from qipai.social.ties import Ties
from qipai.store import Store
from qipai.web.clock import Clock
from qipai.web.services import DATABASE, store_of

MATE = ["h2e2", "a9a8", "e2e6", "a8a9", "b2b4", "a9a8", "b4e4"]
TABLES = ("achievement_counts", "achievements", "achievement_totals", "achievement_folds")


class Still(Clock):
    """A clock that stands still."""

    def __init__(self, now: int) -> None:
        super().__init__()
        self.at = now

    def now(self) -> int:
        return self.at


def community(store: Store, folder: Path, now: int = START + 3_600_000) -> Community:
    accounts, order = Accounts(store, Config()), Order(store)
    return Community(store, accounts, Still(now), Ties(store), order, Config(), folder)


async def play(tmp_path: Path, rooms: tuple[int, ...]) -> None:
    """Mate with a cannon in some rooms, then somebody leaves a game; this hall knows nothing of achievements."""
    places = (Room(1, "xiangqi", "friendly"), Room(2, "xiangqi", "score"))
    async with world(tmp_path, *places) as w:
        for room in rooms:
            table = 100 * room + 1
            people = await two(w, table)
            for n, text in enumerate(MATE):
                await move(people[n % 2], table, text)
            assert people[0].shown[table]["result"]["why"] == "checkmate"
            for person in people:
                await person.hang_up()
            await w.jump(600_000)


async def opened(tmp_path: Path) -> Store:
    store = store_of(tmp_path, url=url_at(tmp_path / DATABASE))
    await store.open()

    def people(db: Any) -> None:
        sql = (
            "INSERT INTO users (id, name, folded, role, made_at, seen_at) VALUES (?, ?, ?, 'user', 1, 1)"
            " ON CONFLICT DO NOTHING"
        )
        db.executemany(sql, [(id, str(id), str(id)) for id in (20, 21)])

    await store.transaction(people)
    return store


async def rows(store: Store) -> dict[str, list[Any]]:
    return await store.read(
        lambda db: {name: db.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in TABLES}
    )


def test_computed_back_made_again_and_told_once(tmp_path: Path) -> None:
    async def test() -> None:
        await play(tmp_path, (1, 2))
        store = await opened(tmp_path)
        hall = community(store, tmp_path)
        await hall.achievements.sweep()
        found = await rows(store)
        assert {(user, id) for user, id, _ in found["achievements"]} == {(20, "win.xiangqi"), (20, "xiangqi.cannon")}
        assert (20, "wins", 1) in found["achievement_counts"]  # the friendly game counts for nobody
        assert found["achievement_totals"] == [("win.xiangqi", 1), ("xiangqi.cannon", 1)]
        assert len(await hall.notices.of(20, None, 9)) == 2
        await hall.achievements.sweep()
        assert await rows(store) == found
        await store.transaction(fold.rebuild)
        assert await rows(store) == found
        standing = {one.what.id: one for one in await hall.achievements.of(20)}
        assert (standing["games_10"].have, standing["games_10"].at, standing["win.xiangqi"].people) == (1, None, 1)
        assert len(standing) == len(known())
        await hall.achievements.erase(20)
        assert [row[0] for row in (await rows(store))["achievement_counts"]] == [21, 21]
        assert (await rows(store))["achievement_totals"] == []
        await store.close()

    run(test())


def test_coins_are_paid_once_also_after_a_kill(tmp_path: Path) -> None:
    async def test() -> None:
        await play(tmp_path, (2,))
        store = await opened(tmp_path)
        ledger = Ledger(store, Config(coins=Coins(achievement=5)))
        hall = community(store, tmp_path, START)
        killed = asyncio.CancelledError()

        async def dies(user: int, id: str, now: int) -> None:
            raise killed

        hall.achievements.reward = dies
        await hall.achievements.open()
        with pytest.raises(asyncio.CancelledError):
            await hall.achievements.sweep()  # both are earned, and neither is paid
        assert (await ledger.wallet(20)).coins == 0
        for _ in range(2):
            hall = community(store, tmp_path)
            hall.achievements.reward = ledger.reward
            await hall.achievements.open()
            await hall.achievements.sweep()
        assert (await ledger.wallet(20)).coins == 10
        lines = await ledger.statement(20, reason="achievement", before=None, most=9)
        assert sorted((line.amount, line.ref) for line in lines) == [(5, "win.xiangqi"), (5, "xiangqi.cannon")]
        await store.transaction(fold.rebuild)
        await hall.achievements.open()
        assert (await ledger.wallet(20)).coins == 10
        await store.close()

    run(test())


def test_coins_that_are_set_later_are_not_paid_backwards(tmp_path: Path) -> None:
    async def test() -> None:
        await play(tmp_path, (2,))
        store = await opened(tmp_path)
        ledger = Ledger(store, Config(coins=Coins(achievement=5)))
        for folded in (False, True):  # before the hall offers coins: earned and not yet folded, then folded
            hall = community(store, tmp_path, START + 86_400_000)
            hall.achievements.reward = ledger.reward
            await hall.achievements.open()
            await hall.achievements.sweep()
            assert len((await rows(store))["achievements"]) == 2
            assert (await ledger.wallet(20)).coins == 0
            if not folded:
                await community(store, tmp_path).achievements.open()  # the hall offers none for a while
        later = await store.read(lambda db: db.execute("SELECT since FROM achievement_pay").fetchone()[0])
        assert later == (START + 86_400_000) // 1000
        await store.close()

    run(test())


def test_of_long_ago_nobody_is_told_and_a_new_set_is_computed_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        await play(tmp_path, (2,))
        store = await opened(tmp_path)
        hall = community(store, tmp_path, START + 40 * 86_400_000)
        fewer = tuple(one for one in known() if one.id != "xiangqi.cannon")
        with monkeypatch.context() as patch:
            patch.setattr(fold, "known", lambda: fewer)
            patch.setattr(fold, "edition", lambda: "before")
            await hall.achievements.sweep()
            assert [row[1] for row in (await rows(store))["achievements"]] == ["win.xiangqi"]
        await hall.achievements.sweep()
        found = await rows(store)
        assert [row[1] for row in found["achievements"]] == ["win.xiangqi", "xiangqi.cannon"]
        assert found["achievement_folds"][0][1] == edition()
        assert await hall.notices.of(20, None, 9) == []
        await store.transaction(fold.rebuild)
        assert await rows(store) == found
        await store.close()

    run(test())


@given(st.integers(0, 2**32), st.integers(1, 12))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_however_the_log_is_cut_the_result_is_the_same(played: Path, seed: int, longest: int) -> None:
    """As it happens live: a few events at a time, some of them twice."""

    async def test() -> None:
        store = await opened(played)
        await store.transaction(fold.rebuild)
        whole = await rows(store)
        for name in TABLES:
            await store.transaction(lambda db, name=name: db.execute(f"DELETE FROM {name}").rowcount)  # type: ignore[misc]
        luck = random.Random(seed)

        def step(db: Any) -> bool:
            after, newest = fold.behind(db)
            if after >= newest:
                return False
            upto, found = fold.happened(db, after, min(newest, after + luck.randint(1, longest)))
            done = [(one, fold.effects(fold.logged(db, one))) for one in found]
            for _ in range(luck.randint(1, 2)):  # the second time nothing is done
                fold.apply(db, after, upto, done, 0)
            return True

        while await store.transaction(step):
            pass
        assert await rows(store) == whole
        await store.close()

    asyncio.run(test())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    asyncio.run(play(folder, (2, 1, 2)))
    return folder
