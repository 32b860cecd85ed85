"""Duplicates of the day over HTTP: the list, the page, and nothing of a deal for who has not played it (P-94)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.client import Person, Refused, Server
from tests.hall.web.conftest import SETTINGS, run, shared
from tests.hall.web.test_pages import somebody


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall that these tests share."""
    data: Path = tmp_path_factory.mktemp("duplicates")
    with shared(request, data, SETTINGS) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


def test_the_day_has_a_deal_for_each_game_with_luck(house: Server) -> None:
    with somebody(house, "dup0") as one, somebody(house, "dup1") as two:
        shown = one.ask("/duplicates")
        assert [row["game"] for row in shown["rows"]] == sorted(
            ["backgammon", "baohuang", "doudizhu", "gouji", "lianliankan", "mahjong", "shengji"]
        )
        day = shown["today"]
        assert one.refused(f"/duplicates/xiangqi/{day}", "GET")[0] == "NOT_FOUND"
        assert one.refused("/duplicates/gouji/2020-01-01", "GET")[0] == "NOT_FOUND"
        assert one.refused("/duplicates/gouji/2020-01-01")[0] == "NOT_FOUND"
        for row in shown["rows"]:  # each can be begun under the game's own rules
            page = one.do(f"/duplicates/{row['game']}/{day}")
            assert page["duplicate"]["mine"] == "playing", row
            assert page["duplicate"]["table"] is not None, row
            assert page["proof"]["server_seed"] is None
            assert page["duplicate"]["rows"] is None
            again = one.do(f"/duplicates/{row['game']}/{day}")
            assert again["duplicate"]["table"] == page["duplicate"]["table"]
            table = two.refused(f"/tables/{page['duplicate']['table']}", "GET")
            assert table[0] in ("WATCH_FORBIDDEN", "NO_SUCH_TABLE")
        assert {row["mine"] for row in one.ask("/duplicates")["rows"]} == {"playing"}
        assert {(row["mine"], row["begun"]) for row in two.ask("/duplicates")["rows"]} == {(None, 1)}


def test_results_are_for_who_has_played(house: Server) -> None:
    async def refusal(person: Person, path: str) -> tuple[str, Any]:
        with pytest.raises(Refused) as caught:
            await person.get(path)
        return caught.value.code, caught.value.facts.get("case")

    async def visit() -> None:
        async with Person(house) as one, Person(house) as other, Person(house) as guest:
            await (await one.register("dup2")).line()
            await (await other.register("dup3")).line()
            await guest.guest()
            path = f"/duplicates/backgammon/{(await one.get('/duplicates'))['today']}"
            with pytest.raises(Refused) as caught:
                await guest.post(path)
            assert caught.value.code == "SIGN_IN"
            shown = await one.post(path)
            table = await one.join(shown["duplicate"]["table"])
            await table.until(lambda table: table.game and table.view)
            game = table.game["game_id"]
            proof = {"id": table.game["board"], "commitment": table.game["commitment"], "server_seed": None}
            assert proof == shown["proof"]
            await table.do("stand", confirm=True)
            while (await one.get(path))["duplicate"]["mine"] != "played":  # the hall takes the end in beside it
                await asyncio.sleep(0)
            rows = (await one.get(path))["duplicate"]["rows"]
            assert [(row["rank"], row["points"]) for row in rows if row["game_id"] == game] == [(None, None)]
            fair = (await one.get(f"/g/{game}"))["fair"]
            assert fair == {
                "commitment": proof["commitment"],
                "server_seed": None,
                "client_seeds": [],
                "board": proof["id"],
            }
            me = (await one.get("/me"))["user"]["id"]
            assert (await one.get(f"/users/{me}/games"))["rows"][0]["game_id"] == game
            for person in (other, guest):
                assert (await person.get(path))["duplicate"]["rows"] is None
                assert await refusal(person, f"/g/{game}") == ("NOT_FOUND", "board")
                assert await refusal(person, f"/g/{game}/steps") == ("NOT_FOUND", "board")
                assert (await person.get(f"/users/{me}/games"))["rows"] == []
            for person in (one, other):  # also for who has played it: others are still to be dealt these cards
                assert await refusal(person, f"/g/{game}/analysis") == ("NOT_FOUND", "board")
                with pytest.raises(Refused) as caught:
                    await person.post(f"/g/{game}/analysis")
                assert (caught.value.code, caught.value.facts) == ("NOT_FOUND", {"case": "board"})

    run(visit)
