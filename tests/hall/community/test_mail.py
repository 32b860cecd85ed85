"""Mail between people, what the hall writes, and everybody's timeline, over the real server (P-9, P-12, P-76)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.client import Person, Server
from tests.hall.web.conftest import SETTINGS, run
from tests.hall.web.test_pages import Somebody, id_of, keeper, somebody
from tests.stores import beside, settings_of

from qipai import cli

MAILBOX = "[mailbox]\nyoung_per_hour = 6\n"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall with an administrator, where young accounts may send six mails an hour."""
    data: Path = tmp_path_factory.mktemp("mail")
    (data / "hall.toml").write_text(SETTINGS + settings_of(data))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.StringIO("keys of the house\n"))
        assert cli.main(["admin", "first", "keeper", "--data", str(data)]) == 0
    with Server(data, SETTINGS + MAILBOX) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


def words(http: Somebody, other: int) -> list[tuple[bool, str]]:
    return [(row["mine"], row["html"]) for row in http.ask(f"/mail/{other}")["rows"]]


def counts(http: Somebody) -> tuple[int, int]:
    found = http.ask("/me")["counts"]
    return found["mail"], found["news"]


def test_a_thread_is_written_read_and_deleted_by_each_side_alone(house: Server) -> None:
    with somebody(house, "mail1") as one, somebody(house, "mail2") as two, somebody(house, "mail3") as three:
        ids = {http: id_of(http) for http in (one, two, three)}
        first = one.do(f"/mail/{ids[two]}", text="**Friday** at eight?", cid="same-cid")
        again = one.do(f"/mail/{ids[two]}", text="**Friday** at eight?", cid="same-cid")
        assert (first["id"], again["again"]) == (again["id"], True)
        second = two.do(f"/mail/{ids[one]}", text="<b>yes</b> \u202egnp.exe e\u0301\u0301\u0301\u0301")
        assert (first["mine"], first["html"]) == (True, "<p><strong>Friday</strong> at eight?</p>\n")
        # Tags are text, what turns the direction of writing is gone, and accents do not pile up.
        assert second["html"] == "<p>&lt;b&gt;yes&lt;/b&gt; gnp.exe e\u0301\u0301</p>\n"
        assert words(one, ids[two]) == [(False, second["html"]), (True, first["html"])]
        assert (counts(one), counts(two)) == ((1, 0), (1, 0))
        (row,) = one.ask("/mail")["rows"]
        assert (row["user"]["name"], row["unread"], row["mine"], row["excerpt"][:10]) == (
            "mail2",
            1,
            False,
            "<b>yes</b>",
        )
        (notice,) = two.ask("/news")["rows"]
        assert (notice["kind"], notice["path"], notice["read"]) == ("mail", f"/mail/{ids[one]}", False)
        two.do(f"/mail/{ids[one]}/read", until=second["id"])
        assert (counts(two), two.ask("/news")["rows"][0]["read"]) == ((0, 0), True)
        assert (one.ask(f"/mail/{ids[two]}")["seen"], two.ask(f"/mail/{ids[one]}")["seen"]) == (
            second["id"],
            first["id"],
        )
        # One side deletes a mail, then all; the other keeps both.
        assert three.refused(f"/mails/{first['id']}", "DELETE") == ("NOT_FOUND", {})
        one.do(f"/mails/{second['id']}", "DELETE")
        assert (words(one, ids[two]), counts(one)) == ([(True, first["html"])], (0, 0))
        assert one.refused(f"/mails/{second['id']}", "DELETE") == ("NOT_FOUND", {})
        one.do(f"/mail/{ids[two]}", "DELETE")
        assert (one.ask("/mail")["rows"], words(one, ids[two])) == ([], [])
        assert len(words(two, ids[one])) == 2
        one.do(f"/mail/{ids[two]}", text="anew")
        assert words(one, ids[two]) == [(True, "<p>anew</p>\n")]
        page = two.ask(f"/mail/{ids[one]}", limit=2)
        rest = two.ask(f"/mail/{ids[one]}", limit=2, after=page["next"])
        assert [len(page["rows"]), len(rest["rows"]), rest["next"]] == [2, 1, None]
        # What both have deleted is nowhere any more.
        one.do(f"/mail/{ids[two]}", "DELETE")
        two.do(f"/mail/{ids[one]}", "DELETE")
        with beside(house.data) as db:
            who = (ids[one], ids[two])
            assert db.execute("SELECT count(*) FROM mails WHERE one = ? AND two = ?", who).fetchone() == (0,)
        one.do(f"/mail/{ids[three]}", text="to be erased")
        three.do(f"/mail/{ids[one]}", text="stays with me")
        one.do("/me", "DELETE", password="long enough")
        assert words(three, ids[one]) == [(True, "<p>stays with me</p>\n")]
        assert three.ask(f"/mail/{ids[one]}")["closed"] == "NOT_FOUND"
        assert three.refused(f"/mail/{ids[one]}", text="are you there?")[0] == "NOT_FOUND"


