"""Stairs and ponds over HTTP: who may do what, what is refused in which words, and nothing hidden on a page."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.client import Server
from tests.hall.web.conftest import SETTINGS, shared
from tests.hall.web.test_pages import Somebody, id_of, somebody
from tests.stores import url_at

from qipai.moderation.service import Order
from qipai.web.services import DATABASE, store_of

POND = {"name": "Duck pond", "least": 3, "most": 3, "round_s": 60, "fee": 10, "percents": [70, 10]}


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall that these tests share."""
    data: Path = tmp_path_factory.mktemp("contests")
    with shared(request, data, SETTINGS) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


def test_there_are_stairs_for_every_game_of_two_variant_and_clock(house: Server) -> None:
    with somebody(house, "stairs0") as one:
        names = [row["stairs"]["id"] for row in one.ask("/stairs")["rows"]]
        assert len(names) == len(set(names))
        assert {"xiangqi", "xiangqi-days", "backgammon", "backgammon-days", "lianliankan"} <= set(names)
        assert "gouji" not in names
        assert one.refused("/stairs/gouji", "GET") == ("NOT_FOUND", {})
        assert one.ask("/stairs/xiangqi")["stairs"]["steps"] == []


def test_a_challenge_opens_a_table_and_what_is_refused_is_said_before(house: Server) -> None:
    with somebody(house, "stairs1") as one, somebody(house, "stairs2") as two:
        first, second = id_of(one), id_of(two)
        assert one.refused("/stairs/xiangqi-days/retire") == ("NOT_MEMBER", {})
        assert one.do("/stairs/xiangqi-days/join")["stairs"]["me"]["step"] == 1
        assert one.refused("/stairs/xiangqi-days/challenge", user=second)[0] == "TARGET_BUSY"
        two.do("/stairs/xiangqi-days/join")
        shown = one.ask("/stairs/xiangqi-days")
        assert {user["id"] for user in shown["people"]} == {first, second}
        assert shown["stairs"]["me"]["nearest"] == second
        shown = one.do("/stairs/xiangqi-days/challenge", user=second)
        (game,) = shown["stairs"]["games"]
        assert set(game["users"]) == {first, second}
        refusals = {each["user"]: each["refusal"] for step in shown["stairs"]["steps"] for each in step["people"]}
        assert refusals == {first: "SELF", second: "CHALLENGE_OPEN"}
        assert one.refused("/stairs/xiangqi-days/challenge", user=second)[0] == "CHALLENGE_OPEN"
        table = two.ask(f"/tables/{game['table']}")
        assert table["info"]["contest"]["users"] == game["users"]
        assert table["info"]["state"] == "playing"
        assert set(two.ask("/me")["tables"]) == {game["table"]}


def test_a_pond_is_entered_for_a_fee_which_goes_back_with_who_leaves(house: Server) -> None:
    with somebody(house, "pond1") as one, somebody(house, "pond2") as two, somebody(house, "pond3") as three:
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"least": 2}, "least"),
            ({"most": 1}, "most"),
            ({"round_s": 61}, "round_s"),
            ({"percents": []}, "percents"),
            ({"percents": [60, 60]}, "percents"),
            ({"name": " "}, "name"),
            ({"rain_final": "regular"}, "rain_final"),
            ({"most": None, "starts_at": 5}, "starts_at"),
        ]
        for change, field in wrong:
            assert one.refused("/ponds", form={**POND, **change}) == ("BAD_OPTION", {"field": field})
        pond = one.do("/ponds", form=POND)
        path = f"/ponds/{pond['number']}"
        assert one.refused(f"{path}/bid", round=1, amount=5)[0] == "POND_CLOSED"
        for http in (one, two):
            http.do(f"{path}/enter")
        assert one.ask("/me")["coins"] == 190
        two.do(f"{path}/leave")
        assert two.ask("/me")["coins"] == 200
        assert [row["reason"] for row in two.ask("/ledger")["rows"]] == ["refund", "fee", "trial"]
        for http in (two, three):
            shown = http.do(f"{path}/enter")
        assert shown["pond"]["state"] == "running"
        mine = one.do(f"{path}/bid", round=1, amount=4711)["pond"]
        assert mine["me"]["bid"]["amount"] == 4711
        theirs = two.ask(path)["pond"]
        assert theirs["me"]["bid"] is None
        assert {each["user"]: bool(each["seal"]) for each in theirs["runners"]}[id_of(one)]
        assert two.refused(f"{path}/bid", round=1, amount=20001) == ("BAD_BID", {"least": 0, "most": 20000})
        assert two.refused(f"{path}/bid", round=1, amount="all")[0] == "BAD_MESSAGE"
        assert one.refused(f"{path}/cancel")[0] == "GAME_RUNNING"
        (row,) = [row for row in one.ask("/ponds", over=0)["rows"] if row["number"] == pond["number"]]
        assert row["mine"]
        assert one.ask("/ponds", over=1)["rows"] == []
        assert one.refused("/ponds/999", "GET") == ("NOT_FOUND", {})


