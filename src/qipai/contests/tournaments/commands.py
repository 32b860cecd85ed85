"""What people, and the hall, want of a tournament, beside the commands that all contests know. Pure."""

from __future__ import annotations

from qipai.contests.contract import Cancel, Command, GameOver, Gone, Idle, TableOpened, Tick
from qipai.contests.tournaments.form import TournamentForm

__all__ = ["Agree", "AnyCommand", "Enter", "Idle", "Make", "Withdraw"]


class Make(Command, frozen=True, tag="make"):
    """Announce a tournament. id, key: drawn by the hall; the key where it is private."""

    id: str
    form: TournamentForm
    key: str | None = None


class Enter(Command, frozen=True, tag="enter"):
    """Enter, or come back to an arena. partners: of a fixed team, beside who enters; key: of a private tournament.

    ratings, guest: what the hall knows of who enters and of the partners, in this order; None: unrated.
    """

    partners: tuple[int, ...] = ()
    key: str | None = None
    ratings: tuple[int | None, ...] = (None,)
    guest: bool = False


class Agree(Command, frozen=True, tag="agree"):
    """Play in the team that a captain has entered. guest: what the hall knows."""

    no: int
    guest: bool = False


class Withdraw(Command, frozen=True, tag="withdraw"):
    """Leave; from an arena for as long as one likes."""


AnyCommand = Make | Enter | Agree | Withdraw | Cancel | Idle | Gone | GameOver | TableOpened | Tick
