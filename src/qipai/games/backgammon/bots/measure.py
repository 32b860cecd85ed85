"""Measure a level against gnubg or another, in points a game: every throw is played twice, with the sides changed.

    python -m qipai.games.backgammon.bots.measure --level strong --games 1000
    python -m qipai.games.backgammon.bots.measure --level strong --against steady --variant plakoto --seconds 300

Two means are printed, each with its standard error: of the points as they were played, and of the points without the
luck of the throws (`bots.luck`), which has the same expectation and far less chance in it. Single games without the
cube by default, so that it is the plays that are measured; `--cube` plays with it. `--first` goes on where another run
has ended: a pair of games has its throws by its number.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from math import sqrt
from multiprocessing.util import Finalize
from typing import Final

from msgspec import Struct

from qipai.core.contract import NATURE, Bot, play
from qipai.core.kernel import JIT
from qipai.core.rng import Stream
from qipai.games.backgammon.analysis import GnubgAdviser
from qipai.games.backgammon.bots.luck import Luck
from qipai.games.backgammon.bots.players import Casual, Easy, Player, Sharp, Steady, Strong
from qipai.games.backgammon.external import Gnubg, knows
from qipai.games.backgammon.options import VARIANTS, Options
from qipai.games.backgammon.rules import Backgammon
from qipai.games.backgammon.state import Action, Beaver, Dice, Opening, Take, View

__all__ = ["LEVELS", "Asked", "Pair", "Table", "main", "spread"]

LEVELS: Final[dict[str, type[Player]]] = {
    "easy": Easy,
    "casual": Casual,
    "steady": Steady,
    "sharp": Sharp,
    "strong": Strong,
}
GNUBG: Final = "gnubg"
LUCK: Final = ("net", "reply", GNUBG)  # the evaluators of throws
TELL_S: Final = 30.0  # seconds between two lines


class Asked(Struct, frozen=True):
    """Who plays whom, and by what the luck of a throw is told."""

    options: Options
    level: str
    against: str
    plies: int  # of gnubg
    ms: int
    luck: str


class Pair(Struct, frozen=True):
    """What the level won a game, on the mean of two games with the same throws."""

    points: float
    adjusted: float  # without the luck of the throws


class Table:
    """Two players, and the evaluator of throws; it holds the processes that they need."""

    def __init__(self, asked: Asked) -> None:
        options, self.ms = asked.options, asked.ms
        self.rules = Backgammon(options)
        self.ours: Bot[Action, View] = LEVELS[asked.level](options, seed=1)
        self._processes: list[Gnubg | GnubgAdviser] = []
        self.theirs: Bot[Action, View]
        if asked.against == GNUBG:
            opponent = Gnubg(options, plies=asked.plies, cubeful=options.with_cube)
            self._processes.append(opponent)
            self.theirs = opponent
        else:
            self.theirs = LEVELS[asked.against](options, seed=2)
        adviser = None
        if asked.luck == GNUBG:
            adviser = GnubgAdviser(options)
            self._processes.append(adviser)
        self.luck = Luck(options, int(asked.luck == "reply"), adviser)

    def pair(self, number: int) -> Pair:
        """Return what two games with the throws of this number bring."""
        points, luck = self.game((self.ours, self.theirs), number)
        others, other = self.game((self.theirs, self.ours), number)
        return Pair((points - others) / 2, (points - luck - others + other) / 2)

    def game(self, bots: tuple[Bot[Action, View], Bot[Action, View]], number: int) -> tuple[int, float]:
        """Return seat 0's points of one game, and how many of them its luck has brought."""
        rules, stream, luck = self.rules, Stream.of_seed(f"measure {number}"), 0.0
        state = rules.start()
        while (outcome := rules.outcome(state)) is None:
            seat = min(rules.turn(state).seats)
            if seat == NATURE:
                action = rules.chance(state, stream)
                assert isinstance(action, Opening | Dice)
                luck += self.luck.of(state, action)
            else:
                action = bots[seat].choose(rules.observe(state, seat), self.ms)  # type: ignore[assignment]
                if isinstance(action, Beaver) and not rules.options.beavers:
                    action = Take()
            state = play(rules, state, seat, action).state
        return outcome.points[0], luck

    def close(self) -> None:
        """End the processes."""
        for each in self._processes:
            each.close()


