"""`qipai bench replay`: how fast tables come back out of the log, and how soon after kill -9."""

from __future__ import annotations

import asyncio
import functools
import gc
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final

from qipai.bench.contest import Sample, ratio
from qipai.bench.floor import Parts, Room
from qipai.bench.hall import Hall
from qipai.bench.lines import Line as Socket
from qipai.bench.lines import connect
from qipai.bench.players import Playing, seated
from qipai.bench.sheet import Check, Table, line
from qipai.core.garbage import settle
from qipai.core.measure import OURS

__all__ = ["DATABASE", "clone", "measure"]

EVENTS: Final = 100  # on each of the tables that are killed
MOVES: Final = 150  # of the games that are rebuilt
TURNS: Final = 5  # at least, of each who rebuilds: they are short
SHARE: Final = 0.5
PATIENCE_S: Final = 60.0
SLOW: Final = ("claim_seconds",)
ALL_S: Final = 3.0
FIRST_S: Final = 0.05
Progress = Callable[[str], None]
DATABASE: Final = "hall.sqlite"


def measure(
    games: Sequence[str], rounds: int, seconds: float, tables: int, told: Progress
) -> Parts[tuple[list[Table], dict[str, str]]]:
    """Return the tables: one for each game, and one of so many live tables after kill -9."""
    moves = MOVES if tables >= 1000 else MOVES // 3
    with ExitStack() as stack:
        lively = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="qipai-bench-")))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="qipai-bench-")))
        ids, (original,) = asyncio.run(both(folder, games, moves, lively, told))
        told(f"copying a table {tables} times")
        live = clone(lively / DATABASE, original, tables)
        db = stack.enter_context(closing(sqlite3.connect(f"file:{folder / DATABASE}?mode=ro", uri=True)))
        folds = {game: Fold(db, game, table) for game, table in ids.items()}
        told(f"waking {tables} tables")
        hall = stack.enter_context(Hall(lively))
        asyncio.run(answered(hall, live))
        yield Room.ALONE  # the CPU time of this very process is counted, and how soon a hall is there by the clock
        found = [fold.measured(max(rounds, TURNS), seconds, told) for fold in folds.values()]
        found.append(asyncio.run(killed(hall, lively, live, min(rounds, 3), told)))
    return found, {"SQLite": sqlite3.sqlite_version}


async def both(
    folder: Path, games: Sequence[str], moves: int, lively: Path, told: Progress
) -> tuple[dict[str, int], list[int]]:
    """Play what is rebuilt, and the table that is killed; return the numbers of the tables."""
    rebuilt, live = await asyncio.gather(played(folder, games, moves, told), played(lively, ["xiangqi"], EVENTS, told))
    return rebuilt, list(live.values())


async def played(data: Path, games: Sequence[str], moves: int, told: Progress) -> dict[str, int]:
    """Play on a table of each game, in a hall of its own that then ends; return the tables' numbers."""
    from qipai.games import find

    async def until(game: str, playing: Playing) -> int:
        # Where everybody has to wait after each move, because a claim may come, a few moves must do.
        most = moves // 10 if any(name in find(game).options.__struct_fields__ for name in SLOW) else moves
        end, before = time.monotonic() + PATIENCE_S, 0
        while playing.moves < most:
            if playing.moves != before:
                end, before = time.monotonic() + PATIENCE_S, playing.moves
            elif time.monotonic() > end:
                raise RuntimeError(f"{game}: {before} of {most} moves, then none: {playing.refusal!r}")
            await asyncio.sleep(0.001)
            hall.check()
        playing.hold()
        return playing.players[0].table.id

    with Hall(data) as hall:
        told(f"playing {', '.join(games)}")
        # At once: some deal for as long as people like to watch it.
        all_ = dict(zip(games, await asyncio.gather(*(seated(hall, game, 1) for game in games)), strict=True))
        for playing in all_.values():
            playing.go()
        ids = await asyncio.gather(*(until(game, playing) for game, playing in all_.items()))
        await asyncio.sleep(0.2)
        for playing in all_.values():
            playing.close()
    return dict(zip(games, ids, strict=True))


