"""What the analyses of many deals say of one person: means with their errors. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from statistics import fmean, stdev

from msgspec import Struct

__all__ = ["Deal", "Figure", "SkillMonth", "by_month", "figure", "month_of"]


class Deal(Struct, frozen=True):
    """What the analysis of one deal says of a person. at: seconds."""

    game: str
    at: int
    id: str
    unit: str
    decisions: int
    loss: float
    accuracy: float | None
    result: float | None
    skill: float | None
    error: float | None
    luck: float | None
    dealt: float | None


class Figure(Struct, frozen=True):
    """A mean over deals, and its standard error; None: one deal tells no error."""

    mean: float
    error: float | None


class SkillMonth(Struct, frozen=True):
    """A month of one game. month: YYYY-MM, UTC. skill: a deal's, with luck taken out."""

    month: str
    game: str
    unit: str
    deals: int
    decisions: int
    loss: float  # the mean of a decision
    accuracy: Figure | None
    result: Figure | None
    skill: Figure | None
    luck: Figure | None


def month_of(at: int) -> str:
    """Return the month of a time in seconds."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m")


def figure(values: Iterable[float | None], errors: Iterable[float | None] = ()) -> Figure | None:
    """Return the mean of what is known; None where nothing is.

    errors: of each value. The spread from deal to deal contains them already; they tell where there is but one deal.
    """
    found = [value for value in values if value is not None]
    if not found:
        return None
    if len(found) > 1:
        return Figure(round(fmean(found), 4), round(stdev(found) / len(found) ** 0.5, 4))
    own = [error for error in errors if error is not None]
    return Figure(round(found[0], 4), round(own[0], 4) if own and own[0] > 0 else None)


def by_month(deals: Iterable[Deal]) -> list[SkillMonth]:
    """Return the months of a person, the newest first, by game."""
    groups: dict[tuple[str, str, str], list[Deal]] = {}
    for deal in deals:
        groups.setdefault((month_of(deal.at), deal.game, deal.unit), []).append(deal)
    found = []
    for (month, game, unit), own in sorted(groups.items(), key=lambda item: (item[0][1], item[0][2])):
        decisions = sum(deal.decisions for deal in own)
        lost = sum(deal.loss * deal.decisions for deal in own)
        found.append(
            SkillMonth(
                month,
                game,
                unit,
                len(own),
                decisions,
                round(lost / decisions, 4) if decisions else 0.0,
                figure(deal.accuracy for deal in own),
                figure(deal.result for deal in own),
                figure((deal.skill for deal in own), (deal.error for deal in own)),
                figure(deal.luck for deal in own),
            )
        )
    return sorted(found, key=lambda one: one.month, reverse=True)
