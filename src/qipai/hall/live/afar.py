"""Tables that other nodes show (0083): a node that carries lines of a table keeps a copy, and makes what they see.

The hall decides and writes; then it tells such a node each row as the log has it, and which of its lines see the event.
The node folds the row onto its copy and encodes what each seat sees, which is most of the work of a move. Until a copy
is there, and wherever one is not, the hall shows the table itself, so nobody waits for a copy.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from typing import Any, Final, Protocol

import msgspec
from msgspec import Raw, Struct

from qipai.accounts.model import User
from qipai.hall.live.last_rows import Rows
from qipai.hall.live.recovery import Loaded, go_on
from qipai.hall.table import wire_views
from qipai.hall.table.events import DealCreated, Fined, HallEvent, Seated, Settled, ShoulderSet
from qipai.hall.table.fold import reach_of
from qipai.hall.table.model import Table
from qipai.hall.table.stored import data_of, read
from qipai.hall.table.update import Applied
from qipai.store import Unwritten

__all__ = ["Distant", "Far", "Follower", "Lost", "Step", "people_at", "step_of"]

log = logging.getLogger("qipai.nodes")

PATIENCE: Final = 200  # steps after which a copy that fits none of them is given up
KEPT_S: Final = 60.0  # how long copies are kept for whoever leads next
NONE: Final = b"null"
NAMING: Final = (Seated, Fined, DealCreated, ShoulderSet, Settled)  # events that name people

Lost = Callable[[bool], None]
Place = tuple[int, str | None, int, tuple[int, ...]]


class Distant(Protocol):
    """A node that carries lines."""

    def shows(self, table: int) -> bool:
        """Tell whether it has a copy of a table and shows that to its lines."""
        ...

    def follow(self, table: int, people: Sequence[User], lost: Lost) -> bool:
        """Let it make a copy; return whether it is to be told all that happens from now on.

        lost: called when it no longer follows, with whether its lines may have missed something.
        """
        ...

    def tell(self, step: bytes) -> None:
        """Tell it what has happened at a table."""
        ...

    def renew(self, table: int, at: int) -> None:
        """Let it forget what a channel was shown last: the hall has shown it more."""
        ...

    def forget(self, table: int) -> None:
        """Let it forget a table."""
        ...


Far = tuple[Distant, int]  # a node, and the number of a line that it carries


class Step(Struct, frozen=True, array_like=True):
    """An event of a table as the log has it, and who of a node's lines sees it.

    place: of the table before it. to: lines and their channels. people: whom the event names.
    """

    table: int
    place: Place
    now: int
    kind: str
    data: Raw
    secret: Raw  # `null` where there is none
    actor: int | None
    to: tuple[tuple[int, int], ...]
    people: tuple[User, ...]
    cid: str | None = None  # of the command that it is the first event of


_encode = msgspec.json.Encoder().encode
_steps: Final = msgspec.json.Decoder(Step)


def place_of(table: Table) -> Place:
    """Return how far a table has come: its rows, its deal and the rows of that, the numbers of its channels."""
    deal = table.coming or table.deal
    return table.rows, None if deal is None else deal.game_id, 0 if deal is None else deal.rows, table.seqs


def people_at(table: Table, who: Callable[[int], User | None]) -> tuple[User, ...]:
    """Return the people on a table's chairs."""
    found = (who(chair.user) for chair in table.chairs if chair.user is not None)
    return tuple(one for one in found if one is not None)


def step_of(change: Applied, to: Iterable[tuple[int, int]], who: Callable[[int], User | None]) -> bytes:
    """Return an event for a node that follows the table."""
    event, what, people = change.event, change.event.what, ()
    if change.before.chairs is not change.table.chairs or isinstance(what, NAMING):
        named = getattr(what, "user", None)
        other = who(named) if isinstance(named, int) else None
        people = (*people_at(change.before, who), *people_at(change.table, who), *((other,) if other else ()))
    return _encode(
        Step(
            change.table.id,
            place_of(change.before),
            event.now,
            event.kind,
            Raw(data_of(what)),
            Raw(_encode(event.secret)),
            event.actor,
            tuple(to),
            people,
            event.cid,
        )
    )


class Copy:
    """A copy of a table."""

    __slots__ = ("early", "fits", "found", "glances", "long", "people", "tries")

    def __init__(self, people: Iterable[User]) -> None:
        self.found: Loaded | None = None  # None: it is being read
        self.early: list[Step] = []  # what came meanwhile
        self.fits = False  # the steps continue it
        self.tries = 0
        self.glances: list[wire_views.Glance | None] = []
        self.long: wire_views.Long = {}
        self.people = {one.id: one for one in people}


