"""How strong the players are, in levels a deal: opening deals, each played twice with the sides changed.

    QIPAI_JIT=1 python -m qipai.games.shengji.bots.measure strong steady --decks 2 --budget 100 --seconds 120

A deal is worth to a side the levels that it rises by less the levels that the other side rises by. `qipai arena`
measures the same players in the points of the ledger.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from itertools import count
from typing import Any

from qipai.core.contract import Seat
from qipai.core.rng import Stream
from qipai.games.shengji import ENTRY
from qipai.games.shengji.observation import outcome_of
from qipai.games.shengji.options import Options
from qipai.games.shengji.rules import Shengji
from qipai.games.shengji.selfplay import warm
from qipai.games.shengji.state import State

__all__ = ["levels", "played"]


def played(rules: Shengji, bots: Sequence[Any], luck: Stream, budget_ms: int) -> State:
    """Return how an opening deal ends when these four players play it."""
    state = rules.start()
    while rules.outcome(state) is None:
        turn = rules.turn(state)
        seat, action = _said(rules, state, sorted(turn.may), bots, budget_ms)
        if action is None:
            seat = min(turn.seats)
            if seat < 0:
                action = rules.chance(state, luck)
            else:
                action = bots[seat].choose(rules.observe(state, seat), budget_ms) or rules.idle(state, seat)
        state = rules.apply(state, seat, action).state
    return state


def _said(rules: Shengji, state: State, may: Sequence[Seat], bots: Sequence[Any], budget_ms: int) -> tuple[Seat, Any]:
    """Return the seat that acts, of those that may, and its action; None when none acts."""
    for seat in may:
        action = bots[seat].choose(rules.observe(state, seat), budget_ms)
        if action is not None and rules.refuse(state, seat, action) is None:
            return seat, action
    return -1, None


def levels(options: Options, state: State, team: int) -> int:
    """Return how many levels a side has won, or lost, in a deal that is over."""
    ended = outcome_of(options, state)
    winner = ended.next_dealer % 2  # the next dealer is of the side that won the deal
    return ended.up if winner == team else -ended.up


def main() -> None:
    """Measure, and print the progress."""
    parser = argparse.ArgumentParser(description="how strong the players of shengji are, in levels a deal")
    parser.add_argument("level", nargs=2, choices=tuple(ENTRY.bots))
    parser.add_argument("--decks", type=int, default=2)
    parser.add_argument("--budget", type=int, default=100, metavar="MS")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    warm()
    options = Options(decks=asked.decks)
    rules = Shengji(options)
    found: list[float] = []
    end = time.monotonic() + asked.seconds
    for deal in count():
        if time.monotonic() > end:
            break
        won = 0
        for team in (0, 1):
            luck = Stream.of_seed(f"{asked.seed}|{deal}")
            bots = [ENTRY.bots[asked.level[int(seat % 2 != team)]](options, seed=deal * 4 + seat) for seat in range(4)]
            won += levels(options, played(rules, bots, luck, asked.budget), team)
        found.append(won / 2)
        n = len(found)
        mean = sum(found) / n
        error = (sum((one - mean) ** 2 for one in found) / max(1, n - 1) / n) ** 0.5
        print(f"{n} deals, {mean:+.3f} ± {error:.3f} levels a deal", flush=True)


if __name__ == "__main__":
    main()
