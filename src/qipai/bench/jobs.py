"""The benches there are, in the order of their rows, and how they are carried out."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

import msgspec

from qipai.bench import (
    append,
    append_postgres,
    attack,
    bots,
    bus,
    chaos,
    codec,
    community,
    contest,
    crowd,
    engine,
    hall,
    load,
    log,
    memory,
    replay,
    scale,
    selfplay,
    server,
    start,
    web,
)
from qipai.bench.floor import Floor, Parts, Room, Stopped, drained
from qipai.bench.machine import Watch, cpu_model
from qipai.bench.machine import load as load_average
from qipai.bench.sheet import Sheet, Table, today, versions
from qipai.bench.stable import Stable
from qipai.core.measure import Absent

__all__ = ["Job", "Teller", "carried_out", "jobs"]

ENDS = ("gouji", "xiangqi")  # six seats and two: what other games cost the hall lies between
Progress = Callable[[str], None]
Found = tuple[list[Table], dict[str, str]]


@dataclass(frozen=True)
class Job:
    """A bench: the words of its command, what measures, and what room that needs, or its first part."""

    words: str
    measure: Callable[[Progress], Found | Parts[Found]]
    room: Room = Room.ALONE
    turn: int = 1  # in a quick run those of lower turns come first


CROWD: Final = "crowd"  # of `bots`: strong and steady tables at once


def jobs(
    what: str,
    game: str | None,
    *,
    quick: bool,
    tables: int | None = None,
    store: str = "sqlite",
    stable: Stable | None = None,
    attackers: bool = False,
    storm_s: float | None = None,
    seed: str = "1",
) -> list[Job]:
    """Return the benches that are asked for; raises Absent when a game has none.

    stable: whose processes they use, to be closed when all are done. attackers: of `load`, the one with them.
    storm_s, seed: for how long `chaos` goes on, and what draws it.
    """
    stable = stable or Stable()
    rounds, seconds = (2, 0.02) if quick else (5, 0.3)
    games = engine.games_with_rows()
    if (what, game) == ("bots", CROWD):
        return [Job(f"bots {CROWD}", partial(crowd.measure, 10 if quick else 60, stable), Room.ALONE, 3)]
    if game is not None and game not in games:
        raise Absent(f"there is nothing to measure of {game}; there is of {', '.join(games)}")
    chosen = [game] if game else games
    found: list[Job] = []

    def add(
        kind: str, words: str, measure: Callable[[Progress], Found | Parts[Found]], room: Room, turn: int = 1
    ) -> None:
        if what in (kind, "all"):
            found.append(Job(words, measure, room, turn))

    for name in chosen:
        add("engine", f"engine {name}", partial(engine.measure, name, rounds, seconds, stable), Room.LANE)
    add(
        "selfplay",
        "selfplay",
        partial(selfplay.measure, chosen, rounds, seconds if quick else 2 * seconds, stable),
        Room.LANE,
        4,
    )
    for name in chosen:
        add("bots", f"bots {name}", partial(bots.measure, name, *((1, 10) if quick else (2, 50)), stable), Room.LANE, 3)
    if game in (None, crowd.GAME):
        add("bots", f"bots {CROWD}", partial(crowd.measure, 10 if quick else 60, stable), Room.ALONE, 3)
    many = tables or (24 if quick else 100)
    played = [name for name in chosen if game or not quick or name in ENDS]
    for name in played:
        paces = pace(name, many, quick, game is not None)
        add(
            "server",
            f"server {name} --tables {many}",
            partial(server.measure, name, many, *paces),
            Room.BESIDE,
        )
    if not attackers:
        add("load", "load", partial(load.measure, quick), Room.BESIDE)
    if attackers or not quick:  # it measures wall-clock time
        add("load" if attackers else "", "load --attackers", partial(attack.measure, quick), Room.ALONE)
    if what == "chaos" or not quick:
        add("chaos", "chaos", partial(chaos.measure, storm_s or (15 if quick else 120), seed), Room.ALONE)
    if what == "scale" or not quick:
        add("scale", "scale", partial(scale.measure, *((2, 0.5, 12) if quick else (5, 2.0, 60))), Room.ALONE)
    counts = (200, 1000, 100, 1) if quick else (1000, 10_000, 1000, 5)
    add("memory", "memory", partial(memory.measure, *counts), Room.BESIDE)
    add("start", "start", partial(start.measure, rounds, 300 if quick else 10_000), Room.LANE, 3)
    add("replay", "replay", partial(replay.measure, chosen, rounds, seconds, 100 if quick else 1000), Room.BESIDE)
    if store == "sqlite":
        add("append", "append --store sqlite", partial(append.measure, append.sqlite, rounds, seconds), Room.LANE, 4)
    if store == "postgres" or what == "all":
        in_postgres = partial(append.measure, append_postgres.postgres, rounds, seconds)
        add("append", "append --store postgres", in_postgres, Room.LANE, 4)
    if not quick or what == "log":  # what it counts does not depend on who is quick
        add("log", "log", partial(log.measure, chosen, quick), Room.BESIDE)
    add("bus", "bus", partial(bus.measure, rounds, seconds), Room.LANE, 4)
    add("community", "community", partial(community.measure, quick), Room.BESIDE)
    add("codec", "codec", partial(codec.measure, *((9, 0.0005) if quick else (rounds, 0.01))), Room.ALONE)
    add("web", "web", partial(web.measure, quick), Room.BESIDE)
    return found


def pace(game: str, tables: int, quick: bool, asked: bool) -> tuple[int, int, float, bool]:
    """Return how `server` measures a game: tables at a person's pace, rounds, seconds, whether beside all rivals.

    Six seats and two are measured wholly; the games between only where they are asked for.
    """
    whole = asked or game in ENDS
    if quick:
        return (tables if whole else 0), 2, 0.15, whole
    return (300 if whole else 0), 5, 1.5, whole


def carried_out(found: Sequence[Job], *, quick: bool, told: Progress) -> Iterator[Sheet]:
    """Yield what each bench found, in their order; whatever goes wrong with one is told in its sheet.

    In a quick run they share the machine as far as their rooms allow, and the sheets come when all have ended. An
    interrupt makes sheets without figures of all that was not done.
    """
    if quick:
        yield from together(found, told)
        return
    stopped = False
    for job in found:
        if stopped:
            yield blank(job, quick, "interrupted")
            continue
        watch = Watch()
        try:
            yield with_others(sheet(job, quick, told, drained), watch.others())
        except KeyboardInterrupt:
            stopped = True
            yield blank(job, quick, "interrupted")


def together(found: Sequence[Job], told: Progress) -> Iterator[Sheet]:
    """Carry out benches beside each other, two that count CPU time at once where there are two cores."""
    floor, watch = Floor(min(2, os.cpu_count() or 1), len(found)), Watch()

    def heard(what: str) -> None:
        if floor.stopped:
            raise Stopped
        told(what)

    def carry_out(number: int, job: Job) -> Sheet:
        def parts(bench: Parts[Found]) -> Found:
            while True:
                try:
                    room = next(bench)
                except StopIteration as done:
                    result: Found = done.value
                    return result
                try:
                    floor.enter(number, room)
                except Stopped:
                    bench.close()  # what it has started ends
                    raise

        try:
            floor.enter(number, job.room)
            found = sheet(job, True, heard, parts)
            return blank(job, True, "interrupted") if found.trouble and floor.stopped else found
        except Stopped:
            return blank(job, True, "interrupted")
        except BaseException:
            floor.stop()
            raise
        finally:
            floor.leave(number)

    with ThreadPoolExecutor(max(1, len(found))) as pool:
        turns = {id(job): number for number, job in enumerate(sorted(found, key=lambda job: job.turn))}
        futures: list[Future[Sheet]] = [pool.submit(carry_out, turns[id(job)], job) for job in found]
        done: list[Sheet] = []
        for job, future in zip(found, futures, strict=True):
            try:
                done.append(future.result())
            except KeyboardInterrupt:
                floor.stop()
                contest.kill_all()  # nobody waits for the results of what still runs
                hall.kill_all()
                done.append(blank(job, True, "interrupted"))
    others = watch.others()
    for each in done:
        yield with_others(each, others)


def sheet(job: Job, quick: bool, told: Progress, whole: Callable[[Parts[Found]], Found]) -> Sheet:
    """Carry out one bench; return what was found, and where and when, or why nothing was.

    whole: carries out one that has parts.
    """
    before = load_average()
    tables: list[Table] = []
    more: dict[str, str] = {}
    trouble = ""
    try:
        found = job.measure(lambda what: told(f"{job.words}: {what}"))
        tables, more = found if isinstance(found, tuple) else whole(found)
    except Absent as absent:
        trouble = f"absent: {absent}"
    except (RuntimeError, OSError) as wrong:  # a bench that fails does not stop the others
        trouble = f"it failed: {wrong}"
    plain = blank(job, quick, trouble, more)
    return msgspec.structs.replace(plain, load_before=before, tables=tuple(tables))


def blank(job: Job, quick: bool, trouble: str, more: dict[str, str] | None = None) -> Sheet:
    """Return a sheet without figures."""
    known = versions("msgspec", "numba", "numpy", "starlette", "uvicorn", "uvloop", "websockets")
    now = load_average()
    words = f"qipai bench {job.words}"
    return Sheet(
        words, today(), quick, {**known, **(more or {})}, cpu_model(), os.cpu_count() or 1, now, now, (), None, trouble
    )


def with_others(found: Sheet, others: float | None) -> Sheet:
    """Return a sheet with the share of the machine that others took."""
    return msgspec.structs.replace(found, others=others)


class Teller:
    """Shows the progress, on the terminal's last line or a line each."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._live = sys.stderr.isatty()

    def __call__(self, what: str) -> None:
        """Show what is being done now."""
        said = f"{time.monotonic() - self._began:5.1f} s  {what}"
        if self._live:
            print(f"\r\x1b[K{said[:100]}", end="", file=sys.stderr, flush=True)
        else:
            print(said, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
