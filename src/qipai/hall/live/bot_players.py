"""Bots as players: what a bot is shown, how long it may think, when its move is played."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec
from msgspec import Struct

from qipai import games
from qipai.core.contract import Malformed
from qipai.core.entry import in_the_open
from qipai.core.rng import Stream
from qipai.hall.table.clock import Days, Move
from qipai.hall.table.deal import limit, rules_at
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Deal, Table
from qipai.hall.table.observation import view_of
from qipai.hall.table.tempers import EVEN, temper_of

if TYPE_CHECKING:
    from qipai.arena.pool import Chosen

__all__ = ["BotPlayers", "Choice", "Thinker"]

SUBSTITUTE: Final = "steady"  # P-28
STRONGEST: Final = "strong"
MOST_ASKING: Final = 8  # people who wait for its word on a position
BUDGET_MS: Final = {"easy": 200, "casual": 300, "steady": 400, "sharp": 900, "strong": 1500}
ENGINE_MS: Final = 4000  # for external engines; the first move has to start one
# When the budget is used up, the hall waits a while longer for an answer of the right level: better late than weaker.
# The quick policy plays when that wait, or most of the bot's remaining time, is over.
PATIENCE_MS: Final = 6000
# With hidden hands, a bot that thinks longer when it has a choice would reveal its hand. So the move is played at a
# time that follows from what everybody sees and a draw (0078), at least this long after the search has ended.
MARGIN_MS: Final = 100
# How far times for equally hard choices lie apart, percent; once in LONGER times it takes a longer look.
LEAST, SPREAD = 70, 61
LONGER, LONGER_BY, LONGER_SPREAD = 8, 20, 61
BEYOND: Final = 60  # of its time, percent, a bot of such a game takes after that: the search has taken some already
# Of a clock that is the whole game's, a move takes this part at most, and what comes back after it.
PART: Final = 20
EACH: Final = frozenset({Move, Days})  # clocks that give each question a time of its own


class Choice(Struct, frozen=True):
    """A bot's choice. below: a weaker level than the one shown at the table made it."""

    action: Any  # JSON
    below: bool


class Thinker(Protocol):
    """What computes the moves of bots: `arena.pool.Bots`, or `bots.asking.FarBots`, which asks other machines, too."""

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
        fits: Callable[[bytes], bool] | None = None,
    ) -> Chosen:
        """Return an action for the seat whose view this is, within budget_ms as a rule and patience_ms at most.

        fits: tells whether an answer from outside, of another machine or of an engine, is one that the rules allow.
        """
        ...


