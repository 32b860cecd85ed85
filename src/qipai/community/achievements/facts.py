"""What an event of the log means for achievements: facts about people, which are counted. Pure.

A game counts where it counts for score, pass or coins (P-36): no friendly one, none that was broken off. Whoever has
left a game has done nothing in it; that they left ends their row of games without leaving.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal

from msgspec import Struct

from qipai.core.contract import Seat

__all__ = ["Effect", "Ended", "of_contest", "of_game"]


class Effect(Struct, frozen=True):
    """A change of how often somebody has done something: so many more, from the start again, or at least so many."""

    user: int
    fact: str
    how: Literal["add", "reset", "reach"]
    n: int = 1


class Ended(Struct, frozen=True):
    """A finished game that counts. signs: 1 won, 0 drawn, -1 lost; passes: the pass that somebody is in now."""

    game: str
    users: Mapping[Seat, int]
    signs: Mapping[Seat, int | None]
    left: Collection[Seat] = ()
    passes: Mapping[Seat, int] = {}


def of_game(ended: Ended, feats: Iterable[tuple[Seat, str]]) -> Iterator[Effect]:
    """Yield what a finished game adds. feats: who has done what in it, as the game itself says."""
    for seat, user in sorted(ended.users.items()):
        if seat in ended.left:
            yield Effect(user, "stay", "reset")
            yield Effect(user, "streak", "reset")
            continue
        yield Effect(user, "games", "add")
        yield Effect(user, "stay", "add")
        if ended.signs.get(seat) == 1:
            yield Effect(user, "wins", "add")
            yield Effect(user, "streak", "add")
            yield Effect(user, f"win.{ended.game}", "add")
        else:
            yield Effect(user, "streak", "reset")
        if seat in ended.passes:
            yield Effect(user, "pass", "reach", ended.passes[seat])
    for seat, feat in feats:
        if seat in ended.users and seat not in ended.left:
            yield Effect(ended.users[seat], f"{ended.game}.{feat}", "add")


def of_contest(kind: str, winners: Iterable[object]) -> Iterator[Effect]:
    """Yield what a contest that is won adds; teams are no people, and their members earn nothing by it."""
    for winner in winners:
        if isinstance(winner, int):
            yield Effect(winner, f"contest.{kind}", "add")
