"""Run conformance cases: JSON lines `{"id", "game", "kind", "given", "expect", "why"}`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from qipai.core.entry import Kind
from qipai.core.misfit import misfit

__all__ = ["Case", "Failure", "read", "run"]


class Case(Struct, frozen=True):
    """One case of a conformance file."""

    id: str
    game: str
    kind: str
    given: dict[str, Any]
    expect: Any
    why: str = ""


class Failure(Struct, frozen=True):
    """A case that failed, or a line that cannot be read as a case."""

    id: str
    why: str  # what differs, in one line
    expect: Any = None
    found: Any = None


def read(lines: Iterable[str | bytes], name: str) -> Iterator[Case | Failure]:
    """Yield the cases of a file, and a failure for each line that cannot be read as one."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=Case)
        except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
            yield Failure(id=f"{name}:{number}", why=f"not a case: {misfit(wrong)}")


def run(case: Case, kinds: Callable[[str], Mapping[str, Kind] | None]) -> Failure | None:
    """Return the failure of a case, None when it passes. kinds: name of a game -> its kinds, None when unknown."""
    known = kinds(case.game)
    if known is None:
        return Failure(id=case.id, why=f"no such game: {case.game}")
    kind = known.get(case.kind)
    if kind is None:
        return Failure(id=case.id, why=f"{case.game} has no kind {case.kind}")
    try:
        found = msgspec.to_builtins(kind.run(case.given))
        differs = kind.differs(found, case.expect)
    except Exception as wrong:  # a case is data from outside: whatever it breaks counts as a failure of this case only
        return Failure(id=case.id, why=f"{type(wrong).__name__}: {wrong}", expect=case.expect)
    if differs:
        return Failure(id=case.id, why=differs, expect=case.expect, found=found)
    return None
