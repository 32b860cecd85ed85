"""A live table: its state, the listeners on its channels, its inbox, and the events told lately."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Final, Protocol

from msgspec import UNSET, Struct, UnsetType

from qipai.hall.live.afar import Distant, Far, Promise
from qipai.hall.live.recovery import Loaded, Said, remember
from qipai.hall.table import wire_views
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Table
from qipai.hall.table.system_commands import Actor, TableCommand
from qipai.store import LogEntry

__all__ = ["Accepted", "Answer", "Listener", "LiveTable"]

Step = tuple[str, int, int]  # a game, a seat, and what was asked or happened there
NO_NODES: Final[frozenset[Distant]] = frozenset()
NO_STEPS: Final[frozenset[Step]] = frozenset()  # shared by all tables where no bot thinks
NOT_SHOWN: Final[Mapping[int, Step]] = {}
AWAY_MS: Final = 300_000  # after somebody has left, events are kept in memory for so long


class Listener(Protocol):
    """Whoever receives a table's messages: a session."""

    @property
    def user_id(self) -> int | None:
        """Return the user, None if nobody is signed in."""
        ...

    @property
    def far(self) -> Far | None:
        """Return which node carries it, None where it has come here."""
        ...

    @property
    def waits(self) -> bool:
        """Tell whether what is sent now waits for a promised message."""
        ...

    def send(self, frame: bytes) -> None:
        """Send a frame."""
        ...

    def expect(self, promise: Promise) -> None:
        """Send a promised message when it is there, and what is sent later after it."""
        ...

    def moved(self, table: Table, channel: int | None, missed: Sequence[tuple[int, Said]] | None = None) -> None:
        """Send the snapshot of a table for another channel, to which the listener has moved, or with what it missed."""
        ...


NO_LOOKS: Final[Mapping[Listener, int | None]] = {}


class Accepted(Struct, frozen=True):
    """A command was carried out. Holds the number of the sender's channel, and whether it is a repetition."""

    number: int
    again: bool = False


Answer = Callable[[Accepted | HallError], None]
Waiting = tuple[TableCommand, Actor, Answer | None]  # an entry of an inbox: a command, who gives it, whom to answer


