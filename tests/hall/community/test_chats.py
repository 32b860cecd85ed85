"""Chat rooms over HTTP and the line: the list, slow mode, a mention that is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.client import Person, Refused, Server
from tests.hall.web.conftest import SETTINGS, run

from qipai import cli


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data: Path = tmp_path_factory.mktemp("chats")
    with Server(data, SETTINGS) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


def test_talk_in_the_hall(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as ann, Person(house) as bob:
            await ann.register("ann")
            await bob.register("bob")
            for one in (ann, bob):
                await one.line()
                await one.say({"t": "hear", "to": "hall", "on": True})
            await ann.command("say", to="hall", text="@bob <img src=x onerror=alert(1)> @nobody")
            found: dict[str, Any] = await bob.get("/chat/hall")
            assert [line["text"] for line in found["chat"]] == ["@bob <img src=x onerror=alert(1)> @nobody"]
            assert (found["slow"], found["people"], found["keeps"]) == (0, 2, False)
            rows = (await bob.get("/notices"))["rows"]
            assert [(row["kind"], row["path"], row["facts"]) for row in rows] == [
                ("said", "/chat/hall", {"from": "ann", "place": "hall"})
            ]
            assert not (await ann.get("/notices"))["rows"]
            places = (await bob.get("/chat"))["rows"]
            assert places[0] == {"to": "hall", "name": None, "people": 2, "slow": 0}
            assert {"to": "game:xiangqi", "name": None, "people": 0, "slow": 0} in places
            with pytest.raises(Refused, match="NOT_ALLOWED"):
                await bob.post("/chat/hall/slow", {"seconds": 5})
            with pytest.raises(Refused, match="NOT_FOUND"):
                await bob.get("/chat/club:1")
            assert cli.main(["role", "bob", "moderator", "--data", str(house.data)]) == 0
            await bob.post("/chat/hall/slow", {"seconds": 500})
            await bob.post("/chat/room:1/slow", {"seconds": 60})
            with pytest.raises(Refused, match="NOT_FOUND"):
                await bob.post("/chat/room:9999/slow", {"seconds": 60})
            assert (await bob.get("/chat/hall"))["slow"] == 500
            await ann.command("say", to="hall", text="one")
            with pytest.raises(Refused, match="RATE_LIMIT"):
                await ann.command("say", to="hall", text="two")
            line = (await bob.get("/chat/hall"))["chat"][-1]["id"]
            report = (await bob.post("/reports", {"kind": "abuse", "ref": f"line:{line}", "text": "look"}))["report"]
            shown = await bob.get(f"/moderation/reports/{report}")
            assert [said["text"] for said in shown["lines"]][-1] == "one"
            await bob.post(f"/moderation/lines/{line}/remove", {"reason": "spam"})
            assert len((await ann.get("/chat/hall"))["chat"]) == 1

    run(visit)
