"""The mailbox of everybody: sending, reading, deleting on one's own side (platform P-9).

A mail is one row for both; each side has a row of the thread with its newest mail and how much is unread, so that no
page counts mails. A new mail leaves one notice for its thread, however many have come since it was last read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import Struct, json

from qipai.accounts.model import User, Window
from qipai.community.common import Common, Kept
from qipai.community.contract import Piece, Reported
from qipai.community.notices import service as notices
from qipai.community.script import script_of
from qipai.config import Mailbox
from qipai.hall.table.errors import HallError
from qipai.store import Connection, inserted

__all__ = ["HALL", "Mail", "MailService", "Side", "Thread", "put_from_hall", "script", "write"]

HALL: Final = 0  # who writes where the hall itself does
MAILS: Final = Kept("mails")
HOUR: Final = 3600
DAY: Final = 86400
COLUMNS: Final = "m.id, m.author, m.at, m.text, m.kind, m.facts, m.path, m.removed"
ONE: Final = f"SELECT {COLUMNS} FROM mails m WHERE id = ?"


class Mail(Struct, frozen=True):
    """A mail. author: 0 is the hall, whose words are kind, facts and path, as in a notice. at: seconds."""

    id: int
    author: int
    at: int
    text: str
    kind: str | None = None
    facts: Any = None
    path: str | None = None
    removed: bool = False


class Thread(Struct, frozen=True):
    """A thread in somebody's list, with its newest mail."""

    other: int
    unread: int
    last: Mail


class Side(Struct, frozen=True):
    """What one side of a thread is like. seen: the newest mail that they have read."""

    seen: int = 0
    wrote: bool = False


