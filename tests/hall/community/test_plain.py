"""Plain pages, tips and membership over HTTP (platform P-7, P-85, P-86)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from tests.client import Server
from tests.hall.web.conftest import SETTINGS
from tests.hall.web.test_pages import Somebody, id_of, keeper, somebody

from qipai import cli
from qipai.community.plain.files import NAMES
from qipai.community.tips.days import SHIPPED

NUMBERS = """
[pages]
contacts = 3
tip_suggestions = 2
[members]
knight_games = 77
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall with an administrator 'keeper', whose numbers are its own."""
    with Server(tmp_path_factory.mktemp("plain"), SETTINGS + NUMBERS) as server:
        with somebody(server, "keeper", password="keys of the house"):
            assert cli.main(["role", "keeper", "admin", "--data", str(server.data)]) == 0
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


def test_the_pages_that_come_with_the_hall_stand_in_both_languages(house: Server) -> None:
    with Somebody(base_url=house.url) as nobody:
        for name in NAMES:
            zh, en = (nobody.ask(f"/{name}", lang=lang) for lang in ("zh-CN", "en"))
            assert zh["html"] != en["html"]
            assert (en["own"], en["at"]) == (False, None)
            assert nobody.ask(f"/{name}", lang="de")["html"] == en["html"]  # nobody has written it
        assert nobody.refused("/faq?lang=../x", "GET") == ("BAD_OPTION", {"field": "lang"})
        assert nobody.ask("/invite")["link"] == house.url
        for lang in ("zh-CN", "en"):
            assert nobody.ask("/faq", lang=lang)["html"].count("<strong>") >= 18  # questions


def test_an_administrator_writes_a_page_and_no_text_is_lost(house: Server) -> None:
    path, file = "/pages/links/en", house.data / "pages" / "links.en.md"
    with keeper(house) as boss, keeper(house) as second, somebody(house, "reader1") as reader:
        assert reader.refused(path, "GET")[0] == "NOT_ALLOWED"
        assert reader.refused(path, text="x", was="")[0] == "NOT_ALLOWED"
        assert boss.refused("/pages/secrets/en", "GET")[0] == "NOT_FOUND"
        source = boss.ask(path)
        assert source["text"] == source["shipped"]
        text = "# Friends\n\n[A club](https://club.example) <script>alert(1)</script> ![x](https://x.example/y.png)"
        saved = boss.do(path, text=text, was=source["version"], cid="first")
        assert (saved["own"], file.read_text("utf-8")) == (True, saved["text"])
        html = reader.ask("/links", lang="en")["html"]
        assert 'href="https://club.example"' in html
        assert "<script" not in html
        assert "<img" not in html
        # Who began before that is told, and whatever both have written is still there.
        code, facts = second.refused(path, text="Mine", was=source["version"])
        assert (code, facts["version"]) == ("STALE", saved["version"])
        second.do(path, text="Mine", was=facts["version"])
        rows = boss.ask(f"{path}/edits")["rows"]
        assert [row["by"]["name"] for row in rows] == ["keeper", "keeper"]
        assert boss.ask(f"{path}/edits/{rows[1]['id']}")["text"] == saved["text"]
        assert boss.refused(f"/pages/links/zh-CN/edits/{rows[1]['id']}", "GET")[0] == "NOT_FOUND"
        # What is written on the disk by hand is seen at once, and kept when somebody writes over it.
        file.write_bytes("\ufeffBy hand".encode())
        assert "By hand" in reader.ask("/links", lang="en")["html"]
        assert second.refused(path, text="Again", was=rows[0]["version"])[0] == "STALE"
        second.do(path, text="Again", was=boss.ask(path)["version"])
        rows = boss.ask(f"{path}/edits")["rows"]
        assert [row["by"] and row["by"]["name"] for row in rows] == ["keeper", None, "keeper", "keeper"]
        assert boss.ask(f"{path}/edits/{rows[1]['id']}")["text"] == "By hand"
        file.unlink()
        assert reader.ask("/links", lang="en")["own"] is False
        for bad in (
            {"text": "", "was": ""},
            {"text": " \n", "was": ""},
            {"text": "x" * 20001, "was": ""},
            {"text": "x"},
        ):
            assert boss.refused(path, **bad)[0] == "BAD_MESSAGE"


def test_a_letter_to_the_hall_comes_into_the_queue_and_its_answer_back(house: Server) -> None:
    with Somebody(base_url=house.url) as nobody, somebody(house, "writer1") as one, keeper(house) as boss:
        assert nobody.refused("/contact", text="  ")[0] == "BAD_MESSAGE"
        first = nobody.do("/contact", text="The clock is wrong", reply="a@b.example")["report"]
        mine = one.do("/contact", text="A question")["report"]
        nobody.do("/contact", text="Once more")
        code, facts = one.refused("/contact", text="Too much")
        assert (code, facts["wait_ms"] > 0) == ("RATE_LIMIT", True)
        rows = {row["id"]: row for row in boss.ask("/moderation/reports")["rows"]}
        assert (rows[first]["kind"], rows[first]["by"]) == ("contact", None)
        assert rows[first]["text"] == "The clock is wrong\n\na@b.example"
        boss.do(f"/moderation/reports/{mine}/dismiss", reason="Yes")
        assert boss.refused(f"/moderation/reports/{mine}/dismiss", reason="No")[0] == "NOT_FOUND"
        (notice,) = one.ask("/notices")["rows"]
        assert (notice["kind"], notice["facts"]) == ("contact_answered", {"n": mine, "answer": "Yes"})


def test_tips_are_suggested_judged_and_shown_one_a_day(house: Server) -> None:
    with somebody(house, "tipper1") as one, somebody(house, "tipper2") as two, keeper(house) as boss:
        assert one.ask("/tips")["today"] == one.ask("/home")["tip"] == int(time.time()) // 86400 % SHIPPED
        assert one.refused("/tips")[0] == "BAD_MESSAGE"
        good = one.do("/tips", zh="先看规则", en="Read the rules first", cid="t1")["id"]
        assert one.do("/tips", zh="先看规则", en="Read the rules first", cid="t1")["id"] == good
        poor = one.do("/tips", en="Buy my shoes")["id"]
        assert one.refused("/tips", en="A third")[0] == "RATE_LIMIT"
        assert one.refused(f"/tips/{good}/take")[0] == "NOT_ALLOWED"
        assert two.ask("/tips")["waiting"] == two.ask("/tips")["rows"] == []
        assert [row["id"] for row in boss.ask("/tips")["waiting"]] == [good, poor]
        boss.do(f"/tips/{good}/take")
        assert boss.refused(f"/tips/{poor}/decline", reason=" ")[0] == "BAD_MESSAGE"
        boss.do(f"/tips/{poor}/decline", reason="An advertisement")
        assert boss.refused(f"/tips/{poor}/take")[0] == "NOT_FOUND"
        kinds = [(row["kind"], row["facts"]["reason"]) for row in one.ask("/notices")["rows"]]
        assert kinds == [("tip_declined", "An advertisement"), ("tip_taken", "")]
        (row,) = two.ask("/tips")["rows"]
        assert (row["by"]["name"], row["zh"], row["en"]) == ("tipper1", "先看规则", "Read the rules first")
        own = boss.do("/tips", zh="只有中文")["id"]
        assert [row["id"] for row in two.ask("/tips")["rows"]] == [good, own]
        assert two.refused(f"/tips/{own}", "DELETE")[0] == "NOT_FOUND"
        # A tip can be reported, and a moderator takes it away with a reason.
        report = two.do("/reports", kind="abuse", ref=f"tip:{good}", text="look")["report"]
        assert two.refused("/reports", kind="abuse", ref=f"tip:{poor}", text="look")[0] == "NOT_FOUND"
        assert boss.ask(f"/moderation/reports/{report}")["piece"]["text"] == "先看规则\nRead the rules first"
        boss.do(f"/moderation/pieces/tip:{good}/remove", reason="no", report=report)
        boss.do(f"/tips/{own}", "DELETE")
        assert two.ask("/tips")["rows"] == []
        assert [row["state"] for row in one.ask("/tips")["mine"]] == ["declined", "removed"]
    with Somebody(base_url=house.url) as guest:
        guest.do("/guest")
        assert guest.refused("/tips", en="x")[0] == "SIGN_IN"


def test_membership_tells_this_halls_limits_and_lapses_at_the_end_of_its_day(house: Server) -> None:
    today = datetime.now(UTC).date()
    with Somebody(base_url=house.url) as nobody, somebody(house, "member1") as one:
        found = nobody.ask("/membership")
        limits = {row["name"]: (row["pawn"], row["knight"], row["rook"]) for row in found["limits"]}
        assert limits["games"] == (50, 77, 0)
        assert limits["vacation"] == (240, 600, 840)
        assert (found["level"], found["days"], found["day_price"]) == (None, 0, 2)
        found = one.ask("/membership")
        assert (found["level"], found["days"], found["until"], found["coins"]) == ("pawn", 0, None, 200)
        one.do("/shop", item="member_days", qty=3)
        found = one.ask("/membership")
        assert (found["level"], found["coins"]) == ("knight", 194)
        until = date.fromisoformat(found["until"])
        assert until - today in (timedelta(3), timedelta(4))  # the day may have changed meanwhile
        assert found["days"] == (until - datetime.now(UTC).date()).days + 1
        one.do("/me/settings", "PATCH", minor=True)
        found = one.ask("/membership")
        assert (found["day_price"], found["coins"]) == (None, None)  # coins are hidden from minors (P-107)
        assert id_of(one)
