"""Clubs over the wire: ranks and what each may do, closed doors, bans, the last boss, teams and their challenges."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.client import Server
from tests.hall.web.conftest import SETTINGS
from tests.hall.web.test_contests import CUP
from tests.hall.web.test_pages import Somebody, id_of, somebody

from qipai import cli

TERMS = {"game": "xiangqi", "clock": {"type": "days", "days": 3}, "rated": False}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall that these tests share."""
    with Server(tmp_path_factory.mktemp("clubs"), SETTINGS + "[members]\npawn_clubs = 2\n") as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


@pytest.fixture
def people(house: Server, request: pytest.FixtureRequest) -> Iterator[list[Somebody]]:
    """Four people of a test's own."""
    with ExitStack() as stack:
        name = request.node.name.removeprefix("test_")[:10]
        yield [stack.enter_context(somebody(house, f"{name}{no}")) for no in range(4)]


def kinds(http: Somebody) -> list[str]:
    return [row["kind"] for row in http.ask("/notices")["rows"]]


def ranks(http: Somebody, club: int) -> dict[str, str]:
    return {row["user"]["name"]: row["rank"] for row in http.ask(f"/clubs/{club}/people")["rows"]}


def test_found_and_join(house: Server, people: list[Somebody]) -> None:
    boss, one, two, _ = people
    made = boss.do("/clubs", name="Tea House", text="**Hello**", closed=True, cid="found-1")
    assert boss.do("/clubs", name="Tea House", text="**Hello**", closed=True, cid="found-1")["club"] == made["club"]
    club, path = made["club"]["id"], f"/clubs/{made['club']['id']}"
    assert (made["club"]["rank"], made["club"]["people"], made["html"]) == (
        "boss",
        1,
        "<p><strong>Hello</strong></p>\n",
    )
    assert one.refused("/clubs", name="TEA  house")[0] == "NAME_TAKEN"
    assert one.refused("/clubs", name="…")[0] == "NAME_BAD"
    assert one.refused("/clubs", name="x" * 25)[0] == "NAME_BAD"
    with Somebody(base_url=house.url) as guest:
        guest.do("/guest")
        assert guest.refused("/clubs", name="Guests")[0] == "SIGN_IN"
        assert guest.refused(f"{path}/join")[0] == "SIGN_IN"
        shown = guest.ask(path)
        assert (shown["club"]["rank"], shown["text"], shown["door"]) == (None, None, None)
    # A closed door: asked, told of once, answered once.
    assert [one.do(f"{path}/join")["door"] for _ in range(2)] == ["asked", "asked"]
    one.do(f"{path}/leave")  # and asked again, which is told of once a day
    assert one.do(f"{path}/join")["door"] == "asked"
    assert kinds(boss) == ["club_asked"]
    assert boss.ask(path)["waiting"] == 1
    assert one.refused(f"{path}/answer", user=id_of(one), accept=True)[0] == "NOT_MEMBER"
    rows = boss.do(f"{path}/answer", user=id_of(one), accept=True)
    assert [row["user"]["name"] for row in rows["rows"]] == ["found_and_0", "found_and_1"]
    assert boss.do(f"{path}/answer", user=id_of(one), accept=True)["doors"] == []
    assert kinds(one) == ["club_accepted"]
    # Two who ask at once wait both; when the door opens, both are in.
    with ThreadPoolExecutor() as pool:
        asked = [pool.submit(each.do, f"{path}/join") for each in people[2:]]
        assert [each.result()["door"] for each in asked] == ["asked", "asked"]
    boss.do(f"{path}/answer", user=id_of(two), accept=False)
    assert boss.refused(f"{path}/answer", user=id_of(two), accept=True)[0] == "OFFER_GONE"
    boss.do(path, name="Tea House", text="", closed=False)
    assert len(ranks(boss, club)) == 3
    assert two.do(f"{path}/join")["club"]["rank"] == "member"
    assert [row["name"] for row in two.ask("/clubs", user=id_of(two))["rows"]] == ["Tea House"]
    boss.do("/clubs", name="Second house")
    assert boss.refused("/clubs", name="Third house") == ("LIMIT_REACHED", {"case": "clubs", "most": 2})
    assert [row["name"] for row in boss.ask("/clubs", name="second")["rows"]] == ["Second house"]


