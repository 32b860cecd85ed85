"""What the house itself notices and tells a table, beside the words of the wire (`hall.table.commands`)."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from msgspec import Struct

from qipai.core.contract import Seat
from qipai.hall.table.commands import TableMessage
from qipai.hall.table.events import Opened
from qipai.ledger import Holdings

__all__ = [
    "DESERTED",
    "SYSTEM",
    "Actor",
    "AnySystemCommand",
    "Away",
    "Begin",
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
    holdings: Holdings | None = None  # what he has in this table's game; None: nothing counts for him
    guest: bool = False
    bot: bool = False  # a program's account
    moderator: bool = False
    unproven: bool = False  # he would be one with the second factor that this hall asks for
    key: str | None = None  # how he came in
    opening: Opened | None = None  # how a room's table is opened anew that nobody is at


class SystemCommand(Struct, frozen=True):
    """What the house tells a table; only where it does so for somebody's message it has that message's `cid`."""

    cid: ClassVar[str | None] = None


class Open(Struct, frozen=True):
    """Open a table for somebody.

    sit: he sits down here at once. fill: the level of bots that take the other seats; then he is ready, too.
    last: they sit down before him, so that the first of them is first-seated (P-17).
    """

    opened: Opened
    key: str | None = None
    cid: str | None = None
    sit: Seat | None = None
    fill: str | None = None
    last: bool = False


class Begin(SystemCommand, frozen=True):
    """Everybody is ready: create the deal."""

    game_id: str
    server_seed: str  # 32 bytes as hex


class Tick(SystemCommand, frozen=True):
    """Do what is due. final: a flag falls, too, whose owner might have had a vacation."""

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
    """A user's line takes so many ms."""

    user: int
    ms: int


class Given(SystemCommand, frozen=True):
    """The hall was down for so many ms, or somebody has them from his vacation."""

    ms: int
    why: str | None = None


class Scored(SystemCommand, frozen=True):
    """What a user has in this table's game has changed elsewhere."""

    user: int
    holdings: Holdings


DESERTED: Final = "deserted"  # why a table is closed to whose game nobody has come back


class Close(SystemCommand, frozen=True):
    """The house closes the table, or a moderator, with his reason."""

    why: str


class Relink(SystemCommand, frozen=True):
    """The owner of a private table gives it another link (P-89); the old one opens nothing any more."""

    key: str


AnySystemCommand = Tick | BotAct | Begin | Open | Lost | Found | Away | Lag | Given | Scored | Close
TableCommand = TableMessage | Relink | AnySystemCommand

SYSTEM: Final = Actor()
