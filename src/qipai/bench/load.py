"""`qipai bench load`: an hour of a town's play, pressed together, and whether anything grows or is lost.

People play at tables of every game, lose their lines and come back, get up and go, others open tables, watchers come
and go. At the end of every stretch nobody moves for a moment and the hall is looked at: what it holds in memory, how
many tasks it has, what waits in its queues. At the end the log must hold every action that was acknowledged, once.
"""

from __future__ import annotations

import asyncio
import http.client
import sqlite3
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Final

from msgspec import Struct

from qipai.bench.engine import games_with_rows
from qipai.bench.hall import FREE, Hall
from qipai.bench.lines import Line as Socket
from qipai.bench.lines import connect
from qipai.bench.players import Player, Playing, seated
from qipai.bench.replay import DATABASE
from qipai.bench.sheet import Check, Table, line

__all__ = ["Look", "Plan", "lost", "measure", "played"]

Progress = Callable[[str], None]
PACE_S: Final = 3.0  # of a table: an hour has 1200 of its moves
FASTER: Final = 20  # than in a town: the clocks of tables that people have left go with the play
CLOCKS: Final = (
    FREE.replace("[seats]", f"[seats]\ngrace_s = {60 // FASTER}\nempty_s = {600 // FASTER}")
    .replace("unready_s = 600", f"unready_s = {600 // FASTER}")
    .replace("[bots]", f"[bots]\npace_ms = {700 // FASTER}")
)
GROWTH: Final = 1.05  # of memory, from the middle to the end
SETTLE_S: Final = 0.3
SETTLES: Final = 20
PATIENCE_S: Final = 60.0  # for one stretch
REST_S: Final = 240.0  # that bots may take to play to its end what people have left


class Plan(Struct, frozen=True):
    """How much is played."""

    games: tuple[str, ...]
    tables: int  # of each game
    stretches: int
    moves: int  # of a table in a stretch
    watchers: int  # that come in a stretch, for the next
    back: int = 3  # every so many players loses their line in a stretch
    even: bool = True  # whether its middle and end wait until tables that people have left are gone


class Look(Struct, frozen=True):
    """What a hall holds in memory and queues while nobody moves."""

    rss: int
    tasks: int
    queue: int
    connections: int
    tables: int


