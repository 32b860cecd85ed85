"""Friends over the wire: who follows whom is listed and told once, and a table offers only what one may do there."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.client import Person, Refused, Server
from tests.hall.web.conftest import SETTINGS, run


def test_followers(tmp_path: Path) -> None:
    async def visit(server: Server) -> None:
        async with Person(server) as one, Person(server) as two, Person(server) as three:
            for person, name in ((one, "fan1"), (two, "fan2"), (three, "star")):
                await person.register(name)
            star = three.user["id"]
            for person in (one, two, one):
                await person.post("/friends", {"user": star})
            await one.call("DELETE", f"/friends/{star}", {})
            await one.post("/friends", {"user": star})
            notices = (await three.get("/notices"))["rows"]
            assert [(row["kind"], row["facts"]["name"]) for row in notices] == [("friend", "fan2"), ("friend", "fan1")]
            page = await three.get("/friends/followers?limit=1")
            rest = await three.get(f"/friends/followers?limit=1&after={page['next']}")
            assert {page["rows"][0]["user"]["name"], rest["rows"][0]["user"]["name"]} == {"fan1", "fan2"}
            assert rest["next"] is None
            # A friend's table: one may watch or join it, but not one that a key locks.
            await three.line()
            room = next(
                row["room"] for row in (await three.get("/rooms?game=xiangqi"))["rows"] if row["kind"] == "friendly"
            )
            at = await three.join(room * 100 + 1)
            await at.do("sit", seat=0)
            (row,) = (await two.get("/friends"))["rows"]
            assert (row["online"], row["table"], row["join"], row["watch"]) == (True, room * 100 + 1, True, True)
            await at.do("stand")
            private = await three.post("/tables", {"game": "xiangqi", "private": True})
            own = await three.join(private["table"], private.get("key"))
            if own.seat is None:
                await own.do("sit", seat=0)
            (row,) = (await two.get("/friends"))["rows"]
            assert (row["table"], row["join"], row["watch"]) == (private["table"], False, False)
            # A table for a group tells its people, who find it without the link; others do not.
            await own.do("stand")
            for person in (one, two):
                await three.post("/friends", {"user": person.user["id"]})
            group = (await three.post("/groups", {"name": "tea", "users": [two.user["id"]]}))["id"]
            given = {"game": "xiangqi", "private": True, "options": {"group": group}}
            made = (await three.post("/tables", given))["table"]
            newest = (await two.get("/notices"))["rows"][0]
            assert (newest["kind"], newest["path"]) == ("table_group", f"/tables/{made}")
            assert newest["facts"] == {"from": "star", "game": "xiangqi"}
            assert "table_group" not in {row["kind"] for row in (await one.get("/notices"))["rows"]}
            at = await three.join(made)
            await at.do("sit", seat=0)
            (row,) = (await two.get("/friends"))["rows"]
            assert (row["table"], row["join"], row["watch"]) == (made, True, True)
            (row,) = (await one.get("/friends"))["rows"]
            assert (row["table"], row["join"], row["watch"]) == (made, False, False)
            mine = await three.get("/friends")
            assert mine["groups"] == [{"id": group, "name": "tea", "people": 1}]
            assert {row["user"]["name"]: row["groups"] for row in mine["rows"]} == {"fan1": [], "fan2": [group]}
            with pytest.raises(Refused, match="BAD_OPTION"):
                await one.post("/tables", {"game": "xiangqi", "options": {"group": group}})
            # Who is blocked follows no longer.
            await three.post("/blocks", {"user": two.user["id"]})
            assert [each["user"]["name"] for each in (await three.get("/friends/followers"))["rows"]] == ["fan1"]
            assert (await two.get("/friends"))["rows"] == []

    with Server(tmp_path / "hall", SETTINGS) as server:
        run(lambda: visit(server))
        assert (server.stop(), server.complaints()) == (0, "")
