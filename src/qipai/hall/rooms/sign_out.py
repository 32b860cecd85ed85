"""Signing out: giving up a person's seats, and what that costs (platform P-26)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from qipai.accounts.model import User
from qipai.hall.live.correspondence import Correspondence
from qipai.hall.live.runner import TableRunner
from qipai.hall.rooms.people import People
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.hall.table.system_commands import Actor

__all__ = ["SignOut"]

Json = Any


class SignOut:
    """Gives up the seats of somebody who signs out."""

    def __init__(self, runner: TableRunner, people: People, correspondence: Correspondence) -> None:
        self._runner, self._people, self._correspondence = runner, people, correspondence

    async def quit_all(self, user: User, *, confirm: bool, for_good: bool = False) -> None:
        """Give up the seats of somebody who signs out; HallError("CONFIRM_QUIT") says what all of it costs (P-26).

        Seats that cost nothing to leave are given up at once, as by `stand`. Turn-based games wait for the person
        (P-27), unless they leave for good, as guests do. A seat at a contest's table is the contest's before its game.
        """
        costs: list[Json] = []
        for id in self._people.tables_of(user):
            if self._correspondence.find(id) is not None and not for_good and user.kind != "guest":
                continue
            live = await self._runner.cache.find(id)
            if live is not None and (live.table.playing or live.table.setting.contest is None):
                stand = commands.Stand(cid=f"out-{secrets.token_hex(12)}", table=id, confirm=confirm)
                try:
                    await self._runner.ask(live, stand, Actor(user.id))
                except HallError as wrong:
                    if wrong.code != "CONFIRM_QUIT":
                        raise
                    costs.append(wrong.facts)
        if costs:
            raise HallError("CONFIRM_QUIT", **_summed(costs))


def _summed(costs: Sequence[Json]) -> Json:
    """Return the total cost of several quits; a part is null if none of them costs any of it."""
    said = {name: [each[name] for each in costs if each[name] is not None] for name in costs[0]}
    return {name: sum(amounts) if amounts else None for name, amounts in said.items()}
