"""The rating method of each game, and what a game does to the ratings of its players (platform P-38). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from qipai.ledger.ratings import fibs, glicko, plackett
from qipai.ledger.ratings.fibs import Fibs
from qipai.ledger.ratings.glicko import Glicko, Met
from qipai.ledger.ratings.plackett import Skill

__all__ = ["Duel", "Rating", "Team", "after_game", "after_match", "fresh", "number", "provisional", "rank"]

IDLE_S: Final = 30 * 86400  # without a game for so long, one period's growth of the deviation, unless said


class Duel(Struct, frozen=True, tag_field="by", tag="glicko2"):
    """A rating among two."""

    r: float = glicko.MIDDLE
    rd: float = glicko.WIDEST
    vol: float = 0.06
    games: int = 0
    at: int = 0  # of the last game, seconds


class Team(Struct, frozen=True, tag_field="by", tag="openskill"):
    """A rating in teams, or among more than two."""

    mu: float = 25.0
    sigma: float = 25 / 3
    games: int = 0
    at: int = 0


Rating = Duel | Team | Fibs


def fresh(seats: int) -> Rating:
    """Return the rating of a beginner at a game for so many."""
    return Duel() if seats == 2 else Team()


def number(rating: Rating) -> int:
    """Return the number that people see."""
    return round(rating.r) if isinstance(rating, Duel | Fibs) else plackett.shown(Skill(rating.mu, rating.sigma))


def provisional(rating: Rating) -> bool:
    """Tell whether a rating is still a guess, shown with a question mark."""
    if isinstance(rating, Fibs):
        return rating.experience < fibs.SURE
    return rating.rd > glicko.PROVISIONAL if isinstance(rating, Duel) else rating.sigma > plackett.PROVISIONAL


def rank(points: Sequence[int]) -> list[int]:
    """Return the ranks of these points: 1 is best, equals share one (1, 2, 2, 4)."""
    return [1 + sum(other > mine for other in points) for mine in points]


def after_game(
    ratings: Sequence[Rating], sides: Sequence[int], points: Sequence[int], now: int, idle_s: int = IDLE_S
) -> list[Rating]:
    """Return everybody's rating after a game, by seat. sides: whose points are added up; now, idle_s: seconds."""
    if len(ratings) == 2:
        first, second = ratings
        assert isinstance(first, Duel)
        assert isinstance(second, Duel)
        score = 0.5 if points[0] == points[1] else float(points[0] > points[1])
        one, other = _awake(first, now, idle_s), _awake(second, now, idle_s)
        return [_met(one, other, score, now), _met(other, one, 1 - score, now)]
    names = list(dict.fromkeys(sides))
    teams: list[list[Skill]] = [[] for _ in names]
    totals = [0] * len(names)
    for rating, side, got in zip(ratings, sides, points, strict=True):
        assert isinstance(rating, Team)
        teams[names.index(side)].append(Skill(rating.mu, rating.sigma))
        totals[names.index(side)] += got
    found = [iter(team) for team in plackett.rated(teams, rank(totals))]
    moved = [next(found[names.index(side)]) for side in sides]
    games = [rating.games for rating in ratings if isinstance(rating, Team)]
    return [Team(new.mu, new.sigma, count + 1, now) for new, count in zip(moved, games, strict=True)]


def after_match(ratings: Sequence[Fibs | None], length: int, points: Sequence[int]) -> list[Fibs] | None:
    """Return both players' FIBS ratings after a match (P-116), None where nobody has won. None: a beginner's."""
    first, second = (Fibs() if each is None else each for each in ratings)
    if points[0] == points[1]:
        return None
    return list(fibs.rated(first, second, length, 1 if points[0] > points[1] else 2))


def _awake(rating: Duel, now: int, idle_s: int) -> Duel:
    """Return a rating as it is after the time without a game."""
    periods = max(0, now - rating.at) // idle_s if rating.games else 0
    if not periods:
        return rating
    rested = glicko.rested(Glicko(rating.r, rating.rd, rating.vol), periods)
    return Duel(rested.r, rested.rd, rested.vol, rating.games, rating.at)


def _met(mine: Duel, other: Duel, score: float, now: int) -> Duel:
    new = glicko.rated(Glicko(mine.r, mine.rd, mine.vol), [Met(other.r, other.rd, score)])
    return Duel(new.r, new.rd, new.vol, mine.games + 1, now)
