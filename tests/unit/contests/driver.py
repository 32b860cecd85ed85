"""A hall that runs one contest for the tests: it writes events as JSON, pays what they pay, and dies at every step."""

from __future__ import annotations

from collections import Counter
from typing import Any, Generic, TypeVar

import msgspec
import pytest

from qipai.contests.contract import Command, Contest, GameOver, GameTerms, TableOpened, Tick
from qipai.hall.table.errors import HallError

__all__ = ["DAYS", "LIVE", "NOON", "Driver", "ms", "refused"]

S = TypeVar("S")
NOON = 1_795_521_600_000  # 2026-11-24 12:00 UTC
DAYS = GameTerms(game="xiangqi", clock={"type": "days", "days": 3})
LIVE = GameTerms(game="xiangqi", clock={"type": "fischer", "base": 300, "inc": 3})


def ms(*, days: float = 0, hours: float = 0, seconds: float = 0) -> int:
    """Return a span in ms."""
    return int(((days * 24 + hours) * 3600 + seconds) * 1000)


class Driver(Generic[S]):
    """A contest and its stream. `shadow` is the state folded from nothing but the rows, as after a kill."""

    def __init__(self, kind: Contest[S], now: int = NOON) -> None:
        self.kind, self.now = kind, now
        self.rows: list[tuple[bytes, bytes]] = []  # what all may read, what is secret
        self.made: S | None = None
        self.shadow: S | None = None
        self.coins: Counter[int | str] = Counter()
        self.tables = 100

    @property
    def state(self) -> S:
        """Return the state."""
        assert self.made is not None
        return self.made

    def say(self, command: Command, by: int | None = None) -> list[Any]:
        """Give a command, and write the events it comes to."""
        events = self.kind.handle(self.made, command, by, self.now)
        for event in events:
            for payment in self.kind.payments(self.made, event):
                assert payment.coins > 0
                self.coins[payment.source] -= payment.coins
                self.coins[payment.target] += payment.coins
            self.made = self.kind.fold(self.made, event, self.now)
            whole = msgspec.to_builtins(event)
            secret = {name: whole.pop(name) for name in event.SECRET if name in whole}
            row = msgspec.json.encode(whole), msgspec.json.encode(secret)
            self.rows.append(row)
            read = msgspec.convert(
                {**msgspec.json.decode(row[0]), **msgspec.json.decode(row[1])}, self.kind.events, str_keys=True
            )
            assert read == event
            self.shadow = self.kind.fold(self.shadow, read, self.now)
        assert self.shadow == self.made
        assert self.coins.total() == 0
        assert self.coins["escrow"] >= 0
        return events

    def pass_time(self, span: int = 0) -> list[Any]:
        """Let time pass, and the hall tick once at its end, as after an outage."""
        self.now += span
        events = self.say(Tick())
        assert self.say(Tick()) == []
        return events

    def until_due(self) -> list[Any]:
        """Let time pass until something is due."""
        at = self.kind.due(self.state)
        assert at is not None
        return self.pass_time(max(0, at - self.now))

    def open_tables(self) -> None:
        """Open the tables that are wanted."""
        for game in self.kind.games(self.state):
            if game.table is None:
                self.tables += 1
                opened = TableOpened(game=game.id, table=self.tables)
                assert self.say(opened)
                assert self.say(opened) == []

    def end(self, game: str, *places: int, why: str = "checkmate", **more: Any) -> list[Any]:
        """End a game, and say so twice. places: by seat; none: no deal was ended."""
        over = GameOver(game=game, table=self.tables, why=why, places=places, **more)
        events = self.say(over)
        assert self.say(over) == []
        return events

    def page(self, viewer: int | None = None) -> Any:
        """Return the page that somebody sees, as the client reads it."""
        return msgspec.json.decode(self.encoded(viewer))

    def encoded(self, viewer: int | None = None) -> bytes:
        """Return the page that somebody sees, as it goes over the wire."""
        return msgspec.json.encode(self.kind.public(self.state, viewer, 0))


def refused(driver: Driver[Any], command: Command, by: int | None) -> str:
    """Return the code by which a command is refused, with its case; it has changed nothing."""
    before = driver.made
    with pytest.raises(HallError) as wrong:
        driver.say(command, by)
    assert driver.made == before
    case = wrong.value.facts.get("case")
    return wrong.value.code if case is None else f"{wrong.value.code}_{case}"
