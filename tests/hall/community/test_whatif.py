"""Branches over the web: played, named, shown, compared, deleted; in reviews (P-90)."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.client import Server
from tests.hall.community.test_reviews import brought
from tests.hall.web.conftest import SETTINGS, run
from tests.hall.web.test_pages import Somebody, somebody
from tests.stores import url_at
from websockets.asyncio.client import connect

from qipai.community.whatif.service import WhatIf
from qipai.store.writer import Writer
from qipai.web.services import DATABASE, store_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a hall that is killed and started."""
    return tmp_path_factory.mktemp("whatif")


@pytest.fixture
def house(folder: Path) -> Iterator[Server]:
    """A hall in it."""
    with Server(folder, SETTINGS) as server:
        yield server


def resign(house: Server, http: Somebody, table: int) -> str:
    """Resign at a table and return the name of its game."""

    async def visit() -> str:
        cookies = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        where = f"{house.url.replace('http', 'ws')}/ws"
        async with connect(where, additional_headers={"cookie": cookies, "origin": house.url}) as line:
            await line.send(json.dumps({"t": "hello", "v": 1}))
            await line.send(json.dumps({"t": "join", "table": table}))
            game = None
            while game is None:  # it begins as soon as its player is there
                said = json.loads(await line.recv())
                game = said.get("game") if said["t"] in ("snapshot", "ev") else None
            await line.send(json.dumps({"t": "act", "table": table, "cid": f"r{table}", "action": {"a": "resign"}}))
            while json.loads(await line.recv())["t"] != "ack":
                pass
            return str(game["game_id"])

    return str(run(visit))


def branch(house: Server, http: Somebody, game: str, n: int, **more: Any) -> str:
    return resign(house, http, http.do(f"/g/{game}/whatif", n=n, level="easy", **more)["table"])


def tree(http: Somebody, game: str) -> list[tuple[Any, ...]]:
    rows = http.ask(f"/g/{game}/whatif")["rows"]
    return [(row["id"], row["parent"], row["n"], row["name"], row["who"], row["mine"]) for row in rows]


