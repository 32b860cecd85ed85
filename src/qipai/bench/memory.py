"""`qipai bench memory`: what an idle connection and a table cost the hall, beside a bare server's connection."""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from qipai.bench.hall import Hall, Server
from qipai.bench.lines import Line, connect
from qipai.bench.players import Playing, seated
from qipai.bench.replay import DATABASE, clone
from qipai.bench.sheet import Check, Table, line
from qipai.core.measure import Absent

__all__ = ["measure"]

EVENTS = 20  # moves on each table
DAYS = {"type": "days", "days": 3}  # tables of such games sleep
ASLEEP = 10  # tables that sleep for each that is live
STEADY = 128 * 1024  # bytes in half a second
HELLO = b'{"t":"hello","v":1}'


def measure(
    few: int, many: int, tables: int, rounds: int, told: Callable[[str], None]
) -> tuple[list[Table], dict[str, str]]:
    """Return the tables: connections from few to many; as many tables after as many others; ten times as many
    asleep.

    So memory that all tables share, or that others have freed, counts as little as in a town.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = max(many, 4 * tables) + 200
    if soft < files:
        if hard < files:
            raise Absent(f"this machine allows {hard} open files, {files} are needed: ulimit -n")
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return asyncio.run(measured(few, many, tables, rounds, told)), {}


async def measured(few: int, many: int, tables: int, rounds: int, told: Callable[[str], None]) -> list[Table]:
    """Measure connections in turns, then tables."""
    ours: list[float] = []
    bare: list[float] = []
    live: list[float] = []
    sleeping: list[float] = []
    for number in range(rounds):
        told(f"round {number + 1}/{rounds}: {many} connections to the hall")
        with Hall() as hall:
            ours.append(await slope(hall, few, many, HELLO))
        told(f"round {number + 1}/{rounds}: {many} connections to the bare server")
        with Server([sys.executable, "-m", "qipai.bench.bare"]) as server:
            bare.append(await slope(server, few, many, b"join nothing"))
        told(f"round {number + 1}/{rounds}: {tables} tables")
        with Hall() as hall:
            live.append(await table(hall, tables, median(ours)))
        told(f"round {number + 1}/{rounds}: {ASLEEP * tables} sleeping tables")
        sleeping.append(await asleep(ASLEEP * tables))
    connections = (line("qipai", ours), line("bare uvicorn", bare))
    over = Check("over bare uvicorn", 1.3, False, median(a / b for a, b in zip(ours, bare, strict=True)))
    most = Check("a live table, KB", 6.0, False, median(live))
    none = Check("a sleeping table, whole KB", 0.0, False, float(round(median(sleeping))))
    return [
        Table(f"an idle connection, {few} to {many}", "KB of RSS", connections, (over,)),
        Table(
            f"a live xiangqi table with {EVENTS} events, of {tables} after {tables} others",
            "KB of RSS",
            (line("qipai", live),),
            (most,),
        ),
        Table(
            f"a sleeping xiangqi table with {EVENTS} events and two people, of {ASLEEP * tables}",
            "KB of RSS",
            (line("qipai", sleeping),),
            (none,),
        ),
    ]


async def slope(server: Server, few: int, many: int, greeting: bytes) -> float:
    """Return the KB that one more connection costs."""
    lines: list[Line] = []
    held = []
    for total in (few, many):
        while len(lines) < total:
            wave = min(50, total - len(lines))
            opened = await asyncio.gather(*(connect(server.host, server.port, ignore) for _ in range(wave)))
            for one in opened:
                one.send(greeting)
            lines += opened
        held.append(await steady(server))
    for one in lines:
        one.close()
    return (held[1] - held[0]) / (many - few) / 1024


async def table(hall: Hall, tables: int, connection_kb: float) -> float:
    """Return the KB of one more table on which so many moves were made, without its two connections."""
    warm = await played(hall, tables)  # what the hall keeps once for all tables is filled by these
    before = await steady(hall)
    playing = await played(hall, tables)
    after = hall.rss()
    playing.close()
    warm.close()
    return (after - before) / tables / 1024 - playing.seats * connection_kb


async def asleep(tables: int) -> float:
    """Return the KB of one more table where days are given for a move, in a hall that has just started."""
    held = []
    with tempfile.TemporaryDirectory(prefix="qipai-bench-") as folder:
        with Hall(Path(folder)) as hall:
            playing = await played(hall, 1, DAYS)
            playing.close()
        for copies in (1, tables):
            clone(Path(folder) / DATABASE, playing.players[0].table.id, copies)
            with Hall(Path(folder)) as hall:
                held.append(await steady(hall))
    return (held[1] - held[0]) / (tables - 1) / 1024


async def played(hall: Hall, tables: int, clock: dict[str, Any] | None = None) -> Playing:
    """Return so many tables on which so many moves were made."""
    playing = await seated(hall, "xiangqi", tables, clock=clock)
    playing.go(most=EVENTS)
    for _ in range(600):
        if playing.moves >= tables * EVENTS:
            break
        await asyncio.sleep(0.1)
        hall.check()
    return playing


async def steady(server: Server) -> int:
    """Return the memory of a server once it no longer grows: a hall that has just started imports its games."""
    held = server.rss()
    for _ in range(20):
        await asyncio.sleep(0.5)
        before, held = held, server.rss()
        if held - before < STEADY:
            break
    return held


def ignore(line: Line, text: bytes) -> None:
    """Ignore what comes."""
