"""Checks whether the installed uvicorn has the internals that our protocols use; if not, its own protocols serve."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from importlib.metadata import version
from types import FunctionType
from typing import Any, Final

__all__ = ["EXTENSION", "lacking", "protocols", "writing"]

log = logging.getLogger("qipai.entrance")

EXTENSION: Final = "qipai.line"  # of the ASGI scope: the line itself, where the connections are ours
PLAIN: Final = ("h11", "auto")  # uvicorn's own, by the names of its options


def lacking(kind: type, names: Iterable[str]) -> list[str]:
    """Return the names that neither a method of a class has nor any method uses."""
    known: set[str] = set()
    for base in kind.__mro__:
        known.update(vars(base))
        for part in vars(base).values():
            if isinstance(part, FunctionType):
                known.update(part.__code__.co_names)
    return [f"{kind.__name__}.{name}" for name in names if name not in known]


@cache  # logged once
def protocols() -> tuple[Any, Any]:
    """Return the HTTP and WebSocket protocols for uvicorn: ours, or its own if it lacks what ours need.

    With its own, moves take longer and connections have no limits (`[limits]`); a reverse proxy can limit them.
    """
    try:
        entrance, line = import_module("qipai.web.entrance"), import_module("qipai.web.line")
        missing = [*lacking(*entrance.NEEDS), *lacking(*line.NEEDS)]
        if not missing:
            return entrance.Entrance, line.Line
        why = ", ".join(missing)
    except (ImportError, AttributeError, TypeError) as wrong:
        why = str(wrong)
    said = "uvicorn %s is not one that connections can be limited and moves hurried in: its own serve (lacking: %s)"
    log.warning(said, version("uvicorn"), why)
    return PLAIN


def writing() -> tuple[Callable[[], None], Callable[[], None]]:
    """Return the functions that buffer and release output to our lines; no-ops if uvicorn's own protocol is used."""
    if protocols() == PLAIN:
        return _nothing, _nothing
    line = import_module("qipai.web.line")
    return line.hold, line.release


def _nothing() -> None:
    """uvicorn writes at once."""
