"""Accounts on a real store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from qipai.accounts import hashing, service
from qipai.accounts.service import Accounts
from qipai.config import Config
from qipai.store import Sqlite


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash as always, only not for so long, and on a busy machine not behind everything else."""
    monkeypatch.setattr(service, "N_LOG2", 4)
    monkeypatch.setattr(service, "NOBODY", service.NOBODY.replace("$15$", "$4$"))
    monkeypatch.setattr(hashing, "NICE", 0)


def at_home(tmp_path: Path, visit: Callable[[Accounts, Sqlite], Awaitable[Any]], config: Config | None = None) -> None:
    """Run a coroutine with the accounts of a hall and their store."""

    async def main() -> None:
        store = Sqlite(tmp_path / "hall.sqlite", [service.script()])
        await store.open()
        accounts = Accounts(store, config or Config())
        try:
            await visit(accounts, store)
        finally:
            accounts.shut()
            await store.close()

    asyncio.run(main())
