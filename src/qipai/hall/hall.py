"""The hall: creates its parts, gives each what it needs, and opens and shuts them.

A part receives what it needs in its constructor: the parts below it as they are, and for those above it a small
protocol (`live.ports`, `rooms.session.SessionPorts`) or a single function. A refusal raises HallError; if a table
refuses later, the answer goes over the session's connection.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from importlib.resources import files
from typing import Any, Final

from qipai.accounts.model import User
from qipai.config import Config
from qipai.hall.live import books
from qipai.hall.live.addresses import Addresses
from qipai.hall.live.bot_players import BotPlayers, Thinker
from qipai.hall.live.correspondence import Correspondence
from qipai.hall.live.daily_boards import Dailies
from qipai.hall.live.limits import limits_of
from qipai.hall.live.live_table import LiveTable
from qipai.hall.live.membership import Membership
from qipai.hall.live.ports import Accounts, Luck, NoWishes, Output, Wishes
from qipai.hall.live.recovery import Said
from qipai.hall.live.runner import Chance, TableRunner
from qipai.hall.live.seating import Seating
from qipai.hall.live.shared_deals import SharedDeals
from qipai.hall.live.timers import Clock
from qipai.hall.order.fair_play_scan import FairPlayScan
from qipai.hall.order.report_context import ReportContexts
from qipai.hall.records.account_deletion import Deletion
from qipai.hall.records.archive import Archive
from qipai.hall.records.history import History
from qipai.hall.records.shelf import Shelf
from qipai.hall.rooms import rooms
from qipai.hall.rooms.admission import Admission
from qipai.hall.rooms.advice import Adviser
from qipai.hall.rooms.attendance import Attendance
from qipai.hall.rooms.audience import Audience
from qipai.hall.rooms.balances import Balances
from qipai.hall.rooms.chats import Chats
from qipai.hall.rooms.dispatch import Dispatch
from qipai.hall.rooms.eligibility import Eligibility
from qipai.hall.rooms.finder import Finder
from qipai.hall.rooms.healing import Healing
from qipai.hall.rooms.inside import Inside
from qipai.hall.rooms.invitations import Invitations
from qipai.hall.rooms.lobby import Lobby
from qipai.hall.rooms.manners import Manners
from qipai.hall.rooms.moderators import Moderators
from qipai.hall.rooms.notes import Notes
from qipai.hall.rooms.people import People
from qipai.hall.rooms.room_boards import RoomBoards
from qipai.hall.rooms.rooms import Room
from qipai.hall.rooms.session import Session
from qipai.hall.rooms.sign_out import SignOut
from qipai.hall.rooms.songs import Songs
from qipai.hall.rooms.table_creation import TableCreation
from qipai.hall.rooms.talk import Talk
from qipai.hall.table.events import Closed, DealCreated, DealSeeded, Seated, Settled
from qipai.hall.table.model import Table
from qipai.hall.table.system_commands import Away, Board
from qipai.hall.table.terms import Terms
from qipai.hall.table.update import Applied
from qipai.ledger import Holdings
from qipai.ledger.service import Ledger
from qipai.moderation.keepers import Keepers
from qipai.moderation.service import Order
from qipai.social.chat import Chat
from qipai.social.circles import Circles
from qipai.social.ties import Ties
from qipai.store import LogEntry, Store

__all__ = ["Hall", "script"]

LEISURE: Final = 3.0  # pause after loading a table at the start, in loading times, so that the hall can serve


class Hall:
    """All rooms and tables of one installation."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        config: Config,
        clock: Clock,
        thinker: Thinker,
        *,
        places: Sequence[Room] | None = None,
        wishes: Wishes | None = None,
        output: Output | None = None,
        luck: Luck | None = None,
    ) -> None:
        """places: the rooms, with their numbers; None: for every game a friendly one and one for score."""
        self.config, self.clock, self.accounts, self.store = config, clock, accounts, store
        wishes = wishes or NoWishes(config.coins.daily_loss)
        limits = limits_of(config)
        self._places = places
        self.rooms: dict[int, Room] = {}  # filled when the hall opens
        self.closing = False  # whether the hall is shutting down
        self.refusals: Counter[str] = Counter()  # since the start, by code
        # Tables of contests where a game has ended or will never begin, for the part that runs the contests.
        self.contest_tables: asyncio.Queue[int] = asyncio.Queue()
        # Beside the tables.
        self.ledger = Ledger(store, config)
        numbers = config.chat
        self.chat = Chat(
            store,
            chars=numbers.chars,
            lines=numbers.lines,
            seconds=numbers.lines_s,
            kept=numbers.kept,
            days=numbers.days,
        )
        self.ties = Ties(store, config.order.blocks)
        self.circles = Circles(store, config.order.groups, config.order.group_people)
        self.order = Order(store)
        self.keepers = Keepers(store)
        # Tables at work.
        self.addresses = Addresses()
        self.seating = Seating()
        self.runner = TableRunner(
            store,
            self.ledger,
            clock,
            limits,
            BotPlayers(thinker, config.bots.pace_ms),
            _TablePorts(self),
            output=output,
            luck=luck,
        )
        membership = self.membership = Membership(self.ledger, config, clock)
        self.correspondence = Correspondence(store, clock, self.runner, self.seating, membership, wishes)
        self.dailies = Dailies(store)
        self.shared_deals = SharedDeals(store, clock, luck or Chance())
        # Rooms and people.
        self.people = People(store, accounts, clock, self.runner, self.seating, self.correspondence, wishes)
        self.finder = Finder(self.runner, self.correspondence, self.rooms)
        self.notes = Notes(self.runner, self.people, self.correspondence, lambda user: self.invitations.to(user))
        self.balances = Balances(self.ledger, clock, self.runner, self.seating, wishes)
        self.room_boards = RoomBoards(
            store, clock, self.runner.timers, self.shared_deals, self.rooms, self.runner.spawn, self.notes.board
        )
        self.inside = Inside(self.ties)
        self.chats = Chats(store, accounts, self.chat, self.ties)
        self.talk = Talk(
            self.chat,
            accounts,
            clock,
            self.runner,
            self.rooms,
            self.inside,
            self.chats,
            self.ties,
            self.order,
            self.notes.ruled,
            lambda live, phrase: self.manners.heard(live, phrase),
        )
        # Where bots take no time nobody is meant to follow what they do: there they say nothing either.
        self.manners = Manners(self.runner, self.talk.of_bot, on=config.bots.phrases and config.bots.pace_ms > 0)
        self.lobby = Lobby(
            store,
            accounts,
            self.ledger,
            self.runner,
            self.correspondence,
            self.people,
            self.balances,
            self.rooms,
            self.inside,
            self.talk,
            self.keepers,
        )
        self.songs = Songs(accounts, clock, self.rooms, self.inside, self.talk, config.shop)
        self.creation = TableCreation(
            store,
            clock,
            self.ledger,
            self.runner,
            self.correspondence,
            self.seating,
            self.people,
            self.balances,
            self.rooms,
            self.lobby,
            self.ties,
            self.circles,
            config.limits,
        )
        self.eligibility = Eligibility(self.ledger, self.correspondence, self.ties, membership, wishes)
        self.invitations = Invitations(
            store,
            accounts,
            clock,
            self.runner,
            self.correspondence,
            self.people,
            self.creation,
            self.notes,
            self.ties,
            self.eligibility,
            config.pairing,
        )
        self.audience = Audience(
            store,
            accounts,
            clock,
            self.runner,
            self.finder,
            self.people,
            self.talk,
            self.circles,
            self.ties,
            config.limits,
            self.lobby.table_changed,
        )
        self.adviser = Adviser(self.runner)
        self.moderators = Moderators(accounts, clock, self.keepers, self.lobby, self.notes)
        self.sign_out = SignOut(self.runner, self.people, self.correspondence)
        self.attendance = Attendance(
            accounts,
            clock,
            self.runner,
            self.addresses,
            self.people,
            self.audience,
            self.lobby,
            self.chats,
            self.invitations,
            _SessionPorts(self),
            lambda: self.closing,
        )
        admission = Admission(
            config,
            self.runner,
            self.seating,
            self.addresses,
            self.correspondence,
            self.balances,
            self.creation,
            self.rooms,
        )
        self.dispatch = Dispatch(
            clock, self.runner, self.finder, admission, self.audience, self.lobby, self.talk, self.chats, self.circles
        )
        self.healing = Healing(
            self.runner, self.people, self.audience, self.lobby, self.inside, self.chats, self.attendance.detach
        )
        # Records and order.
        self.history = History(store)
        self.shelf = Shelf(store, clock)
        self.archive = Archive(
            store,
            accounts,
            clock,
            self.ledger,
            self.runner,
            self.people,
            self.balances,
            self.notes,
            self.shelf,
            config.order,
        )
        self.deletion = Deletion(
            clock,
            self.invitations,
            self.ties,
            self.circles,
            self.shelf,
            self.keepers,
            self.lobby,
            self.chat,
            self.order,
        )
        self.report_contexts = ReportContexts(store, self.chat, self.order, self.rooms)
        # what is done when a game that goes on from another is over, or its table is gone
        self.gone_on: Callable[[int], Coroutine[Any, Any, None]] | None = None
        self.fair_play_scan = FairPlayScan(
            store, accounts, clock, self.order, self.addresses, limits.climb, config.flags
        )

    # Opening and closing --------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Open all parts, and load the tables in use in the background while the hall already answers."""
        await self._open_rooms()
        await self.ties.open()
        await self.order.open()
        await self.keepers.open()
        await self.chats.open()
        await self.accounts.meet(keeper.user for keeper in self.keepers.all())
        await self.invitations.open()
        await self.creation.open()
        used = await self.runner.cache.open()
        await self.correspondence.open()
        self.runner.cache.begin()
        for id, people in used:
            for user in people:
                self.seating.sat(user, id)
        self.lobby.open()
        if used:
            self.runner.spawn(self._wake([id for id, _people in used]))
        self.correspondence.sweep()
        await self.room_boards.open()
        self.runner.spawn(self.chat.sweep(self.clock.now()))

    async def _open_rooms(self) -> None:
        """Give every room its permanent number; the log has those given before (stream `room:<id>`)."""
        known = await self.store.read(books.rooms_opened)
        found = self._places
        if found is None:
            found = rooms.settled(rooms.default_rooms(self.config), known)
        self.rooms.update(rooms.of_hall(found, known, self.config.watching.delay_s))
        new = [room for room in self.rooms.values() if room.id not in known]
        if new:
            facts = [
                LogEntry(f"room:{room.id}", 1, "room.opened", {"game": room.game, "kind": room.kind, "key": room.key})
                for room in new
            ]
            await self.store.append(facts, self.clock.now())

    async def _wake(self, ids: Iterable[int]) -> None:
        """Load tables slowly in the background; a table to which somebody comes back is loaded at once."""
        time = asyncio.get_running_loop().time
        for id in ids:
            began = time()
            await self.runner.cache.find(id)
            await asyncio.sleep(LEISURE * (time() - began))

    async def stood_still(self, since: int, until: int) -> None:
        """Extend all clocks by a time in which the hall did not run, as after a restart (P-100)."""
        for live in list(self.runner.tables.values()):
            if live.table.playing or live.table.coming is not None:
                self.runner.give(live, until - since, None)
        await self.correspondence.stood_still(since, until)

    async def shut(self) -> None:
        """Stop. Everything acknowledged is in the store."""
        self.closing = True
        if not self.runner.over:
            await self.runner.shut()
            await self.runner.cache.close()


