"""The process a bot thinks in: it reads a request a line, writes an answer a line, and ends when its input does.

Started by `arena.process`, with QIPAI_JIT=1, so kernels are compiled where numba is installed.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from itertools import islice
from typing import Any, BinaryIO

import msgspec
from msgspec import Raw, Struct

from qipai import games
from qipai.arena.match import Terms, sit
from qipai.core.contract import BadNotation
from qipai.core.entry import Record
from qipai.core.keeping import mark
from qipai.core.kernel import JIT
from qipai.core.problems import Problem, Unclear, posed, sought
from qipai.core.record import options_of, replay

__all__ = ["NICE", "Answer", "Asked", "Choose", "Judge", "Pose", "Posed", "Request", "Seek", "Sit", "Warm", "choose"]

MOST_ENGINES = 4
NICE = 5
PROGRESS_S = 0.5  # how often at most a long request says how far it has come
_engines: dict[tuple[str, str, bytes], Any] = {}  # the running engines, by game, name and options; the newest last


class Request(Struct, frozen=True, tag_field="do", tag=str.lower):
    """What a worker is asked."""


class Warm(Request, frozen=True):
    """Import a game and compile its kernels."""

    game: str


class Choose(Request, frozen=True):
    """Choose an action for the seat whose view this is."""

    game: str
    options: dict[str, Any]
    level: str
    view: Raw
    seed: int
    budget_ms: int
    path: str = ""  # of an engine: `level` is then its name


class Judge(Request, frozen=True):
    """Go through a finished deal."""

    game: str
    record: Record
    engines: dict[str, str]  # name -> path


class Pose(Request, frozen=True, kw_only=True):
    """Say whether a position is a problem: one that somebody has set up, or a moment of a finished deal (P-102)."""

    game: str
    options: dict[str, Any] = {}
    seats: int | None = None
    start: str = ""
    seat: int | None = None
    record: Record | None = None  # the position before its row `n`, in place of `start`
    n: int = 0
    seed: int = 1


class Seek(Request, frozen=True):
    """Find a problem among the moments of a finished deal (P-102)."""

    game: str
    record: Record


class Posed(Struct, frozen=True):
    """What was found: a problem, or why it is none."""

    problem: Problem | None = None
    why: str = ""
    facts: dict[str, Any] = {}


class Sit(Request, frozen=True):
    """Play one deal of a match."""

    terms: Terms
    deal: int
    swapped: bool


Asked = Warm | Choose | Judge | Pose | Seek | Sit  # all there are


class Answer(Struct, frozen=True):
    """The answer of a worker; `error` is one line for the log."""

    result: Raw = Raw(b"null")
    error: str = ""
    # (steps done, of how many): no answer yet, but how far it has come; the answer follows
    progress: tuple[int, int] | None = None


def choose(request: Choose) -> bytes:
    """Return the JSON of the action that a bot chooses."""
    entry = games.find(request.game)
    options = entry.chosen(request.options)
    bot = entry.bots[request.level](options, seed=request.seed) if not request.path else _engine(request, options)
    view = msgspec.json.decode(request.view, type=entry.view)
    return msgspec.json.encode(bot.choose(view, request.budget_ms))


def _engine(request: Choose, options: Any) -> Any:
    """Return a running engine; it is started once and kept, as long as there are not too many."""
    key = request.game, request.level, msgspec.json.encode(request.options)
    engine = _engines.pop(key, None)
    if engine is None:
        while len(_engines) >= MOST_ENGINES:
            _engines.pop(next(iter(_engines))).close()
        engine = games.find(request.game).engines[request.level].make(options, request.path, seed=request.seed)
    _engines[key] = engine
    return engine


def warm(game: str) -> None:
    """Import all that a game's bots need, and compile its kernels where they are to be compiled."""
    entry = games.find(game)
    entry.load()
    if JIT:
        entry.warm()
        mark(game)
    else:
        for bot in entry.bots.values():
            bot(entry.chosen({}), seed=0)


def judge(request: Judge, say: Callable[[Answer], None]) -> bytes:
    """Return the JSON of what the game's analyst says of a record."""
    analysis = games.find(request.game).analysis
    assert analysis is not None
    last = 0.0

    def tell(done: int, of: int) -> None:
        nonlocal last
        if time.monotonic() - last >= PROGRESS_S:
            last = time.monotonic()
            say(Answer(progress=(done, of)))

    return msgspec.json.encode(analysis.run(request.record, request.engines, tell))


def pose(request: Pose) -> Posed:
    """Return whether a position is a problem."""
    entry = games.find(request.game)
    assert entry.setup is not None
    start, seat, seats, options = request.start, request.seat, request.seats, entry.chosen(request.options)
    try:
        if request.record is not None:
            options, seats = options_of(entry, request.record), request.record.seats
            step = next(islice(replay(entry, request.record), request.n - 1, None))
            start, seat = entry.setup.write(options, step.state), request.record.rows[request.n - 1][0]
        return Posed(posed(entry, options, start, seat, request.seed, seats, glance=False))
    except Unclear as wrong:
        return Posed(why=wrong.why, facts=wrong.facts)
    except BadNotation as wrong:
        return Posed(why=str(wrong.facts.get("why", "bad_word")), facts=dict(wrong.facts))


def seek(request: Seek) -> Posed:
    """Return a problem of a finished deal, or that there is none."""
    found = sought(games.find(request.game), request.record)
    return Posed(found) if found is not None else Posed(why="not_clear")


def silent(answer: Answer) -> None:
    """Tell nobody how far a request has come."""


def answer(request: Any, say: Callable[[Answer], None] = silent) -> Answer:
    """Carry out a request; if a bot raises, the answer holds the error, and the worker goes on.

    say: told of how far a long request has come.
    """
    try:
        match request:
            case Warm():
                warm(request.game)
                return Answer()
            case Choose():
                return Answer(result=Raw(choose(request)))
            case Judge():
                return Answer(result=Raw(judge(request, say)))
            case Pose():
                return Answer(result=Raw(msgspec.json.encode(pose(request))))
            case Seek():
                return Answer(result=Raw(msgspec.json.encode(seek(request))))
            case Sit():
                return Answer(result=Raw(msgspec.json.encode(sit(request.terms, request.deal, request.swapped))))
    except Exception as wrong:  # the edge of the process: an error of a bot fails this one request only
        while _engines:  # an engine that has failed is started anew next time
            _engines.popitem()[1].close()
        return Answer(error=f"{type(wrong).__name__}: {wrong}")
    return Answer(error=f"no such request: {request}")


def read(source: BinaryIO, requests: queue.SimpleQueue[bytes]) -> None:
    """Pass on each line; when the other side has gone, end the process at once, even in the middle of a search."""
    for line in source:
        if line.endswith(b"\n"):  # else the other side died while writing
            requests.put(line)
    os._exit(0)


def main() -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the hall handles Ctrl-C and closes our input
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]) if len(sys.argv) > 1 else NICE)  # the hall answers people first
    # What a library prints must not mix with the answers.
    target = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=read, args=(sys.stdin.buffer, requests), daemon=True).start()
    decoder = msgspec.json.Decoder(Asked)

    def say(what: Answer) -> None:
        target.write(msgspec.json.encode(what) + b"\n")

    while True:
        say(answer(decoder.decode(requests.get()), say))


if __name__ == "__main__":
    main()
