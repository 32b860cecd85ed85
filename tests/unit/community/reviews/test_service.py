"""Who leads a review: the lead can be taken from whoever has gone, and from nobody else."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from qipai.accounts.model import User
from qipai.community.common import Common
from qipai.community.reviews import service
from qipai.config import Reviews as Numbers
from qipai.hall import hall
from qipai.hall.table.errors import HallError
from qipai.store import Sqlite, Unwritten

ONE, TWO = User(1, "one", "user"), User(2, "two", "user")


class Alone:
    """What a review needs of the community, with a clock that is moved by hand."""

    text, once = staticmethod(Common.text), Common.once

    def __init__(self, store: Sqlite) -> None:
        self.store, self.now, self.notices = store, 1000, self

    async def wake(self) -> None:
        """Tell nobody."""

    def may_write(self, user: User) -> None:
        """Let everybody write."""

    def stays(self, user: int) -> None:
        """Let nobody have left."""

    def in_time(self, window: object, user: int) -> None:
        """Let everybody write as often as they like."""

    def apart(self, user: User, other: int | None) -> None:
        """Let nobody be blocked."""


class Line:
    """A line into the hall that follows."""

    def __init__(self, user: User | None) -> None:
        self.user, self.heard = user, list[dict[str, Any]]()

    def send(self, frame: bytes) -> None:
        """Hear something."""
        self.heard.append(json.decode(frame))


def test_the_lead_is_taken_from_whoever_has_gone(tmp_path: Path) -> None:
    async def visit() -> None:
        store = Sqlite(tmp_path / "hall.sqlite", [hall.script(), service.script()])
        await store.open()
        common = Alone(store)
        reviews = service.Reviews(common, Numbers(lead_s=30, branches=1, moves=1))  # type: ignore[arg-type]
        key = await reviews.begin(ONE, "game", 3, "c1")
        assert await reviews.begin(ONE, "game", 3, "c1") == key
        follower, leader = Line(None), Line(ONE)
        await reviews.follow(key, follower, on=True)
        assert follower.heard[-1]["n"] == 3
        for n in range(9):  # what there is not is not kept either
            with pytest.raises(HallError, match="NOT_FOUND"):
                await reviews.follow(f"made up {n}", follower, on=True)
            await reviews.follow(f"made up {n}", follower, on=False)
        assert list(reviews._followers) == [key]
        for _ in range(3):  # who leads is kept in memory no longer than it counts
            other = await reviews.begin(ONE, "game", 3, None)
            await reviews.follow(other, Line(ONE), on=True)
            common.now += 31
        assert list(reviews._led) == [other]
        common.now += 25
        await reviews.follow(key, leader, on=True)  # a sign of life
        common.now += 25
        assert await reviews.take(key, TWO) is False
        assert follower.heard[-1]["asks"] == [2]
        common.now += 31
        assert await reviews.take(key, TWO) is True
        assert (follower.heard[-1]["leader"], follower.heard[-1]["asks"]) == (2, [])
        with pytest.raises(HallError, match="NOT_ALLOWED"):
            await reviews.step(key, ONE, 0, 4)
        # So many lines and no more, each so long and no longer.
        line, at = await reviews.add(key, TWO, 0, 3, 9, [(0, {"a": "x"})], "m1")
        assert at == 4
        assert await reviews.add(key, TWO, 0, 3, 9, [(0, {"a": "x"})], "m1") == (line, 4)  # the same again
        assert await reviews.done(TWO, "m1") == (line, 4)
        with pytest.raises(HallError, match="LIMIT_REACHED"):
            await reviews.add(key, TWO, 0, 5, 9, [(0, {"a": "x"})])
        for n in range(4, 7):
            assert await reviews.add(key, TWO, line, n, n, [(0, {"a": "x"})]) == (line, n + 1)
        with pytest.raises(HallError, match="LIMIT_REACHED"):
            await reviews.add(key, TWO, line, 7, 7, [(0, {"a": "x"})])
        # Who closes their line hears nothing more; who deletes their account has led and said nothing.
        heard = len(follower.heard)
        reviews.left(follower)
        await reviews.say(key, TWO, "Look", 0, 3, None)
        assert len(follower.heard) == heard
        assert leader.heard[-1]["said"] == 1
        assert await store.read(lambda db: reviews.exported(db, 2)["reviews.json"]["talk"][0]["text"]) == "Look"
        opened, *_others = await store.read(lambda db: reviews.exported(db, 1)["reviews.json"]["opened"])
        assert (opened["key"], opened["game"]) == (key, "game")
        await reviews.erase(2)
        found = await reviews.find(key)
        assert (found.leader, found.owner, await reviews.talk(found.id)) == (None, 1, [])
        assert reviews.away(found)
        await store.close()

    asyncio.run(visit())


@pytest.mark.parametrize("reads", range(4))
def test_who_comes_while_the_database_goes_away_may_ask_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: int
) -> None:
    """reads: so many succeed before it is away."""

    async def visit() -> None:
        store = Sqlite(tmp_path / "hall.sqlite", [hall.script(), service.script()])
        await store.open()
        reviews = service.Reviews(Alone(store), Numbers())  # type: ignore[arg-type]
        key = await reviews.begin(ONE, "game", 3, None)
        line, left, read = Line(None), reads, store.read

        def failing(work: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise Unwritten("gone")
            return read(work)

        with monkeypatch.context() as patched:
            patched.setattr(store, "read", failing)
            with pytest.raises(Unwritten):
                await reviews.follow(key, line, on=True)
        assert reviews._followers == {}
        await reviews.follow(key, line, on=True)
        assert [frame["n"] for frame in line.heard] == [3]
        await store.close()

    asyncio.run(visit())
