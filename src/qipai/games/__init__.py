"""The games. `names()` lists them, `find(name)` knows one; its rules are imported when they are first asked for.

A game is a folder here with an `ENTRY`, or an entry point of another package in the group `qipai.games`.
"""

from __future__ import annotations

import difflib
import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from qipai.core.entry import AnyEntry, BadEntry, Entry

__all__ = ["UnknownGame", "find", "foreign", "forget", "names", "recognised"]


class UnknownGame(KeyError):
    """A name that no game has; it says which there are, and which of them may have been meant."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name, self.close = name, tuple(difflib.get_close_matches(name, names()))

    def __str__(self) -> str:
        meant = f" (did you mean {' or '.join(self.close)}?)" if self.close else ""
        return f"there is no game {self.name}{meant}; there are {', '.join(names())}"


@cache
def names() -> tuple[str, ...]:
    """Return the names of all games, sorted."""
    own = {module.name for module in pkgutil.iter_modules(__path__) if module.ispkg and module.name[0] != "_"}
    return tuple(sorted(own | foreign().keys()))


@cache
def foreign() -> dict[str, EntryPoint]:
    """Return the games of other packages; looking for them reads what every installed package says of itself."""
    return {point.name: point for point in entry_points(group="qipai.games")}


@cache
def find(name: str) -> AnyEntry:
    """Return a game's entry; raises UnknownGame, a KeyError, for a name that `names()` does not list."""
    if name not in names():
        raise UnknownGame(name)
    point = foreign().get(name)
    entry: object = import_module(f"qipai.games.{name}").ENTRY if point is None else point.load()
    if not isinstance(entry, Entry):
        raise TypeError(f"{name}: ENTRY is no Entry")
    if entry.name != name:
        raise BadEntry(f"the ENTRY of {name} is called {entry.name}", name=entry.package)
    return entry


def recognised(data: bytes) -> tuple[str, str] | None:
    """Return which game's record a file seems to be, and in which format; None when no game knows it."""
    for name in names():
        if form := find(name).records.recognise(data):
            return name, form
    return None


def forget() -> None:
    """Look anew which games there are when next asked: another package may have come or gone."""
    for cached in (names, find, foreign):
        cached.cache_clear()
