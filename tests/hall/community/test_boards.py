"""Discussion boards: who may read and write what, and what is told, kept, found and taken away (P-80, P-95, P-96)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.client import Server
from tests.hall.web.conftest import SETTINGS
from tests.hall.web.test_pages import Somebody, id_of, somebody
from tests.stores import url_at

from qipai import cli
from qipai.accounts import books as account_books
from qipai.accounts.model import User, folded
from qipai.accounts.service import Accounts
from qipai.community.boards.rights import Reader
from qipai.community.boards.service import Change
from qipai.community.keeper import Keeper
from qipai.community.service import Community
from qipai.config import Config
from qipai.hall.table.errors import HallError
from qipai.moderation.service import Order
from qipai.social.ties import Ties
from qipai.store import Connection, Sqlite
from qipai.store.writer import Writer
from qipai.web.services import DATABASE, store_of

START = 1_790_000_000
DAY = 86400
NAMES = ("松风", "海潮生", "望月", "moderator1")


class Time:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.seconds = START

    def now(self) -> int:
        return 1000 * self.seconds

    def call_at(self, when: int, call: Callable[[], None]) -> Callable[[], None]:
        raise AssertionError("nothing waits here")


class Club:
    """One closed club, 7, and one open one, 8."""

    def __init__(self) -> None:
        self.members: dict[int, set[int]] = {7: set(), 8: set()}

    def rank_of(self, user: int, club: int) -> str | None:
        return "member" if user in self.members.get(club, set()) else None

    def is_open(self, club: int) -> bool | None:
        return {7: False, 8: True}.get(club)


class World:
    """The community of a hall whose clock is moved by hand."""

    def __init__(self, store: Writer[Any], time: Time) -> None:
        self.store, self.time = store, time
        self.accounts = Accounts(store, Config())
        self.ties, self.order = Ties(store), Order(store)
        self.community = Community(store, self.accounts, time, self.ties, self.order, Config(), Path())
        self.boards = self.community.boards
        self.clubs = Club()
        self.community.common.clubs = self.clubs
        self.told: list[tuple[str, str, str]] = []
        self.community.notices.tell.append(
            lambda notice: self.told.append((self.names[notice.user], notice.kind, notice.facts.get("title", "")))
        )
        self.people: dict[str, User] = {}
        self.names: dict[int, str] = {}

    async def open(self) -> None:
        def people(db: Connection) -> None:
            for name in NAMES:
                account_books.add_user(db, name=name, folded=folded(name), role="user", now=START, password="-")

        await self.store.transaction(people)
        for part in (self.accounts, self.ties, self.order):
            await part.open()
        for name in NAMES:
            user = await self.accounts.named(name)
            assert user is not None
            self.people[name], self.names[user.id] = user, name
        await self.community.open()

    async def reader(self, name: str | None) -> Reader:
        who = None if name is None else self.people[name]
        return await self.boards.reader(who, moderator=name == "moderator1")

    async def open_thread(self, name: str, title: str, text: str, board: str = "general", **more: Any) -> Any:
        return await self.boards.open_thread(self.people[name], await self.reader(name), board, title, text, **more)

    async def reply(self, name: str, thread: int, text: str, **more: Any) -> Any:
        return await self.boards.reply(self.people[name], await self.reader(name), thread, text, **more)

    async def edit(self, name: str, post: int, text: str, title: str | None = None) -> Any:
        return await self.boards.edit(self.people[name], await self.reader(name), post, text, title)

    async def found(self, name: str | None, query: str, board: str | None = None) -> list[str]:
        rows, _ = await self.boards.search(await self.reader(name), query, None, 50, board)
        return [row.post.text for row in rows]

    async def refused(self, doing: Any) -> tuple[str, dict[str, Any]]:
        with pytest.raises(HallError) as wrong:
            await doing
        return wrong.value.code, wrong.value.facts


@asynccontextmanager
async def world(folder: Path, time: Time | None = None) -> AsyncIterator[World]:
    folder.mkdir(exist_ok=True)
    store = store_of(folder, url=url_at(folder / DATABASE))
    await store.open()
    found = World(store, time or Time())
    try:
        await found.open()
        yield found
    finally:
        found.accounts.shut()
        await store.close()


@pytest.mark.asyncio
async def test_a_post_may_be_changed_for_fifteen_minutes_and_what_stood_there_is_kept(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        first = await w.open_thread("松风", "象棋怎么开局", "当头炮")
        w.time.seconds += 899
        await w.edit("松风", first.id, "飞相", "象棋开局")
        await w.edit("松风", first.id, "飞相", "象棋开局")  # the same again: no version
        thread = await w.boards.thread(await w.reader(None), first.thread)
        assert thread.title == "象棋开局"
        post, _ = await w.boards.post(await w.reader("海潮生"), first.id)
        assert (post.text, post.edited) == ("飞相", START + 899)
        assert await w.boards.versions(await w.reader("海潮生"), post) == []
        for name in ("松风", "moderator1"):
            versions = await w.boards.versions(await w.reader(name), post)
            assert [(one.title, one.text, one.at) for one in versions] == [("象棋怎么开局", "当头炮", START + 899)]
        assert await w.found(None, "当头炮") == []
        assert await w.found(None, "开局") == ["飞相"]
        assert (await w.refused(w.edit("海潮生", first.id, "我的")))[0] == "NOT_ALLOWED"
        assert (await w.refused(w.edit("moderator1", first.id, "我的")))[0] == "NOT_ALLOWED"
        w.time.seconds += 1
        assert await w.refused(w.edit("松风", first.id, "晚了")) == ("NOT_ALLOWED", {"case": "edit", "minutes": 15})


@pytest.mark.asyncio
async def test_five_posts_in_ten_minutes_and_a_command_once(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        first = await w.open_thread("松风", "一", "二", cid="open-1")
        assert await w.open_thread("松风", "一", "二", cid="open-1") == first
        for n in range(4):
            await w.reply("松风", first.thread, f"第{n}", cid=f"reply-{n}")
        assert (await w.reply("松风", first.thread, "第0", cid="reply-0")).no == 2
        w.time.seconds += 599
        assert await w.refused(w.reply("松风", first.thread, "六")) == ("RATE_LIMIT", {"wait_ms": 1000})
        await w.reply("海潮生", first.thread, "我还可以", cid="reply-0")  # another's command of the same name
        w.time.seconds += 1
        assert (await w.reply("松风", first.thread, "七")).no == 7
        (board,) = await w.boards.boards(await w.reader(None), ["general"])
        assert (board.threads, board.posts) == (1, 7)


@pytest.mark.asyncio
async def test_who_is_told_is_told_once_and_nobody_across_a_block(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        first = await w.open_thread("松风", "论残局", "单车巧胜。@海潮生 你看 `@望月`")
        assert w.told == [("海潮生", "board_mention", "论残局")]
        w.told.clear()
        quote = f"> [松风 · #1](/threads/{first.thread}?post={first.id})\n> @望月 说过\n\n"
        second = await w.reply("海潮生", first.thread, f"{quote}@松风 对")
        assert w.told == [("松风", "board_quote", "论残局")]  # its author, quoted and mentioned: once
        w.told.clear()
        await w.reply("望月", first.thread, f"> [x](/threads/{first.thread}?post={second.id})\n\n也对")
        assert sorted(w.told) == [("松风", "board_reply", "论残局"), ("海潮生", "board_quote", "论残局")]
        w.told.clear()
        changed = await w.reply("海潮生", first.thread, "再看")
        w.told.clear()
        await w.edit("海潮生", changed.id, "再看 @松风 @望月")
        assert w.told == [("望月", "board_mention", "论残局")]  # the other has a notice of this post already
        w.told.clear()
        await w.ties.block(w.people["松风"].id, w.people["望月"].id, START)
        await w.reply("望月", first.thread, f"{quote}@松风")
        assert w.told == []


@pytest.mark.asyncio
async def test_a_kill_between_post_and_notice_loses_and_doubles_nothing(tmp_path: Path) -> None:
    time = Time()
    async with world(tmp_path, time) as w:
        first = await w.open_thread("松风", "论残局", "单车", cid="open")

        async def dies() -> None:
            raise ConnectionError

        w.community.notices.wake = dies  # type: ignore[method-assign]
        with pytest.raises(ConnectionError):
            await w.reply("海潮生", first.thread, "双炮", cid="reply")
        assert w.told == []
    async with world(tmp_path, time) as w:
        assert w.told == [("松风", "board_reply", "论残局")]
        assert (await w.reply("海潮生", first.thread, "双炮", cid="reply")).no == 2
        assert len(w.told) == 1
        thread = await w.boards.thread(await w.reader(None), first.thread)
        assert thread.posts == 2


@pytest.mark.asyncio
async def test_a_reading_level_closes_a_thread_to_who_has_less(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        assert (await w.reader("松风")).level == 10
        assert await w.refused(w.open_thread("松风", "太高", "x", level=11)) == ("BAD_OPTION", {"field": "level"})
        first = await w.open_thread("moderator1", "老手谈", "秘传 @松风 @海潮生", level=30)
        assert w.told == []  # nobody is told of what they may not read
        refused = await w.refused(w.reply("松风", first.thread, "我也要看"))
        assert refused == ("NOT_ALLOWED", {"case": "level", "need": 30, "have": 10})
        assert await w.found("松风", "秘传") == []
        assert await w.found("moderator1", "秘传") == ["秘传 @松风 @海潮生"]
        seen, him = w.community.boards.pieces["post"].seen, w.people["松风"].id
        assert w.store.read_now(lambda db: seen(db, first.id, him)) is None
        await w.boards.set_level(await w.reader("moderator1"), w.people["松风"].id, 30, "trusted")
        await w.reply("松风", first.thread, "看到了")
        assert await w.found("松风", "秘传") == ["秘传 @松风 @海潮生"]
        await w.boards.set_level(await w.reader("moderator1"), w.people["松风"].id, None, "as it was")
        w.time.seconds += 400 * DAY
        assert (await w.reader("松风")).level == 20
        assert (await w.refused(w.boards.set_level(await w.reader("松风"), 1, 99, "no")))[0] == "NOT_ALLOWED"


@pytest.mark.asyncio
async def test_boards_of_clubs_are_read_and_written_by_their_members(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        ours = w.people["松风"].id
        w.clubs.members[7].add(ours)
        w.clubs.members[8].add(ours)
        closed = await w.open_thread("松风", "内部", "只给会员 @海潮生", "club-7")
        opened = await w.open_thread("松风", "公开", "谁都能看", "club-8")
        assert w.told == []
        for name in ("海潮生", None):
            reader = await w.reader(name)
            assert (await w.refused(w.boards.thread(reader, closed.thread)))[0] == "NOT_FOUND"
            assert (await w.refused(w.boards.board(reader, "club-7")))[0] == "NOT_FOUND"
            assert (await w.boards.thread(reader, opened.thread)).title == "公开"
            assert await w.found(name, "会员") == []
            assert await w.found(name, "能看") == ["谁都能看"]
        assert await w.refused(w.reply("海潮生", opened.thread, "x")) == ("NOT_ALLOWED", {"case": "club"})
        assert (await w.refused(w.open_thread("海潮生", "x", "x", "club-9")))[0] == "NOT_FOUND"
        assert await w.found("松风", "会员", "club-7") == ["只给会员 @海潮生"]
        moved = w.boards.change(await w.reader("moderator1"), closed.thread, Change(board="general"))
        assert await w.refused(moved) == ("BAD_OPTION", {"field": "board"})


@pytest.mark.asyncio
async def test_what_moderators_do_of_threads_is_counted(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        boss, me = await w.reader("moderator1"), w.people["松风"].id
        first = await w.open_thread("松风", "好帖", "精彩")
        await w.reply("海潮生", first.thread, "顶")
        other = await w.open_thread("海潮生", "别的", "帖")
        assert (await w.refused(w.boards.change(await w.reader("松风"), first.thread, Change(pinned=True))))[0] == (
            "NOT_ALLOWED"
        )
        w.told.clear()
        for _ in range(2):
            await w.boards.change(boss, first.thread, Change(pinned=True, essence=True))
        assert w.told == [("松风", "board_pinned", "好帖"), ("松风", "board_essence", "好帖")]
        writer = await w.boards.writer(me)
        assert (writer.topics, writer.posts, writer.essence, writer.level) == (1, 1, 1, 15)
        rows, top = await w.boards.threads(boss, "general", None, 50, essence=False)
        assert ([one.id for one in top], [one.id for one in rows]) == ([first.thread], [other.thread])
        rows, _ = await w.boards.threads(boss, "general", None, 50, essence=True)
        assert [one.id for one in rows] == [first.thread]
        await w.boards.change(boss, first.thread, Change(locked=True, board="xiangqi"))
        counts = [(one.threads, one.posts) for one in await w.boards.boards(boss, ["general", "xiangqi"])]
        assert counts == [(1, 1), (1, 2)]
        assert await w.refused(w.reply("海潮生", first.thread, "x")) == ("NOT_ALLOWED", {"case": "locked"})
        assert await w.refused(w.edit("松风", first.id, "x")) == ("NOT_ALLOWED", {"case": "locked"})
        await w.reply("moderator1", first.thread, "结束")
        assert await w.refused(w.open_thread("松风", "x", "x", "news")) == ("NOT_ALLOWED", {"case": "news"})
        news = await w.open_thread("moderator1", "新赛季", "开始了", "news")
        assert (await w.reply("松风", news.thread, "好")).no == 2
        await w.order.act(me, "mute", "吵", by=99, now=w.time.now(), seconds=DAY)
        assert (await w.refused(w.reply("松风", news.thread, "吵")))[0] == "MUTED"


@pytest.mark.asyncio
async def test_what_moderators_do_stands_in_the_audit_and_is_told(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        boss, me = await w.reader("moderator1"), w.people["松风"].id
        id = (await w.open_thread("松风", "好帖", "精彩")).thread
        w.told.clear()
        await w.boards.change(boss, id, Change(locked=True, level=20), "settled")
        await w.boards.change(boss, id, Change(locked=True))  # as it is: nothing is done
        # Two at once: each writes what it has changed itself.
        await asyncio.gather(
            w.boards.change(boss, id, Change(locked=False, pinned=True)),
            w.boards.change(boss, id, Change(pinned=True, board="xiangqi")),
        )
        acts = [act for act in reversed(await w.order.audit(None, 9)) if act.type == "moderation.thread"]
        assert [(act.actor, act.data["user"], act.data["ref"]) for act in acts] == 3 * [
            (w.people["moderator1"].id, me, f"thread:{id}")
        ]
        changed = [act.data["changed"] for act in acts]
        assert changed[0] == {"locked": [False, True], "level": [0, 20]}
        assert acts[0].data["reason"] == "settled"
        assert sorted(name for one in changed[1:] for name in one) == ["board", "locked", "pinned"]
        kinds = [kind for _, kind, _ in w.told]
        assert sorted(kinds) == ["board_board", "board_level", "board_locked", "board_not_locked", "board_pinned"]
        told = (await w.community.notices.of(me, None, 9))[-2:]
        assert [(one.facts["title"], one.facts["reason"]) for one in told] == 2 * [("好帖", "settled")]
        # A reading level is a ruling: with its reason, and an appeal.
        w.order.acted = Keeper(w.store, w.community.notices, w.time, lambda _: None).acted
        await w.boards.set_level(boss, me, 40, "writes well")
        await w.boards.set_level(boss, me, None, "no more")
        (free, set_) = await w.order.rulings(me, None, 9)
        assert [(one.what, one.reason) for one in (set_, free)] == [("level", "writes well"), ("level_own", "no more")]
        assert await w.order.appeal(me, set_.id, "why?", START) is not None
        assert (await w.order.audit(None, 9))[1].data["level"] == 40
        (notice,) = await w.community.notices.of(me, None, 1, ["ruling"])
        assert notice.facts["say"] == "ui.order.told_level_own"
        mails = await w.community.mail.mails(me, 0, None, 9)
        assert [mail.facts.get("level") for mail in mails] == [None, 40]
        # Of what a moderator does with their own nobody is told, but it stands in the audit.
        own = (await w.open_thread("moderator1", "我的", "帖")).thread
        w.told.clear()
        await w.boards.change(boss, own, Change(pinned=True))
        assert w.told == []
        assert (await w.order.audit(None, 1))[0].data["ref"] == f"thread:{own}"


@pytest.mark.asyncio
async def test_what_is_removed_or_erased_leaves_its_place(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        first = await w.open_thread("松风", "骂人的题目", "骂人的话")
        second = await w.reply("海潮生", first.thread, "不要骂人")
        await w.edit("海潮生", second.id, "请不要骂人")
        piece = w.boards.pieces["post"]
        assert await w.store.transaction(lambda db: piece.remove(db, first.id))
        assert not await w.store.transaction(lambda db: piece.remove(db, first.id))
        reader = await w.reader(None)
        thread = await w.boards.thread(reader, first.thread)
        assert (thread.title, thread.gone, thread.posts) == (None, "removed", 2)
        assert await w.found(None, "骂人") == ["请不要骂人"]
        assert (await w.boards.writer(w.people["松风"].id)).topics == 0
        found = await w.community.found(f"post:{second.id}")
        assert found is not None
        assert (found.text, found.path) == ("请不要骂人", f"/threads/{first.thread}?post={second.id}")
        exported = await w.store.read(lambda db: w.community.exported(db, w.people["海潮生"].id))
        assert [(row["text"], len(row["versions"])) for row in exported["posts.json"]["rows"]] == [("请不要骂人", 1)]

        await w.boards.erase(w.people["海潮生"].id)
        rows = await w.boards.posts(thread, 0, 50)
        assert [(one.no, one.author is None, one.gone) for one in rows] == [(1, False, "removed"), (2, True, "erased")]
        assert await w.found(None, "骂人") == []
        assert await w.community.found(f"post:{second.id}") is None
        left = await w.store.read(
            lambda db: db.execute("SELECT text FROM posts UNION SELECT text FROM post_versions").fetchall()
        )
        assert "请不要骂人" not in str(left)
        await w.boards.erase(w.people["松风"].id)
        thread = await w.boards.thread(reader, first.thread)
        assert (thread.title, thread.author, thread.gone) == (None, None, "erased")


@pytest.mark.embedded
@pytest.mark.asyncio
async def test_pages_ask_by_index(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        first = await w.open_thread("松风", "一", "象棋")
        asked: list[str] = []
        assert isinstance(w.store, Sqlite)
        assert w.store._reader is not None
        w.store._reader.set_trace_callback(asked.append)
        reader = await w.reader("松风")
        await w.boards.threads(reader, "general", None, 50, essence=False)
        await w.boards.threads(reader, "general", 99, 50, essence=True)
        await w.boards.posts(await w.boards.thread(reader, first.thread), 0, 50)
        await w.boards.boards(reader)
        await w.boards.search(reader, "象棋", None, 50)
        plans = [
            row[3]
            for sql in asked
            if sql.startswith("SELECT")
            for row in await w.store.read(lambda db, sql=sql: db.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall())  # type: ignore[misc]
        ]
        w.store._reader.set_trace_callback(None)
        assert len(plans) > 20
        wrong = [plan for plan in plans if "TEMP B-TREE" in plan or (plan.startswith("SCAN") and "VIRTUAL" not in plan)]
        assert [
            plan for plan in wrong if plan not in ("SCAN CONSTANT ROW", "SCAN n", "SCAN w") and "_config" not in plan
        ] == []


# Over the line --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall that these tests share, in which one may write fast."""
    with Server(tmp_path_factory.mktemp("boards"), SETTINGS + "[boards]\nposts = 1000\n") as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


