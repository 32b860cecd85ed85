"""Measure a level against gnubg, in points a game: every throw is played twice, with the sides changed.

    python -m qipai.games.backgammon.bots.measure --level strong --games 1000

Single games without the cube by default, so that it is the plays that are measured; `--cube` plays with it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from math import sqrt

from qipai.core.contract import NATURE, Bot, play
from qipai.core.kernel import JIT
from qipai.core.rng import Stream
from qipai.games.backgammon.bots.players import Casual, Easy, Sharp, Steady, Strong
from qipai.games.backgammon.external import Gnubg
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.rules import Backgammon
from qipai.games.backgammon.state import Action, Beaver, Take, View

__all__ = ["main"]

LEVELS = {"easy": Easy, "casual": Casual, "steady": Steady, "sharp": Sharp, "strong": Strong}


def one_game(rules: Backgammon, bots: tuple[Bot[Action, View], Bot[Action, View]], luck: Stream, ms: int) -> int:
    """Return seat 0's points of one game whose throws come from this stream."""
    state = rules.start()
    while (outcome := rules.outcome(state)) is None:
        seat = min(rules.turn(state).seats)
        if seat == NATURE:
            action = rules.chance(state, luck)
        else:
            action = bots[seat].choose(rules.observe(state, seat), ms)  # type: ignore[assignment]
            if isinstance(action, Beaver) and not rules.options.beavers:
                action = Take()
        state = play(rules, state, seat, action).state
    return outcome.points[0]


def main() -> None:
    """Play, and print the mean with its standard error."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--level", choices=sorted(LEVELS), default="strong")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first pair of games, to go on later")
    parser.add_argument("--variant", default="backgammon", choices=["backgammon", "nackgammon", "hyper"])
    parser.add_argument("--plies", type=int, default=0, help="how far gnubg looks ahead")
    parser.add_argument("--cube", action="store_true")
    parser.add_argument("--ms", type=int, default=200)
    asked = parser.parse_args()
    if not JIT:
        os.environ["QIPAI_JIT"] = "1"
        os.execv(sys.executable, sys.orig_argv)
    options = Options(variant=asked.variant, cube=asked.cube)
    rules = Backgammon(options)
    ours, theirs = LEVELS[asked.level](options, seed=1), Gnubg(options, plies=asked.plies, cubeful=asked.cube)
    pairs, begun = [], time.monotonic()
    try:
        for number in range(asked.first, asked.first + asked.games // 2):
            first = one_game(rules, (ours, theirs), Stream.of_seed(f"measure {number}"), asked.ms)
            second = one_game(rules, (theirs, ours), Stream.of_seed(f"measure {number}"), asked.ms)
            pairs.append((first - second) / 2)
            if len(pairs) % 50 == 0 or number == asked.first + asked.games // 2 - 1:
                mean = sum(pairs) / len(pairs)
                error = sqrt(sum((x - mean) ** 2 for x in pairs) / max(1, len(pairs) - 1) / len(pairs))
                spent = time.monotonic() - begun
                print(f"{2 * len(pairs)} games: {mean:+.3f} ± {error:.3f} points a game, {spent:.0f} s", flush=True)
    finally:
        theirs.close()


if __name__ == "__main__":
    main()
