"""The achievements there are: those of every game, which the game itself declares, and those of the hall. Pure."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Final, Literal

from msgspec import Struct

from qipai import games

__all__ = ["Achievement", "edition", "known"]

SET: Final = 1  # raise it when what a fact means has changed: the whole log is then folded again

Group = Literal["hall", "contest", "game"]


class Achievement(Struct, frozen=True):
    """An achievement: earned when somebody has done `fact` so often. seal: what its picture shows."""

    id: str
    group: Group
    fact: str
    need: int
    seal: str
    game: str | None = None


# What each fact means stands in `facts.py`.
HALL: Final = (
    Achievement("games_10", "hall", "games", 10, "十"),
    Achievement("games_100", "hall", "games", 100, "百"),
    Achievement("games_1000", "hall", "games", 1000, "千"),
    Achievement("stay_100", "hall", "stay", 100, "守"),
    Achievement("wins_100", "hall", "wins", 100, "胜"),
    Achievement("streak_5", "hall", "streak", 5, "连"),
    Achievement("all_round", "hall", "games_won", 5, "通"),
    Achievement("pass_3", "hall", "pass", 3, "三"),
    Achievement("pass_6", "hall", "pass", 6, "六"),
    Achievement("tournament", "contest", "contest.tournament", 1, "冠"),
    Achievement("pond", "contest", "contest.pond", 1, "池"),
    Achievement("stairs", "contest", "contest.stairs", 1, "巅"),
    Achievement("duplicate", "contest", "contest.duplicate", 1, "同"),
)


@cache
def known() -> tuple[Achievement, ...]:
    """Return all achievements, in the order in which pages show them."""
    found = []
    for name in games.names():
        feats = games.find(name).feats
        found.append(Achievement(f"win.{name}", "game", f"win.{name}", 1, "胜" if feats is None else feats.seal, name))
        if feats is not None:
            for feat, each in feats.known.items():
                found.append(Achievement(f"{name}.{feat}", "game", f"{name}.{feat}", each.need, each.seal, name))
    return (*HALL, *found)


@cache
def edition() -> str:
    """Return a name for this set of achievements; another one, and the log is folded again."""
    rules = [(one.id, one.fact, one.need) for one in known()]
    editions = [(name, feats.edition) for name in games.names() if (feats := games.find(name).feats) is not None]
    return hashlib.sha256(repr((SET, rules, editions)).encode()).hexdigest()[:16]