def test_boards_over_the_line(house: Server) -> None:
    with (
        somebody(house, "board_one") as one,
        somebody(house, "board_two") as two,
        Somebody(base_url=house.url, timeout=60) as nobody,
    ):
        names = [row["board"] for row in nobody.ask("/boards")["rows"]]
        assert names[:4] == ["news", "general", "requests", "bugs"]
        assert {"xiangqi", "gouji"} <= set(names)
        evil = "<img src=x onerror=alert(1)> [x](javascript:alert(1)) @board_one\n\n/g/abcdefgh#12"
        made = two.do("/boards/xiangqi", title="  <script>\n x ", text=evil, cid="thread-1")
        assert two.do("/boards/xiangqi", title="<script> x", text=evil, cid="thread-1") == {**made, "again": True}
        page = nobody.ask(f"/threads/{made['thread']}")
        assert page["thread"]["title"] == "<script> x"
        html = page["rows"][0]["html"]
        assert "<img" not in html
        assert 'href="javascript' not in html
        assert '<div data-game="abcdefgh" data-ply="12">' in html
        (row,) = one.ask("/notices")["rows"]
        assert (row["kind"], row["path"]) == ("board_mention", f"/threads/{made['thread']}?post={made['post']}")
        numbers = [one.do(f"/threads/{made['thread']}", text=f"answer {n}")["no"] for n in range(7)]
        assert numbers == [*range(2, 9)]
        last = nobody.ask(f"/threads/{made['thread']}", limit=3)
        assert ([row["no"] for row in last["rows"]], last["next"]) == ([1, 2, 3], "3")
        at = next(row for row in nobody.ask(f"/threads/{made['thread']}")["rows"] if row["no"] == 5)["post"]
        page = nobody.ask(f"/threads/{made['thread']}", limit=3, post=at)
        assert ([row["no"] for row in page["rows"]], page["next"]) == ([4, 5, 6], "6")
        assert nobody.refused(f"/threads/{made['thread']}?post=99999", "GET")[0] == "NOT_FOUND"
        # What I have read, and what I like.
        assert [row["unread"] for row in two.ask("/boards")["rows"] if row["board"] == "xiangqi"] == [True]
        # What one wrote oneself is not new.
        assert [row["unread"] for row in one.ask("/boards")["rows"] if row["board"] == "xiangqi"] == [False]
        assert two.ask("/boards/xiangqi")["rows"][0]["read"] == 1
        two.do(f"/threads/{made['thread']}/read", no=5)
        assert two.ask("/boards/xiangqi")["rows"][0]["read"] == 5
        two.do("/boards/xiangqi/read", all=True)
        assert two.ask("/boards/xiangqi")["rows"][0]["read"] == 8
        two.do("/boards/xiangqi/favourite")
        assert [(row["board"], row["unread"]) for row in two.ask("/boards/favourites")["rows"]] == [("xiangqi", False)]
        two.do("/boards/xiangqi/favourite", "DELETE")
        assert two.ask("/boards/favourites")["rows"] == []
        # Search, page by page; nothing that is typed is syntax.
        page = nobody.ask("/search", q="answ", limit=5)
        assert [row["no"] for row in page["rows"]] == [8, 7, 6, 5, 4]
        rest = nobody.ask("/search", q="answ", limit=5, after=page["next"])
        assert ([row["no"] for row in rest["rows"]], rest["next"]) == ([3, 2], None)
        assert nobody.ask("/search", q="<script>")["rows"][0]["title"] == [
            ["<", False],
            ["script", True],
            ["> x", False],
        ]
        for query in ("\"'%", "AND OR NOT ( *", "NEAR(", "words:", "*", "\u202e", "", "a" * 100):
            assert nobody.ask("/search", q=query)["rows"] == [], query
        assert nobody.refused("/search?q=" + "a" * 101, "GET") == ("BAD_MESSAGE", {"field": "q"})
        assert nobody.refused("/search?q=x&board=chess", "GET")[0] == "NOT_FOUND"
        # What is not allowed, or no text.
        assert nobody.refused("/boards/xiangqi", title="x", text="x")[0] == "SIGN_IN"
        assert one.refused("/boards/chess", title="x", text="x")[0] == "NOT_FOUND"
        assert one.refused("/boards/news", title="x", text="x") == ("NOT_ALLOWED", {"case": "news"})
        assert one.refused("/boards/general", title="题" * 81, text="x") == ("BAD_MESSAGE", {"field": "title"})
        assert one.refused("/boards/general", title="\u200b", text="x") == ("BAD_MESSAGE", {"field": "title"})
        assert one.refused("/boards/general", title="x", text="x" * 10001) == ("BAD_MESSAGE", {"field": "text"})
        assert one.refused("/threads/99999", text="x")[0] == "NOT_FOUND"
        assert one.refused(f"/posts/{made['post']}", "PATCH", text="mine")[0] == "NOT_ALLOWED"
        with Somebody(base_url=house.url, timeout=60) as guest:
            guest.do("/guest")
            assert guest.refused(f"/threads/{made['thread']}", text="x") == ("SIGN_IN", {"case": "guest"})
        two.do(f"/posts/{made['post']}", "PATCH", text="better", title="better title")
        source = two.ask(f"/posts/{made['post']}")
        assert (source["title"], source["text"], len(source["versions"])) == ("better title", "better", 1)
        assert one.ask(f"/posts/{made['post']}")["versions"] == []
        profile = nobody.ask(f"/users/{id_of(two)}")
        assert [profile[key] for key in ("topics", "posts", "essence", "reading_level")] == [1, 1, 0, 10]


