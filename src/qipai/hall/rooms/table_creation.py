"""Table creation: by settings, by one click, by a link (platform P-16, P-89, 13.2)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import nullcontext
from functools import partial
from itertools import count
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from qipai import games
from qipai.accounts.model import User
from qipai.config import Limits
from qipai.core.contract import Seat
from qipai.core.entry import DealStart
from qipai.hall.live import books
from qipai.hall.live.correspondence import Correspondence
from qipai.hall.live.runner import TableRunner
from qipai.hall.live.seating import Seating
from qipai.hall.live.timers import Clock
from qipai.hall.rooms import rooms
from qipai.hall.rooms.balances import Balances
from qipai.hall.rooms.lobby import Lobby
from qipai.hall.rooms.people import People
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands, daily_board
from qipai.hall.table import seats as seats_of
from qipai.hall.table.errors import HallError
from qipai.hall.table.handlers import plays
from qipai.hall.table.model import Table, checked_options, fixed_options, preset_options
from qipai.hall.table.system_commands import CALLED_OFF, Actor, Close, Lost, Open, Relink
from qipai.hall.table.terms import ContestGame, Terms, Trunk
from qipai.ledger import Holdings
from qipai.ledger.service import Ledger
from qipai.social.circles import Circles
from qipai.social.ties import Ties
from qipai.store import Store

__all__ = ["Asked", "BranchPoint", "TableCreation"]

Json = Any
Colour = Literal["random", "mine", "theirs", "alternate"]


class Asked(Struct, frozen=True):
    """What an invitation is for. rated: in the room where score counts. seats: in games for various numbers of players.

    colour: who of two has the first seat: drawn at random, the inviter, the other or whoever did not have it last time.
    among: the only people invited, a group of friends. group: the inviter's name for it.
    """

    game: str
    variant: str | None = None
    preset: str | None = None
    seats: int | None = None
    options: Json = {}
    clock: Json = None
    rated: bool = False
    rating_min: int | None = None
    rating_max: int | None = None
    colour: Colour = "random"
    to: int | None = None
    among: tuple[int, ...] | None = None
    group: str | None = None
    note: str = ""


class BranchPoint(Struct, frozen=True):
    """A moment of a finished game from which somebody may go on (What if).

    ply: after so many actions. text: the position that it started from, where somebody had set one up (P-74).
    """

    id: str
    ply: int
    game: str
    variant: str | None
    options: Json
    seats: int
    trunk: Trunk
    text: str | None = None


def _from(table: Table, start: str) -> Table:
    """Return a table whose deals start from a position; raises HallError("BAD_POSITION")."""
    setting = msgspec.structs.replace(table.setting, start=DealStart(text=start))
    placed = msgspec.structs.replace(table, setting=setting)
    options, _changed = checked_options(table.entry, table.options)
    seats_of.may_start(placed, options)
    return placed


def _cid() -> str:
    """Return the `cid` of a command that the hall gives on somebody's behalf."""
    return f"meet-{secrets.token_hex(12)}"


