"""Calls about achievements (platform P-13)."""

from __future__ import annotations

from msgspec.structs import replace

from qipai.accounts.model import User
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.pages.achievements import AchievementRow, AchievementRows

__all__: list[str] = []


async def _of(ask: Ask, user: User | None) -> AchievementRows:
    found = await ask.services.community.achievements.of(None if user is None else user.id)
    rows = tuple(
        AchievementRow(
            one.what.id,
            one.what.group,
            one.what.game,
            one.what.seal,
            one.what.need,
            one.people,
            one.have,
            one.at,
        )
        for one in found
    )
    return AchievementRows(user, rows, sum(one.at is not None for one in rows))


@call("GET", "/achievements")
async def achievements(ask: Ask) -> AchievementRows:
    """Return all achievements, how many people have each, and how I stand with it (P-13)."""
    return await _of(ask, ask.somebody)


@call("GET", "/users/{id:int}/achievements")
async def achievements_of(ask: Ask) -> AchievementRows:
    """Return all achievements, and which somebody has earned; how far they are with the others is theirs to know."""
    user = await ask.accounts.find(ask.path["id"])
    if user is None or user.deleted or user.kind == "guest":
        raise HallError("NOT_FOUND")
    found = await _of(ask, user)
    if user.id == ask.viewer:
        return found
    rows = tuple([row if row.at is not None else replace(row, have=0) for row in found.rows])
    return AchievementRows(user, rows, found.earned)
