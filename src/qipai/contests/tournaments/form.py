"""What whoever makes a tournament may choose (platform P-67), and what of it does not go together. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from qipai import games
from qipai.contests.contract import GameTerms
from qipai.contests.prizes import split
from qipai.hall.table.clock import by_days, clock_of, rest, start
from qipai.hall.table.errors import HallError

__all__ = ["YEAR", "TournamentForm", "checked", "first_move", "partnered"]

YEAR: Final = 366 * 86_400_000  # ms; no tournament is announced for later

Players = Annotated[int, Meta(ge=2, le=1000)]
Rating = Annotated[int, Meta(ge=0, le=4000)]
Percent = Annotated[int, Meta(ge=1, le=100)]


class TournamentForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A tournament as it was announced. It never changes.

    min_players, max_players: of entrants, which are teams where partners are fixed. section_size: of sections at most.
    games_per_pair: 2: with colours changed. rounds: of a Swiss, and of each stage where more than two sides sit at a
    table. minutes: of an arena. unrated: who has no rating may enter. by_rating: the starting order is by rating, else
    by lot. private: who enters needs the key. prizes: percents of all fees, the first prize first. start: ms since
    1970, or "full": as soon as all places are taken. final_wins: of the final match. forfeit_minutes: how long a live
    game waits for people. reserves: how many may enter beyond max_players. seats: of a table. partners: "fixed": those
    of every second seat enter as a team; "drawn": anew each round; None: the game has none. vacation: whether games by
    days wait for a vacation (P-87). duplicate: all tables of a round play the same deal (P-94), and where more than two
    sides sit at a table, points count by the average difference. club: only its members enter (P-78).
    """

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    format: Literal["sections", "knockout", "swiss", "arena"]
    terms: GameTerms
    min_players: Players = 4
    max_players: Players = 64
    section_size: Annotated[int, Meta(ge=2, le=20)] = 8
    games_per_pair: Literal[1, 2] = 1
    rounds: Annotated[int, Meta(ge=1, le=30)] = 5
    minutes: Annotated[int, Meta(ge=5, le=720)] = 60
    rating_min: Rating | None = None
    rating_max: Rating | None = None
    unrated: bool = True
    by_rating: bool = False
    private: bool = False
    fee: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    prizes: Annotated[tuple[Percent, ...], Meta(max_length=20)] = ()
    start: Annotated[int, Meta(ge=0, le=2**53)] | Literal["full"] = "full"
    final_wins: Annotated[int, Meta(ge=1, le=5)] = 3
    forfeit_minutes: Annotated[int, Meta(ge=1, le=60)] = 5
    reserves: Annotated[int, Meta(ge=0, le=50)] = 0
    seats: Annotated[int, Meta(ge=2, le=8)] = 2
    partners: Literal["fixed", "drawn"] | None = None
    vacation: bool = True
    duplicate: bool = False
    club: Annotated[int, Meta(ge=1, le=2**53)] | None = None

    @property
    def teams(self) -> bool:
        """Tell whether an entrant is a team."""
        return self.partners == "fixed"

    @property
    def team_size(self) -> int:
        """Return how many people enter together."""
        return self.seats // 2 if self.teams else 1

    @property
    def duels(self) -> bool:
        """Tell whether two sides meet at a table: two players, or two teams."""
        return self.teams or self.seats == 2

    @property
    def by_days(self) -> bool:
        """Tell whether games are turn-based (P-24)."""
        return by_days(self.terms.clock)


def checked(form: TournamentForm, now: int) -> TournamentForm:
    """Return a form whose fields go together; raises HallError("BAD_OPTION", field=…)."""
    if form.terms.clock is not None:
        clock_of(form.terms.clock)
    for field in _wrong(form, now):
        raise HallError("BAD_OPTION", field=field)
    return form


def _wrong(form: TournamentForm, now: int) -> list[str]:
    """Return the fields that do not go with the others."""
    sum_of_prizes = sum(form.prizes)
    return [
        field
        for field, wrong in {
            "name": not form.name.strip(),
            "max_players": form.max_players < form.min_players,
            "rating_max": None not in (form.rating_min, form.rating_max)
            and (form.rating_min or 0) > (form.rating_max or 0),
            "partners": form.partners is not None and (form.seats < 4 or form.seats % 2 == 1),
            # Who loses goes on in a section or a Swiss only; a bracket and an arena need a winner of two.
            "format": not form.duels and form.format in ("knockout", "arena"),
            "section_size": form.format == "sections" and not form.duels and form.section_size < form.seats,
            "games_per_pair": form.games_per_pair == 2 and (form.format == "arena" or not form.duels),
            "clock": form.format == "arena" and (form.by_days or form.terms.clock in (None, {"type": "none"})),
            "prizes": bool(form.prizes) != bool(form.fee)
            or sum_of_prizes > 100
            or list(form.prizes) != sorted(form.prizes, reverse=True)
            or (form.fee > 0 and not split(form.fee, form.max_players, form.prizes).may_start),
            "start": form.start != "full" and not now <= form.start <= now + YEAR,
            # Of an arena and of games by days no round is over before others know the deal; one table has no other.
            "duplicate": form.duplicate
            and (
                not games.find(form.terms.game).luck
                or form.format == "arena"
                or form.by_days
                or (not form.duels and form.min_players < 2 * form.seats)
            ),
            "reserves": form.reserves > 0 and (form.start == "full" or form.format == "arena"),
        }.items()
        if wrong
    ]


def partnered(sides: Sequence[int]) -> bool:
    """Tell whether those of every second seat play together; sides: who wins together, by seat."""
    return len(sides) >= 4 and tuple(sides) == tuple(seat % 2 for seat in range(len(sides)))


def first_move(form: TournamentForm) -> int | None:
    """Return the ms that the clock gives to a first move, None without a limit, or where the room's clock counts."""
    if form.terms.clock is None:
        return None
    clock = clock_of(form.terms.clock)
    return rest(clock, start(clock))
