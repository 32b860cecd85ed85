"""The games. `names()` lists them, `find(name)` imports one; nothing else is imported before it is asked for.

A game is a folder here with an `ENTRY`, or an entry point of another package in the group `qipai.games`.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from qipai.core.entry import Entry

__all__ = ["find", "names"]


@cache
def names() -> tuple[str, ...]:
    """Return the names of all games, sorted."""
    own = {module.name for module in pkgutil.iter_modules(__path__) if module.ispkg}
    return tuple(sorted(own | {point.name for point in entry_points(group="qipai.games")}))


@cache
def find(name: str) -> Entry:
    """Return a game's entry; raises KeyError for a name that `names()` does not list."""
    if name not in names():
        raise KeyError(name)
    for point in entry_points(group="qipai.games"):
        if point.name == name:
            entry = point.load()
            break
    else:
        entry = import_module(f"qipai.games.{name}").ENTRY
    if not isinstance(entry, Entry):
        raise TypeError(f"{name}: ENTRY is no Entry")
    return entry