class Fold:
    """How fast a table is read and folded, and how fast the rules alone play the same actions."""

    def __init__(self, db: sqlite3.Connection, game: str, table: int) -> None:
        from qipai import games
        from qipai.core.entry import Record
        from qipai.core.record import rules_under
        from qipai.hall.live import books
        from qipai.hall.records.replay import created
        from qipai.hall.records.replay import played as actions_of
        from qipai.hall.table.events import DealCreated, given

        self._db, self._game, self._table = db, game, table
        self._rows = books.table_rows(db, table)
        self._entry = entry = games.find(game)
        self._scripts = []
        for id in [row.what.game_id for row in self._rows if isinstance(row.what, DealCreated)]:
            mine = books.game_rows(db, id)
            begun = created(mine)
            deal = Record(
                game=game,
                options=begun.options,
                edition=begun.edition,
                seats=len(begun.seats),
                carry=begun.carry,
                start=given(begun.start),
                bench=tuple(each.seat for each in begun.bench),
            )
            actions = [(move.seat, entry.act(move.action)) for move in actions_of(mine)]
            self._scripts.append((deal, rules_under(entry, deal), actions))
        self._work = {OURS: self._rebuild, "the rules alone, interpreted": self._rules_alone}
        for once in self._work.values():
            once()

    def _rebuild(self) -> int:
        from qipai.hall.live import books
        from qipai.hall.live.recovery import load

        load(self._table, books.table_rows(self._db, self._table))
        return len(self._rows)

    def _rules_alone(self) -> int:
        from qipai.core.contract import play
        from qipai.core.record import begun_under

        for deal, rules, actions in self._scripts:
            state = begun_under(self._entry, deal, rules)
            for seat, action in actions:
                state = play(rules, state, seat, action).state
        return sum(len(actions) for _, _, actions in self._scripts)

    def measured(self, rounds: int, seconds: float, told: Progress) -> Table:
        """Return what was found."""
        samples: dict[str, list[Sample]] = {name: [] for name in self._work}
        kept = memories()
        with collecting_as_a_hall():
            for number in range(rounds):
                for name, once in self._work.items():
                    told(f"{self._game}, round {number + 1}/{rounds}: {name}")
                    samples[name].append(sampled(once, seconds, kept))
        share = ratio(samples[OURS], samples["the rules alone, interpreted"])
        lines = [line(who, [run.per_s for run in runs], [run.cpu_us for run in runs]) for who, runs in samples.items()]
        actions = sum(len(actions) for *_, actions in self._scripts)
        return Table(
            f"{self._game}, a table rebuilt",
            "events a second",
            tuple(lines),
            (Check("share of the rules' own speed, by CPU", SHARE, True, share),),
            (f"{len(self._rows)} events, {actions} of them actions; read from SQLite, folded",),
        )


@contextmanager
def collecting_as_a_hall() -> Iterator[None]:
    """Collect garbage, for both contestants, as seldom as a hall does."""
    before = gc.get_threshold()
    settle()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def sampled(once: Callable[[], int], seconds: float, kept: Sequence[Any]) -> Sample:
    """Work for at least so long, each time as if it were the first: what is kept is forgotten before."""
    ops, cpu, wall = 0, 0.0, 0.0
    while wall < seconds or not ops:
        for memory in kept:
            memory.cache_clear()
        before = time.process_time(), time.perf_counter()
        ops += once()
        cpu += time.process_time() - before[0]
        wall += time.perf_counter() - before[1]
    return Sample(ops, max(cpu, 1e-9), wall)


def memories() -> list[Any]:
    """Return what remembers its last answers: whoever plays the same again would find them all.

    To be asked before the collector of garbage is told to keep what is there: it no longer lists that.
    """
    kept = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]
    return [one for one in kept if one.cache_parameters()["maxsize"] is not None]


# After kill -9 -------------------------------------------------------------------------------------------------------


