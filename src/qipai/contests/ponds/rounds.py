"""The arithmetic of ponds: what the bids of a round do to its runners (platform P-71). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import Struct

__all__ = ["BONUS", "START", "BadBid", "Round", "Runner", "Variant", "run", "run_round"]

Variant = Literal["regular", "rain", "dark"]

START: Final = 20_000
BONUS: Final = 500


class BadBid(ValueError):
    """A bid that is no whole number from 0 to the bidder's points."""

    def __init__(self, player: str) -> None:
        super().__init__(player)
        self.player = player


class Runner(Struct, frozen=True):
    """Somebody still running. bid: this round's, None when they did not move; prev: that of the round before."""

    id: str
    points: int
    bid: Any = None
    prev: int | None = None


class Round(Struct, frozen=True):
    """What a round came to. used: what each runner spent; points: of those who run on, the bonus included."""

    fallen: tuple[str, ...]
    bonus: str | None
    auto: tuple[str, ...]  # whose bid was repeated
    used: dict[str, int]
    points: dict[str, int]
    finished: bool
    winner: str | None


def run_round(variant: Variant, number: int, runners: Sequence[Runner], *, rain_final: str | None = None) -> Round:
    """Return what a round comes to; raises BadBid.

    rain_final: "regular", where the last two in the rain are to find a winner.
    """
    for runner in runners:
        if runner.bid is not None and not _fits(runner):
            raise BadBid(runner.id)
    used: dict[str, int] = {}
    auto = []
    for runner in runners:
        if runner.bid is not None:
            used[runner.id] = runner.bid
        elif number > 1:
            used[runner.id] = min(runner.prev or 0, runner.points)
            auto.append(runner.id)
    fallen = {runner.id for runner in runners if runner.id not in used}
    bonus = None
    if len(used) > 1:  # RP-9: who alone has moved runs on, without a bonus
        rain = variant == "rain" and not (len(runners) == 2 and rain_final == "regular")
        amounts = sorted(set(used.values()), reverse=True)
        fallen |= {id for id, amount in used.items() if amount == amounts[-1] or (rain and amount == amounts[0])}
        counted = amounts[1:] if rain else amounts
        if counted:
            first = [id for id, amount in used.items() if amount == counted[0]]
            if len(first) == 1 and first[0] not in fallen:
                bonus = first[0]
    points = {
        runner.id: runner.points - used[runner.id] + (BONUS if runner.id == bonus else 0)
        for runner in runners
        if runner.id not in fallen
    }
    finished = len(points) < 2
    return Round(
        fallen=tuple(sorted(fallen)),
        bonus=bonus,
        auto=tuple(sorted(auto)),
        used=used,
        points=points,
        finished=finished,
        winner=next(iter(points)) if len(points) == 1 else None,
    )


def run(
    variant: Variant,
    players: Sequence[str],
    bids: Sequence[Mapping[str, Any]],
    *,
    start: int = START,
    rain_final: str | None = None,
) -> list[Round]:
    """Return the rounds of a pond up to its end, or as far as there are bids; raises BadBid."""
    points = dict.fromkeys(players, start)
    before: dict[str, int] = {}
    rounds: list[Round] = []
    for number, made in enumerate(bids, 1):
        runners = [Runner(id, left, made.get(id), before.get(id)) for id, left in points.items()]
        found = run_round(variant, number, runners, rain_final=rain_final)
        rounds.append(found)
        points, before = found.points, found.used
        if found.finished:
            break
    return rounds


def _fits(runner: Runner) -> bool:
    bid = runner.bid
    return isinstance(bid, int) and not isinstance(bid, bool) and 0 <= bid <= runner.points
