"""What tables at work ask of those above them, and what they are given: small protocols, passed to constructors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from typing import Any, Protocol

from qipai.accounts.model import User
from qipai.hall.live.bot_players import BotPlayers
from qipai.hall.live.live_table import Answer, LiveTable
from qipai.hall.live.timers import Clock, Timers
from qipai.hall.table.model import Table, TableLimits
from qipai.hall.table.system_commands import Actor, TableCommand
from qipai.hall.table.update import Applied
from qipai.ledger import Holdings
from qipai.store import Store

__all__ = ["Accounts", "CachePorts", "Luck", "NoWishes", "Output", "Runner", "Silent", "TablePorts", "Wishes"]


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


class Wishes(Protocol):
    """What people have set for themselves."""

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
        """Return by whom several people want to be invited: friends, nobody; who is not in it: everybody (P-5)."""
        ...


class NoWishes:
    """Of people who have set nothing. loss: how many coins anybody may lose a day, 0: any number."""

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
        """Return nothing: everybody may invite them."""
        return {}


class Output(Protocol):
    """What writes to lines. It may hold back what one event lets out, and measures how long an action takes.

    `hold` is called before what one event lets out, `release` behind all that one commit does at all its tables: a line
    that is told several things may get them in one piece, and what is written to many lines is written in a row (0016).
    """

    def start(self) -> Callable[[], None]:
        """Begin to measure an action; return what is to be called when all that it gave is out."""
        ...

    def hold(self) -> None:
        """Keep what is written."""
        ...

    def release(self) -> None:
        """Let it out."""
        ...


class Silent:
    """An output that neither holds nor measures anything."""

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
    """What the cache of tables asks of those above, and tells them."""

    def present(self, user: int) -> bool:
        """Tell whether a user has a line."""
        ...

    async def know(self, users: Iterable[int]) -> None:
        """Make sure that `who` knows these."""
        ...

    def loaded(self, live: LiveTable) -> None:
        """Hear of a table that has come into memory."""
        ...

    def unloaded(self, table: int) -> None:
        """Hear of a table that has left memory."""
        ...

    def down(self, last: int) -> int:
        """Return for how many ms the hall was down since a time."""
        ...

    def sleeping(self) -> bool:
        """Tell whether there are turn-based tables where somebody sits."""
        ...


class TablePorts(CachePorts, Protocol):
    """What tables at work ask of those above, and tell them."""

    def who(self, id: int) -> User | None:
        """Return a user at once."""
        ...

    async def holdings(self, table: Table, user: int) -> Holdings:
        """Return what a user has in a table's game."""
        ...

    def told(self, live: LiveTable, change: Applied) -> None:
        """Hear of an event after it was shown."""
        ...

    async def relieve(self, user: int, table: int) -> None:
        """Give time to somebody whose time is up at a turn-based table, if there is any to give (P-87)."""
        ...


class Runner(Protocol):
    """What the parts of the runner ask of it."""

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
        """Begin with a table that has come into memory, and with what it has to be told first."""
        ...

    def submit(self, live: LiveTable, command: TableCommand, by: Actor = ..., answer: Answer | None = None) -> None:
        """Put a command into a table's inbox, and carry out what can be carried out."""
        ...

    def spawn(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run something to its end; what it raises is logged."""
        ...
