"""A tournament as it stands: who is in, who meets whom, what came of it. Frozen; only `fold` makes another. Pure."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from qipai.contests.tournaments.form import TournamentForm

__all__ = ["PAUSE", "TRIES", "Entrant", "GameResult", "Meeting", "Pair", "Place", "Stage", "Tournament", "users_of"]

PAUSE: Final = 60_000  # ms between a live game and the next, and before a round
TRIES: Final = 2  # how often a game that came to nothing is played anew

Side = int | None  # an entrant's number; None: a bot


class Entrant(Struct, frozen=True, omit_defaults=True):
    """Who has entered: a player or a team.

    users: the captain first; None: they have deleted their account or were banned, a bot plays. agreed: who has said
    yes. state: in: plays, or will; reserve: waits for a place that is free; away: does not want to be paired in an
    arena now; out: plays no more. why: of being out. coins: what of theirs lies in escrow; payer: whose it was.
    struck: the stage whose games of theirs do not count.
    """

    no: int
    users: tuple[int | None, ...]
    payer: int
    rating: int | None = None
    agreed: tuple[int, ...] = ()
    coins: int = 0
    state: Literal["in", "reserve", "away", "out"] = "in"
    why: str = ""
    struck: int = 0

    @property
    def complete(self) -> bool:
        """Tell whether everybody has agreed."""
        return len(self.agreed) == len(self.users)


class GameResult(Struct, frozen=True, omit_defaults=True):
    """What came of a game. scores: by side of the meeting: 1, ½, 0; at a table of more sides the points.

    points: the game's own, by side. first: the side that had the first seat. why: the game's word, or the hall's.
    redeals: as of its meeting.
    """

    scores: tuple[float, ...]
    points: tuple[int, ...] = ()
    first: int = 0
    why: str = ""
    table: int | None = None
    game_id: str | None = None
    redeals: int = 0


class Pair(Struct, frozen=True, omit_defaults=True):
    """Who is to meet. sides: by seat; of two sides the first begins the first game.

    games: how many; wins: the match goes to so many won games; decide: there must be a winner.
    """

    id: str
    sides: tuple[Side, ...]
    section: int = 1
    games: int = 1
    wins: int = 0
    decide: bool = False


class Meeting(Struct, frozen=True, omit_defaults=True):
    """Two entrants who play one or more games against each other, or the people of one table.

    score: what the meeting brings each side, None: it is not over. from_: when its next game may begin. tries: how
    often this game had to be begun anew; redeals: how often after its deal was seen. why: of a ruling that ended it.
    """

    pair: Pair
    round: int
    from_: int
    results: tuple[GameResult, ...] = ()
    score: tuple[float, ...] | None = None
    table: int | None = None
    tries: int = 0
    redeals: int = 0
    why: str = ""

    @property
    def id(self) -> str:
        """Return its name: stage, round, section, board."""
        return self.pair.id

    @property
    def sides(self) -> tuple[Side, ...]:
        """Return who is in it."""
        return self.pair.sides

    @property
    def game(self) -> str:
        """Return the name of the game that is to be played now."""
        return f"{self.id}.{len(self.results) + 1}" + (f"~{self.tries}" if self.tries else "")

    @property
    def first(self) -> int:
        """Return which side has the first seat in the game that is to be played now: colours change each game."""
        return len(self.results) % 2 if len(self.sides) == 2 else 0

    @property
    def over(self) -> bool:
        """Tell whether it is decided."""
        return self.score is not None


class Stage(Struct, frozen=True, omit_defaults=True):
    """A stage: all of a knockout, a Swiss or an arena; of sections those that are played side by side.

    sections: the entrants of each, in starting order; of a knockout the places of the bracket, 0: free. rounds: how
    many there will be, 0: as many as it takes. byes: round and entrant. wave: when an arena pairs again.
    """

    no: int
    sections: tuple[tuple[int, ...], ...]
    rounds: int = 0
    round: int = 0
    meetings: tuple[Meeting, ...] = ()
    byes: tuple[tuple[int, int], ...] = ()
    wave: int = 0
    time_over: bool = False
    winners: tuple[int, ...] | None = None


class Place(Struct, frozen=True, array_like=True):
    """Where an entrant has come in; equals share a place (1, 2, 2, 4)."""

    no: int
    place: int


class Tournament(Struct, frozen=True, omit_defaults=True):
    """A tournament. rows: how many events it is folded from; key: of a private one; seed: of its lots, 64 hex digits.

    order: the starting order; half_at: when those who have not moved are replaced, None: that is done.
    """

    id: str
    form: TournamentForm
    by: int | None
    made_at: int
    rows: int = 0
    state: Literal["open", "running", "finished", "cancelled"] = "open"
    key: str | None = None
    entrants: tuple[Entrant, ...] = ()
    full_at: int | None = None
    seed: str = ""
    started_at: int | None = None
    half_at: int | None = None
    order: tuple[int, ...] = ()
    stages: tuple[Stage, ...] = ()
    deleted: tuple[int, ...] = ()
    places: tuple[Place, ...] = ()
    prizes: tuple[tuple[int, int], ...] = ()
    ended_at: int | None = None
    reason: str = ""

    def entrant(self, no: int) -> Entrant:
        """Return an entrant by number."""
        return self.entrants[no - 1]

    @property
    def stage(self) -> Stage:
        """Return the present stage."""
        return self.stages[-1]

    def of(self, user: int | None) -> Entrant | None:
        """Return the entrant that somebody belongs to and that is not out, first the one that they have agreed to."""
        if user is None:
            return None
        mine = [one for one in self.entrants if one.state != "out" and user in one.users]
        return min(mine, key=lambda one: user not in one.agreed, default=None)

    def entered(self, user: int) -> Entrant | None:
        """Return the entrant that somebody has agreed to be of and that is not out."""
        mine = self.of(user)
        return mine if mine is not None and user in mine.agreed else None

    def plays(self, no: int) -> bool:
        """Tell whether an entrant can still be paired, or is away for a while."""
        return self.entrant(no).state in ("in", "away")

    @property
    def ends_at(self) -> int:
        """Return when an arena's time is over."""
        return (self.started_at or 0) + self.form.minutes * 60_000

    @property
    def pool(self) -> int:
        """Return the coins that lie in escrow."""
        return sum(one.coins for one in self.entrants)

    @property
    def ready(self) -> tuple[Entrant, ...]:
        """Return who would play if it began now: complete entrants in the order of their numbers, without reserves."""
        return tuple(one for one in self.entrants if one.state == "in" and one.complete)


def users_of(entrant: Entrant) -> tuple[int, ...]:
    """Return the people of an entrant who are still there."""
    return tuple(user for user in entrant.users if user is not None)
