"""The standings of a section, and the score of a team match (platform P-67, P-69). Pure."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from qipai.contests.ranks import shared

__all__ = ["Standings", "Table", "ranked", "standings", "tabled", "team_match"]

P = TypeVar("P", bound=Hashable)

Result = tuple[str, str, float]  # first, second, what the first scored: 1, ½, 0


class Standings(Struct, frozen=True):
    """The standings. order: best first, equals in the order of the list; winners: all who share the first place."""

    order: tuple[str, ...]
    score: dict[str, float]
    sb: dict[str, float]  # Sonneborn-Berger
    rank: dict[str, int]
    winners: tuple[str, ...]


def standings(players: Sequence[str], results: Iterable[Result]) -> Standings:
    """Return the standings after these games: by score, then Sonneborn-Berger, then the number of wins."""
    table = tabled(players, [(first, second, float(got), 1 - float(got)) for first, second, got in results])
    order = tuple(sorted(players, key=table.key))
    rank = {player: table.rank[player] for player in order}
    return Standings(order, table.score, table.sb, rank, tuple(player for player in order if rank[player] == 1))


class Table(Struct, Generic[P], frozen=True):
    """The players' scores, Sonneborn-Berger scores and won games, and their ranks by these."""

    score: dict[P, float]
    sb: dict[P, float]
    wins: dict[P, int]
    rank: dict[P, int]

    def key(self, player: P) -> tuple[float, float, int]:
        """Return the key by which a player is ranked: the smaller, the better."""
        return (-self.score[player], -self.sb[player], -self.wins[player])


def tabled(
    players: Sequence[P], games: Iterable[tuple[P, P, float, float]], without: Container[P] = frozenset()
) -> Table[P]:
    """Return the table after these games: the two players, and the score of each.

    without: players against whom games do not count in Sonneborn-Berger (banned ones, P-67).
    """
    score = dict.fromkeys(players, 0.0)
    wins = dict.fromkeys(players, 0)
    met: dict[P, list[tuple[P, float]]] = {player: [] for player in players}
    for first, second, ours, theirs in games:
        for player, other, got, other_got in ((first, second, ours, theirs), (second, first, theirs, ours)):
            score[player] += got
            wins[player] += got > other_got
            met[player].append((other, got))
    sb = {
        player: sum((got * score[other] for other, got in met[player] if other not in without), 0.0)
        for player in players
    }
    found = Table(score, sb, wins, {})
    return Table(score, sb, wins, ranked({player: found.key(player) for player in players}))


def ranked(keys: dict[P, tuple[float, ...]]) -> dict[P, int]:
    """Return the ranks by keys, the smallest first; equals share one (1, 2, 2, 4)."""
    order = sorted(keys, key=lambda player: keys[player])
    return dict(zip(order, shared([keys[player] for player in order]), strict=True))


def team_match(boards: Sequence[float]) -> tuple[tuple[float, float], tuple[int, int]]:
    """Return the board points and the match points of two teams. boards: the first team's score on each board."""
    ours = float(sum(boards))
    theirs = len(boards) - ours
    if ours == theirs:
        return (ours, theirs), (1, 1)
    return (ours, theirs), (2, 0) if ours > theirs else (0, 2)