def test_a_report_of_a_post_and_its_removal(house: Server) -> None:
    with somebody(house, "board_rude") as rude, somebody(house, "board_good") as good:
        made = rude.do("/boards/general", title="insults", text="an insult of somebody")
        assert good.do("/reports", kind="abuse", ref=f"post:{made['post']}", text="rude")["report"]
        assert good.refused("/reports", kind="abuse", ref="post:99999", text="x")[0] == "NOT_FOUND"
        assert cli.main(["role", "board_good", "moderator", "--data", str(house.data)]) == 0
    with somebody(house, "board_good", new=False) as good, Somebody(base_url=house.url, timeout=60) as nobody:
        (report,) = good.ask("/moderation/reports")["rows"]
        view = good.ask(f"/moderation/reports/{report['id']}")
        assert view["piece"]["text"] == "insults\n\nan insult of somebody"
        good.do(f"/moderation/pieces/post:{made['post']}/remove", reason="rude", report=report["id"])
        page = nobody.ask(f"/threads/{made['thread']}")
        assert (page["thread"]["title"], page["rows"][0]["html"], page["rows"][0]["gone"]) == (None, None, "removed")
        assert nobody.ask(f"/posts/{made['post']}")["text"] is None
        assert good.ask(f"/posts/{made['post']}")["text"] == "an insult of somebody"
        changed = good.do(f"/threads/{made['thread']}", "PATCH", pinned=True, board="bugs")
        assert (changed["pinned"], changed["board"]) == (True, "bugs")
        assert [row["thread"] for row in nobody.ask("/boards/bugs")["pinned"]] == [made["thread"]]
    with somebody(house, "board_rude", new=False) as rude:
        assert [row["what"] for row in rude.ask("/me/rulings")["rows"]] == ["remove"]
        rude.do("/me", "DELETE", password="long enough")
    with Somebody(base_url=house.url, timeout=60) as nobody:
        row = nobody.ask(f"/threads/{made['thread']}")["rows"][0]
        assert (row["user"], row["gone"]) == (None, "erased")
