"""Duplicate tournaments (platform P-94, 同牌赛): one deal a round for all its tables, and what results are worth. Pure.

The n-th game of each meeting of a round has the same deal. A game that was broken off and is begun anew has
another one, since its first deal has been seen.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from qipai.contests.contract import SharedDeal
from qipai.contests.tournaments.model import Meeting, Stage, Tournament
from qipai.hall.live.comparison import compared

__all__ = ["deal_of", "deals", "differences", "is_over", "veiled"]


def _name(stage: int, round: int, game: int, redeals: int) -> str:
    return f"{stage}.{round}.{game}" + (f"~{redeals}" if redeals else "")


def deal_of(state: Tournament, meeting: Meeting) -> str | None:
    """Return the deal of the game that is to be played now, None: luck of its own."""
    if not state.form.duplicate:
        return None
    return _name(state.stage.no, meeting.round, len(meeting.results) + 1, meeting.redeals)


def deals(state: Tournament) -> tuple[SharedDeal, ...]:
    """Return the deals of all rounds so far; one is over when no meeting of its round plays it or will."""
    if not state.form.duplicate:
        return ()
    found: dict[str, bool] = {}
    for stage in state.stages:
        for one in stage.meetings:
            begun = [(game, result.redeals) for game, result in enumerate(one.results, 1)]
            if not one.over or one.why:  # the present game, or one that a ruling has broken off
                begun.append((len(one.results) + 1, one.redeals))
            for game, most in begun:
                for redeals in range(most + 1):
                    name = _name(stage.no, one.round, game, redeals)
                    if name not in found:
                        found[name] = state.state != "running" or _is_over(stage, one.round, game, redeals)
    return tuple(SharedDeal(name, over) for name, over in found.items())


def _is_over(stage: Stage, round: int, game: int, redeals: int) -> bool:
    return all(
        one.over or (len(one.results) + 1, one.redeals) > (game, redeals)
        for one in stage.meetings
        if one.round == round
    )


def is_over(stage: Stage, round: int) -> bool:
    """Tell whether all meetings of a round are over, so that its results may be seen and compared."""
    return all(one.over for one in stage.meetings if one.round == round)


def veiled(state: Tournament, stage: Stage) -> Stage:
    """Return a stage as pages show it: of a round that goes on nothing is told, since others may play the same deal."""
    if not state.form.duplicate or all(is_over(stage, one.round) for one in stage.meetings):
        return stage
    shown = [one if is_over(stage, one.round) else replace(one, score=None, results=()) for one in stage.meetings]
    return replace(stage, meetings=tuple(shown))


def differences(stage: Stage) -> Mapping[str, tuple[float, ...]]:
    """Return by meeting what its table of more than two sides has brought each seat: the average difference.

    A seat's points are compared with those of the same seat at the other tables of the round that had the same deal.
    Of a round that goes on nothing is told.
    """
    same: dict[tuple[int, int], list[Meeting]] = {}
    for one in stage.meetings:
        if one.results and one.results[-1].points and is_over(stage, one.round):
            same.setdefault((one.round, one.results[-1].redeals), []).append(one)
    found: dict[str, list[float]] = {}
    for tables in same.values():
        for seat in range(max(len(one.sides) for one in tables)):
            points = {one.id: one.results[-1].points[seat] for one in tables if seat < len(one.results[-1].points)}
            for id, result in compared(points).items():
                found.setdefault(id, []).append(result.difference)
    return {id: tuple(each) for id, each in found.items()}
