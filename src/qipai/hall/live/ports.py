"""Small protocols for what live tables need from the parts above them; passed to constructors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from qipai.accounts.model import User
from qipai.hall.live.bot_players import BotPlayers
from qipai.hall.live.live_table import Answer, LiveTable
from qipai.hall.live.timers import Clock, Timers
from qipai.hall.table.model import Table, TableLimits
from qipai.hall.table.system_commands import Actor, Board, TableCommand
from qipai.hall.table.update import Applied
from qipai.ledger import Holdings
from qipai.store import Store

__all__ = ["Accounts", "CachePorts", "Luck", "NoWishes", "Output", "Runner", "Silent", "TablePorts", "Wishes"]


class Accounts(Protocol):
    """What the hall needs from accounts."""

    def peek(self, id: int) -> User | None:
        """Return a user from memory, None if there is none."""
        ...

    async def find(self, id: int) -> User | None:
        """Return a user, None when there is none."""
        ...

    async def meet(self, ids: Iterable[int]) -> None:
        """Load these users, so that `peek` finds them."""
        ...

    def came(self, id: int, now: int) -> None:
        """Start counting the online time of a user; now: seconds."""
        ...

    def went(self, id: int, now: int) -> None:
        """Stop counting the online time of a user."""
        ...


class Wishes(Protocol):
    """Personal settings of people that the hall respects."""

    def unlisted(self, user: int) -> bool:
        """Tell whether somebody hides that they are online (P-5)."""
        ...

    async def rests(self, user: int) -> bool:
        """Tell whether somebody has automatic vacation on (P-87)."""
        ...

    async def loss_limit(self, user: int) -> int | None:
        """Return how many coins a user may lose a day, None: any number (P-107)."""
        ...

    async def minor(self, user: int) -> bool:
        """Tell whether coins are hidden from somebody (P-107)."""
        ...

    async def invited_by(self, users: Collection[int]) -> Mapping[int, str]:
        """Return who may invite each of several people: friends or nobody; those not listed: everybody (P-5)."""
        ...


class NoWishes:
    """Default settings for everybody. loss: how many coins anybody may lose a day, 0: any number."""

    def __init__(self, loss: int = 0) -> None:
        self._loss = loss

    def unlisted(self, user: int) -> bool:
        """Return False."""
        return False

    async def rests(self, user: int) -> bool:
        """Return False."""
        return False

    async def loss_limit(self, user: int) -> int | None:
        """Return the limit of everybody."""
        return self._loss or None

    async def minor(self, user: int) -> bool:
        """Return False."""
        return False

    async def invited_by(self, users: Collection[int]) -> Mapping[int, str]:
        """Return an empty mapping: everybody may invite them."""
        return {}


class Output(Protocol):
    """Writes to lines. It may buffer the output of events, and it measures how long an action takes.

    `hold` is called before the output of an event, `release` after all output that one commit causes at all its tables.
    So a line may get several messages in one write, and writes to many lines are done in a row (0016).
    """

    def start(self) -> Callable[[], None]:
        """Begin to measure an action; return the function to call when all of its output is written."""
        ...

    def hold(self) -> None:
        """Begin to buffer output."""
        ...

    def release(self) -> None:
        """Write the buffered output."""
        ...


class Silent:
    """An output that neither buffers nor measures anything."""

    def start(self) -> Callable[[], None]:
        """Measure nothing."""
        return self.release

    def hold(self) -> None:
        """Hold nothing."""

    def release(self) -> None:
        """Release nothing."""


class Luck(Protocol):
    """Names and seeds of new games."""

    def name(self) -> str:
        """Return the name of a new game: ten of `a-z0-9`."""
        ...

    def seed(self) -> str:
        """Return the seed of a deal: 64 hexadecimal digits."""
        ...


class CachePorts(Protocol):
    """What the cache of tables needs from the parts above it."""

    def present(self, user: int) -> bool:
        """Tell whether a user has a line."""
        ...

    async def know(self, users: Iterable[int]) -> None:
        """Make sure that `who` knows these users."""
        ...

    def loaded(self, live: LiveTable) -> None:
        """Handle a table that has come into memory."""
        ...

    def unloaded(self, table: int) -> None:
        """Handle a table that has left memory."""
        ...

    def down(self, last: int) -> int:
        """Return for how many ms the hall was down since a time."""
        ...

    def sleeping(self) -> bool:
        """Tell whether there are turn-based tables where somebody sits."""
        ...


class TablePorts(CachePorts, Protocol):
    """What live tables need from the parts above them."""

    def who(self, id: int) -> User | None:
        """Return a user from memory."""
        ...

    async def holdings(self, table: Table, user: int) -> Holdings:
        """Return what a user has in a table's game."""
        ...

    def board(self, room: int, people: frozenset[int]) -> AbstractAsyncContextManager[Board]:
        """Choose a shared deal of a room that none of these people has met; no other table may choose meanwhile."""
        ...

    def told(self, live: LiveTable, change: Applied) -> None:
        """Handle an event after it was shown."""
        ...

    async def relieve(self, user: int, table: int) -> None:
        """Give vacation time, if any is left, to somebody whose time is up at a turn-based table (P-87)."""
        ...


class Runner(Protocol):
    """What the parts of the runner need from it."""

    store: Store
    clock: Clock
    limits: TableLimits
    players: BotPlayers
    timers: Timers
    tables: dict[int, LiveTable]

    @property
    def over(self) -> bool:
        """Tell whether it has stopped."""
        ...

    def take_up(self, live: LiveTable, commands: Iterable[TableCommand]) -> None:
        """Start to run a table that has come into memory, with the commands that it must handle first."""
        ...

    def submit(self, live: LiveTable, command: TableCommand, by: Actor = ..., answer: Answer | None = None) -> None:
        """Put a command into a table's inbox, and carry out what can be carried out."""
        ...

    def let_go(self, live: LiveTable) -> None:
        """Let other nodes forget a table that leaves memory."""
        ...

    def spawn(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine as a task; exceptions are logged."""
        ...
