"""The bracket of a knockout (RP-25): standard seeding, free places for the best, winners meet. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qipai.contests.tournaments.model import Meeting, Stage

__all__ = ["FREE", "depth", "places", "rounds_of", "slots"]

FREE: Final = 0  # a place of the bracket where nobody is


def places(order: Sequence[int]) -> tuple[int, ...]:
    """Return the places of the bracket from top to bottom: the first two can meet in the final only, and so on.

    Where they are not a power of two, the best have nobody to meet in the first round.
    """
    seeds = [1]
    while len(seeds) < len(order):
        size = 2 * len(seeds) + 1
        seeds = [seed for one in seeds for seed in (one, size - one)]
    return tuple(order[seed - 1] if seed <= len(order) else FREE for seed in seeds)


def rounds_of(stage: Stage) -> int:
    """Return how many rounds there are."""
    return len(stage.sections[0]).bit_length() - 1


def winner(meeting: Meeting) -> int:
    """Return who has won a meeting, nobody where neither came or it is not over."""
    score = meeting.score
    if score is None or score[0] == score[1]:
        return FREE
    return meeting.sides[0 if score[0] > score[1] else 1] or FREE


def slots(stage: Stage, round: int) -> tuple[int, ...]:
    """Return who stands in which place at the beginning of a round; places of games that go on are free."""
    standing = stage.sections[0]
    for at in range(1, round):
        met = {frozenset(one.sides): one for one in stage.meetings if one.round == at}
        standing = tuple(
            one or other if FREE in (one, other) else _through(met.get(frozenset((one, other))))
            for one, other in zip(standing[::2], standing[1::2], strict=True)
        )
    return standing


def _through(meeting: Meeting | None) -> int:
    return FREE if meeting is None else winner(meeting)


def depth(stage: Stage) -> dict[int, int]:
    """Return the round in which each was beaten, one more for who has won all."""
    found = {no: 1 for no in stage.sections[0] if no != FREE}
    for round in range(2, rounds_of(stage) + 2):
        found |= {no: round for no in slots(stage, round) if no != FREE}
    return found