class MailService:
    """The mails of a hall."""

    def __init__(self, common: Common, numbers: Mailbox) -> None:
        self._common, self._store, self._numbers = common, common.store, numbers
        self._unread: dict[int, int] = {}
        self._sent = Window(numbers.per_hour, HOUR)
        self._sent_young = Window(numbers.young_per_hour, HOUR)
        common.notices.before_telling.append(self.recount)

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return mails as what can be reported by whom they were written to, and removed."""
        return {"mail": Piece(find=_find, seen=_seen, remove=_remove)}

    async def open(self) -> None:
        """Count what is unread."""
        sql = "SELECT user, sum(unread) FROM mail_threads WHERE unread > 0 GROUP BY user"
        self._unread = dict(await self._store.read(lambda db: db.execute(sql).fetchall()))

    def unread(self, user: int) -> int:
        """Return how many mails somebody has not read."""
        return self._unread.get(user, 0)

    async def recount(self, users: Iterable[int]) -> None:
        """Count anew what some people have not read."""
        sql = "SELECT coalesce(sum(unread), 0) FROM mail_threads WHERE user = ? AND unread > 0"
        ids = list(users)
        counts = await self._store.read(lambda db: [int(db.execute(sql, (id,)).fetchone()[0]) for id in ids])
        self._unread.update(zip(ids, counts, strict=True))

    # Reading --------------------------------------------------------------------------------------------------------

    async def threads(self, user: int, before: int | None, most: int) -> list[Thread]:
        """Return the threads of somebody, the one with the newest mail first; before: the number of such a mail."""
        sql = (
            f"SELECT t.other, t.unread, {COLUMNS} FROM mail_threads t JOIN mails m ON m.id = t.last"
            " WHERE t.user = ? AND t.last < ? ORDER BY t.last DESC LIMIT ?"
        )
        values = (user, 2**62 if before is None else before, most)
        rows = await self._store.read(lambda db: db.execute(sql, values).fetchall())
        return [Thread(other, unread, _mail(mail)) for other, unread, *mail in rows]

    async def mails(self, user: int, other: int, before: int | None, most: int) -> list[Mail]:
        """Return the mails between two as one of them has them, newest first; before: only older than this number."""
        until = 2**62 if before is None else before
        return await self._store.read(lambda db: _page(db, user, other, until, most))

    async def side(self, user: int, other: int) -> Side:
        """Return what one side of a thread is like."""
        sql = "SELECT seen, wrote FROM mail_threads WHERE user = ? AND other = ?"
        row = await self._store.read(lambda db: db.execute(sql, (user, other)).fetchone())
        return Side() if row is None else Side(row[0], bool(row[1]))

    async def read(self, user: int, other: int, until: int) -> None:
        """Mark the mails of a thread up to this one as read, and the notice of it, if that is all."""
        key = _key(other)

        def work(db: Connection) -> None:
            sql = "SELECT last, seen FROM mail_threads WHERE user = ? AND other = ?"
            row = db.execute(sql, (user, other)).fetchone()
            if row is None or row[0] is None:
                return
            seen, one, two = max(row[1], min(until, row[0])), min(user, other), max(user, other)
            # The newest one that has been read is behind the last: only what is between them is counted.
            sql = "SELECT count(*) FROM mails WHERE one = ? AND two = ? AND id > ? AND author != ? AND gone != ?"
            unread = db.execute(sql, (one, two, seen, user, _bit(user, other))).fetchone()[0]
            sql = "UPDATE mail_threads SET unread = ?, seen = ? WHERE user = ? AND other = ?"
            db.execute(sql, (unread, seen, user, other))
            if not unread:
                db.execute("UPDATE notices SET read = 1 WHERE user = ? AND key = ? AND read = 0", (user, key))

        await self._store.transaction(work)
        await self.recount([user])

    # Writing --------------------------------------------------------------------------------------------------------

    async def closed(self, user: User, other: User) -> str | None:
        """Return with which code a mail from one to another is refused, None if it is not (P-5, P-11)."""
        if other.deleted:
            return "NOT_FOUND"
        if self._common.ties.apart(user.id, other.id):
            return "BLOCKED"
        level = (await self._common.accounts.settings(other.id)).mailed_by
        if level not in ("friends", "nobody") or (await self.side(other.id, user.id)).wrote:
            return None  # whoever has written may be answered
        if level == "friends" and await self._common.ties.friends(user.id, other.id):
            return None
        return "NOT_ALLOWED"

    async def send(self, user: User, other: User, text: str, cid: str | None) -> Mail:
        """Send a mail and return it. Raises HallError."""
        common, numbers = self._common, self._numbers
        common.may_write(user)
        if other.id == user.id:
            raise HallError("SELF")
        words = common.text(text, numbers.chars)
        if (code := await self.closed(user, other)) is not None:
            raise HallError(code, **({"case": "mail"} if code == "NOT_ALLOWED" else {}))
        now = common.now
        since = ((await common.accounts.dates(user.id)) or (None, 0))[0] or now
        window = self._sent_young if now - since < numbers.young_days * DAY else self._sent
        id = await common.once(MAILS, user.id, cid, lambda db: write(db, user, other.id, words, cid, now), window)
        return _mail(await self._store.read(lambda db: db.execute(ONE, (id,)).fetchone()))

    # Deleting -------------------------------------------------------------------------------------------------------

    async def delete(self, user: int, id: int) -> None:
        """Delete a mail on one's own side. Raises HallError("NOT_FOUND")."""
        if not await self._store.transaction(lambda db: _delete(db, user, id)):
            raise HallError("NOT_FOUND")
        await self.recount([user])

    async def delete_thread(self, user: int, other: int) -> None:
        """Delete all mails of a thread on one's own side."""
        await self._store.transaction(lambda db: _delete_thread(db, user, other))
        await self.recount([user])

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return all mails that somebody has, thread by thread."""
        others = db.execute("SELECT other FROM mail_threads WHERE user = ? ORDER BY other", (user,)).fetchall()
        return {
            "mail.json": {
                "threads": [{"with": other, "mails": _page(db, user, other, 2**62, 2**62)[::-1]} for (other,) in others]
            }
        }

    async def erase(self, user: int) -> None:
        """Erase what somebody has written, and their side of every thread; what others wrote stays with those."""

        def work(db: Connection) -> list[int]:
            sql = "SELECT other FROM mail_threads WHERE user = ?"
            others = [other for (other,) in db.execute(sql, (user,)).fetchall()]
            db.execute("DELETE FROM mails WHERE author = ?", (user,))
            for other in others:
                _delete_thread(db, user, other)
                sql = "UPDATE mails SET gone = ? WHERE one = ? AND two = ?"
                db.execute(sql, (_bit(user, other), min(user, other), max(user, other)))
                _refresh(db, other, user)
            db.execute("DELETE FROM mail_threads WHERE user = ?", (user,))
            return others

        await self.recount(await self._store.transaction(work))
        self._unread.pop(user, None)


def put_from_hall(db: Connection, user: int, kind: str, path: str, facts: Mapping[str, Any], now: int) -> None:
    """Write a mail of the hall to somebody, in the transaction of what it tells of; now: seconds."""
    sql = "INSERT INTO mails (one, two, author, at, text, kind, facts, path, gone) VALUES (0, ?, 0, ?, '', ?, ?, ?, 1)"
    id = inserted(db, sql, (user, now, kind, json.encode(facts).decode(), path))
    _received(db, user, HALL, id)


def _key(other: int) -> str:
    """Return the key of the notice that a thread has."""
    return f"mail:{other}"


def _bit(user: int, other: int) -> int:
    return 1 if user < other else 2


def _since(db: Connection, user: int, other: int) -> int:
    """Return up to which number somebody has deleted the mails of a thread."""
    sql = "SELECT since FROM mail_threads WHERE user = ? AND other = ?"
    row = db.execute(sql, (user, other)).fetchone()
    return 0 if row is None else int(row[0])


def write(db: Connection, user: User, other: int, text: str, cid: str | None, now: int) -> int:
    """Write a mail in a transaction, with its notice, and return its number; now: seconds."""
    one, two = min(user.id, other), max(user.id, other)
    sql = "INSERT INTO mails (one, two, author, at, text, cid) VALUES (?, ?, ?, ?, ?, ?)"
    id = inserted(db, sql, (one, two, user.id, now, text, cid))
    sql = (
        "INSERT INTO mail_threads (user, other, last, seen, wrote) VALUES (?1, ?2, ?3, ?3, 1)"
        " ON CONFLICT (user, other) DO UPDATE SET last = excluded.last, wrote = 1"
    )
    db.execute(sql, (user.id, other, id))
    _received(db, other, user.id, id)
    notices.put(db, other, "mail", f"/mail/{user.id}", {"from": user.name}, now, _key(user.id), renew=True)
    return id


def _received(db: Connection, user: int, other: int, id: int) -> None:
    sql = (
        "INSERT INTO mail_threads (user, other, last, unread) VALUES (?, ?, ?, 1)"
        " ON CONFLICT (user, other) DO UPDATE SET last = excluded.last, unread = mail_threads.unread + 1"
    )
    db.execute(sql, (user, other, id))


def _page(db: Connection, user: int, other: int, until: int, most: int) -> list[Mail]:
    sql = (
        f"SELECT {COLUMNS} FROM mails m WHERE one = ? AND two = ? AND id > ? AND id < ? AND gone != ?"
        " ORDER BY id DESC LIMIT ?"
    )
    values = (min(user, other), max(user, other), _since(db, user, other), until, _bit(user, other), most)
    return [_mail(found) for found in db.execute(sql, values)]


def _delete(db: Connection, user: int, id: int) -> bool:
    row = db.execute("SELECT one, two, gone FROM mails WHERE id = ?", (id,)).fetchone()
    if row is None or user not in row[:2]:
        return False
    other = row[0] if row[1] == user else row[1]
    bit = _bit(user, other)
    if row[2] == bit or id <= _since(db, user, other):
        return False
    if row[2] or id <= _since(db, other, user):
        db.execute("DELETE FROM mails WHERE id = ?", (id,))
    else:
        db.execute("UPDATE mails SET gone = ? WHERE id = ?", (bit, id))
    _refresh(db, user, other)
    return True


def _delete_thread(db: Connection, user: int, other: int) -> None:
    one, two, bit = min(user, other), max(user, other), _bit(user, other)
    row = db.execute("SELECT last FROM mail_threads WHERE user = ? AND other = ?", (user, other)).fetchone()
    if row is None or row[0] is None:
        return
    until = row[0]
    theirs = until if other == HALL else _since(db, other, user)
    # What the other side has deleted too has no reader any more.
    db.execute("DELETE FROM mails WHERE one = ? AND two = ? AND id <= ?", (one, two, min(until, theirs)))
    sql = "DELETE FROM mails WHERE one = ? AND two = ? AND id <= ? AND gone = ?"
    db.execute(sql, (one, two, until, 3 - bit))
    sql = (
        "UPDATE mail_threads SET last = NULL, unread = 0, since = ?3, seen = max(seen, ?3)"
        " WHERE user = ?1 AND other = ?2"
    )
    db.execute(sql, (user, other, until))
    db.execute("UPDATE notices SET read = 1 WHERE user = ? AND key = ? AND read = 0", (user, _key(other)))


def _refresh(db: Connection, user: int, other: int) -> None:
    """Find anew what the newest mail of a side is, and how much of it is unread."""
    last = next(iter(_page(db, user, other, 2**62, 1)), None)
    sql = (
        "UPDATE mail_threads SET last = ?1, unread = (SELECT count(*) FROM mails WHERE one = ?2 AND two = ?3"
        " AND id > max(since, seen) AND author != ?4 AND gone != ?6) WHERE user = ?4 AND other = ?5"
    )
    one, two = min(user, other), max(user, other)
    db.execute(sql, (None if last is None else last.id, one, two, user, other, _bit(user, other)))


def _mail(row: Any) -> Mail:
    id, author, at, text, kind, facts, path, removed = row
    words = "" if removed else text
    return Mail(id, author, at, words, kind, None if facts is None else json.decode(facts), path, bool(removed))


def _find(db: Connection, id: int) -> Reported | None:
    sql = "SELECT author, text, removed FROM mails WHERE id = ? AND author != 0"
    row = db.execute(sql, (id,)).fetchone()
    return None if row is None else Reported(row[0], row[1], removed=bool(row[2]))


def _seen(db: Connection, id: int, user: int) -> Reported | None:
    row = db.execute("SELECT one, two, gone FROM mails WHERE id = ?", (id,)).fetchone()
    if row is None or user not in row[:2]:
        return None
    other = row[0] if row[1] == user else row[1]
    return None if row[2] == _bit(user, other) or id <= _since(db, user, other) else _find(db, id)


def _remove(db: Connection, id: int) -> bool:
    return db.execute("UPDATE mails SET removed = 1 WHERE id = ? AND removed = 0", (id,)).rowcount > 0


def script() -> tuple[str, str]:
    """Return the name and the SQL of the mails."""
    return script_of("mail")
