"""People with a clock that is moved, for what is sent out of the hall."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from qipai.accounts import service as accounts
from qipai.accounts.model import Settings
from qipai.community import service as community
from qipai.community.notices.service import put
from qipai.config import Config
from qipai.hall import hall
from qipai.moderation import service as moderation
from qipai.social import chat
from qipai.social.ties import Ties
from qipai.store import Sqlite


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.s = 1_000_000

    def now(self) -> int:
        return 1000 * self.s

    def call_at(self, when: int, call: Callable[[], None]) -> Callable[[], None]:
        raise NotImplementedError  # nothing here waits by itself


class Town:
    """A community with one registered person."""

    def __init__(self, store: Sqlite, clock: Clock, config: Config, folder: Path) -> None:
        self.store, self.clock = store, clock
        self.accounts = accounts.Accounts(store, config)
        order = moderation.Order(store)
        self.community = community.Community(store, self.accounts, clock, Ties(store), order, config, folder)
        self.user, self.login = 0, b""

    async def tell(self, kind: str = "reply", **facts: Any) -> None:
        """Let something happen for the person."""
        path = f"/{kind}/{facts.get('n', 1)}"
        await self.store.transaction(lambda db: put(db, self.user, kind, path, facts, self.clock.s))
        await self.community.notices.wake()

    async def sweep(self, seconds: int = 0) -> None:
        """Let time go by, then send what is due."""
        self.clock.s += seconds
        await self.community.sweep()

    async def set(self, **settings: Any) -> None:
        await self.accounts.change_settings(self.user, Settings(**settings))

    async def count(self, table: str) -> int:
        return int((await self.store.read(lambda db: db.execute(f"SELECT count(*) FROM {table}").fetchone()))[0])


@asynccontextmanager
async def town(folder: Path, config: Config, before: Callable[[Town], None] = lambda _: None) -> AsyncIterator[Town]:
    """Open a community in a folder; what was there before is there again. before: done before it opens."""
    scripts = [part.script() for part in (accounts, hall, moderation, chat)] + community.scripts()
    store = Sqlite(folder / "hall.sqlite", scripts)
    await store.open()
    found = Town(store, Clock(), config, folder)
    await found.accounts.open()
    user = await found.accounts.named("石头记")
    if user is None:
        user, _ = await found.accounts.register(
            "石头记", "long enough", guest=None, address=None, now=found.clock.s, email="one@example.org"
        )
    found.user = user.id
    found.login = bytes((await store.read(lambda db: db.execute("SELECT key FROM logins").fetchone()))[0])
    before(found)
    await found.community.open()
    try:
        yield found
    finally:
        found.community.close()
        found.accounts.shut()
        await store.close()
