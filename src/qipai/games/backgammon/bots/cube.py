"""Cube decisions: what no double, double and take, double and drop are worth, by Janowski's live and dead cubes."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from qipai.games.backgammon.bots.met import match_chance
from qipai.games.backgammon.options import Options

__all__ = ["LIVE", "Chances", "Choice", "Stake", "ahead", "decide", "race_live", "summed", "turned"]

# Cube efficiency (Janowski x): how much of the worth of a fully live cube is realised. While the sides meet it is what
# agrees best with gnubg at 2 plies where gnubg's own chances are given, in 600 uses; gnubg itself takes 0.68 where it
# looks no farther. In a race it goes by the pips of the side on roll, within limits, as in gnubg's eval.c.
LIVE: Final = 0.74
RACE: Final = (0.55, 0.00125)  # and so much more for each pip
RACE_LIMITS: Final = (0.6, 0.7)


class Chances(Struct, frozen=True):
    """The probabilities of outcomes for the side on roll: a win, and wins and losses of at least two or three times."""

    win: float
    win2: float
    win3: float
    lose2: float
    lose3: float
    live: float = LIVE  # how much of a live cube's worth is realised from here


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
        return match_chance(mine, his, crawford, done or not options.crawford)

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
    may: bool = True  # the side on roll may double

    @property
    def best(self) -> float:
        """Return what the position is worth when both decide well."""
        return max(self.hold, min(self.taken, self.dropped)) if self.may else self.hold

    @property
    def double(self) -> bool:
        """Return whether to double."""
        return min(self.taken, self.dropped) > self.hold

    @property
    def take(self) -> bool:
        """Return whether the other should take."""
        return self.taken < self.dropped


def race_live(pips: int) -> float:
    """Return how much of a live cube's worth is realised in a race, by the pips of the side on roll."""
    low, high = RACE_LIMITS
    return min(high, max(low, RACE[0] + RACE[1] * pips))


def summed(terms: tuple[float, ...], c: Chances) -> float:
    """Return the worth of outcomes by the terms of a stake."""
    return sum(t * v for t, v in zip(terms, (1.0, c.win, c.win2, c.win3, c.lose2, c.lose3), strict=True))


def results(options: Options, stake: Stake, c: Chances, value: int, turned: bool) -> tuple[float, float]:
    """Return what a loss and a win are worth at a value of the cube, gammons and backgammons with their shares."""
    lost, won, win2, win3, lose2, lose3 = stake.terms(options, value, turned)
    loss = lost + (lose2 * c.lose2 + lose3 * c.lose3) / max(1 - c.win, 1e-6)
    return loss, lost + won + (win2 * c.win2 + win3 * c.win3) / max(c.win, 1e-6)


def mirrored(stake: Stake) -> Stake:
    """Return a stake as the other seat sees it."""
    return replace(stake, mine=not stake.mine and not stake.centred, need=stake.his_need, his_need=stake.need)


def other(options: Options, worth: float) -> float:
    """Return what is worth so much to one side, seen by the other."""
    return -worth if options.series else 1 - worth


def take_point(options: Options, stake: Stake, c: Chances, value: int) -> float:
    """Return the chance to win from which a seat takes a double from `value`, the cube live where it still counts.

    stake and c are the taker's. Whoever takes owns a cube that is worth what a drop costs where he takes, and cashes
    it where the other's own take point lies.
    """
    dropped, doubled = stake.worth(options, -value), 2 * value
    if options.series:  # at every value the same: Janowski's formula
        low, high = results(options, stake, c, 1, True)
        return (-low - 0.5) / (high - low + 0.5)
    loss, win = results(options, stake, c, doubled, True)
    if doubled >= stake.need:
        reach, at = win, 1.0
    elif doubled >= stake.his_need:  # a loss is the match: he doubles again for nothing
        reach, at = results(options, stake, c, 2 * doubled, True)[1], 1.0
    else:
        reach = stake.worth(options, doubled)
        at = 1 - take_point(options, mirrored(stake), turned(c), doubled)
    return min(1.0, max(0.0, at * (dropped - loss) / max(reach - loss, 1e-9)))


def turned(c: Chances) -> Chances:
    """Return outcomes as the other side sees them."""
    return Chances(1 - c.win, c.lose2, c.lose3, c.win2, c.win3, c.live)


def between(p: float, places: list[tuple[float, float]]) -> float:
    """Return the height at p of the line through some places from 0 to 1."""
    for (left, low), (right, high) in pairwise(places):
        if p <= right:
            return low + (high - low) * (p - left) / max(right - left, 1e-9)
    return places[-1][1]


def holding(options: Options, stake: Stake, c: Chances, value: int, turned_once: bool, who: tuple[bool, bool]) -> float:
    """Return what playing on is worth with the cube at a value. who: whether the seat, and the other, may double."""
    loss, win = results(options, stake, c, value, turned_once)
    dead = loss + c.win * (win - loss)
    places = [(0.0, loss)]
    if who[1]:
        places.append((take_point(options, stake, c, value), stake.worth(options, -value)))
    if who[0]:
        cash = 1 - take_point(options, mirrored(stake), turned(c), value)
        places.append((cash, stake.worth(options, value)))
    places.append((1.0, win))
    return (1 - c.live) * dead + c.live * between(c.win, places)


def decide(options: Options, stake: Stake, chances: Chances) -> Choice:
    """Return what each cube decision is worth to the side on roll, by whom the stake is seen.

    Of a fully live cube `chances.live` is realised: between the points where the one and the other is just doubled out,
    the worth of playing on is a line (Janowski). For money and in a match it is the same line, only that in a match
    each value of the cube has points of its own, and none where the cube already decides the match for its owner.
    """
    value = stake.value
    may = not (stake.crawford and options.match_to > 1)
    mine = may and (stake.centred or stake.mine) and not 0 < stake.need <= value
    his = may and (stake.centred or not stake.mine) and not 0 < stake.his_need <= value
    hold = holding(options, stake, chances, value, not stake.centred, (mine, his))
    doubled = 2 * value
    he_again = not 0 < stake.his_need <= doubled
    if he_again and 0 < stake.need <= doubled:  # losing is the match for him: he doubles again for nothing
        doubled, he_again = 2 * doubled, False
    taken = holding(options, stake, chances, doubled, True, (False, he_again))
    return Choice(hold, taken, stake.worth(options, value), may and (stake.centred or stake.mine))


def ahead(options: Options, stake: Stake, ends: Iterable[tuple[int, Chances | int]]) -> Choice:
    """Return what each cube decision is worth when every throw is looked at, and the other's use of the cube after it.

    ends: for each throw its weight, and the other's outcomes after the best play, or the seat's points of the game, for
    a cube on one, where that play ends it.
    """
    kept = mirrored(stake)
    given = replace(kept, value=2 * stake.value, mine=True, centred=False)
    hold = taken = 0.0
    total = 0
    for weight, end in ends:
        total += weight
        if isinstance(end, int):
            times = abs(end)
            sign = 1 if end > 0 else -1
            hold += weight * stake.worth(options, sign * stake.points(options, times, stake.value, not stake.centred))
            taken += weight * stake.worth(options, sign * stake.points(options, times, 2 * stake.value, True))
        else:
            hold += weight * other(options, decide(options, kept, end).best)
            taken += weight * other(options, decide(options, given, end).best)
    now = stake.worth(options, stake.value)
    may = not (stake.crawford and options.match_to > 1)
    return Choice(hold / total, taken / total, now, may and (stake.centred or stake.mine))