class BotPlayers:
    """The bots of a hall."""

    def __init__(self, thinker: Thinker, pace_ms: int) -> None:
        """pace_ms: about how long a usual move of a bot seems to take, so that people can follow; 0: none at all."""
        self._thinker, self._pace_ms = thinker, pace_ms
        self._asking: set[int] = set()  # who waits for a word on a position
        self._asked = asyncio.Lock()

    def prepare(self, game: str) -> None:
        """Get ready for a game with bots."""
        self._thinker.prepare(game)

    def pace(self, table: Table, seat: int, action: Any) -> int:
        """Return how many ms after the question a bot's action is played; the time varies. action: JSON.

        table: as the bot saw it. In games with their own pace the time depends on the action. Elsewhere it depends on
        what a watcher sees, the clock, the bot's level and temperament, and a draw that nobody can foresee: not on the
        possible answers or the one given.
        """
        deal = table.deal
        assert deal is not None
        own = table.entry.pace
        if own is None:
            ms = self._drawn_pace(table, deal, seat)
            # During a quick pause the bot answers by the time at which the pause could end.
            return ms if deal.soon is None else max(0, min(ms, deal.soon - deal.since[seat]))
        luck = Stream.of_seed(f"{deal.luck[0]}|{seat}|{deal.rows}")
        view = view_of(table, deal, seat)
        return own(self.level(table, seat), deal.options, view, table.entry.act(action), luck)

    def _drawn_pace(self, table: Table, deal: Deal, seat: int) -> int:
        if not self._pace_ms:
            return 0
        temper = EVEN if table.chairs[seat].bot is None else temper_of(seat)
        luck = Stream.of_seed(f"pace|{deal.server_seed or deal.game_id}|{seat}|{deal.ids[seat]}")
        drawn = LEAST + luck.below(SPREAD)
        if luck.below(LONGER) == 0:
            drawn += LONGER_BY + luck.below(LONGER_SPREAD)
        weight = table.entry.weight(deal.options, view_of(table, deal, None))
        ms = self._pace_ms * weight * temper.pace * drawn // 1_000_000
        if _hides(table):
            ms = BUDGET_MS.get(self.level(table, seat), 0) + MARGIN_MS + ms * BEYOND // 100
        most = _most(deal, seat)
        return ms if most is None else min(ms, most)

    def level(self, table: Table, seat: int) -> str:
        """Return how strong the bot of a seat is."""
        return table.chairs[seat].bot or table.entry.level(SUBSTITUTE)

    async def choose(self, table: Table, seat: int, now: int) -> Choice:
        """Return a bot's choice. The bot sees what its seat sees, and nothing else."""
        deal = table.deal
        assert deal is not None
        level = self.level(table, seat)
        budget = BUDGET_MS.get(level, ENGINE_MS)
        end = limit(deal, seat) if deal.asks[seat] is not None else deal.nature_at
        patience = budget + PATIENCE_MS
        if end is not None:
            budget = max(20, min(budget, (end - now) // 2))
            patience = max(30, min(patience, (end - now) * 3 // 4))
        if deal.soon is not None:  # an answer by then does not prolong a quick pause
            budget = max(20, min(budget, (deal.soon - now) // 2))
        if deal.asks[seat] is not None and (most := _most(deal, seat)) is not None:
            budget = max(20, min(budget, most - MARGIN_MS))
        seed = _drawn(table, seat)
        view = msgspec.json.encode(view_of(table, deal, seat))
        found = await self._thinker.choose(
            *(table.setting.game, deal.changed, level, view),
            seed=seed,
            budget_ms=budget,
            patience_ms=patience,
            fits=lambda action: _allowed(table, seat, action),
        )
        return Choice(msgspec.json.decode(found.action), found.below)

    async def advise(self, table: Table, seat: int) -> Any:
        """Return what the substitute bot would do in this seat now, as JSON, for the player of the seat."""
        deal = table.deal
        assert deal is not None
        view = msgspec.json.encode(view_of(table, deal, seat))
        found = await self._thinker.choose(
            table.setting.game,
            deal.changed,
            table.entry.level(SUBSTITUTE),
            view,
            seed=_drawn(table, seat),
            budget_ms=BUDGET_MS[SUBSTITUTE],
            patience_ms=PATIENCE_MS,
            fits=lambda action: _allowed(table, seat, action),
        )
        return msgspec.json.decode(found.action)

    async def best(self, user: int, game: str, options: Any, view: Any, seed: str) -> Any:
        """Return what the strongest bot would do, as JSON, for a view that belongs to no table (P-74).

        It thinks of one such question at a time, so that tables have the other processors; one person asks one
        question at a time. Raises HallError("RATE_LIMIT").
        """
        if user in self._asking or len(self._asking) >= MOST_ASKING:
            raise HallError("RATE_LIMIT", wait_ms=BUDGET_MS[STRONGEST])
        entry = games.find(game)
        self._asking.add(user)
        try:
            async with self._asked:
                found = await self._thinker.choose(
                    game,
                    entry.changed(entry.chosen(options)),
                    entry.level(STRONGEST),
                    msgspec.json.encode(view),
                    seed=int.from_bytes(hashlib.sha256(seed.encode()).digest()[:4], "big"),
                    budget_ms=BUDGET_MS[STRONGEST],
                    patience_ms=PATIENCE_MS,
                    fits=lambda action: not isinstance(entry.act(msgspec.json.decode(action)), Malformed),
                )
        finally:
            self._asking.discard(user)
        return msgspec.json.decode(found.action)


def _allowed(table: Table, seat: int, action: bytes) -> bool:
    """Return whether a seat may do what a bot wants; one that nobody waits for may do nothing, too. action: JSON."""
    deal = table.deal
    assert deal is not None
    wanted = msgspec.json.decode(action)
    if wanted is None and deal.asks[seat] is None:
        return True
    return rules_at(table, deal).refuse(deal.state, seat, table.entry.act(wanted)) is None


def _hides(table: Table) -> bool:
    """Return whether the game has hidden information, such as hands."""
    return table.entry.cards or table.entry.conceal is not in_the_open


def _most(deal: Deal, seat: int) -> int | None:
    """Return how many ms after the question a bot plays at the latest, by what its clock shows; None: it has none."""
    end = limit(deal, seat)
    if end is None:
        return None
    left = max(0, end - deal.since[seat])
    most = left * 2 // 3
    if type(deal.clock) in EACH or deal.concealed_until is not None:
        return most
    return min(most, left // PART + 1000 * getattr(deal.clock, "inc", 0))


def _drawn(table: Table, seat: int) -> int:
    """Return a number that depends only on the question, so that a bot behaves the same after a restart.

    At all tables of a shared deal (P-94) the same question has the same number.
    """
    deal = table.deal
    assert deal is not None
    key = (deal.luck[0], seat, deal.ids[seat])
    return int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:4], "big")
