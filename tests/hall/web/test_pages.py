"""The calls behind the hall's pages: what one has, shop, codes, rankings, order, other people (platform P-112)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.client import Calls, Person, Refused, Server, called
from tests.figures import given, listed
from tests.hall.web.conftest import SETTINGS, run, shared
from tests.stores import settings_of

from qipai import cli

pytestmark = pytest.mark.slow

API = "/api/v1"


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall with an administrator 'keeper' and people to be."""
    data = tmp_path_factory.mktemp("pages")
    (data / "hall.toml").write_text(SETTINGS + settings_of(data))
    with pytest.MonkeyPatch.context() as patch:
        import io

        patch.setattr("sys.stdin", io.StringIO("keys of the house\n"))
        assert cli.main(["admin", "first", "keeper", "--data", str(data)]) == 0
    with shared(request, data, SETTINGS) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


class Somebody(Calls):
    """Somebody signed in."""

    def ask(self, path: str, **query: Any) -> Any:
        answer = self.get(f"{API}{path}", params=query)
        assert answer.status_code == 200, (path, answer.text)
        return answer.json()

    def do(self, path: str, method: str = "POST", **body: Any) -> Any:
        answer = self.request(method, f"{API}{path}", json=body)
        assert answer.status_code == 200, (path, answer.text)
        return answer.json()

    def refused(self, path: str, method: str = "POST", **body: Any) -> tuple[str, dict[str, Any]]:
        answer = self.request(method, f"{API}{path}", json=None if method == "GET" else body)
        assert answer.status_code >= 400, answer.text
        error = answer.json()["error"]
        return error["code"], error["facts"]


@contextmanager
def somebody(house: Server, name: str, *, new: bool = True, password: str = "long enough") -> Iterator[Somebody]:
    with Somebody(base_url=house.url, timeout=60) as http:
        http.do("/register" if new else "/login", name=name, password=password)
        yield http


def keeper(house: Server) -> Any:
    return somebody(house, "keeper", new=False, password="keys of the house")


def id_of(http: Somebody) -> int:
    return int(http.ask("/me")["user"]["id"])


def test_who_registers_has_the_trial_coins_once(house: Server) -> None:
    with somebody(house, "wallet1") as http:
        assert (http.ask("/me")["coins"], http.ask("/me")["hearts"]) == (200, 0)
        found = http.ask("/ledger")
        assert [(row["amount"], row["reason"]) for row in found["rows"]] == [(200, "trial")]
        assert (found["coins"], found["next"]) == (200, None)
        assert http.refused("/shop", item="reset_score", game="xiangqi") == ("NOTHING_TO_RESET", {})
        assert http.refused("/shop", item="reset_score", game="chess") == ("BAD_OPTION", {"field": "game"})
        assert http.refused("/shop", item="hearts_to_coins") == ("INSUFFICIENT_HEARTS", {"need": 1, "have": 0})
        assert http.refused("/shop", item="member_days", qty=101) == ("INSUFFICIENT_COINS", {"need": 202, "have": 200})
        assert http.refused("/shop", item="member_days", qty=0) == ("BAD_QTY", {})
        assert http.refused("/shop", item="member_days", qty=1.5)[0] == "BAD_MESSAGE"
        got = http.do("/shop", item="member_days", qty=10, cid="days")
        assert got["coins"] == 180
        again = http.do("/shop", item="member_days", qty=10, cid="days")
        assert again["coins"] == 180
        assert again.get("again") or house.dying  # another node pays once, too, and does not say so
        assert http.ask("/shop")["member_until"] == got["member_until"]
        assert [row["amount"] for row in http.ask("/ledger", reason="member_days")["rows"]] == [-20]
        page = http.ask("/ledger", limit=1)
        assert http.ask("/ledger", limit=1, after=page["next"])["rows"][0]["reason"] == "trial"
    with Somebody(base_url=house.url) as guest:
        guest.do("/guest")
        assert guest.refused("/ledger", "GET")[0] == "SIGN_IN"
        assert guest.ask("/me")["coins"] == 0


