"""Coins through the real doors: two play for them, the hall is killed, the books hold (platform W6, W17)."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from tests.client import Person, Server, Table
from tests.hall.web.conftest import SETTINGS, run

from qipai import cli

BOOKS = ("transfers", "balances", "scores", "credibility", "ratings", "passes", "games", "tables", "ends", "parts")


def books(data: Path) -> dict[str, list[Any]]:
    db = sqlite3.connect(data / "hall.sqlite")
    try:
        return {name: db.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in BOOKS}
    finally:
        db.close()


async def seated(server: Server) -> list[Table]:
    """Let two with their trial coins sit down at a coin table."""
    tables = []
    for seat, name in enumerate(("coinone", "cointwo")):
        person = Person(server)
        await person.register(name)
        await person.line()
        rooms = (await person.get("/rooms?game=xiangqi"))["rows"]
        room = next(row for row in rooms if row["kind"] == "coin")
        assert room["terms"] == {"factor": 5, "fee": 2, "table_chat": "phrases"}
        table = await person.join(100 * room["room"] + 1)
        await table.do("sit", seat=seat)
        tables.append(table)
    return tables


async def began(tables: list[Table]) -> None:
    for table in tables:
        await table.do("ready", on=True)
    for table in tables:
        await table.until(lambda table: table.info["state"] == "playing")


def test_coins_hold_through_a_kill_and_are_made_again(tmp_path: Path) -> None:
    with Server(tmp_path / "hall", SETTINGS) as server:

        async def visit() -> None:
            tables = await seated(server)
            one, two = (table.person for table in tables)
            for number in range(1, 4):
                await began(tables)
                await tables[1].act({"a": "resign"})
                await tables[0].until(lambda table: table.info["state"] == "between")
                assert (await one.get("/me"))["coins"] == 200 + 8 * number
                assert (await two.get("/me"))["coins"] == 200 - 12 * number
            await began(tables)
            server.kill()
            server.start()
            await tables[1].until(lambda table: table.info["state"] == "playing")
            assert (await two.get("/me"))["coins"] == 164
            await tables[1].act({"a": "resign"})
            await tables[0].until(lambda table: table.info["state"] == "between")
            rows = (await two.get("/ledger?reason=game"))["rows"]
            assert [row["amount"] for row in rows] == [-12] * 4
            for person in (one, two):
                await person.close()

        run(visit)
        assert server.stop() == 0
        before = books(server.data)
        coins = dict(row[::2] for row in before["balances"])
        assert sum(coins.values()) == 0
        assert sorted(coins.values()) == [-400, 16, 152, 232]
        assert cli.main(["rebuild", "--data", str(server.data)]) == 0
        assert books(server.data) == before