class Hour:
    """All tables and players."""

    def __init__(self, hall: Hall, plan: Plan) -> None:
        self.hall, self.plan = hall, plan
        self.playing: dict[str, Playing] = {}
        self.watching: list[Socket] = []
        self.acked: set[bytes] = set()
        self.back = self.left = self.watched = 0

    async def begin(self) -> None:
        """Seat everybody."""
        for game in self.plan.games:
            self.playing[game] = playing = await seated(self.hall, game, self.plan.tables)
            playing.acked = self.acked

    async def stretch(self, number: int) -> None:
        """Play a stretch: lines are lost in its middle."""
        before = self.moves
        aim = before + self.plan.moves * self.plan.tables * len(self.playing)
        for playing in self.playing.values():
            playing.go()
        await self.until(before + (aim - before) // 2)
        for player in self.someone(number, self.plan.back):
            await player.back(self.hall)
            self.back += 1
        await self.until(aim)
        for playing in self.playing.values():
            playing.hold()
        await asyncio.sleep(SETTLE_S)

    async def change(self, number: int) -> None:
        """Let the tables of two games be left, others be opened, and other watchers come."""
        games = list(self.playing)
        for game in {games[number % len(games)], games[(number + 1) % len(games)]}:
            playing = self.playing[game]
            first = playing.players[: playing.seats]
            for player in first:
                player.leave()
                self.left += 1
            del playing.players[: playing.seats]
            playing.forget(first)
            await seated(self.hall, game, 1, playing)
        for socket in self.watching:
            socket.close()
        tables = [player.table.id for playing in self.playing.values() for player in playing.players]
        self.watching = []
        for i in range(self.plan.watchers):
            socket = await connect(self.hall.host, self.hall.port, ignore)
            socket.send(b'{"t":"hello","v":1}')
            socket.send(b'{"t":"join","table":%d}' % tables[(i * 7 + number) % len(tables)])
            self.watching.append(socket)
            self.watched += 1
        await asyncio.sleep(SETTLE_S)

    async def until(self, moves: int) -> None:
        """Wait until so many moves were acknowledged; raises RuntimeError when the tables stand still."""
        end, before = time.monotonic() + PATIENCE_S, self.moves
        while self.moves < moves:
            await asyncio.sleep(0.02)
            self.hall.check()
            if self.moves != before:
                end, before = time.monotonic() + PATIENCE_S, self.moves
            elif time.monotonic() > end:
                raise RuntimeError(f"the tables stand still after {self.moves} moves: {self.refusal!r}")

    def someone(self, number: int, every: int) -> list[Player]:
        """Return every n-th player, different ones in every stretch."""
        everybody = [player for playing in self.playing.values() for player in playing.players]
        return everybody[number % every :: every]

    @property
    def moves(self) -> int:
        """How many moves were acknowledged."""
        return sum(playing.moves for playing in self.playing.values())

    @property
    def refusal(self) -> bytes:
        """The last refusal."""
        return next((playing.refusal for playing in self.playing.values() if playing.refusal), b"")

    async def settled(self) -> Look:
        """Return what the hall holds once nothing waits, which may take it a moment."""
        for _ in range(SETTLES):
            if not (look := self.look()).queue:
                break
            await asyncio.sleep(SETTLE_S)
        return look

    async def rest(self) -> int:
        """Return what still waits in the hall's queues when nobody moves any more, and no bot has anything to do."""
        end = time.monotonic() + REST_S
        own = self.plan.tables * len(self.playing) if self.plan.even else 1 << 30
        while ((look := self.look()).queue or look.tables > own) and time.monotonic() < end:
            await asyncio.sleep(SETTLE_S)
        return look.queue

    def look(self) -> Look:
        """Return what the hall holds."""
        http_line = http.client.HTTPConnection(self.hall.host, self.hall.port)
        token = (self.hall.data / "metrics.token").read_text().strip()
        http_line.request("GET", "/metrics", headers={"Authorization": f"Bearer {token}"})
        text = http_line.getresponse().read().decode()
        http_line.close()
        found = {row.rsplit(" ", 1)[0]: float(row.rsplit(" ", 1)[1]) for row in text.splitlines() if row[:1] != "#"}
        tables = sum(int(n) for name, n in found.items() if name.startswith("qipai_tables{"))
        queue = int(found["qipai_bot_queue"] + found["qipai_store_queue"])
        return Look(self.hall.rss(), int(found["qipai_tasks"]), queue, int(found["qipai_connections"]), tables)

    def close(self) -> None:
        """Hang up."""
        for playing in self.playing.values():
            playing.close()
        for socket in self.watching:
            socket.close()


async def played(data: Path, plan: Plan, told: Progress) -> tuple[Hour, list[Look], float, int]:
    """Play; return what was done, what the hall held after each stretch, the seconds it took, what waits in the end."""
    with Hall(data, CLOCKS) as hall:
        hour = Hour(hall, plan)
        told("seating")
        await hour.begin()
        began, looks = time.perf_counter(), []
        for number in range(plan.stretches):
            told(f"stretch {number + 1}/{plan.stretches}: {hour.moves} moves so far")
            await hour.stretch(number)
            if plan.even and number in (plan.stretches // 2, plan.stretches - 1):
                told("waiting until bots have played for those who left")
                await hour.rest()
            looks.append(await hour.settled())
            if number + 1 < plan.stretches:
                await hour.change(number)
        took = time.perf_counter() - began
        told("waiting until bots have played for those who left")
        waits = await hour.rest()
        hour.close()
    return hour, looks, took, waits


def lost(file: Path, acked: set[bytes]) -> tuple[int, int]:
    """Return how many acknowledged actions a log has not, and how many holes its streams have."""
    db = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        there = {cid.encode() for (cid,) in db.execute("SELECT cid FROM events WHERE cid IS NOT NULL")}
        streams = db.execute(
            "SELECT sum(most - least + 1 - n) FROM (SELECT max(seq) AS most, min(seq) AS least, count(*) AS n"
            " FROM events WHERE stream LIKE 'table:%' OR stream LIKE 'game:%' GROUP BY stream)"
        )
        return len(acked - there), int(streams.fetchone()[0] or 0)
    finally:
        db.close()


def measure(quick: bool, told: Progress) -> tuple[list[Table], dict[str, str]]:
    """Return the table."""
    games = games_with_rows()
    plan = Plan(("gouji", "xiangqi"), 2, 4, 20, 6, even=False) if quick else Plan(tuple(games), 8, 24, 50, 60)
    with tempfile.TemporaryDirectory(prefix="qipai-bench-") as folder:
        hour, looks, took, waits = asyncio.run(played(Path(folder), plan, told))
        missing, holes = lost(Path(folder) / DATABASE, hour.acked)
    return [table(plan, hour, looks, took, waits, missing, holes)], {}


def table(plan: Plan, hour: Hour, looks: Sequence[Look], took: float, waits: int, missing: int, holes: int) -> Table:
    """Return what was found."""
    late = looks[len(looks) // 2 :]
    half = late[0]
    tables = plan.tables * len(plan.games)
    minutes = plan.stretches * plan.moves * PACE_S / 60
    lines = (
        line("memory, MB", [look.rss / 1e6 for look in looks]),
        line("tasks", [float(look.tasks) for look in looks]),
        line("in the queues of bots and store", [float(look.queue) for look in looks]),
        line("connections", [float(look.connections) for look in looks]),
        line("tables in memory", [float(look.tables) for look in looks]),
    )
    per_line = [look.tasks / max(1, look.connections) for look in looks]
    checks = (
        Check("memory at the end over the middle", GROWTH, False, looks[-1].rss / half.rss),
        Check("tasks a connection, at the end over the median", 1.1, False, per_line[-1] / median(per_line)),
        Check("waiting in queues once bots have played for those who left", 0.0, False, float(waits)),
        Check("acknowledged actions that the log has not", 0.0, False, float(missing)),
        Check("holes in the log", 0.0, False, float(holes)),
    )
    notes = (
        f"{hour.moves} moves at {tables} tables in {took:.0f} s: {minutes:.0f} minutes at a move in {PACE_S:.0f} s",
        f"{hour.back} lines lost and found, {hour.left} people left, {hour.watched} watchers came and went",
        f"grace, a bot's pace and the end of an empty table are {FASTER} times as fast, too; middle and end of a"
        " whole run are compared when tables that people have left are gone",
    )
    return Table(f"{minutes:.0f} minutes of {tables} tables", "after each stretch", lines, checks, notes)


def ignore(socket: Socket, text: bytes) -> None:
    """Ignore what comes."""
