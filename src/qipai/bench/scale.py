"""`qipai bench scale`: the same games on one node of a hall, on two and on four, by what processors they take.

One PostgreSQL and one hall on four nodes; what differs is where people's lines end. Nodes that no line comes to only
stand by, with copies of all tables: a smaller hall would not have them, so what they take is not counted. The players
of each table are spread over the nodes to which lines come. What so many nodes carry is bound by the busiest one, if
each has a processor of its own: that is what is compared, so two nodes need no third core for who plays. Where more
nodes than cores take turns, what a move takes is not what it would with a core for each: that is shown, and not judged.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from qipai.bench.contest import Sample
from qipai.bench.database import Server, driver
from qipai.bench.hall import FREE
from qipai.bench.nodes import Anywhere, Cluster, Node, cluster
from qipai.bench.players import Playing, seated
from qipai.bench.sheet import Check, Line, Table, line
from qipai.core.measure import Absent

__all__ = ["Spread", "Turn", "measure", "spreads", "table"]

GAME: Final = "gouji"  # six seats
NODES: Final = 4
WARM_S, HELD_S = 2.0, 0.2
SETTLED_S: Final = 8.0  # after so long tables are where they stay, whatever was played before (`hall.live.placing`)
SAME: Final = 1.15  # CPU of a move, of that on one node
ALONE: Final = "1 node"
EVENLY: Final = "lines evenly"
EFFICIENCY: Final = {2: 0.85, 4: 0.7}

Progress = Callable[[str], None]


class Spread(Struct, frozen=True):
    """Where lines end: how many nodes take part, and of so many lines in a row each one's node, 0 for who leads."""

    name: str
    nodes: int
    turns: tuple[int, ...]


def spreads() -> tuple[Spread, ...]:
    """Return what is compared."""
    return (
        Spread(ALONE, 1, (0,)),
        Spread(f"2 nodes, {EVENLY}", 2, (0, 1)),
        Spread("2 nodes, lines where it stands by", 2, (1,)),
        Spread(f"4 nodes, {EVENLY}", 4, (0, 1, 2, 3)),
        Spread("4 nodes, lines where they stand by", 4, (1, 2, 3)),
    )


class Turn(Struct, frozen=True):
    """What was counted while one spread played: moves, and the seconds of CPU that each node took."""

    moves: int
    cpu_s: tuple[float, ...]
    wall_s: float

    @property
    def all_us(self) -> float:
        """Microseconds of CPU a move, of all nodes."""
        return sum(self.cpu_s) / self.moves * 1e6

    @property
    def busiest_us(self) -> float:
        """… and of the busiest node."""
        return max(self.cpu_s) / self.moves * 1e6


def measure(rounds: int, seconds: float, tables: int, told: Progress) -> tuple[list[Table], dict[str, str]]:
    """Return the table; raises Absent without PostgreSQL."""
    library = driver()
    with tempfile.TemporaryDirectory(prefix="qipai-bench-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        home.chmod(0o755)  # the database has a user of its own
        (home / "postgres").mkdir()
        try:
            server = Server(home / "postgres")
        except FileNotFoundError as absent:
            raise Absent(str(absent)) from None
        try:
            server.start()
            told(f"starting {NODES} nodes")
            with cluster(home / "hall", FREE, server.url(), NODES) as nodes:
                found = asyncio.run(played(nodes, rounds, seconds, tables, told))
        finally:
            server.stop()
    return [table(found, tables, os.cpu_count() or 1)], {"psycopg": library}


async def played(nodes: Cluster, rounds: int, seconds: float, tables: int, told: Progress) -> dict[Spread, list[Turn]]:
    """Let all spreads play in turn."""
    leader = nodes.leader
    order = [leader, *(node for node in nodes.nodes if node is not leader)]
    playing: dict[Spread, Playing] = {}
    for spread in spreads():
        told(f"seating {tables} tables: {spread.name}")
        playing[spread] = await seated(Anywhere([order[turn] for turn in spread.turns]), GAME, tables)
        playing[spread].go()
        await asyncio.sleep(WARM_S)
        playing[spread].hold()
    found: dict[Spread, list[Turn]] = {spread: [] for spread in playing}
    for number in range(rounds):
        for spread, players in playing.items():
            told(f"round {number + 1}/{rounds}: {spread.name}")
            players.go()
            await asyncio.sleep(min(SETTLED_S, 4 * seconds))
            found[spread].append(await counted(order[: spread.nodes], seconds, players))
            players.hold()
            await asyncio.sleep(HELD_S)
    for players in playing.values():
        if players.errors > players.moves // 100:
            raise RuntimeError(f"{players.errors} of {players.moves} moves were refused: {players.refusal!r}")
        players.close()
    return found


async def counted(nodes: Sequence[Node], seconds: float, players: Playing) -> Turn:
    """Return what the nodes do in so many seconds."""
    servers = [node.server for node in nodes if node.server is not None]
    moves, cpu, began = players.moves, [server.cpu() for server in servers], time.perf_counter()
    await asyncio.sleep(seconds)
    spent = tuple(server.cpu() - before for server, before in zip(servers, cpu, strict=True))
    return Turn(max(1, players.moves - moves), spent, time.perf_counter() - began)


def median_of(values: Sequence[float]) -> float:
    """Return the median."""
    return sorted(values)[len(values) // 2]


def table(found: dict[Spread, list[Turn]], tables: int, cores: int) -> Table:
    """Return what was found. cores: of this machine."""
    lines: list[Line] = []
    one = next(turns for spread, turns in found.items() if spread.nodes == 1)
    alone = median_of([turn.all_us for turn in one])
    best: dict[int, tuple[float, float]] = {}  # by nodes: how much of as many times one node, and the CPU of a move
    notes = []
    for spread, turns in found.items():
        samples = [Sample(turn.moves, sum(turn.cpu_s), turn.wall_s) for turn in turns]
        lines.append(line(spread.name, [each.per_s for each in samples], [each.cpu_us for each in samples]))
        busiest, whole = median_of([turn.busiest_us for turn in turns]), median_of([turn.all_us for turn in turns])
        share = alone / busiest / spread.nodes
        notes.append(
            f"{spread.name}: the busiest node takes {busiest:.0f} µs a move, so all carry {alone / busiest:.2f} times"
            f" what one does"
        )
        if spread.nodes > 1 and share > best.get(spread.nodes, (0.0, 0.0))[0]:
            best[spread.nodes] = share, whole / alone
    checks = []
    for nodes, bound in EFFICIENCY.items():
        share, more = best[nodes]
        few = f"{nodes} nodes on {cores} cores" if cores < nodes else ""
        checks.append(Check(f"what {nodes} nodes carry, of {nodes} times one", bound, True, share, few))
        checks.append(Check("… CPU of a move there, of that on one node", SAME, False, more, few))
    notes.append(
        "PostgreSQL, the players, and nodes that only stand by are not counted; each table's lines are spread over the"
        " nodes"
    )
    return Table(f"{GAME}, {tables} tables", "moves a second", tuple(lines), tuple(checks), tuple(notes))
