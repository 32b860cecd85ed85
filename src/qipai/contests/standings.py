"""Tables of a section and of a team match (platform P-67, P-69). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

__all__ = ["Standings", "standings", "team_match"]

Result = tuple[str, str, float]  # first, second, what the first scored: 1, ½, 0


class Standings(Struct, frozen=True):
    """A table. order: best first, equals as they stood in the list; winners: all who share the first place."""

    order: tuple[str, ...]
    score: dict[str, float]
    sb: dict[str, float]  # Sonneborn-Berger
    rank: dict[str, int]
    winners: tuple[str, ...]


def standings(players: Sequence[str], results: Iterable[Result]) -> Standings:
    """Return the table after these games: by score, then Sonneborn-Berger, then the number of wins."""
    score = dict.fromkeys(players, 0.0)
    wins = dict.fromkeys(players, 0)
    games: dict[str, list[tuple[str, float]]] = {player: [] for player in players}
    for first, second, got in results:
        for player, other, points in ((first, second, float(got)), (second, first, 1 - float(got))):
            score[player] += points
            wins[player] += points == 1
            games[player].append((other, points))
    sb = {player: sum((points * score[other] for other, points in games[player]), 0.0) for player in players}
    key = {player: (-score[player], -sb[player], -wins[player]) for player in players}
    order = sorted(players, key=lambda player: key[player])
    rank: dict[str, int] = {}
    for place, player in enumerate(order, 1):
        same = place > 1 and key[order[place - 2]] == key[player]
        rank[player] = rank[order[place - 2]] if same else place
    return Standings(tuple(order), score, sb, rank, tuple(player for player in order if rank[player] == 1))


def team_match(boards: Sequence[float]) -> tuple[tuple[float, float], tuple[int, int]]:
    """Return the board points and the match points of two teams. boards: what the first scored on each."""
    ours = float(sum(boards))
    theirs = len(boards) - ours
    if ours == theirs:
        return (ours, theirs), (1, 1)
    return (ours, theirs), (2, 0) if ours > theirs else (0, 2)
