"""The house rules of a shengji table; every default is the seed's rule."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

__all__ = ["Options", "Rank"]

Rank = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
SEATS: Final = 4
KITTY: Final = {1: 6, 2: 8, 3: 6}  # R1
LIMIT: Final = 20  # R2


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """House rules (shengji 7)."""

    decks: Literal[1, 2, 3] = 2
    constant_two: bool = False  # 2 常主 (R6)
    start_level: Rank = "2"
    kitty_size: Annotated[int, Meta(ge=1, le=18)] | None = None  # None: 6, 8, 6 by decks
    # None: no limit. Unset: 20 points with one deck, no limit with more (R2).
    kitty_points_limit: Annotated[int, Meta(ge=0)] | UnsetType | None = UNSET
    first_dealer: Literal["first_declarer", "last_declarer"] = "first_declarer"  # R3
    titanic_follow: Literal["seed", "triples_first"] = "seed"  # R27
    kitty_multiplier_by: Literal["led_shape", "winner_cards"] = "led_shape"  # R20
    must_play: tuple[Rank, ...] = ("A",)  # 必打 (R22)
    big_sweep_points: Annotated[int, Meta(ge=0)] | None = None  # 大光 in special rooms (R25)
    # The four totals before the first deal; if given, points are multiplied (R24).
    qq_balances: tuple[int, int, int, int] | None = None

    def __post_init__(self) -> None:
        """Raise for a kitty size that does not allow equal hands, or leaves hands too small."""
        cards = 54 * self.decks - self.kitty
        if cards % SEATS or cards // SEATS < 12 * self.decks:
            raise ValueError(f"kitty_size {self.kitty} does not go with {self.decks} decks")

    @property
    def kitty(self) -> int:
        """Return the number of cards in the kitty (底牌)."""
        return KITTY[self.decks] if self.kitty_size is None else self.kitty_size

    @property
    def hand(self) -> int:
        """Return the number of cards in a hand."""
        return (54 * self.decks - self.kitty) // SEATS

    @property
    def segment(self) -> int:
        """Return the points that are worth one level: 20, 40, 60."""
        return 20 * self.decks

    @property
    def points_limit(self) -> int | None:
        """Return the most points that may be buried, None for no limit."""
        if isinstance(self.kitty_points_limit, UnsetType):
            return LIMIT if self.decks == 1 else None
        return self.kitty_points_limit
