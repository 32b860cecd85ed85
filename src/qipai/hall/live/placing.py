"""Who shows a table: the hall itself, or another node that carries lines of it (0094)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from qipai.hall.live.afar import Distant

__all__ = ["Lines", "Placing"]

Node = Distant | None  # None: the hall itself
Lines = Mapping[Node, int]  # how many lines of a table end at each

# What an event costs a node, of what it costs a hall without other nodes (`qipai bench scale`). A share is of lines.
HERE: Final = 0.93  # the hall, which also shows the table
DECIDED, RETURNED = 0.44, 0.22  # … where another node does, and more for the share that does not end there
AFAR, WRITTEN = 0.55, 0.24  # that node, and more for its share
CARRIED: Final = 0.19  # for the share of any other node
WORTH: Final = 0.2  # of an event's cost: what the busiest node must be spared if a table is to move
HALF_MS: Final = 2000  # an event counts half after so long
IDLE: Final = 0.01


class Pace:
    """How much there was lately."""

    __slots__ = ("_at", "_much")

    def __init__(self) -> None:
        self._much, self._at = 0.0, 0

    def now(self, now: int) -> float:
        """Return it as it is at a time, ms."""
        if now > self._at:
            self._much *= 0.5 ** ((now - self._at) / HALF_MS)
            self._at = now
        return self._much

    def add(self, much: float, now: int) -> None:
        """Count so much more, or less."""
        self._much = max(0.0, self.now(now) + much)


def costs(by: Node, lines: Lines) -> dict[Node, float]:
    """Return what an event of a table costs each node. by: who shows it."""
    every = sum(lines.values())
    found = {node: CARRIED * count / every for node, count in lines.items()}
    if by is None:
        found[None] = HERE
    else:
        own = lines[by] / every
        found[None], found[by] = DECIDED + RETURNED * (1 - own), AFAR + WRITTEN * own
    return found


class Placing:
    """Knows how busy each node is with tables, and lets them be shown where the busiest has least to do."""

    def __init__(self) -> None:
        self._nodes: dict[Node, Pace] = defaultdict(Pace)
        self._tables: dict[int, Pace] = {}  # how much happens at those with lines of other nodes

    def happened(self, table: int, by: Node, lines: Lines, now: int) -> None:
        """Count an event of a table. by: who shows it."""
        if len(lines) == 1 and None in lines:
            if self._tables:  # else there is nothing to choose
                self._nodes[None].add(HERE, now)
            return
        for node, cost in costs(by, lines).items():
            self._nodes[node].add(cost, now)
        if (pace := self._tables.get(table)) is None:
            pace = self._tables[table] = Pace()
        pace.add(1, now)

    def gone(self, table: int) -> None:
        """Forget a table."""
        self._tables.pop(table, None)

    def choose(self, table: int, able: Iterable[Distant], by: Node, lines: Lines, now: int) -> Node:
        """Return who shows a table from now on. able: the nodes that could, beside the hall. by: who does."""
        events = max(1.0, self._tables[table].now(now)) if table in self._tables else 1.0
        busy = {node: pace.now(now) for node, pace in self._nodes.items()}
        for node, much in busy.items():
            if much < IDLE:
                del self._nodes[node]  # it may have gone
        before = costs(by, lines)
        for node, cost in before.items():
            busy[node] = max(0.0, busy.get(node, 0.0) - cost * events)

        def busiest(at: Node) -> float:
            after = costs(at, lines)
            return max(busy[node] + after.get(node, 0.0) * events for node in busy)

        best = min((None, *able), key=busiest)
        if best is by or busiest(by) - busiest(best) < WORTH * events:
            return by
        for node, cost in costs(best, lines).items():
            self._nodes[node].add((cost - before[node]) * events, now)
        return best