def test_ranks_and_bans(people: list[Somebody]) -> None:
    boss, manager, member, _ = people
    club = boss.do("/clubs", name="Ranks")["club"]["id"]
    path = f"/clubs/{club}"
    for each in (manager, member):
        each.do(f"{path}/join")
    boss.do(f"{path}/rank", user=id_of(manager), rank="manager")
    for who, call, body in (
        (manager, "rank", {"user": id_of(member), "rank": "boss"}),
        (manager, "ban", {"user": id_of(member)}),
        (manager, "news", {"title": "t", "text": "t"}),
        (member, "teams", {"game": "xiangqi", "name": "Team"}),
    ):
        assert who.refused(f"{path}/{call}", **body)[0] == "RANK_TOO_LOW"
    assert boss.refused(f"{path}/rank", user=id_of(boss), rank="member")[0] == "LAST_BOSS"
    assert boss.refused(f"{path}/leave")[0] == "LAST_BOSS"
    boss.do(f"{path}/news", title="Friday", text="@ranks_and_2 brings tea", cid="news-1")
    boss.do(f"{path}/news", title="Friday", text="@ranks_and_2 brings tea", cid="news-1")
    (news,) = member.ask(f"{path}/news")["rows"]
    assert (news["title"], news["author"]["name"]) == ("Friday", "ranks_and_0")
    assert kinds(member) == ["club_news"]
    assert f"/users/{id_of(member)}" in news["html"]
    # Who is banned is out of teams, boards and talk, and may not come back before the ban is lifted.
    boss.do(f"{path}/ban", user=id_of(member))
    assert member.refused(f"{path}/join")[0] == "BANNED"
    assert (member.ask(path)["door"], ranks(boss, club)) == (
        "banned",
        {"ranks_and_0": "boss", "ranks_and_1": "manager"},
    )
    boss.do(f"{path}/ban", user=id_of(member), on=False)
    assert member.do(f"{path}/join")["club"]["rank"] == "member"
    boss.do(f"{path}/rank", user=id_of(manager), rank="boss")
    assert boss.refused(f"{path}/ban", user=id_of(manager))[0] == "RANK_TOO_LOW"
    boss.do(f"{path}/leave")
    assert ranks(member, club) == {"ranks_and_1": "boss", "ranks_and_2": "member"}


def test_last_boss_deleted(people: list[Somebody]) -> None:
    boss, manager, member, last = people
    club = boss.do("/clubs", name="Heirs", text="Who comes after")["club"]["id"]
    path = f"/clubs/{club}"
    for each in (member, manager):
        each.do(f"{path}/join")
    boss.do(f"{path}/rank", user=id_of(manager), rank="manager")
    boss.do("/me", "DELETE", password="long enough")
    assert ranks(member, club) == {"last_boss_1": "boss", "last_boss_2": "member"}
    assert member.ask(path)["founder"] is None
    assert kinds(manager)[0] == "club_rank_boss"
    alone = last.do("/clubs", name="Alone")["club"]["id"]
    last.do("/me", "DELETE", password="long enough")
    assert member.refused(f"/clubs/{alone}", "GET")[0] == "NOT_FOUND"