class LiveTable:
    """A table in memory: its state, its listeners, its inbox."""

    __slots__ = (
        "afar",
        "ahead",
        "alarm",
        "anew",
        "busy",
        "choosing",
        "cids",
        "due",
        "glances",
        "id",
        "inbox",
        "last_used",
        "left_at",
        "listeners",
        "long",
        "looks",
        "placed",
        "said",
        "shown",
        "spared",
        "spared_to",
        "stuck",
        "table",
        "thinking",
        "unsure",
    )  # fmt: skip

    def __init__(self, found: Loaded, now: int) -> None:
        self.id = found.table.id
        self.table = found.table
        self.said = found.said
        self.cids = found.cids
        self.inbox: list[Waiting] = []
        self.busy = False
        self.afar: Distant | None = None  # another node that shows it, or is to as soon as it has a copy
        self.placed = 0  # when it was chosen who shows the table, ms since 1970
        self.spared = 0  # when nodes that do not show it were last asked to have a copy, ms since 1970 …
        self.spared_to: Set[Distant] = NO_NODES  # … and which there were
        self.choosing = False  # the room chooses the shared deal that is played next
        self.ahead: Table | None = None  # while the events of a commit are shown: the table after all of them
        self.anew = 0  # how often the present command was tried again
        self.stuck: int | None = None  # since when nothing of this table can be written, ms since 1970
        self.unsure: LogEntry | None = None  # what could not be written; it may stand in the log all the same
        self.listeners: dict[Listener, int | None] = {}  # who is here, and on which channel
        # Who looks on beside the channels: over the shoulder of a seat, or None: on a big screen.
        self.looks: Mapping[Listener, int | None] = NO_LOOKS
        self.glances: list[wire_views.Glance | None] = []  # of channels with listeners; the watchers' last
        self.long: wire_views.Long = {}  # the JSON of long fields of its views, from the last event
        self.due: int | None = None  # when something is next due
        self.alarm: int | None = None  # when the timer rings; never after `due`
        self.last_used = now
        self.left_at = now if found.said else None  # when somebody last left, who may come back
        self.thinking: frozenset[Step] = NO_STEPS
        self.shown: Mapping[int, Step] = NOT_SHOWN  # the last step shown to each bot that may act unasked

    def fit_glances(self) -> None:
        """Make room for a glance of each channel; if the number of channels has changed, all start over."""
        if len(self.glances) != len(self.table.seqs):
            self.glances = [None] * len(self.table.seqs)

    @property
    def deserted(self) -> bool:
        """Tell whether a friendly game runs here that nobody plays or watches: bots play for everybody.

        Where a shared deal is played, bots play on for people who have left for good: its result is compared. In a
        room of shared deals they play on for whoever is away: a bad board could be broken off by not coming back.
        """
        table = self.table
        left = all(chair.user is None or chair.presence == "left" for chair in table.chairs)
        if table.closed_to_others and (left or table.setting.duplicate):
            return False
        return (
            table.playing
            and not self.somebody
            and table.setting.kind == "friendly"
            and not table.turn_based
            and all(chair.user is None or chair.away for chair in table.chairs)
        )

    @property
    def somebody(self) -> bool:
        """Tell whether anybody looks at the table."""
        return bool(self.listeners or self.looks)

    def watchers(self) -> int:
        """Return how many watch."""
        return sum(channel is None for channel in self.listeners.values()) + len(self.looks)

    def look(self, listener: Listener, over: int | None) -> None:
        """Let somebody look on beside the channels, and on none of them any more."""
        self.listeners.pop(listener, None)
        self.looks = {**self.looks, listener: over}

    def forget(self, listener: Listener) -> bool:
        """Remove somebody from the table; return whether they were there."""
        if listener in self.looks:
            self.looks = {one: over for one, over in self.looks.items() if one is not listener} or NO_LOOKS
            return True
        if listener not in self.listeners:
            return False
        del self.listeners[listener]
        return True

    def shares(self, listener: Listener, over: int | None) -> bool:
        """Tell whether somebody may still look: on a big screen always, over a shoulder while its player lets them."""
        chairs = self.table.chairs
        return over is None or (over < len(chairs) and chairs[over].shoulder == listener.user_id)

    def here(self) -> tuple[int, ...] | UnsetType:
        """Return the seats of a turn-based table whose players look at it; other tables have presence for this."""
        if not self.table.turn_based:
            return UNSET
        return tuple(sorted({channel for channel in self.listeners.values() if channel is not None}))

    def remember(self, told: Said, now: int) -> None:
        """Remember what an event has told."""
        away = self.left_at is not None and now - self.left_at < AWAY_MS
        # If bots play for everybody, nobody comes back to a seat; a watcher gets missed events from the log.
        few = not away or all(chair.user is None or chair.presence == "left" for chair in self.table.chairs)
        remember(self.said, told, few=few)

    def owed(self, channel: int | None, after: int) -> int | None:
        """Return how many events a channel has had since a number; None if they may not be told any more."""
        number = self.table.seqs[-1 if channel is None else channel]
        if after > number or number - after > 200:
            return None
        if channel is not None and after < self.table.chairs[channel].since:
            return None
        return number - after

    def missed(self, channel: int | None, count: int) -> list[tuple[int, Said]] | None:
        """Return the last events of a channel, oldest first; None when the table no longer remembers so many."""
        bit = len(self.table.seqs) - 1 if channel is None else channel
        number = self.table.seqs[bit]
        found: list[tuple[int, Said]] = []
        for said in reversed(self.said):
            if len(found) == count:
                break
            if said.reach >> bit & 1:
                found.append((number, said))
                number -= 1
        return found[::-1] if len(found) == count else None

    def recalled(self, read: Loaded) -> None:
        """Restore from the log what was told before.

        The log may contain events that were not shown here yet; those are left out.
        """
        mine, theirs = [*self.table.seqs], [*read.table.seqs]
        for said in self.said:
            _back(mine, said.reach)
        older = list(read.said)
        while older and theirs != mine:
            _back(theirs, older.pop().reach)
        self.said[:0] = older


def _back(seqs: list[int], reach: int) -> None:
    """Return the numbers of the channels as they were before an event that reached some of them."""
    for channel in range(len(seqs)):
        seqs[channel] -= reach >> channel & 1
