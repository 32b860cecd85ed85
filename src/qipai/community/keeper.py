"""What the hall tells people is kept for their timelines, what is weighty as a mail of the hall too (P-9, P-12)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

from qipai.community.mail.service import put_from_hall
from qipai.community.notices import sentences
from qipai.community.notices.service import NoticeService, put
from qipai.hall.live.timers import Clock
from qipai.store import Connection, Store

__all__ = ["Keeper"]

BEGINS: Final = frozenset({"started", "stage_begun"})  # of a contest: this also comes as a mail


class Keeper:
    """Keeps what the hall tells people."""

    def __init__(
        self,
        store: Store,
        notices: NoticeService,
        clock: Clock,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        """spawn: runs something to its end."""
        self._store, self._notices, self._clock, self._spawn = store, notices, clock, spawn

    def keep(self, db: Connection, user: int, kind: str, ref: Any, facts: Mapping[str, Any], now: int) -> None:
        """Write down what somebody will be told, in the transaction of its cause; now: seconds."""
        if user <= 0:
            return
        if kind == "invite":
            say, path = sentences.invitation(facts)
            told = {"say": say, "name": facts.get("from"), **facts}
            put(db, user, "invite", path, told, now, f"{say} {ref} {facts.get('from')}")
        elif kind == "friend":
            told = {"say": "ui.people.befriended", "name": facts.get("from")}
            put(db, user, "friend", f"/users/{ref}", told, now, f"friend:{ref}")
        elif kind == "contest":
            say, path = sentences.contest(str(ref), facts)
            told = {**facts, "say": say}
            put(db, user, "contest", path, told, now, f"{say} {ref} {path}", renew=True)
            if facts.get("what") in BEGINS:
                put_from_hall(db, user, "contest", path, told, now)
        elif kind == "penalty":
            self.acted(db, user, facts, now)
        elif kind == "turn":
            put(db, user, "turn", f"/tables/{ref}", facts, now, f"turn:{ref}", renew=True)
        elif kind == "role":
            say = "notice.role_on" if facts.get("on") else "notice.role_off"
            put(db, user, "role", f"/rooms/{ref}", {"say": say}, now)

    def acted(self, db: Connection, user: int, facts: Mapping[str, Any], now: int) -> None:
        """Write down what a moderator has done about somebody, in the transaction of the act; now: seconds."""
        if user <= 0:
            return
        told = sentences.ruling(facts)
        put(db, user, "ruling", "/me/rulings", told, now)
        put_from_hall(db, user, "ruling", "/me/rulings", told, now)

    def keep_later(self, user: int, kind: str, ref: Any, facts: Mapping[str, Any]) -> None:
        """Write down what somebody has been told, where its cause is in no transaction of this part."""

        async def work() -> None:
            now = self._clock.now() // 1000
            await self._store.transaction(lambda db: self.keep(db, user, kind, ref, facts, now))
            await self._notices.wake()

        self._spawn(work())

    def wake(self) -> None:
        """Tell what is written down."""
        self._spawn(self._notices.wake())
