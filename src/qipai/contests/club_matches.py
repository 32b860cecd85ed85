"""The matches of clubs' teams: what is accepted by challenge becomes a team tournament of two (platform P-69, P-78)."""

from __future__ import annotations

from functools import partial
from typing import Final, Literal

import msgspec

from qipai.community.clubs.challenges import Terms
from qipai.community.clubs.model import Side
from qipai.contests.contract import GameTerms
from qipai.contests.live import Contests
from qipai.contests.teams.commands import MakeTeams
from qipai.contests.teams.form import NAME, ClubTeam, TeamsForm, checked
from qipai.hall.live.timers import Clock

__all__ = ["ClubMatches", "entered"]

SOON_MS: Final = 600_000  # for the line-ups, until a match begins for which no time was named


class ClubMatches:
    """Makes the matches in the hall's contests."""

    def __init__(self, contests: Contests, clock: Clock) -> None:
        self._contests, self._clock = contests, clock

    def check(self, terms: Terms) -> None:
        """Raise HallError BAD_OPTION for what cannot be played."""
        checked(self._form(terms, "?", "?", ()), self._clock.now())

    async def make(self, name: str, terms: Terms, sides: tuple[Side, Side], by: int | None) -> int:
        """Make a match and return its number; of one name and one person there is one. Raises HallError."""
        form = self._form(terms, sides[0].name, sides[1].name, (sides[0].club, sides[1].club))
        if form.starts_at is not None and form.starts_at <= self._clock.now():  # the hall was down in between
            form = msgspec.structs.replace(form, starts_at=self._clock.now() + SOON_MS)
        made = await self._contests.make("teams", partial(_said, form, sides), by, name)
        return made.id

    def _form(self, terms: Terms, one: str, other: str, clubs: tuple[int, ...]) -> TeamsForm:
        each: Literal[1, 2] = 2 if terms.games == 2 else 1
        soon = self._clock.now() + SOON_MS
        return TeamsForm(
            f"{one} – {other}"[:NAME],
            msgspec.convert(terms.play, GameTerms),
            boards=terms.boards,
            least=2,
            most=2,
            games=each,
            starts_at=terms.starts_at or soon,
            forfeit_s=terms.forfeit_s,
            clubs=clubs,
        )


def entered(side: Side) -> ClubTeam:
    """Return a club's team in the words of a team tournament."""
    return ClubTeam(side.club, side.team, side.name, side.captain, side.users)


def _said(form: TeamsForm, sides: tuple[Side, Side], number: int) -> MakeTeams:
    return MakeTeams(id=str(number), form=form, teams=(entered(sides[0]), entered(sides[1])))
