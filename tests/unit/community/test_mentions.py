"""Who is told that they were mentioned in a chat room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.hall.world import Jumping, Names, run

from qipai.accounts.model import User
from qipai.community import service as community
from qipai.config import Config
from qipai.hall import hall
from qipai.moderation import service as moderation
from qipai.social import chat
from qipai.social.ties import Ties
from qipai.store import Sqlite


class Known(Names):
    async def named(self, name: str) -> User | None:
        return next((user for user in self.users.values() if user.name == name), None)


def test_each_is_told_once_in_a_while_and_nobody_across_a_block(tmp_path: Path) -> None:
    async def test() -> None:
        store = Sqlite(tmp_path / "x.sqlite", [hall.script(), moderation.script(), chat.script(), *community.scripts()])
        await store.open()
        names, ties, clock = Known(), Ties(store, 10), Jumping()
        accounts: Any = names
        here = community.Community(store, accounts, clock, ties, moderation.Order(store), Config(), tmp_path)
        ann, _bob, _eve = (names.add(id, name) for id, name in ((1, "ann"), (2, "bob"), (3, "eve")))
        await ties.block(3, 1, 0)
        assert await here.mentions.of_line("hall", ann, "hello @ann, @eve and a@bob") is None
        for place in ("hall", "hall", "game:xiangqi", "club:7"):  # nobody is in a club
            work = await here.mentions.of_line(place, ann, "@bob @eve @nobody")
            assert work is not None
            await store.transaction(work)
        assert [one.path for one in await here.notices.of(2, None, 9)] == ["/chat/game:xiangqi", "/chat/hall"]
        assert await here.notices.of(3, None, 9) == []
        clock.time += 600_000
        work = await here.mentions.of_line("hall", ann, "@bob")
        assert work is not None
        await store.transaction(work)
        assert len(await here.notices.of(2, None, 9)) == 3
        await store.close()

    run(test())
