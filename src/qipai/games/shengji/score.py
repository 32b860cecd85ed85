"""The result of a deal: levels, the next dealer, the points ledger 积分, coins (6.2 to 6.5)."""

from __future__ import annotations

from collections.abc import Sequence

from qipai.core.contract import Seat
from qipai.games.shengji.kernel.flow import steps_up
from qipai.games.shengji.notation import RANKS
from qipai.games.shengji.options import Options
from qipai.games.shengji.state import Result

__all__ = ["bracket", "coins", "promoted", "result"]


def promoted(level: str, up: int, *, dealer_side: bool, must_play: Sequence[str]) -> tuple[str, bool]:
    """Return the level after a rise, and whether it went past A: the match is won (6.3, R22)."""
    if level in must_play and not dealer_side:
        return level, False
    for _ in range(up):
        if level == "A":
            return level, True
        level = RANKS[RANKS.index(level) + 1]
        if level in must_play:
            break
    return level, False


def bracket(balances: Sequence[int] | None) -> int:
    """Return the multiplier of the ledger: 3 when all four totals are 300 or more, 2 when within 80 .. 300 (R24)."""
    if balances is None:
        return 1
    if all(balance >= 300 for balance in balances):
        return 3
    return 2 if all(80 <= balance <= 300 for balance in balances) else 1


def result(
    options: Options, points: int, dealer: Seat, levels: tuple[str, str], balances: Sequence[int] | None = None
) -> Result:
    """Return the result of a deal in which the attackers made the given points."""
    steps = int(steps_up(points, options.decks))
    dealer_side = steps < 0
    up = -steps if dealer_side else steps
    team = dealer % 2 if dealer_side else (dealer + 1) % 2
    level, won = promoted(levels[team], up, dealer_side=dealer_side, must_play=options.must_play)
    after = (level, levels[1]) if team == 0 else (levels[0], level)
    base = up + 1 if dealer_side else up + 2
    if points == 0 and options.big_sweep_points is not None:
        base = options.big_sweep_points
    times = bracket(balances)
    return Result(
        points=points,
        side="dealer" if dealer_side else "attackers",
        up=up,
        before=levels,
        levels=after,
        next_dealer=(dealer + (2 if dealer_side else 1)) % 4,
        match_winner=team if won else None,
        scores=tuple(base * times if seat % 2 == team else -base * times for seat in range(4)),
        multiplier=times,
    )


def coins(x: int, n: int, a: int) -> dict[str, int]:
    """Return what a winner gets and a loser pays in a coin room (R26): x ledger change, n room factor, a room fee."""
    return {"win_gross": x * n, "lose_gross": x * n, "win_delta": x * n - a, "lose_delta": -(x * n + a)}