def test_codes_are_made_by_administrators_and_used_once_by_each(house: Server) -> None:
    with keeper(house) as boss, somebody(house, "codes1") as one, somebody(house, "codes2") as two:
        assert one.refused("/admin/codes", coins=5)[0] == "NOT_ALLOWED"
        assert boss.refused("/admin/codes")[0] == "BAD_QTY"
        assert boss.do("/admin/codes", code="CLASS", coins=20, hearts=1, uses=2)["code"] == "CLASS"
        assert boss.refused("/admin/codes", code="CLASS", coins=20)[0] == "NAME_TAKEN"
        old = boss.do("/admin/codes", coins=1, expires="2020-01-01")["code"]
        assert len(old) == 14
        assert one.refused("/redeem", code="NOPE")[0] == "NO_SUCH_CODE"
        assert one.refused("/redeem", code=old)[0] == "CODE_EXPIRED"
        got = one.do("/redeem", code="CLASS")
        assert (got["coins"], got["hearts"], got["got"]) == (220, 1, {"coins": 20, "hearts": 1, "member_days": 0})
        assert one.refused("/redeem", code="CLASS")[0] == "CODE_USED"
        assert two.do("/redeem", code="CLASS")["coins"] == 220
        assert one.do("/shop", item="hearts_to_coins")["coins"] == 230
        for _ in range(6):
            assert one.refused("/redeem", code="NOPE")[0] == "NO_SUCH_CODE"
        code, facts = one.refused("/redeem", code="NOPE")
        assert code == "RATE_LIMIT"
        assert facts["wait_ms"] > 0


def test_grants_are_for_administrators_and_stand_in_the_audit(house: Server) -> None:
    with keeper(house) as boss, somebody(house, "granted") as one:
        mine = id_of(one)
        assert one.refused("/admin/grants", user=mine, amount=5, note="me")[0] == "NOT_ALLOWED"
        assert boss.do("/admin/grants", user=mine, amount=5, note="prize")["coins"] == 205
        assert boss.refused("/admin/grants", user=mine, amount=-500, note="too much")[0] == "BAD_QTY"
        assert boss.refused("/admin/grants", user=10**9, amount=5, note="nobody")[0] == "NOT_FOUND"
        rows = boss.ask("/moderation/audit")["rows"]
        assert rows[0]["type"] == "wallet.granted"
        assert rows[0]["actor"]["name"] == "keeper"
        assert (rows[0]["data"]["amount"], rows[0]["data"]["ref"]) == (5, "prize")
        assert one.refused("/moderation/audit", "GET")[0] == "NOT_ALLOWED"
        assert any(row["type"] == "config.changed" for row in boss.ask("/moderation/audit", limit=200)["rows"])


def test_a_token_does_what_its_scope_covers_and_nothing_of_the_order(house: Server) -> None:
    with keeper(house) as boss:
        token = boss.do("/tokens", name="watcher", scopes=["watch"])["token"]
    with Somebody(base_url=house.url, headers={"authorization": f"Bearer {token}"}) as program:
        assert program.ask("/me")["role"] == "admin"
        for path, body in (
            ("/shop", {"item": "song"}),
            ("/redeem", {"code": "x"}),
            ("/admin/grants", {"user": 1, "amount": 5, "note": "x"}),
            ("/moderation/users/1", {"what": "ban", "reason": "x"}),
            ("/blocks", {"user": 1}),
        ):
            assert program.refused(path, **body)[0] == "NOT_ALLOWED", path


