"""Letters: who is to get one, and what stands in it when its time has come."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final

from msgspec import json

from qipai import lang
from qipai.accounts import books, resets
from qipai.accounts.model import Settings, Window, folded
from qipai.community.common import Common
from qipai.community.contract import Piece
from qipai.community.letters.smtp import Outcome, send
from qipai.community.notices import sentences
from qipai.community.notices.service import Notice
from qipai.community.queue import Queue
from qipai.community.script import script_of
from qipai.config import Config
from qipai.hall.table.errors import HallError
from qipai.store import Connection

__all__ = ["LetterService", "script"]

HOUR: Final = 3600
MOST_WAITING: Final = 100  # letters to who forgot the password
MOST_NEWS: Final = 30  # notices in one letter
RESET_S: Final = HOUR  # after which nobody waits for a link any more
Send = Callable[[str, str, str, str | None], Outcome]


class LetterService:
    """The letters of a hall. send: sends one, in a thread: to whom, subject, text, where it is cancelled."""

    def __init__(self, common: Common, config: Config, folder: Path | None, post: Send | None = None) -> None:
        """folder: of the hall, where the password for the mail server may lie; None: nothing is sent."""
        mail = config.mail
        self._common, self._store, self._mail = common, common.store, mail
        self._reset_hours = config.accounts.reset_hours
        self.ready = bool(mail.server) and folder is not None
        self.send: Send = post or partial(send, mail, folder or Path())
        self._asked = Window(mail.letters, HOUR)  # by what was typed
        self._asked_address = Window(mail.letters_address, HOUR)
        self._sent = Window(mail.letters, HOUR)  # by user and by e-mail address
        self._thread = ThreadPoolExecutor(1, "mail")
        self._waiting = 0
        self.queue = Queue(self._store, common.clock, "letters", self._write, HOUR * mail.try_hours)
        self.stale: Callable[[int, Notice], bool] = lambda *_: False  # whether a notice has no news any more
        common.notices.with_telling.append(self.put)
        common.notices.tell.append(lambda _: self.queue.came())

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return nothing."""
        return {}

    async def open(self) -> None:
        """See what waits to be sent."""
        await self.queue.open()

    def close(self) -> None:
        """Stop sending; what waits is sent after the next start."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    # A forgotten password -------------------------------------------------------------------------------------------

    def ask(self, who: str, address: str | None, clock: float) -> bool:
        """Count that somebody asks for a letter; tell whether it is to be looked whom that names.

        clock: seconds that never go back. Raises HallError("RATE_LIMIT") for known and unknown names in the same way.
        """
        windows = [(self._asked, folded(who)), *([(self._asked_address, address)] if address is not None else [])]
        for window, key in windows:
            if wait := window.wait(key, clock):
                raise HallError("RATE_LIMIT", wait_ms=round(1000 * wait))
        for window, key in windows:
            window.add(key, clock)
        return self._waiting < MOST_WAITING

    async def find(self, who: str, tongue: str, clock: float) -> None:
        """Write to whoever has this name or e-mail address; nobody is told whether anybody has."""
        self._waiting += 1
        try:
            found = []
            for user, _name, email in await self._common.accounts.reachable(who):
                keys = (user, email.casefold())
                if any(self._sent.wait(key, clock) for key in keys):
                    continue
                for key in keys:
                    self._sent.add(key, clock)
                found.append(user)
            now = self._common.now
            sql = (
                "INSERT INTO letters (user, kind, lang, at, next_at) VALUES (?, 'reset', ?, ?, ?)"
                " ON CONFLICT (user, kind)"
                " DO UPDATE SET lang = excluded.lang, at = excluded.at, tries = 0, next_at = excluded.next_at"
            )
            rows = [(user, tongue, now, now) for user in found]
            await self._store.transaction(lambda db: db.executemany(sql, rows).rowcount)
            self.queue.came()
        finally:
            self._waiting -= 1
        await self.queue.run()

    # News -----------------------------------------------------------------------------------------------------------

    def put(self, db: Connection, notice: Notice) -> None:
        """Have a letter written about a notice, in the transaction that marks it as told; one letter tells of all."""
        if not self.ready or notice.user <= 0 or not self._wants(json.decode(books.settings(db, notice.user)), notice):
            return
        if books.email(db, notice.user) is None:
            return
        now, mail = self._common.now, self._mail
        sql = "SELECT sent_at FROM letter_readers WHERE user = ?"
        row = db.execute(sql, (notice.user,)).fetchone()
        due = max(now + 60 * mail.news_minutes, (0 if row is None else row[0]) + HOUR * mail.news_hours)
        sql = "INSERT INTO letters (user, kind, lang, at, next_at) VALUES (?, 'news', ?, ?, ?) ON CONFLICT DO NOTHING"
        db.execute(sql, (notice.user, lang.DEFAULT, due, due))

    @staticmethod
    def _wants(settings: Mapping[str, Any], notice: Notice) -> bool:
        return sentences.group(notice.kind) in settings.get("letters", ())

    async def stop(self, token: str) -> None:
        """Send no more news to whom a link was sent. Raises HallError("NOT_FOUND")."""
        sql = "SELECT user FROM letter_readers WHERE token = ?"
        row = await self._store.read(lambda db: db.execute(sql, (token,)).fetchone())
        if row is None:
            raise HallError("NOT_FOUND")
        await self._common.accounts.change_settings(row[0], Settings(letters=()))

    # Writing --------------------------------------------------------------------------------------------------------

    async def _write(self, id: int) -> int | None:
        """Write and send a letter; see Queue."""
        sql = "SELECT user, kind, lang, at FROM letters WHERE id = ?"
        row = await self._store.read(lambda db: db.execute(sql, (id,)).fetchone())
        if row is None or not self.ready:
            return None
        user, kind, tongue, at = row
        accounts = self._common.accounts
        who, to = await accounts.find(user), await accounts.email(user)
        if who is None or who.deleted or to is None:
            return None
        own = (await accounts.settings(user)).lang
        spoken = own if isinstance(own, str) else tongue
        if kind == "reset":
            if at + RESET_S < self._common.now:
                return None
            secret = await accounts.resets.make_letter(user, self._common.clock.now())
            facts = {
                "name": who.name,
                "link": self._mail.hall + resets.path(secret),
                "hours": str(self._reset_hours),
            }
            outcome = await self._post(to, spoken, "mail.subject", "mail.reset", facts, None)
        else:
            outcome = await self._news(user, who.name, to, spoken)
        return None if outcome in ("sent", "never") else 0

    async def _news(self, user: int, name: str, to: str, spoken: str) -> Outcome:
        sql = "SELECT token, told FROM letter_readers WHERE user = ?"
        row = await self._store.read(lambda db: db.execute(sql, (user,)).fetchone())
        token, told = (secrets.token_urlsafe(24), 0) if row is None else row
        settings = json.decode(await self._store.read(lambda db: books.settings(db, user)))
        found = await self._common.notices.of(user, None, MOST_NEWS)
        news = [
            one
            for one in found
            if not one.read and one.id > told and self._wants(settings, one) and not self.stale(user, one)
        ]
        if not news:
            return "never"  # it has been read meanwhile
        hall = self._mail.hall
        lines = [f"· {sentences.said(one.kind, one.facts, spoken)}\n  {hall}{one.path}" for one in news]
        stop = f"{hall}/stop#{token}"
        facts = {"name": name, "list": "\n".join(lines), "link": f"{hall}/news", "stop": stop, "n": len(news)}
        now, newest = self._common.now, news[0].id
        await self._store.transaction(
            lambda db: (
                db.execute(
                    "INSERT INTO letter_readers (user, token) VALUES (?, ?) ON CONFLICT DO NOTHING", (user, token)
                ).rowcount
            )
        )
        outcome = await self._post(to, spoken, "mail.news_subject", "mail.news", facts, stop)
        if outcome == "sent":
            sql = "UPDATE letter_readers SET told = ?, sent_at = ? WHERE user = ?"
            await self._store.transaction(lambda db: db.execute(sql, (newest, now, user)).rowcount)
        return outcome

    async def _post(
        self, to: str, spoken: str, subject: str, text: str, facts: Mapping[str, Any], stop: str | None
    ) -> Outcome:
        words = lang.hall(spoken)
        filled = lang.fill(words[text], facts, lang=spoken)
        work = partial(self.send, to, lang.fill(words[subject], facts, lang=spoken), filled, stop)
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return nothing: what was sent lies in their own mailbox, and which news they want in their settings."""
        return {}

    async def erase(self, user: int) -> None:
        """Erase what waits for somebody."""

        def work(db: Connection) -> None:
            for table in ("letters", "letter_readers"):
                db.execute(f"DELETE FROM {table} WHERE user = ?", (user,))

        await self._store.transaction(work)


def script() -> tuple[str, str]:
    """Return the name and the SQL of the letters."""
    return script_of("letters")
