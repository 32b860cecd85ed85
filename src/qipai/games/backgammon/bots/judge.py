"""Judge a level's plays and uses of the cube by gnubg: what a play costs, and how often both use the cube alike.

    python -m qipai.games.backgammon.bots.judge --level strong --plays 200 --cubes 200

Uses of the cube without a match are asked under the Jacoby rule. What a use costs is gnubg's too, in thousandths of a
point at the value before the double; in a match the score turns its chances into such points.
The positions come from games that gnubg plays against itself at 0 plies with throws from the seed: the same for every
level and version. A play costs what gnubg values it behind gnubg's own best, without the cube, in thousandths of a
point; only plays near gnubg's best at 0 plies, and the chosen one, are valued deeply.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec.structs import replace

from qipai.core.contract import NATURE
from qipai.core.kernel import JIT
from qipai.core.rng import Stream
from qipai.games.backgammon.analysis import Adviser, GnubgAdviser, OwnAdviser, Valuer
from qipai.games.backgammon.bots.cube import Chances, Stake
from qipai.games.backgammon.bots.measure import LEVELS, spread
from qipai.games.backgammon.bots.players import Easy
from qipai.games.backgammon.external import Gnubg, found
from qipai.games.backgammon.notation.ids import position_id
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.rules import Backgammon
from qipai.games.backgammon.state import Double, Drop, Play, Roll, State

__all__ = ["main"]

MONEY: Final = Stake(value=1, mine=False, centred=True, need=0, his_need=0)
NEAR: Final = 0.15  # points behind gnubg's best at 0 plies: farther plays are not valued deeply
OPEN: Final = (0.55, 0.87)  # chances to win between which a double is worth asking about
MARK: Final = "worths:"
MATCH: Final = 7  # every second use of the cube is asked in a match to so many points


def states(seed: str, of: Gnubg) -> Iterator[State]:
    """Yield the states of games that gnubg plays against itself, in which somebody chooses."""
    rules, number = Backgammon(Options(cube=True)), 0
    while True:
        luck, state = Stream.of_seed(f"{seed} {number}"), rules.start()
        number += 1
        while rules.outcome(state) is None:
            seat = min(rules.turn(state).seats)
            if seat == NATURE:
                state = rules.apply(state, seat, rules.chance(state, luck)).state
                continue
            yield state
            did = Roll() if state.phase == "to_roll" else of.choose(rules.observe(state, seat), 0)
            state = rules.apply(state, seat, did).state


def judge_plays(level: str, count: int, ms: int, seed: str, plies: int, every: int) -> None:
    """Print what a level's plays cost on the mean, with the standard error."""
    options = Options(cube=False)
    rules, ours = Backgammon(options), LEVELS[level](options, seed=1)
    source, quick, deep = Gnubg(cubeful=False), GnubgAdviser(options), GnubgAdviser(options, plies)
    lost, same, spent = [], 0, 0.0
    try:
        for n, state in enumerate(s for s in states(seed, source) if s.phase == "to_play"):
            if n % every or state.dice is None or state.turn is None:
                continue
            seat = state.turn
            first = Valuer(options, quick, MONEY, seat)
            plays = first.plays(state.cells, state.dice)
            if len(plays) < 2:
                continue
            view = rules.observe(replace(state, cube=replace(state.cube, value=1)), seat)
            begun = time.process_time()
            did = ours.choose(view, ms)
            spent += time.process_time() - begun
            assert isinstance(did, Play)
            top = max(plays.values())
            second = Valuer(options, deep, MONEY, seat)
            worths = {
                text: second.after_play(state.cells, state.dice, text)
                for text, worth in plays.items()
                if top - worth < NEAR or text == did.m
            }
            lost.append(1000 * (max(worths.values()) - worths[did.m]))
            same += lost[-1] == 0
            if len(lost) == count:
                break
    finally:
        source.close()
        quick.close()
        deep.close()
    mean, error = spread(lost)
    print(
        f"{level}: {len(lost)} plays, {mean:.2f} ± {error:.2f} millipoints a play by gnubg at {plies} plies, "
        f"{100 * same / len(lost):.0f} in 100 alike, {1000 * spent / len(lost):.0f} ms of a processor a play"
    )


