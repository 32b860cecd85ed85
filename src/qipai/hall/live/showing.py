"""Shows what happens at live tables to those who listen: made here, or by the node that shows the table (`afar`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import partial
from typing import Final

import msgspec

from qipai.hall.live.afar import Distant, Expecting, Promise, people_at, step_of
from qipai.hall.live.live_table import Listener, LiveTable
from qipai.hall.live.placing import Lines, Placing
from qipai.hall.live.ports import TablePorts
from qipai.hall.live.recovery import Said
from qipai.hall.live.timers import Clock
from qipai.hall.table import messages as wire
from qipai.hall.table import wire_views
from qipai.hall.table.events import PresenceChanged, Seated, Stood, Swapped
from qipai.hall.table.update import Applied

__all__ = ["Showing"]

# Looked up for each move: `in` compares types only, where `isinstance` would try one after the other.
RESEATING: Final = frozenset({Seated, Stood, Swapped, PresenceChanged})

NO_PROMISES: Final[Mapping[int, Promise]] = {}
PLACED_MS: Final = 2000  # for so long at least the same node shows a table
SPARED_MS: Final = 10_000  # so old a copy may be on a node that does not show the table
LATER_MS: Final = 2000  # so long after a table was loaded nodes are first asked to have a copy


class Showing:
    """What the listeners of all live tables are sent."""

    def __init__(self, clock: Clock, ports: TablePorts) -> None:
        self._clock, self._ports = clock, ports
        self.placing = Placing()
        self.nodes: Set[Distant] = frozenset()  # all that could lead after this one …
        self._asked: Set[Distant] = frozenset()  # … as they were when a table was last shown

    def show(self, live: LiveTable, change: Applied) -> None:
        """Send an event to every channel that it reached."""
        event, table, reach = change.event, change.table, change.reach
        said = Said(reach, change.told)
        live.remember(said, event.now)
        movers = self._movers(live, change)
        common: wire_views.Common | None = None  # not needed where another node shows the table
        last = len(table.seqs) - 1
        before = live.glances if len(live.glances) == len(table.seqs) else [None] * len(table.seqs)
        # No glance is kept for a channel without listeners here.
        glances: list[wire_views.Glance | None] = [None] * len(before)
        live.glances = glances
        texts: list[bytes | None] = [None] * len(before)
        if live.looks:
            common = self._common(live, change)
            self._show_beside(live, change, common, before, texts)
        afar = live.afar
        shown_there = afar is not None and afar.shows(live.id)
        ends: dict[Distant | None, int] = {}  # how many lines of it end at other nodes, and here
        lines: list[tuple[int, int]] = []
        waiting: dict[int, list[Listener]] = {}  # for what that node returns, by channel
        for listener, channel in live.listeners.items():
            at = last if channel is None else channel
            far = listener.far
            end = None if far is None else far[0]
            ends[end] = ends.get(end, 0) + 1
            if listener in movers:
                continue  # it is shown the whole table
            if not shown_there:
                common = common or self._common(live, change)
                common.show(at, before, reach, glances, texts)
                if (text := texts[at]) is not None:
                    listener.send(text)
            elif reach >> at & 1:
                if far is not None and far[0] is afar and not listener.waits:
                    lines.append((far[1], at))
                else:
                    waiting.setdefault(at, []).append(listener)
        if afar is not None:
            step = step_of(change, lines, waiting, self._ports.who)
            afar.tell(live.id, step, promised(waiting, said, table.seqs) if waiting else NO_PROMISES)
        now = self._clock.now()
        if afar is not None and afar not in ends:
            self._leave(live)
        if ends:
            self.placing.happened(live.id, live.afar, ends, now)
            if len(ends) > 1 or None not in ends:
                self._place(live, ends, now)
            if self.nodes:
                self._spare(live, now)
        for listener in movers:
            listener.moved(table, live.listeners[listener])
        self._ports.told(live, change)
        if movers:
            self.counted(live)

    @staticmethod
    def _movers(live: LiveTable, change: Applied) -> Sequence[Listener]:
        """Move listeners whose people have changed seats to their channels, and return them."""
        if type(change.event.what) not in RESEATING:
            return ()
        found = [
            listener
            for listener, channel in live.listeners.items()
            if change.table.seat_of(listener.user_id) != channel
        ]
        for listener in found:
            live.listeners[listener] = change.table.seat_of(listener.user_id)
        return found

    def _common(self, live: LiveTable, change: Applied) -> wire_views.Common:
        return wire_views.Common(change.before, change.table, change.told, change.event.now, self._ports.who, live.long)

    # Tables that another node shows ---------------------------------------------------------------------------------

    def _place(self, live: LiveTable, lines: Lines, now: int) -> None:
        """Choose now and then who shows a table of which other nodes carry lines."""
        if not live.table.playing or 0 <= now - live.placed < PLACED_MS:  # else too little happens
            return
        able = [node for node in lines if node is not None and (node is live.afar or node.takes(live.id))]
        if not able:
            return
        live.placed = now
        chosen = self.placing.choose(live.id, able, live.afar, lines, now)
        if chosen is live.afar:
            return
        if live.afar is not None:
            live.afar.forget(live.id)
        live.afar = chosen
        if chosen is not None:
            chosen.follow(live.id, people_at(live.table, self._ports.who), partial(self._shown_here, live, chosen))

    def _spare(self, live: LiveTable, now: int) -> None:
        """Let the nodes that do not show a table have copies of it now and then (0095, 0096)."""
        if self._asked != self.nodes:
            self._asked = frozenset(self.nodes)
        if not live.spared:  # it has just been loaded: everybody has more to do now
            live.spared, live.spared_to = now + LATER_MS - SPARED_MS, self._asked
            return
        due = not 0 <= now - live.spared < SPARED_MS
        if not due and live.spared_to is self._asked:
            return
        for node in self._asked:
            if node is not live.afar and (due or node not in live.spared_to):
                node.keep(live.id)
        live.spared_to = self._asked
        if due:
            live.spared = now

    def _shown_here(
        self, live: LiveTable, node: Distant, missed: bool, broken: Mapping[Expecting, Sequence[Promise]]
    ) -> None:
        """Show a table here that a node no longer shows. missed, broken: as for `Distant.follow`."""
        if live.afar is node:
            live.afar, live.placed = None, 0
        unserved = {id(one): promises for one, promises in broken.items()}
        for listener, channel in list(live.listeners.items()):
            lost = unserved.get(id(listener), ())
            own = missed and listener.far is not None and listener.far[0] is node  # and may lack what was not promised
            if lost or own:
                listener.moved(live.table, channel, None if own else untold(live, channel, lost))

    def let_go(self, live: LiveTable) -> None:
        """Let the node that shows a table that leaves memory forget it."""
        self._leave(live)
        self.placing.gone(live.id)

    @staticmethod
    def _leave(live: LiveTable) -> None:
        if live.afar is not None:
            live.afar.forget(live.id)
        live.afar, live.placed = None, 0

    # Those who look on beside the channels --------------------------------------------------------------------------

    def _show_beside(
        self,
        live: LiveTable,
        change: Applied,
        common: wire_views.Common,
        before: Sequence[wire_views.Glance | None],
        texts: list[bytes | None],
    ) -> None:
        """Send an event to those who look on beside the channels; who may no longer look has to join again."""
        for listener, over in list(live.looks.items()):
            if not live.shares(listener, over):
                live.forget(listener)
                listener.send(msgspec.json.encode(wire.Rejoin(live.id)))
        for over in set(live.looks.values()):
            at = -1 if over is None else over
            live.glances[at] = before[at]
            if change.reach >> (at % len(before)) & 1:
                live.glances[at], ev = common.ev(over, before[at])
                texts[at] = msgspec.json.encode(ev)
                text = common.beside(ev, over)
                for listener, place in live.looks.items():
                    if place == over:
                        listener.send(text)

    def counted(self, live: LiveTable, but: Listener | None = None) -> None:
        """Tell everybody how many watch and who is present; this is no event."""
        frame = msgspec.json.encode(wire.Count(live.id, live.watchers(), live.here()))
        for listener in (*live.listeners, *live.looks):
            if listener is not but:
                listener.send(frame)

    def look(self, live: LiveTable, channel: int | None) -> wire.Ev:
        """Return all of a channel's own fields, and keep a glance with which its next event is compared."""
        glance, own = wire_views.look(live.table, channel, self._clock.now(), self._ports.who)
        if channel in live.listeners.values() or channel in live.looks.values():
            live.fit_glances()
            live.glances[-1 if channel is None else channel] = glance
            if live.afar is not None:
                live.afar.renew(live.id, -1 if channel is None else channel)
        return own

    @staticmethod
    def anew(live: LiveTable) -> None:
        """Make everybody at a table fetch a new snapshot."""
        rejoin = msgspec.json.encode(wire.Rejoin(live.id))
        for listener in [*live.listeners, *live.looks]:
            listener.send(rejoin)


def promised(waiting: Mapping[int, Sequence[Listener]], said: Said, numbers: Sequence[int]) -> dict[int, Promise]:
    """Promise listeners what their channels will see of an event; return it by channel. numbers: of it in each."""
    found = {at: Promise(at, numbers[at], said) for at in waiting}
    for at, listeners in waiting.items():
        for listener in listeners:
            listener.expect(found[at])
    return found


def untold(live: LiveTable, channel: int | None, lost: Sequence[Promise]) -> Sequence[tuple[int, Said]] | None:
    """Return the events that were promised to somebody and do not come; None where they are not the last ones."""
    at = len(live.table.seqs) - 1 if channel is None else channel
    last = live.table.seqs[at]
    if not lost or [(one.at, last - one.number) for one in lost] != [(at, n) for n in reversed(range(len(lost)))]:
        return None
    return [(one.number, one.said) for one in lost]
