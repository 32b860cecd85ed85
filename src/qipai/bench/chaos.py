"""`qipai bench chaos`: one hall on three nodes, people who play on all of them, and faults drawn from a seed.

PostgreSQL is one of our own. Each node comes to it, and the others to that node, by a way that can be cut, frozen and
made slow; the clock of each is wrong by up to five seconds, otherwise with each start. People play as clients do: a
line that is lost is made anew at the next node, beside one that is silent another one is begun, and an action without
an answer is said again by its cid. In the end the log must hold every action that was acknowledged, once, and no stream
a hole; nobody may have been shown what is not in it, or lost a line of it or their seat.
"""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from msgspec import Struct

from qipai.bench.database import Server, driver
from qipai.bench.hall import FREE
from qipai.bench.nodes import DEPOSED, Anywhere, Cluster, Node
from qipai.bench.players import seated
from qipai.bench.returning import CALM_S, DOUBT_S, QUIET_S, Game, Seat
from qipai.bench.sheet import Check, Table, line
from qipai.bench.strange import DETOUR, HERE
from qipai.bench.ways import Way, Ways
from qipai.core.measure import Absent

__all__ = ["KINDS", "Fault", "Found", "Plan", "drawn", "measure", "stormed", "table"]

Progress = Callable[[str], None]

NODES: Final = 3
SKEWS_S: Final = (-5.0, 0.0, 5.0)  # by which a node's clock is wrong
PACE_S: Final = 0.15  # for an answer
PROMPT: Final = "pace_ms = 0\n"  # of bots, whose pauses for people to follow are no fault's
STROLLING: Final = 3  # every so many people come by another way after a fault
FURTHER: Final = 3  # moves that each table makes after a fault, before the next
STILL_S: Final = 90.0  # a table without one of them in that time stands still
BOUND_S: Final = 4.0  # the lease's time, that of an attempt to reach the one that leads, and 1 s
ALONE: Final = "nothing, and nodes start"  # what is between two faults
BUNCH: Final = "two or three at once"
# kind -> how long it lasts, s: from, to
KINDS: Final[dict[str, tuple[float, float]]] = {
    "leader killed": (0, 0),
    "leader ended (SIGTERM)": (0, 0),
    "leader frozen": (0.5, 15),
    "standby killed": (0, 0),
    "standby ended (SIGTERM)": (0, 0),
    "standby frozen": (0.5, 15),
    "database killed": (0, 3),
    "leader cut off from the database": (0, 4),
    "way of the leader to the database frozen": (0.5, 6),
    "database slow": (1, 4),
    "ways to the leader cut": (0, 4),
    "ways to the leader frozen": (0.5, 4),
    BUNCH: (0, 0),
}


class Fault(Struct, frozen=True):
    """Something that happens. Frozen, as all that is drawn."""

    kind: str
    seconds: float  # that it lasts
    after_s: float  # before it, with nothing else
    slow_s: float  # of a slow way
    skews: tuple[float, ...]  # of nodes that are started after it
    parts: tuple[Fault, ...] = ()  # of a bunch


def drawn(seed: str) -> Iterator[Fault]:
    """Yield what happens, one after the other: all kinds in turn, each time in another order."""
    luck = random.Random(seed)

    def fault(kind: str, after_s: float) -> Fault:
        seconds, slow_s = luck.uniform(*KINDS[kind]), luck.uniform(0.01, 0.2)
        skews = tuple(luck.choice(SKEWS_S) for _ in range(NODES))
        parts: tuple[Fault, ...] = ()
        if kind == BUNCH:
            chosen = luck.sample([each for each in KINDS if each != BUNCH], luck.choice((2, 3)))
            parts = tuple(fault(each, luck.uniform(0, 1)) for each in chosen)
        return Fault(kind, seconds, after_s, slow_s, skews, parts)

    while True:
        turn = list(KINDS)
        luck.shuffle(turn)
        for kind in turn:
            yield fault(kind, luck.uniform(0.5, 2))


class Plan(Struct, frozen=True):
    """How much is played, and what happens."""

    seed: str = "1"
    seconds: float = 60.0
    faults: int = 1 << 30  # at most
    tables: tuple[tuple[str, int, int | None], ...] = (  # of which game, how many, how many people at each (None: all)
        ("xiangqi", 4, None),
        ("gouji", 2, None),
        ("backgammon", 2, None),
        ("doudizhu", 2, 1),
        ("mahjong", 1, 2),
    )
    database: tuple[str, ...] = ()  # settings of it


