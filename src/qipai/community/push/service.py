"""Push: which devices want to be told, what is on its way to them, and what becomes of it (platform P-5, P-76)."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, json

from qipai import lang
from qipai.accounts import books
from qipai.accounts.model import Settings, Window
from qipai.community.common import Common
from qipai.community.contract import Piece
from qipai.community.notices import sentences
from qipai.community.notices.service import Notice, naming
from qipai.community.push import crypto
from qipai.community.push.post import Answer, place_of, post
from qipai.community.queue import Queue
from qipai.community.script import script_of
from qipai.config import Config
from qipai.hall.table.errors import HallError
from qipai.store import Connection

__all__ = ["Device", "PushService", "origin", "script"]

log = logging.getLogger("qipai.push")

HOUR: Final = 3600
WORKERS: Final = 4
CHARS: Final = 300  # of a sentence; a message may have 4096 bytes
Post = Callable[[str, Mapping[str, str], bytes], Answer]


class Device(Struct, frozen=True):
    """A device that somebody wants to be told on. login: of whose it is."""

    id: int
    name: str
    made_at: int
    login: bytes


def origin(config: Config) -> str | None:
    """Return the address of this hall from which it may push, None without https."""
    found = config.push.hall or config.mail.hall
    return found if found.startswith("https://") and config.push.devices else None


class PushService:
    """The devices of everybody, and what is sent to them. post: sends one message, in a thread."""

    def __init__(self, common: Common, config: Config, folder: Path | None, post: Post = post) -> None:
        """folder: of the hall, where its key lies; None: nothing is pushed."""
        self._common, self._store, self._numbers, self.post = common, common.store, config.push, post
        self._hall, self._folder = origin(config), folder
        self._key: crypto.HallKey | None = None
        self._sent = Window(self._numbers.per_hour, HOUR)
        self._threads = ThreadPoolExecutor(WORKERS, "push")
        self.queue = Queue(self._store, common.clock, "push_queue", self._send, HOUR * self._numbers.try_hours)
        common.notices.with_telling.append(self.put)
        common.notices.tell.append(lambda _: self.queue.came())

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return nothing."""
        return {}

    @property
    def key(self) -> str | None:
        """Return the hall's public key, None where nothing is pushed."""
        return None if self._key is None else self._key.public

    async def open(self) -> None:
        """Load the hall's key, made where there is none, and see what waits to be sent."""
        if self._hall is not None and self._folder is not None and crypto.ready():
            self._key = await asyncio.to_thread(crypto.HallKey, self._folder)
        await self.queue.open()

    def close(self) -> None:
        """Stop sending; what waits is sent after the next start."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    # Devices --------------------------------------------------------------------------------------------------------

    async def devices(self, user: int) -> list[Device]:
        """Return the devices of somebody, the newest first."""
        sql = "SELECT id, name, made_at, login FROM push_devices WHERE user = ? ORDER BY id DESC"
        return [Device(*row) for row in await self._store.read(lambda db: db.execute(sql, (user,)).fetchall())]

    async def add(
        self, user: int, login: bytes, endpoint: str, public: str, secret: str, *, name: str, tongue: str
    ) -> None:
        """Add a device, in the place of the oldest where there are too many. Raises HallError."""
        if self._key is None:
            raise HallError("NOT_FOUND", case="push")
        if place_of(endpoint) is None:
            raise HallError("BAD_MESSAGE", field="endpoint")
        try:
            keys = crypto.decoded(public), crypto.decoded(secret)
        except ValueError:
            keys = b"", b""
        if not crypto.is_key(*keys):
            raise HallError("BAD_MESSAGE", field="public")
        row = (user, login, endpoint, *keys, tongue, name, self._common.now)
        most = self._numbers.devices

        def work(db: Connection) -> None:
            _drop(db, "endpoint = ? OR (user = ? AND login = ?)", (endpoint, user, login))
            sql = "INSERT INTO push_devices (user, login, endpoint, public, secret, lang, name, made_at)"
            db.execute(f"{sql} VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            keep = "SELECT id FROM push_devices WHERE user = ? ORDER BY id DESC LIMIT ?"
            _drop(db, f"user = ? AND id NOT IN ({keep})", (user, user, most))

        await self._store.transaction(work)

    async def remove(self, user: int, id: int) -> None:
        """Remove a device of somebody. Raises HallError("NOT_FOUND")."""
        if not await self._store.transaction(lambda db: _drop(db, "user = ? AND id = ?", (user, id))):
            raise HallError("NOT_FOUND")

    # Messages -------------------------------------------------------------------------------------------------------

    def put(self, db: Connection, notice: Notice) -> None:
        """Put a notice into the queue of each device, in the transaction that marks it as told."""
        if self._key is None:
            return
        rows = db.execute("SELECT id FROM push_devices WHERE user = ?", (notice.user,)).fetchall()
        if not rows:
            return
        wanted = json.decode(books.settings(db, notice.user)).get("push", sentences.ALL)
        if sentences.group(notice.kind) not in wanted:
            return
        facts = json.encode(notice.facts).decode()
        now = self._common.now
        sql = "INSERT INTO push_queue (device, kind, path, facts, topic, at, next_at)"
        topic = f"{notice.kind} {notice.path}"
        db.executemany(
            f"{sql} VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (device, topic) DO UPDATE SET kind = excluded.kind,"
            " path = excluded.path, facts = excluded.facts, at = excluded.at, tries = 0, next_at = excluded.next_at",
            [(id, notice.kind, notice.path, facts, topic, now, now) for (id,) in rows],
        )

    async def _send(self, id: int) -> int | None:
        """Send a message; see Queue."""
        sql = (
            "SELECT q.kind, q.path, q.facts, q.topic, d.id, d.user, d.login, d.endpoint, d.public, d.secret, d.lang"
            " FROM push_queue q JOIN push_devices d ON d.id = q.device WHERE q.id = ?"
        )
        row = await self._store.read(lambda db: db.execute(sql, (id,)).fetchone())
        if row is None or self._key is None or self._hall is None:
            return None
        kind, path, facts, topic, device, user, login, endpoint, public, secret, spoken = row
        now = self._common.now
        if not await self._common.accounts.in_force(login, now):
            await self._store.transaction(lambda db: _drop(db, "id = ?", (device,)))
            return None
        if self._sent.wait(user, self._common.clock.now() / 1000):
            return None  # more than anybody can read
        self._sent.add(user, self._common.clock.now() / 1000)
        settings: Settings = await self._common.accounts.settings(user)
        tongue = settings.lang if isinstance(settings.lang, str) else spoken
        body = sentences.said(kind, json.decode(facts), tongue)[:CHARS]
        message = {
            "title": lang.hall(tongue)["ui.house"], "body": body, "lang": tongue, "path": path, "topic": topic
        }  # fmt: skip
        headers = {
            "authorization": self._key.signature(endpoint, self._hall, now),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(HOUR * self._numbers.try_hours),
            "topic": hashlib.sha256(topic.encode()).hexdigest()[:32],
            "urgency": "normal",
        }

        def work() -> Answer:
            return self.post(endpoint, headers, crypto.encrypted(json.encode(message), public, secret))

        answer = await asyncio.get_running_loop().run_in_executor(self._threads, work)
        if answer.status in (403, 404, 410):  # the browser does not want it any more, or knows the hall by another key
            await self._store.transaction(lambda db: _drop(db, "id = ?", (device,)))
        elif answer.status in (0, 408, 429) or answer.status >= 500:
            self._sent.back(user)
            return answer.wait
        elif answer.status >= 300:
            log.warning("a push service refuses a message: %d", answer.status)
        return None

    async def unname(self, name: str) -> None:
        """Take out of the queue what names somebody who deletes their account (P-96)."""
        await self._store.transaction(
            lambda db: db.executemany("DELETE FROM push_queue WHERE id = ?", naming(db, "push_queue", name)).rowcount
        )

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return the devices of a user."""
        sql = "SELECT id, name, lang, made_at, endpoint FROM push_devices WHERE user = ? ORDER BY id"
        names = ("id", "name", "lang", "made_at", "endpoint")
        return {"devices.json": {"rows": [dict(zip(names, row, strict=True)) for row in db.execute(sql, (user,))]}}

    async def erase(self, user: int) -> None:
        """Erase the devices of somebody, and what is on its way to them."""
        await self._store.transaction(lambda db: _drop(db, "user = ?", (user,)))


def _drop(db: Connection, where: str, values: tuple[Any, ...]) -> bool:
    """Delete devices and what waits for them; tell whether there were any."""
    db.execute(f"DELETE FROM push_queue WHERE device IN (SELECT id FROM push_devices WHERE {where})", values)
    return db.execute(f"DELETE FROM push_devices WHERE {where}", values).rowcount > 0


def script() -> tuple[str, str]:
    """Return the name and the SQL of the devices."""
    return script_of("push")