def test_who_has_too_few_coins_is_told_so_and_has_not_entered(house: Server) -> None:
    with somebody(house, "pond4") as one:
        pond = one.do("/ponds", form={**POND, "fee": 500})
        path = f"/ponds/{pond['number']}"
        assert one.refused(f"{path}/enter") == ("INSUFFICIENT_COINS", {"need": 500, "have": 200})
        assert one.ask(path)["pond"]["entered"] == []
        one.do(f"{path}/cancel", reason="too dear")
        assert one.ask(path)["pond"]["state"] == "cancelled"


CUP = {
    "name": "Autumn cup",
    "format": "knockout",
    "terms": {"game": "xiangqi", "clock": {"type": "days", "days": 3}, "rated": False},
    "min_players": 2,
    "max_players": 2,
    "start": "full",
}


def test_a_tournament_begins_when_it_is_full_and_its_game_has_a_table(house: Server) -> None:
    with somebody(house, "cup1") as one, somebody(house, "cup2") as two:
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"max_players": 1}, "max_players"),
            ({"name": " "}, "name"),
            ({"seats": 3}, "seats"),
            ({"fee": 10}, "prizes"),
            ({"terms": {"game": "shengji"}, "seats": 4, "format": "swiss"}, "partners"),
            ({"terms": {"game": "mahjong"}, "seats": 4, "format": "swiss", "partners": "drawn"}, "partners"),
            ({"terms": {"game": "chess"}}, "game"),
        ]
        for change, field in wrong:
            code, facts = one.refused("/tournaments", form={**CUP, **change})
            assert (code, facts["field"]) in (("BAD_OPTION", field), ("BAD_MESSAGE", "form")), change
        cup = one.do("/tournaments", form=CUP)
        path = f"/tournaments/{cup['number']}"
        one.do(f"{path}/enter")
        assert one.refused(f"{path}/enter")[0] == "ALREADY_PLAYING"
        assert "mine" not in two.ask(path)["tournament"]
        shown = two.do(f"{path}/enter")
        assert shown["tournament"]["state"] == "running"
        (game,) = shown["tournament"]["mine"]["games"]
        assert game["others"] == [id_of(one)]
        assert one.ask(f"/tables/{game['table']}")["info"]["contest"]["contest"] == f"tournament:{cup['number']}"
        assert one.refused(f"{path}/cancel")[0] == "GAME_RUNNING"
        (row,) = two.ask("/tournaments", game="xiangqi", over=0)["rows"]
        assert row["mine"]
        assert row["me"]["games"][0]["table"] == game["table"]
        (row,) = one.ask("/tournaments", over=0)["rows"]
        assert row["me"]["state"] == "in"
        two.do(f"{path}/withdraw")
        assert one.ask(path)["tournament"]["state"] == "finished"
        assert [row["winners"][0]["name"] for row in one.ask("/tournaments", over=1)["rows"]] == ["cup1"]


def test_contests_with_a_fee_are_listed_alone(house: Server) -> None:
    with somebody(house, "cup5") as one:
        for name, fee in (("Free cup", {}), ("Paid cup", {"fee": 10, "prizes": [50], "max_players": 8})):
            one.do("/tournaments", form={**CUP, "name": name, "max_players": 3, **fee})
        one.do("/ponds", form={**POND, "name": "Free pond", "fee": 0, "percents": []})
        for kind in ("tournament", "pond"):
            every, paid = (one.ask(f"/{kind}s", over=0, fee=fee)["rows"] for fee in (0, 1))
            assert {bool(row[kind]["form"].get("fee")) for row in every} == {True, False}
            assert {bool(row[kind]["form"].get("fee")) for row in paid} == {True}
        assert one.refused("/ponds?fee=2", "GET") == ("BAD_MESSAGE", {"field": "fee"})


def test_a_private_tournament_is_shown_to_who_has_its_key(house: Server) -> None:
    with somebody(house, "cup3") as one, somebody(house, "cup4") as two:
        cup = one.do("/tournaments", form={**CUP, "private": True})
        path, key = f"/tournaments/{cup['number']}", cup["tournament"]["key"]
        assert two.refused(path, "GET") == ("NOT_FOUND", {})
        assert cup["number"] not in [row["number"] for row in two.ask("/tournaments")["rows"]]
        assert two.ask(path, key=key)["tournament"].get("key") is None
        assert two.refused(f"{path}/enter", key="wrong")[0] == "NOT_FOR_YOU"
        assert two.do(f"{path}/enter", key=key)["tournament"]["mine"]["state"] == "in"
        assert "mine" not in two.do(f"{path}/withdraw")["tournament"]
        assert two.refused(path, "GET") == ("NOT_FOUND", {})
        assert two.do(f"{path}/enter", key=key)["tournament"]["mine"]["state"] == "in"
        one.do(f"{path}/cancel", reason="another day")
        assert two.ask(path)["tournament"]["state"] == "cancelled"


