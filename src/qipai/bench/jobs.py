"""The benches there are, in the order of their rows, and how they are carried out."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from qipai.bench import append, bots, codec, contest, engine, load, memory, replay, selfplay, server, start, web
from qipai.bench.machine import Watch, cpu_model
from qipai.bench.machine import load as load_average
from qipai.bench.sheet import Sheet, Table, today, versions
from qipai.core.measure import Absent

__all__ = ["Job", "Teller", "carried_out", "jobs"]

ENDS = ("gouji", "xiangqi")  # six seats and two: what other games cost the hall lies between
Told = Callable[[str], None]
Found = tuple[list[Table], dict[str, str]]


@dataclass(frozen=True)
class Job:
    """A bench: the words of its command, and what measures."""

    words: str
    measure: Callable[[Told], Found]
    alone: bool = True  # may nothing else run meanwhile? what counts CPU time, bytes or losses need not be alone


def jobs(what: str, game: str | None, *, quick: bool, tables: int | None = None, store: str = "sqlite") -> list[Job]:
    """Return the benches that are asked for; raises Absent when a game has none."""
    rounds, seconds = (2, 0.02) if quick else (5, 0.3)
    games = engine.games_with_rows()
    if game is not None and game not in games:
        raise Absent(f"there is nothing to measure of {game}; there is of {', '.join(games)}")
    chosen = [game] if game else games
    found: list[Job] = []

    def add(kind: str, words: str, measure: Callable[[Told], Found], alone: bool = True) -> None:
        if what in (kind, "all"):
            found.append(Job(words, measure, alone))

    for name in chosen:
        add("engine", f"engine {name}", partial(engine.measure, name, rounds, seconds), alone=False)
    add("selfplay", "selfplay", partial(selfplay.measure, chosen, rounds, seconds * 2))
    for name in chosen:
        add("bots", f"bots {name}", partial(bots.measure, name, *((1, 10) if quick else (2, 50))), alone=False)
    many = tables or (24 if quick else 100)
    played = [name for name in chosen if game or not quick or name in ENDS]
    for name in played:
        add(
            "server",
            f"server {name} --tables {many}",
            partial(server.measure, name, many, *pace(name, many, quick, game is not None)),
        )
    add("load", "load", partial(load.measure, quick), alone=False)
    add("memory", "memory", partial(memory.measure, *((200, 1000, 20, 1) if quick else (1000, 10_000, 300, 5))), False)
    add("start", "start", partial(start.measure, rounds, 300 if quick else 10_000), alone=False)
    add("replay", "replay", partial(replay.measure, chosen, rounds, seconds, 100 if quick else 1000))
    if store == "sqlite":
        add("append", "append --store sqlite", partial(append.measure, rounds, seconds))
    if store == "postgres" or what == "all":
        add("append", "append --store postgres", postgres)
    add("codec", "codec", partial(codec.measure, rounds, 0.0005 if quick else 0.01), alone=False)
    add("web", "web", partial(web.measure, quick))
    return found


def pace(game: str, tables: int, quick: bool, asked: bool) -> tuple[int, int, float, bool]:
    """Return how `server` measures a game: tables at a person's pace, rounds, seconds, whether beside all rivals.

    Six seats and two are measured wholly; the games between only where they are asked for.
    """
    whole = asked or game in ENDS
    if quick:
        return (tables if whole else 0), 2, 0.2, whole
    return (300 if whole else 0), 5, 1.5, whole


def postgres(told: Told) -> Found:
    """Say that there is nothing to measure."""
    raise Absent("this qipai keeps its events in SQLite; it has no PostgreSQL store yet")


def carried_out(found: Sequence[Job], *, quick: bool, told: Told) -> Iterator[Sheet]:
    """Yield what each bench found, one after the other; whatever goes wrong with one is told in its sheet.

    In a quick run benches that count CPU time, bytes or losses run two at a time, where there are two cores. An
    interrupt makes sheets without figures of all that was not done.
    """
    lanes = 2 if quick and (os.cpu_count() or 1) > 1 else 1
    shared = [job for job in found if not job.alone] if lanes > 1 else []
    done: dict[str, Sheet] = {}
    stopped = False
    pool = ThreadPoolExecutor(lanes)
    try:
        watch = Watch()
        futures: list[tuple[Job, Future[Sheet]]] = [(job, pool.submit(sheet, job, quick, told, None)) for job in shared]
        for job, future in futures:
            try:
                done[job.words] = future.result()
            except KeyboardInterrupt:
                stopped = True
                break
        others = watch.others()
        for job in found:
            if job.words in done:
                yield with_others(done[job.words], others)
            elif stopped:
                yield blank(job, quick, "interrupted")
            else:
                try:
                    yield sheet(job, quick, told, Watch())
                except KeyboardInterrupt:
                    stopped = True
                    yield blank(job, quick, "interrupted")
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        if stopped:
            contest.kill_all()  # what still works in a lane has nobody to tell


def sheet(job: Job, quick: bool, told: Told, watch: Watch | None) -> Sheet:
    """Carry out one bench; return what was found, and where and when, or why nothing was."""
    before = load_average()
    tables: list[Table] = []
    more: dict[str, str] = {}
    trouble = ""
    try:
        tables, more = job.measure(lambda what: told(f"{job.words}: {what}"))
    except Absent as absent:
        trouble = f"absent: {absent}"
    except (RuntimeError, OSError) as wrong:  # one bench that cannot be carried out does not take the others with it
        trouble = f"it failed: {wrong}"
    found = blank(job, quick, trouble, more)
    return Sheet(
        **{
            **{name: getattr(found, name) for name in found.__struct_fields__},
            "load_before": before,
            "tables": tuple(tables),
            "others": watch.others() if watch else None,
        }
    )


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
    import msgspec

    return msgspec.structs.replace(found, others=others)


class Teller:
    """Shows how far it is, on the terminal's last line or a line each."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._live = sys.stderr.isatty()

    def __call__(self, what: str) -> None:
        """Tell what is done now."""
        said = f"{time.monotonic() - self._began:4.0f} s  {what}"
        if self._live:
            print(f"\r\x1b[K{said[:100]}", end="", file=sys.stderr, flush=True)
        else:
            print(said, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
