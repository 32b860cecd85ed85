"""The events of a pond, as its stream has them. Pure."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from qipai.contests.contract import ContestEvent
from qipai.contests.ponds.model import Bid, Placed, PondForm, WhyLeft

__all__ = [
    "AnyEvent",
    "BidMade",
    "Cancelled",
    "Entered",
    "Finished",
    "Left",
    "Made",
    "Refund",
    "RoundEnded",
    "Started",
]


class Refund(Struct, frozen=True):
    """What goes back to somebody."""

    user: int
    coins: int


class Made(ContestEvent, frozen=True, tag="pond.made"):
    """Somebody, or the hall, has made a pond."""

    id: str
    form: PondForm
    by: int | None = None


class Entered(ContestEvent, frozen=True, tag="pond.entered"):
    """Somebody will run, and has paid the fee."""

    user: int


class Left(ContestEvent, frozen=True, tag="pond.left"):
    """Somebody has left. refund: before the start the fee goes back; of a deleted account the house has it."""

    user: int
    why: WhyLeft
    refund: int = 0


class Started(ContestEvent, frozen=True, tag="pond.started"):
    """The first round has begun."""

    ends_at: int


class BidMade(ContestEvent, frozen=True, tag="pond.bid"):
    """Somebody has sealed a bid, instead of one that they sealed before. auto: the hall has repeated their last one."""

    SECRET = frozenset({"amount", "salt"})

    user: int
    round: int
    seal: str
    amount: int
    salt: str
    auto: bool = False


class RoundEnded(ContestEvent, frozen=True, tag="pond.round_ended"):
    """A round is over. opened: its bids, bonus: who got it; in the dark neither. ends_at: of the next round, if any."""

    round: int
    fallen: tuple[int, ...]
    bonus: int | None = None
    opened: tuple[Bid, ...] = ()
    ends_at: int | None = None


class Finished(ContestEvent, frozen=True, tag="pond.finished"):
    """One is left, or nobody. house: what is not paid out; opened: in the dark, the bids of each round."""

    placed: tuple[Placed, ...]
    winner: int | None = None
    house: int = 0
    opened: tuple[tuple[Bid, ...], ...] = ()


class Cancelled(ContestEvent, frozen=True, tag="pond.cancelled"):
    """It will not be, or not go on. house: fees of deleted accounts; opened: in the dark, the bids of each round."""

    why: Literal["too_few", "prize", "closed"]
    reason: str = ""
    refunds: tuple[Refund, ...] = ()
    house: int = 0
    opened: tuple[tuple[Bid, ...], ...] = ()


AnyEvent = Made | Entered | Left | Started | BidMade | RoundEnded | Finished | Cancelled
