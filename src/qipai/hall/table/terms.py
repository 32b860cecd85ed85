"""Terms: the conditions for playing in a room or at a table, and what watchers see. Pure."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from qipai.core.contract import Seat
from qipai.ledger.brackets import BracketRule

__all__ = ["ContestGame", "RoomKind", "SealedDeal", "State", "Terms", "Trunk", "Watch"]

State = Literal["open", "playing", "between", "closed"]
RoomKind = Literal["score", "pass", "coin", "friendly"]


class Watch(Struct, frozen=True):
    """What watchers see (P-88)."""

    mode: Literal["public_only", "delayed", "after_hand", "open"]
    delay_s: int | None


class Trunk(Struct, frozen=True, omit_defaults=True):
    """The beginning of a deal that starts within another one's record (What if).

    carry: where that deal started, as JSON. rows: its actions so far, `seat, action, ms`. bench: who sat there.
    """

    carry: Any
    rows: tuple[tuple[Seat, Any, int], ...]
    bench: tuple[Seat, ...] = ()


class SealedDeal(Struct, frozen=True):
    """A deal that several tables play (P-94, 同牌赛): the name under which its luck is drawn, and its commitment."""

    id: str
    commitment: str


class ContestGame(Struct, frozen=True, omit_defaults=True):
    """A game of a contest (P-67 to P-71), whose table is for those who play it and for nobody else.

    contest: its stream, `tournament:3`; game: the name of the game within it. users: by seat; None: a bot of `level`.
    begin_by: until when they are waited for, ms since 1970; None: it begins at once, as games by days do.
    deal: the shared deal whose luck it uses; None: luck of its own.
    """

    contest: str
    game: str
    users: tuple[int | None, ...]
    begin_by: int | None = None
    level: str = "steady"
    deal: SealedDeal | None = None

    @property
    def key(self) -> str:
        """Return its name among all games of all contests."""
        return f"{self.contest}/{self.game}"


class Terms(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The conditions of a room or a table (P-15, P-16); by default there are none."""

    min_score: int | None = None
    max_score: int | None = None
    min_grade: Annotated[int, Meta(ge=0, le=13)] | None = None
    min_rating: Annotated[int, Meta(ge=0, le=9999)] | None = None
    max_rating: Annotated[int, Meta(ge=0, le=9999)] | None = None
    min_credibility: Annotated[int, Meta(ge=0, le=100)] | None = None
    min_coins: Annotated[int, Meta(ge=0)] | None = None
    factor: Annotated[int, Meta(ge=1, le=10**6)] = 1  # coins for a point: N of P-59
    fee: Annotated[int, Meta(ge=0, le=10**9)] = 0  # coins that the hall takes from everybody: A of P-59
    brackets: BracketRule | None = None  # P-61: points count more among players with high totals
    min_games: Annotated[int, Meta(ge=0, le=1000)] = 0  # to be played before anybody may leave free (P-58)
    min_win_rate: Annotated[int, Meta(ge=0, le=100)] | None = None  # percent of games won that a player needs
    friends: bool = False  # friends of the owner alone may sit down
    # A group of friends of who has named it: they alone may sit down; at a private table they need no link.
    group: Annotated[int, Meta(ge=1)] | None = None
    group_watch: bool = False  # of those who do not play, the people of the group alone may watch
    password: bool = False
    private: bool = False  # only by its link (P-89)
    watchers: bool = True
    substitute: bool = True  # a bot plays on for players who have left (P-28)
    table_chat: Literal["open", "phrases", "off"] = "open"
    pauses: Literal["even", "quick"] | None = None  # README X6; None: quick where a table is friendly
