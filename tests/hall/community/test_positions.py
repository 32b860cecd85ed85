"""Positions that people keep, over HTTP (platform P-74)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.client import Server
from tests.hall.web.conftest import SETTINGS
from tests.hall.web.test_pages import Somebody, id_of, somebody

from qipai import cli

MATE = "3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data: Path = tmp_path_factory.mktemp("positions")
    with Server(data, SETTINGS + "[positions]\neach = 4\n") as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


def kept(**more: Any) -> dict[str, Any]:
    return {"game": "xiangqi", "start": MATE, "name": "Two rooks", "goal": "Red wins in 1", **more}


def test_a_position_is_kept_for_oneself_or_shown_to_all_and_can_be_taken_away(house: Server) -> None:
    with somebody(house, "setter") as ann, somebody(house, "finder") as bob, Somebody(base_url=house.url) as nobody:
        mine = ann.do("/positions", **kept(cid="p1"))["id"]
        assert ann.do("/positions", **kept(cid="p1"))["id"] == mine
        assert nobody.ask("/positions")["rows"] == bob.ask("/positions", mine=1)["rows"] == []
        assert bob.refused(f"/positions/{mine}", "GET")[0] == "NOT_FOUND"
        assert bob.refused(f"/positions/{mine}", public=True)[0] == "NOT_FOUND"
        assert nobody.refused("/positions?mine=1", "GET")[0] == "SIGN_IN"
        (row,) = ann.ask("/positions", mine=1)["rows"]
        assert (row["text"], row["name"], row["goal"], row["public"]) == (MATE, "Two rooks", "Red wins in 1", False)
        ann.do(f"/positions/{mine}", public=True)
        assert [one["id"] for one in nobody.ask("/positions", game="xiangqi")["rows"]] == [mine]
        assert nobody.ask("/positions", game="gouji")["rows"] == []
        other = ann.do("/positions", **kept(game="gouji", start="3/4/5/6/7/8 lead:0", public=True))["id"]
        page = nobody.ask("/positions", limit=1)
        assert [one["id"] for one in page["rows"]] == [other]
        assert [one["id"] for one in nobody.ask("/positions", limit=1, after=page["next"])["rows"]] == [mine]
        bob.do("/blocks", user=id_of(ann))
        assert bob.ask("/positions")["rows"] == []
        with somebody(house, "before") as old:
            theirs = old.do("/positions", **kept(public=True))["id"]
            last = [ann.do("/positions", **kept(public=True, cid=f"many{n}"))["id"] for n in range(2)]
            page = bob.ask("/positions", limit=1)
            assert [one["id"] for one in page["rows"]] == [theirs], "behind those that are not shown to him"
            for id in last:
                ann.do(f"/positions/{id}", "DELETE")
            old.do(f"/positions/{theirs}", "DELETE")
        assert bob.refused(f"/positions/{mine}", "DELETE")[0] == "NOT_FOUND"
        ann.do(f"/positions/{other}", "DELETE")
        assert [one["id"] for one in ann.ask("/positions", mine=1)["rows"]] == [mine]


def test_what_cannot_be_kept_says_why(house: Server) -> None:
    with somebody(house, "keener") as one, Somebody(base_url=house.url) as guest:
        guest.do("/guest")
        assert guest.refused("/positions", **kept())[0] == "SIGN_IN"
        assert one.refused("/positions", **kept(start="nonsense")) == ("BAD_POSITION", {"why": "bad_fen"})
        assert one.refused("/positions", **kept(game="chess"))[0] == "BAD_OPTION"
        assert one.refused("/positions", **kept(name=" "))[0] == "BAD_MESSAGE"
        assert one.refused("/positions", **kept(name="x" * 61))[0] == "BAD_MESSAGE"
        for n in range(4):
            one.do("/positions", **kept(cid=f"k{n}"))
        assert one.refused("/positions", **kept()) == ("LIMIT_REACHED", {"case": "positions", "most": 4})


def test_a_public_one_can_be_reported_and_removed_and_is_in_the_export(house: Server) -> None:
    with somebody(house, "shower") as ann, somebody(house, "reader") as bob, somebody(house, "orderly") as judge:
        assert cli.main(["role", "orderly", "moderator", "--data", str(house.data)]) == 0
        number = ann.do("/positions", **kept(name="Rude words", public=True))["id"]
        report = bob.do("/reports", kind="abuse", ref=f"position:{number}", text="look")["report"]
        assert judge.ask(f"/moderation/reports/{report}")["piece"]["text"].startswith("Rude words")
        judge.do(f"/moderation/pieces/position:{number}/remove", reason="rude")
        assert bob.refused(f"/positions/{number}", "GET")[0] == "NOT_FOUND"
        assert all(one["id"] != number for one in bob.ask("/positions")["rows"])


def test_the_strongest_bot_moves_in_a_position_but_not_for_who_plays_now(house: Server) -> None:
    with somebody(house, "asker") as one, Somebody(base_url=house.url) as nobody:
        body: dict[str, Any] = {"game": "xiangqi", "start": MATE, "seat": 0}
        assert nobody.refused("/sandbox/advice", **body)[0] == "SIGN_IN"
        assert one.do("/sandbox/advice", **body)["action"]["a"] == "move"
        assert one.refused("/sandbox/advice", **{**body, "seat": 1})[0] == "STALE"
        with somebody(house, "rival") as two:
            invite = one.do("/invites", game="xiangqi", clock={"type": "days", "days": 3}, to=id_of(two))["id"]
            two.do(f"/invites/{invite}/accept")
            assert one.refused("/sandbox/advice", **body) == ("NOT_ALLOWED", {"case": "advice"})
            assert one.do("/sandbox/advice", game="gouji", start="3/4/5/6/7/8 lead:0", seat=0)["action"]["cards"] == "3"


def test_a_position_alone_on_a_line_is_drawn_in_a_text(house: Server) -> None:
    with somebody(house, "writer") as one:
        link = "/editor/xiangqi?p=3k5%2FR8%2F9%2F9%2F9%2F9%2F9%2F9%2F9%2F1R2K4+w+-+-+0+1"
        for said in (link, f"https://hall.example{link}"):
            html = one.do("/preview", text=f"Look:\n\n{said}\n\nNice.")["html"]
            assert f'<div data-position="{link}">' in html
            assert f'<a href="{link}"' in html
        assert "data-position" not in one.do("/preview", text='/editor/xiangqi?p="onload=x')["html"]
        assert "data-position" not in one.do("/preview", text=f"see {link} there")["html"]
