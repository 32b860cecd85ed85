"""How somebody goes: what signing out costs at his tables, and what goes with his account (platform P-26, P-96)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from qipai.accounts.model import User
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.hall.table.system_commands import By

if TYPE_CHECKING:
    from qipai.hall.hall import Hall

__all__ = ["erase", "quit_all"]

Json = Any


async def quit_all(hall: Hall, user: User, *, confirm: bool, for_good: bool = False) -> None:
    """Give up the seats of somebody who signs out; HallError("CONFIRM_QUIT") says what all of it costs (P-26).

    Where leaving costs nothing the seat is given up at once, like by `stand`. Turn-based games wait for him
    (P-27), unless he goes for good; a guest does.
    """
    costs: list[Json] = []
    for id in hall.people.tables_of(user):
        if hall.days.find(id) is not None and not for_good and user.kind != "guest":
            continue
        if desk := await hall.umpire.awake.desk(id):
            stand = commands.Stand(cid=f"out-{secrets.token_hex(12)}", table=id, confirm=confirm)
            try:
                await hall.umpire.ask(desk, stand, By(user.id))
            except HallError as wrong:
                if wrong.code != "CONFIRM_QUIT":
                    raise
                costs.append(wrong.facts)
    if costs:
        raise HallError("CONFIRM_QUIT", **_summed(costs))


def _summed(costs: Sequence[Json]) -> Json:
    """Return what several quits cost together; null where none of them costs any of it."""
    said = {name: [each[name] for each in costs if each[name] is not None] for name in costs[0]}
    return {name: sum(amounts) if amounts else None for name, amounts in said.items()}


async def erase(hall: Hall, user: User) -> None:
    """Take back what somebody has told this hall who deletes his account: ties, talk, invitations (P-96)."""
    await hall.meetings.erase(user)
    await hall.ties.erase(user.id)
    await hall.circles.erase(user.id)
    await hall.shelf.erase(user.id)
    for room in hall.keepers.rooms(user.id):
        await hall.keepers.unname(user.id, room, by=user.id, now=hall.clock.now())
        hall.lobby.informed(room)
    await hall.chat.erase(user.id)
