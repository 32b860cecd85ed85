"""Data types of the ledger: what people have, what a table plays for, what a game pays (platform P-31 to P-49)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType

from qipai.ledger.brackets import BracketRule
from qipai.ledger.passes import USUAL, Climb, Pass
from qipai.ledger.ratings import Fibs, Rating

__all__ = [
    "ESCROW",
    "GRANTS",
    "HOUSE",
    "TRUST",
    "Begun",
    "BenchPlayer",
    "Currency",
    "Ended",
    "Holdings",
    "Left",
    "Paid",
    "Player",
    "Stakes",
    "Transfer",
    "trusted",
]

Cause = Literal["none", "finish", "quit", "disconnect", "kicked", "reset"]
Currency = Literal["coins", "hearts"]

TRUST: Final = 100  # credibility at the start, and at most (P-34)
TRUST_STEPS: Final[Mapping[str, int]] = {"none": 1, "finish": 1, "quit": -5, "kicked": -5, "disconnect": -2}

HOUSE: Final = 0  # the account that receives what rooms and the shop take
ESCROW: Final = -2  # holds the fees of contests until they are paid as prizes or refunded (P-79)
GRANTS: Final = -1  # the source of all coins; the only account with a negative balance


class Left(Struct, frozen=True):
    """A player who left before the end, and what that costs."""

    cause: Literal["none", "quit", "disconnect", "kicked"]
    price: int  # score, ≤ 0
    fine: int = 0  # for units of play still owed (P-58), ≥ 0
    beside: bool = False  # the game's result also counts (P-32: mahjong)


class Paid(Struct, frozen=True, rename={"pass_": "pass"}):
    """What one seat got for a game; null if the room does not count it. grade: the one it leads to.

    pass: the state it leads to, with `change`, `moved`, `record`; rating: the new one, with `shown`, `change`, `sure`;
    fibs: the same beside it, where a match counts for it (P-116). fee: of a change of coins, what the house keeps of
    everybody; times: by what the points have counted, where that is not one (P-61).
    """

    seat: int
    score: int | None = None
    coins: int | None = None
    pass_: Any = None
    grade: int | None = None
    rating: Any = None
    credibility: int | None = None
    fibs: dict[str, Any] | UnsetType = UNSET
    fee: int | UnsetType = UNSET
    times: int | UnsetType = UNSET


class Player(Struct, frozen=True, omit_defaults=True):
    """Who plays: a user, or a bot's level."""

    user: int | None = None
    bot: str | None = None


class BenchPlayer(Struct, frozen=True):
    """Who sits on the bench, and at which place (P-63); None: nobody any more, in a deal that goes on from another."""

    seat: int
    user: int | None


class Begun(Struct, frozen=True):
    """A game to be paid, with the data of `game.created`.

    apart: it goes on from another game; nobody has it. placed: it starts from a position that was set up (P-74).
    """

    game: str
    seats: tuple[Player, ...]
    bench: tuple[BenchPlayer, ...] = ()
    variant: str | None = None
    apart: bool = False
    placed: bool = False

    @property
    def users(self) -> tuple[int | None, ...]:
        """Return who took part, as its payments list them: the players, then the bench (P-63); None for bots."""
        return *(one.user for one in self.seats), *(one.user for one in self.bench)


class Ended(Struct, frozen=True):
    """The end of a game, with the data of `game.ended`. left: who has left it, by seat. pool: where it was rated."""

    points: tuple[int, ...]
    paid: tuple[Paid, ...]
    left: Mapping[str, str] | UnsetType = UNSET
    pool: str | UnsetType = UNSET


class Holdings(Struct, frozen=True, rename={"pass_": "pass"}):
    """What a player has in a game before a deal; the payments of the deal are computed from it."""

    score: int = 0
    credibility: int = TRUST
    coins: int = 0
    pass_: Pass = Pass()
    rating: Rating | None = None  # None: nothing is rated here
    fibs: Fibs | None = None  # None: a beginner's, or another game (P-116)


class Stakes(Struct, frozen=True):
    """What a table plays for."""

    kind: Literal["score", "pass", "coin", "friendly"]
    factor: int = 1  # N of P-59
    fee: int = 0  # A of P-59
    table_pass: int | None = None
    climb: Climb = USUAL
    record_coins: int = 10  # for a record, times the new highest pass
    brackets: BracketRule | None = None  # P-61: points count more among players with high totals


class Transfer(Struct, frozen=True):
    """One line of the ledger (P-49): coins are made only at GRANTS, and HOUSE receives what the hall takes back."""

    source: int
    target: int
    currency: Currency
    amount: int  # > 0
    reason: str
    ref: str
    game: str | None = None  # of which it is


def trusted(value: int, cause: str) -> int:
    """Return the credibility after something happened, 0 to 100."""
    return TRUST if cause == "reset" else max(0, min(TRUST, value + TRUST_STEPS[cause]))