class Follower:
    """The copies of tables on a node that carries lines."""

    def __init__(
        self,
        rows: Callable[[int, Loaded | None], Coroutine[Any, Any, Rows]],
        spawn: Callable[[Coroutine[Any, Any, None]], object],
        ready: Callable[[int], None],
        lost: Callable[[int], None],
    ) -> None:
        """rows: reads those of a table since it was as given. ready, lost: when a copy begins to show it, and ends."""
        self._rows, self._spawn, self._ready, self._lost = rows, spawn, ready, lost
        self._copies: dict[int, Copy] = {}
        self._kept: dict[int, Loaded] = {}  # tables that were followed when the node that leads was last lost

    def __len__(self) -> int:
        return len(self._copies)

    def clear(self) -> None:
        """Follow no tables: nobody tells what happens there any more. As they were they are kept for who leads next."""
        if self._copies:
            self._kept = {id: copy.found for id, copy in self._copies.items() if copy.found is not None}
            asyncio.get_running_loop().call_later(KEPT_S, self._kept.clear)
            self._copies.clear()

    def kept(self, table: int) -> Loaded | None:
        """Hand over a table as it was when the node that led was lost."""
        return self._kept.pop(table, None)

    def follow(self, table: int, people: Iterable[User]) -> None:
        """Begin to follow a table."""
        copy = self._copies[table] = Copy(people)
        self._spawn(self._read(table, copy))

    def forget(self, table: int) -> None:
        """Forget a table."""
        self._copies.pop(table, None)

    def renew(self, table: int, at: int) -> None:
        """Forget what a channel was shown last."""
        copy = self._copies.get(table)
        if copy is not None and -len(copy.glances) <= at < len(copy.glances):
            copy.glances[at] = None

    async def _read(self, table: int, copy: Copy) -> None:
        try:
            rows = await self._rows(table, self.kept(table))
        except Unwritten:
            rows = Rows([], {})
        if self._copies.get(table) is not copy:
            return
        if not rows.rows and rows.known is None:
            self._give_up(table)
            return
        try:
            copy.found = rows.load(table)
            early, copy.early = copy.early, []
            for step in early:
                self._joined(copy, step)
        except Exception:
            log.exception("table %d cannot be copied from its %d rows", table, len(rows.rows))
            self._give_up(table)

    def _give_up(self, table: int) -> None:
        self._copies.pop(table, None)
        self._lost(table)

    def step(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Take what has happened; yield which line is sent what."""
        step = _steps.decode(data)
        copy = self._copies.get(step.table)
        if copy is None:
            return  # it was given up; the hall sends its lines the whole table
        if copy.found is None:
            copy.early.append(step)
            return
        try:
            if not copy.fits:
                self._joined(copy, step)
            elif place_of(copy.found.table) == step.place:
                yield from self._shown(copy, copy.found, step)
            else:
                log.error("table %d stands at %r, not at %r", step.table, place_of(copy.found.table), step.place)
                self._give_up(step.table)
        except Exception:
            log.exception("table %d cannot be followed at %r", step.table, step)
            self._give_up(step.table)

    def _joined(self, copy: Copy, step: Step) -> None:
        """Take a step while it is not known yet where the copy stands; those that it has already are passed over."""
        assert copy.found is not None
        if copy.fits or place_of(copy.found.table) == step.place:
            self._shown(copy, copy.found, step)
            if not copy.fits:
                copy.fits = True
                self._ready(step.table)
            return
        copy.tries += 1
        if copy.tries > PATIENCE:
            self._give_up(step.table)

    def _shown(self, copy: Copy, found: Loaded, step: Step) -> list[tuple[int, bytes]]:
        """Fold a step onto a copy, and return what its lines see."""
        what, secret = read(step.kind, step.data, None if bytes(step.secret) == NONE else step.secret)
        before = found.table
        told = go_on(found, HallEvent(what, step.now, secret, step.actor, step.cid))
        table = found.table
        reach = reach_of(table, secret)
        for one in step.people:
            copy.people[one.id] = one
        count = len(table.seqs)
        earlier = copy.glances if len(copy.glances) == count else [None] * count
        common = wire_views.Common(before, table, told, step.now, copy.people.get, copy.long)
        glances: list[wire_views.Glance | None] = [None] * count
        texts: list[bytes | None] = [None] * count
        for _line, at in step.to:
            common.show(at, earlier, reach, glances, texts)
        copy.glances = glances
        return [(line, text) for line, at in step.to if (text := texts[at]) is not None]