class _SessionPorts:
    """What sessions need from a hall."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def keeps(self, user: int, room: int) -> bool:
        return self._hall.keepers.keeps(user, room)

    def show(self, session: Session, table: int, found: Sequence[tuple[int, Said]] | None = None) -> None:
        self._hall.audience.show(session, table, found)

    def failed(self, session: Session, wrong: Exception) -> None:
        self._hall.attendance.failed(session, wrong)

    def refused(self, code: str) -> None:
        self._hall.refusals[code] += 1


class _TablePorts:
    """What live tables need from a hall, and the effects of their events outside the table."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def who(self, id: int) -> User | None:
        return self._hall.accounts.peek(id)

    def present(self, user: int) -> bool:
        return self._hall.people.here(user)

    async def know(self, users: Iterable[int]) -> None:
        await self._hall.accounts.meet(users)

    async def holdings(self, table: Table, user: int) -> Holdings:
        return await self._hall.balances.at(table, user)

    def board(self, room: int, people: frozenset[int]) -> AbstractAsyncContextManager[Board]:
        return self._hall.room_boards.choose(room, people)

    async def relieve(self, user: int, table: int) -> None:
        await self._hall.correspondence.relieve(user, table)

    def down(self, last: int) -> int:
        return self._hall.correspondence.lost(last)

    def sleeping(self) -> bool:
        return self._hall.correspondence.some

    def loaded(self, live: LiveTable) -> None:
        """Note who sits at a table that has just been loaded."""
        for chair in live.table.chairs:
            if chair.user is not None and chair.presence != "left" and live.table.state != "closed":
                self._hall.seating.sat(chair.user, live.id)
        self._hall.lobby.table_changed(live, known=self._hall.correspondence.woke(live))

    def unloaded(self, table: int) -> None:
        """Note that a table has left memory; the database knows who sits at a sleeping one."""
        self._hall.talk.closed(table)
        self._hall.manners.forget(table)
        slow = self._hall.correspondence.slept(table)
        if slow is not None:
            for user in slow.users:
                self._hall.seating.rose(user, table)
            self._hall.lobby.slept(table, slow.room)

    def told(self, live: LiveTable, change: Applied) -> None:
        """Apply the effects of an event outside its table."""
        self._hall.correspondence.note(live, change.event.now)
        self._hall.notes.told(live, change)
        self._hall.manners.told(live, change)
        what, before, after = change.event.what, change.before, change.table
        if what.OF_GAME and not isinstance(what, (DealCreated, DealSeeded, Settled)):
            return
        if before.chairs is not after.chairs or isinstance(what, Closed):
            self._hall.seating.reseated(before, after)
        if _closed_to_watchers(after.terms) and (before.chairs is not after.chairs or before.terms != after.terms):
            asyncio.get_running_loop().call_soon(self._hall.audience.shut_out, live)
        if after.setting.contest is not None and isinstance(what, (Settled, Closed)):
            self._hall.contest_tables.put_nowait(live.id)
        match what:
            case Seated() if isinstance(what.user, int):
                self._tidy(what.user, live.id)
            case DealCreated():
                self._hall.runner.spawn(self._hall.fair_play_scan.together(live))
            case Settled():
                self._hall.talk.ended(live)
                self._hall.lobby.paid(live)
                self._hall.balances.paid(live, what)
                self._gone_on(live)
                if after.setting.duplicate:
                    self._hall.runner.spawn(self._hall.room_boards.tend(after.setting.room))
            case Closed():
                self._hall.talk.closed(live.id)
                self._gone_on(live)
        self._hall.lobby.table_changed(live)

    def _gone_on(self, live: LiveTable) -> None:
        start = live.table.setting.start
        if start is not None and start.game is not None and self._hall.gone_on is not None:
            self._hall.runner.spawn(self._hall.gone_on(live.id))

    def _tidy(self, user: int, but: int) -> None:
        """When somebody sits down, free their seats at idle tables that they do not look at."""
        for id in self._hall.people.awake(user):
            live = self._hall.runner.tables.get(id)
            if id == but or live is None or any(one.user_id == user for one in live.listeners):
                continue
            self._hall.runner.submit(live, Away(user))


def _closed_to_watchers(terms: Terms) -> bool:
    """Tell whether not everybody may watch a table whose seats are taken."""
    return not terms.watchers or terms.group_watch


def script() -> tuple[str, str]:
    """Return the name and the SQL of the hall's tables."""
    return "hall", files("qipai.hall").joinpath("tables.sql").read_text("utf-8")
