"""What people say to a pond. Pure."""

from __future__ import annotations

from typing import Any

from qipai.contests.contract import Cancel, Command, Gone, Tick
from qipai.contests.ponds.model import PondForm

__all__ = ["AnyCommand", "Enter", "Leave", "MakeBid", "MakePond"]


class MakePond(Command, frozen=True, tag="pond_make"):
    """Make a pond."""

    id: str
    form: PondForm


class Enter(Command, frozen=True, tag="pond_enter"):
    """Run in it; the fee is paid."""


class Leave(Command, frozen=True, tag="pond_leave"):
    """Leave: before the start with the fee, after it without, and to fall when the round ends."""


class MakeBid(Command, frozen=True, tag="pond_bid"):
    """Use so many points in this round, a whole number from 0; the last bid before its end counts."""

    round: int
    amount: Any


AnyCommand = MakePond | Enter | Leave | MakeBid | Gone | Cancel | Tick
