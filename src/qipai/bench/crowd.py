"""`qipai bench bots`, one row: whether bots keep their level and their time when many tables ask at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

import msgspec

from qipai import games
from qipai.arena.pool import Bots
from qipai.arena.worker import Warm
from qipai.bench.bots import answered
from qipai.bench.sheet import Check, Table, line
from qipai.bench.stable import Stable
from qipai.config import Config
from qipai.core.contract import NATURE
from qipai.core.entry import rules_of
from qipai.core.rng import Stream
from qipai.hall.live.bot_players import BUDGET_MS, PATIENCE_MS

__all__ = ["GAME", "measure"]

GAME: Final = "xiangqi"  # whose bots of both levels think until their time is up
TABLES: Final = 10  # of each level
BELOW: Final = 0.001  # share of answers that may be given below the level shown
P99_S: Final = {"steady": 1.0, "strong": 2.0}


def measure(seconds: float, stable: Stable, told: Callable[[str], None]) -> tuple[list[Table], dict[str, str]]:
    """Let bots play themselves at ten tables of each level, in a pool as a hall has it that has been up for a moment.

    seconds: for how long. Bots sit on all seats, so that every table asks without pause, unlike any table with people.
    """
    told("compiling")
    answered(stable.gym(GAME), Warm(GAME))
    told("playing")
    bots = Bots(Config().bots.workers)
    took = asyncio.run(_played(bots, seconds))
    answers = bots.count.answers
    checks = [Check("share of answers below the level shown", BELOW, False, bots.count.part("below"))]
    lines = []
    for level, most in P99_S.items():
        found = sorted(took[level])
        p99 = found[min(len(found) - 1, int(0.99 * len(found)))]
        lines.append(line(level, found))
        checks.append(Check(f"{level}: p99 from the question to the answer, s", most, False, p99))
    ways = ", ".join(f"{n} {level} {given}" for (level, given), n in sorted(answers.items()))
    table = Table(f"{TABLES} strong and {TABLES} steady tables of {GAME}", "s", tuple(lines), tuple(checks), (ways,))
    return [table], {}


async def _played(bots: Bots, seconds: float) -> dict[str, list[float]]:
    """Return how long each answer took, by level, in s."""
    took: dict[str, list[float]] = {level: [] for level in P99_S}
    bots.open([GAME])
    try:
        while not bots.warm(GAME):
            await asyncio.sleep(0.1)
        end = time.monotonic() + seconds
        await asyncio.gather(*(_table(bots, level, n, end, took[level]) for level in P99_S for n in range(TABLES)))
    finally:
        bots.close()
    return took


async def _table(bots: Bots, level: str, number: int, end: float, took: list[float]) -> None:
    """Play one deal after the other at the hall's pace until the time is over."""
    entry, pace_s = games.find(GAME), Config().bots.pace_ms / 1000
    options = entry.chosen({})
    rules, luck = rules_of(entry, options), Stream.of_seed(f"{level} {number}")
    state: Any = None
    seed = 0
    while time.monotonic() < end:
        if state is None or rules.outcome(state) is not None:
            state = rules.start(entry.carry(options, 0))
        seat = min(rules.turn(state).seats)
        if seat == NATURE:
            state = rules.apply(state, seat, rules.chance(state, luck)).state
            continue
        view, began, seed = msgspec.json.encode(rules.observe(state, seat)), time.monotonic(), seed + 1
        budget = BUDGET_MS[level]
        found = await bots.choose(GAME, {}, level, view, seed=seed, budget_ms=budget, patience_ms=budget + PATIENCE_MS)
        took.append(time.monotonic() - began)
        state = rules.apply(state, seat, entry.act(msgspec.json.decode(found.action))).state
        await asyncio.sleep(max(0.0, pace_s - took[-1]))