def test_what_only_members_play_in(people: list[Somebody]) -> None:
    boss, member, other, _ = people
    club = boss.do("/clubs", name="Players")["club"]["id"]
    path = f"/clubs/{club}"
    member.do(f"{path}/join")
    # Its board bears its name, also before anybody has written there.
    board = boss.ask(f"/boards/club-{club}")["board"]
    assert (board["club"], board["name"]) == (club, "Players")
    thread = boss.do(f"/boards/club-{club}", title="Friday", text="Who comes?")["thread"]
    assert boss.ask(f"/threads/{thread}")["thread"]["board_name"] == "Players"
    form = {**CUP, "name": "Club cup", "terms": TERMS, "club": club}
    assert member.refused("/tournaments", form=form)[0] == "RANK_TOO_LOW"
    cup = boss.do("/tournaments", form=form)["number"]
    assert other.refused(f"/tournaments/{cup}/enter") == ("NOT_MEMBER", {"case": "club"})
    member.do(f"/tournaments/{cup}/enter")
    assert [row["number"] for row in other.ask(f"{path}/tournaments")["rows"]] == [cup]
    assert cup not in [row["number"] for row in member.ask("/tournaments")["rows"]]
    (stairs,) = boss.do(f"{path}/stairs", terms=TERMS)["rows"]
    assert boss.do(f"{path}/stairs", terms=TERMS)["rows"] == [stairs]
    name = stairs["stairs"]["id"]
    assert other.refused(f"/stairs/{name}/join")[0] == "NOT_MEMBER"
    member.do(f"/stairs/{name}/join")
    assert name not in [row["stairs"]["id"] for row in member.ask("/stairs")["rows"]]
    # A club that is given up: what waits is cancelled, its stairs are closed, its name is free.
    boss.do(path, "DELETE")
    assert member.refused(path, "GET")[0] == "NOT_FOUND"
    assert member.ask(f"/tournaments/{cup}")["tournament"]["state"] == "cancelled"
    assert member.refused(f"/stairs/{name}", "GET")[0] == "NOT_FOUND"
    assert other.do("/clubs", name="Players")["club"]["id"] != club
    assert "club_closed" in kinds(member)[:2]  # and that the tournament is cancelled


def team_of(http: Somebody, name: str, *others: Somebody) -> tuple[int, int]:
    """Found a club with a team of these people, and return the numbers of both."""
    club = http.do("/clubs", name=name)["club"]["id"]
    for each in others:
        each.do(f"/clubs/{club}/join")
    (team,) = http.do(f"/clubs/{club}/teams", game="xiangqi", name=f"{name} 1")["rows"]
    users = [id_of(each) for each in (http, *others)]
    http.do(f"/clubs/{club}/teams/{team['id']}/lineup", users=users)
    return club, team["id"]


def test_challenges(house: Server, people: list[Somebody]) -> None:
    one, two, three, four = people
    club, team = team_of(one, "Red", two)
    other, theirs = team_of(three, "Blue", four)
    path = f"/clubs/{club}/teams/{team}"
    offer: dict[str, Any] = {"terms": TERMS, "boards": 2, "to_club": other, "to_team": theirs}
    assert two.refused(f"{path}/challenge", **offer)[0] == "RANK_TOO_LOW"
    one.do(f"{path}/captain", user=id_of(two))
    assert two.refused(f"{path}/challenge", **{**offer, "boards": 3})[0] == "NOT_FULL"
    assert two.refused(f"{path}/challenge", **{**offer, "starts_at": 1})[0] == "BAD_OPTION"
    odd = {**TERMS, "options": [1]}
    assert two.refused(f"{path}/challenge", **{**offer, "terms": odd}) == ("BAD_OPTION", {"field": "options"})
    assert two.refused(f"{path}/challenge", **{**offer, "to_club": club, "to_team": team})[0] == "SELF"
    (row,) = two.do(f"{path}/challenge", **offer, cid="offer-1")["challenges"]
    assert kinds(three)[0] == "club_challenge"
    (seen,) = three.ask(f"/clubs/{other}/teams")["challenges"]
    assert (seen["mine"], seen["answers"], seen["by"]["team"]) == (False, True, "Red 1")
    accept = f"/challenges/{row['id']}/accept"
    assert one.refused(accept)[0] == "NOT_MEMBER"
    assert four.refused(accept)[0] == "RANK_TOO_LOW"
    # Accepted twice: by the same captain it is the same match, by another it is gone.
    three.do(f"/clubs/{other}/teams/{theirs}/captain", user=id_of(four))
    with ThreadPoolExecutor() as pool:
        answers = [pool.submit(each.post, f"/api/v1{accept}", json={}) for each in (three, four)]
        codes = sorted(each.result().status_code for each in answers)
    assert codes == [200, 409]
    cups = one.ask("/teams", over=0)["rows"]
    assert [row["teams"]["form"]["name"] for row in cups] == ["Red 1 – Blue 1"]
    number = cups[0]["number"]
    shown = two.ask(f"/teams/{number}")["teams"]
    assert [(each["name"], each["club"], len(each["members"])) for each in shown["teams"]] == [
        ("Red 1", club, 2),
        ("Blue 1", other, 2),
    ]
    # Any captain of the team lines it up; nobody else founds a team in a match.
    assert shown["me"]["mine"]["is_captain"]
    two.do(f"/teams/{number}/lineup", users=[id_of(two), id_of(one)])
    assert one.ask(f"/teams/{number}")["teams"]["me"]["mine"]["order"] == [id_of(two), id_of(one)]
    with somebody(house, "challenger9") as fifth:
        assert fifth.refused(f"/teams/{number}/found", name="Third")[0] == "NOT_FOR_YOU"
        # A public one is there for whoever leads a team in that game.
        (_, public) = sorted(
            one.do(f"{path}/challenge", terms=TERMS, boards=1)["challenges"], key=lambda row: row["id"]
        )
        assert [row["id"] for row in three.ask(f"/clubs/{other}/teams")["public"]] == [public["id"]]
        assert three.refused(f"/challenges/{public['id']}/accept", team=team)[0] == "NOT_MEMBER"
        one.do(f"/challenges/{public['id']}/withdraw")
        assert three.refused(f"/challenges/{public['id']}/accept", team=theirs)[0] == "OFFER_GONE"
    # A club that is given up in mid-match: the match goes on, and its captain still leads.
    three.do(f"/clubs/{other}", "DELETE")
    assert one.ask(f"/teams/{number}")["teams"]["state"] == "open"
    assert four.ask(f"/teams/{number}")["teams"]["me"]["mine"]["team"] == 2
    (past,) = [row for row in one.ask(f"/clubs/{club}/teams")["challenges"] if row["contest"] == number]
    assert past["match"]["form"]["name"] == "Red 1 – Blue 1"


