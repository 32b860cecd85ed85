"""Rooms: the settings of their tables, and the map of tables that clients show (platform P-14, P-15)."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import count
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct

from qipai import games, lang
from qipai.config import Config
from qipai.hall.table import messages as wire
from qipai.hall.table.clock import by_days, clock_of
from qipai.hall.table.correspondence import Sleeping
from qipai.hall.table.errors import HallError
from qipai.hall.table.events import Opened
from qipai.hall.table.model import Chair, Setting, Table, Terms, checked_options, fixed_options, preset_options
from qipai.hall.table.seats import opened
from qipai.hall.table.wire_views import Who, user_on_wire
from qipai.ledger.passes import zone

__all__ = [
    "Room",
    "card_row",
    "checked",
    "default_rooms",
    "of_hall",
    "row_asleep",
    "row_of",
    "settled",
    "table_id",
    "unopened",
]

Json = Any
PER_ROOM: Final = 100  # tables of room 3 are numbered from 301; tables that people create come after those of all rooms
MADE_FROM: Final = 100_000
LATE: Final = frozenset({"pass", "coin"})
CHOICE: Final = ("games", "but", "presets")  # fields of a kind of rooms: for which games, with which preset


class Room(Struct, frozen=True):
    """A room. options and clock: None and those not named are the game's own."""

    id: int
    game: str
    kind: Literal["score", "pass", "coin", "friendly"]
    name: dict[str, str] = {}  # by language
    variant: str | None = None
    preset: str | None = None
    options: Json = {}
    clock: Json = None
    terms: Terms = Terms()
    bots: bool | None = None  # None: in friendly rooms
    seats: int | None = None  # at each table; None: as many as can play
    tables: int = 24
    people: int = 400
    watch: wire.Watch = wire.Watch("public_only", None)  # what watchers see (P-88)
    key: str = ""  # distinguishes it from other rooms of its game and kind
    passes: int = 6  # of a pass room, each with its own tables, the highest first (P-43)
    duplicate: bool = False  # its tables play shared deals, everybody each of them once (P-94, 同牌赛)
    board_tables: int = 8  # by how many tables each of those is played at most

    @property
    def sort(self) -> str:
        """Return what identifies a room of a game across restarts: its kind, and its key if it has one."""
        return f"{self.kind} {self.key}".strip()

    @property
    def places(self) -> int:
        """Return how many play at each table."""
        return max(games.find(self.game).seats) if self.seats is None else self.seats

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the numbers of players that its tables allow; never one."""
        every = tuple(sorted(n for n in games.find(self.game).seats if n > 1))
        return every if self.seats is None and not self.duplicate else (self.places,)

    def size(self, no: int) -> int:
        """Return how many play at one of the room's own tables: the sizes take turns."""
        return self.sizes[(no - 1) % len(self.sizes)]

    @property
    def fills(self) -> bool:
        """Tell whether bots may play here."""
        return self.kind == "friendly" if self.bots is None else self.bots


def default_rooms(config: Config) -> tuple[Room, ...]:
    """Return the rooms of a new hall: those of `rooms.toml`, then those of its own `hall.toml`.

    Raises HallError BAD_OPTION with the wrong field of one of its own rooms.
    """
    kinds = tomllib.loads(files("qipai.hall").joinpath("rooms.toml").read_text("utf-8"))["room"]
    found: list[Room] = []
    _check_own(config)
    # The most popular kinds get the lowest numbers, the hall's own the highest.
    usual, shared = ([kind for kind in kinds if bool(kind.get("duplicate")) == after] for after in (False, True))
    own = config.rooms.own
    for some, late in ((usual, False), (usual, True), (shared, False), (own, False), (own, True)):
        for game in games.names():
            for kind in some:
                if not _is_for(kind, game) or (kind.get("kind") in LATE) != late:
                    continue
                if kind.get("kind") == "coin" and not config.coins.enabled:
                    continue
                found.append(_room_of(kind, game, len(found) + 1, config))
    sorts = [(room.game, room.sort) for room in found]
    if len(set(sorts)) < len(sorts):
        raise HallError("BAD_OPTION", field="rooms.own.key")  # after a restart they could not be told apart
    return tuple(found)


def _is_for(kind: Json, game: str) -> bool:
    only = kind.get("games")
    return (only is None or game in only) and game not in kind.get("but", ())


def _room_of(kind: Json, game: str, number: int, config: Config) -> Room:
    """Return the room of a kind for a game; raises HallError with the wrong field."""
    numbers, passes = config.rooms, config.passes
    tables = numbers.tables
    if kind.get("kind") == "pass":  # there is a table of every size for each pass
        sizes = [n for n in games.find(game).seats if n > 1] if kind.get("seats") is None else [0]
        tables = passes.passes * max(passes.tables_per_pass, len(sizes))
    said = {name: value for name, value in kind.items() if name not in CHOICE}
    raw = {"id": number, "game": game, "tables": tables, "people": numbers.people, "passes": passes.passes, **said}
    if (preset := kind.get("presets", {}).get(game)) is not None:
        raw["preset"] = preset
    try:
        return msgspec.convert(raw, Room)
    except msgspec.ValidationError as wrong:
        _what, _, where = str(wrong).partition("`$.")
        raise HallError("BAD_OPTION", field=f"rooms.own.{where.rstrip('`') or 'kind'}") from wrong


