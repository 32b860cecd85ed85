"""What a pond is: its form, its runners, the bids of this round, the rounds before (platform P-71, P-79). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from qipai.contests import prizes
from qipai.contests.ponds.rounds import Variant
from qipai.hall.table.errors import HallError

__all__ = [
    "Bid",
    "Fallen",
    "Placed",
    "Pond",
    "PondForm",
    "PondRound",
    "Runner",
    "WhyLeft",
    "checked",
    "may_start",
    "split_of",
]

WhyLeft = Literal["self", "banned", "deleted"]

DAY: Final = 86_400
ROUNDS: Final = (60, DAY, 2 * DAY, 3 * DAY)  # s
NAME: Final = 40


class PondForm(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What whoever makes a pond says of it.

    least, most: how many people, most None: any number; round_s: 60 live, else one to three days; rain_final: the last
    two in the rain play by regular rules; fee: coins; percents: of the pool, for the first, the second …;
    starts_at: ms, None: when `most` have entered.
    """

    name: str
    variant: Variant = "regular"
    least: int = 16
    most: int | None = None
    round_s: int = DAY
    rain_final: Literal["regular"] | None = None
    fee: Annotated[int, Meta(ge=0, le=10**9)] = 0
    percents: tuple[int, ...] = ()
    starts_at: int | None = None


class Runner(Struct, frozen=True, omit_defaults=True):
    """Somebody still running. last: what they used in the round before, None in the first."""

    points: int
    last: int | None = None


class Bid(Struct, frozen=True):
    """A sealed bid with what is in it. auto: repeated by the hall for who has said nothing."""

    user: int
    seal: str
    amount: int
    salt: str
    auto: bool = False


class Fallen(Struct, frozen=True):
    """Somebody who has fallen in. left: points after their bid; -1: they had left the pond."""

    user: int
    round: int
    left: int


class PondRound(Struct, frozen=True):
    """A round that has ended. bids: those that counted; bonus: who got it; fallen: with those who had left."""

    number: int
    ended: int
    bids: tuple[Bid, ...]
    fallen: tuple[int, ...]
    bonus: int | None


class Placed(Struct, frozen=True):
    """Where somebody came in, and their prize. rank: 1 is best, equals share it."""

    user: int
    rank: int
    coins: int = 0


class Pond(Struct, frozen=True):
    """A pond. entered: in their order; gone: who has left since the start, and why.

    bids: of this round. They are hidden until it ends: nobody but their owners is shown them.
    """

    id: str
    rows: int
    state: Literal["open", "running", "finished", "cancelled"]
    by: int | None
    form: PondForm
    made: int
    entered: tuple[int, ...] = ()
    gone: Mapping[int, WhyLeft] = {}
    round: int = 0
    ends_at: int | None = None
    runners: Mapping[int, Runner] = {}
    bids: Mapping[int, Bid] = {}
    fallen: tuple[Fallen, ...] = ()
    rounds: tuple[PondRound, ...] = ()
    placed: tuple[Placed, ...] = ()
    winner: int | None = None

    @property
    def hides(self) -> bool:
        """Tell whether amounts and points of others are hidden until the end."""
        return self.form.variant == "dark" and self.state == "running"


def split_of(form: PondForm, players: int) -> prizes.Split:
    """Return how the fees of so many people are divided (P-79)."""
    return prizes.split(form.fee, players, form.percents)


def may_start(form: PondForm, players: int) -> bool:
    """Tell whether so many are enough, for the pond and for its first prize (P-79)."""
    return players >= form.least and (not form.fee or split_of(form, players).may_start)


def checked(form: PondForm, now: int) -> PondForm:
    """Return a form that can be; raises HallError BAD_OPTION with the field that cannot."""
    percents = form.percents
    wrong = {
        "name": not 0 < len(form.name.strip()) <= NAME,
        "least": form.least < 3,
        "most": form.starts_at is None if form.most is None else form.most < form.least,
        "round_s": form.round_s not in ROUNDS,
        "rain_final": form.rain_final is not None and form.variant != "rain",
        "percents": bool(form.fee) != bool(percents)
        or any(not 0 < percent <= 100 for percent in percents)
        or sum(percents) > 100
        or tuple(sorted(percents, reverse=True)) != percents
        or len(percents) > form.least,
        "starts_at": form.starts_at is not None and form.starts_at <= now,
    }
    for field, is_wrong in wrong.items():
        if is_wrong:
            raise HallError("BAD_OPTION", field=field)
    if form.most is not None and not may_start(form, form.most):
        raise HallError("BAD_OPTION", field="percents")  # the first prize could never be twice the fee
    return form
