"""Interviews: a kill before anybody is told, a command that comes twice, what stays of who has left."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.hall.world import Jumping, Names, run

from qipai.community import service as community
from qipai.config import Config
from qipai.hall import hall
from qipai.hall.table.errors import HallError
from qipai.moderation import service as moderation
from qipai.social import chat
from qipai.social.ties import Ties
from qipai.store import Sqlite


class Place:
    def __init__(self, path: Path) -> None:
        self.names = Names()
        accounts: Any = self.names
        self.store = Sqlite(
            path / "x.sqlite", [hall.script(), moderation.script(), chat.script(), *community.scripts()]
        )
        self.ties = Ties(self.store, 10)
        order = moderation.Order(self.store)
        self.community = community.Community(self.store, accounts, Jumping(), self.ties, order, Config(), path)
        self.interviews = self.community.interviews
        self.people = [self.names.add(id, f"p{id}") for id in range(6)]

    async def published(self) -> tuple[int, list[int]]:
        """Return an interview of 1 with 2, and the questions of 3 and 4, both answered."""
        of, people = self.interviews, self.people
        id = await of.begin(people[1], people[2], "title", "text", "en", moderator=True)
        await of.reply(people[2], id, yes=True)
        asked = [await of.ask(people[by], id, "why?", moderator=False) for by in (3, 4)]
        await of.pick(people[1], id, asked, moderator=True)
        for question in asked:
            await of.answer(people[2], id, question, "because")
        await of.publish(people[1], id, moderator=True)
        return id, asked


def test_a_kill_between_publishing_and_telling_loses_no_notice(tmp_path: Path) -> None:
    async def test() -> None:
        here = Place(tmp_path)
        await here.store.open()
        await here.community.open()

        async def killed() -> None:
            raise asyncio.CancelledError

        here.community.notices.wake = killed  # type: ignore[method-assign]
        sent = []
        of, people = here.interviews, here.people
        steps: list[Callable[[], Awaitable[Any]]] = [
            lambda: of.begin(people[1], people[2], "t", "x", "en", moderator=True),
            lambda: of.reply(people[2], 1, yes=True),
            lambda: of.ask(people[3], 1, "why?", moderator=False, cid="c"),
            lambda: of.pick(people[1], 1, [1], moderator=True),
        ]
        for step in steps:  # each is on the disk before the process dies
            with pytest.raises(asyncio.CancelledError):
                await step()
        await here.interviews.answer(here.people[2], 1, 1, "so")
        with pytest.raises(asyncio.CancelledError):
            await here.interviews.publish(here.people[1], 1, moderator=True)
        await here.store.close()

        here = Place(tmp_path)
        await here.store.open()
        here.community.notices.tell.append(lambda notice: sent.append((notice.user, notice.kind)))
        await here.community.open()
        assert sorted(sent) == [
            (1, "interview_accepted"),
            (2, "interview_asked"),
            (2, "interview_picked"),
            (2, "interview_published"),
            (3, "interview_answered"),
        ]
        assert await here.interviews.ask(here.people[3], 1, "why?", moderator=False, cid="c") == 1  # not twice
        await here.store.close()

    run(test())


def test_blocks_and_who_has_left(tmp_path: Path) -> None:
    async def test() -> None:
        here = Place(tmp_path)
        await here.store.open()
        await here.community.open()
        await here.ties.block(5, 2, 0)
        for by in (0, 5):
            with pytest.raises(HallError, match="BLOCKED" if by else "NOT_ALLOWED"):
                await here.interviews.begin(here.people[by], here.people[2], "t", "x", "en", moderator=bool(by))
        id, asked = await here.published()
        with pytest.raises(HallError, match="BLOCKED"):
            await here.interviews.comment(here.people[5], id, "hm")
        comments = [await here.interviews.comment(here.people[by], id, "good") for by in (3, 4)]
        await here.community.erase(3)
        await here.community.erase(1)
        one, questions = await here.interviews.of(id, None, moderator=False)
        assert (one.editor, one.comments, [each.author for each in questions]) == (None, 1, [None, 4])
        assert [each.id for each in await here.interviews.comments(id, 0, 9)] == comments[1:]
        data = await here.store.read(lambda db: here.community.exported(db, 2))
        assert len(data["interviews.json"]["answers"]) == 2
        await here.interviews.name(4, on=True, by=2)
        await here.interviews.answer(here.people[2], id, asked[0], "On second thought")
        data = await here.store.read(lambda db: here.community.exported(db, 2))
        assert len(data["interviews.json"]["corrected"]) == 1
        await here.community.erase(2)
        assert await here.store.read(lambda db: db.execute("SELECT user, by FROM interview_editors").fetchall()) == [
            (4, 0)
        ]
        with pytest.raises(HallError, match="NOT_FOUND"):
            await here.interviews.of(id, None, moderator=True)
        assert await here.community.found(f"interview_question:{asked[0]}") is None
        await here.store.close()

    run(test())


def test_who_is_no_editor_any_more_sees_what_everybody_sees(tmp_path: Path) -> None:
    async def test() -> None:
        here = Place(tmp_path)
        await here.store.open()
        await here.community.open()
        of, people = here.interviews, here.people
        await of.name(1, on=True, by=0)
        id = await of.begin(people[1], people[2], "title", "text", "en", moderator=False)
        await of.reply(people[2], id, yes=True)
        question = await of.ask(people[3], id, "why?", moderator=False)
        await of.pick(people[1], id, [question], moderator=False)
        await of.answer(people[2], id, question, "not published yet")
        assert [each.answer for each in (await of.of(id, 1, moderator=False))[1]] == ["not published yet"]
        # With a block between the two neither is told any more what the other does.
        await here.ties.block(2, 1, 0)
        other = await of.ask(people[4], id, "how?", moderator=False)
        await of.pick(people[1], id, [question, other], moderator=False)
        await of.reply(people[2], id, yes=False)
        told = [[one.kind for one in await here.community.notices.of(user, None, 9)] for user in (1, 2)]
        assert told == [["interview_accepted", "editor"], ["interview_picked", "interview_asked"]]
        await of.name(1, on=False, by=0)
        assert (await of.of(id, 1, moderator=False))[1] == []
        # Who has named whom stands in the audit, once each time.
        await of.name(1, on=False, by=0)
        acts = await here.community.common.order.audit(None, 9)
        assert [(act.type, act.actor, act.data) for act in acts] == [
            ("editor.named", 0, {"user": 1, "on": on}) for on in (False, True)
        ]
        await here.store.close()

    run(test())
