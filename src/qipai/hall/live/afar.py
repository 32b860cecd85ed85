"""Tables that another node shows (0083, 0094): it keeps a copy, and makes what each seat sees of it.

The hall decides and writes; then it tells the node that shows a table each row as the log has it, and which lines see
the event. The node folds the row onto its copy and encodes what each seat sees, which is most of the work of a move.
Its own lines get that at once; what others get comes back to the hall, where what is sent to them later waits for it
(`Promise`). Until a copy is there, and wherever one is not, the hall shows the table itself, so nobody waits for one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

import msgspec
from msgspec import Raw, Struct

from qipai.accounts.model import User
from qipai.hall.live.last_rows import Rows
from qipai.hall.live.recovery import Loaded, Said, go_on
from qipai.hall.table import wire_views
from qipai.hall.table.events import DealCreated, Fined, HallEvent, Seated, Settled, ShoulderSet
from qipai.hall.table.fold import reach_of
from qipai.hall.table.model import Table
from qipai.hall.table.stored import data_of, read
from qipai.hall.table.update import Applied
from qipai.store import Unwritten

__all__ = [
    *("Distant", "Expecting", "Far", "Follower", "Lost", "Made", "Promise", "Step"),
    *("broken_off", "people_at", "step_of"),
]

log = logging.getLogger("qipai.nodes")

PATIENCE: Final = 200  # steps after which a copy that fits none of them is given up
KEPT_S: Final = 60.0  # how long copies that nobody asks for are kept for whoever leads next
NONE: Final = b"null"
NAMING: Final = (Seated, Fined, DealCreated, ShoulderSet, Settled)  # events that name people

Place = tuple[int, str | None, int, tuple[int, ...]]


class Expecting(Protocol):
    """Whoever waits for a promised message."""

    def arrived(self) -> None:
        """Send what waited for it."""
        ...


class Promise:
    """A message that another node makes. What is sent later to those who get it waits until it is there."""

    __slots__ = ("at", "expecting", "kept", "number", "said", "text")

    def __init__(self, at: int, number: int, said: Said) -> None:
        """number: of its event in the channel `at`. said: what that has told."""
        self.at, self.number, self.said = at, number, said
        self.expecting: list[Expecting] = []
        self.kept = False
        self.text: bytes | None = None

    def keep(self, text: bytes | None) -> None:
        """Deliver the message; None: it never comes."""
        self.text, self.kept = text, True
        for one in self.expecting:
            one.arrived()


def broken_off(promises: Iterable[Promise]) -> dict[Expecting, list[Promise]]:
    """Let promised messages never come; return who waited for them, with what was promised to each, in order."""
    found: dict[Expecting, list[Promise]] = {}
    for promise in promises:
        for one in promise.expecting:
            found.setdefault(one, []).append(promise)
        promise.keep(None)
    return found


Lost = Callable[[bool, Mapping[Expecting, Sequence[Promise]]], None]  # see `Distant.follow`


class Distant(Protocol):
    """A node that carries lines."""

    def shows(self, table: int) -> bool:
        """Tell whether it has a copy of a table and shows that."""
        ...

    def takes(self, table: int) -> bool:
        """Tell whether it could follow a table."""
        ...

    def follow(self, table: int, people: Sequence[User], lost: Lost) -> None:
        """Let it make a copy; it is told all that happens from now on.

        lost: called when it no longer shows the table, with whether its own lines may have missed something, and who
        else has: what was promised to them, in order, does not come.
        """
        ...

    def tell(self, table: int, step: bytes, promises: Mapping[int, Promise]) -> None:
        """Tell it what has happened at a table. promises: what it is to return, by channel (`Step.back`)."""
        ...

    def keep(self, table: int) -> None:
        """Let it have a copy that it does not show, so that the table is soon there if it leads; asked now and then."""
        ...

    def renew(self, table: int, at: int) -> None:
        """Let it forget what a channel was shown last: the hall has shown it more."""
        ...

    def forget(self, table: int) -> None:
        """Let it forget a table, after what it was told."""
        ...


Far = tuple[Distant, int]  # a node, and the number of a line that it carries


class Step(Struct, frozen=True, array_like=True):
    """An event of a table as the log has it, and who sees it.

    place: of the table before it. to: lines of the node and their channels. people: whom the event names. back:
    channels whose message is returned, for the lines of other nodes.
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
    back: tuple[int, ...] = ()


class Made(Struct, frozen=True):
    """What a node has made of an event: messages for its lines, and those that go back, by channel.

    copy: the number of the copy, if anything goes back.
    """

    lines: Sequence[tuple[int, bytes]] = ()
    back: Sequence[tuple[int, bytes]] = ()
    copy: int = 0


NOTHING: Final = Made()
_encode = msgspec.json.Encoder().encode
_steps: Final = msgspec.json.Decoder(Step)


def _now() -> float:
    return asyncio.get_running_loop().time()


def place_of(table: Table) -> Place:
    """Return how far a table has come: its rows, its deal and the rows of that, the numbers of its channels."""
    deal = table.coming or table.deal
    return table.rows, None if deal is None else deal.game_id, 0 if deal is None else deal.rows, table.seqs


def people_at(table: Table, who: Callable[[int], User | None]) -> tuple[User, ...]:
    """Return the people on a table's chairs."""
    found = (who(chair.user) for chair in table.chairs if chair.user is not None)
    return tuple(one for one in found if one is not None)