class TableCreation:
    """Opens tables for people."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        ledger: Ledger,
        runner: TableRunner,
        correspondence: Correspondence,
        seating: Seating,
        people: People,
        balances: Balances,
        places: Mapping[int, Room],
        lobby: Lobby,
        ties: Ties,
        circles: Circles,
        limits: Limits,
    ) -> None:
        self._store, self._clock, self._ledger, self._runner, self._correspondence = (
            store,
            clock,
            ledger,
            runner,
            correspondence,
        )
        self._seating, self._people, self._balances = seating, people, balances
        self._places, self._lobby, self._ties, self._circles, self._limits = places, lobby, ties, circles, limits
        self._numbers = count(rooms.MADE_FROM)

    async def open(self) -> None:
        """Find out which table numbers are taken."""
        newest = await self._store.read(books.newest)
        self._numbers = count(max(rooms.MADE_FROM, newest + 1))

    async def make(
        self,
        user: User,
        game: str,
        *,
        variant: str | None = None,
        preset: str | None = None,
        seats: int | None = None,
        room: int | None = None,
        options: Json = None,
        clock: Json | UnsetType = UNSET,
        private: bool = False,
        cid: str | None = None,
    ) -> tuple[int, str | None]:
        """Open a table for somebody; return its number and, if it is private, the key of its link (P-16, P-89).

        Settings that are not given are those of the room, else of the game's first friendly room.
        """
        if known := await self._made_before(user, cid):
            return known.id, known.key
        found = self._room_for(game, room, variant)
        place = self._like(found, variant, preset, seats, options, clock)
        table = self._made(user, place, private=private)
        if place.kind == "pass":
            raise await self._stands(user, found, place.seats)
        self._may_own(user)
        key = secrets.token_urlsafe(16) if private else None
        if user.kind == "guest" and private and await self._owns_private(user):
            raise HallError("LIMIT_REACHED", case="private", most=1)
        await self._open(table, user, key, cid, None, None)
        return table.id, key

    async def play(
        self,
        user: User,
        game: str,
        *,
        variant: str | None = None,
        preset: str | None = None,
        seats: int | None = None,
        options: Json = None,
        clock: Json | UnsetType = UNSET,
        level: str = "steady",
        colour: Literal["random", "mine", "theirs"] = "mine",
        start: str | None = None,
        seat: Seat | None = None,
        cid: str | None = None,
    ) -> tuple[int, Seat]:
        """Seat somebody at a new friendly table, with bots in the other seats, all ready (`POST /play`).

        colour: who of two has the first seat. start: the position that its deals start from (P-74); seat: theirs there.
        """
        if known := await self._made_before(user, cid):
            return known.id, known.seat_of(user.id) or 0
        if clock is UNSET or clock is None:
            clock = {"type": "none"}  # no clock against bots
        place = self._like(self._room_for(game, None, variant), variant, preset, seats, options, clock)
        table = self._made(user, place)
        if start is not None:
            table = _from(table, start)
            if (seat or 0) >= table.setting.seats:
                raise HallError("BAD_MESSAGE", field="seat")
        level = table.entry.level(level)
        if not plays(table, level, self._runner.limits):
            raise HallError("BAD_OPTION", field="level")
        if table.turn_based:
            await self._correspondence.may_have(user, slow=True)
        else:
            self._seating.may_sit_more(user.id, self._runner.tables, self._limits.seats)
        self._runner.players.prepare(game)
        last = place.places == 2 and (colour == "theirs" or (colour == "random" and secrets.randbelow(2) == 1))
        at = int(last)
        if start is not None:
            at, last = seat or 0, bool(seat) and place.places == 2
        await self._open(table, user, None, cid, at, level, last=last)
        return table.id, self._runner.tables[table.id].table.seat_of(user.id) or 0

    async def go_on(
        self,
        user: User,
        point: BranchPoint,
        seat: Seat,
        *,
        level: str = "steady",
        timed: bool = False,
        cid: str | None = None,
    ) -> tuple[int, Seat]:
        """Seat somebody at a table that goes on from a moment of a finished game, with bots in the other seats.

        Nobody else comes there, unless they are sent its link. timed: with the game's usual clock, else with none.
        """
        if known := await self._made_before(user, cid):
            return known.id, known.seat_of(user.id) or 0
        room = self._room_for(point.game, None, None)
        clock = None if timed else {"type": "none"}
        try:
            place = rooms.checked(
                msgspec.structs.replace(
                    room,
                    variant=point.variant,
                    preset=None,
                    seats=point.seats,
                    options=point.options,
                    clock=clock,
                    terms=Terms(private=True),
                )
            )
        except HallError as wrong:  # a house rule that this program no longer has
            raise HallError("NOT_FOUND", case="rules") from wrong
        made = self._made(user, place, private=True)
        start = DealStart(text=point.text, game=point.id, ply=point.ply)
        setting = msgspec.structs.replace(made.setting, bots=True, start=start)
        table = msgspec.structs.replace(made, setting=setting)
        level = table.entry.level(level)
        if not plays(table, level, self._runner.limits):
            raise HallError("BAD_OPTION", field="level")
        self._seating.may_sit_more(user.id, self._runner.tables, self._limits.seats)
        self._runner.players.prepare(point.game)
        await self._open(table, user, secrets.token_urlsafe(16), cid, seat, level, trunk=point.trunk)
        return table.id, seat

    def meeting(self, asked: Asked) -> Room:
        """Return the room with the settings of a table for an invitation or pairing; raises HallError if impossible."""
        game, variant = asked.game, asked.variant
        room = self._room_for(game, None, variant)
        if asked.rated:
            found = self._usual(game, "score")
            if not found:
                raise HallError("BAD_OPTION", field="rated")
            room = next((room for room in found if room.variant == variant), found[0])
        return self._like(room, variant, asked.preset, asked.seats, asked.options, asked.clock)

    async def meet(self, people: tuple[User, ...], owner: User, place: Room) -> int:
        """Seat people at a new table, in the given order; return its number.

        People in the hall are ready at once; at turn-based tables everybody is. Raises HallError; then nobody sits.
        """
        table = self._made(owner, place)
        await self._open(table, people[0], None, None, 0, None, owner=owner)
        try:
            for user in people[1:]:
                await self._seat(table.id, user)
        except HallError:
            self._runner.submit(self._runner.tables[table.id], Close("refused"))
            raise
        for user in people:
            await self._ready(table.id, user)
        return table.id

    async def host(
        self, asked: Asked, contest: ContestGame, people: Mapping[int, User], board_seed: str | None = None
    ) -> int:
        """Open the table of a contest's game and seat its players; return its number. Raises HallError.

        board_seed: of the shared deal that is played there; nobody watches it, since others may still have to play it.

        people: by number; who has gone since is none of them. Who is in the hall is ready at once, and everybody where
        days are given for a move; bots sit in the other seats. Called again, it goes on where it was broken off.
        """
        table = await self._store.read(partial(books.of_contest, key=contest.key))
        if table is None:
            place = self.meeting(asked)
            if place.places != len(contest.users):
                raise HallError("BAD_OPTION", field="seats")
            opened = rooms.unopened(place, next(self._numbers), 0, made=True)
            table = opened.id
            async with self._lobby.number(place.id) as no:
                setting = msgspec.structs.replace(opened.setting, no=no, bots=True, contest=contest)
                terms = msgspec.structs.replace(opened.terms, watchers=opened.terms.watchers and contest.deal is None)
                opened = msgspec.structs.replace(opened, setting=setting, terms=terms)
                live = self._runner.cache.place(opened)
                await self._runner.ask(live, Open(seats_of.opened(opened), board_seed=board_seed))
        found = await self._runner.cache.find(table)
        if found is not None and found.table.state == "open":
            users = contest.users
            here = [(seat, people[user]) for seat, user in enumerate(users) if user is not None and user in people]
            for seat, user in here:
                await self._seat(table, user, seat)
            for _seat, user in here:
                try:
                    await self._ready(table, user)
                except HallError as wrong:
                    if wrong.code != "GAME_RUNNING":  # all were ready before
                        raise
        return table

    async def join(self, table: int, user: User) -> None:
        """Seat somebody at the table of an invitation; raises HallError."""
        await self._seat(table, user)
        await self._ready(table, user)

    async def may_sit(self, table: Table, user: User, holdings: Holdings | None) -> None:
        """Raise HallError if somebody may not sit down, by conditions that the table itself cannot check.

        These are: the rating, the room's conditions, which apply whatever a table's owner has set (P-15), and the
        owner's conditions on friends, on a group of them and on the share of games won (P-16).
        """
        terms, owner = table.terms, table.owner
        room = self._places.get(table.setting.room)
        if table.seat_of(user.id) is None:
            if room is not None and user.kind == "user":
                seats_of.may_come(room.kind, room.terms, holdings or Holdings(), self._runner.limits)
            await self._balances.in_range(table, terms, user)
            if table.turn_based:
                await self._correspondence.may_have(user, slow=True)
        if owner in (None, user.id) or table.seat_of(user.id) is not None:
            return
        if not table.setting.made and not any(chair.taken for chair in table.chairs):
            return  # a room's table: it is opened again as it was
        if terms.group is not None and not terms.private and not self.admits(table, user):
            raise HallError("TABLE_LOCKED", case="group")
        if terms.friends and not await self._ties.friends(owner or 0, user.id):
            raise HallError("TABLE_LOCKED", case="friends")
        if terms.min_win_rate:
            standing = (await self._ledger.standings(user.id)).get(table.setting.game)
            games_played = 0 if standing is None else standing.won + standing.lost + standing.drawn
            have = 100 * standing.won // games_played if standing is not None and games_played else 0
            if have < terms.min_win_rate:
                raise HallError("SCORE_TOO_LOW", case="rate", need=terms.min_win_rate, have=have)

    def admits(self, table: Table, user: User) -> bool:
        """Tell whether somebody is of the group of friends whom a table is for."""
        return self._circles.admits(table.terms.group, user.id)

    async def shut(self, table: int, reason: str, by: int) -> None:
        """Close a table for a moderator (P-95); raises HallError."""
        live = await self._runner.cache.find(table)
        if live is None:
            raise HallError("NO_SUCH_TABLE")
        await self._runner.ask(live, Close(reason), Actor(by, moderator=True))

    async def call_off(self, table: int) -> None:
        """Close a table whose game its contest does not want any more; the game is void and costs nobody anything."""
        live = await self._runner.cache.find(table)
        if live is not None and live.table.state != "closed":
            await self._runner.ask(live, Close(CALLED_OFF))

    async def relink(self, table: int, user: User) -> str:
        """Give a private table another link and return its key; raises HallError."""
        live = await self._runner.cache.find(table)
        if live is None or live.table.state == "closed":
            raise HallError("NO_SUCH_TABLE")
        key = secrets.token_urlsafe(16)
        await self._runner.ask(live, Relink(key), Actor(user.id))
        return key

    async def lets(self, table: int, user: User) -> bool:
        """Tell whether a table has a seat for somebody, as far as its owner's friends and groups go."""
        if not await self.free(table):
            return False
        at = self._runner.tables[table].table
        friends = not at.terms.friends or await self._ties.friends(at.owner or 0, user.id)
        return friends and (at.terms.group is None or at.terms.private or self.admits(at, user))

    async def free(self, table: int | None) -> bool:
        """Tell whether the table of an invitation has free seats."""
        live = None if table is None else await self._runner.cache.find(table)
        return live is not None and live.table.state == "open" and any(not chair.taken for chair in live.table.players)

    async def taken(self, table: int | None) -> int:
        """Return how many sit at the table of an invitation."""
        live = None if table is None else await self._runner.cache.find(table)
        return 0 if live is None else sum(chair.taken for chair in live.table.players)

    async def _seat(self, table: int, user: User, seat: Seat | None = None) -> None:
        """Seat somebody. seat: theirs; None: the first that is free."""
        runner = self._runner
        live = runner.tables[table]
        if live.table.seat_of(user.id) is not None:
            return
        if seat is None:
            seat = next((seat for seat, chair in enumerate(live.table.players) if not chair.taken), None)
        if seat is None:
            raise HallError("TABLE_FULL")
        holdings = await self._balances.brought(live.table, user)
        by = Actor(user.id, holdings, guest=user.kind == "guest", bot=user.kind == "bot")
        await runner.ask(live, commands.Sit(_cid(), table, seat), by)
        if not self._people.lines(user.id):
            runner.submit(live, Lost(user.id))

    async def _ready(self, table: int, user: User) -> None:
        runner = self._runner
        if self._people.lines(user.id) or runner.tables[table].table.turn_based:
            await runner.ask(runner.tables[table], commands.Ready(_cid(), table, True), Actor(user.id))

    async def _open(
        self,
        table: Table,
        user: User,
        key: str | None,
        cid: str | None,
        sit: Seat | None,
        fill: str | None,
        *,
        owner: User | None = None,
        last: bool = False,
        trunk: Trunk | None = None,
    ) -> None:
        holdings = await self._balances.brought(table, user)
        by = Actor(user.id, holdings, guest=user.kind == "guest", bot=user.kind == "bot")
        async with nullcontext(0) if table.terms.private else self._lobby.number(table.setting.room) as no:
            table = msgspec.structs.replace(table, setting=msgspec.structs.replace(table.setting, no=no))
            live = self._runner.cache.place(table)
            data = seats_of.opened(msgspec.structs.replace(table, owner=(owner or user).id))
            await self._runner.ask(live, Open(data, key, cid, sit, fill, last, trunk=trunk), by)
        if sit is not None and not self._people.lines(user.id):
            self._runner.submit(live, Lost(user.id))  # the seat waits for its player as if their line had been lost

    def _like(
        self,
        room: Room,
        variant: str | None,
        preset: str | None,
        seats: int | None,
        options: Json,
        clock: Json | UnsetType,
    ) -> Room:
        """Return the room with the settings that somebody wants for a table; raises HallError("BAD_OPTION")."""
        entry = games.find(room.game)
        options, seats = seats_of.players_among(entry, options or {}, seats)
        base = msgspec.to_builtins(entry.chosen(room.options))
        if variant not in (None, room.variant):
            base, preset = {}, preset or room.preset  # a variant counts as another game, even in the same room
        elif options.get(entry.form.daily or ""):
            base, preset = {}, None  # everybody plays the board of the day with the same options
        variant, habit = variant or room.variant, preset_options(entry, preset)
        asked, terms = seats_of.properties(entry, options, room.terms, room.kind)
        if entry.form.daily and str(asked.get(entry.form.daily, "")) > daily_board.day_of(self._clock.now()):
            raise HallError("BAD_OPTION", field=entry.form.daily)  # boards of future days cannot be played
        fixed = fixed_options(entry, variant)
        for name, value in fixed.items():
            if asked.get(name, value) != value:
                raise HallError("BAD_OPTION", field=name)
        found = rooms.checked(
            msgspec.structs.replace(
                room,
                variant=variant,
                preset=preset or room.preset,
                seats=room.seats if seats is None else seats,
                options={**base, **habit, **asked},
                clock=room.clock if clock is UNSET or clock is None else clock,
                terms=terms,
            )
        )
        if room.duplicate and found != room:
            raise HallError("NOT_ALLOWED", case="duplicate")  # all its tables play alike
        return found

    def _made(self, user: User, place: Room, *, private: bool = False) -> Table:
        """Return a new table for somebody, which gets its number in the room when it is opened."""
        if user.kind == "guest" and place.kind != "friendly":
            raise HallError("SIGN_IN", case="guest")
        if place.kind == "coin" and private:
            raise HallError("NOT_ALLOWED", case="coins")  # tables for coins cannot be private
        if place.terms.group is not None and not self._circles.owns(user.id, place.terms.group):
            raise HallError("BAD_OPTION", field="group")
        table = rooms.unopened(place, next(self._numbers), 0, made=True)
        terms = msgspec.structs.replace(place.terms, private=private)
        setting = msgspec.structs.replace(table.setting, bots=table.setting.bots or place.kind == "friendly")
        return msgspec.structs.replace(table, terms=terms, setting=setting)

    async def _stands(self, user: User, room: Room, seats: int | None) -> HallError:
        """Return the refusal to create a table in a pass room, with the room's table to use instead (P-43).

        That is a table of the user's pass with a free seat, preferably where others wait. seats: for how many players,
        None: any number.
        """
        have = (await self._ledger.holdings(user.id, room.game, None, room.places)).pass_.pass_
        at = min(have, room.passes)
        free: list[tuple[int, Table]] = []
        for no in range(1, room.tables + 1):
            blank = rooms.unopened(room, rooms.table_id(room, no), no)
            if blank.setting.pass_ != at or seats not in (None, blank.setting.seats):
                continue
            live = self._runner.tables.get(blank.id)
            table = blank if live is None else live.table
            taken = sum(chair.taken for chair in table.players)
            if table.state == "open" and taken < table.setting.seats:
                free.append((taken, table))
        if not free:
            return HallError("NOT_ALLOWED", case="pass_full", at=at)
        table = max(free, key=lambda one: one[0])[1]
        return HallError(
            "NOT_ALLOWED", case="pass", at=at, seats=table.setting.seats, table=table.id, no=table.setting.no
        )

    def _room_for(self, game: str, id: int | None, variant: str | None) -> Room:
        """Return the room in which somebody creates a table."""
        if game not in games.names():
            raise HallError("BAD_OPTION", field="game")
        if id is not None:
            room = self._places.get(id)
            if room is None or room.game != game:
                raise HallError("BAD_OPTION", field="room")
            if variant not in (None, room.variant):
                raise HallError("BAD_OPTION", field="variant")
            return room
        friendly = self._usual(game, "friendly")
        if not friendly:
            raise HallError("BAD_OPTION", field="game")
        return next((room for room in friendly if room.variant == variant), friendly[0])

    def _usual(self, game: str, kind: str) -> list[Room]:
        """Return the rooms of a game and kind where a table may have settings of its own."""
        return [one for one in self._places.values() if (one.game, one.kind) == (game, kind) and not one.duplicate]

    async def _made_before(self, user: User, cid: str | None) -> Table | None:
        """Return the table that a user's command has already created, if it is a repetition."""
        if cid is None:
            return None
        row = await self._store.read(partial(books.repeated, actor=user.id, cid=cid))
        if row is None or row.type != "table.opened":
            return None
        live = await self._runner.cache.find(int(row.stream.partition(":")[2]))
        return None if live is None else live.table

    def _may_own(self, user: User) -> None:
        """Raise HallError if somebody already has as many open tables to themselves as they may sit at."""
        most = self._limits.seats
        waiting = sum(
            live.table.owner == user.id and live.table.setting.made and live.table.state == "open"
            for live in self._runner.tables.values()
        )
        if waiting >= most:
            raise HallError("LIMIT_REACHED", case="open", most=most)

    async def _owns_private(self, user: User) -> bool:
        return any(
            live.table.owner == user.id and live.table.terms.private and live.table.state != "closed"
            for live in self._runner.tables.values()
        )

    async def link(self, key: str) -> tuple[int, str]:
        """Return the table a link opens, and its game; raises HallError("NO_SUCH_TABLE")."""
        found = await self._store.read(partial(books.by_key, key=key))
        if found is None:
            raise HallError("NO_SUCH_TABLE")
        return found
