"""What happens in a tournament: the rows of its stream. Whoever changes a form gives new fields a default. Pure."""

from __future__ import annotations

from typing import ClassVar, Literal

from qipai.contests.contract import ContestEvent
from qipai.contests.tournaments.form import TournamentForm
from qipai.contests.tournaments.model import Pair, Place, Side

__all__ = [
    "Again",
    "Agreed",
    "AnyEvent",
    "Cancelled",
    "Checked",
    "Deleted",
    "Entered",
    "Finished",
    "Made",
    "Opened",
    "Paired",
    "PartnerLost",
    "Promoted",
    "Replaced",
    "Returned",
    "Scored",
    "StageBegan",
    "StageEnded",
    "Started",
    "Struck",
    "TimeOver",
    "Withdrew",
]


class Made(ContestEvent, frozen=True, tag="tournament.made"):
    """It was announced. key: opens a private one."""

    SECRET: ClassVar[frozenset[str]] = frozenset({"key"})

    id: str
    form: TournamentForm
    by: int | None
    key: str | None = None


class Entered(ContestEvent, frozen=True, tag="tournament.entered"):
    """Somebody has entered and paid; of a team the captain, who stands first."""

    no: int
    users: tuple[int, ...]
    rating: int | None = None
    reserve: bool = False


class Agreed(ContestEvent, frozen=True, tag="tournament.agreed"):
    """Somebody plays in the team that has named them."""

    no: int
    user: int


class Promoted(ContestEvent, frozen=True, tag="tournament.promoted"):
    """A reserve has a place, because somebody has left before the start."""

    no: int


class Withdrew(ContestEvent, frozen=True, tag="tournament.withdrew"):
    """An entrant plays no more, or not for a while in an arena.

    absent: did not come to a game; incomplete: of a team; unused: of a reserve.
    """

    no: int
    why: Literal["self", "deleted", "banned", "absent", "incomplete", "unused"]


class Deleted(ContestEvent, frozen=True, tag="tournament.deleted"):
    """Somebody who has paid or plays has deleted their account: what would go back to them goes to the house."""

    user: int


class PartnerLost(ContestEvent, frozen=True, tag="tournament.partner_lost"):
    """Somebody of a team has deleted their account or was banned; a bot plays in their place."""

    no: int
    user: int


class Returned(ContestEvent, frozen=True, tag="tournament.returned"):
    """Somebody who was away from an arena wants to be paired again."""

    no: int


class Started(ContestEvent, frozen=True, tag="tournament.started"):
    """It has begun. seed: of all lots that are drawn in it; order: the starting order of those who play."""

    seed: str
    order: tuple[int, ...]


class Checked(ContestEvent, frozen=True, tag="tournament.checked"):
    """Half the time of the first move is over: nobody is replaced any more."""


class Replaced(ContestEvent, frozen=True, tag="tournament.replaced"):
    """A reserve plays in the place of an entrant who has not moved."""

    no: int
    reserve: int


class StageBegan(ContestEvent, frozen=True, tag="tournament.stage"):
    """A stage begins. rounds: how many it has, 0: as many as it takes."""

    sections: tuple[tuple[int, ...], ...]
    rounds: int = 0


class Paired(ContestEvent, frozen=True, tag="tournament.paired"):
    """A round was paired. rounds: by pair, where several rounds begin at once (games by days)."""

    round: int
    pairs: tuple[Pair, ...]
    byes: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()


class Opened(ContestEvent, frozen=True, tag="tournament.opened"):
    """A game has a table."""

    game: str
    table: int


class Scored(ContestEvent, frozen=True, tag="tournament.scored"):
    """A game has ended. scores, points: by side of the meeting.

    whole: the meeting is over with these scores, whatever its games were.
    """

    game: str
    scores: tuple[float, ...]
    points: tuple[int, ...] = ()
    why: str = ""
    table: int | None = None
    game_id: str | None = None
    whole: bool = False


class Again(ContestEvent, frozen=True, tag="tournament.again"):
    """A game came to nothing and is played anew. sides: who sits there now, where bots take places."""

    game: str
    sides: tuple[Side, ...]
    why: str = ""


class Struck(ContestEvent, frozen=True, tag="tournament.struck"):
    """The games of somebody who left before half of them were played do not count in this stage."""

    no: int


class TimeOver(ContestEvent, frozen=True, tag="tournament.time_over"):
    """The time of an arena is over: no more games begin."""


class StageEnded(ContestEvent, frozen=True, tag="tournament.round_ended"):
    """A round of sections is over. winners: who goes on, or who has won."""

    winners: tuple[int, ...]


class Finished(ContestEvent, frozen=True, tag="tournament.finished"):
    """It is over. places: of those who stayed; prizes: user and coins; house: what nobody gets."""

    places: tuple[Place, ...]
    prizes: tuple[tuple[int, int], ...] = ()
    house: int = 0


class Cancelled(ContestEvent, frozen=True, tag="tournament.cancelled"):
    """It does not take place, or not to its end; all fees go back. reason: few, prize, or somebody's words."""

    reason: str


AnyEvent = (
    Made
    | Entered
    | Agreed
    | Promoted
    | Withdrew
    | Deleted
    | PartnerLost
    | Returned
    | Started
    | Checked
    | Replaced
    | StageBegan
    | Paired
    | Opened
    | Scored
    | Again
    | Struck
    | TimeOver
    | StageEnded
    | Finished
    | Cancelled
)
