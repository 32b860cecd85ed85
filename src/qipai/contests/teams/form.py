"""What whoever makes a team tournament says of it (platform P-69). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from qipai.contests.contract import GameTerms
from qipai.hall.table.errors import HallError

__all__ = ["ClubTeam", "TeamsForm", "checked"]

BOARDS: Final = 20
TEAMS: Final = 64
SECTION: Final = 8  # P-69: so many teams all play each other
NAME: Final = 40


class ClubTeam(Struct, frozen=True):
    """The team of a club as it enters (P-78). team: its number in the hall; users: in the order of its line-up."""

    club: int
    team: int
    name: str
    captain: int
    users: tuple[int, ...]


class TeamsForm(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The form. boards: players of a team that play; least, most: teams; games: on each board, 2 with colours changed.

    section: so many teams play all-play-all at most; more are divided. starts_at: ms, None: when `most` teams are
    complete. forfeit_s: who is not ready by then has lost a live game; pause_s: between rounds, for line-ups.
    clubs: a match of these alone, which no other team enters (P-78); the hall makes it, of a challenge.
    """

    name: str
    terms: GameTerms
    boards: int = 4
    least: int = 4
    most: int | None = None
    games: Literal[1, 2] = 2
    section: int = SECTION
    starts_at: int | None = None
    forfeit_s: int = 300
    pause_s: int = 600
    clubs: tuple[int, ...] = ()

    @property
    def by_days(self) -> bool:
        """Tell whether its games are played by days: then nobody misses one, and a board's games run side by side."""
        return isinstance(self.terms.clock, Mapping) and self.terms.clock.get("type") == "days"

    @property
    def people(self) -> int:
        """Return how many may be in a team: those who play, and as many substitutes."""
        return 2 * self.boards


def checked(form: TeamsForm, now: int) -> TeamsForm:
    """Return a form that can be; raises HallError BAD_OPTION with the field that cannot."""
    wrong = {
        "name": not 0 < len(form.name.strip()) <= NAME,
        "terms": form.terms.seats not in (None, 2),
        "boards": not 1 <= form.boards <= BOARDS,
        "least": not 2 <= form.least <= TEAMS,
        "most": form.starts_at is None if form.most is None else not form.least <= form.most <= TEAMS,
        "section": not 3 <= form.section <= SECTION,
        "starts_at": form.starts_at is not None and form.starts_at <= now,
        "forfeit_s": not 30 <= form.forfeit_s <= 86_400,
        "pause_s": not 10 <= form.pause_s <= 7 * 86_400,
    }
    for field, is_wrong in wrong.items():
        if is_wrong:
            raise HallError("BAD_OPTION", field=field)
    return form