def spread(values: list[float]) -> tuple[float, float]:
    """Return the mean and its standard error."""
    mean = sum(values) / len(values)
    return mean, sqrt(sum((x - mean) ** 2 for x in values) / max(1, len(values) - 1) / len(values))


def told(pairs: list[Pair], spent: float) -> str:
    """Return the line about the pairs so far."""
    plain, error = spread([pair.points for pair in pairs])
    adjusted, rest = spread([pair.adjusted for pair in pairs])
    return (
        f"{2 * len(pairs)} games: {plain:+.3f} ± {error:.3f} points a game, "
        f"without luck {adjusted:+.4f} ± {rest:.4f}, {spent:.0f} s"
    )


_table: Table | None = None  # of this process


def _begin(asked: Asked) -> None:
    """Set up the table of a process that plays for another."""
    global _table
    _table = Table(asked)
    Finalize(None, _table.close, exitpriority=1)  # what is left to atexit is not called in such processes


def _pair(number: int) -> Pair:
    """Return what a pair of games brings at this process's table."""
    assert _table is not None
    return _table.pair(number)


def pairs_of(asked: Asked, numbers: range, workers: int) -> Iterator[Pair]:
    """Yield what each pair of games brings, in their order; by several processes if so asked."""
    if workers < 2:
        table = Table(asked)
        try:
            yield from map(table.pair, numbers)
        finally:
            table.close()
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin, (asked,))
    try:
        yield from pool.map(_pair, numbers)
    finally:
        pool.shutdown(cancel_futures=True)


def main() -> None:
    """Play, and print the means with their standard errors."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--level", choices=sorted(LEVELS), default="strong")
    parser.add_argument("--against", choices=[GNUBG, *sorted(LEVELS)], default=GNUBG)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=0, help="begin no pair of games after so long; 0: no end")
    parser.add_argument("--first", type=int, default=0, help="number of the first pair of games, to go on later")
    parser.add_argument("--variant", default="backgammon", choices=[n for n, row in VARIANTS.items() if row.dice])
    parser.add_argument("--plies", type=int, default=0, help="how far gnubg looks ahead")
    parser.add_argument("--cube", action="store_true")
    parser.add_argument("--ms", type=int, default=200)
    parser.add_argument(
        "--luck",
        choices=LUCK,
        help="by what throws are valued: our net after the play, or after every reply, or gnubg at 0 plies after the "
        "play; by default gnubg where it plays, else our net after every reply",
    )
    parser.add_argument("--workers", type=int, default=1, help="processes that play")
    asked = parser.parse_args()
    options = Options(variant=asked.variant, cube=asked.cube)
    luck = asked.luck or (GNUBG if asked.against == GNUBG else "reply")
    if GNUBG in (asked.against, luck) and not knows(options):
        parser.error(f"gnubg does not know {asked.variant}")
    if not JIT:
        os.environ["QIPAI_JIT"] = "1"
        os.execv(sys.executable, sys.orig_argv)
    begun = time.monotonic()
    last, found = begun, []
    numbers = range(asked.first, asked.first + asked.games // 2)
    for pair in pairs_of(
        Asked(options, asked.level, asked.against, asked.plies, asked.ms, luck), numbers, asked.workers
    ):
        found.append(pair)
        now = time.monotonic()
        over = bool(asked.seconds) and now - begun > asked.seconds
        if over or now - last > TELL_S or len(found) == len(numbers):
            last = now
            print(told(found, now - begun), flush=True)
        if over:
            break


if __name__ == "__main__":
    main()
