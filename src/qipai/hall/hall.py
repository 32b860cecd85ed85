"""The hall for those above it: sessions and their commands, and by name all that the hall is made of.

`people`: who is here and sits where; `audience`: who looks at which table; `purses`: what people bring there;
`archive`: finished games; `shelf`: those from files; `lobby`: the rooms; `doors`: new tables. Whatever is refused
raises HallError; what a table refuses later is answered over the session's connection.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from functools import partial
from importlib.resources import files
from time import monotonic
from typing import Any, Final, Protocol

from msgspec import structs

from qipai.accounts.model import User
from qipai.accounts.text import plain
from qipai.bus import Bus, Local
from qipai.config import Config
from qipai.hall.live import books
from qipai.hall.live.addresses import Origin, Origins
from qipai.hall.live.advice import Adviser
from qipai.hall.live.audience import Audience
from qipai.hall.live.bot_players import Players, Thinker
from qipai.hall.live.correspondence import Days
from qipai.hall.live.daily_boards import Dailies
from qipai.hall.live.limits import tune_of
from qipai.hall.live.live_table import Desk
from qipai.hall.live.runner import Umpire
from qipai.hall.live.session import Connection, Session
from qipai.hall.live.timers import Clock
from qipai.hall.order.fair_play_scan import Sweep
from qipai.hall.records.archive import Archive
from qipai.hall.records.history import Past
from qipai.hall.records.shelf import Shelf
from qipai.hall.rooms import rooms
from qipai.hall.rooms.balances import Purses
from qipai.hall.rooms.healing import Healing
from qipai.hall.rooms.invitations import Meetings
from qipai.hall.rooms.lobby import Lobby
from qipai.hall.rooms.notices import Notes
from qipai.hall.rooms.people import People
from qipai.hall.rooms.rooms import Room
from qipai.hall.rooms.songs import Songs
from qipai.hall.rooms.table_creation import Doors
from qipai.hall.rooms.talk import Talk
from qipai.hall.table import commands
from qipai.hall.table.clock import by_days
from qipai.hall.table.errors import HallError, busy
from qipai.hall.table.handle import Moment
from qipai.hall.table.system_commands import Away, By, Found, Lag, Lost
from qipai.ledger.service import Ledger, Standing
from qipai.moderation.keepers import Keepers
from qipai.moderation.service import Order
from qipai.social.chat import Chat
from qipai.social.circles import Circles
from qipai.social.ties import Ties
from qipai.store import Event, Store, Unwritten

__all__ = ["Accounts", "Hall", "script"]

log = logging.getLogger("qipai.hall")

FAILED: Final = 1011  # the code of a line that ends by a mistake of the house's own
LEISURE: Final = 3.0  # a hall that starts rests so much longer than it takes to wake a table, and serves meanwhile
LAG_STEP_MS: Final = 20  # a line's speed is worth a note when it has changed by so much


class Accounts(Protocol):
    """What the hall asks of accounts."""

    def peek(self, id: int) -> User | None:
        """Return a user at once, None when there is none."""
        ...

    async def find(self, id: int) -> User | None:
        """Return a user, None when there is none."""
        ...

    async def meet(self, ids: Iterable[int]) -> None:
        """Have these users at hand, so that `peek` need not look for each."""
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
        self.people = People(self)
        self.purses = Purses(self)
        self.audience = Audience(self)
        self.archive = Archive(self)
        self.shelf = Shelf(store, clock)
        self.adviser = Adviser(self)
        self.rooms: dict[int, Room] = {}
        self._places = places
        self.umpire = Umpire(store, self.ledger, clock, tune_of(config), Players(thinker, config.bots.pace_ms))
        self.umpire.who = accounts.peek
        self.umpire.awake.know = self.know
        self.umpire.purse = self.purses.at
        self.umpire.awake.present = self.people.here
        self.umpire.awake.changed = self._changed
        self.umpire.told = self._told
        self.umpire.awake.gone = self._gone
        chat = config.chat
        self.chat = Chat(
            store, chars=chat.chars, lines=chat.lines, seconds=chat.lines_s, kept=chat.kept, days=chat.days
        )
        self.talk = Talk(self, self.chat)
        self.ties = Ties(store, config.order.blocks)
        self.circles = Circles(store, config.order.groups, config.order.group_people)
        self.order = Order(store)
        self.keepers = Keepers(store)
        self.lobby = Lobby(self)
        self.songs = Songs(self)
        self.meetings = Meetings(self)
        self.doors = Doors(self)
        self.days = Days(self)
        self.umpire.awake.down = self.days.lost
        self.umpire.relieve = self.days.relieve
        self.umpire.awake.sleeping = lambda: self.days.some
        self.notes = Notes(self)
        self.past = Past(store)
        self.dailies = Dailies(store)
        self.sessions: set[Session] = set()
        self._failed: set[Session] = set()  # that are about to be let go
        self.closing = False  # the hall goes down
        self.origins = Origins()
        self.sweep = Sweep(self)
        self.healing = Healing(self)
        self.invitable: Callable[[int, Collection[int]], Awaitable[set[int]]] = self._all  # by one, of several (P-5)

    # Opening and closing --------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Wake the tables where something was going on, in the background: the hall answers meanwhile."""
        await self._open_rooms()
        await self.ties.open()
        await self.order.open()
        await self.keepers.open()
        await self.know(keeper.user for keeper in self.keepers.all())
        await self.meetings.open()
        await self.doors.open()
        used = await self.umpire.awake.open()
        await self.days.open()
        self.umpire.awake.begin()
        for id, people in used:
            for user in people:
                self.people.sat(user, id)
        self.lobby.open()
        if used:
            self.umpire.spawn(self._wake([id for id, _people in used]))
        self.days.sweep()
        self.umpire.spawn(self.chat.sweep(self.clock.now()))

    async def _open_rooms(self) -> None:
        """Give every room its number, for ever: the log knows those that were given (stream `room:<id>`)."""
        known = await self.store.read(books.rooms_opened)
        found = self._places
        if found is None:
            found = rooms.settled(rooms.default_rooms(self.config), known)
        self.rooms = rooms.of_hall(found, known, self.config.watching.delay_s)
        new = [room for room in self.rooms.values() if room.id not in known]
        if new:
            facts = [
                Event(f"room:{room.id}", 1, "room.opened", {"game": room.game, "kind": room.kind, "key": room.key})
                for room in new
            ]
            await self.store.append(facts, self.clock.now())

    async def _wake(self, ids: Iterable[int]) -> None:
        """Wake tables at leisure; one to which somebody comes back is awake at once."""
        for id in ids:
            began = monotonic()
            await self.umpire.awake.desk(id)
            await asyncio.sleep(LEISURE * (monotonic() - began))

    async def stood_still(self, since: int, until: int) -> None:
        """Give all clocks back a time in which the hall did not run, as after a restart (P-100)."""
        for desk in list(self.umpire.desks.values()):
            if desk.table.playing or desk.table.coming is not None:
                self.umpire.give(desk, until - since, None)
        await self.days.stood_still(since, until)

    async def shut(self) -> None:
        """Stop; everything acknowledged is in the store."""
        self.closing = True
        if not self.umpire.over:
            await self.umpire.shut()
            await self.umpire.awake.close()

    # Sessions -------------------------------------------------------------------------------------------------------

    def attach(
        self,
        connection: Connection,
        user: User | None,
        *,
        moderator: bool = False,
        person: bool = True,
        origin: Origin | None = None,
        unproven: bool = False,
    ) -> Session:
        """Return the session of a line that has said hello. The first line of a user brings him back to his seats.

        moderator: of the whole hall. person: no program with a token, which keeps no order whoever it belongs to.
        origin: from where the line comes, None: from this machine itself, where all may sit together. unproven: without
        the second factor that this hall asks for who keeps its order.
        """
        session = Session(self, connection, user, moderator=moderator, person=person, origin=origin, unproven=unproven)
        self.sessions.add(session)
        if user is not None:
            self.origins.came(user.id, session)
            if self.people.came(user.id, session):
                self._each(
                    partial(self.accounts.came, user.id, self.clock.now() // 1000),
                    *(partial(self.people.at_table, user.id, id, Found(user.id)) for id in self.people.awake(user.id)),
                    partial(self.lobby.came, user),
                )
        return session

    def detach(self, session: Session) -> None:
        """Forget a line that is closed. Whatever fails on the way, the rest is done: nobody stays who is gone."""
        if session not in self.sessions:
            return  # it has failed, and was let go then
        self.sessions.discard(session)
        self._each(
            *(partial(self.audience.leave, session, id) for id in session.tables),
            *(partial(self.lobby.exit, session, id) for id in session.rooms),
        )
        user = session.user
        if user is not None and self.people.here(user.id):
            self.origins.went(user.id, session)
            if self.people.went(user.id, session):
                # A hall that goes down takes the lines with it: nobody has lost his, and who comes back has his seat.
                tables = () if self.closing else self.people.awake(user.id)
                self._each(
                    partial(self.accounts.went, user.id, self.clock.now() // 1000),
                    partial(self.meetings.forget, user.id),
                    *(partial(self.people.at_table, user.id, id, Lost(user.id)) for id in tables),
                    partial(self.lobby.went, user),
                )

    @staticmethod
    def _each(*steps: partial[Any]) -> None:
        """Take all of several steps; one that fails is logged and does not keep the others from being taken."""
        for step in steps:
            try:
                step()
            except Exception:
                log.exception("a line came or went, and %s failed", step.func.__qualname__)

    def failed(self, session: Session, wrong: Exception) -> None:
        """Let go of a line that cannot be spoken to, as soon as whoever speaks has spoken to all others."""
        if session in self.sessions and session not in self._failed:
            self._failed.add(session)
            log.warning("a line of user %s takes nothing any more: %r", session.user_id, wrong)
            asyncio.get_running_loop().call_soon(self._let_go, session)

    def _let_go(self, session: Session) -> None:
        self._failed.discard(session)
        session.close(FAILED)
        self.detach(session)

    def renamed(self, user: User) -> None:
        """Show somebody under his new name wherever he is seen now."""
        for session in self.sessions:
            if session.user_id == user.id:
                session.user = user
        for id in self.people.awake(user.id):
            if desk := self.umpire.desks.get(id):
                self.umpire.anew(desk)
                self.lobby.table_changed(desk)

    def lag(self, session: Session, ms: int) -> None:
        """Note how long a line's round trip takes (P-23)."""
        user = session.user_id
        if user is None or abs(ms - session.lag) < LAG_STEP_MS:
            return
        session.lag = ms
        for id in set(session.tables).intersection(self.people.awake(user)):
            if desk := self.umpire.desks.get(id):
                self.umpire.submit(desk, Lag(user, ms))

    # Commands -------------------------------------------------------------------------------------------------------

    async def handle(self, session: Session, command: Any) -> None:
        """Take a command; it is answered through the session's connection, when its time has come.

        Returns when the next command may be given, which is not yet when this one is answered. Raises HallError for
        what is refused at once.
        """
        try:
            await self._handle(session, command)
        except Unwritten as wrong:
            raise busy(wrong) from wrong

    async def _handle(self, session: Session, command: Any) -> None:
        match command:
            case commands.Join():
                await self.audience.join(session, command)
            case commands.Leave():
                self.audience.leave(session, command.table)
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

    def awake(self, table: int) -> bool:
        """Tell whether a table is in memory: then it takes an action at once."""
        return table in self.umpire.desks

    def act(self, session: Session, act: commands.Act) -> None:
        """Take an action for a table that is awake, as `handle` does. Raises HallError for what is refused at once."""
        user = self._signed_in(session)
        desk = self.umpire.desks[act.table]
        desk.last_used = self.clock.now()
        self.umpire.submit(desk, act, self._by(session, user, desk), session.answer(act, desk.id))

    @staticmethod
    def _signed_in(session: Session) -> User:
        if session.user is None:
            raise HallError("SIGN_IN")
        return session.user

    @staticmethod
    def _by(session: Session, user: User, desk: Desk) -> By:
        """Return who gives a table a command; raises HallError where the table is no more."""
        table = desk.table
        if table.state == "closed":
            raise HallError("NO_SUCH_TABLE")
        return By(
            user.id,
            guest=user.kind == "guest",
            bot=user.kind == "bot",
            moderator=session.moderates(table.setting.room),
            unproven=session.barred(table.setting.room),
        )

    async def _at_table(self, session: Session, command: Any) -> None:
        """Give a table a command of somebody."""
        user = self._signed_in(session)
        desk = await self.desk(command.table)
        if desk is None:
            raise HallError("NO_SUCH_TABLE")
        by = self._by(session, user, desk)
        if isinstance(command, commands.Sit):
            if command.key is not None:
                self.audience.tried(desk.table, user.id, command.key, session.address)
            by = await self._sitter(session, user, desk)
            desk = await self.audience.with_talk(desk)
        elif isinstance(command, commands.Remove) and command.why:
            command = structs.replace(command, why=plain(command.why))
        elif isinstance(command, commands.Set | commands.Fill) and desk.table.rows == 0:
            raise HallError("NOT_SEATED")
        elif isinstance(command, commands.Set) and by_days(command.clock) and not desk.table.turn_based:
            await self.days.may_have(user, slow=True)
        elif isinstance(command, commands.Ready) and command.on:
            await self.purses.may_stake(desk.table, user)  # who sits on must not lose on, either
        if isinstance(command, commands.Seed):
            self.umpire.submit(desk, command, by)
            return
        answer = session.answer(command, desk.id)
        if isinstance(command, commands.Sit):
            answer = partial(self.audience.seated, session, desk, answer)
        self.umpire.submit(desk, command, by, answer)

    async def _sitter(self, session: Session, user: User, desk: Desk) -> By:
        """Return who sits down, with what a table must know of him."""
        table = desk.table
        opening = None
        if table.setting.kind in ("pass", "coin") and not self.config.order.same_address:
            others = {chair.user for chair in table.chairs if chair.user is not None} - {user.id}
            if any(self.origins.shared(user.id, other) for other in others):
                raise HallError("SAME_ADDRESS")
        if table.seat_of(user.id) is None:
            self.people.may_sit_more(user.id, self.config.limits.seats)
        await self.purses.may_stake(table, user)
        purse = await self.purses.brought(table, user)
        await self.doors.may_sit(table, user, purse)
        if not table.setting.made:
            opening = rooms.opening(self.rooms[table.setting.room], table.id, table.setting.no)
        return By(
            user.id,
            purse,
            guest=user.kind == "guest",
            bot=user.kind == "bot",
            moderator=session.moderates(table.setting.room),
            unproven=session.barred(table.setting.room),
            key=session.keys.get(table.id),
            opening=opening,
        )

    # Tables ---------------------------------------------------------------------------------------------------------

    async def desk(self, id: int) -> Desk | None:
        """Return a table: a live one, one of the log, or a room's at which nobody has sat yet."""
        desk = await self.umpire.awake.desk(id)
        if desk is not None or (place := rooms.place_of(id)) is None:
            return desk
        room = self.rooms.get(place[0])
        if room is None or not 1 <= place[1] <= room.tables:
            return None
        return self.umpire.awake.place(rooms.unopened(room, id, place[1]))

    def playing(self, table: int) -> bool:
        """Tell whether a game runs at a table."""
        desk = self.umpire.desks.get(table)
        slow = self.days.find(table)
        return desk.table.playing if desk is not None else slow is not None and slow.state == "playing"

    async def know(self, users: Iterable[int]) -> None:
        """Make sure that these users are found at once."""
        await self.accounts.meet(users)

    # What those above ask -------------------------------------------------------------------------------------------

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
            await self.know([user])
            self.notes.named(user, room, on=on)
            self.lobby.informed(room)
        return done

    async def scores(self, user: int) -> dict[str, Standing]:
        """Return what a user has in every game."""
        return await self.ledger.standings(user)

    async def _all(self, by: int, users: Collection[int]) -> set[int]:
        return set(users)

    # News -----------------------------------------------------------------------------------------------------------

    def _changed(self, desk: Desk) -> None:
        """Note who sits at a table that has just been loaded."""
        for chair in desk.table.chairs:
            if chair.user is not None and chair.presence != "left":
                self.people.sat(chair.user, desk.id)
        self.lobby.table_changed(desk, known=self.days.woke(desk))

    def _gone(self, table: int) -> None:
        """Note that a table has left memory; who sits at one that sleeps is read in the books."""
        self.talk.closed(table)
        slow = self.days.slept(table)
        if slow is not None:
            for user in slow.users:
                self.people.rose(user, table)
            self.lobby.slept(table, slow.room)

    def _told(self, desk: Desk, moment: Moment) -> None:
        """Note what an event means outside its table."""
        self.days.note(desk, moment.fact.now)
        self.notes.told(desk, moment)
        fact, before, after = moment.fact, moment.before, moment.table
        if fact.of_game and fact.type not in ("game.created", "game.seeded", "game.ended"):
            return
        if before.chairs is not after.chairs:
            self.people.reseated(before, after)
        if not after.terms.watchers and (before.chairs is not after.chairs or before.terms != after.terms):
            asyncio.get_running_loop().call_soon(self.audience.shut_out, desk)
        if fact.type == "table.sat" and fact.data.get("user") is not None:
            self._tidy(fact.data["user"], desk.id)
        if fact.type == "game.created":
            self.umpire.spawn(self.sweep.together(desk))
        if fact.type == "game.ended":
            self.talk.ended(desk)
            self.lobby.paid(desk, fact.data)
            self.purses.paid(desk, moment)
        if fact.type == "table.closed":
            self.talk.closed(desk.id)
        self.lobby.table_changed(desk)

    def _tidy(self, user: int, but: int) -> None:
        """Let somebody who sits down at a table get up from those that lie open and that he does not look at."""
        for id in self.people.awake(user):
            desk = self.umpire.desks.get(id)
            if id == but or desk is None or any(one.user_id == user for one in desk.listeners):
                continue
            self.umpire.submit(desk, Away(user))


def script() -> tuple[str, str]:
    """Return the name and the SQL of the hall's tables."""
    return "hall", files("qipai.hall").joinpath("tables.sql").read_text("utf-8")