def test_branches_are_their_players_until_they_are_shown(house: Server) -> None:
    with somebody(house, "player") as one, somebody(house, "other") as two, Somebody(base_url=house.url) as guest:
        game = brought(one)
        record = one.ask(f"/g/{game}")
        first = branch(house, one, game, 1, seat=1, cid="once")
        assert guest.refused(f"/g/{game}/whatif", n=1, seat=0)[0] == "SIGN_IN"
        assert two.refused("/g/nosuchgame/whatif", n=1, seat=0)[0] == "NOT_FOUND"
        assert two.refused(f"/g/{game}/whatif", n=99, seat=0) == ("BAD_MESSAGE", {"field": "n"})
        assert two.refused(f"/g/{game}/whatif", n=1, seat=2) == ("BAD_MESSAGE", {"field": "seat"})
        assert two.refused(f"/g/{game}/whatif", n=1, seat=0, level="x")[0] == "BAD_OPTION"
        assert one.refused(f"/g/{first}/whatif", n=2, seat=0) == ("NOT_ALLOWED", {"case": "whatif_over"})
        # A branch of the branch, from what it shares with the record and from its own.
        deep = branch(house, one, first, 1, seat=1)
        both = [(deep, first, 1, "", "me", True), (first, game, 1, "", "me", True)]
        assert sorted(tree(one, game)) == sorted(both)
        assert tree(one, deep) == tree(one, game)
        row = tree_row(one, first)
        assert (row["result"]["points"], row["result"]["why"], row["table"]) == ([2, -2], "resign", None)
        assert one.ask(f"/g/{game}/whatif")["result"]["points"] == record["result"]["points"]
        # It is analysed like any other game, while nobody else sees it.
        one.do(f"/g/{first}/analysis")
        while (standing := one.ask(f"/g/{first}/analysis"))["state"] in ("waiting", "running"):
            time.sleep(0.1)
        assert standing["state"] == "done"
        assert two.refused(f"/g/{first}/analysis", "GET")[0] == "NOT_FOUND"
        # Nobody else's.
        assert tree(two, game) == []
        for call in (f"/g/{first}", f"/g/{first}/steps", f"/g/{first}/whatif", f"/g/{game}/whatif/{first}"):
            assert two.refused(call, "GET")[0] == "NOT_FOUND"
        assert two.refused(f"/whatif/{first}", name="x")[0] == "NOT_FOUND"
        # Shown by its link, then to everybody.
        one.do(f"/whatif/{first}", name="  跳马  ", who="link")
        assert tree(two, game) == []
        assert tree(two, first) == [(first, game, 1, "跳马", "link", False)]
        assert two.refused(f"/whatif/{first}", name="x") == ("NOT_ALLOWED", {"case": "whatif_own"})
        assert two.refused(f"/whatif/{first}", "DELETE") == ("NOT_ALLOWED", {"case": "whatif_own"})
        assert one.refused(f"/whatif/{first}", name=" ")[0] == "BAD_MESSAGE"
        assert one.refused(f"/whatif/{first}", who="x")[0] == "BAD_MESSAGE"
        one.do(f"/whatif/{deep}", who="all")
        assert tree(guest, game) == [(deep, game, 1, "", "all", False)]  # the one between is not shown
        assert guest.ask(f"/g/{game}/whatif/{deep}") == {
            "n": 1,
            "results": [
                {name: record["result"][name] for name in ("points", "places", "why")},
                {"points": [2, -2], "places": [1, 2], "why": "resign"},
            ],
        }
        assert one.refused(f"/g/{game}/whatif/{game}", "GET")[0] == "NOT_FOUND"
        number = tree_row(two, first)["number"]
        assert two.do("/reports", kind="name", ref=f"branch:{number}", text="look")["report"]
        # Deleted; what goes on from it stays.
        one.do(f"/whatif/{first}", "DELETE")
        assert one.refused(f"/g/{first}", "GET")[0] == "NOT_FOUND"
        assert tree(one, game) == [(deep, game, 1, "", "all", True)]
        assert one.ask(f"/g/{game}") == record


def tree_row(http: Somebody, game: str) -> Any:
    return next(row for row in http.ask(f"/g/{game}/whatif")["rows"] if row["id"] == game)


def test_in_a_review_all_see_it_and_moves_are_tried_once(folder: Path) -> None:
    with Server(folder, SETTINGS) as server:
        with somebody(server, "leads") as one, somebody(server, "looks") as two:
            game = brought(one)
            mine = branch(server, one, game, 1, seat=1)
            key = one.do(f"/g/{game}/reviews")["key"]
            path = f"/review/{key}"
            assert two.refused(f"{path}/branches", game=mine)[0] == "NOT_FOUND"
            shown = one.do(f"{path}/branches", game=mine)
            assert one.do(f"{path}/branches", game=mine) == shown
            page = two.ask(path)
            assert [(line["branch"], line["n"], line["end"]) for line in page["lines"]] == [(mine, 1, 2)]
            assert (page["line"], page["n"]) == (shown["line"], 1)
            assert [frame["n"] for frame in two.ask(f"{path}/lines/{shown['line']}/steps")["rows"]] == [0, 1, 2]
            assert two.ask(f"/g/{mine}")["start"] == {"game": game, "ply": 1}  # by its link
            assert one.refused(f"{path}/branches", game=game)[0] == "NOT_FOUND"
            # A move from it is a line of its own; asked again, also after a kill, it is the same.
            (seat,) = one.ask(f"{path}/lines/{shown['line']}/open", n=1)["rows"]
            tried = {"line": shown["line"], "n": 1, "seat": seat["seat"], "action": seat["legal"][0], "cid": "move1"}
            done = one.do(f"{path}/moves", **tried)
            (answer,) = one.ask(f"{path}/lines/{done['line']}/open", n=2)["rows"]
            on = {"line": done["line"], "n": 2, "seat": answer["seat"], "action": answer["legal"][0], "cid": "move2"}
            longer = one.do(f"{path}/moves", **on)
            assert longer == {"line": done["line"], "n": 3}
        server.kill()
    with Server(folder, SETTINGS) as server, somebody(server, "leads", new=False) as one:
        assert one.do(f"{path}/moves", **tried) == done
        assert one.do(f"{path}/moves", **on) == longer
        assert [line["end"] for line in one.ask(path)["lines"]] == [2, 3]
        # Deleted, it is gone here, too, with what has left it.
        one.do(f"/whatif/{mine}", "DELETE")
        assert (one.ask(path)["lines"], one.ask(path)["line"]) == ([], 0)
        assert one.refused(f"{path}/branches", game=mine)[0] == "NOT_FOUND"
        user = int(one.ask("/me")["user"]["id"])
    run(lambda: _leaves(folder, user))