async def killed(hall: Hall, data: Path, ids: Sequence[int], rounds: int, told: Progress) -> Table:
    """Return how long it takes until all live tables answer after a hall was killed, and until the first does."""
    tables = len(ids)
    started, first, whole = [], [], []
    with ExitStack() as halls:
        for number in range(rounds):
            told(f"round {number + 1}/{rounds}: all {tables} tables are live, then kill -9")
            hall.kill()
            hall = halls.enter_context(Hall(data))
            told(f"round {number + 1}/{rounds}: waiting for them")
            one, last = await answered(hall, ids)
            started.append(hall.started_s)
            first.append(one)
            whole.append(hall.started_s + last)
    return Table(
        f"{tables} live xiangqi tables of {EVENTS} events, after kill -9",
        "seconds",
        (
            line("until the hall is there", started),
            line("from then until the first table answers", first),
            line("from its start until all have answered", whole),
        ),
        (
            Check("the first table answers, seconds", FIRST_S, False, median(first)),
            Check(f"all {tables} answer, seconds from the start", ALL_S, False, median(whole)),
        ),
    )


async def answered(hall: Hall, ids: Sequence[int]) -> tuple[float, float]:
    """Return the seconds until the first table has answered who wants to watch it, and until all have."""
    waiting = set(ids)
    times: list[float] = []
    wrong: list[bytes] = []
    done = asyncio.get_running_loop().create_future()

    def heard(socket: Socket, text: bytes) -> None:
        if text.startswith(b'{"t":"snapshot"'):
            at = text.index(b'"table":') + 8
            waiting.discard(int(text[at : text.index(b",", at)]))
            times.append(time.perf_counter() - began)
        elif text.startswith(b'{"t":"err"'):
            wrong.append(text)
        if not done.done() and (wrong or not waiting):
            done.set_result(None)

    began = time.perf_counter()
    socket = await connect(hall.host, hall.port, heard)
    socket.send(b'{"t":"hello","v":1}')
    for id in ids:
        socket.send(b'{"t":"join","table":%d}' % id)
    await asyncio.wait_for(done, 120)
    socket.close()
    if wrong:
        raise RuntimeError(f"a table does not answer: {wrong[0].decode(errors='replace')}")
    return min(times), max(times)


def clone(file: Path, original: int, times: int) -> list[int]:
    """Copy a table and its games in the log of a hall that does not run; return the numbers of all of them."""
    db = sqlite3.connect(file)
    try:
        games = [id for (id,) in db.execute("SELECT id FROM games WHERE tbl = ?", (original,))]
        streams = [f"table:{original}", *(f"game:{id}" for id in games)]
        marks = ",".join("?" * len(streams))
        rows = db.execute(
            f"SELECT at, ms, stream, seq, type, actor, data, secret FROM events WHERE stream IN ({marks}) ORDER BY id",
            streams,
        ).fetchall()
        top = db.execute("SELECT max(id) FROM events").fetchone()[0]
        tables = db.execute("SELECT max(id) FROM tables").fetchone()[0]
        ids = [original]
        for number in range(1, times):
            new = tables + number
            ids.append(new)
            named: dict[str, str] = {id: f"{id[:-5]}{number:05d}" for id in games}

            def renamed(text: str | None, new: int = new, named: dict[str, str] = named) -> str | None:
                if text is None:
                    return None
                for old, name in named.items():
                    text = text.replace(old, name)
                return text.replace(f'"table":{original},', f'"table":{new},')

            copies: list[Any] = []
            for at, ms, stream, seq, kind, actor, row, secret in rows:
                top += 1
                mine = f"table:{new}" if stream == streams[0] else renamed(stream)
                copies.append((top, at, ms, mine, seq, kind, actor, None, renamed(row), renamed(secret)))
            db.executemany("INSERT INTO events VALUES (?,?,?,?,?,?,?,?,?,?)", copies)
            db.execute(
                "INSERT INTO tables (id, room, no, game, made, state, people, slow)"
                " SELECT ?, room, no, game, made, state, people, slow FROM tables WHERE id = ?",
                (new, original),
            )
            db.executemany(
                "INSERT INTO games (id, tbl, game, begun_at, ended_at, board)"
                " SELECT ?, ?, game, begun_at, ended_at, board FROM games WHERE id = ?",
                [(name, new, old) for old, name in named.items()],
            )
        db.commit()
        return ids
    finally:
        db.close()
