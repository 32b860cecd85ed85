"""`qipai bench bots`: how fast the bots of each level decide, how often too late, how strong they are."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import msgspec

from qipai import games
from qipai.arena.duel import Result, summed
from qipai.arena.match import Sitting, Terms
from qipai.arena.worker import Answer, Request, Sit, Warm
from qipai.bench.contest import Ask, Gym
from qipai.bench.selfplay import whole_of
from qipai.bench.sheet import Check, Line, Table, line
from qipai.bench.stable import Stable

__all__ = ["measure"]

Progress = Callable[[str], None]
LATE = 0.001  # share of choices that may come later than 1.5 × budget


def measure(
    game: str, sittings: int, budget_ms: int, stable: Stable, told: Progress
) -> tuple[list[Table], dict[str, str]]:
    """Let neighbouring levels, and then the strongest and other people's programs, play each other in one worker.

    sittings: of each pair, every other one with the sides swapped.
    """
    levels = list(games.find(game).bots)
    whole = whole_of(game)
    rivals = dict(whole.rivals) if whole else {}
    pairs = [(stronger, weaker, weaker) for weaker, stronger in pairwise(levels)]
    pairs += [(levels[-1], rival.bot, name) for name, rival in rivals.items() if rival.found()]
    speed: dict[str, list[float]] = {}
    ours: dict[str, tuple[int, int]] = {}  # late and all choices, by level
    held_up = 0  # choices of ours that were late by the clock on the wall alone
    notes, stays = [], []
    told("warming up")
    gym = stable.gym(game)
    answered(gym, Warm(game))
    for first, second, name in pairs:
        found: list[Sitting] = []
        for number in range(sittings):
            told(f"{first} against {name}: {number}/{sittings} sittings")
            terms = Terms(game, (first, second), budget_ms=budget_ms)
            sit = Sit(terms, number // 2, bool(number % 2))
            found.append(msgspec.json.decode(answered(gym, sit), type=Sitting))
        for index, who in enumerate((first, name)):
            rates = [s.actions[index] / s.ms[index] * 1000 for s in found if s.actions[index] and s.ms[index]]
            speed.setdefault(who, []).extend(rates)
            if who in levels:
                late, all_ = ours.get(who, (0, 0))
                ours[who] = late + sum(s.late[index] for s in found), all_ + sum(s.actions[index] for s in found)
                held_up += sum(s.held_up[index] for s in found)
        notes.append(strength(first, name, found, summed(terms, found)))
    for name, rival in rivals.items():
        if not rival.found():
            stays.append(Line(name, absent="not installed"))
    lines = [line(who, rates) if rates else Line(who, absent="it was never asked") for who, rates in speed.items()]
    lines += [*stays, Line("the previous release's bots", absent="there is no release before this one")]
    if held_up:
        notes.append(f"{held_up} choices more were later because other processes had the processors meanwhile")
    part = sum(one[0] for one in ours.values()) / max(1, sum(one[1] for one in ours.values()))
    checks = (
        Check("share of choices later than 1.5 × budget", LATE, False, part),
        Check("points over the previous release at equal time", 0.0, True, None),
    )
    table = Table(f"{game}, {budget_ms} ms a choice", "decisions a second", tuple(lines), checks, tuple(notes))
    return [table], {}


def answered(gym: Gym, request: Request) -> bytes:
    """Return what a gym answers, as a worker does; raises RuntimeError when it fails."""
    answer = gym.ask(Ask(request=msgspec.Raw(msgspec.json.encode(request))), Answer)
    if answer.error:
        raise RuntimeError(answer.error)
    return bytes(answer.result)


def strength(first: str, second: str, found: list[Sitting], result: Result) -> str:
    """Return how much stronger one is, and for how much time."""
    mean = sum(s.difference for s in found) / len(found)
    error = f" ± {result.error:.2f}" if result.deals > 1 else ""
    mine, other = result.ms
    return (
        f"{first} over {second}: {mean:+.2f}{error} points a seat and deal in {len(found)} sittings, "
        f"for {mine:.3g} against {other:.3g} ms a choice"
    )