def test_rankings_and_profiles_show_who_played(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as red, Person(house) as black:
            for person, name in ((red, "rankone"), (black, "ranktwo")):
                await person.register(name)
                await person.line()
            rooms = (await red.get("/rooms?game=xiangqi"))["rows"]
            number = 100 * next(row["room"] for row in rooms if row["kind"] == "score") + 1
            tables = [await person.join(number) for person in (red, black)]
            for seat, table in enumerate(tables):
                await table.do("sit", seat=seat)
            for table in tables:
                await table.do("ready", on=True)
            await tables[1].until(lambda table: table.view)
            for seat, move in ((0, "h2e2"), (1, "h9g7"), (0, "h0g2"), (1, "i9h9")):
                await tables[seat].until(lambda table: table.ask)
                await tables[seat].act({"a": "move", "m": move})
            await tables[1].act({"a": "resign"})
            await tables[0].until(lambda table: table.result)
            found = await red.get("/rankings/xiangqi?by=score")
            assert [(row["rank"], row["user"]["name"], row["value"]) for row in found["rows"]] == [
                (1, "rankone", 2),
                (2, "ranktwo", -2),
            ]
            assert found["rows"][0]["detail"] == {"grade": 1, "won": 1, "lost": 0, "drawn": 0}
            assert (found["of"], found["club"]) == ("people", None)
            # Of a club its members alone, with places among themselves (P-40).
            club = (await black.post("/clubs", {"name": "Rank Club"}))["club"]["id"]
            ours = await red.get(f"/rankings/xiangqi?by=score&club={club}")
            assert [(row["rank"], row["user"]["name"]) for row in ours["rows"]] == [(1, "ranktwo")]
            assert (ours["club"], ours["next"]) == ({"id": club, "name": "Rank Club"}, None)
            for by in ("rating", "pass"):
                assert (await red.get(f"/rankings/xiangqi?by={by}&club={club}"))["rows"] == []
            for wrong, code in (("999", "NOT_FOUND"), ("x", "BAD_MESSAGE"), ("0", "BAD_MESSAGE")):
                with pytest.raises(Refused, match=code):
                    await red.get(f"/rankings/xiangqi?club={wrong}")
            rated = await red.get("/rankings/xiangqi?by=rating")
            assert (rated["pools"], rated["rows"]) == (["xiangqi"], [])  # both are provisional
            shown = await red.get(f"/users/{found['rows'][0]['user']['id']}")
            assert shown["ratings"]["xiangqi"]["rating"] == 1662
            assert shown["ratings"]["xiangqi"]["sure"] is False
            assert (shown["online"], shown["table"], shown["scores"]["xiangqi"]["won"]) == (True, number, 1)
            home = await red.get("/home")
            assert [(row["table"], row["game"], row["turn"]) for row in home["tables"]] == [(number, "xiangqi", False)]
            online = (await red.get("/online"))["rows"]
            assert [(row["user"]["name"], row["doing"], row["table"]) for row in online] == [
                ("rankone", "seated", number),
                ("ranktwo", "seated", number),
            ]
            numbers = await red.get("/statistics")
            all_of_them = {"count": 1, "percent": "100.00"}
            assert numbers["rows"] == [
                {"game": "xiangqi", "games": 1, "wins": {"0": all_of_them}, "reasons": {"resign": all_of_them}}
            ]
            assert numbers["peak"] >= 2
            met = (await black.get("/online?of=opponents"))["rows"]
            assert [(row["user"]["name"], row["met"]) for row in met] == [("rankone", 1)]

    run(visit)


def test_a_song_is_heard_by_the_room_once_a_minute(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as singer, Person(house) as other, Person(house) as deaf:
            for person, name in ((singer, "singer"), (other, "listener"), (deaf, "deaf")):
                await person.register(name)
                await person.line()
            room = (await singer.get("/rooms?game=xiangqi"))["rows"][0]["room"]
            song = {"item": "song", "room": room, "tune": "jasmine", "text": "<i>for all</i>"}
            with pytest.raises(Refused, match="NOT_FOUND"):
                await singer.post("/shop", song)

            def songs(person: Person) -> list[Any]:
                return [line for line in person.other if line["t"] == "chat" and line.get("code") == "song"]

            for person in (singer, other, deaf):
                await person.say({"t": "enter", "room": room})
                await person.until(lambda person=person: any(one["t"] == "room" for one in person.other))  # type: ignore[misc]
            me = await singer.get("/me")
            await deaf.post("/blocks", {"user": me["user"]["id"]})
            with pytest.raises(Refused, match="BAD_OPTION"):
                await singer.post("/shop", {**song, "tune": "noise"})
            assert (await singer.post("/shop", song))["coins"] == 195
            await other.until(lambda: songs(other))
            assert songs(other)[0]["facts"] == {"by": "singer", "tune": "jasmine", "to": None, "text": "<i>for all</i>"}
            with pytest.raises(Refused, match="COOLDOWN"):
                await singer.post("/shop", song)
            assert (await singer.get("/me"))["coins"] == 195
            assert songs(deaf) == []

    run(visit)


@pytest.mark.calm
def test_pages_that_need_nobody_are_there(house: Server) -> None:
    with Somebody(base_url=house.url) as http:
        grades = http.ask("/grades")
        assert [row["grade"] for row in grades["rows"]] == list(range(14))
        assert (grades["rows"][13]["least"], grades["mine"]) == (51200, {})
        assert http.ask("/passes")["record_coins"] == 10
        assert http.ask("/passes/collusion", n=5, m=6, x=6) == {"users": 7776, "games": 233250, "series": 46650}
        assert http.refused("/passes/collusion?n=5&m=6", "GET") == ("BAD_MESSAGE", {"field": "x"})
        assert http.refused("/passes/collusion?n=5&m=13&x=2", "GET") == ("BAD_MESSAGE", {"field": "m"})
        first = http.ask("/games")["rows"][0]["game"]
        for by in ("score", "rating", "pass"):
            found = http.ask("/rankings/xiangqi", by=by)
            assert (found["by"], found["game"]) == (by, "xiangqi")
            assert http.ask("/rankings", by=by) == http.ask(f"/rankings/{first}", by=by)
            assert http.ask("/rankings", by=by)["game"] == first
        assert http.refused("/rankings?by=luck", "GET") == ("BAD_OPTION", {"field": "by"})
        assert http.refused("/rankings/xiangqi?by=luck", "GET") == ("BAD_OPTION", {"field": "by"})
        assert http.refused("/rankings/chess", "GET")[0] == "NOT_FOUND"
        assert http.ask("/statistics")["users"] >= 1
        assert http.ask("/online")["rows"] == []
        assert called("GET", f"{house.url}/metrics").status_code == 404  # the token is in the hall's folder
        metrics = house.metrics()
        assert given(metrics) == listed("hall", "all", *(("nodes",) if house.anywhere else ()))
        refused = dict(re.findall(r'^qipai_refusals_total\{code="(\w+)"\} (\d+)$', metrics, re.M))
        assert int(refused["BAD_MESSAGE"]) >= 2
        calls = dict(re.findall(r'^qipai_calls_total\{status="(\d+)"\} (\d+)$', metrics, re.M))
        assert int(calls["200"]) >= 5
        assert f"qipai_call_seconds_count {sum(map(int, calls.values()))}\n" in metrics
        assert int(re.findall(r"^qipai_store_commit_seconds_count (\d+)$", metrics, re.M)[0]) >= 1
        assert int(re.findall(r"^qipai_disk_free_bytes (\d+)$", metrics, re.M)[0]) > 0
        assert 'qipai_tables{state="playing"} 0' in metrics


def test_players_are_found_by_a_part_of_their_name(house: Server) -> None:
    with somebody(house, "Findable海") as me, Somebody(base_url=house.url) as http:
        rows = http.ask("/players", name="FINDABLE")["rows"]
        assert [row["user"]["name"] for row in rows] == ["Findable海"]
        assert rows[0]["online"] is False
        shown = http.ask(f"/users/{rows[0]['user']['id']}")
        assert (shown["role"], shown["credibility"], shown["coins"]) == ("user", 100, None)
        assert http.ask("/players", online="true")["rows"] == []
        assert [row["user"]["id"] for row in http.ask("/players", name="findable", grade=0)["rows"]] == [id_of(me)]
        assert http.ask("/players", name="findable", grade=1)["rows"] == []
        me.do("/me/profile", "PATCH", country="CN")
        assert [row["user"]["id"] for row in http.ask("/players", name="findable", country="CN")["rows"]] == [id_of(me)]
        assert http.ask("/players", name="findable", country="DE")["rows"] == []
        assert http.refused("/players?country=XX", "GET") == ("BAD_OPTION", {"field": "country"})
        me.do("/me/settings", "PATCH", show_country="me")
        assert http.ask("/players", name="findable", country="CN")["rows"] == []
        assert http.refused("/players?grade=14", "GET") == ("BAD_MESSAGE", {"field": "grade"})
        assert http.refused("/players?grade=1&game=chess", "GET") == ("BAD_OPTION", {"field": "game"})
        first = http.ask("/players", limit=1)
        assert first["next"] == "1"
        assert http.ask("/players", limit=1, after=1)["rows"] != first["rows"]
        assert http.refused("/users/999999", "GET")[0] == "NOT_FOUND"


def test_friends_and_blocks(house: Server) -> None:
    with somebody(house, "friend1") as one, somebody(house, "friend2") as two:
        first, second = id_of(one), id_of(two)
        assert one.ask("/friends")["rows"] == []
        assert one.refused("/friends", user=first)[0] == "SELF"
        assert one.refused("/friends", user=10**9)[0] == "NOT_FOUND"
        one.do("/friends", user=second)
        assert [(row["user"]["id"], row["mutual"]) for row in one.ask("/friends")["rows"]] == [(second, False)]
        two.do("/friends", user=first)
        assert one.ask("/friends")["rows"][0]["mutual"] is True
        assert one.ask("/home")["friends"] == []  # he has no line
        one.do("/blocks", user=second)
        assert one.ask("/friends")["rows"] == []
        assert [row["id"] for row in one.ask("/blocks")["rows"]] == [second]
        assert one.ask("/friends/blocked") == one.ask("/blocks")
        assert two.refused("/friends", user=first)[0] == "BLOCKED"
        one.do(f"/blocks/{second}", "DELETE")
        assert one.ask("/blocks")["rows"] == []
        two.do(f"/friends/{first}", "DELETE")
        assert two.ask("/friends")["rows"] == []


def test_groups_of_friends_are_for_invitations(house: Server) -> None:
    with somebody(house, "grouper") as one, somebody(house, "grouped") as two, somebody(house, "ungrouped") as three:
        second, third = id_of(two), id_of(three)
        one.do("/friends", user=second)
        assert one.refused("/groups", name="club", users=[third])[0] == "NOT_FOUND"  # whom I do not follow
        assert one.refused("/groups", name="  ") == ("BAD_MESSAGE", {"field": "name"})
        made = one.do("/groups", name=" club ", users=[second, second])
        assert (made["name"], [user["id"] for user in made["users"]]) == ("club", [second])
        assert one.ask("/groups")["rows"] == [made]
        assert one.ask("/friends/groups") == one.ask("/groups")
        assert two.ask("/groups")["rows"] == []
        assert two.refused(f"/groups/{made['id']}", name="mine")[0] == "NOT_FOUND"
        row = one.do("/invites", game="xiangqi", group=made["id"], colour="theirs", note="come")
        assert (row["group"], row["group_name"], row["mine"], row["refusal"]) == (1, "club", True, None)
        (seen,) = two.ask("/invites")["rows"]
        assert (seen["group"], seen["group_name"], seen["mine"], seen["seats"], seen["taken"]) == (1, None, False, 2, 0)
        assert (two.ask("/me")["counts"]["invites"], two.ask("/me")["invitations"]) == (1, 1)
        assert three.ask("/invites")["rows"] == []
        assert three.refused(f"/invites/{row['id']}/accept") == ("NOT_FOR_YOU", {})
        assert three.refused(f"/invites/{row['id']}/decline") == ("NOT_FOR_YOU", {})
        # Whom I follow no more is in no group of mine; nobody is invited with an empty one.
        one.do(f"/friends/{second}", "DELETE")
        assert one.ask("/groups")["rows"][0]["users"] == []
        assert one.refused("/invites", game="xiangqi", group=made["id"]) == ("BAD_OPTION", {"field": "group"})
        assert one.refused("/invites", game="xiangqi", group=10**9)[0] == "NOT_FOUND"
        assert one.do(f"/groups/{made['id']}", name="kin")["name"] == "kin"
        one.do(f"/groups/{made['id']}", "DELETE")
        assert one.refused(f"/groups/{made['id']}", "DELETE")[0] == "NOT_FOUND"
        two.do(f"/invites/{row['id']}/decline")
        assert two.ask("/me")["counts"]["invites"] == 0
        assert one.ask("/invites")["rows"] == []


def test_an_invitation_says_all_it_asks_and_why_it_cannot_be_taken(house: Server) -> None:
    with somebody(house, "asking") as one, somebody(house, "asked1") as two:
        options = {"min_games": 3, "watchers": False}
        row = one.do("/invites", game="xiangqi", rated=True, rating_min=1600, options=options, clock=None)
        assert (row["options"], row["clock"]["type"], row["colour"]) == (options, "stages", "random")
        (seen,) = [each for each in two.ask("/invites")["rows"] if each["id"] == row["id"]]
        facts = {"least": 1600, "most": 9999, "have": 1500}
        assert seen["refusal"] == {"code": "RATING_RANGE", "facts": facts}
        assert two.refused(f"/invites/{row['id']}/accept") == ("RATING_RANGE", facts)
        assert one.refused("/invites", game="gouji", colour="mine") == ("BAD_OPTION", {"field": "colour"})
        assert one.refused("/invites", game="xiangqi", preset="small") == ("BAD_OPTION", {"field": "preset"})
        assert one.refused("/invites", game="xiangqi", seats=3) == ("BAD_OPTION", {"field": "seats"})


def test_who_plays_a_bot_may_leave_it_the_first_seat(house: Server) -> None:
    with somebody(house, "second1") as http:
        assert http.do("/play", game="xiangqi", colour="theirs")["seat"] == 1
        assert http.do("/play", game="xiangqi", colour="mine")["seat"] == 0


def test_a_report_goes_through_the_queue_and_a_ban_shuts_the_door(house: Server) -> None:
    with keeper(house) as boss, somebody(house, "reporter") as one, somebody(house, "rude") as two:
        rude = id_of(two)
        assert one.refused("/moderation/reports", "GET")[0] == "NOT_ALLOWED"
        number = one.do("/reports", kind="abuse", user=rude, ref="room:1", text="<b>bad words</b>")["report"]
        assert one.refused("/reports", kind="abuse", user=10**9, text="x")[0] == "NOT_FOUND"
        assert one.refused("/reports", kind="boredom", text="x")[0] == "BAD_MESSAGE"
        row = next(row for row in boss.ask("/moderation/reports")["rows"] if row["id"] == number)
        assert (row["by"]["name"], row["user"]["name"], row["text"]) == ("reporter", "rude", "<b>bad words</b>")
        until = boss.do(f"/moderation/users/{rude}", what="ban", reason="bad words", hours=2, report=number)["until"]
        assert until > 0
        assert two.refused("/me", "GET") == ("BANNED", {"until": until})
        assert two.refused("/login", name="rude", password="long enough") == ("BANNED", {"until": until})
        done = boss.ask("/moderation/reports", state="done")["rows"]
        assert [(row["id"], row["answer"], row["moderator"]["name"]) for row in done] == [
            (number, "bad words", "keeper")
        ]
        boss.do(f"/moderation/users/{rude}", what="unban", reason="enough")
        two.do("/login", name="rude", password="long enough")
        assert boss.refused(f"/moderation/users/{id_of(boss)}", what="ban", reason="x")[0] == "SELF"
        assert one.refused(f"/moderation/users/{rude}", what="mute", reason="x")[0] == "NOT_ALLOWED"
        other = one.do("/reports", kind="contact", text="hello")["report"]
        boss.do(f"/moderation/reports/{other}/dismiss", reason="thanks")
        assert boss.refused(f"/moderation/reports/{other}/dismiss", reason="thanks")[0] == "NOT_FOUND"
        acts = [
            row["data"]["what"] for row in boss.ask("/moderation/audit")["rows"] if row["type"] == "moderation.acted"
        ]
        assert acts[:2] == ["unban", "ban"]


def test_a_role_is_given_by_an_administrator_and_counts_at_once(house: Server) -> None:
    with keeper(house) as boss, somebody(house, "helpful") as one:
        assert one.refused("/admin/roles", user=id_of(one), role="admin")[0] == "NOT_ALLOWED"
        boss.do("/admin/roles", user=id_of(one), role="moderator")
        assert one.ask("/me")["role"] == "moderator"
        assert one.ask("/moderation/reports")["rows"] is not None
        assert one.refused("/admin/grants", user=id_of(one), amount=5, note="x")[0] == "NOT_ALLOWED"
        assert one.refused(f"/moderation/users/{id_of(boss)}", what="mute", reason="x")[0] == "NOT_ALLOWED"
        boss.do("/admin/roles", user=id_of(one), role="user")
        assert one.refused("/moderation/reports", "GET")[0] == "NOT_ALLOWED"


def test_a_hall_without_coins_has_none_of_their_pages(tmp_path: Path) -> None:
    with Server(tmp_path / "hall", SETTINGS + "[coins]\nenabled = false\n") as server:
        with somebody(server, "nocoins") as http:
            assert (http.ask("/me")["coins"], http.ask("/me")["hearts"]) == (None, None)
            for path in ("/ledger", "/shop"):
                assert http.refused(path, "GET")[0] == "NOT_FOUND"
            assert http.refused("/redeem", code="X")[0] == "NOT_FOUND"
            assert "coin" not in {row["kind"] for row in http.ask("/rooms")["rows"]}
            passes = http.ask("/passes")
            assert (passes["record_coins"], passes["month_coins"]) == (0, 0)
        assert server.stop() == 0


def test_the_board_of_the_day_has_a_table_of_results(house: Server) -> None:
    path = "/games/lianliankan/daily"
    with Somebody(base_url=house.url, timeout=60) as http:
        empty = http.ask(path)
        assert (empty["game"], empty["day"], empty["rows"]) == ("lianliankan", empty["today"], [])
        assert http.ask("/games/lianliankan")["daily"] == "daily"
        assert http.refused("/games/xiangqi/daily", "GET")[0] == "NOT_FOUND"
        assert http.refused(f"{path}?day=yesterday", "GET") == ("BAD_MESSAGE", {"field": "day"})

    async def begun(name: str, **settings: Any) -> int:
        async with Person(house) as one:
            await one.register(name)
            await one.call("PATCH", "/me/settings", settings)
            options = {"daily": empty["today"]}
            table = (await one.post("/play", {"game": "lianliankan", "seats": 1, "options": options}))["table"]
            await one.line()
            await (await one.join(table)).until(lambda seen: seen.at.get("game") is not None)
            return int(one.user["id"])

    async def both() -> list[int]:
        return [await begun("dawn"), await begun("dusk", show_games="me")]

    dawn, dusk = run(both)
    with Somebody(base_url=house.url, timeout=60) as http:
        (row,) = http.ask(path)["rows"]  # dusk shows his games to nobody
        assert (row["user"]["id"], row["user"]["name"], row["rank"], row["ms"]) == (dawn, "dawn", None, None)
        assert not http.ask(path, day="2020-02-29")["rows"]
        assert dusk != dawn
