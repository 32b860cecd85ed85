"""What every feature needs when somebody writes: may they, are they too fast, who has blocked whom (P-11, P-95)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from qipai.accounts.model import User, Window
from qipai.accounts.service import Accounts
from qipai.community import markup
from qipai.community.contract import Clubs, NoClubs
from qipai.community.notices.service import NoticeService
from qipai.hall.live.timers import Clock
from qipai.hall.table.errors import HallError
from qipai.moderation.service import Order
from qipai.social.ties import Ties
from qipai.store import Store

__all__ = ["Common"]


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
        if (until := self.order.until(user.id, "mute", self.now)) is not None:
            raise HallError("MUTED", until=until)

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
        """Return several texts as HTML; the work is done beside the event loop."""
        people = {}
        for name in dict.fromkeys(name for text in texts for name in markup.mentioned(text)):
            user = await self.accounts.named(name)
            if user is not None and not user.deleted:
                people[name] = user.id
        return await asyncio.to_thread(lambda: [markup.rendered(text, people) if text else "" for text in texts])


async def _nobody(user: int) -> bool:
    return False
