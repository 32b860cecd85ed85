"""Cube decisions: what no double, double and take, double and drop are worth, by Janowski's live and dead cubes."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from qipai.games.backgammon.bots.met import match_chance
from qipai.games.backgammon.options import Options

__all__ = ["Chances", "Choice", "Stake", "decide"]

# Cube efficiency (Janowski's x): how much of the worth of a fully live cube is realised. GNU Backgammon takes 0.68 for
# contact and crashed positions and 0.6 to 0.7 for races (its eval.c: rContactX, rCrashedX, rRaceMin, rRaceMax); we take
# 0.68 for all.
LIVE: Final = 0.68


class Chances(Struct, frozen=True):
    """The probabilities of outcomes for the side on roll: a win, and wins and losses of at least two or three times."""

    win: float
    win2: float
    win3: float
    lose2: float
    lose3: float


class Stake(Struct, frozen=True):
    """What is played for, seen by one seat: the score, the cube's value and its owner."""

    value: int
    mine: bool  # the seat owns it
    centred: bool
    need: int  # points the seat needs; 0 in a series
    his_need: int
    crawford: bool = False
    done: bool = False  # the Crawford game is over

    def points(self, options: Options, times: int, value: int, turned: bool) -> int:
        """Return the points for a win of 1, 2 or 3 times the cube, by the house rules. turned: the cube was doubled."""
        if not options.multiples:
            times = 1
        times = min(times, 3 if options.row.triple else 2)
        if options.jacoby and options.series and options.with_cube and not turned:
            times = 1
        return (options.backgammon_points if times == 3 else times) * value

    def worth(self, options: Options, points: int) -> float:
        """Return what winning (or, negative, losing) so many points is worth: points, or the chance of the match."""
        if options.series:
            return float(points)
        done = self.done or self.crawford
        mine = self.need - max(0, points)
        his = self.his_need - max(0, -points)
        crawford = options.crawford and not done and min(mine, his) == 1
        return match_chance(mine, his, crawford, done)

    def terms(self, options: Options, value: int | None = None, turned: bool | None = None) -> tuple[float, ...]:
        """Return the terms of the worth for `summed`: a constant, then what each field of `Chances` adds."""
        value = self.value if value is None else value
        turned = not self.centred if turned is None else turned
        won = [self.worth(options, self.points(options, n, value, turned)) for n in (1, 2, 3)]
        lost = [self.worth(options, -self.points(options, n, value, turned)) for n in (1, 2, 3)]
        return (
            lost[0],
            won[0] - lost[0],
            won[1] - won[0],
            won[2] - won[1],
            lost[1] - lost[0],
            lost[2] - lost[1],
        )


class Choice(Struct, frozen=True):
    """What each cube decision is worth to the side on roll."""

    hold: float  # no double
    taken: float
    dropped: float

    @property
    def double(self) -> bool:
        """Return whether to double."""
        return min(self.taken, self.dropped) > self.hold

    @property
    def take(self) -> bool:
        """Return whether the other should take."""
        return self.taken < self.dropped


def summed(terms: tuple[float, ...], c: Chances) -> float:
    """Return the worth of outcomes by the terms of a stake."""
    return sum(t * v for t, v in zip(terms, (1.0, c.win, c.win2, c.win3, c.lose2, c.lose3), strict=True))


def moved(c: Chances, win: float) -> Chances:
    """Return outcomes with another chance to win; gammons and backgammons keep their shares of wins and losses."""
    win = min(1.0, max(0.0, win))
    up = win / c.win if c.win > 0 else 0.0
    down = (1 - win) / (1 - c.win) if c.win < 1 else 0.0
    return Chances(win, c.win2 * up, c.win3 * up, c.lose2 * down, c.lose3 * down)


def decide(options: Options, stake: Stake, chances: Chances) -> Choice:
    """Return what each cube decision is worth to the side on roll, by whom the stake is seen.

    The worth of the cube is a shift of the chance to win: for money exactly by Janowski's formula, in a match by the
    same shift, and by none where the cube is dead because it already decides the match.
    """
    wins = 1 + (chances.win2 + chances.win3) / max(chances.win, 1e-6) if options.multiples else 1.0
    losses = 1 + (chances.lose2 + chances.lose3) / max(1 - chances.win, 1e-6) if options.multiples else 1.0
    low = (losses - 0.5) / (wins + losses + 0.5)  # where a live double is just taken
    high = (losses + 1.0) / (wins + losses + 0.5)  # where it is just dropped
    p = chances.win
    if stake.centred:
        live = min(1.0, max(0.0, (p - low) / max(high - low, 1e-6)))
        reach = (losses - 1 + 2 * live) / (wins + losses) if losses + wins else p
    else:
        reach = (min(p / high, 1.0) * (losses + 1)) / (wins + losses)
    dead_now = bool(stake.need) and stake.value >= stake.need
    hold = p if dead_now else (1 - LIVE) * p + LIVE * reach
    taken_reach = (max(0.0, (p - low) / (1 - low)) * (wins + 1) + losses - 1) / (wins + losses)
    dead_then = bool(stake.need) and 2 * stake.value >= stake.his_need
    taken = p if dead_then else (1 - LIVE) * p + LIVE * taken_reach
    # Too good to double: whoever plays on has at least what the board alone is worth.
    holding = max(
        summed(stake.terms(options), moved(chances, hold)) if stake.centred or stake.mine else -1e9,
        summed(stake.terms(options), chances) if p > high else -1e9,
    )
    return Choice(
        holding,
        summed(stake.terms(options, 2 * stake.value, True), moved(chances, taken)),
        stake.worth(options, stake.value),
    )