def _check_own(config: Config) -> None:
    """Raise HallError unless the hall's own rooms have names, and refer only to existing games and fields."""
    fields = {*Room.__struct_fields__, *CHOICE} - {"id", "game"}
    for kind in config.rooms.own:
        for name in kind.keys() - fields:
            raise HallError("BAD_OPTION", field=f"rooms.own.{name}")
        for name in ("games", "but"):
            named = kind.get(name, [])
            if not isinstance(named, list) or any(game not in games.names() for game in named):
                raise HallError("BAD_OPTION", field=f"rooms.own.{name}")
        if not isinstance(kind.get("presets", {}), dict) or not kind.get("name"):
            raise HallError("BAD_OPTION", field="rooms.own.presets" if kind.get("name") else "rooms.own.name")


def settled(found: Iterable[Room], known: Mapping[int, tuple[str, str]]) -> tuple[Room, ...]:
    """Return rooms with the numbers that they were first opened with; new rooms get the next numbers.

    A room's number is part of the numbers of its tables and links, so it must not change when games come or go.
    known: number -> game and sort of all rooms that were ever opened.
    """
    numbers: dict[tuple[str, str], int] = {}
    for number in sorted(known, reverse=True):
        numbers[known[number]] = number
    following = count(max(known, default=0) + 1)
    return tuple(
        msgspec.structs.replace(room, id=numbers.get((room.game, room.sort)) or next(following)) for room in found
    )


def of_hall(numbered: Sequence[Room], known: Mapping[int, tuple[str, str]], delay: int) -> dict[int, Room]:
    """Return checked rooms by their numbers; raises HallError if one of them is invalid.

    known: number -> game and sort of all rooms that were ever opened. delay: of what watchers see, in seconds.
    """
    if any(known.get(room.id, (room.game, ""))[0] != room.game for room in numbered):
        raise HallError("BAD_OPTION", field="rooms")  # the tables with this number belong to another game
    late = (delayed(room, delay) for room in numbered)
    return {room.id: checked(room) for room in sorted(late, key=lambda room: room.id)}


def checked(room: Room) -> Room:
    """Return a room after checks; raises HallError or KeyError if it is invalid."""
    entry = games.find(room.game)
    raw = {**preset_options(entry, room.preset), **room.options, **fixed_options(entry, room.variant)}
    options, changed = checked_options(entry, raw)
    clock_of(room.clock if room.clock is not None else entry.clock(options))
    if by_days(room.clock) and not (entry.by_days and room.kind in ("score", "friendly")):
        raise HallError("BAD_OPTION", field="clock")
    if room.places not in entry.seats:
        raise HallError("BAD_OPTION", field="seats")
    if room.watch.mode == "open" and room.kind != "friendly":
        raise HallError("BAD_OPTION", field="watch")  # open hands are allowed in friendly rooms only
    if room.kind == "pass" and (not 0 < room.passes <= room.tables or room.tables % room.passes):
        raise HallError("BAD_OPTION", field="passes")
    if room.duplicate:
        room = _compared(room, options)
    if not 0 < room.id < MADE_FROM // PER_ROOM or not 0 < room.tables < PER_ROOM:
        raise HallError("BAD_OPTION", field="rooms")
    return msgspec.structs.replace(room, options=changed)


def _compared(room: Room, options: Any) -> Room:
    """Return a room of shared deals, which nobody watches; raises HallError if its game or terms do not allow them."""
    entry = games.find(room.game)
    if not entry.luck:  # all its deals are alike
        raise HallError("BAD_OPTION", field="duplicate")
    if room.kind not in ("score", "friendly"):
        raise HallError("BAD_OPTION", field="kind")
    if entry.form.daily and getattr(options, entry.form.daily):  # that board comes from its date
        raise HallError("BAD_OPTION", field=entry.form.daily)
    if by_days(room.clock):
        raise HallError("BAD_OPTION", field="clock")
    if not 1 < room.board_tables < PER_ROOM:
        raise HallError("BAD_OPTION", field="board_tables")
    return msgspec.structs.replace(room, terms=msgspec.structs.replace(room.terms, watchers=False))


def delayed(room: Room, seconds: int) -> Room:
    """Return a room with this delay for watchers, unless it names its own."""
    if room.watch.mode != "delayed" or room.watch.delay_s is not None:
        return room
    return msgspec.structs.replace(room, watch=wire.Watch("delayed", seconds))


def table_id(room: Room, no: int) -> int:
    """Return the number of a room's table, which never changes."""
    return room.id * PER_ROOM + no