def test_reports(house: Server, people: list[Somebody]) -> None:
    boss, one, _, _ = people
    shown = boss.do("/clubs", name="Rude words", text="rude")
    boss.do(f"/clubs/{shown['club']['id']}/news", title="rude", text="too")
    (news,) = boss.ask(f"/clubs/{shown['club']['id']}/news")["rows"]
    for ref in (shown["ref"], news["ref"]):
        assert one.do("/reports", kind="abuse", user=id_of(boss), ref=ref, text="rude")["report"]
    with somebody(house, "clubkeeper") as keeper:
        assert cli.main(["role", "clubkeeper", "admin", "--data", str(house.data)]) == 0
        for ref in (shown["ref"], news["ref"]):
            keeper.do(f"/moderation/pieces/{ref}/remove", reason="rude")
    after = one.ask(f"/clubs/{shown['club']['id']}")
    assert (after["club"]["name"], after["html"], after["news"]["rows"]) == (f"#{shown['club']['id']}", "", [])


def test_export(people: list[Somebody]) -> None:
    boss = people[0]
    boss.do("/clubs", name="Exported", text="of mine")
    assert boss.ask("/clubs", user=id_of(boss))["rows"][0]["name"] == "Exported"
    assert time.time() - boss.ask("/clubs", user=id_of(boss))["rows"][0]["at"] < 600


def test_kill(tmp_path: Path) -> None:
    with Server(tmp_path / "hall", SETTINGS) as server:
        with somebody(server, "kill1") as one, somebody(server, "kill2") as two:
            club = one.do("/clubs", name="Kill", closed=True)["club"]["id"]
            two.do(f"/clubs/{club}/join")
            one.do(f"/clubs/{club}/answer", user=id_of(two), accept=True)
            server.kill()
        server.start()
        with somebody(server, "kill1", new=False) as one, somebody(server, "kill2", new=False) as two:
            assert two.ask(f"/clubs/{club}")["club"]["rank"] == "member"
            assert kinds(two) == ["club_accepted"]
            assert kinds(one) == ["club_asked"]
        assert server.stop() == 0
