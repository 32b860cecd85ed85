"""The hall for those above it: sessions, their commands, finished games; `lobby` has the rooms, `doors` new tables.

`web` calls `open`, `shut`, `attach`, `detach`, `handle`, `lag`, `tables_of`, `watch`, `finished`, `scores`, `quit_all`,
and those of `hall.lobby` and `hall.doors`. Whatever is refused raises HallError; what a table refuses later is answered
over the session's connection.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from functools import partial
from importlib.resources import files
from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct

from qipai.accounts.model import User
from qipai.bus import Bus, Local
from qipai.config import Config
from qipai.core.contract import Seat
from qipai.core.entry import Record
from qipai.hall import books, commands, frames, replay, rooms, seats
from qipai.hall import messages as wire
from qipai.hall.clock import by_days
from qipai.hall.days import Days
from qipai.hall.desk import Accepted, Desk
from qipai.hall.doors import Doors
from qipai.hall.draft import pool_of
from qipai.hall.errors import HallError
from qipai.hall.lobby import Lobby
from qipai.hall.meetings import Meetings
from qipai.hall.model import Table, Tune
from qipai.hall.notes import Notes
from qipai.hall.origins import Origin, Origins
from qipai.hall.past import Past
from qipai.hall.players import Players, Thinker
from qipai.hall.reversal import reversal
from qipai.hall.rooms import Room
from qipai.hall.session import Connection, Session
from qipai.hall.sight import seen
from qipai.hall.songs import Songs
from qipai.hall.sweep import Sweep
from qipai.hall.table import Moment
from qipai.hall.talk import Talk
from qipai.hall.timers import Clock
from qipai.hall.umpire import Umpire
from qipai.hall.words import By, Found, Lag, Lost, Scored
from qipai.ledger import Purse
from qipai.ledger.passes import Climb, Pass
from qipai.ledger.service import Ledger, Standing
from qipai.moderation.keepers import Keepers
from qipai.moderation.service import Order
from qipai.social.chat import Chat
from qipai.social.circles import Circles
from qipai.social.ties import Ties
from qipai.store import Event, Store

__all__ = ["Accounts", "Hall", "script"]

Json = Any
LAG_STEP_MS: Final = 20  # a line's speed is worth a note when it has changed by so much
LEVELS: Final = ("easy", "steady", "strong")


class Figures(Struct, frozen=True):
    """The hall in numbers: by game which side was first and how it ended; games begun today, most people at once."""

    ends: books.Counts
    reasons: books.Counts
    today: int
    peak: int


class Accounts(Protocol):
    """What the hall asks of accounts."""

    def peek(self, id: int) -> User | None:
        """Return a user who has been found before."""
        ...

    async def find(self, id: int) -> User | None:
        """Return a user, None when there is none."""
        ...

    def came(self, id: int, now: int) -> None:
        """Count the time of somebody who has a line from now on; now: seconds."""
        ...

    def went(self, id: int, now: int) -> None:
        """Count it no more."""
        ...


class Hall:
    """All rooms and tables of a house."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        config: Config,
        clock: Clock,
        thinker: Thinker,
        *,
        places: Sequence[Room] | None = None,
        bus: Bus | None = None,
    ) -> None:
        """places: the rooms, with numbers of their own; None: for every game a friendly one and one for score."""
        self.config, self.clock, self.accounts = config, clock, accounts
        self.bus = bus or Local()
        self.ledger = Ledger(store, config)
        self.store = store
        self.rooms: dict[int, Room] = {}
        self._places = places
        self.umpire = Umpire(store, self.ledger, clock, tune_of(config), Players(thinker, config.bots.pace_ms))
        self.umpire.who = accounts.peek
        self.umpire.know = self._know
        self.umpire.purse = self._purse
        self.umpire.present = lambda user: user in self._lines
        self.umpire.changed = self._changed
        self.umpire.told = self._told
        self.umpire.gone = lambda table: self.talk.closed(table)
        chat = config.chat
        self._chat = Chat(
            store, chars=chat.chars, lines=chat.lines, seconds=chat.lines_s, kept=chat.kept, days=chat.days
        )
        self.talk = Talk(self, self._chat)
        self.ties = Ties(store, config.order.blocks)
        self.circles = Circles(store, config.order.groups, config.order.group_people)
        self.order = Order(store)
        self.keepers = Keepers(store)
        self.lobby = Lobby(self)
        self.songs = Songs(self)
        self.meetings = Meetings(self)
        self.doors = Doors(self)
        self.days = Days(self)
        self.umpire.down = self.days.lost
        self.umpire.relieve = self.days.relieve
        self.umpire.sleeping = lambda: bool(self.days.all())
        self.notes = Notes(self)
        self.past = Past(store)
        self.sessions: set[Session] = set()
        self._lines: dict[int, set[Session]] = {}  # of each user
        self._peak = self._kept_peak = 0  # the most who were here at once since the start, and of those what is noted
        self._sits: dict[int, set[int]] = {}  # user -> tables
        self.loss_limit: Callable[[int], Awaitable[int | None]] = self._common_limit  # coins a day, of a user
        self.origins = Origins()
        self.sweep = Sweep(self)
        self.minor: Callable[[int], Awaitable[bool]] = self._nobody  # who may not see coin rooms (P-107)
        self.invitable: Callable[[int, Collection[int]], Awaitable[set[int]]] = self._all  # by one, of several (P-5)
        self.unlisted: Callable[[int], bool] = lambda user: False  # who hides that he is online (P-5)

    # Opening and closing --------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Wake the tables where something was going on, in the background: the hall answers meanwhile."""
        await self._open_rooms()
        await self.ties.open()
        await self.order.open()
        await self.keepers.open()
        await self._know(keeper.user for keeper in self.keepers.all())
        await self.meetings.open()
        await self.doors.open()
        used = await self.umpire.open()
        await self.days.open()
        self.umpire.begin()
        for id, people in used:
            for user in people:
                self._sits.setdefault(user, set()).add(id)
        await self.lobby.open()
        for id, slow in self.days.all():
            await self._know(user for user in slow.users if user is not None)
            self.lobby.asleep(id, slow)
        if live := [id for id, _people in used if self.days.find(id) is None]:
            self.umpire.spawn(self._wake(live))
        self.days.sweep()
        self.umpire.spawn(self._chat.sweep(self.clock.now()))

    async def _open_rooms(self) -> None:
        """Give every room its number, for ever: the log knows those that were given (stream `room:<id>`)."""
        known = await self.store.read(books.rooms_opened)
        found = self._places
        if found is None:
            found = rooms.settled(rooms.default_rooms(self.config), known)
        for room in found:
            if known.get(room.id, (room.game, ""))[0] != room.game:
                raise HallError("BAD_OPTION", field="rooms")  # its tables are another game's
        delay = self.config.watching.delay_s
        found = tuple(rooms.delayed(room, delay) for room in found)
        self.rooms = {room.id: rooms.checked(room) for room in sorted(found, key=lambda room: room.id)}
        new = [room for room in self.rooms.values() if room.id not in known]
        if new:
            facts = [
                Event(f"room:{room.id}", 1, "room.opened", {"game": room.game, "kind": room.kind, "key": room.key})
                for room in new
            ]
            await self.store.append(facts, self.clock.now())

    async def _wake(self, ids: Iterable[int]) -> None:
        for id in ids:
            await self.umpire.desk(id)

    async def shut(self) -> None:
        """Stop; everything acknowledged is in the store."""
        await self.umpire.shut()

    # Sessions -------------------------------------------------------------------------------------------------------

    def attach(
        self,
        connection: Connection,
        user: User | None,
        *,
        moderator: bool = False,
        person: bool = True,
        origin: Origin | None = None,
    ) -> Session:
        """Return the session of a line that has said hello. The first line of a user brings him back to his seats.

        moderator: of the whole hall. person: no program with a token, which keeps no order whoever it belongs to.
        origin: from where the line comes, None: from this machine itself, where all may sit together.
        """
        session = Session(self, connection, user, moderator=moderator, person=person, origin=origin)
        self.sessions.add(session)
        if user is not None:
            self.origins.came(user.id, session)
            lines = self._lines.setdefault(user.id, set())
            lines.add(session)
            if len(lines) == 1:
                self._peak = max(self._peak, len(self._lines))
                self.accounts.came(user.id, self.clock.now() // 1000)
                self._at_tables(user.id, Found(user.id))
                self.lobby.came(user)
        return session

    def detach(self, session: Session) -> None:
        """Forget a line that is closed."""
        self.sessions.discard(session)
        for id in list(session.tables):
            self.leave(session, id)
        self.lobby.gone(session)
        user = session.user
        if user is not None and (lines := self._lines.get(user.id)) is not None:
            self.origins.went(user.id, session)
            lines.discard(session)
            if not lines:
                del self._lines[user.id]
                self.accounts.went(user.id, self.clock.now() // 1000)
                self.meetings.forget(user.id)
                self._at_tables(user.id, Lost(user.id))
                self.lobby.went(user)

    def lag(self, session: Session, ms: int) -> None:
        """Note how long a line's round trip takes (P-23)."""
        user = session.user_id
        if user is None or abs(ms - session.lag) < LAG_STEP_MS:
            return
        session.lag = ms
        for id in session.tables & self._sits.get(user, set()):
            if desk := self.umpire.desks.get(id):
                self.umpire.submit(desk, Lag(user, ms))

    @property
    def people(self) -> int:
        """Return how many people have a line into the hall."""
        return len(self._lines)

    def lines(self, user: int) -> tuple[Session, ...]:
        """Return a user's sessions."""
        return tuple(self._lines.get(user, ()))

    def tables_of(self, user: User | None) -> tuple[int, ...]:
        """Return the tables where a user sits."""
        return () if user is None else self.seated(user.id)

    def seated(self, user: int) -> tuple[int, ...]:
        """Return the tables where a user sits."""
        return tuple(sorted(self._sits.get(user, ())))

    def at(self, user: User) -> tuple[int, ...]:
        """Return the tables where a user is: of his turn-based games only those that he looks at."""
        looks = {table for session in self.lines(user.id) for table in session.tables}
        return tuple(id for id in self.seated(user.id) if id in looks or self.days.find(id) is None)

    def _at_tables(self, user: int, command: Any) -> None:
        for id in tuple(self._sits.get(user, ())):
            if desk := self.umpire.desks.get(id):  # one that is not awake yet asks who is there when it wakes
                self.umpire.submit(desk, command)

    # Commands -------------------------------------------------------------------------------------------------------

    async def handle(self, session: Session, command: Any) -> None:
        """Take a command; it is answered through the session's connection, when its time has come.

        Returns when the next command may be given, which is not yet when this one is answered. Raises HallError for
        what is refused at once.
        """
        match command:
            case commands.Join():
                await self._join(session, command)
            case commands.Leave():
                self.leave(session, command.table)
            case commands.Enter():
                await self.lobby.enter(session, command.room)
            case commands.Exit():
                self.lobby.exit(session, command.room)
            case commands.Follow():
                self.lobby.follow(session, command.list, on=command.on)
            case commands.Say():
                await self.talk.say(session, command)
            case _:
                await self._at_table(session, command)

    async def _at_table(self, session: Session, command: Any) -> None:
        """Give a table a command of somebody."""
        user = session.user
        if user is None:
            raise HallError("SIGN_IN")
        desk = await self._desk(command.table)
        if desk is None or desk.table.state == "closed":
            raise HallError("NO_SUCH_TABLE")
        by = By(
            user.id,
            guest=user.kind == "guest",
            bot=user.kind == "bot",
            moderator=session.moderates(desk.table.setting.room),
        )
        answer = session.answer(command, desk.id)
        if isinstance(command, commands.Sit):
            by = await self._sitter(session, user, desk)
            desk = await self._with_talk(desk)
            answer = partial(self._seated, session, desk, answer)
        elif isinstance(command, commands.Set | commands.Fill) and desk.table.rows == 0:
            raise HallError("NOT_SEATED")
        elif isinstance(command, commands.Set) and by_days(command.clock) and not desk.table.turn_based:
            await self.days.may_have(user, slow=True)
        elif isinstance(command, commands.Ready) and command.on:
            await self._may_stake(desk.table, user)  # who sits on must not lose on, either
        self.umpire.submit(desk, command, by, None if isinstance(command, commands.Seed) else answer)

    async def _sitter(self, session: Session, user: User, desk: Desk) -> By:
        """Return who sits down, with what a table must know of him."""
        table = desk.table
        opening = None
        if table.setting.kind in ("pass", "coin") and not self.config.order.same_address:
            others = {chair.user for chair in table.chairs if chair.user is not None} - {user.id}
            if any(self.origins.shared(user.id, other) for other in others):
                raise HallError("SAME_ADDRESS")
        await self._may_stake(table, user)
        purse = await self.purse_at(table, user)
        await self.doors.may_sit(table, user, purse)
        if not table.setting.made:
            opening = rooms.opening(self.rooms[table.setting.room], table.id, table.setting.no)
        return By(
            user.id,
            purse,
            guest=user.kind == "guest",
            bot=user.kind == "bot",
            moderator=session.moderates(table.setting.room),
            key=session.keys.get(table.id),
            opening=opening,
        )

    async def _may_stake(self, table: Table, user: User) -> None:
        """Raise HallError where somebody may not play for coins now, by his own will or the hall's (P-107)."""
        if table.setting.kind != "coin":
            return
        await self.grown_up(user.id)
        limit = await self.loss_limit(user.id)
        if limit is not None and await self.ledger.lost_today(user.id, self.clock.now()) >= limit:
            raise HallError("DAILY_LIMIT", most=limit)

    async def grown_up(self, user: int) -> None:
        """Raise HallError where coins are hidden from somebody (P-107)."""
        if await self.minor(user):
            raise HallError("NOT_ALLOWED", case="minor")

    async def _all(self, by: int, users: Collection[int]) -> set[int]:
        return set(users)

    async def _nobody(self, user: int) -> bool:
        return False

    async def _common_limit(self, user: int) -> int | None:
        """Return what anybody may lose a day, None: any amount."""
        return self.config.coins.daily_loss or None

    async def purse_at(self, table: Table, user: User) -> Purse | None:
        """Return what a user brings to a table, None for guests and programs, for whom nothing counts."""
        return await self._purse(table, user.id) if user.kind == "user" else None

    async def _purse(self, table: Table, user: int) -> Purse:
        setting = table.setting
        pool = None if setting.kind == "friendly" else pool_of(table)
        found = await self.ledger.purse(user, setting.game, pool, setting.seats)
        # What does not count at this table is nobody's business there, and its changes are no news.
        return msgspec.structs.replace(
            found,
            coins=found.coins if setting.kind == "coin" else 0,
            pass_=found.pass_ if setting.kind == "pass" else Pass(),
        )

    async def refresh(self, user: int) -> None:
        """Let the tables where a user sits know what he has now."""
        for id in self.seated(user):
            if (desk := self.umpire.desks.get(id)) is not None and desk.table.seat_of(user) is not None:
                self.umpire.submit(desk, Scored(user, await self._purse(desk.table, user)))

    def _seated(self, session: Session, desk: Desk, answer: Callable[[Any], None], found: Any) -> None:
        """Answer `sit`: whoever sits has joined, and sees the table before the `ack`."""
        if isinstance(found, Accepted) and session in self.sessions and session not in desk.listeners:
            self._listen(session, desk)
            self.show(session, desk.id)
        answer(found)

    # Tables ---------------------------------------------------------------------------------------------------------

    async def _desk(self, id: int) -> Desk | None:
        """Return a table: a live one, one of the log, or a room's at which nobody has sat yet."""
        desk = await self.umpire.desk(id)
        if desk is not None or (place := rooms.place_of(id)) is None:
            return desk
        room = self.rooms.get(place[0])
        if room is None or not 1 <= place[1] <= room.tables:
            return None
        return self.umpire.place(rooms.unopened(room, id, place[1]))

    async def _join(self, session: Session, join: commands.Join) -> None:
        desk = await self._desk(join.table)
        if desk is None or desk.table.state == "closed":
            raise HallError("NO_SUCH_TABLE")
        self._may_see(desk.table, session.user_id, join.key or session.keys.get(desk.id))
        if join.key is not None:
            session.keys[desk.id] = join.key
        desk = await self._with_talk(desk)
        if session not in self.sessions:
            return  # the line was lost meanwhile
        channel = self._listen(session, desk)
        missed = None
        if join.ch == frames.channel_name(desk.table, channel) and join.after is not None:
            found = desk.missed(channel, join.after)
            if found is not None:
                missed = [
                    wire.Missed(seq, frames.told_on_wire(said.told, channel, self.accounts.peek)) for seq, said in found
                ]
        self.show(session, desk.id, missed)

    async def _with_talk(self, desk: Desk) -> Desk:
        """Return the table with what was said there at hand."""
        await self.talk.open_table(desk.id)
        live = self.umpire.desks.get(desk.id)
        if live is None:  # it was let go, or closed, while the books were read
            raise HallError("NO_SUCH_TABLE")
        return live

    def _may_see(self, table: Table, user: int | None, key: str | None) -> None:
        if user is not None and table.seat_of(user) is not None:
            return
        seats.may_enter(table, user, key)
        if not table.terms.watchers and table.owner != user and all(chair.taken for chair in table.players):
            raise HallError("WATCH_FORBIDDEN")

    def _listen(self, session: Session, desk: Desk) -> Seat | None:
        """Put a session on the channel where it belongs."""
        channel = desk.table.seat_of(session.user_id)
        before = desk.watchers(), desk.here()
        desk.listeners[session] = channel
        desk.last_used = self.clock.now()
        session.tables.add(desk.id)
        if (desk.watchers(), desk.here()) != before:
            self._count(desk, session)
        return channel

    def leave(self, session: Session, id: int) -> None:
        """Let a session hear no more of a table."""
        session.tables.discard(id)
        session.keys.pop(id, None)
        desk = self.umpire.desks.get(id)
        if desk is not None and session in desk.listeners:
            before = desk.watchers(), desk.here()
            del desk.listeners[session]
            desk.last_used = self.clock.now()
            if (desk.watchers(), desk.here()) != before:
                self._count(desk, None)

    def _count(self, desk: Desk, but: Session | None) -> None:
        """Tell how many watch."""
        self.umpire.counted(desk, but)
        self.lobby.table_changed(desk)

    def show(self, session: Session, id: int, missed: Sequence[wire.Missed] | None = None) -> None:
        """Send a session the snapshot of a table."""
        desk = self.umpire.desks[id]
        session.say(self.snapshot(desk, desk.listeners.get(session), session.user_id, missed))

    def snapshot(
        self, desk: Desk, channel: Seat | None, user: int | None = None, missed: Sequence[wire.Missed] | None = None
    ) -> wire.Snapshot:
        """Return a table as a channel sees it."""
        return frames.snapshot(
            desk.table,
            channel,
            self.umpire.look(desk, channel),
            self.clock.now(),
            who=self.accounts.peek,
            watchers=desk.watchers(),
            here=desk.here(),
            chat=self.talk.of_table(desk, channel),
            missed=missed,
            owner=user is not None and desk.table.owner == user,
        )

    # What those above ask -------------------------------------------------------------------------------------------

    async def watch(self, id: int, key: str | None = None, user: User | None = None) -> wire.Snapshot:
        """Return a table as watchers see it (`GET /tables/<id>`)."""
        desk = await self._desk(id)
        if desk is None or desk.table.state == "closed":
            raise HallError("NO_SUCH_TABLE")
        self._may_see(desk.table, None if user is None else user.id, key)
        return self.snapshot(await self._with_talk(desk), None)

    async def finished(self, game_id: str, notation: str | None = None) -> Any:
        """Return a finished game (13.2), or its text in one of its game's notations.

        Raises HallError: NOT_FOUND before the end, BAD_OPTION for an unknown notation.
        """
        rows = await self.store.read(partial(books.game_rows, id=game_id))
        if not replay.is_finished(rows):
            raise HallError("NOT_FOUND")
        created = rows[0].data
        among = (*created["seats"], *created.get("bench", ()))
        await self._know(player["user"] for player in among if player.get("user") is not None)
        if notation is not None:
            return replay.text(rows, notation, self.accounts.peek)
        return replay.finished(rows, self.accounts.peek)

    async def finished_record(self, game_id: str) -> Record:
        """Return a finished game as a record; raises HallError("NOT_FOUND") before the end."""
        rows = await self.store.read(partial(books.game_rows, id=game_id))
        if not replay.is_finished(rows):
            raise HallError("NOT_FOUND")
        return replay.record(rows, lambda user: None)

    async def verify(self, game_id: str) -> str | None:
        """Return how a finished game's log contradicts its result or its luck, None when it does not (P-90)."""
        return replay.verify(await self.store.read(partial(books.game_rows, id=game_id)))

    def online(self) -> list[User]:
        """Return who has a line into the hall."""
        return [next(iter(lines)).user for lines in self._lines.values()]  # type: ignore[misc]

    def tells(self, user: int, to: int | None) -> bool:
        """Tell whether another may learn that a user is here, and at which table (P-5)."""
        return user == to or not self.unlisted(user)

    def playing(self, table: int) -> bool:
        """Tell whether a game runs at a table."""
        desk = self.umpire.desks.get(table)
        slow = self.days.find(table)
        return desk.table.playing if desk is not None else slow is not None and slow.state == "playing"

    async def turns(self, user: User) -> list[tuple[int, str, str, bool, int | None, Seat, tuple[Any, ...], bool]]:
        """Return where a user sits: table, game, state, is he asked, when the time is up, his seat, everybody's.

        The last of each: it is turn-based; then the time may be another's.
        """
        found: list[tuple[int, str, str, bool, int | None, Seat, tuple[Any, ...], bool]] = []
        for id in self.tables_of(user):
            if (slow := self.days.find(id)) is not None:  # it sleeps on
                await self._know(each for each in slow.users if each is not None)
                mine = slow.users.index(user.id) if user.id in slow.users else 0
                people = tuple(
                    wire.RoomSeat(at, frames.user_on_wire(each, self.accounts.peek), slow.bots[at])
                    for at, each in enumerate(slow.users)
                )
                found.append((id, slow.game, slow.state, mine in slow.asked, slow.until, mine, people, True))
                continue
            desk = await self.umpire.desk(id)
            seat = None if desk is None else desk.table.seat_of(user.id)
            if desk is None or seat is None:
                continue
            table, turn, until = desk.table, False, None
            if table.playing and table.deal is not None and table.deal.asks[seat] is not None:
                ask = seen(table, seat).ask
                turn, until = ask is not None, None if ask is None else ask[2]
            people = tuple(
                wire.RoomSeat(at, frames.user_on_wire(chair.user, self.accounts.peek), chair.bot)
                for at, chair in enumerate(table.players)
            )
            found.append((id, table.setting.game, table.state, turn, until, seat, people, False))
        return found

    async def figures(self) -> Figures:
        """Return how the games of this hall have ended, and how many began today (P-75)."""
        now = self.clock.now() // 1000
        await self.keep_peak()
        return Figures(*await self.store.read(lambda db: books.figures(db, now - now % 86400)))

    async def keep_peak(self) -> None:
        """Note how many have been here at once, when there were never so many."""
        if (count := self._peak) > self._kept_peak:
            self._kept_peak = count
            await self.store.transaction(lambda db: books.keep_peak(db, count, self.clock.now() // 1000))

    async def met(self, user: int) -> dict[int, int]:
        """Return with whom somebody has played, and how many games."""
        return await self.store.read(lambda db: books.met(db, user))

    def tell_ruling(self, user: int, what: str, reason: str, until: int | None, room: int | None = None) -> None:
        """Tell somebody what a moderator has done about him, and why (P-95)."""
        where = {} if room is None else {"room": room}
        self.notes.ruled(user, {"what": what, "reason": reason, "until": until, **where})

    async def name(self, user: int, room: int, *, on: bool, by: int | None) -> bool:
        """Make a user a moderator of a room, or end it, and tell him and the room; tell whether anything changed.

        Raises HallError("NOT_FOUND") for no room; what a room has that is gone can still be ended.
        """
        if on:
            self.lobby.room(room)
        write = self.keepers.name if on else self.keepers.unname
        done = await write(user, room, by=by, now=self.clock.now())
        if done:
            await self._know([user])
            self.notes.named(user, room, on=on)
            self.lobby.informed(room)
        return done

    async def reverse(self, game_id: str, user: int, reason: str, *, by: int | None) -> bool:
        """Give back what a game took from somebody; tell whether it took anything (P-33).

        Raises HallError: NOT_FOUND for no finished game, LIMIT_REACHED when it is too long ago or done.
        """
        rows = await self.store.read(partial(books.game_rows, id=game_id))
        if not replay.is_finished(rows):
            raise HallError("NOT_FOUND")
        days = self.config.order.reverse_days
        now = self.clock.now()
        if rows[-1].now < now - days * 86_400_000:
            raise HallError("LIMIT_REACHED", most=days)
        done = await self.store.read(partial(books.reversals, game=game_id))
        if user in done:
            raise HallError("LIMIT_REACHED", most=1)
        at = (await self.ledger.passes(user)).get(rows[0].data["game"], Pass())
        data = reversal(rows, user, at, self.umpire.tune.climb)
        if data is None:
            return False
        await self.ledger.reverse({**data, "reason": reason}, by=by, now=now)
        await self.refresh(user)
        self.tell_ruling(user, "reverse", reason, None)
        return True

    async def scores(self, user: int) -> dict[str, Standing]:
        """Return what a user has in every game."""
        return await self.ledger.standings(user)

    async def quit_all(self, user: User, *, confirm: bool, for_good: bool = False) -> None:
        """Give up the seats of somebody who signs out; HallError("CONFIRM_QUIT") says what all of it costs (P-26).

        Where leaving costs nothing the seat is given up at once, like by `stand`. Turn-based games wait for him
        (P-27), unless he goes for good; a guest does.
        """
        costs: list[Json] = []
        for id in self.tables_of(user):
            if self.days.find(id) is not None and not for_good and user.kind != "guest":
                continue
            if desk := await self.umpire.desk(id):
                stand = commands.Stand(cid=f"out-{secrets.token_hex(12)}", table=id, confirm=confirm)
                try:
                    await self.umpire.ask(desk, stand, By(user.id))
                except HallError as wrong:
                    if wrong.code != "CONFIRM_QUIT":
                        raise
                    costs.append(wrong.facts)
        if costs:
            raise HallError("CONFIRM_QUIT", **_summed(costs))

    async def erase(self, user: User) -> None:
        """Take back what somebody has told this hall who deletes his account: ties, talk, invitations (P-96)."""
        await self.meetings.erase(user)
        await self.ties.erase(user.id)
        await self.circles.erase(user.id)
        for room in self.keepers.rooms(user.id):
            await self.keepers.unname(user.id, room, by=user.id, now=self.clock.now())
            self.lobby.informed(room)
        await self._chat.erase(user.id)

    # News -----------------------------------------------------------------------------------------------------------

    async def _know(self, users: Iterable[int]) -> None:
        for user in users:
            await self.accounts.find(user)

    def _changed(self, desk: Desk, moment: Moment | None) -> None:
        """Note who sits at a table that has just been loaded."""
        for chair in desk.table.chairs:
            if chair.user is not None and chair.presence != "left":
                self._sits.setdefault(chair.user, set()).add(desk.id)
        if moment is None and desk.table.turn_based and self.days.find(desk.id) is None:
            self.days.note(desk, self.clock.now())
        self.lobby.table_changed(desk)

    def _told(self, desk: Desk, moment: Moment) -> None:
        """Note what an event means outside its table."""
        self.days.note(desk, moment.fact.now)
        self.notes.told(desk, moment)
        fact, before, after = moment.fact, moment.before, moment.table
        if fact.of_game and fact.type not in ("game.created", "game.seeded", "game.ended"):
            return
        if before.chairs is not after.chairs:
            old = {chair.user for chair in before.chairs if chair.presence != "left"}
            new = {chair.user for chair in after.chairs if chair.presence != "left"}
            for user in new - old:
                if user is not None:
                    self._sits.setdefault(user, set()).add(desk.id)
            for user in old - new:
                if user is not None and (tables := self._sits.get(user)) is not None:
                    tables.discard(desk.id)
                    if not tables:
                        del self._sits[user]
        if not after.terms.watchers and (before.chairs is not after.chairs or before.terms != after.terms):
            asyncio.get_running_loop().call_soon(self._shut_out, desk)
        if fact.type == "game.created":
            self.umpire.spawn(self.sweep.together(desk))
        if fact.type == "game.ended":
            self.talk.ended(desk)
            self.lobby.paid(desk, fact.data)
            self._paid(desk, moment)
        if fact.type == "table.closed":
            self.talk.closed(desk.id)
        self.lobby.table_changed(desk)

    def _shut_out(self, desk: Desk) -> None:
        """Send those away who may no longer look on: the table wants no watchers, and all seats are taken (P-16)."""
        for session in [one for one in self.sessions if desk.listeners.get(one, 0) is None]:
            try:
                self._may_see(desk.table, session.user_id, session.keys.get(desk.id))
            except HallError:
                self.leave(session, desk.id)
                session.say(wire.Rejoin(desk.id))

    def _paid(self, desk: Desk, moment: Moment) -> None:
        """Let the other tables where somebody sits know what he has now."""
        for paid in moment.fact.data["paid"]:
            user = moment.table.chairs[paid["seat"]].user
            if user is not None and paid["credibility"] is not None and self._sits.get(user, set()) - {desk.id}:
                self.umpire.spawn(self.refresh(user))


def _summed(costs: Sequence[Json]) -> Json:
    """Return what several quits cost together; null where none of them costs any of it."""
    said = {name: [each[name] for each in costs if each[name] is not None] for name in costs[0]}
    return {name: sum(amounts) if amounts else None for name, amounts in said.items()}


def tune_of(config: Config) -> Tune:
    """Return the numbers a table goes by."""
    seats, clocks = config.seats, config.clocks
    return Tune(
        grace=1000 * seats.grace_s,
        unready=1000 * seats.unready_s,
        again=1000 * seats.again_s,
        offer=1000 * seats.offer_s,
        seed=1000 * seats.seed_s,
        lag=clocks.lag_ms,
        lag_game=clocks.lag_game_ms,
        flags_in_row=clocks.flags_in_row,
        flags_in_game=clocks.flags_in_game,
        too_few=config.coins.too_few,
        engines=tuple(config.engines),
        climb=Climb(config.passes.up, config.passes.down, config.passes.strict, config.passes.passes),
        record_coins=config.passes.record_coins if config.coins.enabled else 0,
        waits=1000 * config.pairing.invite_days_s,
        sweep=1000 * clocks.days_sweep_s,
        idle_s=86400 * config.ranking.idle_days,
        round_fine=config.seats.round_fine,
    )


def script() -> tuple[str, str]:
    """Return the name and the SQL of the hall's tables."""
    return "hall", files("qipai.hall").joinpath("tables.sql").read_text("utf-8")
