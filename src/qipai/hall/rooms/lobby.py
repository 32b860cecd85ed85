"""The lobby: people in rooms, the rooms' maps, the live lists (platform P-15, P-72, P-77)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

import msgspec

from qipai import games, ledger
from qipai.accounts.model import User
from qipai.hall.live import books
from qipai.hall.live.correspondence import Correspondence
from qipai.hall.live.live_table import LiveTable
from qipai.hall.live.ports import Accounts
from qipai.hall.live.runner import TableRunner
from qipai.hall.live.small_sets import added, removed
from qipai.hall.rooms import rooms
from qipai.hall.rooms.balances import Balances
from qipai.hall.rooms.inside import Inside
from qipai.hall.rooms.people import People
from qipai.hall.rooms.rooms import Room
from qipai.hall.rooms.session import Session
from qipai.hall.rooms.talk import Talk
from qipai.hall.table import messages as wire
from qipai.hall.table import seats
from qipai.hall.table.errors import HallError
from qipai.ledger import Holdings
from qipai.ledger.service import Ledger
from qipai.moderation.keepers import Keepers
from qipai.store import Store

__all__ = ["Lobby"]

AT_ONCE: Final = 100  # how many sleeping tables are listed before other tasks get their turn


class Lobby:
    """Keeps the rooms' lists, and sends changes to those who see them."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        ledger: Ledger,
        runner: TableRunner,
        correspondence: Correspondence,
        people: People,
        balances: Balances,
        places: Mapping[int, Room],
        inside: Inside,
        talk: Talk,
        keepers: Keepers,
    ) -> None:
        self._store, self._accounts, self._ledger, self._runner, self._correspondence = (
            store,
            accounts,
            ledger,
            runner,
            correspondence,
        )
        self._users, self._balances, self._places, self._inside = people, balances, places, inside
        self._talk, self._keepers = talk, keepers
        self._rows: dict[int, wire.RoomTable] = {}  # rows of the tables in memory, as last shown
        self._cards: dict[int, wire.CardTable] = {}  # of these the tables of card games, as its followers know them
        self._made: dict[int, dict[int, None]] = {}  # by room: tables in memory that people created
        self._holdings: dict[tuple[int, str], Holdings] = {}  # of people inside a room
        self._promised: dict[int, set[int]] = {}  # by room: numbers of tables that are being opened
        self._numbering = asyncio.Lock()

    def open(self) -> None:
        """Open the rooms."""
        self._inside.open(self._places)
        for room in self._places:
            self._made[room] = {}

    # Rooms ----------------------------------------------------------------------------------------------------------

    async def rooms(self, game: str | None = None) -> list[tuple[wire.RoomInfo, int, int]]:
        """Return the rooms, of one game or all, with how many people are there or at tables, and running games."""
        playing = Counter(await self._correspondence.playing())
        people = self._inside.users()
        for live in self._runner.tables.values():
            table = live.table
            playing[table.setting.room] += table.playing
            if table.setting.room in people and not table.terms.private:
                people[table.setting.room].update(
                    chair.user for chair in table.chairs if chair.user is not None and chair.presence != "left"
                )
        return [
            (self._info(room), len(people[room.id]), playing[room.id])
            for room in self._places.values()
            if game is None or room.game == game
        ]

    def _info(self, room: Room) -> wire.RoomInfo:
        """Return a room as clients get it, with its moderators and the minimum of coins, if it names none itself."""
        keepers = (self._accounts.peek(user) for user in self._keepers.of(room.id))
        info = msgspec.structs.replace(rooms.info_of(room), moderators=tuple(user for user in keepers if user))
        if room.kind != "coin":
            return info
        terms = msgspec.structs.replace(room.terms, min_coins=seats.least_coins(room.terms, self._runner.limits))
        return msgspec.structs.replace(info, terms=terms)

    def room(self, id: int) -> Room:
        """Return a room; raises HallError("NOT_FOUND")."""
        found = self._places.get(id)
        if found is None:
            raise HallError("NOT_FOUND")
        return found

    async def snapshot(self, id: int) -> wire.RoomSnapshot:
        """Return a whole room."""
        room = self.room(id)
        await self._talk.open_room(id)
        asleep = await self._asleep(room)
        made = {table: row for table in self._made[id] if (row := self._rows.get(table)) is not None and row.no}
        made |= {table: row for table, row in asleep.items() if table not in self._runner.tables}
        blanks = [rooms.table_id(room, no) for no in range(1, room.tables + 1)]
        rows = [self._rows.get(table) or self._blank(room, table) for table in blanks]
        rows += [made[table] for table in sorted(made)]
        return wire.RoomSnapshot(id, self._info(room), tuple(rows), tuple(self._people(room)), *self._talk.of_room(id))

    async def _asleep(self, room: Room) -> dict[int, wire.RoomTable]:
        """Return the sleeping turn-based tables of a room, as its map shows them."""
        if not (self._correspondence.some and games.find(room.game).by_days):
            return {}
        found = [(id, slow) for id, slow in await self._correspondence.in_room(room.game, room.id) if not slow.private]
        await self._accounts.meet({user for _id, slow in found for user in slow.users if user is not None})
        rows: dict[int, wire.RoomTable] = {}
        for id, slow in found:
            if room.places == len(slow.users):
                rows[id] = rooms.row_asleep(room, id, slow, self._accounts.peek)
                if not len(rows) % AT_ONCE:
                    await asyncio.sleep(0)
        return rows

    def _blank(self, room: Room, id: int) -> wire.RoomTable:
        table = rooms.unopened(room, id, id % rooms.PER_ROOM)
        return rooms.row_of(room, table, 0, self._accounts.peek)

    def _people(self, room: Room) -> list[wire.Person]:
        users = {session.user.id: session.user for session in self._inside.lines(room.id) if session.user is not None}
        return [self._person(room, user) for user in users.values()]

    def _person(self, room: Room, user: User) -> wire.Person:
        holdings = self._holdings.get((user.id, room.game)) if user.kind == "user" else None
        score = None if holdings is None else holdings.score
        at = holdings.pass_.pass_ if holdings is not None and room.kind == "pass" else None
        table = next((id for id in self._users.at(user) if self._room_of(id) == room.id), None)
        return wire.Person(user, score, None if score is None else ledger.grade(score), at, table)

    def _room_of(self, table: int) -> int | None:
        live = self._runner.tables.get(table)
        return None if live is None else live.table.setting.room

    async def enter(self, session: Session, id: int) -> None:
        """Let somebody into a room (P-15)."""
        room = self.room(id)
        user = session.user
        if user is not None:
            if user.kind == "user":
                holdings = await self._ledger.holdings(user.id, room.game, None, room.places)
                seats.may_come(room.kind, room.terms, holdings, self._runner.limits)
                await self._balances.in_range(rooms.unopened(room, room.id, 0), room.terms, user)
                self._holdings[user.id, room.game] = holdings
                if room.kind == "coin":
                    await self._balances.grown_up(user.id)
            elif room.kind == "coin" and user.kind == "guest":
                raise HallError("SIGN_IN", case="guest")
            elif room.kind == "coin":
                raise HallError("NOT_ALLOWED", case="program")
        if id not in session.rooms and self._inside.count(id) >= room.people:
            raise HallError("ROOM_FULL")
        shown = await self.snapshot(id)
        if session not in self._users.sessions:
            return
        if self._inside.add(id, session) and user is not None:
            self._inside.tell(id, wire.RoomEv(id, people=(self._person(room, user),)), but=session)
            mine = self._person(room, user)
            shown = msgspec.structs.replace(shown, people=(*(p for p in shown.people if p.user.id != user.id), mine))
        session.say(shown)
        for line in self._talk.of_terms(room):
            session.say(line)

    def exit(self, session: Session, id: int) -> None:
        """Let somebody out of a room."""
        if self._inside.discard(id, session) and session.user_id is not None:
            self._inside.tell(id, wire.RoomEv(id, gone=wire.Gone(people=(session.user_id,))))

    # News -----------------------------------------------------------------------------------------------------------

    def informed(self, id: int) -> None:
        """Show everybody in a room what is said about it now, where this hall still has it."""
        if (room := self._places.get(id)) is not None:
            self._inside.tell(id, wire.RoomEv(id, info=self._info(room)))

    @asynccontextmanager
    async def number(self, room: int) -> AsyncIterator[int]:
        """Promise the next free number of a room to a table that somebody makes, until the books have the table."""
        promised = self._promised.setdefault(room, set())
        above = self._places[room].tables
        async with self._numbering:  # nobody else is promised one before this one is
            taken = frozenset(promised)
            no = await self._store.read(partial(books.free_number, room=room, above=above, promised=taken))
            promised.add(no)
        try:
            yield no
        except HallError:
            promised.discard(no)
            raise
        promised.discard(no)  # not when it was broken off: the table may be opened all the same

    def table_changed(self, live: LiveTable, *, known: bool = False) -> None:
        """Send changes at a table to its room and to followers of the card tables. known: it was only asleep."""
        table = live.table
        room = self._places.get(table.setting.room)
        if room is None or table.terms.private or (table.setting.made and table.rows == 0):
            return
        if table.state == "closed":
            self._made[room.id].pop(live.id, None)
            if self._rows.pop(live.id, None) is not None:
                self._inside.tell(room.id, wire.RoomEv(room.id, gone=wire.Gone(tables=(live.id,))))
                self._card(live.id, None)
            return
        if table.setting.made:
            self._made[room.id][live.id] = None
        row = rooms.row_of(room, table, live.watchers(), self._accounts.peek)
        before = self._rows.get(live.id)
        if row == before:
            return
        self._rows[live.id] = row
        self._card(live.id, live)
        if known:
            return
        people: tuple[wire.Person, ...] = ()
        if self._inside.lines(room.id):
            sat = {seat.user.id for seat in row.seats if seat.user} ^ {
                seat.user.id for seat in (before.seats if before else ()) if seat.user
            }
            people = tuple(person for person in self._people(room) if person.user.id in sat)
        self._inside.tell(room.id, wire.RoomEv(room.id, tables=(row,), people=people or msgspec.UNSET))

    def slept(self, id: int, room: int) -> None:
        """Forget a turn-based table that has gone to sleep: the room's map reads its summary from the database."""
        self._rows.pop(id, None)
        self._card(id, None)
        self._made.get(room, {}).pop(id, None)

    def paid(self, live: LiveTable) -> None:
        """Show a room the new totals after a game."""
        table = live.table
        room = self._places.get(table.setting.room)
        if room is None:
            return
        for chair in table.chairs:
            if chair.user is not None and chair.holdings is not None and (chair.user, room.game) in self._holdings:
                self._holdings[chair.user, room.game] = chair.holdings
        users = {chair.user for chair in table.chairs}
        people = tuple(person for person in self._people(room) if person.user.id in users)
        if people:
            self._inside.tell(room.id, wire.RoomEv(room.id, people=people))

    def came(self, user: User) -> None:
        """Show that a user is in the hall."""
        if not self._users.unlisted(user.id):
            self._list("online", (self._online_row(user),), ())

    def listed(self, user: User) -> None:
        """Add somebody to the list of people online, or remove them, according to their setting (P-5)."""
        if self._users.unlisted(user.id):
            self._list("online", (), (user.id,), but=user.id)
        elif self._users.lines(user.id):
            self.came(user)
        for table in self._users.awake(user.id):
            if table in self._cards:
                self._card(table, self._runner.tables.get(table))

    def went(self, user: User) -> None:
        """Show that a user has gone."""
        if not self._users.unlisted(user.id):
            self._list("online", (), (user.id,))
        for key in [key for key in self._holdings if key[0] == user.id]:
            del self._holdings[key]

    # Lists ----------------------------------------------------------------------------------------------------------

    async def follow(self, session: Session, name: str, *, on: bool) -> None:
        """Begin or end following a list; a follower first gets all of its rows."""
        if not on:
            session.lists = removed(session.lists, name)
            return
        if name == "cards":
            session.coins = not await self._balances.hidden(session.user_id)
        session.lists = added(session.lists, name)
        rows: tuple[Any, ...]
        if name == "online":
            users = {one.user.id: one.user for one in self._users.sessions if one.user is not None}
            rows = tuple(
                self._online_row(user) for user in users.values() if self._users.tells(user.id, session.user_id)
            )
        else:
            rows = tuple(row for row in self.cards() if session.coins or row.kind != "coin")
        session.say(wire.ListRows(name, rows, (), whole=True))

    async def coins_changed(self, user: int) -> None:
        """Give somebody who hides coins from now on, or no longer, the card tables anew on lines that follow them."""
        for session in self._users.lines(user):
            if "cards" in session.lists:
                await self.follow(session, "cards", on=True)

    def _online_row(self, user: User) -> wire.Person:
        return wire.Person(user, None, None, None, next(iter(self._users.at(user)), None))

    def cards(self) -> tuple[wire.CardTable, ...]:
        """Return the tables of card games where people sit (P-72), by number."""
        return tuple(self._cards[id] for id in sorted(self._cards))

    def _card(self, id: int, live: LiveTable | None) -> None:
        """Tell the followers of the card tables what has changed at one. live: None: it is gone."""
        row = None
        if live is not None and games.find(live.table.setting.game).cards:
            row = rooms.card_row(self._rows[id], live.table, self._users.unlisted)
        before = self._cards.get(id)
        if row == before:
            return
        if row is None:
            coins = self._cards.pop(id).kind == "coin"
            self._list("cards", (), (id,), coins=coins)
        else:
            self._cards[id] = row
            self._list("cards", (row,), (), coins=row.kind == "coin")

    def _list(
        self, name: str, rows: tuple[Any, ...], gone: tuple[int, ...], but: int | None = None, *, coins: bool = False
    ) -> None:
        """Tell the followers of a list. coins: not those from whom coins are hidden (P-107)."""
        followers = [
            one
            for one in self._users.sessions
            if name in one.lists and (but is None or one.user_id != but) and (one.coins or not coins)
        ]
        if followers:
            frame = msgspec.json.encode(wire.ListRows(name, rows, gone, whole=False))
            for session in followers:
                session.send(frame)
