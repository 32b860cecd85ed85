"""Invitations and quick pairing: how people find opponents (platform P-65, P-66)."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from qipai.accounts.model import User
from qipai.config import Pairing
from qipai.core.contract import Seat
from qipai.hall.live.correspondence import Correspondence
from qipai.hall.live.ports import Accounts
from qipai.hall.live.runner import TableRunner
from qipai.hall.live.timers import Clock
from qipai.hall.rooms.eligibility import Eligibility
from qipai.hall.rooms.invitable import Invite, refused
from qipai.hall.rooms.matchmaking import Reach, Waiting, matched
from qipai.hall.rooms.notes import Notes
from qipai.hall.rooms.people import People
from qipai.hall.rooms.table_creation import Asked, TableCreation
from qipai.hall.table.clock import by_days
from qipai.hall.table.errors import HallError
from qipai.social.ties import Ties
from qipai.store import Conflict, Connection, LogEntry, Store

__all__ = ["Asked", "Invitation", "Invitations", "fold", "letters_of"]

Json = Any
NOTE: Final = "(SELECT text FROM invite_notes WHERE invite = invites.id)"
SELECT: Final = f"SELECT id, owner, state, made_at, until, data, tbl, seq, {NOTE} FROM invites"
State = Literal["open", "taken", "declined", "withdrawn"]
Kind = tuple[str, str | None, int | None]  # game, variant, days a move


class Invitation(Struct, frozen=True):
    """An open or past invitation. seq: of its last event. table: where those sit who have accepted so far."""

    id: int
    owner: int
    state: State
    made_at: int
    until: int
    asked: Asked
    table: int | None = None
    seq: int = 1

    def personal(self, user: int) -> bool:
        """Tell whether it was sent to this user, alone or as one of a group."""
        return self.asked.to == user or (self.asked.among is not None and user in self.asked.among)


class Invitations:
    """The invitations of a hall, and quick pairing."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        clock: Clock,
        runner: TableRunner,
        correspondence: Correspondence,
        people: People,
        creation: TableCreation,
        notes: Notes,
        ties: Ties,
        eligibility: Eligibility,
        numbers: Pairing,
    ) -> None:
        self._store, self._accounts, self._clock, self._runner = store, accounts, clock, runner
        self._correspondence, self._people, self._creation, self._notes = correspondence, people, creation, notes
        self._ties, self._eligibility, self._numbers = ties, eligibility, numbers
        self._reach = Reach(numbers.range, numbers.widen, 1000 * numbers.widen_s)
        self._waiting: dict[Kind, dict[int, Waiting]] = {}
        self._found: dict[int, tuple[int, Seat]] = {}  # people who were paired and have not asked for the result yet
        self._open: dict[int, Invitation] = {}  # by id
        self._taking = asyncio.Lock()  # the second person to accept an invitation must see what the first has done
        self._next = 1

    async def open(self) -> None:
        """Load the open invitations, and find the number of the next one."""
        now = self._clock.now() // 1000

        def work(db: Connection) -> tuple[int, list[Any]]:
            newest = db.execute("SELECT coalesce(max(id), 0) FROM invites").fetchone()[0]
            return newest, db.execute(f"{SELECT} WHERE state = 'open' AND until >= ?", (now,)).fetchall()

        newest, rows = await self._store.read(work)
        self._next = newest + 1
        self._open = {row[0]: _letter(row) for row in rows}

    # Invitations ----------------------------------------------------------------------------------------------------

    async def invite(self, user: User, asked: Asked, cid: str | None) -> Invitation:
        """Make an invitation; raises HallError. Members of a group who accept none from this user are left out."""
        now = self._clock.now()
        if asked.rated and user.kind == "guest":
            raise HallError("GUEST_RATED")
        if asked.rating_min is not None and asked.rating_max is not None and asked.rating_min > asked.rating_max:
            raise HallError("BAD_OPTION", field="rating_max")
        if asked.to is not None:
            await self.may_call(user, asked.to)
        called = (asked.to,) if asked.to is not None else asked.among or ()
        willing = await self._eligibility.willing(user.id, called)
        if called and not willing:
            raise HallError("NOT_ALLOWED", case="invites")
        called = tuple(each for each in called if each in willing)
        if asked.among is not None:
            asked = msgspec.structs.replace(asked, among=called)
        place = self._creation.meeting(asked)
        if asked.colour != "random" and place.places != 2:
            raise HallError("BAD_OPTION", field="colour")
        numbers = self._numbers
        if by_days(asked.clock):
            await self._correspondence.may_have(user, slow=True)
        if sum(letter.owner == user.id for letter in self._now()) >= numbers.invites:
            raise HallError("LIMIT_REACHED", case="invites", most=numbers.invites)
        seconds = numbers.invite_days_s if by_days(asked.clock) else numbers.invite_live_s
        id, self._next = self._next, self._next + 1
        # The note is a person's words: a row that can be erased, and not in the log.
        unsaid = msgspec.to_builtins(msgspec.structs.replace(asked, note=""))
        data = {"owner": user.id, "until": now // 1000 + seconds, "asked": unsaid}
        letter = Invitation(id, user.id, "open", now // 1000, data["until"], asked, seq=0)
        facts = {"from": user.name, "game": asked.game}
        told = [(each, facts) for each in called if not self._ties.apart(user.id, each)]
        await self._write(letter, "invite.made", data, user.id, cid, told)
        for each, _ in told:
            self._tell(each, id, facts)
        return self._open[id]

    async def may_call(self, user: User, other: int) -> User:
        """Return somebody whom a user may invite; raises HallError."""
        if other == user.id:
            raise HallError("SELF")
        found = await self._accounts.find(other)
        if found is None or found.deleted:
            raise HallError("NOT_FOUND")
        if self._ties.apart(user.id, other):
            raise HallError("BLOCKED")
        if not await self._eligibility.willing(user.id, (other,)):
            raise HallError("NOT_ALLOWED", case="invites")
        return found

    def _now(self) -> list[Invitation]:
        """Return the invitations that are open now, oldest first."""
        now = self._clock.now() // 1000
        for id in [letter.id for letter in self._open.values() if letter.until < now]:
            del self._open[id]
        return list(self._open.values())

    async def letters(self, user: User) -> list[tuple[Invitation, HallError | None]]:
        """Return the open invitations to everybody, to a user, or by them, with why they cannot take each up."""
        found: list[tuple[Invitation, HallError | None]] = []
        for letter in self._now():
            if letter.owner == user.id:
                found.append((letter, None))
            elif self._sees(user.id, letter):
                found.append((letter, await self._refusal(letter, user)))
        return found

    def to(self, user: int) -> int:
        """Return how many open invitations were sent to somebody."""
        return sum(letter.personal(user) and self._sees(user, letter) for letter in self._now())

    def open_to(self, user: int) -> int:
        """Return how many open invitations of others somebody sees."""
        return sum(self._sees(user, letter) for letter in self._now())

    def _sees(self, user: int, letter: Invitation) -> bool:
        everybody = letter.asked.to is None and letter.asked.among is None
        if letter.owner == user or self._ties.apart(letter.owner, user):
            return False
        return everybody or letter.personal(user)

    async def accept(self, user: User, id: int, cid: str | None) -> tuple[int, Seat]:
        """Take up an invitation; return the table and seat. Raises HallError with the first reason of P-66.

        In games for more than two, the invitation stays open until all seats of the table are taken.
        """
        async with self._taking:
            letter = await self._letter(id)
            if letter.state != "open":
                raise HallError("INVITE_EXPIRED")
            if letter.table is not None and letter.table in self._people.tables_of(user):
                return letter.table, self._seat_at(letter.table, user)
            wrong = await self._refusal(letter, user)
            if wrong is not None:
                raise wrong
            owner = await self._accounts.find(letter.owner)
            assert owner is not None
            first = None
            table = letter.table
            if table is None or not await self._creation.free(table):
                people = (owner, user) if await self._begins(letter, owner, user) else (user, owner)
                first = people[0].id
                table = await self._creation.meet(people, owner, self._creation.meeting(letter.asked))
            else:
                await self._creation.join(table, user)
            full = not await self._creation.free(table)
            data = {"user": user.id, "table": table, "first": first, "full": full}
            facts = {"from": user.name, "game": letter.asked.game, "table": table}
            await self._write(letter, "invite.taken", data, user.id, cid, [(owner.id, facts)])
        self._tell(owner.id, id, facts)
        return table, self._seat_at(table, user)

    def _seat_at(self, table: int, user: User) -> Seat:
        slow = self._correspondence.find(table)
        if slow is not None and user.id in slow.users:
            return slow.users.index(user.id)
        seat = self._runner.tables[table].table.seat_of(user.id)
        return 0 if seat is None else seat

    async def _begins(self, letter: Invitation, owner: User, user: User) -> bool:
        """Tell whether the inviter has the first of two seats."""
        match letter.asked.colour:
            case "mine":
                return True
            case "theirs":
                return False
            case "alternate":
                sql = (
                    "SELECT first FROM invites WHERE first IS NOT NULL AND json_extract(data, '$.game') = ?"
                    " AND ((owner = ? AND taker = ?) OR (owner = ? AND taker = ?)) ORDER BY id DESC LIMIT 1"
                )
                who = (letter.asked.game, owner.id, user.id, user.id, owner.id)
                last = await self._store.read(lambda db: db.execute(sql, who).fetchone())
                if last is not None:
                    return bool(last[0] != owner.id)
        return self._creation.meeting(letter.asked).places > 2 or secrets.randbelow(2) == 0

    async def decline(self, user: User, id: int, cid: str | None) -> None:
        """Decline a personal invitation. In a group each decides for themselves; it ends when all have declined."""
        async with self._taking:
            letter = await self._letter(id)
            if not letter.personal(user.id):
                raise HallError("NOT_FOR_YOU")
            over = await self._turn_down(letter, user, cid)
        if over:
            self._tell(letter.owner, id, {"from": user.name, "game": letter.asked.game, "declined": True})

    async def _turn_down(self, letter: Invitation, user: User, cid: str | None) -> bool:
        """Remove somebody from an invitation; return whether nobody is left, so that it is over."""
        left = [each for each in letter.asked.among or () if each != user.id]
        await self._answer(letter, "refused" if left else "declined", {"among": left} if left else {}, user, cid)
        return not left

    async def withdraw(self, user: User, id: int, cid: str | None) -> None:
        """Withdraw one's own invitation."""
        async with self._taking:
            letter = await self._letter(id)
            if letter.owner != user.id:
                raise HallError("NOT_ALLOWED", case="inviter")
            await self._answer(letter, "withdrawn", {}, user, cid)

    async def erase(self, user: User) -> None:
        """Withdraw all invitations of somebody who deletes their account, and decline those to them (P-96)."""
        self.forget(user.id)
        for letter, _refusal in await self.letters(user):
            with suppress(HallError):  # somebody else was quicker
                if letter.owner == user.id:
                    await self._answer(letter, "withdrawn", {}, user, None)
                elif letter.personal(user.id):
                    await self._turn_down(letter, user, None)
        sql = "DELETE FROM invite_notes WHERE user = ?"
        await self._store.transaction(lambda db: db.execute(sql, (user.id,)).rowcount)

    async def _answer(self, letter: Invitation, how: str, data: Json, user: User, cid: str | None) -> None:
        if letter.state != "open":
            raise HallError("INVITE_EXPIRED")
        await self._write(letter, f"invite.{how}", data, user.id, cid)

    async def _letter(self, id: int) -> Invitation:
        if (known := self._open.get(id)) is not None:
            return known
        row = await self._store.read(lambda db: db.execute(f"{SELECT} WHERE id = ?", (id,)).fetchone())
        if row is None:
            raise HallError("NOT_FOUND")
        return _letter(row)

    async def _refusal(self, letter: Invitation, user: User) -> HallError | None:
        """Return the first reason of P-66 why a user cannot take up an invitation."""
        asked = letter.asked
        invite = Invite(
            owner=str(letter.owner),
            to=None if asked.to is None else str(asked.to),
            among=None if asked.among is None else frozenset(map(str, asked.among)),
            rated=asked.rated,
            rating_min=asked.rating_min,
            rating_max=asked.rating_max,
            expired=letter.until < self._clock.now() // 1000,
        )
        taker = await self._eligibility.taker(user, letter.owner, asked)
        match refused(invite, taker):
            case None:
                return None
            case "RATING_RANGE":
                least, most = asked.rating_min or 0, asked.rating_max or 9999
                return HallError("RATING_RANGE", least=least, most=most, have=taker.rating)
            case "TOO_MANY_GAMES":
                return HallError("TOO_MANY_GAMES", most=taker.limit)
            case code:
                return HallError(code)

    async def _write(
        self,
        letter: Invitation,
        type: str,
        data: Json,
        actor: int | None,
        cid: str | None,
        told: Iterable[tuple[int, Json]] = (),
    ) -> None:
        """Write an event. told: who hears of it, with the facts."""
        now, id, seq = self._clock.now(), letter.id, letter.seq + 1

        def projections(db: Connection) -> None:
            fold(db, id, seq, type, data, now // 1000)
            if type == "invite.made" and letter.asked.note:
                row = (id, letter.owner, letter.asked.note)
                db.execute("INSERT INTO invite_notes (invite, user, text) VALUES (?, ?, ?)", row)
            for user, facts in told:
                self._notes.keeper.keep(db, user, "invite", id, facts, now // 1000)

        try:
            await self._store.append([LogEntry(f"invite:{id}", seq, type, data, None, actor, cid)], now, projections)
        except Conflict as wrong:  # somebody else was quicker
            raise HallError("INVITE_EXPIRED") from wrong
        table = data.get("table", letter.table)
        asked = letter.asked
        if type == "invite.refused":
            asked = msgspec.structs.replace(asked, among=tuple(data["among"]))
        if type in ("invite.made", "invite.refused") or (type == "invite.taken" and not data["full"]):
            self._open[id] = msgspec.structs.replace(letter, seq=seq, table=table, asked=asked)
        else:
            self._open.pop(id, None)

    def _tell(self, user: int, id: int, facts: Json) -> None:
        self._notes.invited(user, id, facts)

    def call(self, user: User, table: int) -> bool:
        """Ask the opponent of a turn-based game to play on at once; return whether they are in the hall (P-77).

        Raises HallError if no such game is running, or one of the two has blocked the other.
        """
        one = self._correspondence.find(table)
        if one is None or user.id not in one.users:
            raise HallError("NOT_SEATED")
        if one.state != "playing":
            raise HallError("NO_GAME")
        other = next((each for each in one.users if each not in (None, user.id)), None)
        if other is None:
            raise HallError("NO_GAME")
        if self._ties.apart(user.id, other):
            raise HallError("BLOCKED")
        if not self._people.lines(other) or not self._people.tells(other, user.id):
            return False
        self._notes.invited(other, 0, {"from": user.name, "game": one.game, "table": table, "live": True})
        return True

    # Quick pairing --------------------------------------------------------------------------------------------------

    async def wait(
        self, user: User, game: str, variant: str | None, days: int | None = None
    ) -> tuple[int, Seat] | None:
        """Wait to be paired; return the table and seat once it has happened. Raises HallError.

        days: for each move of a turn-based game; None: the clock of the room.
        """
        if (place := self._found.pop(user.id, None)) is not None:
            return place
        if user.kind == "guest":
            raise HallError("SIGN_IN", case="guest")
        if user.kind == "bot":
            raise HallError("NOT_ALLOWED", case="program")
        kind = (game, variant, days)
        self._creation.meeting(_paired(kind))
        await self._correspondence.may_have(user, slow=days is not None)
        queue = self._waiting.setdefault(kind, {})
        if user.id not in queue:
            self.forget(user.id)
            rating = await self._eligibility.rating(user, game, variant)
            queue = self._waiting.setdefault(kind, {})
            queue[user.id] = Waiting(user.id, rating, self._clock.now())
        await self.pair()
        return self._found.pop(user.id, None)

    def waits(self, user: int) -> tuple[str, str | None, int] | None:
        """Return the game, the variant and since when a user waits; None if they do not wait."""
        for (game, variant, _days), queue in self._waiting.items():
            if user in queue:
                return game, variant, queue[user].since
        return None

    def forget(self, user: int) -> None:
        """Stop waiting for a pairing."""
        for queue in self._waiting.values():
            queue.pop(user, None)

    async def pair(self) -> None:
        """Seat the groups that can be formed now."""
        now, ties = self._clock.now(), self._ties
        for kind, queue in list(self._waiting.items()):
            game = kind[0]
            if not queue:
                del self._waiting[kind]
                continue
            here = [one for one in queue.values() if self._people.lines(one.user)]
            sizes = self._creation.meeting(_paired(kind)).sizes
            for group in matched(here, sizes, now, self._reach, ties.apart, 1000 * self._numbers.fewer_s):
                place = self._creation.meeting(_paired(kind, len(group)))
                for one in group:
                    queue.pop(one.user, None)
                found = [await self._accounts.find(one.user) for one in group]
                users = [user for user in found if user is not None]
                secrets.SystemRandom().shuffle(users)  # so that whoever has waited longest does not always get red
                table = await self._creation.meet(tuple(users), users[0], place)
                for user in users:
                    seat = self._seat_at(table, user)
                    self._found[user.id] = table, seat
                    self._tell(user.id, 0, {"game": game, "table": table, "seat": seat})


def _paired(kind: Kind, seats: int | None = None) -> Asked:
    """Return the game for which people are paired. seats: how many there are."""
    game, variant, days = kind
    clock = None if days is None else {"type": "days", "days": days}
    return Asked(game, variant, seats=seats, rated=True, clock=clock)


def _letter(row: Any) -> Invitation:
    id, owner, state, made_at, until, data, table, seq, note = row
    asked = msgspec.json.decode(data, type=Asked)
    if note is not None:  # of the first logs it stands in the event
        asked = msgspec.structs.replace(asked, note=note)
    return Invitation(id, owner, state, made_at, until, asked, table, seq)


def fold(db: Connection, id: int, seq: int, type: str, data: Json, at: int) -> None:
    """Write an event of an invitation into the projection."""
    match type:
        case "invite.made":
            asked = data["asked"]
            db.execute(
                "INSERT INTO invites (id, owner, guest, state, made_at, until, data) VALUES (?, ?, ?, 'open', ?, ?, ?)",
                (id, data["owner"], asked["to"], at, data["until"], msgspec.json.encode(asked).decode()),
            )
        case "invite.taken":
            sql = (
                "UPDATE invites SET state = ?, tbl = ?, seq = ?,"
                " taker = coalesce(taker, ?), first = coalesce(first, ?) WHERE id = ?"
            )
            # Of the first logs the table stands in an event of its own.
            state = "taken" if data.get("full", True) else "open"
            db.execute(sql, (state, data.get("table"), seq, data["user"], data.get("first"), id))
        case "invite.refused":  # one of a group has declined: the others remain
            row = db.execute("SELECT data FROM invites WHERE id = ?", (id,)).fetchone()
            left = msgspec.json.encode(msgspec.json.decode(row[0]) | {"among": data["among"]}).decode()
            db.execute("UPDATE invites SET data = ?, seq = ? WHERE id = ?", (left, seq, id))
        case "invite.led":
            db.execute("UPDATE invites SET tbl = ?, seq = ? WHERE id = ?", (data["table"], seq, id))
        case _:
            db.execute("UPDATE invites SET state = ?, seq = ? WHERE id = ?", (type.partition(".")[2], seq, id))


def letters_of(db: Connection, user: int) -> list[Json]:
    """Return all invitations by a user and to them, open or not, oldest first."""
    names = ("id", "owner", "to", "state", "made_at", "until", "table")
    sql = (
        f"SELECT id, owner, guest, state, made_at, until, tbl, data, {NOTE} FROM invites"
        " WHERE ? IN (owner, guest) ORDER BY id"
    )
    return [
        {
            **dict(zip(names, row, strict=True)),
            "asked": {**(asked := msgspec.json.decode(data)), "note": asked.get("note", "") if note is None else note},
        }
        for *row, data, note in db.execute(sql, (user,))
    ]
