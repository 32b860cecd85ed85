"""A contest whose events are kept as a recount reads them, with the replays of its games."""

from __future__ import annotations

from typing import Any

from tests.unit.contests.driver import NOON

from qipai.bench.town.happened import Happened, Result

__all__ = ["Told"]


class Told:
    """A contest without a hall. kind: a `contests.contract.Contest`."""

    def __init__(self, kind: Any) -> None:
        self.kind, self.now = kind, NOON
        self.state: Any = None
        self.happened: list[Happened] = []
        self.results: dict[str, Result] = {}

    def say(self, command: Any, by: int | None = None) -> None:
        """Give a command, and keep what happens."""
        for event in self.kind.handle(self.state, command, by, self.now):
            self.happened.append(Happened(event, self.now, self.state))
            self.state = self.kind.fold(self.state, event, self.now)
