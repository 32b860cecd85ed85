"""Ratings: Glicko-2 for two, Plackett-Luce for more, FIBS for backgammon players (platform P-38)."""

from qipai.ledger.ratings.fibs import Fibs
from qipai.ledger.ratings.standing import (
    Duel,
    Rating,
    Team,
    after_game,
    after_match,
    fresh,
    number,
    provisional,
    rank,
)

__all__ = ["Duel", "Fibs", "Rating", "Team", "after_game", "after_match", "fresh", "number", "provisional", "rank"]
