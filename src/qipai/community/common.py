"""What every feature needs when somebody writes: may they, are they too fast, who has blocked whom (P-11, P-95)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from msgspec import Struct

from qipai.accounts.model import User, Window
from qipai.accounts.service import Accounts
from qipai.community import markup
from qipai.community.contract import Clubs, NoClubs
from qipai.community.notices.service import NoticeService
from qipai.community.renderings import Renderings
from qipai.hall.live.timers import Clock
from qipai.hall.table.errors import HallError
from qipai.moderation.service import Order
from qipai.social.ties import Ties
from qipai.store import Connection, Store

__all__ = ["NIGHT", "Common", "Kept", "known"]

NIGHT: Final = range(18, 23)  # hours, UTC, in which the hall does what nobody waits for: two to seven in China


class Kept(Struct, frozen=True):
    """Where something that people write is kept: a table with `id` and `cid`, and its column of who has written it."""

    table: str
    author: str = "author"


def known(db: Connection, kept: Kept, user: int, cid: str | None) -> int | None:
    """Return the number of what somebody has written by a command, None where that was not carried out before."""
    sql = f"SELECT id FROM {kept.table} WHERE {kept.author} = ? AND cid = ?"
    row = None if cid is None else db.execute(sql, (user, cid)).fetchone()
    return None if row is None else int(row[0])


class Common:
    """The things that all features of the community share."""

    def __init__(
        self, store: Store, accounts: Accounts, clock: Clock, ties: Ties, order: Order, notices: NoticeService
    ) -> None:
        self.store, self.accounts, self.clock, self.ties, self.order, self.notices = (
            store,
            accounts,
            clock,
            ties,
            order,
            notices,
        )
        self.clubs: Clubs = NoClubs()
        self._renderings = Renderings()
        self._leaving: set[int] = set()  # who deletes, or has deleted, their account; so few that they stay here
        self.member: Callable[[int], Awaitable[bool]] = _nobody  # whether somebody's membership counts now (P-7)

    @property
    def now(self) -> int:
        """Return the time, seconds since 1970."""
        return self.clock.now() // 1000

    def may_write(self, user: User) -> None:
        """Raise HallError unless somebody may write in public: SIGN_IN for guests, NOT_ALLOWED for programs, MUTED."""
        if user.kind == "guest":
            raise HallError("SIGN_IN", case="guest")
        if user.kind == "bot":
            raise HallError("NOT_ALLOWED", case="program")
        self.stays(user.id)
        if (until := self.order.until(user.id, "mute", self.now)) is not None:
            raise HallError("MUTED", until=until)

    def leaves(self, user: int, *, on: bool) -> None:
        """Let somebody who deletes their account write nothing more; or again, where that has failed."""
        (self._leaving.add if on else self._leaving.discard)(user)

    def stays(self, user: int) -> None:
        """Raise HallError("SIGN_IN") for who is deleting their account."""
        if user in self._leaving:
            raise HallError("SIGN_IN")

    def apart(self, user: User, other: int | None) -> None:
        """Raise HallError("BLOCKED") if one of two has blocked the other."""
        if self.ties.apart(user.id, other):
            raise HallError("BLOCKED")

    def in_time(self, window: Window, user: int) -> None:
        """Count something that somebody does; raises HallError("RATE_LIMIT") if they do it too often."""
        now = self.clock.now() / 1000
        if wait := window.wait(user, now):
            raise HallError("RATE_LIMIT", wait_ms=round(1000 * wait))
        window.add(user, now)

    async def once(
        self,
        kept: Kept,
        user: int,
        cid: str | None,
        work: Callable[..., int],
        window: Window | None = None,
        within: Callable[[Callable[..., int]], Awaitable[int]] | None = None,
    ) -> int:
        """Write something once for a command, tell its notices, and return its number.

        A repeat, also one after a kill, finds what was written: it neither doubles it nor counts in the window. What is
        refused or cannot be written does not count either. work: writes it in a transaction and returns its number;
        within: makes that transaction, gives it the connection and more, and tells notices. Raises HallError.
        """
        found = None if cid is None else await self.store.read(lambda db: known(db, kept, user, cid))
        if found is None:
            if window is not None:
                self.in_time(window, user)

            again = False

            def whole(db: Connection, *more: Any) -> int:
                nonlocal again
                self.stays(user)  # what is written from now on would not be erased
                before = known(db, kept, user, cid)  # of two at once the second one waits for the first
                found = work(db, *more) if before is None else before
                again = before is not None
                return found

            try:
                found = await (self.store.transaction if within is None else within)(whole)
            except Exception:
                again = True
                raise
            finally:
                if again and window is not None:
                    window.back(user)
            if within is None:
                await self.notices.wake()
        return found

    @staticmethod
    def text(text: str, most: int, field: str = "text") -> str:
        """Return a text in its normal form; raises HallError("BAD_MESSAGE") if it is empty or too long."""
        found = markup.words(text)
        if not found or len(found) > most:
            raise HallError("BAD_MESSAGE", field=field)
        return found

    async def mentioned(self, text: str, by: User) -> dict[str, User]:
        """Return the people whom a text mentions, by the name as written, without those with whom a block stands."""
        found = {}
        for name in markup.mentioned(text):
            user = await self.accounts.named(name)
            if user is not None and user.kind == "user" and not user.deleted and not self.ties.apart(by.id, user.id):
                found[name] = user
        return found

    async def html(self, text: str) -> str:
        """Return a text as HTML that is safe to show; mentions of people lead to their profiles."""
        return (await self.htmls([text]))[0]

    async def htmls(self, texts: Sequence[str]) -> list[str]:
        """Return several texts as HTML; what was made before is kept, the rest is made beside the event loop."""
        people = {}
        for name in dict.fromkeys(name for text in texts if "@" in text for name in markup.mentioned(text)):
            user = await self.accounts.named(name)
            if user is not None and not user.deleted:
                people[name] = user.id
        keys = [self._renderings.key(text, people) for text in texts]
        kept = {key: self._renderings.find(key) for key in keys}
        new = {key: text for key, text in zip(keys, texts, strict=True) if kept[key] is None}
        if new:
            work = list(new.values())
            made = await asyncio.to_thread(lambda: [markup.rendered(text, people) if text else "" for text in work])
            for key, html in zip(new, made, strict=True):
                kept[key] = html
                self._renderings.keep(key, html)
        return [kept[key] or "" for key in keys]


async def _nobody(user: int) -> bool:
    return False
