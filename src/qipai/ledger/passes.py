"""Pass rooms 过关斩将: a player's pass, its steps, its rewards (platform P-41 to P-47). Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

__all__ = [
    "USUAL",
    "Climb",
    "Collusion",
    "Ended",
    "Pass",
    "Step",
    "collusion",
    "may_sit",
    "monthly",
    "record",
    "step",
    "zone",
]

Ended = Literal["win", "loss", "draw", "quit", "disconnect", "kicked"]

STEPS: Final[dict[str, int]] = {"win": 1, "loss": -1, "draw": 0, "quit": -2, "kicked": -2, "disconnect": -1}


class Pass(Struct, frozen=True, rename={"pass_": "pass"}):
    """A player's progress in a game: their present pass 当前关, their highest pass 最高关, pass points 关积分."""

    pass_: int = 1
    highest: int = 1
    points: int = 0


class Climb(Struct, frozen=True):
    """How many points a pass takes (RP-1). strict: 大于 and 小于, not 大于等于."""

    up: int = 5
    down: int = -5
    strict: bool = True
    max_pass: int = 6

    @property
    def enough(self) -> int:
        """Return the fewest points that lead to the next pass."""
        return self.up + 1 if self.strict else self.up

    @property
    def too_few(self) -> int:
        """Return the most points that lead to the pass below."""
        return self.down - 1 if self.strict else self.down

    @property
    def floor(self) -> int:
        """Return the fewest points that a player can have at pass 1."""
        return 2 * self.down - 1 if self.strict else 2 * self.down


USUAL: Final = Climb()


class Step(Struct, frozen=True):
    """A pass after a game. record: it is higher than the player has ever stood."""

    state: Pass
    moved: Literal["up", "down", "none"]
    record: bool


class Collusion(Struct, frozen=True):
    """What it would take to be helped up (P-47)."""

    users: int
    games: int
    series: int


def step(before: Pass, ended: Ended, table_pass: int | None = None, climb: Climb = USUAL) -> Step:
    """Return a player's pass after a game (P-42, P-44). table_pass: None: the player's own."""
    change = STEPS[ended]
    if change > 0 and table_pass is not None and before.pass_ > table_pass:
        change = 0  # 只降不升
    points = before.points + change
    if points >= climb.enough:
        if before.pass_ >= climb.max_pass:
            return Step(replace(before, points=climb.enough - 1), "none", False)
        new = before.pass_ + 1
        return Step(Pass(new, max(new, before.highest), 0), "up", new > before.highest)
    if points <= climb.too_few and before.pass_ > 1:
        return Step(Pass(before.pass_ - 1, before.highest, 0), "down", False)
    if before.pass_ == 1:
        points = max(points, climb.floor)
    return Step(replace(before, points=points), "none", False)


def zone(passes: int, tables_per_pass: int, table: int) -> int | None:
    """Return the pass of a pass room's table, counted from 1; the highest stand first. None: no such table (P-43)."""
    if not 1 <= table <= passes * tables_per_pass:
        return None
    return passes - (table - 1) // tables_per_pass


def may_sit(mine: int, table: int) -> bool:
    """Tell whether somebody at this pass may play at a table of that pass (P-45)."""
    return table <= mine


def record(highest: int, per_pass: int = 10) -> int:
    """Return the coins for reaching a pass for the first time (P-46; RP-4: from 3)."""
    return per_pass * highest if highest >= 3 else 0


def monthly(highest: Iterable[int], per_pass: int = 20) -> list[int]:
    """Return the coins of a month for players with these highest passes who have played in it (P-46)."""
    return [per_pass * (each - 1) if each >= 2 else 0 for each in highest]


def collusion(points: int, players: int, target: int) -> Collusion:
    """Return how many users and games it takes to lose somebody up to a pass (RP-3).

    points: needed for a pass; players: at a table.
    """
    return Collusion(
        users=players ** (target - 1),
        games=points * (players**target - players),
        series=points * sum(players**power for power in range(1, target)),
    )
