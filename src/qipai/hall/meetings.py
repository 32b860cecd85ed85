"""How people find each other: invitations and quick pairing (platform P-65, P-66)."""

from __future__ import annotations

from sqlite3 import Connection
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct

from qipai import games
from qipai.accounts.model import User
from qipai.core.contract import Seat
from qipai.hall import messages as wire
from qipai.hall.errors import HallError
from qipai.hall.invites import Invite, Invited, refused
from qipai.hall.pairing import Reach, Waiting, matched
from qipai.ledger import ratings
from qipai.store import Conflict, Event

if TYPE_CHECKING:
    from qipai.hall.service import Hall

__all__ = ["Asked", "Letter", "Meetings", "fold"]

Json = Any
State = Literal["open", "taken", "declined", "withdrawn"]


class Asked(Struct, frozen=True):
    """What an invitation is to. rated: in the room where score counts."""

    game: str
    variant: str | None = None
    preset: str | None = None
    options: Json = {}
    clock: Json = None
    rated: bool = False
    rating_min: int | None = None
    rating_max: int | None = None
    to: int | None = None
    note: str = ""


class Letter(Struct, frozen=True):
    """An invitation as it lies in the hall."""

    id: int
    owner: int
    state: State
    made_at: int
    until: int
    asked: Asked
    table: int | None = None


