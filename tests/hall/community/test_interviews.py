"""An interview over HTTP from the first question to a correction, and who sees what meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.client import Server
from tests.hall.web.conftest import SETTINGS
from tests.hall.web.test_pages import Somebody, somebody

from qipai import cli

EVIL = "<img src=x onerror=alert(1)> **why**?"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data: Path = tmp_path_factory.mktemp("interviews")
    with Server(data, SETTINGS) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


def kinds(http: Somebody) -> list[str]:
    return [row["kind"] for row in http.ask("/notices")["rows"]]


def test_an_interview(house: Server) -> None:
    with (
        somebody(house, "chief") as chief,
        somebody(house, "editor") as editor,
        somebody(house, "master") as master,
        somebody(house, "fan") as fan,
        Somebody(base_url=house.url) as nobody,
    ):
        assert nobody.ask("/interviews") == {"rows": [], "next": None, "mine": [], "edit": False}
        ids = {name: http.ask("/me")["user"]["id"] for name, http in (("editor", editor), ("master", master))}
        form = {"player": ids["master"], "title": "Of tea", "text": "Our *master*.", "lang": "en"}
        assert editor.refused("/interviews", **form) == ("NOT_ALLOWED", {})
        assert cli.main(["role", "chief", "admin", "--data", str(house.data)]) == 0
        assert editor.refused("/admin/editors", user=ids["editor"], on=True) == ("NOT_ALLOWED", {})
        chief.do("/admin/editors", user=ids["editor"], on=True)
        assert [row["user"]["name"] for row in chief.ask("/admin/editors")["rows"]] == ["editor"]
        assert editor.refused("/interviews", **{**form, "lang": "<b>"}) == ("BAD_MESSAGE", {"field": "lang"})
        number = editor.do("/interviews", **form, cid="begin")["interview"]
        assert editor.do("/interviews", **form, cid="begin")["interview"] == number
        path = f"/interviews/{number}"
        assert nobody.refused(path, "GET") == fan.refused(path, "GET") == ("NOT_FOUND", {})
        assert kinds(master) == ["interview_asked"]
        assert fan.refused(f"{path}/reply", yes=True) == ("NOT_FOUND", {})  # nor that there is one
        assert master.do(f"{path}/reply", yes=True)["row"]["state"] == "open"
        assert kinds(editor) == ["interview_accepted", "editor"]
        assert fan.refused(f"{path}/reply", yes=False) == ("NOT_FOR_YOU", {})
        assert editor.refused("/bot/upgrade", password="long enough") == ("NOT_ALLOWED", {"case": "leads"})

        asked = [fan.do(f"{path}/questions", text=EVIL if n == 0 else f"n {n}") for n in range(3)][-1]["questions"]
        assert [row["mine"] for row in asked] == [True] * 3
        assert fan.refused(f"{path}/questions", text="more") == ("LIMIT_REACHED", {"case": "questions", "most": 3})
        assert master.refused(f"{path}/questions", text="mine") == ("SELF", {})
        assert nobody.ask(path)["questions"] == master.ask(path)["questions"] == []
        first, second = asked[0]["id"], asked[1]["id"]
        assert "<img" not in asked[0]["html"]
        assert fan.refused(f"{path}/pick", questions=[first]) == ("NOT_ALLOWED", {})
        assert editor.refused(f"{path}/pick", questions=[999]) == ("NOT_FOUND", {})
        editor.do(f"{path}/pick", questions=[second, first])
        assert [row["id"] for row in master.ask(path)["questions"]] == [second, first]
        assert editor.refused(f"{path}/publish") == ("BAD_OPTION", {"field": "questions"})
        assert master.refused(f"{path}/answer", question=asked[2]["id"], text="x") == ("NOT_FOUND", {})
        master.do(f"{path}/answer", question=first, text="Because.")
        # Moderators see it, their programs do not.
        token = chief.do("/tokens", name="program", scopes=["play"])["token"]
        assert len(chief.ask(path)["questions"]) == 3
        with Somebody(base_url=house.url, headers={"authorization": f"Bearer {token}"}) as program:
            assert (program.ask(path)["questions"], program.ask("/interviews")["edit"]) == ([], False)
        assert fan.ask(path)["questions"][0]["answer"] is None  # not before it is published
        assert fan.refused(f"{path}/publish") == ("NOT_ALLOWED", {})
        assert editor.do(f"{path}/publish")["row"]["state"] == "published"
        assert editor.refused(f"{path}/publish") == ("STALE", {})
        assert kinds(fan) == ["interview_answered"]
        assert kinds(master)[0] == "interview_published"

        shown = nobody.ask(path)
        assert [row["id"] for row in shown["questions"]] == [first]
        assert (shown["text"], shown["questions"][0]["source"], shown["corrected"]) == (None, None, False)
        assert shown["html"] == "<p>Our <em>master</em>.</p>\n"
        assert master.refused(f"{path}/answer", question=second, text="late") == ("STALE", {})
        master.do(f"{path}/answer", question=first, text="Because of **that**.")
        editor.do(f"{path}/edit", title="Of tea", text="Our host.", lang="en")
        history = nobody.ask(f"{path}/history")["rows"]
        assert [(row["question"], row["html"]) for row in history] == [
            (None, "<p>Of tea</p>\n<p>Our <em>master</em>.</p>\n"),
            (first, "<p>Because.</p>\n"),
        ]
        assert nobody.ask("/interviews")["rows"][0]["title"] == "Of tea"

        comment = fan.do(f"{path}/comments", text="Thank you <script>alert(1)</script>", cid="c")["comment"]
        assert fan.do(f"{path}/comments", text="Thank you", cid="c")["comment"] == comment
        rows = nobody.ask(f"{path}/comments")["rows"]
        assert [row["html"] for row in rows] == ["<p>Thank you &lt;script&gt;alert(1)&lt;/script&gt;</p>\n"]
        for ref in (f"interview_comment:{comment}", f"interview_answer:{first}", f"interview:{number}"):
            fan.do("/reports", kind="abuse", ref=ref, text="look")
        assert fan.refused("/reports", kind="abuse", ref=f"interview_answer:{second}", text="look")[0] == "NOT_FOUND"
        chief.do(f"/moderation/pieces/interview_comment:{comment}/remove", reason="spam")
        assert nobody.ask(f"{path}/comments")["rows"] == []
        assert nobody.ask(path)["row"]["comments"] == 0
        chief.do(f"/moderation/pieces/interview_question:{first}/remove", reason="spam")
        assert nobody.ask(path)["questions"] == []
        chief.do(f"/moderation/pieces/interview:{number}/remove", reason="spam")
        assert nobody.refused(path, "GET") == ("NOT_FOUND", {})
        chief.do("/admin/editors", user=ids["editor"], on=False)
        assert editor.ask("/interviews")["edit"] is False