def step_of(
    change: Applied, to: Iterable[tuple[int, int]], back: Iterable[int], who: Callable[[int], User | None]
) -> bytes:
    """Return an event for a node that shows the table."""
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
            tuple(back),
        )
    )


class Copy:
    """A copy of a table."""

    __slots__ = ("early", "fits", "found", "glances", "long", "number", "people", "tries")

    def __init__(self, number: int, people: Iterable[User]) -> None:
        self.number = number
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
        """rows: reads those of a table since it was as given.

        ready, lost: called with the number of a copy when it begins to show its table, and when it is given up.
        """
        self._rows, self._spawn, self._ready, self._lost = rows, spawn, ready, lost
        self._copies: dict[int, Copy] = {}
        self._kept: dict[int, tuple[Loaded, float]] = {}  # tables that are not followed, as they were then
        self._reading: set[int] = set()  # those that are brought up to date
        self._swept = 0.0  # when those that nobody asked for were last dropped

    def __len__(self) -> int:
        return len(self._copies)

    def clear(self) -> None:
        """Follow no tables: nobody tells what happens there any more. As they were they are kept for who leads next."""
        for table in list(self._copies):
            self.forget(table)
        asyncio.get_running_loop().call_later(KEPT_S + 1, self._sweep)

    def kept(self, table: int) -> Loaded | None:
        """Hand over a table as it was a while ago."""
        found = self._kept.pop(table, None)
        return None if found is None else found[0]

    def keep(self, table: int) -> None:
        """Have a copy of a table that is not shown here, as new as the log is now."""
        if table not in self._copies and table not in self._reading:
            self._reading.add(table)
            self._spawn(self._refresh(table))
        if _now() - self._swept > KEPT_S:
            self._sweep()

    async def _refresh(self, table: int) -> None:
        known = self._kept.get(table)
        try:
            rows = await self._rows(table, None if known is None else known[0])
            if table in self._copies or self._kept.get(table) is not known:
                return  # it is followed now, or was handed over
            if rows.rows or rows.known is not None:
                self._kept.pop(table, None)  # rows are folded onto it: where that fails, it is no copy
                self._kept[table] = rows.load(table), _now()
        except Unwritten:
            pass
        except Exception:
            log.exception("table %d cannot be kept", table)
        finally:
            self._reading.discard(table)

    def _sweep(self) -> None:
        """Drop what nobody has asked for in a while."""
        self._swept = _now()
        self._kept = {id: one for id, one in self._kept.items() if self._swept - one[1] < KEPT_S}

    def follow(self, table: int, number: int, people: Iterable[User]) -> None:
        """Begin to follow a table. number: of this copy."""
        copy = self._copies[table] = Copy(number, people)
        self._spawn(self._read(table, copy))

    def forget(self, table: int) -> None:
        """Follow a table no longer. As it was it is kept for who leads next."""
        copy = self._copies.pop(table, None)
        if copy is not None and copy.found is not None:
            self._kept[table] = copy.found, _now()

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
            self._give_up(table, copy)
            return
        try:
            copy.found = rows.load(table)
            early, copy.early = copy.early, []
            for step in early:
                self._joined(copy, step)
        except Exception:
            log.exception("table %d cannot be copied from its %d rows", table, len(rows.rows))
            self._give_up(table, copy)

    def _give_up(self, table: int, copy: Copy) -> None:
        if self._copies.pop(table, None) is not None:
            self._lost(copy.number)

    def step(self, data: bytes) -> Made:
        """Take what has happened; return what is sent."""
        step = _steps.decode(data)
        copy = self._copies.get(step.table)
        if copy is None:
            return NOTHING  # it was given up; the hall sends its lines the whole table
        if copy.found is None:
            copy.early.append(step)
            return NOTHING
        try:
            if not copy.fits:
                self._joined(copy, step)
            elif place_of(copy.found.table) == step.place:
                return self._shown(copy, copy.found, step)
            else:
                log.error("table %d stands at %r, not at %r", step.table, place_of(copy.found.table), step.place)
                self._give_up(step.table, copy)
        except Exception:
            log.exception("table %d cannot be followed at %r", step.table, step)
            self._give_up(step.table, copy)
        return NOTHING

    def _joined(self, copy: Copy, step: Step) -> None:
        """Take a step while it is not known yet where the copy stands; those that it has already are passed over."""
        assert copy.found is not None
        if copy.fits or place_of(copy.found.table) == step.place:
            self._shown(copy, copy.found, step)
            if not copy.fits:
                copy.fits = True
                self._ready(copy.number)
            return
        copy.tries += 1
        if copy.tries > PATIENCE:
            self._give_up(step.table, copy)

    def _shown(self, copy: Copy, found: Loaded, step: Step) -> Made:
        """Fold a step onto a copy, and return what is seen of it."""
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
        for at in (*step.back, *(at for _line, at in step.to)):
            common.show(at, earlier, reach, glances, texts)
        copy.glances = [new or old for new, old in zip(glances, earlier, strict=True)]
        return Made(
            [(line, text) for line, at in step.to if (text := texts[at]) is not None],
            [(at, text) for at in step.back if (text := texts[at]) is not None],
            copy.number if step.back else 0,
        )
