"""The moderation service: every act is a row of the log with its author and reason (platform P-33, P-95)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from importlib.resources import files
from typing import Any, Final, Literal

from msgspec import Struct, json, to_builtins

from qipai.store import Conflict, Connection, LogEntry, Store, StoredEntry, inserted
from qipai.store.writer import rows_of

__all__ = ["STREAM", "TYPES", "Act", "Flag", "Order", "Report", "Ruling", "Shut", "fold", "script"]

STREAM = "moderation"
TYPES = ("moderation.acted", "moderation.address", "moderation.dismissed", "moderation.flagged")
EVERYWHERE: Final = 0  # no room has this number

Kind = Literal["abuse", "cheating", "stalling", "name", "picture", "contact"]
# remove: a line of talk, a text, a picture; level, level_own: the reading level, set or as it follows from activity.
What = Literal["warn", "mute", "ban", "unmute", "unban", "remove", "level", "level_own"]


class Report(Struct, frozen=True):
    """A report by a user, or a flag raised by the hall, and what became of it. facts: what led to a flag.

    room: the room of what is reported; None: the whole hall, or the room is unknown.
    """

    id: int
    at: int
    by: int | None
    kind: str
    user: int | None
    ref: str
    text: str
    state: str
    moderator: int | None
    answer: str | None
    facts: Any = None
    room: int | None = None


class Flag(Struct, frozen=True):
    """What the hall has noticed. key: one flag for each; ref: a game that shows it; facts: with its `why`."""

    key: str
    user: int
    ref: str
    facts: Any


class Ruling(Struct, frozen=True):
    """What was done about somebody, as they are told; appeal: the state of their appeal, None: they have made none."""

    id: int
    at: int
    what: str
    reason: str
    until: int | None
    appeal: str | None
    answer: str | None
    room: int | None = None  # where it was done; a mute counts only there


class Shut(Struct, frozen=True):
    """An address that is shut: nobody may come in from it. by, at: who shut it and when, seconds."""

    address: str
    until: int
    reason: str
    by: int
    at: int


class Act(Struct, frozen=True):
    """Something a moderator or an administrator has done; a line of the audit."""

    id: int
    at: int
    actor: int | None
    stream: str
    type: str
    data: Any


class Order:
    """Who may talk and who may come in."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._until: dict[tuple[int, str, int], int] = {}
        self._shut: dict[str, int] = {}  # until when, by address
        # Called with each act, in its transaction: whom it is about, what is done, when (seconds).
        self.acted: Callable[[Connection, int, Mapping[str, Any], int], None] = lambda *_: None

    async def open(self) -> None:
        """Read what is in force."""
        sql = "SELECT user, kind, room, until FROM sanctions"
        rows = await self._store.read(lambda db: db.execute(sql).fetchall())
        self._until = {(user, kind, room): until for user, kind, room, until in rows}
        sql = "SELECT address, until FROM shut_addresses"
        self._shut = dict(await self._store.read(lambda db: db.execute(sql).fetchall()))

    def until(self, user: int, kind: Literal["mute", "ban"], now: int, room: int = EVERYWHERE) -> int | None:
        """Return until when somebody is muted or banned, seconds; None: they are not. room: in this one alone."""
        found = self._until.get((user, kind, room))
        return found if found is not None and found > now else None

    # Addresses ------------------------------------------------------------------------------------------------------

    def shut_until(self, address: str | None, now: int) -> int | None:
        """Return until when nobody may come in from an address, seconds; None: everybody may."""
        found = None if address is None else self._shut.get(address)
        return found if found is not None and found > now else None

    async def shut(
        self, addresses: Iterable[str], reason: str, *, by: int, now: int, seconds: int | None, user: int | None = None
    ) -> int | None:
        """Shut some addresses, or open them again if seconds is None; return until when. now: ms.

        user: the person because of whom this is done.
        """
        until = None if seconds is None else now // 1000 + seconds
        rows = [{"address": one, "user": user, "reason": reason, "until": until} for one in addresses]

        def projections(db: Connection) -> None:
            for data in rows:
                fold(db, "moderation.address", data, by, now // 1000)

        await self._store.append(
            [LogEntry(STREAM, None, "moderation.address", data, None, by) for data in rows], now, projections
        )
        await self.open()
        return until

    async def shut_addresses(self, now: int) -> list[Shut]:
        """Return the addresses from which nobody may come in, the last first."""
        sql = "SELECT address, until, reason, by, at FROM shut_addresses WHERE until > ? ORDER BY at DESC, address"
        return [Shut(*row) for row in await self._store.read(lambda db: db.execute(sql, (now,)).fetchall())]

    async def author(self, ruling: int) -> int | None:
        """Return who has made a ruling."""
        rows = await self._store.read(lambda db: rows_of(db, "id = ? AND stream = ?", (ruling, STREAM)))
        return rows[0].actor if rows else None

    # Acts -----------------------------------------------------------------------------------------------------------

    async def act(
        self,
        user: int,
        what: What,
        reason: str,
        *,
        by: int,
        now: int,
        seconds: int | None = None,
        report: int | None = None,
        cid: str | None = None,
        ref: str | None = None,
        room: int | None = None,
        too: Callable[[Connection], bool] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> int | None:
        """Do something about somebody; return until when it counts, in seconds. now: ms.

        ref: what they are ruled about; room: where that was, and of a mute, where alone it counts. too: what is written
        with it; where that finds nothing to do, LookupError is raised and nothing is written. more: what else is told
        of it.
        """
        until = None if seconds is None else now // 1000 + seconds
        data: dict[str, Any] = {"user": user, "what": what, "reason": reason, "until": until, "report": report}
        data |= more or {}
        if ref is not None:
            data["ref"] = ref
        if room is not None:
            data["room"] = room
        if report is not None and (key := await self._key(report)) is not None:
            data["key"] = key

        def projections(db: Connection) -> None:
            if too is not None and not too(db):
                raise LookupError(ref)
            fold(db, "moderation.acted", data, by, now // 1000)
            self.acted(db, user, data, now // 1000)

        with suppress(Conflict):  # a cid that was carried out before
            await self._store.append(
                [LogEntry(STREAM, None, "moderation.acted", data, None, by, cid)], now, projections
            )
        await self.open()
        return until

    async def note(
        self, type: str, data: Mapping[str, Any], *, by: int, now: int, too: Callable[[Connection], None]
    ) -> None:
        """Write into the audit what a moderator does that rules nobody, with what it changes. now: ms.

        It is changed in ordinary rows: what stands here says what was done, and is not folded.
        """
        await self._store.append([LogEntry(STREAM, None, type, data, None, by)], now, too)

    # Reports --------------------------------------------------------------------------------------------------------

    async def report(
        self, by: int | None, kind: Kind, user: int | None, ref: str, text: str, now: int, room: int | None = None
    ) -> int:
        """Put a report into the queue and return its number; now: seconds."""
        row = (now, by, kind, user, ref, text, room)
        sql = "INSERT INTO reports (at, by, kind, user, ref, text, room) VALUES (?, ?, ?, ?, ?, ?, ?)"
        return await self._store.transaction(lambda db: inserted(db, sql, row))

    async def flag(self, flag: Flag, now: int) -> bool:
        """Put what the hall has noticed into the queue, once; tell whether it is new. now: ms."""
        if await self._store.read(lambda db: _known(db, flag.key)):
            return False
        data = to_builtins(flag)

        def projections(db: Connection) -> None:
            if not fold(db, "moderation.flagged", data, None, now // 1000):
                raise _Known

        try:
            await self._store.append([LogEntry(STREAM, None, "moderation.flagged", data)], now, projections)
        except _Known:
            return False
        return True

    async def reports(self, state: str, after: int, most: int, rooms: Iterable[int] | None = None) -> list[Report]:
        """Return reports of a state, oldest first; rooms: of these alone."""
        only = "" if rooms is None else f" AND room IN ({','.join(map(str, rooms))})"
        where = f"state = ? AND id > ?{only} ORDER BY id LIMIT ?"
        return await self._store.read(lambda db: _reports(db, where, (state, after, most)))

    async def of(self, id: int) -> Report | None:
        """Return a report."""
        found = await self._store.read(lambda db: _reports(db, "id = ?", (id,)))
        return found[0] if found else None

    async def about(self, user: int, most: int, room: int | None = None) -> list[Report]:
        """Return what was reported about somebody, newest first; room: only what happened there."""
        where, values = ("user = ?", (user,)) if room is None else ("user = ? AND room = ?", (user, room))
        return await self._store.read(lambda db: _reports(db, f"{where} ORDER BY id DESC LIMIT ?", (*values, most)))

    async def dismiss(
        self, report: int, by: int, answer: str, now: int, too: Callable[[Connection], object] | None = None
    ) -> bool:
        """Close a report without doing anything else; tell whether it was open. now: ms. too: written with it."""
        key = await self._key(report)
        data = {"report": report, "reason": answer, "key": key}

        def projections(db: Connection) -> None:
            if not fold(db, "moderation.dismissed", data, by, now // 1000):
                raise _Known
            if too is not None:
                too(db)

        try:
            await self._store.append([LogEntry(STREAM, None, "moderation.dismissed", data, None, by)], now, projections)
        except _Known:
            return False
        return True

    async def _key(self, report: int) -> str | None:
        row = await self._store.read(
            lambda db: db.execute("SELECT key FROM reports WHERE id = ?", (report,)).fetchone()
        )
        return None if row is None else row[0]

    # What somebody is told, and may answer --------------------------------------------------------------------------

    async def rulings(self, user: int, before: int | None, most: int, room: int | None = None) -> list[Ruling]:
        """Return what was done about somebody, newest first; room: only what was done there."""
        only = "" if room is None else f" AND CAST(json_extract(e.data, '$.room') AS INTEGER) = {room:d}"
        sql = (
            "SELECT e.id, e.at, json_extract(e.data, '$.what'), json_extract(e.data, '$.reason'),"
            " CAST(json_extract(e.data, '$.until') AS INTEGER), r.state, r.answer,"
            " CAST(json_extract(e.data, '$.room') AS INTEGER)"
            " FROM events e LEFT JOIN reports r ON r.key = 'appeal:' || e.id"
            " WHERE e.stream = ? AND e.type = 'moderation.acted' "
            " AND CAST(json_extract(e.data, '$.user') AS INTEGER) = ? AND e.id < ?"
            f"{only} ORDER BY e.id DESC LIMIT ?"
        )
        values = (STREAM, user, 2**62 if before is None else before, most)
        return [Ruling(*row) for row in await self._store.read(lambda db: db.execute(sql, values).fetchall())]

    async def appeal(self, user: int, ruling: int, text: str, now: int) -> int | None:
        """Put an appeal into the queue and return its number; None: there was one before. now: seconds.

        Raises LookupError when nothing of this number was done about this user.
        """
        if not any(each.id == ruling for each in await self.rulings(user, ruling + 1, 1)):
            raise LookupError(ruling)
        sql = "INSERT INTO reports (at, by, kind, user, ref, text, key) VALUES (?, ?, 'appeal', ?, ?, ?, ?)"
        row = (now, user, user, f"ruling:{ruling}", text, f"appeal:{ruling}")
        try:
            return await self._store.transaction(lambda db: inserted(db, sql, row))
        except Conflict:
            return None

    async def reports_by(self, user: int) -> list[Report]:
        """Return all that somebody has reported, oldest first, without who answered."""
        sql = "SELECT id, at, by, kind, user, ref, text, state, NULL, answer FROM reports WHERE by = ? ORDER BY id"
        rows = await self._store.read(lambda db: db.execute(sql, (user,)).fetchall())
        return [Report(*row) for row in rows]

    async def erase(self, user: int) -> None:
        """Erase what somebody has written to the moderators; what they have reported stays in the queue (P-96)."""

        def work(db: Connection) -> None:
            # An appeal, or a letter to the hall, asks for nothing without its words.
            alone = "kind = 'appeal' OR (kind = 'contact' AND user IS NULL AND ref = '')"
            db.execute(f"DELETE FROM reports WHERE by = ? AND state = 'open' AND ({alone})", (user,))
            db.execute("UPDATE reports SET by = NULL, text = '' WHERE by = ?", (user,))

        await self._store.transaction(work)

    async def audit(self, before: int | None, most: int) -> list[Act]:
        """Return what moderators, administrators and the hall's owner have done, newest first (section 11)."""
        older = 2**62 if before is None else before
        # By streams, which an index finds: the log of a hall is long, and this is asked for while it plays.
        where = (
            "id IN (SELECT id FROM events WHERE stream IN ('moderation', 'config', 'codes', 'roles', 'resets')"
            " AND type != 'moderation.flagged' AND id < ?1"
            " UNION SELECT id FROM events WHERE stream > 'wallet:' AND stream < 'wallet;' AND id < ?1"
            " AND type = 'wallet.granted' AND json_extract(data, '$.reason') = 'grant')"
            " ORDER BY id DESC LIMIT ?2"
        )
        rows = await self._store.read(lambda db: rows_of(db, where, (older, most)))
        return [Act(row.id, row.at, row.actor, row.stream, row.type, _shown(row)) for row in rows]


class _Known(Exception):
    """It was done before; nothing is written."""


def _known(db: Connection, key: str) -> bool:
    return db.execute("SELECT 1 FROM reports WHERE key = ?", (key,)).fetchone() is not None


def _reports(db: Connection, where: str, values: tuple[Any, ...]) -> list[Report]:
    sql = f"SELECT {', '.join(Report.__struct_fields__)} FROM reports WHERE "
    found = []
    for row in db.execute(sql + where, values):
        known: dict[str, Any] = dict(zip(Report.__struct_fields__, row, strict=True))
        facts = known["facts"]
        found.append(Report(**known | {"facts": None if facts is None else json.decode(facts)}))
    return found


def _shown(row: StoredEntry) -> Any:
    return {key: value for key, value in row.data.items() if key not in ("whole", "key")}


def fold(db: Connection, type: str, data: Mapping[str, Any], by: int | None, at: int) -> bool:
    """Write the effect of an act; tell whether it changed what it was meant to change."""
    match type:
        case "moderation.flagged":
            sql = (
                "INSERT INTO reports (at, by, kind, user, ref, text, key, facts)"
                " VALUES (?, NULL, 'flag', ?, ?, '', ?, ?) ON CONFLICT DO NOTHING"
            )
            row = (at, data["user"], data["ref"], data["key"], json.encode(data["facts"]).decode())
            return db.execute(sql, row).rowcount == 1
        case "moderation.address":
            if data["until"] is None:
                return db.execute("DELETE FROM shut_addresses WHERE address = ?", (data["address"],)).rowcount == 1
            sql = (
                "INSERT INTO shut_addresses (address, until, reason, by, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT"
                " (address) DO UPDATE SET until = excluded.until, reason = excluded.reason, by = excluded.by,"
                " at = excluded.at"
            )
            db.execute(sql, (data["address"], data["until"], data["reason"], by, at))
            return True
        case "moderation.dismissed":
            return _answered(db, data, "dismissed", by)
    user, what, room = data["user"], data["what"], data.get("room", EVERYWHERE)
    if what in ("mute", "ban"):
        db.execute(
            "INSERT INTO sanctions (user, kind, room, until, reason) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (user, kind, room) DO UPDATE SET until = excluded.until, reason = excluded.reason",
            (user, what, room, data["until"], data["reason"]),
        )
    elif what in ("unmute", "unban"):
        kind = what.removeprefix("un")
        db.execute("DELETE FROM sanctions WHERE user = ? AND kind = ? AND room = ?", (user, kind, room))
    if data.get("report") is not None:
        _answered(db, data, "done", by)
    return True


def _answered(db: Connection, data: Mapping[str, Any], state: str, by: int | None) -> bool:
    """Write what became of a report. One with a key is found by the key, as its number may change in a rebuild."""
    column, value = ("id", data["report"]) if data.get("key") is None else ("key", data["key"])
    only = " AND state = 'open'" if state == "dismissed" else ""
    sql = f"UPDATE reports SET state = ?, moderator = ?, answer = ? WHERE {column} = ?{only}"
    return db.execute(sql, (state, by, data["reason"], value)).rowcount == 1


def rebuild(db: Connection, rows: Iterable[StoredEntry]) -> None:
    """Write sanctions, shut addresses and the hall's flags anew from the log; people's own reports stay."""
    db.execute("DELETE FROM sanctions")
    db.execute("DELETE FROM shut_addresses")
    db.execute("UPDATE reports SET state = 'open', moderator = NULL, answer = NULL")
    for row in rows:
        fold(db, row.type, row.data, row.actor, row.at)


def script() -> tuple[str, str]:
    """Return the name and the SQL of the tables of moderation."""
    return "moderation", files("qipai.moderation").joinpath("tables.sql").read_text("utf-8")