class Weigher:
    """gnubg's Python, asked what each use of the cube is worth."""

    def __init__(self, plies: int, path: str | None = None) -> None:
        """Raises FileNotFoundError."""
        path = path or found()
        if path is None:
            raise FileNotFoundError("gnubg")
        self.process = subprocess.Popen(
            [path, "-t", "-q", "-r"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._say("set jacoby on")
        self._say(">import gnubg")
        self._say(f">look = gnubg.evalcontext(1, {plies}, 1, 1, 0.0)")

    def _say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def worths(self, state: State, seat: int, match_to: int) -> tuple[float, float, float]:
        """Return what no double, double and take, and double and drop are worth to the seat on roll, in points."""
        assert self.process.stdout is not None
        mine, his = (state.score[seat], state.score[1 - seat]) if match_to else (0, 0)
        self._say(f">cube = gnubg.cubeinfo(1, -1, 0, {match_to}, ({mine}, {his}), 0, 0)")
        self._say(f">board = gnubg.positionfromid('{position_id(state.cells, seat)}')")
        self._say(f">print('{MARK}', *gnubg.cfevaluate(board, cube, look)[1:4])")
        for line in self.process.stdout:
            if MARK in line:
                hold, taken, dropped = map(float, line.split(MARK)[1].split())
                return hold, taken, dropped
        raise ConnectionError("gnubg has gone, or knows no Python")

    def close(self) -> None:
        """End it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.kill()
        self.process.wait()


def judge_cubes(level: str, count: int, seed: str, plies: int) -> None:
    """Print in how many uses of the cube a level does as gnubg does, and what the others cost."""
    source, quick, judge = Gnubg(cubeful=False), GnubgAdviser(Options()), Weigher(plies)
    kinds = (Options(cube=True, jacoby=True), Options(cube=True, match_to=MATCH))
    ours, rules = [LEVELS[level](options, seed=1) for options in kinds], [Backgammon(options) for options in kinds]
    luck = Stream.of_seed(f"{seed} scores")
    costs: dict[tuple[int, str], list[float]] = {(kind, what): [] for kind in (0, 1) for what in ("double", "take")}
    asked = 0
    try:
        for state in states(seed, source):
            if state.phase != "to_roll" or state.turn is None:
                continue
            if not OPEN[0] < quick.chances(state.cells, state.turn).win < OPEN[1]:
                continue
            kind, seat = asked % 2, state.turn
            if kind:
                state = replace(state, score=(luck.below(MATCH - 1), luck.below(MATCH - 1)))
            asked += 1
            hold, taken, dropped = judge.worths(state, seat, kinds[kind].match_to)
            gain = min(taken, dropped) - hold
            did = ours[kind].choose(rules[kind].observe(state, seat), 1000)
            costs[kind, "double"].append(0.0 if isinstance(did, Double) == (gain > 0) else abs(gain))
            offered = rules[kind].apply(state, seat, Double()).state
            did = ours[kind].choose(rules[kind].observe(offered, 1 - seat), 1000)
            right = isinstance(did, Drop) == (taken >= dropped)
            costs[kind, "take"].append(0.0 if right else abs(taken - dropped))
            if 2 * asked >= count:
                break
    finally:
        for each in (source, quick, judge):
            each.close()
    told = [f"{('money', 'match')[kind]} {what} {alike(each)} of {len(each)}" for (kind, what), each in costs.items()]
    total = [1000 * cost for each in costs.values() for cost in each]
    mean, error = spread(total)
    print(
        f"{level}: {alike(total)} of {len(total)} uses of the cube as gnubg at {plies} plies ({', '.join(told)}), "
        f"{mean:.2f} ± {error:.2f} millipoints a use"
    )


def alike(costs: list[float]) -> int:
    """Return how many of some uses of the cube cost nothing."""
    return sum(cost == 0 for cost in costs)


def judge_worths(count: int, seed: str, plies: int, every: int) -> None:
    """Print how far our net's worths of positions, nothing looked ahead, lie from gnubg's, and its own at 0 plies."""
    options = Options(cube=False)
    source, deep = Gnubg(cubeful=False), GnubgAdviser(options, plies)
    others: dict[str, Adviser] = {"our net": OwnAdviser(options, 0), "gnubg at 0 plies": GnubgAdviser(options)}
    squares: dict[str, list[float]] = {name: [] for name in others}
    try:
        rolling = (s for s in states(seed, source) if s.phase == "to_roll" and s.turn is not None)
        for state in islice(rolling, 0, count * every, every):
            assert state.turn is not None
            right = single(deep.chances(state.cells, state.turn))
            for name, other in others.items():
                squares[name].append((single(other.chances(state.cells, state.turn)) - right) ** 2)
    finally:
        source.close()
        for adviser in (deep, *others.values()):
            adviser.close()
    for name, of in squares.items():
        mean, error = spread(of)
        told = f"{mean**0.5:.4f} ± {error / (2 * mean**0.5):.4f} points"
        print(f"{name}: {told} (root mean square) from gnubg at {plies} plies in {len(of)} positions")


def single(c: Chances) -> float:
    """Return what chances are worth in a single game without the cube, in points."""
    return 2 * c.win - 1 + c.win2 + c.win3 - c.lose2 - c.lose3


def judge_analysis(games: int, seed: str, plies: int) -> None:
    """Print by how much our analysis and gnubg's, equally deep, differ over what easy players' plays lose."""
    options = Options(cube=False)
    rules, own, theirs = Backgammon(options), OwnAdviser(options, plies), GnubgAdviser(options, plies)
    players = [Easy(options, seed=n) for n in (1, 2)]
    pairs: list[tuple[float, float]] = []
    try:
        for number in range(games):
            luck, state = Stream.of_seed(f"{seed} easy {number}"), rules.start()
            while rules.outcome(state) is None:
                seat = min(rules.turn(state).seats)
                if seat == NATURE:
                    state = rules.apply(state, seat, rules.chance(state, luck)).state
                    continue
                did = players[seat].choose(rules.observe(state, seat), 0)
                if isinstance(did, Play) and state.dice is not None:
                    losses = []
                    for adviser in (own, theirs):
                        plays = Valuer(options, adviser, MONEY, seat).plays(state.cells, state.dice)
                        losses.append(max(plays.values()) - plays[did.m])
                    pairs.append((losses[0], losses[1]))
                state = rules.apply(state, seat, did).state
            n = len(pairs)
            ours, his = sum(a for a, _ in pairs) / n, sum(b for _, b in pairs) / n
            apart = sum(abs(a - b) for a, b in pairs) / n
            told = f"{number + 1} games, {n} plays at {plies} plies: we say {ours:.4f} lost a play, gnubg {his:.4f}"
            print(f"{told}; apart by {apart:.4f} a play", flush=True)
    finally:
        theirs.close()


def main() -> None:
    """Judge, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--level", choices=sorted(LEVELS), default="strong")
    parser.add_argument("--plays", type=int, default=200)
    parser.add_argument("--every", type=int, default=5, help="one of so many plays or positions, so that games differ")
    parser.add_argument("--cubes", type=int, default=200, help="uses of the cube, half of them in a match")
    parser.add_argument(
        "--worths", type=int, default=0, help="positions whose worths by our net and gnubg are compared"
    )
    parser.add_argument("--analysis", type=int, default=0, help="games whose analyses by us and gnubg are compared")
    parser.add_argument("--analysis-plies", type=int, default=1, choices=[0, 1])
    parser.add_argument("--plies", type=int, default=2, help="how far the judge looks ahead")
    parser.add_argument(
        "--ms", type=int, default=60_000, help="time for a play: much, so that a busy machine is no worse"
    )
    parser.add_argument("--seed", default="judge")
    asked = parser.parse_args()
    if not JIT:
        os.environ["QIPAI_JIT"] = "1"
        os.execv(sys.executable, sys.orig_argv)
    if asked.plays:
        judge_plays(asked.level, asked.plays, asked.ms, asked.seed, asked.plies, asked.every)
    if asked.cubes:
        judge_cubes(asked.level, asked.cubes, asked.seed, asked.plies)
    if asked.worths:
        judge_worths(asked.worths, asked.seed, asked.plies, asked.every)
    if asked.analysis:
        judge_analysis(asked.analysis, asked.seed, asked.analysis_plies)


if __name__ == "__main__":
    main()