def notes(person: Person) -> list[dict[str, Any]]:
    return [message for message in person.other if message["t"] == "note" and message["kind"] == "mail"]


def test_who_may_not_write_is_told_why(house: Server) -> None:
    with somebody(house, "wary1") as one, somebody(house, "wary2") as two, Somebody(base_url=house.url) as guest:
        ids = {http: id_of(http) for http in (one, two)}
        guest.do("/guest")
        to_two, to_one = f"/mail/{ids[two]}", f"/mail/{ids[one]}"
        assert guest.refused(to_two, text="hello")[0] == "SIGN_IN"
        assert guest.refused("/mail", "GET")[0] == "SIGN_IN"
        assert one.refused(to_one, text="to me")[0] == "SELF"
        assert one.refused("/mail/999999", text="x")[0] == "NOT_FOUND"
        assert one.refused("/mail/0", text="dear hall")[0] == "NOT_FOUND"
        for bad in ("", "\u200b \u202e", "x" * 5001):
            assert one.refused(to_two, text=bad)[0] == "BAD_MESSAGE", bad[:9]
        assert one.refused(to_two, text="x" * 10**7)[0] == "TOO_BIG"
        two.do("/blocks", user=ids[one])
        assert (one.refused(to_two, text="x")[0], two.refused(to_one, text="x")[0]) == ("BLOCKED", "BLOCKED")
        assert one.ask(to_two)["closed"] == "BLOCKED"
        two.do(f"/blocks/{ids[one]}", "DELETE")
        # Only friends, nobody; but whoever was written to may answer.
        two.do("/me/settings", "PATCH", mailed_by="friends")
        assert one.refused(to_two, text="x") == ("NOT_ALLOWED", {"case": "mail"})
        for http, other in ((one, two), (two, one)):
            http.do("/friends", user=ids[other])
        one.do(to_two, text="as a friend")
        two.do("/me/settings", "PATCH", mailed_by="nobody")
        assert one.ask(to_two)["closed"] == "NOT_ALLOWED"
        two.do(to_one, text="write if you must")
        for n in range(5):
            one.do(to_two, text=f"mail {n}")
        code, facts = one.refused(to_two, text="one too many")
        assert (code, 0 < facts["wait_ms"] <= 3_600_000) == ("RATE_LIMIT", True)
        assert counts(two)[0] == 6


def test_a_mail_can_be_reported_by_its_reader_and_removed_and_the_hall_says_why(house: Server) -> None:
    with somebody(house, "rude") as rude, somebody(house, "hurt") as hurt, somebody(house, "other") as other:
        mail = rude.do(f"/mail/{id_of(hurt)}", text="an insult")
        ref = f"mail:{mail['id']}"
        assert other.refused("/reports", kind="abuse", ref=ref, text="I read it")[0] == "NOT_FOUND"
        report = hurt.do("/reports", kind="abuse", ref=ref, text="look")["report"]
        with keeper(house) as http:
            piece = http.ask(f"/moderation/reports/{report}")["piece"]
            assert (piece["text"], piece["author"]["name"]) == ("an insult", "rude")
            http.do(f"/moderation/pieces/{ref}/remove", reason="no insults", report=report)
        (row,) = hurt.ask(f"/mail/{id_of(rude)}")["rows"]
        assert (row["removed"], row["html"]) == (True, "")
        # The ruling is a mail of the hall, and stands in the timeline.
        (row,) = rude.ask("/mail/0")["rows"]
        assert (row["kind"], row["facts"]["say"], row["facts"]["reason"]) == (
            "ruling",
            "ui.order.told_remove",
            "no insults",
        )
        assert rude.ask("/mail")["rows"][0]["user"] is None
        assert [row["kind"] for row in rude.ask("/events", kind="order")["rows"]] == ["ruling"]
        assert counts(rude) == (1, 1)
        rude.do("/mail/0/read", until=row["id"])
        rude.do("/notices/read", until=rude.ask("/events")["newest"])
        assert counts(rude) == (0, 0)
        rude.do("/mail/0", "DELETE")
        assert rude.ask("/mail/0")["rows"] == []


