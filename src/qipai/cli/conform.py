"""Run conformance cases: JSON lines, each with what is given and what is expected."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from qipai.core.conform import Case, Failure
    from qipai.core.entry import Kind

__all__ = ["cases_of", "kinds_of", "options", "run"]

FOLDERS: Final = ("accounts", "ledger", "social", "hall", "contests")  # each may have a `conform.py` with KINDS
WIDE: Final = 600  # characters of a value that are shown


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="JSON lines of cases")
    parser.add_argument("--jit", action="store_true", help="run compiled kernels")


def run(args: argparse.Namespace) -> int:
    """Run every case of every file; return 1 when one fails."""
    if args.jit:
        from qipai.cli.jit import compile_kernels

        compile_kernels()
    from qipai.core import conform

    passed = failed = 0
    for path in args.files:
        for case in cases_of(path):
            failure = case if isinstance(case, conform.Failure) else conform.run(case, kinds_of)
            if failure is None:
                passed += 1
            else:
                failed += 1
                _print(failure)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def cases_of(path: Path) -> Iterator[Case | Failure]:
    """Yield the cases of a file, and a failure for each line that is not a case; an unreadable file is one failure."""
    from qipai.core import conform

    try:
        with path.open("rb") as file:
            yield from conform.read(file, path.name)
    except OSError as wrong:
        yield conform.Failure(id=str(path), why=f"cannot be read: {wrong.strerror}")


@cache
def kinds_of(game: str) -> Mapping[str, Kind] | None:
    """Return the kinds of a game, or of the hall itself for "platform"; None for what is neither.

    Cases of a game may ask for what the hall does with its result, such as a grade: the hall's kinds are theirs, too.
    """
    from qipai import games

    if game == "platform":
        return _platform()
    return {**_platform(), **games.find(game).kinds} if game in games.names() else None


@cache
def _platform() -> dict[str, Kind]:
    kinds: dict[str, Kind] = {}
    for folder in FOLDERS:
        name = f"qipai.{folder}.conform"
        if find_spec(name) is not None:
            kinds.update(import_module(name).KINDS)
    return kinds


def _print(failure: Failure) -> None:
    print(f"{failure.id}: {failure.why}")
    if failure.expect is not None or failure.found is not None:
        print(f"  expected {_short(failure.expect)}")
        print(f"  found    {_short(failure.found)}")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= WIDE else f"{text[:WIDE]}…"
