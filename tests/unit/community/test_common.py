"""What people write is written once for a command: a repeat neither doubles it nor counts, also after a kill."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.hall.world import Jumping, Names

from qipai.accounts.model import Settings, Window
from qipai.community import common, markup, service
from qipai.community.polls.service import NewPoll
from qipai.config import Album, Clubs, Config, Interviews, Mailbox, Pages, Polls, Reviews
from qipai.hall import hall
from qipai.hall.table.errors import HallError
from qipai.moderation import service as moderation
from qipai.social import chat
from qipai.social.ties import Ties
from qipai.store import Sqlite

ONCE = Config(  # what is counted may be done once
    mailbox=Mailbox(young_per_hour=1, per_hour=1),
    interviews=Interviews(comments_per_hour=1),
    clubs=Clubs(news_per_hour=1),
    album=Album(comments_per_hour=1),
    reviews=Reviews(a_day=1),
    polls=Polls(a_day=1),
    pages=Pages(tip_suggestions=1),
)


class People(Names):
    async def named(self, name: str) -> Any:
        return next((user for user in self.users.values() if user.name == name), None)

    async def dates(self, id: int) -> tuple[int, int]:
        return 0, 0

    async def settings(self, id: int) -> Settings:
        return Settings()


class Place:
    """A community of three people, with an interview, an album and a club to write in."""

    def __init__(self, folder: Path, *more: tuple[str, str]) -> None:
        names: Any = People()
        self.store = Sqlite(
            folder / "x.sqlite", [hall.script(), moderation.script(), chat.script(), *more, *service.scripts()]
        )
        order = moderation.Order(self.store)
        self.clock = Jumping()
        self.here = service.Community(self.store, names, self.clock, Ties(self.store, 10), order, ONCE, folder)
        self.one, self.two, self.three = (names.add(id, f"p{id}") for id in (1, 2, 3))

    async def open(self) -> None:
        await self.store.open()
        await self.here.open()

    async def close(self) -> None:
        self.here.close()
        await self.store.close()

    async def furnish(self) -> None:
        here, one, two = self.here, self.one, self.two
        await here.interviews.begin(one, two, "title", "text", "en", moderator=True)
        await here.interviews.reply(two, 1, yes=True)
        question = await here.interviews.ask(one, 1, "why?", moderator=True)
        await here.interviews.pick(one, 1, [question], moderator=True)
        await here.interviews.answer(two, 1, question, "so")
        await here.interviews.publish(one, 1, moderator=True)
        await here.clubs.found(one, "club", "", None, closed=False)
        await here.album.make(two, "album", None)
        sql = (
            "INSERT INTO pictures (album, user, at, caption, visible, file, width, height)"
            " VALUES (1, 2, 1, '', 'public', 'f', 1, 1)"
        )
        await self.store.transaction(lambda db: db.execute(sql).rowcount)


Write = Callable[[Place, str], Awaitable[Any]]
WRITES: dict[str, Write] = {
    "mails": lambda at, cid: at.here.mail.send(at.one, at.two, "hello", cid),
    "interview_comments": lambda at, cid: at.here.interviews.comment(at.one, 1, "hello", cid),
    "club_news": lambda at, cid: at.here.clubs.write(at.one, 1, "title", "hello", cid),
    "picture_comments": lambda at, cid: at.here.album.comment(at.one, 1, "hello", cid),
    "reviews": lambda at, cid: at.here.reviews.begin(at.one, "game", 3, cid),
    "polls": lambda at, cid: at.here.polls.make(
        at.one, NewPoll("why?", ("a", "b"), at.clock.now() // 1000 + 9), moderator=True, cid=cid
    ),
    "tips": lambda at, cid: at.here.tips.write(at.one, "", "hello", cid, admin=False),
}


@pytest.mark.asyncio
@pytest.mark.parametrize("table", WRITES)
async def test_a_repeat_neither_doubles_nor_counts(table: str, tmp_path: Path) -> None:
    write = WRITES[table]
    place = Place(tmp_path)
    await place.open()
    await place.furnish()

    async def killed() -> None:
        raise asyncio.CancelledError

    place.here.notices.wake = killed  # type: ignore[method-assign]
    with pytest.raises(asyncio.CancelledError):
        await write(place, "first")  # it is on the disk, and nobody has heard of it
    await place.close()

    place = Place(tmp_path)
    await place.open()
    again = [await write(place, "first") for _ in range(3)]
    assert again[0] == again[1] == again[2]
    both = await asyncio.gather(write(place, "second"), write(place, "second"), return_exceptions=True)
    new = next(one for one in both if not isinstance(one, HallError))
    assert new != again[0]
    assert await write(place, "second") == new
    with pytest.raises(HallError, match="RATE_LIMIT"):
        await write(place, "third")
    sql = f"SELECT count(*) FROM {table} WHERE cid IS NOT NULL"
    assert await place.store.read(lambda db: db.execute(sql).fetchone()[0]) == 2
    await place.close()


@pytest.mark.asyncio
async def test_of_two_at_once_one_is_written_and_one_counts(tmp_path: Path) -> None:
    place = Place(tmp_path)
    await place.open()
    at = place.here.common
    window = Window(2, 60)
    kept = common.Kept("tips")
    sql = "INSERT INTO tips (at, author, zh, en, state, cid) VALUES (1, 1, '', 'x', 'waiting', 'c')"

    def work(db: Any) -> int:
        return int(db.execute(sql).lastrowid)

    assert await asyncio.gather(*(at.once(kept, 1, "c", work, window) for _ in range(2))) == [1, 1]
    assert window.wait(1, place.clock.now() / 1000) == 0  # one of two has been counted

    def refused(db: Any) -> int:
        raise HallError("NOT_FOUND")

    with pytest.raises(HallError, match="NOT_FOUND"):
        await at.once(kept, 1, "d", refused, window)
    assert window.wait(1, place.clock.now() / 1000) == 0
    await place.close()


@pytest.mark.asyncio
async def test_html_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place(tmp_path)
    await place.open()
    made: list[str] = []
    rendered = markup.rendered

    def counted(text: str, people: Any = None) -> str:
        made.append(text)
        return rendered(text, people)

    monkeypatch.setattr(markup, "rendered", counted)
    at = place.here.common
    first = await at.htmls(["**a**", "", "**a**", "hello @p2", "hello @p9"])
    assert first == await at.htmls(["**a**", "", "**a**", "hello @p2", "hello @p9"])
    assert made == ["**a**", "hello @p2", "hello @p9"]
    assert '<a href="/users/2"' in first[3]
    names: Any = at.accounts
    names.add(9, "p9")  # whom a name stands for may change
    assert '<a href="/users/9"' in await at.html("hello @p9")
    assert made[-1] == "hello @p9"
    await place.close()