def test_who_plays_on_in_a_review_shares_it_with_all_who_follow(house: Server) -> None:
    with somebody(house, "ahead") as one, somebody(house, "beside") as two, Somebody(base_url=house.url) as guest:
        game, another = brought(one), brought(two)
        record = guest.ask(f"/g/{game}")
        key = one.do(f"/g/{game}/reviews", n=2)["key"]
        path = f"/review/{key}"
        assert two.refused(f"/g/{another}/whatif", n=1, seat=0, review=key)[0] == "NOT_FOUND"
        on = {"n": 1, "seat": 1, "level": "easy", "review": key, "cid": "shared"}
        table = two.do(f"/g/{game}/whatif", **on)["table"]
        assert two.do(f"/g/{game}/whatif", **on)["table"] == table
        (line,) = guest.ask(path)["lines"]  # while it is played, all see that it is, and nothing more
        assert (line["by"]["name"], line["playing"], line["branch"]) == ("beside", True, None)
        assert (line["n"], line["end"]) == (1, 1)
        mine = resign(house, two, table)
        line = over(guest, path, 0)
        assert (line["n"], line["end"], line["branch"]) == (1, 2, mine)
        assert [frame["n"] for frame in guest.ask(f"{path}/lines/{line['id']}/steps")["rows"]] == [0, 1, 2]
        page = guest.ask(path)
        assert (page["line"], page["n"]) == (0, 2)  # its leader looks where they did
        assert (tree_row(two, mine)["review"], tree_row(one, mine)["review"]) == (key, None)
        # What the leader has played all look at.
        table = one.do(f"/g/{game}/whatif", n=2, seat=0, level="easy", review=key)["table"]
        resign(house, one, table)
        line = over(guest, path, 1)
        page = guest.ask(path)
        assert (page["line"], page["n"]) == (line["id"], 2)
        assert guest.ask(f"/g/{game}") == record


def over(http: Somebody, path: str, which: int) -> Any:
    """Return a line of a review when it is no longer being played."""
    while (line := http.ask(path)["lines"][which])["playing"]:
        time.sleep(0.05)
    return line


async def _leaves(folder: Path, user: int) -> None:
    """What is exported of somebody's branches, and that none is left when they go."""
    store = store_of(folder, url=url_at(folder / DATABASE))
    await store.open()
    try:
        sql = "SELECT DISTINCT player FROM games WHERE player != ?"
        (other,) = await store.read(lambda db: db.execute(sql, (user,)).fetchone())
        whatif = WhatIf(_Common(store), _Showing())  # type: ignore[arg-type]
        (row,) = (await store.read(lambda db: whatif.exported(db, other)))["whatif.json"]["rows"]
        assert (row["ply"], row["who"], row["ended"].why) == (1, "all", "resign")
        assert (await store.read(lambda db: whatif.exported(db, user)))["whatif.json"]["rows"] == []
        await whatif.erase(other)
        assert (await store.read(lambda db: whatif.exported(db, other)))["whatif.json"]["rows"] == []
    finally:
        await store.close()


class _Common:
    def __init__(self, store: Writer[Any]) -> None:
        self.store = store


class _Showing:
    def closed(self, db: Any, game: str) -> None:
        """No review is open."""
