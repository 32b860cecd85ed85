"""Deleting an account: nothing new comes while it is erased, and its own row goes last."""

from __future__ import annotations

import asyncio
from typing import Any

from qipai.accounts.model import User
from qipai.web.account_deletion import erased


class Part:
    """A part of the hall that notes what is asked of it."""

    def __init__(self, name: str, done: list[str]) -> None:
        self._name, self._done = name, done

    def __getattr__(self, name: str) -> Any:
        return Part(f"{self._name}.{name}", self._done)

    async def __call__(self, *_given: Any, **_more: Any) -> None:
        self._done.append(self._name)


def test_logins_end_before_anything_is_erased_and_what_was_under_way_is_erased_after_it() -> None:
    done: list[str] = []
    accounts, hall, contests, community = (Part(name, done) for name in ("accounts", "hall", "contests", "community"))
    own: Any = (accounts, hall, contests, community)
    work = erased(
        User(1, "one", "user"),
        own[0],
        own[1],
        own[2],
        1,
        confirm=True,
        community=own[3],
        cut=lambda _: done.append("cut"),
    )
    asyncio.run(work)
    assert done == [
        "hall.sign_out.quit_all",
        "accounts.depart",
        "contests.gone",
        "accounts.end_logins",
        "cut",
        *2 * ["community.erase", "hall.deletion.erase"],
        "hall.ledger.depart",
        "accounts.delete",
    ]
