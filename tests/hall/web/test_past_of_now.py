"""Looking back through a running game, where everybody sees everything."""

from __future__ import annotations

import pytest
from tests.client import Person, Refused, Server
from tests.hall.web.conftest import run
from tests.hall.web.test_advice import asked, house

pytestmark = pytest.mark.slow

__all__ = ["house"]


@pytest.mark.parametrize("game", ["xiangqi", "backgammon"])
def test_a_running_game_is_shown_moment_by_moment(house: Server, game: str) -> None:
    async def visit() -> None:
        async with Person(house) as person:
            await (await person.guest()).line()
            table = await asked(person, game)
            found = (await person.post(f"/tables/{table.id}/advice"))["action"]
            ask = table.ask["id"]
            await table.act(found)
            await table.until(lambda table: table.ask and table.ask["id"] != ask)
            rows = (await person.get(f"/tables/{table.id}/past"))["rows"]
            assert rows[0]["n"] == 0
            assert [row["n"] for row in rows] == list(range(len(rows)))
            assert all(len(row["views"]) == 1 for row in rows)
            assert any(row["action"] == found for row in rows)
            now = {}  # type: ignore[var-annotated]
            for row in rows:
                now |= row["views"][0]
            key = "fen" if game == "xiangqi" else "position"
            assert now[key] == table.view[key]

    run(visit)


def test_where_something_is_hidden_nobody_looks_back(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as one, Person(house) as other:
            await (await one.guest()).line()
            await (await other.guest()).line()
            for game in ("gouji", "mahjong", "lianliankan"):
                table = await asked(one, game)
                with pytest.raises(Refused, match="NOT_FOUND"):
                    await one.get(f"/tables/{table.id}/past")
            board = await asked(one, "xiangqi")
            with pytest.raises(Refused, match="NOT_SEATED"):
                await other.get(f"/tables/{board.id}/past")

    run(visit)