class Found(Struct):
    """What was found."""

    moves: int = 0
    took: float = 0.0
    gaps: dict[str, list[float]] = {}  # by the kind of fault: the longest time that any table stood still
    beyond: float = 0.0  # the longest of all, without what the faults take themselves
    worst: str = ""  # which that was
    lost: int = 0  # acknowledged actions that the log has not
    doubled: int = 0
    holes: int = 0
    unsaid: list[str] = []  # lines of a channel that somebody missed, or was shown though they are not in the log
    seats: int = 0  # lost
    still: int = 0  # tables at which nobody moves any more
    stuck: list[str] = []  # what its people were told last
    ends: list[str] = []  # of nodes that ended otherwise than was to be
    tracebacks: list[str] = []  # lines of nodes' logs with one in it
    deposed: int = 0
    refusals: Counter[str] = Counter()
    returns: int = 0  # lines made anew
    silent: int = 0  # … beside one that was silent
    faults: int = 0


class Storm:
    """The nodes, who plays there, and what happens to them."""

    def __init__(self, plan: Plan, home: Path, ways: Ways, database: Server, told: Progress) -> None:
        """home: a folder that nodes may use."""
        self.plan, self.told, self.database = plan, told, database
        self.found = Found()
        self.times: dict[int, list[float]] = {}
        self.playing: list[Game] = []
        self.acked: set[bytes] = set()
        self.luck = random.Random(plan.seed)
        data = home / "hall"
        data.mkdir()
        (data / "hall.toml").write_text(f"{FREE}{PROMPT}", "utf-8")
        nodes, self.to_database, self.to_node = [], list[Way](), list[Way]()
        for number in range(NODES):
            self.to_database.append(ways.to_socket(f"{database.home}/.s.PGSQL.5432", HERE))
            self.to_node.append(ways.to_port(HERE, DETOUR))
            url = database.url(port=self.to_database[-1].port)
            nodes.append(Node(data, number, url, f"{DETOUR}:{self.to_node[-1].port}"))
        self.cluster = Cluster(nodes, database.url())
        self.anywhere = Anywhere(nodes)
        self.down_s = 0.0  # that the database was down because of the last fault, when nobody can play
        self.wrong = dict.fromkeys(range(NODES), False)  # nodes that were signalled, and not waited for

    @property
    def players(self) -> list[Seat]:
        """Everybody."""
        return [player for playing in self.playing for player in playing.players if isinstance(player, Seat)]

    def skewed(self, skews: Sequence[float]) -> None:
        """Let the clocks of nodes be wrong so much when they are started."""
        for node, skew in zip(self.cluster.nodes, skews, strict=True):
            node.program = [sys.executable, "-m", "qipai.bench.strange", f"{skew:g}", "qipai"]

    async def seat(self) -> None:
        """Seat everybody."""
        from qipai import games

        for name, count, people in self.plan.tables:
            self.told(f"seating {name}")
            playing = Game(games.find(name).seats[-1], self.times)
            playing.acked = self.acked
            self.playing.append(playing)
            await seated(self.anywhere, name, count, playing, people=people, seat_of=Seat)
        for playing in self.playing:
            playing.go(PACE_S)

    async def weather(self) -> None:
        """Let one thing happen after the other, as long as the plan says."""
        began = time.monotonic()
        for fault in drawn(self.plan.seed):
            left = self.plan.seconds - (time.monotonic() - began)
            if left <= 0 or self.found.faults >= self.plan.faults:
                break
            await asyncio.sleep(fault.after_s)
            self.gap(ALONE, 0)
            number = self.found.faults + 1
            self.told(f"{left:.0f} s left, {self.moves} moves, fault {number}: {named(fault)}")
            await self.strike(fault)
            if not await self.further():
                break
            self.gap(fault.kind, 0.0 if fault.parts else self.down_s)
            self.found.faults += 1
            self.skewed(fault.skews)
            await self.revive()
            for player in self.luck.sample(self.players, len(self.players) // STROLLING):
                player.line.close()  # else all lines would end at the node that has not ended yet
            if not await self.further():
                break
        self.found.took = time.monotonic() - began

    @property
    def moves(self) -> int:
        """How many moves were acknowledged."""
        return sum(playing.moves for playing in self.playing)

    def gap(self, kind: str, own_s: float) -> None:
        """Note the longest time that any table stood still since this was called last."""
        now = time.monotonic()
        longest, since, table = max(
            (b - a, a, table) for table, times in self.times.items() for a, b in pairwise([*times, now])
        )
        began = next(iter(self.times.values()))[0]
        for times in self.times.values():
            times[:] = [now]
        self.found.gaps.setdefault(kind, []).append(longest)
        if kind != BUNCH and longest - own_s > self.found.beyond:
            self.found.beyond = longest - own_s
            fault = f"fault {self.found.faults + (kind != ALONE)}, {kind}"  # nothing: after that one
            self.found.worst = f"{longest:.2f} s at table {table}, from {since - began:.2f} s on; {fault}"

    async def further(self) -> bool:
        """Wait until every table has got on; return whether all have."""
        counts = {table: len(times) + FURTHER for table, times in self.times.items()}
        end = time.monotonic() + STILL_S
        while still := [table for table, count in counts.items() if len(self.times[table]) < count]:
            if time.monotonic() > end:
                self.found.still = len(still)
                self.found.stuck = [player.last.decode() for player in self.players if player.table.id in still]
                return False
            await asyncio.sleep(0.02)
        return True

    async def strike(self, fault: Fault) -> None:
        """Let something happen, and wait until it is over."""
        self.down_s = 0.0
        leader = await asyncio.to_thread(lambda: self.cluster.leader)
        standby = self.luck.choice([node for node in self.cluster.nodes if node is not leader])
        async with asyncio.TaskGroup() as group:
            for part in fault.parts or (fault,):
                group.create_task(self.happen(part, leader, standby, part.after_s if fault.parts else 0.0))

    async def happen(self, fault: Fault, leader: Node, standby: Node, after_s: float) -> None:
        """Let one thing happen."""
        await asyncio.sleep(after_s)
        who, _, what = fault.kind.partition(" ")
        node = standby if who == "standby" else leader
        to_database, to_node = self.to_database[leader.number], self.to_node[leader.number]
        if fault.kind == "database killed":
            began = time.monotonic()
            await asyncio.to_thread(self.database.stop)
            await asyncio.sleep(fault.seconds)
            await asyncio.to_thread(self.database.start)
            self.down_s = time.monotonic() - began
        elif fault.kind == "database slow":
            await self.bad([*self.to_database], lambda way: way.slow(fault.slow_s), fault.seconds)
        elif "the database" in fault.kind:
            await self.bad([to_database], Way.cut if "cut off" in fault.kind else Way.freeze, fault.seconds)
        elif who == "ways":
            await self.bad([to_node], Way.cut if "cut" in what else Way.freeze, fault.seconds)
        elif what == "frozen":
            self.signal(node, signal.SIGSTOP)
            await asyncio.sleep(fault.seconds)
            self.signal(node, signal.SIGCONT)
        else:
            self.signal(node, signal.SIGKILL if what == "killed" else signal.SIGTERM)
            self.wrong[node.number] = True

    async def bad(self, ways: Sequence[Way], how: Callable[[Way], None], seconds: float) -> None:
        """Let ways be bad so long."""
        for way in ways:
            how(way)
        await asyncio.sleep(seconds)
        for way in ways:
            way.mend()

    def signal(self, node: Node, sign: signal.Signals) -> None:
        """Send a node a signal, if it is there."""
        if node.runs:
            node.send(sign)

    async def revive(self) -> None:
        """Start nodes again that have ended, and look at how they did."""
        for node in self.cluster.nodes:
            struck = self.wrong[node.number]
            if node.runs and not struck:
                continue
            self.wrong[node.number] = False
            try:
                status = await asyncio.to_thread(node.ended)
            except subprocess.TimeoutExpired:
                self.found.ends.append(f"node {node.number} does not end")
                node.end()
                status = 0
            self.found.deposed += status == DEPOSED
            if status != DEPOSED and not (struck and status in (0, -signal.SIGKILL)):
                last = node.complaints().splitlines()[-1:] or ["it has not said why"]
                self.found.ends.append(f"node {node.number} ended with {status}: {last[0]}")
            await asyncio.to_thread(node.start)

    async def tend(self) -> None:
        """Let everybody whose line is lost or silent come back."""
        async with asyncio.TaskGroup() as group:
            while True:
                now = time.monotonic()
                for player in self.players:
                    if player.returning:
                        continue
                    if player.doubts(now):
                        self.found.silent += not player.line.lost
                        player.returning = True
                        group.create_task(self.come_back(player))
                    else:
                        player.ping(now)
                await asyncio.sleep(0.05)

    async def come_back(self, player: Seat) -> None:
        """Let somebody come back."""
        self.found.returns += await player.come_back(self.anywhere, self.luck)
        player.returning = False

    async def finish(self) -> None:
        """Look at what is left."""
        found = self.found
        for playing in self.playing:
            playing.hold()
            playing.close()
            found.refusals += playing.refusals
        found.moves = self.moves
        found.unsaid = [said for playing in self.playing for said in playing.missed]
        found.seats = sum(player.seat == b"null" for player in self.players)
        acted = await asyncio.to_thread(self.cluster.acted)
        found.lost = sum(cid.decode() not in acted for cid in self.acked)
        found.doubled = sum(times > 1 for times in acted.values())
        found.holes = len(await asyncio.to_thread(self.cluster.holes))
        for node in self.cluster.nodes:
            found.tracebacks += [said for said in node.complaints().splitlines() if "Traceback" in said]


def named(fault: Fault) -> str:
    """Return a fault in words."""
    if fault.parts:
        return "; ".join(map(named, fault.parts))
    return fault.kind + (f" for {fault.seconds:.1f} s" if fault.seconds else "")


async def stormed(home: Path, plan: Plan, told: Progress) -> Found:
    """Play while things happen; return what was found. home: an empty folder that the database's user can reach.

    Raises Absent where there is no PostgreSQL.
    """
    (home / "database").mkdir()
    try:
        database = Server(home / "database", plan.database)
    except FileNotFoundError as absent:
        raise Absent(str(absent)) from None
    told(f"seed {plan.seed}")
    try:
        database.start()
        with Ways() as ways:
            storm = Storm(plan, home, ways, database, told)
            storm.skewed(SKEWS_S)
            told("starting the nodes")
            with storm.cluster:
                await storm.seat()
                tending = asyncio.create_task(storm.tend())
                try:
                    if await storm.further():
                        for times in storm.times.values():
                            times[:] = [time.monotonic()]
                        await storm.weather()
                finally:
                    tending.cancel()
                await storm.finish()
    finally:
        database.stop()
    return storm.found


def measure(seconds: float, seed: str, told: Progress) -> tuple[list[Table], dict[str, str]]:
    """Return the table."""
    library = driver()
    with tempfile.TemporaryDirectory(prefix="qipai-bench-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        home.chmod(0o755)  # the database has a user of its own
        plan = Plan(seed, seconds)
        found = asyncio.run(stormed(home, plan, told))
    return [table(plan, found)], {"psycopg": library}


def table(plan: Plan, found: Found) -> Table:
    """Return what was found."""
    lines = tuple(line(kind, found.gaps[kind]) for kind in (ALONE, *KINDS) if kind in found.gaps)
    checks = (
        Check("acknowledged actions that the log has not", 0.0, False, float(found.lost)),
        Check("actions that the log has twice", 0.0, False, float(found.doubled)),
        Check("holes in the log", 0.0, False, float(found.holes)),
        Check("lines of a table that somebody missed, or was shown and then not", 0.0, False, float(len(found.unsaid))),
        Check("seats lost", 0.0, False, float(found.seats)),
        Check("tables at which nobody moves any more", 0.0, False, float(found.still)),
        Check("nodes that ended otherwise than they should", 0.0, False, float(len(found.ends))),
        Check("tracebacks in the nodes' logs", 0.0, False, float(len(found.tracebacks))),
        Check(
            "longest gap of one fault, without the time in which the database was down, s", BOUND_S, False, found.beyond
        ),
    )
    tables = sum(count for _, count, _ in plan.tables)
    refused = ", ".join(f"{count} {code}" for code, count in sorted(found.refusals.items())) or "none"
    notes = (
        f"again: `qipai bench chaos --for {plan.seconds:g} --seed {plan.seed}`",
        f"{found.faults} faults in {found.took:.0f} s, {found.moves} acknowledged moves at {tables} tables; refused:"
        f" {refused}",
        f"{found.returns} lines made anew; beside {found.silent} that were silent others were begun, {DOUBT_S:g} s"
        f" after a ping, which is sent when nothing has come for {QUIET_S:g} s, for {CALM_S:g} s where nothing happens;"
        f" {found.deposed} nodes ended because another one had followed",
        *((f"the longest gap: {found.worst}",) if found.worst else ()),
        f"clocks of nodes are wrong by {min(SKEWS_S):g}, 0 or {max(SKEWS_S):g} s, otherwise with each start",
        *(f"missed or taken back: {said}" for said in found.unsaid),
        *found.ends,
        *(f"stands still: {said}" for said in found.stuck),
    )
    name = f"one hall on {NODES} nodes, seed {plan.seed}: the longest time that any table stood still"
    return Table(name, "seconds, of each fault", lines, checks, notes)