def place_of(id: int) -> tuple[int, int] | None:
    """Return a table's room and its number there, None for tables that people created."""
    return divmod(id, PER_ROOM) if id < MADE_FROM else None


def unopened(room: Room, id: int, no: int, *, made: bool = False) -> Table:
    """Return a table of a room where nobody has ever sat."""
    setting = Setting(
        room=room.id,
        no=no,
        game=room.game,
        kind=room.kind,
        seats=room.size(no) if no and not made else room.places,
        variant=room.variant,
        preset=room.preset,
        bots=room.fills,
        watch=room.watch,
        made=made,
        pass_=zone(room.passes, room.tables // room.passes, no) if room.kind == "pass" else None,
        bench=0 if room.duplicate else games.find(room.game).bench,  # from there the hands are seen
        duplicate=room.duplicate,
    )
    return Table(
        id,
        setting,
        options=room.options,
        clock=room.clock,
        terms=room.terms,
        state="open",
        chairs=(Chair(),) * setting.places,
        seqs=(0,) * (setting.places + 1),
    )


def opening(room: Room, id: int, no: int) -> Opened:
    """Return the event that opens a room's table with the room's present settings."""
    return opened(unopened(room, id, no))


def info_of(room: Room) -> wire.RoomInfo:
    """Return a room in the form that clients get."""
    entry = games.find(room.game)
    options, changed = checked_options(entry, room.options)
    return wire.RoomInfo(
        room=room.id,
        game=room.game,
        name=lang.spread(room.name),
        kind=room.kind,
        variant=room.variant,
        preset=room.preset,
        options=changed,
        clock=room.clock if room.clock is not None else entry.clock(options),
        terms=room.terms,
        watch=room.watch,
        bots=room.fills,
        seats=room.places,
        tables=room.tables,
        most_people=room.people,
        passes=room.passes if room.kind == "pass" else UNSET,
        duplicate=room.duplicate,
        board_tables=room.board_tables if room.duplicate else UNSET,
    )


STANDARD: Final[dict[str, Json]] = {}  # shared by all tables that have their room's options


def row_of(room: Room, table: Table, watchers: int, who: Who) -> wire.RoomTable:
    """Return a table's row of the room's map."""
    seats = tuple(
        wire.RoomSeat(seat, user_on_wire(chair.user, who) if chair.presence != "left" else None, chair.bot)
        for seat, chair in enumerate(table.players)
    )
    number = table.setting.pass_
    return wire.RoomTable(
        table.id,
        table.setting.no,
        table.state,
        seats,
        watchers,
        _own_options(room, table.options),
        UNSET if number is None else number,
        _own_terms(room.terms, table.terms) or UNSET,
    )


def card_row(row: wire.RoomTable, table: Table, unlisted: Callable[[int], bool]) -> wire.CardTable | None:
    """Return a table's row in the list of card tables, None while no person sits there. unlisted: who is not named."""
    if all(seat.user is None for seat in row.seats):
        return None
    contest = table.setting.contest is not None
    open_ = table.state in ("open", "between") and not contest
    return wire.CardTable(
        table=row.table,
        room=table.setting.room,
        game=table.setting.game,
        no=row.no,
        kind=table.setting.kind,
        state=row.state,
        seats=tuple(
            msgspec.structs.replace(seat, user=None) if seat.user is not None and unlisted(seat.user.id) else seat
            for seat in row.seats
        ),
        free=tuple(seat for seat, chair in enumerate(table.players) if open_ and not chair.taken),
        watchers=row.watchers,
        watch=row.state == "playing" and table.terms.watchers and not table.terms.group_watch,
        factor=table.terms.factor,
        fee=table.terms.fee,
        contest=contest,
        options=row.options,
        pass_=row.pass_,
        terms=row.terms,
    )


def row_asleep(room: Room, id: int, slow: Sleeping, who: Who) -> wire.RoomTable:
    """Return a sleeping turn-based table's row of the room's map, as `row_of` does for tables in memory."""
    seats = tuple(
        [
            wire.RoomSeat(seat, user_on_wire(user, who), bot)
            for seat, (user, bot) in enumerate(zip(slow.users, slow.bots, strict=True))
        ]
    )
    return wire.RoomTable(id, slow.no, slow.state, seats, 0, _own_options(room, slow.options))


def _own_options(room: Room, options: Json) -> Json:
    """Return the options of a table that differ from its room's."""
    own = {name: value for name, value in options.items() if room.options.get(name) != value}
    # An option that the room changes and this table does not appears with the game's default.
    back = {name for name in room.options if name not in options}
    if back:
        default = msgspec.to_builtins(games.find(room.game).options())
        own |= {name: default[name] for name in back}
    return own or STANDARD


def _own_terms(usual: Terms, terms: Terms) -> Json:
    """Return the conditions of a table that differ from its room's; None: no such condition at this table."""
    room, own = msgspec.to_builtins(usual), msgspec.to_builtins(terms)
    return {name: own.get(name) for name in sorted({*room, *own}) if own.get(name) != room.get(name)}
