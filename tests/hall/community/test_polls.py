"""Polls over HTTP: who makes them, and what is sent to whom."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.client import Server
from tests.hall.web.conftest import SETTINGS
from tests.hall.web.test_pages import Somebody, somebody

from qipai import cli


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data: Path = tmp_path_factory.mktemp("polls")
    with Server(data, SETTINGS) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


def form(**more: Any) -> dict[str, Any]:
    closes = int(time.time()) + 86400
    return {"question": "Tea <b>or</b> coffee?", "options": ["tea", "coffee", "both"], "closes": closes, **more}


def test_a_poll_of_the_hall(house: Server) -> None:
    with somebody(house, "asker") as asker, somebody(house, "voter") as voter, Somebody(base_url=house.url) as nobody:
        assert nobody.ask("/polls") == {"rows": [], "next": None, "make": False}
        assert asker.refused("/polls", **form()) == ("NOT_ALLOWED", {})
        assert cli.main(["role", "asker", "moderator", "--data", str(house.data)]) == 0
        assert asker.ask("/polls")["make"] is True
        number = asker.do("/polls", **form(cid="a-poll"))["poll"]
        assert asker.do("/polls", **form(cid="a-poll"))["poll"] == number
        assert asker.refused("/polls", **form(who="club", club=3)) == ("NOT_MEMBER", {})
        assert asker.refused("/polls", **form(options=["a"])) == ("BAD_OPTION", {"field": "options"})
        assert voter.ask("/home")["poll"] == number
        path = f"/polls/{number}"
        shown = voter.ask(path)
        assert (shown["may"], shown["mine"], shown["question"]) == (True, None, "Tea <b>or</b> coffee?")
        assert {option["votes"] for option in shown["options"]} == {None}
        assert voter.refused(f"{path}/vote", choice=10) == ("BAD_OPTION", {"field": "choice"})
        assert voter.refused(f"{path}/vote", choice="tea") == ("BAD_MESSAGE", {"field": "choice"})
        with Somebody(base_url=house.url) as guest:
            guest.do("/guest")
            assert guest.ask(path)["may"] is False
            assert guest.refused(f"{path}/vote", choice=0) == ("SIGN_IN", {"case": "guest"})
        found = voter.do(f"{path}/vote", choice=1)
        assert [option["percent"] for option in found["options"]] == ["0.00", "100.00", "0.00"]
        assert voter.refused(f"{path}/vote", choice=0) == ("ALREADY_VOTED", {})
        assert voter.ask("/home")["poll"] is None
        for http in (asker, nobody):  # not even who has asked it
            assert http.ask("/polls")["rows"][0]["options"][1] == {"text": "coffee", "votes": None, "percent": None}
        report = voter.do("/reports", kind="abuse", ref=f"poll:{number}", text="look")["report"]
        assert asker.ask(f"/moderation/reports/{report}")["piece"]["text"].startswith("Tea <b>or</b>")
        asker.do(f"/moderation/pieces/poll:{number}/remove", reason="spam")  # my own, not the report
        assert nobody.refused(path, "GET") == ("NOT_FOUND", {})
