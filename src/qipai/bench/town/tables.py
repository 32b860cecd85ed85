"""The games of contests, played at their tables by the commands that people use: they come, move, and end the game."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import msgspec

from qipai.bench.town.clock import DAY, HOUR, MINUTE
from qipai.bench.town.town import Resident, Town
from qipai.contests.contract import Game
from qipai.contests.live import Running
from qipai.hall.live.live_table import LiveTable
from qipai.hall.table import commands
from qipai.hall.table.clock import by_days
from qipai.hall.table.deal import rules_at
from qipai.hall.table.model import Table

__all__ = ["Tables"]

MOVES: Final = 4  # at most, before somebody gives a game up
LONGEST: Final = 3000  # moves of a game that is played to its end
DRAWN: Final = 12  # percent of games of two in which a draw is offered and taken, where the game has draws
OFFER, ACCEPT, RESIGN = "offer_draw", "accept_draw", "resign"  # as the games of two name them


class Tables:
    """All games of contests that people know of."""

    def __init__(self, town: Town) -> None:
        self._town = town
        self._known: set[tuple[str, str]] = set()
        self._rows: dict[str, int] = {}

    def forget(self) -> None:
        """Look at all tables again: the hall was killed, and nobody knows what was lost."""
        self._known.clear()
        self._rows.clear()

    def look(self) -> None:
        """Let the players of every game that has got a table hear of it, and decide when they come."""
        contests, lots = self._town.place.contests, self._town.lots
        for name in contests.kinds:
            for running in contests.of(name):
                if self._rows.get(running.stream) == running.rows:
                    continue
                self._rows[running.stream] = running.rows
                for game in running.kind.games(running.state):
                    key = (running.stream, game.id)
                    if game.table is not None and key not in self._known:
                        self._known.add(key)
                        wait = lots.between(0, DAY) if by_days(game.terms.clock) else lots.between(0, 3 * MINUTE)
                        self._town.at(self._town.now + wait, partial(self._begin, running.stream, game))

    async def _table(self, stream: str, game: Game) -> LiveTable | None:
        """Return the table of a game that is still wanted."""
        kind, _, id = stream.partition(":")
        assert game.table is not None
        running: Running = await self._town.place.contests.find(kind, int(id))
        if not any(one.id == game.id and one.table == game.table for one in running.kind.games(running.state)):
            return None
        live = await self._town.place.hall.runner.cache.find(game.table)
        return None if live is None or live.table.state == "closed" else live

    async def _begin(self, stream: str, game: Game) -> None:
        """Let people come, be ready, and make the first moves."""
        live, town = await self._table(stream, game), self._town
        if live is None:
            return
        for resident in self._players(game):
            if town.comes():
                await self._come(resident, live)
        if live.table.coming is not None:
            for resident in self._players(game):
                coming = live.table.coming
                if resident.session is not None and coming is not None:
                    await town.say(resident, commands.Seed(live.id, coming.game_id, f"{resident.id}"))
        if live.table.playing:
            for _ in range(town.lots.below(MOVES + 1)):
                await self._move(live)
        days = by_days(game.terms.clock)
        wait = town.lots.between(6 * HOUR, 5 * DAY) if days else town.lots.between(2 * MINUTE, 10 * MINUTE)
        town.at(town.now + wait, partial(self._end, stream, game))

    async def _end(self, stream: str, game: Game) -> None:
        """Let a game come to an end: given up, drawn, or played on; who never comes lets the hall decide."""
        live, town = await self._table(stream, game), self._town
        if live is None or not live.table.playing:
            if live is not None and live.table.coming is not None:
                town.at(town.now + MINUTE, partial(self._end, stream, game))
            return
        deal = live.table.deal
        assert deal is not None
        players = self._players(game)
        there = [one for one in players if by_days(game.terms.clock) or one.session is not None]
        if not there:
            return
        if len(game.users) > 2:
            await self._play_on(live)
        elif not town.lots.chance(DRAWN) or not await self._draw(live, there):
            await self._resign(live, self._loser(there))
        if live.table.playing:
            town.at(town.now + MINUTE, partial(self._end, stream, game))

    def _players(self, game: Game) -> list[Resident]:
        """Return who of the town plays a game, by seat."""
        town = self._town
        return [town.people[user] for user in game.users if user is not None and town.free(user)]

    def _loser(self, there: list[Resident]) -> Resident:
        """Draw who loses, the weaker more often."""
        return min(there, key=lambda one: one.strength + self._town.lots.below(100))

    async def _come(self, resident: Resident, live: LiveTable) -> None:
        town = self._town
        await town.say(resident, commands.Join(live.id))
        seat = live.table.seat_of(resident.id)
        if seat is not None and live.table.state == "open" and not live.table.chairs[seat].ready:
            await town.say(resident, commands.Ready(town.cid(), live.id, True))
        elif seat is not None and live.table.chairs[seat].presence == "bot":
            await town.say(resident, commands.Back(town.cid(), live.id))

    async def _move(self, live: LiveTable) -> bool:
        """Let somebody who is asked make a move; tell whether anybody did."""
        table: Table = live.table
        deal, town = table.deal, self._town
        if not table.playing or deal is None:
            return False
        rules, asked = rules_at(table, deal), rules_at(table, deal).turn(deal.state)
        for seat in sorted(asked.seats | asked.may):
            user = None if seat < 0 else table.chairs[seat].user
            if user is None or not town.free(user) or table.chairs[seat].presence != "online":
                continue
            if seat not in asked.seats and next(rules.legal(deal.state, seat), None) is None:
                continue  # may act, and has nothing to act with
            action = rules.sample(deal.state, seat, town.lots.stream)
            if await self._act(town.people[user], live, msgspec.to_builtins(action)):
                town.counts["moves"] += 1
                return True
        return False

    async def _play_on(self, live: LiveTable) -> None:
        for _ in range(LONGEST):
            if not await self._move(live):
                break

    async def _draw(self, live: LiveTable, there: list[Resident]) -> bool:
        """Let one offer a draw and the other take it; tell whether the game is over."""
        for one, other in (there, there[::-1]) if len(there) == 2 else ():
            if await self._leave(one, live, OFFER):
                await self._act(other, live, {"a": ACCEPT})
                break
        return not live.table.playing

    async def _resign(self, live: LiveTable, resident: Resident) -> None:
        """Give a game up by its own action, or by leaving it."""
        await self._leave(resident, live, RESIGN)
        if live.table.playing:
            await self._town.say(resident, commands.Stand(self._town.cid(), live.id, confirm=True))

    async def _leave(self, resident: Resident, live: LiveTable, how: str) -> bool:
        """Let somebody do what may end the game, if they may now; tell whether they did."""
        deal, seat = live.table.deal, live.table.seat_of(resident.id)
        assert deal is not None
        if seat is None:
            return False
        ways = [msgspec.to_builtins(action) for action in rules_at(live.table, deal).leaving(deal.state, seat)]
        way = next((each for each in ways if each["a"] == how), None)
        return way is not None and await self._act(resident, live, way)

    async def _act(self, resident: Resident, live: LiveTable, action: dict[str, Any]) -> bool:
        return await self._town.say(resident, commands.Act(self._town.cid(), live.id, action)) is None