class Meetings:
    """The invitations of a hall, and who waits to be paired."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        numbers = hall.config.pairing
        self._reach = Reach(numbers.range, numbers.widen, 1000 * numbers.widen_s)
        self._waiting: dict[tuple[str, str | None], dict[int, Waiting]] = {}
        self._found: dict[int, tuple[int, Seat]] = {}  # who was paired and has not asked since
        self._next = 1

    async def open(self) -> None:
        """Learn the number of the next invitation."""
        newest = await self._hall.store.read(
            lambda db: db.execute("SELECT coalesce(max(id), 0) FROM invites").fetchone()
        )
        self._next = newest[0] + 1

    # Invitations ----------------------------------------------------------------------------------------------------

    async def invite(self, user: User, asked: Asked, cid: str | None) -> Letter:
        """Put an invitation into the hall; raises HallError."""
        hall, now = self._hall, self._hall.clock.now()
        if asked.rated and user.kind == "guest":
            raise HallError("GUEST_RATED")
        if asked.rating_min is not None and asked.rating_max is not None and asked.rating_min > asked.rating_max:
            raise HallError("BAD_OPTION", field="rating_max")
        if asked.to is not None:
            if asked.to == user.id:
                raise HallError("SELF")
            if await hall.accounts.find(asked.to) is None:
                raise HallError("NOT_FOUND")
            if hall.ties.apart(user.id, asked.to):
                raise HallError("BLOCKED")
        clock = hall.doors.check(asked.game, asked.rated, asked.variant, asked.preset, asked.options, asked.clock)
        numbers = hall.config.pairing
        seconds = numbers.invite_days_s if clock.get("type") == "days" else numbers.invite_live_s
        id, self._next = self._next, self._next + 1
        data = {"owner": user.id, "until": now // 1000 + seconds, "asked": msgspec.to_builtins(asked)}
        await self._write(id, 1, "invite.made", data, user.id, cid)
        if asked.to is not None:
            self._tell(asked.to, id, {"from": user.name, "game": asked.game})
        return await self._letter(id)

    async def letters(self, user: User) -> list[tuple[Letter, str | None]]:
        """Return the open invitations that are for everybody, for a user or his own, and why he cannot take each."""
        now = self._hall.clock.now() // 1000
        sql = "SELECT id FROM invites WHERE state = 'open' AND until >= ? AND (guest IS NULL OR guest = ? OR owner = ?)"
        rows = await self._hall.store.read(lambda db: db.execute(sql, (now, user.id, user.id)).fetchall())
        found = []
        for (id,) in rows:
            letter = await self._letter(id)
            if letter.owner == user.id or not self._hall.ties.apart(letter.owner, user.id):
                found.append((letter, await self._refusal(letter, user)))
        return found

    async def accept(self, user: User, id: int, cid: str | None) -> tuple[int, Seat]:
        """Take up an invitation; return where one sits. Raises HallError, the first reason of P-66."""
        letter = await self._letter(id)
        if letter.state != "open":
            raise HallError("INVITE_EXPIRED")
        code = await self._refusal(letter, user)
        if code is not None:
            raise HallError(code, **self._facts(code, letter))
        await self._write(id, 2, "invite.taken", {"user": user.id}, user.id, cid)
        owner = await self._hall.accounts.find(letter.owner)
        assert owner is not None
        asked = letter.asked
        table = await self._hall.doors.meet(
            (owner, user), asked.game, asked.rated, asked.variant, asked.preset, asked.options, asked.clock
        )
        await self._write(id, 3, "invite.led", {"table": table}, None, None)
        self._tell(owner.id, id, {"from": user.name, "game": asked.game, "table": table})
        return table, 1

    async def decline(self, user: User, id: int, cid: str | None) -> None:
        """Refuse a personal invitation."""
        letter = await self._letter(id)
        if letter.asked.to != user.id:
            raise HallError("NOT_FOR_YOU")
        await self._close(letter, "declined", user, cid)

    async def withdraw(self, user: User, id: int, cid: str | None) -> None:
        """Take one's own invitation back."""
        letter = await self._letter(id)
        if letter.owner != user.id:
            raise HallError("NOT_ALLOWED")
        await self._close(letter, "withdrawn", user, cid)

    async def _close(self, letter: Letter, how: State, user: User, cid: str | None) -> None:
        if letter.state != "open":
            raise HallError("INVITE_EXPIRED")
        await self._write(letter.id, 2, f"invite.{how}", {}, user.id, cid)

    async def _letter(self, id: int) -> Letter:
        sql = "SELECT id, owner, state, made_at, until, data, tbl FROM invites WHERE id = ?"
        row = await self._hall.store.read(lambda db: db.execute(sql, (id,)).fetchone())
        if row is None:
            raise HallError("NOT_FOUND")
        number, owner, state, made_at, until, data, table = row
        return Letter(number, owner, state, made_at, until, msgspec.json.decode(data, type=Asked), table)

    async def _refusal(self, letter: Letter, user: User) -> str | None:
        hall, asked = self._hall, letter.asked
        invite = Invite(
            owner=str(letter.owner),
            to=None if asked.to is None else str(asked.to),
            rated=asked.rated,
            rating_min=asked.rating_min,
            rating_max=asked.rating_max,
            expired=letter.until < hall.clock.now() // 1000,
        )
        taker = Invited(
            id=str(user.id),
            rating=await self._rating(user, asked.game, asked.variant),
            blocked=hall.ties.apart(letter.owner, user.id),
            guest=user.kind == "guest",
            running=len(hall.tables_of(user)),
            limit=hall.config.pairing.games,
        )
        return refused(invite, taker)

    def _facts(self, code: str, letter: Letter) -> dict[str, Any]:
        if code == "RATING_RANGE":
            return {"least": letter.asked.rating_min or 0, "most": letter.asked.rating_max or 9999}
        return {"most": self._hall.config.pairing.games} if code == "TOO_MANY_GAMES" else {}

    async def _rating(self, user: User, game: str, variant: str | None) -> int:
        pool = "/".join(filter(None, (game, variant)))
        found = (await self._hall.ledger.ratings(user.id)).get(pool)
        return ratings.number(ratings.fresh(max(games.find(game).seats)) if found is None else found)

    async def _write(self, id: int, seq: int, type: str, data: Json, actor: int | None, cid: str | None) -> None:
        now = self._hall.clock.now()

        def also(db: Connection) -> None:
            fold(db, id, type, data, now // 1000)

        try:
            await self._hall.store.append([Event(f"invite:{id}", seq, type, data, None, actor, cid)], now, also)
        except Conflict as wrong:  # somebody else was quicker
            raise HallError("INVITE_EXPIRED") from wrong

    def _tell(self, user: int, id: int, facts: Json) -> None:
        note = wire.Note("invite", id, facts, {"turns": 0, "invites": 1, "mail": 0})
        for session in self._hall.lines(user):
            session.say(note)

    # Quick pairing --------------------------------------------------------------------------------------------------

    async def wait(self, user: User, game: str, variant: str | None) -> tuple[int, Seat] | None:
        """Wait to be paired; return where one sits once it has happened. Raises HallError."""
        if (place := self._found.pop(user.id, None)) is not None:
            return place
        if user.kind != "user":
            raise HallError("SIGN_IN" if user.kind == "guest" else "NOT_ALLOWED")
        self._hall.doors.check(game, True, variant, None, {}, None)
        most = self._hall.config.pairing.games
        if len(self._hall.tables_of(user)) >= most:
            raise HallError("TOO_MANY_GAMES", most=most)
        queue = self._waiting.setdefault((game, variant), {})
        if user.id not in queue:
            self.forget(user.id)
            rating = await self._rating(user, game, variant)
            queue = self._waiting.setdefault((game, variant), {})
            queue[user.id] = Waiting(user.id, rating, self._hall.clock.now())
        await self.pair()
        return self._found.pop(user.id, None)

    def waits(self, user: int) -> tuple[str, str | None, int] | None:
        """Return the game, the variant and since when a user waits; None: he does not."""
        for (game, variant), queue in self._waiting.items():
            if user in queue:
                return game, variant, queue[user].since
        return None

    def forget(self, user: int) -> None:
        """Let somebody wait no more."""
        for queue in self._waiting.values():
            queue.pop(user, None)

    async def pair(self) -> None:
        """Seat those who fit together by now."""
        now, ties = self._hall.clock.now(), self._hall.ties
        for (game, variant), queue in list(self._waiting.items()):
            if not queue:
                del self._waiting[game, variant]
                continue
            here = [one for one in queue.values() if self._hall.lines(one.user)]
            for group in matched(here, self._hall.doors.places(game, variant), now, self._reach, ties.apart):
                for one in group:
                    queue.pop(one.user, None)
                users = [await self._hall.accounts.find(one.user) for one in group]
                table = await self._hall.doors.meet(
                    tuple(user for user in users if user is not None), game, True, variant, None, {}, None
                )
                for seat, one in enumerate(group):
                    self._found[one.user] = table, seat
                    self._tell(one.user, 0, {"game": game, "table": table, "seat": seat})


def fold(db: Connection, id: int, type: str, data: Json, at: int) -> None:
    """Write what has become of an invitation."""
    match type:
        case "invite.made":
            asked = data["asked"]
            db.execute(
                "INSERT INTO invites (id, owner, guest, state, made_at, until, data) VALUES (?, ?, ?, 'open', ?, ?, ?)",
                (id, data["owner"], asked["to"], at, data["until"], msgspec.json.encode(asked).decode()),
            )
        case "invite.led":
            db.execute("UPDATE invites SET tbl = ? WHERE id = ?", (data["table"], id))
        case _:
            db.execute("UPDATE invites SET state = ? WHERE id = ?", (type.partition(".")[2], id))
