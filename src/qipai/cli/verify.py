"""Play finished games of a hall again, while it may be serving: results and luck must come out as the log has them."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from qipai.cli import Trouble
from qipai.cli.folder import database_of, folder

if TYPE_CHECKING:
    from qipai.hall.records.verification import Difference
    from qipai.store import Store

__all__ = ["options", "run"]

BATCH: Final = 50  # games that a process takes at once
TELL_S: Final = 5.0  # how often it is told how far it is
MEANS: Final = {
    "log": "whose log is damaged",
    "luck": "whose luck is not what was committed to",
    "result": "whose result is not what was played",
    "rules": "of older rules, that today's do not play alike",
}


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("games", nargs="*", metavar="GAME_ID", help="the games")
    parser.add_argument("--all", action="store_true", help="every game that is finished")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (%(default)s)")
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="with --all: note there how far it is, and go on so"
    )
    parser.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="the hall's folder (%(default)s)")


def run(args: argparse.Namespace) -> int:
    """Name each game that differs, and what differs in it; say what came of all."""
    from functools import partial

    from qipai.hall.live import books
    from qipai.hall.records import replay, verification
    from qipai.store import Unusable
    from qipai.store.reader import reader_of
    from qipai.web.services import DATABASE, store_of

    if bool(args.games) == args.all:
        raise Trouble("name the games, or say --all")
    if args.resume is not None and not args.all:
        raise Trouble("--resume is of --all")
    path = args.data / DATABASE
    _, name = database_of(args.data)
    try:
        store = reader_of(path, store_of(args.data).known)
        if args.all:
            ids = store.read_now(verification.finished_games)
        else:
            ids = args.games
            for id in ids:
                if not replay.is_finished(store.read_now(partial(books.game_rows, id=id))):
                    raise Trouble(f"there is no finished game {id} in {args.data}")
        wrong = _checked(path, store, ids, args)
    except Unusable as fault:
        raise Trouble(f"{name} cannot be read: {fault}") from fault
    if wrong:
        kinds = ", ".join(f"{count} {MEANS[kind]}" for kind, count in sorted(wrong.items()))
        raise Trouble(
            f"{sum(wrong.values())} of {len(ids)} games are not what their log says, or of rules that have changed"
            f" since: {kinds}"
        )
    print(f"{len(ids)} games hold")
    return 0


def _checked(path: Path, store: Store, ids: Sequence[str], args: argparse.Namespace) -> Counter[str]:
    """Check games, and print each that differs; return how many do, by what is wrong."""
    import msgspec

    from qipai.hall.records.verification import Noted

    noted = Noted("", [])
    if args.resume is not None and args.resume.is_file():
        try:
            noted = msgspec.json.decode(args.resume.read_bytes(), type=Noted)
        except msgspec.MsgspecError as fault:
            raise Trouble(f"{args.resume} does not say how far a check has come: {fault}") from fault
    done = ids.index(noted.last) + 1 if noted.last in ids else 0
    if noted.last and not done:
        raise Trouble(f"{args.resume} is of another hall: there is no game {noted.last}")
    for each in noted.wrong:
        _print(each)
    batches = [ids[at : at + BATCH] for at in range(done, len(ids), BATCH)]
    told = time.monotonic()
    for batch, found in zip(batches, _worked(path, store, batches, args.jobs), strict=True):
        for each in found:
            _print(each)
        done += len(batch)
        noted = Noted(batch[-1], noted.wrong + found)
        if args.resume is not None:
            new = args.resume.with_suffix(".new")
            new.write_bytes(msgspec.json.encode(noted))
            new.replace(args.resume)
        if time.monotonic() - told > TELL_S:
            told = time.monotonic()
            print(f"{done} of {len(ids)} games, {len(noted.wrong)} differ", file=sys.stderr, flush=True)
    return Counter(each.kind for each in noted.wrong)


def _print(found: Difference) -> None:
    edition = "" if found.edition is None else f", edition {found.edition}"
    print(f"{found.id}: {found.kind}: {found.why} ({found.game or 'unknown'}{edition})", flush=True)


def _worked(path: Path, store: Store, batches: Sequence[Sequence[str]], jobs: int) -> Iterator[list[Difference]]:
    """Yield what differs in each batch, in their order; by several processes where that pays."""
    from concurrent.futures import ProcessPoolExecutor
    from functools import partial
    from multiprocessing import get_context

    from qipai.hall.records.verification import of_game

    if min(jobs, len(batches)) < 2:
        for batch in batches:
            found = [store.read_now(partial(of_game, id=id)) for id in batch]
            yield [each for each in found if each is not None]
        return
    pool = ProcessPoolExecutor(min(jobs, len(batches)), get_context("spawn"), _begin, (str(path),))
    try:
        yield from pool.map(_batch, batches)
    finally:
        pool.shutdown(cancel_futures=True)


_reader: Store | None = None  # of this process


def _begin(path: str) -> None:
    """Open the hall's file in a process that checks games."""
    import signal

    from qipai.store.reader import reader_of

    global _reader
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process tells the others to end
    _reader = reader_of(Path(path))


def _batch(ids: Sequence[str]) -> list[Difference]:
    from functools import partial

    from qipai.hall.records.verification import of_game

    assert _reader is not None
    found = [_reader.read_now(partial(of_game, id=id)) for id in ids]
    return [each for each in found if each is not None]