TEAMS = {
    "name": "Spring cup",
    "terms": {"game": "xiangqi", "clock": {"type": "days", "days": 3}, "rated": False},
    "boards": 1,
    "games": 1,
    "least": 2,
    "most": 2,
    "pause_s": 10,
}


def test_teams_are_founded_and_what_is_the_captains_is_refused_to_others(
    house: Server,
) -> None:
    with somebody(house, "team1") as one, somebody(house, "team2") as two, somebody(house, "team3") as three:
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"name": " "}, "name"),
            ({"boards": 0}, "boards"),
            ({"least": 3}, "most"),
            ({"most": None}, "most"),
            ({"terms": {"game": "mahjong"}}, "terms"),
            ({"terms": {"game": "chess"}}, "game"),
            ({"most": None, "starts_at": 5}, "starts_at"),
        ]
        for change, field in wrong:
            assert one.refused("/teams", form={**TEAMS, **change}) == ("BAD_OPTION", {"field": field}), change
        cup = one.do("/teams", form=TEAMS)
        path = f"/teams/{cup['number']}"
        assert two.refused(f"{path}/leave")[0] == "NOT_MEMBER"
        assert one.do(f"{path}/found", name="Pine")["teams"]["me"]["mine"]["is_captain"]
        assert two.refused(f"{path}/found", name="Pine") == ("NAME_TAKEN", {})
        assert one.refused(f"{path}/invite", user=id_of(one)) == ("SELF", {})
        assert one.refused(f"{path}/invite", user=10**9) == ("NOT_FOUND", {})
        three.do("/blocks", user=id_of(one))
        assert one.refused(f"{path}/invite", user=id_of(three)) == ("BLOCKED", {})
        assert one.do(f"{path}/invite", user=id_of(two))["teams"]["me"]["mine"]["invited"] == [id_of(two)]
        assert two.ask(path)["teams"]["me"]["invitations"] == [1]
        assert two.ask(path)["teams"]["me"]["mine"] is None
        assert two.do(f"{path}/decline", team=1)["teams"]["me"]["invitations"] == []
        assert two.refused(f"{path}/accept", team=1)[0] == "NOT_FOR_YOU"
        one.do(f"{path}/invite", user=id_of(two))
        assert two.do(f"{path}/accept", team=1)["teams"]["teams"][0]["members"] == [id_of(one), id_of(two)]
        assert two.refused(f"{path}/lineup", users=[id_of(two), id_of(one)]) == ("RANK_TOO_LOW", {"case": "captain"})
        one.do(f"{path}/lineup", users=[id_of(two), id_of(one)])
        assert two.ask(path)["teams"]["me"]["mine"]["order"] == [id_of(two), id_of(one)]
        assert three.ask(path)["teams"]["me"] == {"mine": None, "invitations": [], "games": []}
        one.do(f"{path}/captain", user=id_of(two))
        assert one.refused(f"{path}/expel", user=id_of(two))[0] == "RANK_TOO_LOW"
        assert three.refused(f"{path}/cancel") == ("NOT_ALLOWED", {})
        shown = three.do(f"{path}/found", name="Bamboo")
        assert shown["teams"]["state"] == "running"
        assert shown["teams"]["next_at"] <= shown["now"] + 10_000
        assert one.refused(f"{path}/cancel")[0] == "GAME_RUNNING"
        (row,) = one.ask("/teams", over=0, game="xiangqi")["rows"]
        assert (row["mine"], row["teams"]["complete"]) == (True, 2)
        two.do(f"{path}/withdraw")
        three.do(f"{path}/withdraw")
        assert one.refused("/teams/999", "GET") == ("NOT_FOUND", {})
    with Somebody(base_url=house.url, timeout=60) as guest:
        guest.do("/guest")
        assert guest.refused(f"{path}/found", name="Guests") == ("SIGN_IN", {"case": "guest"})
        assert guest.ask(path)["teams"]["me"]["mine"] is None


@pytest.mark.slow
def test_a_ban_that_the_contests_were_not_told_before_the_hall_died_is_told_when_it_is_back(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    async def ban(user: int) -> None:
        store = store_of(tmp_path, url=url_at(tmp_path / DATABASE))
        await store.open()
        order, now = Order(store), int(time.time() * 1000)
        await order.open()
        await order.act(user, "ban", "cheating", by=user, now=now, seconds=3600)
        await store.close()

    with (
        shared(request, tmp_path, SETTINGS) as server,
        somebody(server, "pond1") as one,
        somebody(server, "pond2") as two,
    ):
        path = f"/ponds/{one.do('/ponds', form=POND)['number']}"
        for http in (one, two):
            http.do(f"{path}/enter")
        banned = id_of(two)
        server.stop()
        asyncio.run(ban(banned))
        server.start()
        one.base_url = server.url
        assert one.ask(path)["pond"]["entered"] == [id_of(one)]
