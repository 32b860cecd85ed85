"""A finished game looked through together: one leads, others follow, other lines stand beside the record (P-90)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.client import Server
from tests.hall.web.conftest import SETTINGS, run
from tests.hall.web.test_brought import PGN, bring
from tests.hall.web.test_pages import Somebody, id_of, somebody
from websockets.asyncio.client import connect

CANNON = {"a": "move", "move": "b2e2"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a hall that is stopped and started."""
    return tmp_path_factory.mktemp("reviews")


@pytest.fixture
def house(folder: Path) -> Iterator[Server]:
    """A hall in it."""
    with Server(folder, SETTINGS) as server:
        yield server


def brought(http: Somebody) -> str:
    return str(bring(http, PGN.replace("MOVE", "马二进三").encode("gb18030")).json()["rows"][0]["kept"]["id"])


def test_one_leads_and_others_follow_and_the_record_stays(house: Server) -> None:
    with somebody(house, "leader") as one, somebody(house, "second") as two, Somebody(base_url=house.url) as guest:
        guest.do("/guest")
        game = brought(one)
        before = guest.ask(f"/g/{game}")
        assert guest.refused(f"/g/{game}/reviews")[0] == "SIGN_IN"
        assert one.refused("/g/nosuchgame/reviews")[0] == "NOT_FOUND"
        key = one.do(f"/g/{game}/reviews", n=1)["key"]
        path = f"/review/{key}"
        page = guest.ask(path)
        assert (page["leader"]["name"], page["line"], page["n"], page["mine"], page["away"]) == (
            "leader",
            0,
            1,
            False,
            False,
        )
        assert two.refused(f"{path}/step", n=2) == ("NOT_ALLOWED", {"case": "leader"})
        one.do(f"{path}/step", n=2)
        assert guest.ask(path)["n"] == 2
        # What else might have been played, by the rules, which the server judges.
        (open_,) = guest.ask(f"{path}/lines/0/open", n=2)["rows"]
        assert (open_["seat"], open_["ask"], len(open_["legal"]) > 30) == (0, "play", True)
        move = open_["legal"][0]
        assert two.refused(f"{path}/moves", n=2, seat=0, action=move)[0] == "NOT_ALLOWED"
        wrong = {**move, **{name: "a0a9" for name, value in move.items() if name != "a" and isinstance(value, str)}}
        assert one.refused(f"{path}/moves", n=2, seat=0, action=wrong)[0] not in ("NOT_FOUND", "BUSY")
        tried = one.do(f"{path}/moves", n=2, seat=0, action=move)
        (answer,) = one.ask(f"{path}/lines/{tried['line']}/open", n=3)["rows"]
        longer = one.do(f"{path}/moves", line=tried["line"], n=3, seat=1, action=answer["legal"][0])
        assert longer == {"line": tried["line"], "n": 4}
        # From its middle another one leaves it: a tree.
        aside = one.do(f"{path}/moves", line=tried["line"], n=3, seat=1, action=answer["legal"][1])
        assert aside["line"] != tried["line"]
        one.do(f"{path}/lines/{tried['line']}", name="  炮先  ")
        rows = guest.ask(path)["lines"]
        assert [(row["parent"], row["n"], row["end"], row["name"]) for row in rows] == [
            (0, 2, 4, "炮先"),
            (tried["line"], 3, 4, ""),
        ]
        frames = guest.ask(f"{path}/lines/{aside['line']}/steps")["rows"]
        assert [frame["n"] for frame in frames] == [0, 1, 2, 3, 4]
        assert guest.refused(f"{path}/lines/999/steps", "GET")[0] == "NOT_FOUND"
        assert guest.refused(f"{path}/lines/0/open?n=99", "GET")[0] == "NOT_FOUND"
        assert guest.ask(f"/g/{game}") == before
        # The lead goes over to who has asked.
        assert one.refused(f"{path}/lead", to=id_of(two))[0] == "NOT_FOUND"
        assert two.do(f"{path}/lead") == {"leads": False}
        assert [user["name"] for user in one.ask(path)["asks"]] == ["second"]
        one.do(f"{path}/lead", to=id_of(two))
        assert (two.ask(path)["mine"], one.ask(path)["mine"], two.ask(path)["asks"]) == (True, False, [])
        assert one.refused(f"{path}/step", n=0)[0] == "NOT_ALLOWED"
        # Talk, at a moment.
        two.do(f"{path}/say", text="Here it was lost", n=2, cid="s1")
        two.do(f"{path}/say", text="Here it was lost", n=2, cid="s1")
        assert guest.refused(f"{path}/say", text="x", n=0)[0] == "SIGN_IN"
        assert two.refused(f"{path}/say", text="  ", n=0)[0] == "BAD_MESSAGE"
        (said,) = guest.ask(path)["talk"]
        assert (said["by"]["name"], said["text"], said["n"]) == ("second", "Here it was lost", 2)
        report = one.do("/reports", kind="abuse", ref=f"review_talk:{said['id']}", text="look")
        assert report["report"]
        assert guest.refused("/review/nosuchkey", "GET")[0] == "NOT_FOUND"


def test_followers_see_each_step_and_it_all_survives_a_restart(folder: Path) -> None:
    with Server(folder, SETTINGS) as server:
        with somebody(server, "leads") as one:
            key = one.do(f"/g/{brought(one)}/reviews")["key"]

            async def follow() -> None:
                async with connect(f"{server.url.replace('http', 'ws')}/ws") as line:
                    await line.send(json.dumps({"t": "hello", "v": 1}))
                    await line.send(json.dumps({"t": "review", "key": "nosuch", "on": True}))
                    await line.send(json.dumps({"t": "review", "key": key, "on": True}))

                    async def heard(kind: str) -> Any:
                        while (found := json.loads(await line.recv()))["t"] != kind:
                            pass
                        return found

                    assert (await heard("err"))["code"] == "NOT_FOUND"
                    first = await heard("review")
                    assert (first["line"], first["n"], first["leader"]) == (0, 0, id_of(one))
                    one.do(f"/review/{key}/step", n=1)
                    assert (await heard("review"))["n"] == 1
                    one.do(f"/review/{key}/say", text="look", n=1)
                    assert (await heard("review"))["said"] > first["said"]

            run(follow)
            move = one.ask(f"/review/{key}/lines/0/open", n=1)["rows"][0]
            one.do(f"/review/{key}/moves", n=1, seat=move["seat"], action=move["legal"][3])
        server.kill()
    with Server(folder, SETTINGS + "\n[reviews]\nlead_s = 5\n") as server, somebody(server, "leads", new=False) as one:
        page = one.ask(f"/review/{key}")
        assert (page["n"], len(page["lines"]), len(page["talk"]), page["mine"]) == (2, 1, 1, True)
        assert page["line"] == page["lines"][0]["id"]
