"""The tips of a hall: administrators add, people suggest, one is shown a day (platform P-86)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import asdict

from qipai.accounts.model import User, Window
from qipai.community.common import Common, Kept
from qipai.community.contract import Piece, Reported
from qipai.community.notices.service import put
from qipai.community.script import script_of
from qipai.community.tips.days import SHIPPED, of_day
from qipai.config import Pages as Numbers
from qipai.hall.table.errors import HallError
from qipai.store import Connection, inserted

__all__ = ["Tip", "Tips", "script"]

State = Literal["waiting", "taken", "declined", "removed"]
TIPS: Final = Kept("tips")
COLUMNS: Final = "id, at, author, zh, en, state, by, reason"


class Tip(Struct, frozen=True):
    """A tip that somebody has written, in one language or both; at: seconds."""

    id: int
    at: int
    author: int | None
    zh: str
    en: str
    state: State
    by: int | None = None
    reason: str = ""


class Tips:
    """All tips of a hall; those that are shown are kept in memory."""

    def __init__(self, common: Common, numbers: Numbers) -> None:
        self._common, self._numbers = common, numbers
        self._window = Window(numbers.tip_suggestions, 86400)
        self._taken: list[Tip] = []

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return the tips as what can be reported and removed."""
        return {"tip": Piece(self._find, self._seen, _remove, lambda _id: self.open())}

    async def open(self) -> None:
        """Load the tips that are shown."""
        self._taken = await self.of("taken", 0, self._numbers.tips)

    def today(self) -> tuple[int, Tip | None]:
        """Return the number of today's tip, and the tip where it is none of those that come with the hall."""
        n = of_day(self._common.now, len(self._taken))
        return n, self._taken[n - SHIPPED] if n >= SHIPPED else None

    def taken(self) -> list[Tip]:
        """Return the hall's own tips that are shown, oldest first."""
        return list(self._taken)

    async def of(self, state: State, after: int, most: int) -> list[Tip]:
        """Return tips of a state, oldest first."""
        sql = f"SELECT {COLUMNS} FROM tips WHERE state = ? AND id > ? ORDER BY id LIMIT ?"
        return [
            Tip(*row)
            for row in await self._common.store.read(lambda db: db.execute(sql, (state, after, most)).fetchall())
        ]

    async def by(self, user: int, most: int) -> list[Tip]:
        """Return what somebody has suggested, newest first."""
        sql = f"SELECT {COLUMNS} FROM tips WHERE author = ? ORDER BY id DESC LIMIT ?"
        return await self._common.store.read(lambda db: [Tip(*row) for row in db.execute(sql, (user, most))])

    async def write(self, user: User, zh: str, en: str, cid: str | None, *, admin: bool) -> int:
        """Add a tip, or suggest it to the administrators; return its number.

        Raises HallError: those of `may_write`, BAD_MESSAGE without any text, RATE_LIMIT, LIMIT_REACHED.
        """
        self._common.may_write(user)
        chars = self._numbers.tip_chars
        texts = [
            self._common.text(text, chars, field) if text.strip() else "" for text, field in ((zh, "zh"), (en, "en"))
        ]
        if not any(texts):
            raise HallError("BAD_MESSAGE", field="zh")
        row = (self._common.now, user.id, *texts, "taken" if admin else "waiting", user.id if admin else None, cid)
        sql = "INSERT INTO tips (at, author, zh, en, state, by, cid) VALUES (?, ?, ?, ?, ?, ?, ?)"

        def work(db: Connection) -> int:
            if admin:
                self._room()
            return inserted(db, sql, row)

        id = await self._common.once(TIPS, user.id, cid, work, None if admin else self._window)
        await self.open()
        return id

    async def judge(self, id: int, by: int, reason: str | None) -> None:
        """Take a tip that was suggested, or decline it with a reason; its author is told. reason: None to take it.

        Raises HallError: NOT_FOUND, LIMIT_REACHED.
        """
        if reason is None:
            self._room()
        state: State = "taken" if reason is None else "declined"
        now = self._common.now

        def work(db: Connection) -> bool:
            sql = "UPDATE tips SET state = ?, by = ?, reason = ? WHERE id = ? AND state = 'waiting' RETURNING author"
            row = db.execute(sql, (state, by, reason or "", id)).fetchone()
            if row is None:
                return False
            if row[0] is not None and row[0] != by:
                put(db, row[0], f"tip_{state}", "/tips", {"reason": reason or ""}, now, f"tip:{id}")
            return True

        if not await self._common.store.transaction(work):
            raise HallError("NOT_FOUND")
        await self.open()
        await self._common.notices.wake()

    async def withdraw(self, id: int, user: int, *, admin: bool) -> None:
        """Take a tip away: a suggestion of one's own, or any by an administrator; raises HallError("NOT_FOUND")."""
        mine = "(? = 1 OR author = ?)"
        sql = f"UPDATE tips SET state = 'removed' WHERE id = ? AND state IN ('waiting', 'taken') AND {mine}"
        own = sql.replace("'waiting', 'taken'", "'waiting'") if not admin else sql
        if not await self._common.store.transaction(lambda db: db.execute(own, (id, admin, user)).rowcount):
            raise HallError("NOT_FOUND")
        await self.open()

    def _room(self) -> None:
        if len(self._taken) >= self._numbers.tips:
            raise HallError("LIMIT_REACHED", case="tips", most=self._numbers.tips)

    def _find(self, db: Connection, id: int) -> Reported | None:
        row = db.execute(f"SELECT {COLUMNS} FROM tips WHERE id = ?", (id,)).fetchone()
        if row is None:
            return None
        tip = Tip(*row)
        return Reported(tip.author, "\n".join(filter(None, (tip.zh, tip.en))), "/tips", removed=tip.state == "removed")

    def _seen(self, db: Connection, id: int, user: int) -> Reported | None:
        sql = "SELECT 1 FROM tips WHERE id = ? AND (state = 'taken' OR author = ?)"
        return self._find(db, id) if db.execute(sql, (id, user)).fetchone() else None

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return what tips somebody has written."""
        sql = f"SELECT {COLUMNS} FROM tips WHERE author = ? ORDER BY id"
        return {"tips.json": {"rows": [asdict(Tip(*row)) for row in db.execute(sql, (user,))]}}

    async def erase(self, user: int) -> None:
        """Erase the suggestions of somebody; tips that are shown stay, without the name."""

        def work(db: Connection) -> None:
            db.execute("DELETE FROM tips WHERE author = ? AND state != 'taken'", (user,))
            db.execute("UPDATE tips SET author = NULL, cid = NULL WHERE author = ?", (user,))
            db.execute("UPDATE tips SET by = NULL WHERE by = ?", (user,))

        await self._common.store.transaction(work)
        await self.open()


def _remove(db: Connection, id: int) -> bool:
    sql = "UPDATE tips SET state = 'removed' WHERE id = ? AND state != 'removed'"
    return db.execute(sql, (id,)).rowcount > 0


def script() -> tuple[str, str]:
    """Return the name and the SQL of the tips."""
    return script_of("tips")
