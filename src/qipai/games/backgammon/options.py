"""The house rules of backgammon (backgammon 7), and the ten games of the family as a table of variants."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, NamedTuple

from msgspec import Meta, Struct

__all__ = ["VARIANTS", "Name", "Options", "Variant", "match_length", "wire_clock"]

Name = Literal[
    "backgammon",
    "nackgammon",
    "suicide",
    "race",
    "crowded",
    "hyper",
    "cloning",
    "grasshopper",
    "plakoto",
    "fevga",
]
STANDARD: Final = "24:2 13:5 8:3 6:5"


class Variant(NamedTuple):
    """One game of the family, as a row of data."""

    number: int  # its place in the table; kernels know it by this
    start: str  # one side's position text, the same for both in own points
    checkers: int
    # how the other seat counts point p: as 25 - p (opposite), p ± 12 (diagonal), or p (shared)
    board: Literal["opposite", "diagonal", "shared"] = "opposite"
    # what happens to a single enemy checker on a point: it is hit, it is pinned, or it blocks the point
    blot: Literal["hit", "pin", "closed"] = "hit"
    clones: bool = False  # each hit adds a checker to the hitter's reserve (R36)
    loses: bool = False  # the first to bear off all checkers loses (R32)
    runner: bool = False  # one checker must pass the enemy start before others move, and primes are limited (R38)
    dice: bool = True
    triple: bool = True  # a game can count more than double
    gnu: bool = False  # GNU's ids stand for its positions
    cube: bool = True  # the defaults of options that go by the variant
    opening: Literal["use", "reroll"] = "use"
    gammons: bool = True


VARIANTS: Final[dict[str, Variant]] = {
    "backgammon": Variant(0, STANDARD, 15, gnu=True),
    "nackgammon": Variant(1, "24:2 23:2 13:4 8:3 6:4", 15, gnu=True),  # 锚点十五子, R31
    "suicide": Variant(2, STANDARD, 15, loses=True, gnu=True),  # 自杀十五子, R32
    "race": Variant(3, "res:15", 15, cube=False),  # 十五子跑赛, R33
    "crowded": Variant(4, f"res:5 {STANDARD}", 20),  # 拥挤十五子, R34
    "hyper": Variant(5, "24:1 23:1 22:1", 3, gnu=True),  # 急速十五子, R35
    "cloning": Variant(6, STANDARD, 15, clones=True, gammons=False),  # 克隆十五子, R36
    "grasshopper": Variant(7, "hand:14", 14, board="shared", dice=False, triple=False, cube=False),  # 蚂蚱, R39
    "plakoto": Variant(8, "24:15", 15, blot="pin", triple=False, cube=False, opening="reroll"),  # R37
    "fevga": Variant(
        9, "24:15", 15, board="diagonal", blot="closed", runner=True, triple=False, cube=False, opening="reroll"
    ),  # R38
}


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules, described in backgammon 7. None: the variant's default."""

    variant: Name = "backgammon"
    match_to: Annotated[int, Meta(ge=0, le=64)] = 0  # first to so many points; 0: a series
    games: Annotated[int, Meta(ge=1, le=64)] = 1  # of a series
    cube: bool | None = None  # 双数骰子
    cube_max: Literal[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024] = 64
    crawford: bool = True  # R24
    backgammon_points: Literal[3, 2] = 3  # R21
    jacoby: bool = False  # R25, in a series
    beavers: bool = False  # R26, in a series
    auto_doubles: Annotated[int, Meta(ge=0, le=10)] = 0  # R28, in a series
    opening: Literal["use", "reroll"] | None = None  # which dice the first player plays: R3, R4
    gammons: bool | None = None  # double and triple games count
    allow_draw: bool = True  # R29
    clone_limit: Annotated[int, Meta(ge=0, le=15)] = 15  # R36

    @property
    def row(self) -> Variant:
        """Return the variant's row."""
        return VARIANTS[self.variant]

    @property
    def with_cube(self) -> bool:
        """Return whether the game is played with the cube; grasshopper never is."""
        return self.row.dice and (self.row.cube if self.cube is None else self.cube)

    @property
    def doubling(self) -> bool:
        """Return whether players may double: R24 has no cube in a match to one."""
        return self.with_cube and self.match_to != 1

    @property
    def rolls_anew(self) -> bool:
        """Return whether the winner of the opening roll throws both dice again (R4)."""
        return (self.row.opening if self.opening is None else self.opening) == "reroll"

    @property
    def multiples(self) -> bool:
        """Return whether double and triple games count."""
        return self.row.gammons if self.gammons is None else self.gammons

    @property
    def series(self) -> bool:
        """Return whether games are added up instead of raced to a score."""
        return self.match_to == 0


def match_length(options: Options) -> int | None:
    """Return the match length for the FIBS rating (platform P-116, RP-18), None for the other variants.

    A series counts its games: a single game is a match to one point.
    """
    return (options.match_to or options.games) if options.variant == "backgammon" else None


def wire_clock(options: Options) -> dict[str, Any]:
    """Return the table's clock as the wire writes it (platform P-23): a store that grows with each action."""
    games = options.match_to if options.match_to else options.games
    return {"type": "fischer", "base": min(3600, 120 * max(2, games)), "inc": 12}
