"""Polls: who may vote when, what they see, and that counts and votes agree."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.hall.world import Jumping, Names, run

from qipai.community import service as community
from qipai.community.contract import NoClubs
from qipai.community.polls.service import NewPoll, PollService
from qipai.config import Config
from qipai.hall import hall
from qipai.hall.table.errors import HallError
from qipai.moderation import service as moderation
from qipai.social import chat
from qipai.social.ties import Ties
from qipai.store import Sqlite


class Club(NoClubs):
    """One club, 5, where 1 is the boss and 2 a member."""

    def __init__(self) -> None:
        self.ranks = {1: "boss", 2: "member"}

    def rank_of(self, user: int, club: int) -> str | None:
        return self.ranks.get(user) if club == 5 else None


class Place:
    def __init__(self, path: Path) -> None:
        self.clock, self.names = Jumping(), Names()
        self.store = Sqlite(
            path / "x.sqlite", [hall.script(), moderation.script(), chat.script(), *community.scripts()]
        )
        names: Any = self.names
        self.community = community.Community(
            self.store, names, self.clock, Ties(self.store, 10), moderation.Order(self.store), Config(), path
        )
        self.polls: PollService = self.community.polls
        self.community.common.clubs = self.club = Club()
        for id in range(1, 30):
            self.names.add(id, f"p{id}")
        self.names.add(99, "guest", "guest")
        self.now = self.clock.now() // 1000

    async def make(self, **more: Any) -> int:
        by = self.names.users[more.pop("by", 1)]
        poll = NewPoll("Which?", ("one", "two", "three"), self.now + 100, **more)
        return await self.polls.make(by, poll, moderator=poll.club is None)

    async def vote(self, user: int, poll: int, choice: int) -> str:
        try:
            await self.polls.vote(self.names.users[user], poll, choice)
        except HallError as wrong:
            return wrong.code
        return "ok"

    async def counts(self, poll: int, viewer: int | None) -> list[int | None]:
        return [option.votes for option in (await self.polls.of(poll, viewer)).options]


@asynccontextmanager
async def place(path: Path) -> AsyncIterator[Place]:
    found = Place(path)
    await found.store.open()
    await found.community.open()
    yield found
    await found.store.close()


def test_one_vote_each_and_counts_only_for_who_has_voted_until_the_end(tmp_path: Path) -> None:
    async def test() -> None:
        async with place(tmp_path) as here:
            poll = await here.make()
            assert await here.vote(2, poll, 1) == "ok"
            assert await here.vote(2, poll, 0) == "ALREADY_VOTED"
            assert await here.vote(3, poll, 10) == "BAD_OPTION"
            assert await here.vote(3, poll, -1) == "BAD_OPTION"
            assert await here.vote(99, poll, 0) == "SIGN_IN"
            assert await here.vote(3, 77, 0) == "NOT_FOUND"
            assert await here.counts(poll, 2) == [0, 1, 0]
            assert await here.counts(poll, 1) == [None] * 3  # not even its maker
            assert await here.counts(poll, None) == [None] * 3
            here.clock.time = 1000 * (here.now + 100)  # the last second
            assert await here.vote(3, poll, 2) == "ok"
            assert await here.counts(poll, 1) == [None] * 3
            here.clock.time += 1000
            assert await here.vote(4, poll, 2) == "POLL_CLOSED"
            assert await here.counts(poll, None) == [0, 1, 1]
            assert (await here.polls.of(poll, None)).voters == 2

    run(test())


def test_votes_at_one_instant_count_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with place(tmp_path) as here:
            poll, other = await here.make(), await here.make(changeable=True)
            found = await asyncio.gather(*(here.vote(7, poll, n % 3) for n in range(20)))
            assert sorted(found) == ["ALREADY_VOTED"] * 19 + ["ok"]
            await asyncio.gather(*(here.vote(user, other, n % 3) for n in range(20) for user in (8, 9)))
            assert sum(votes or 0 for votes in await here.counts(poll, 7)) == 1
            assert sum(votes or 0 for votes in await here.counts(other, 8)) == 2
            sql = "SELECT no, votes, (SELECT count(*) FROM poll_votes v WHERE v.poll = o.poll AND choice = no)"
            rows = await here.store.read(lambda db: db.execute(f"{sql} FROM poll_options o").fetchall())
            assert all(kept == counted for _, kept, counted in rows)

    run(test())


def test_who_may_vote(tmp_path: Path) -> None:
    async def test() -> None:
        async with place(tmp_path) as here:
            poll = await here.make(who="members")
            assert await here.vote(3, poll, 0) == "NOT_MEMBER"
            assert await here.polls.waiting(3) is None

            async def member(user: int) -> bool:
                return user == 3

            here.community.common.member = member
            assert await here.polls.waiting(3) == poll
            assert await here.vote(3, poll, 0) == "ok"
            assert await here.polls.waiting(3) is None

            club = await here.make(who="club", club=5)
            assert [one.id for one in await here.polls.page(None, None, None, 9)] == [poll]
            assert [one.id for one in await here.polls.page(2, 5, None, 9)] == [club]
            assert await here.vote(2, club, 0) == "ok"
            assert await here.vote(4, club, 0) == "NOT_FOUND"
            del here.club.ranks[2]  # banned from the club
            assert await here.vote(2, club, 1) == "NOT_FOUND"
            with pytest.raises(HallError, match="NOT_MEMBER"):
                await here.polls.page(2, 5, None, 9)
            assert await here.community.seen(f"poll:{club}", 2) is None
            here.club.ranks[2] = "manager"
            with pytest.raises(HallError, match="RANK_TOO_LOW"):
                await here.make(by=2, who="club", club=5)

    run(test())


def test_what_is_no_poll_is_refused_and_a_repeated_command_makes_one(tmp_path: Path) -> None:
    async def test() -> None:
        async with place(tmp_path) as here:
            user = here.names.users[1]
            wrong: list[tuple[str, dict[str, Any]]] = [
                ("question", {"question": "\u202e\u200b "}),
                ("options", {"options": ("one",)}),
                ("options", {"options": ("one", "one\u200b")}),
                ("options", {"options": tuple(f"o{n}" for n in range(11))}),
                ("closes", {"closes": here.now}),
                ("closes", {"closes": here.now + 10**9}),
                ("club", {"club": 5}),
            ]
            for field, change in wrong:
                form = {"question": "Which?", "options": ("one", "two"), "closes": here.now + 9, **change}
                with pytest.raises(HallError) as refused:
                    await here.polls.make(user, NewPoll(**form), moderator=True)
                assert (refused.value.code, refused.value.facts) == ("BAD_OPTION", {"field": field})
            good = NewPoll("Which?", ("one", "two"), here.now + 9)
            with pytest.raises(HallError, match="NOT_ALLOWED"):
                await here.polls.make(user, good, moderator=False)
            made = [await here.polls.make(user, good, moderator=True, cid="same") for _ in range(3)]
            assert len(set(made)) == 1

    run(test())


def test_a_poll_is_removed_exported_and_forgotten(tmp_path: Path) -> None:
    async def test() -> None:
        async with place(tmp_path) as here:
            poll = await here.make()
            await here.vote(2, poll, 1)
            data = await here.store.read(lambda db: here.community.exported(db, 2))
            assert [row["vote"] for row in data["polls.json"]["voted"]] == ["two"]
            found = await here.community.seen(f"poll:{poll}", 2)
            assert found is not None
            assert found.text == "Which?\n- one\n- two\n- three"
            for user in (1, 2):
                await here.community.erase(user)
            shown = await here.polls.of(poll, 1)
            assert (shown.author, shown.voters) == (None, 1)
            assert not (await here.store.read(lambda db: here.community.exported(db, 2)))["polls.json"]["voted"]
            await here.community.remove(f"poll:{poll}", "spam", by=9, now=here.clock.now())
            assert await here.vote(5, poll, 1) == "NOT_FOUND"

    run(test())
