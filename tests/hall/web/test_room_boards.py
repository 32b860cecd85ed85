"""Rooms of shared deals over HTTP: the list of boards, the page of one, closed to who has not played (P-94)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.client import Person, Server
from tests.hall.web.conftest import SETTINGS, run, shared
from tests.hall.web.test_pages import somebody


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall that these tests share."""
    data: Path = tmp_path_factory.mktemp("boards")
    with shared(request, data, SETTINGS) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


def test_a_hall_has_rooms_of_shared_deals(house: Server) -> None:
    with somebody(house, "rb0") as one:
        rows = one.ask("/rooms?limit=200")["rows"]
        assert [row["game"] for row in rows if row["duplicate"]] == ["baohuang", "gouji", "mahjong", "shengji"]
        room = next(row for row in rows if row["duplicate"])
        assert (room["board_tables"], room["terms"], room["kind"]) == (8, {"watchers": False}, "friendly")
        shown = one.ask(f"/rooms/{room['room']}/boards")
        assert (shown["rows"], shown["top"], shown["me"], shown["most"]) == ([], [], None, 8)
        assert one.refused(f"/rooms/{room['room']}/boards/1", "GET")[0] == "NOT_FOUND"
        for other in (next(row["room"] for row in rows if not row["duplicate"]), 999):
            assert one.refused(f"/rooms/{other}/boards", "GET")[0] == "NOT_FOUND"
            assert one.refused(f"/rooms/{other}/boards/1", "GET")[0] == "NOT_FOUND"


def test_a_board_is_for_who_has_played_it(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as one, Person(house) as other:
            await (await one.register("rb1")).line()
            await other.register("rb2")
            rows = (await one.get("/rooms?game=mahjong"))["rows"]
            room = next(row["room"] for row in rows if row["duplicate"])
            table = 100 * room + 1
            await one.command("sit", table=table, seat=0)
            for seat in (1, 2, 3):
                await one.command("fill", table=table, seat=seat, level="steady")
            await one.command("ready", table=table, on=True)
            path = f"/rooms/{room}/boards"
            for _ in range(200):
                # the board is opened by one event and its table sits down by the next
                if any(row["tables"] for row in (await one.get(path))["rows"]):
                    break
                await asyncio.sleep(0.05)
            (line,) = (await one.get(path))["rows"]
            assert (line["no"], line["state"], line["tables"], line["playing"]) == (1, "open", 1, 1)
            assert (line["mine"]["table"], line["mine"]["points"]) == (table, None)
            shown: Any = await one.get(f"{path}/1")
            assert (shown["rows"], shown["proof"]["server_seed"], shown["seats"]) == (None, None, 4)
            (line,) = (await other.get(path))["rows"]
            assert line["mine"] is None
            assert (await other.get(f"{path}/1"))["rows"] is None

    run(visit)