def test_the_timeline_has_invitations_followers_contests_and_games(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as one, Person(house, seed=1) as two:
            for person, name in ((one, "timer1"), (two, "timer2")):
                await person.register(name)
                await person.line()
            ids = [(await person.get("/me"))["user"]["id"] for person in (one, two)]
            await two.post("/friends", {"user": ids[0]})
            asked = {"game": "xiangqi", "clock": {"type": "days", "days": 3}, "to": ids[0], "rated": True}
            letter = await two.post("/invites", asked)
            table = (await one.post(f"/invites/{letter['id']}/accept", {}))["table"]
            at = await one.join(table)
            await at.act({"a": "resign"})
            await two.join(table)
            kinds = [row["kind"] for row in (await one.get("/events"))["rows"]]
            assert kinds == ["game", "invite", "friend"]
            game, invite, friend = (await one.get("/events"))["rows"]
            assert (game["facts"]["game"], game["path"][:3], game["read"]) == ("xiangqi", "/g/", True)
            assert (invite["facts"]["say"], invite["facts"]["name"]) == ("ui.meet.has_come", "timer2")
            assert (friend["path"], friend["facts"]["say"]) == (f"/users/{ids[1]}", "ui.people.befriended")
            first = await one.get("/events?limit=2")
            rest = await one.get(f"/events?limit=2&after={first['next']}")
            assert [row["kind"] for row in first["rows"] + rest["rows"]] == kinds
            assert rest["next"] is None
            assert [row["kind"] for row in (await one.get("/events?kind=people"))["rows"]] == ["friend"]
            assert [row["kind"] for row in (await one.get("/events?kind=games"))["rows"]] == ["game"]
            taken = (await two.get("/events?kind=invites"))["rows"]
            assert [row["facts"]["say"] for row in taken] == ["ui.meet.taken"]
            # A mail that comes while one is here is told at once.
            mail = await two.post(f"/mail/{ids[0]}", {"text": "well played"})
            note = await one.until(lambda: [one for one in notes(one) if one["facts"]["what"] == "mail"])
            assert (note[-1]["facts"]["path"], note[-1]["counts"]["mail"]) == (f"/mail/{ids[1]}", 1)
            pond = await two.post("/ponds", {"form": {"name": "Lake", "least": 3, "most": 9}})
            await one.post(f"/ponds/{pond['number']}/enter", {})
            await two.post(f"/ponds/{pond['number']}/cancel", {})
            (row,) = (await one.get("/events?kind=contests"))["rows"]
            assert (row["facts"]["say"], row["path"]) == ("ui.contest.cancelled", f"/ponds/{pond['number']}")
            assert mail["mine"]

    run(visit)
    with Somebody(base_url=house.url) as nobody:
        assert nobody.refused("/events", "GET")[0] == "SIGN_IN"


def test_a_kill_between_a_mail_and_its_notice_loses_neither(tmp_path: Path) -> None:
    with Server(tmp_path / "hall", SETTINGS) as server:
        with somebody(server, "before1") as one, somebody(server, "before2") as two:
            to = id_of(two)
            one.do(f"/mail/{to}", text="first", cid="a")
            with beside(server.data) as db:
                db.execute("UPDATE notices SET told = 0")  # as if the hall had died before it could tell
            server.kill()
        server.start()
        with somebody(server, "before2", new=False) as two, somebody(server, "before1", new=False) as one:
            assert counts(two) == (1, 0)
            assert [row["kind"] for row in two.ask("/news")["rows"]] == ["mail"]
            # The same command after the kill is the same mail.
            one.do(f"/mail/{to}", text="first", cid="a")
            assert len(words(two, id_of(one))) == 1
