"""Coins through the real doors: the hall is killed while people play and buy, and nothing is made or lost (W6, W17)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.client import Person, Refused, Server
from tests.hall.walks.places import keeper, people, room
from tests.hall.web.conftest import SETTINGS, run, shared
from tests.stores import beside

from qipai import cli
from qipai.ledger.model import GRANTS

pytestmark = pytest.mark.slow

GAMES, KILLS = 60, 3
BOOKS = (
    *("transfers", "balances", "scores", "credibility", "ratings", "passes"),
    *("games", "tables", "ends", "parts", "members"),
)


def books(data: Path) -> dict[str, list[Any]]:
    with beside(data) as db:
        return {name: db.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in BOOKS}


def exact(data: Path) -> None:
    """Every balance is the sum of its transfers, nobody owes anything, and all sums together are nothing."""
    with beside(data) as db:
        rows = db.execute("SELECT account, amount FROM balances WHERE currency = 'coins'").fetchall()
        moved: dict[str, int] = {}
        for source, target, amount in db.execute(
            "SELECT source, target, amount FROM transfers WHERE currency = 'coins'"
        ):
            assert amount > 0
            moved[source] = moved.get(source, 0) - amount
            moved[target] = moved.get(target, 0) + amount
    assert sum(amount for _, amount in rows) == 0
    assert {account: amount for account, amount in rows if amount} == {a: n for a, n in moved.items() if n}
    assert all(amount >= 0 for account, amount in rows if account != GRANTS)


async def insist(person: Person, path: str, body: dict[str, Any]) -> str | None:
    """Call until the hall is there, which the `cid` in the body makes harmless; return why it was refused."""
    while True:
        try:
            await person.post(path, body)
            return None
        except Refused as refused:
            if refused.code != "BUSY":  # a node that knows of none that leads
                return refused.code
        except httpx.TransportError:
            await asyncio.sleep(0.05)


class Tables:
    """Two at a table, who play as long as it is wanted."""

    def __init__(self, pair: list[Person], table: int, boss: Person, seed: int) -> None:
        self.pair, self.table, self.boss = pair, table, boss
        self.luck = random.Random(seed)
        self.played = 0
        self.poor = 0
        self.names = count(1)

    async def play(self, wanted: Callable[[], bool]) -> None:
        while wanted():
            await self.game()

    async def willing(self, person: Person, kind: str, **fields: Any) -> str | None:
        """Give a command; return why it was refused."""
        try:
            await person.command(kind, table=self.table, **fields)
        except Refused as refused:
            return refused.code
        return None

    async def game(self) -> None:
        for seat, person in enumerate(self.pair):
            if await self.willing(person, "sit", seat=seat) == "COINS_TOO_FEW":
                self.poor += 1
                assert person.user is not None
                gift = {"user": person.user["id"], "amount": self.luck.randrange(5, 40), "note": "again"}
                body = gift | {"cid": f"gift-{self.table}-{next(self.names)}"}
                assert await insist(self.boss, "/admin/grants", body) is None
                await self.willing(person, "sit", seat=seat)
        tables = [person.tables[self.table] for person in self.pair]
        before = tables[0].game and tables[0].game["game_id"]
        for person in self.pair:
            await self.willing(person, "ready", on=True)
        for table in tables:
            await table.until(lambda t: t.result or (t.info["state"] == "playing" and t.view))
        loser, other = self.luck.sample(self.pair, 2)
        way = self.luck.randrange(4)
        if way == 0:
            await self.willing(loser, "stand", confirm=True)
        elif way == 1:
            shopping = {"item": "member_days", "qty": self.luck.randrange(1, 4)}
            body = shopping | {"cid": f"days-{self.table}-{next(self.names)}"}
            assert await insist(loser, "/shop", body) in (None, "INSUFFICIENT_COINS")
            await self.willing(loser, "act", action={"a": "resign"})
        else:
            await self.willing(loser, "act", action={"a": "resign"})
        seen = other.tables[self.table]
        await seen.until(lambda t: t.info["state"] != "playing")
        self.played += seen.game is not None and seen.game["game_id"] != before
        for person in self.pair:
            await self.willing(person, "stand")


def test_coins_hold_through_kills_and_are_made_again(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    async def visit(server: Server) -> None:
        names = ("first", "second", "third", "fourth")
        async with people(server, *names) as four, keeper(server) as boss:
            number = await room(boss, "xiangqi", "coin")
            pairs = [Tables(four[n : n + 2], 100 * number + 1 + n, boss, n) for n in (0, 2)]
            for pair in pairs:  # soon short of coins
                for person in pair.pair:
                    assert person.user is not None
                    await boss.post("/admin/grants", {"user": person.user["id"], "amount": -170, "note": "walk"})

            def played() -> int:
                return sum(pair.played for pair in pairs)

            tasks = [asyncio.create_task(pair.play(lambda: played() < GAMES)) for pair in pairs]
            for kill in range(1, KILLS + 1):
                while played() < kill * GAMES // (KILLS + 1):
                    assert not any(task.done() and task.exception() for task in tasks)
                    await asyncio.sleep(0.01)
                server.kill()  # with -9, wherever they are
                exact(server.data)
                await asyncio.to_thread(server.start)
            await asyncio.gather(*tasks)
            assert sum(pair.poor for pair in pairs) > 3
            for person in four:
                assert person.trips == KILLS + 1 or (server.dying and person.trips > KILLS)

    with shared(request, tmp_path / "hall", SETTINGS) as server:
        run(lambda: visit(server))
        assert (server.stop(), server.complaints()) == (0, "")
        exact(server.data)
        before = books(server.data)
        assert len(before["games"]) >= GAMES
        assert cli.main(["rebuild", "--data", str(server.data)]) == 0
        assert books(server.data) == before
        exact(server.data)
