"""Bots as players: what one is shown, how long it may think, when its move is put down."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec
from msgspec import Struct

from qipai.core.entry import in_the_open
from qipai.core.rng import Stream
from qipai.hall.table.deal import limit
from qipai.hall.table.model import Table
from qipai.hall.table.observation import view_of

if TYPE_CHECKING:
    from qipai.arena.pool import Chosen

__all__ = ["BotPlayers", "Choice", "Thinker"]

SUBSTITUTE: Final = "steady"  # P-28
BUDGET_MS: Final = {"easy": 200, "steady": 400, "strong": 1500}
ENGINE_MS: Final = 4000  # for other people's programs; the first move has to start one
# Beyond its budget an answer of the right level is waited for a while longer: later is better than weaker. The quick
# policy plays when that, or most of the time until the flag falls, is over.
PATIENCE_MS: Final = 6000
# Where hands are hidden a search that takes as long as there is something to choose would show them. So its time ends
# so long before its move is put down, and the move comes when it was drawn to come, whether or not there was a choice.
MARGIN_MS: Final = 100


class Choice(Struct, frozen=True):
    """What a bot does. below: a weaker level than the one shown at the table has chosen it."""

    action: Any  # JSON
    below: bool


class Thinker(Protocol):
    """Where bots think: `arena.pool.Bots`."""

    def prepare(self, game: str) -> None:
        """Warm up for a game that will soon be played."""
        ...

    async def choose(
        self,
        game: str,
        options: dict[str, Any],
        level: str,
        view: bytes,
        *,
        seed: int,
        budget_ms: int,
        patience_ms: int | None = None,
    ) -> Chosen:
        """Return an action for the seat whose view this is, within budget_ms as a rule and patience_ms at most."""
        ...


class BotPlayers:
    """The bots of a hall."""

    def __init__(self, thinker: Thinker, pace_ms: int) -> None:
        """pace_ms: how long a move of a bot takes at least, about, so that people can follow."""
        self._thinker, self._pace_ms = thinker, pace_ms

    def prepare(self, game: str) -> None:
        """Get ready for a game with bots."""
        self._thinker.prepare(game)

    def pace(self, table: Table, seat: int, key: tuple[str, int, int], action: Any) -> int:
        """Return how many ms after it was asked a bot's action, JSON, is put down: not always the same.

        table: as the bot saw it. In a game with a pace of its own every action has its own time; elsewhere the time
        follows from the question's number alone, not from what may be or is answered.
        """
        deal = table.deal
        assert deal is not None
        own = table.entry.pace
        if own is None:
            ms = self._drawn_pace(table, seat, key)
            # In a quick pause an answer is in when the pause could be over.
            return ms if deal.soon is None else max(0, min(ms, deal.soon - deal.since[seat]))
        luck = Stream.of_seed(f"{deal.game_id}|{seat}|{deal.rows}")
        view = view_of(table, deal, seat)
        return own(self.level(table, seat), deal.options, view, table.entry.act(action), luck)

    def _drawn_pace(self, table: Table, seat: int, key: tuple[str, int, int]) -> int:
        usual = self._pace_ms
        if usual and _hides(table):
            usual = max(usual, BUDGET_MS.get(self.level(table, seat), 0) * 4 // 3)
        return usual * (75 + _drawn(key) % 51) // 100

    def level(self, table: Table, seat: int) -> str:
        """Return how strong the bot of a seat is."""
        return table.chairs[seat].bot or table.entry.level(SUBSTITUTE)

    async def choose(self, table: Table, seat: int, now: int) -> Choice:
        """Return what a bot does. It sees what the seat sees, and nothing else."""
        deal = table.deal
        assert deal is not None
        level = self.level(table, seat)
        budget = BUDGET_MS.get(level, ENGINE_MS)
        end = limit(deal, seat) if deal.asks[seat] is not None else deal.nature_at
        patience = budget + PATIENCE_MS
        if end is not None:
            budget = max(20, min(budget, (end - now) // 2))
            patience = max(30, min(patience, (end - now) * 3 // 4))
        if deal.soon is not None:  # an answer that is in by then makes a quick pause no longer
            budget = max(20, min(budget, (deal.soon - now) // 2))
        key = (deal.game_id, seat, deal.ids[seat])
        if self._pace_ms and deal.asks[seat] is not None and _hides(table):
            budget = max(20, min(budget, self._drawn_pace(table, seat, key) - MARGIN_MS))
        seed = _drawn(key)
        view = msgspec.json.encode(view_of(table, deal, seat))
        found = await self._thinker.choose(
            table.setting.game, deal.changed, level, view, seed=seed, budget_ms=budget, patience_ms=patience
        )
        return Choice(msgspec.json.decode(found.action), found.below)

    async def advise(self, table: Table, seat: int) -> Any:
        """Return what the bot that sits in for people would do in this seat now, JSON, for its owner who asks."""
        deal = table.deal
        assert deal is not None
        view = msgspec.json.encode(view_of(table, deal, seat))
        found = await self._thinker.choose(
            table.setting.game,
            deal.changed,
            table.entry.level(SUBSTITUTE),
            view,
            seed=_drawn((deal.game_id, seat, deal.ids[seat])),
            budget_ms=BUDGET_MS[SUBSTITUTE],
            patience_ms=PATIENCE_MS,
        )
        return msgspec.json.decode(found.action)


def _hides(table: Table) -> bool:
    """Return whether its seats know what others do not: hands."""
    return table.entry.cards or table.entry.conceal is not in_the_open


def _drawn(key: tuple[str, int, int]) -> int:
    """Return a number that follows from a question alone, so that a replayed table sees the same bot."""
    return int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:4], "big")
