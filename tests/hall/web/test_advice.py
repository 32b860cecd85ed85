"""A good move for who asks, at tables where nothing counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.client import Person, Refused, Server, Table
from tests.hall.web.conftest import run, shared

from qipai import games

pytestmark = pytest.mark.slow

PACE = "[bots]\npace_ms = 0\n[limits]\nguests_per_hour = 10000\n"


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with shared(request, tmp_path_factory.mktemp("advice"), PACE) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


async def asked(person: Person, game: str) -> Table:
    made = await person.post("/play", {"game": game, "level": "easy"})
    table = await person.join(made["table"])
    await table.until(lambda table: table.ask)
    return table


@pytest.mark.parametrize("game", ["xiangqi", "backgammon", "gouji", "mahjong"])
def test_the_advice_is_a_move_of_the_seat(house: Server, game: str) -> None:
    async def visit() -> None:
        async with Person(house) as person:
            await (await person.guest()).line()
            table = await asked(person, game)
            for _ in range(3):
                found = (await person.post(f"/tables/{table.id}/advice"))["action"]
                games.find(game).act(found)
                ask = table.ask["id"]
                await table.act(found)  # it is refused where it is no legal move of this seat
                await table.until(lambda table, ask=ask: table.ask and table.ask["id"] != ask)  # type: ignore[misc]

    run(visit)


def test_who_may_not_ask_is_told_why(house: Server) -> None:
    async def refusal(person: Person, table: int) -> tuple[str, Any]:
        with pytest.raises(Refused) as caught:
            await person.post(f"/tables/{table}/advice")
        return caught.value.code, caught.value.facts.get("case")

    async def visit() -> None:
        async with Person(house) as one, Person(house) as other:
            await (await one.guest()).line()
            await (await other.guest()).line()
            table = await asked(one, "xiangqi")
            assert await refusal(other, table.id) == ("NOT_SEATED", None)
            assert await refusal(one, 10**9) == ("NO_SUCH_TABLE", None)
            await table.act({"a": "resign"})
            await table.until(lambda table: table.result)
            assert await refusal(one, table.id) == ("STALE", None)

    run(visit)


def test_where_something_counts_nobody_is_advised(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as one, Person(house) as other:
            await (await one.register("advised_one")).line()
            await (await other.register("advised_two")).line()
            rows = (await one.get("/rooms?game=xiangqi"))["rows"]
            room = next(row["room"] for row in rows if row["kind"] == "score")
            made = await one.post("/tables", {"game": "xiangqi", "room": room})
            table = await one.join(made["table"])
            await table.do("sit", seat=0)
            with pytest.raises(Refused) as caught:
                await one.post(f"/tables/{table.id}/advice")
            assert (caught.value.code, caught.value.facts["case"]) == ("NOT_ALLOWED", "advice")

    run(visit)
