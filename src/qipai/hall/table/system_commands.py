"""Commands that the hall itself gives a table, as opposed to the messages of clients (`hall.table.commands`)."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from msgspec import Struct

from qipai.core.contract import Seat
from qipai.hall.table.commands import TableMessage
from qipai.hall.table.events import Opened
from qipai.hall.table.terms import SealedDeal, Trunk
from qipai.ledger import Holdings

__all__ = [
    "CALLED_OFF",
    "DESERTED",
    "SYSTEM",
    "Actor",
    "AnySystemCommand",
    "Away",
    "Begin",
    "Board",
    "BotAct",
    "Close",
    "Found",
    "Given",
    "Lag",
    "Lost",
    "Open",
    "Relink",
    "Scored",
    "SystemCommand",
    "TableCommand",
    "Tick",
]

Json = Any


class Actor(Struct, frozen=True):
    """Who gives a command."""

    user: int | None = None
    holdings: Holdings | None = None  # what they have in this table's game; None: nothing counts for them
    guest: bool = False
    bot: bool = False  # a program's account
    moderator: bool = False
    unproven: bool = False  # a moderator who has not given the second factor that this hall requires
    key: str | None = None  # the link key or password with which they came
    opening: Opened | None = None  # for a room's table where nobody is: how it is opened again


class SystemCommand(Struct, frozen=True):
    """A command of the hall. It has a `cid` only when it stands for somebody's message."""

    cid: ClassVar[str | None] = None


class Open(Struct, frozen=True):
    """Open a table for somebody.

    sit: this person sits down at once. fill: the level of bots that take the other seats; then the person is ready too.
    last: the bots sit down before the person, so that one of them is first-seated (P-17).
    board_seed: of the shared deal that is played there. trunk: the beginning of the deal that is played there.
    """

    opened: Opened
    key: str | None = None
    cid: str | None = None
    sit: Seat | None = None
    fill: str | None = None
    last: bool = False
    board_seed: str | None = None
    trunk: Trunk | None = None


class Begin(SystemCommand, frozen=True):
    """Everybody is ready: create the deal. board: the shared deal of the room, where the table plays those (P-94)."""

    game_id: str
    server_seed: str  # 32 bytes as hex
    board: Board | None = None


class Board(Struct, frozen=True):
    """A shared deal of a room with its seed, chosen for people who sit at a table. no: its number in the room."""

    deal: SealedDeal
    server_seed: str
    no: int
    people: frozenset[int]


class Tick(SystemCommand, frozen=True):
    """Do what is due. final: time runs out even for somebody who might have had a vacation."""

    final: bool = False


class BotAct(SystemCommand, frozen=True):
    """A bot has chosen. action: JSON, None when it could not choose."""

    seat: Seat
    ask: int | None  # None: the seat may act and need not
    action: Json
    below: bool = False  # a weaker level than the one shown has chosen


class Lost(SystemCommand, frozen=True):
    """A user's last line has closed."""

    user: int


class Found(SystemCommand, frozen=True):
    """A user is there again."""

    user: int


class Away(SystemCommand, frozen=True):
    """A user has sat down elsewhere and does not look at this table any more."""

    user: int


class Lag(SystemCommand, frozen=True):
    """A user's line has a latency of so many ms."""

    user: int
    ms: int


class Given(SystemCommand, frozen=True):
    """Give back time: the hall was down for so many ms, or somebody takes them from their vacation."""

    ms: int
    why: str | None = None


class Scored(SystemCommand, frozen=True):
    """What a user has in this table's game has changed elsewhere."""

    user: int
    holdings: Holdings


CALLED_OFF: Final = "called_off"  # why a table is closed when its contest does not want its game any more
DESERTED: Final = "deserted"  # why a table is closed when nobody came back to its game


class Close(SystemCommand, frozen=True):
    """Close the table: by the hall, or by a moderator with their reason."""

    why: str


class Relink(SystemCommand, frozen=True):
    """Give a private table another link, by its owner (P-89); the old link stops working."""

    key: str


AnySystemCommand = Tick | BotAct | Begin | Open | Lost | Found | Away | Lag | Given | Scored | Close
TableCommand = TableMessage | Relink | AnySystemCommand

SYSTEM: Final = Actor()
