"""Measure, always beside a peer or a ceiling of the same run. Targets and findings stand in docs/bench.md."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qipai.cli import Trouble

if TYPE_CHECKING:
    from qipai.bench.sheet import Sheet, Table

__all__ = ["options", "run"]

WHAT = ("engine", "bots", "server", "memory", "start", "append", "all")


def options(parser: argparse.ArgumentParser) -> None:
    """Name the arguments."""
    parser.add_argument("what", choices=WHAT, help="what is measured")
    parser.add_argument("game", nargs="?", help="of `engine` and `server`; all that can be measured when left out")
    parser.add_argument("--quick", action="store_true", help="shorter runs, less exact")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a target is not reached")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the findings as a page, as docs/bench.md is")
    parser.add_argument("--tables", type=int, metavar="N", help="of `server`: tables that play at once")


def run(args: argparse.Namespace) -> int:
    """Measure and print; return 1 if a target was not reached and that was asked."""
    import msgspec

    from qipai.bench.page import page
    from qipai.bench.sheet import text

    began = time.monotonic()

    def told(what: str) -> None:
        line = f"{time.monotonic() - began:4.0f} s  {what}"
        if sys.stderr.isatty():
            print(f"\r\x1b[K{line[:100]}", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)

    sheets: list[Sheet] = []
    failed = False
    for command, measure in jobs(args):
        try:
            sheets.append(sheet(f"qipai bench {command}", args, partial(measure, told)))
        except RuntimeError as wrong:  # one bench that cannot be carried out does not take the others with it
            print(f"\nqipai bench {command}: {wrong}", file=sys.stderr)
            failed = True
            continue
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        if not args.json:
            print(text(sheets[-1]), end="\n\n", flush=True)
        if args.write is not None:
            args.write.write_text(page(sheets), encoding="utf-8")
    if args.json:
        found = [{**msgspec.to_builtins(one), "reached": reached(one)} for one in sheets]
        print(msgspec.json.encode(found[0] if len(found) == 1 else {"benches": found}).decode())
    return 1 if failed or (args.check and not all(reached(one) for one in sheets)) else 0


def jobs(args: argparse.Namespace) -> list[tuple[str, Callable[[Any], Any]]]:
    """Return the benches that are asked for: the command's words, and what measures."""
    from qipai.bench import append, bots, engine, memory, server, start

    quick = args.quick
    rounds, seconds = 5, 0.1 if quick else 1.0
    games = engine.games_with_rows()
    if args.game is not None and args.game not in games:
        raise Trouble(f"there is nothing to measure of {args.game}; there is of {', '.join(games)}")
    chosen = [args.game] if args.game else games
    tables = args.tables or (24 if quick else 100)
    found: list[tuple[str, Callable[[Any], Any]]] = []

    def add(what: str, words: str, measure: Callable[[Any], Any]) -> None:
        if args.what in (what, "all"):
            found.append((words, measure))

    for game in chosen:
        add("engine", f"engine {game}", partial(engine.measure, game, rounds, seconds))
    for game in chosen:
        add("bots", f"bots {game}", partial(bots.measure, game, *((1, 10) if quick else (2, 50))))
    for game in chosen:
        words = f"server {game} --tables {tables}"
        add("server", words, partial(server.measure, game, tables, *pace(game, tables, quick)))
    add("memory", "memory", partial(memory.measure, *((200, 1000, 20, 2) if quick else (1000, 10_000, 300, 5))))
    add("start", "start", partial(start.measure, rounds, 300 if quick else 10_000))
    add("append", "append", partial(append.measure, rounds, seconds))
    return found


def pace(game: str, tables: int, quick: bool) -> tuple[int, int, float, bool]:
    """Return how `server` measures a game: tables at a person's pace, rounds, seconds, whether beside all rivals."""
    everyone = game in ("gouji", "xiangqi")  # six seats and two: the others lie between
    if quick:
        return (tables if everyone else 0), 3, 0.2, everyone
    return 300, 5, 2.0, everyone


def sheet(command: str, args: argparse.Namespace, measure: Callable[[], tuple[list[Table], dict[str, str]]]) -> Sheet:
    """Measure one thing; return what was found, and where and when."""
    from qipai.bench.sheet import Sheet, cpu_model, load, today, versions
    from qipai.core.measure import Absent

    before = load()
    try:
        tables, more = measure()
    except Absent as absent:
        raise Trouble(str(absent)) from absent
    known = versions("msgspec", "numba", "numpy", "starlette", "uvicorn", "uvloop", "websockets")
    return Sheet(
        command=command,
        date=today(),
        quick=args.quick,
        versions={**known, **more},
        cpu=cpu_model(),
        cores=os.cpu_count() or 1,
        load_before=before,
        load_after=load(),
        tables=tuple(tables),
    )


def reached(sheet: Sheet) -> bool:
    """Are all targets reached that could be judged?"""
    return all(check.reached is not False for table in sheet.tables for check in table.checks)
