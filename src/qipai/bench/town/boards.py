"""What people of a town do with the duplicates of the day (platform P-94): each plays one once, beside bots."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from qipai.bench.town.clock import DAY
from qipai.bench.town.town import Town
from qipai.contests.duplicates import days
from qipai.contests.duplicates.commands import Play

__all__ = ["Boards"]


class Boards:
    """Duplicates of the day, of every game with luck. Who begins one may leave it, and is closed out a day later."""

    PER_DAY: Final = 1 / 250  # games of a person, beside those of the smallest town
    LEAST: Final = 1.0
    FAVOURITES: Final = 2  # games of a day, so that several play the same deal

    def __init__(self, town: Town) -> None:
        self._town = town
        self._games: list[str] = []  # that people play today

    async def morning(self) -> None:
        """Let some think of playing today's deal."""
        town = self._town
        self._games = town.lots.some(days.games_with(), self.FAVOURITES)
        for _ in range(town.lots.often(self.LEAST + self.PER_DAY * len(town.people))):
            town.at(town.now + town.lots.below(DAY), self._play)

    def look(self) -> None:
        """Nobody looks: who plays is told by the tables."""

    def forget(self) -> None:
        """Nothing is kept."""

    async def _play(self) -> None:
        """Begin today's duplicate of a game; who has played it already is told so."""
        town, lots = self._town, self._town.lots
        game, user = lots.one(self._games), lots.one(town.anybody())
        day = datetime.fromtimestamp(town.now / 1000, UTC).strftime("%Y-%m-%d")
        running = await days.today(town.place.contests, town.place.hall.creation, game, day)
        await town.do("duplicate", running.id, Play(), user)
        town.counts["duplicates played"] += 1
