"""Card tables, winners, the calendar, opponents online: what each list says, and of whom it says nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.client import Person, Server
from tests.hall.web.conftest import SETTINGS, run, shared
from tests.hall.web.test_contests import CUP
from tests.hall.web.test_pages import Somebody, somebody

AWAY = """
[[calendar.maintenance]]
from = 2970-01-01T00:00:00+08:00
until = 2970-01-01T02:00:00+08:00
words = { en = "A new disk" }
[[calendar.maintenance]]
from = 2020-01-01T00:00:00Z
until = 2020-01-01T02:00:00Z
"""


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall that these tests share."""
    data: Path = tmp_path_factory.mktemp("lists")
    with shared(request, data, SETTINGS + AWAY) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


def test_winners_are_listed_newest_first_by_kind_and_game_and_a_private_contest_is_not(house: Server) -> None:
    with somebody(house, "winner1") as one, somebody(house, "winner2") as two, Somebody(base_url=house.url) as nobody:
        assert nobody.ask("/winners") == {"rows": [], "next": None}
        games: list[tuple[str, bool]] = [("xiangqi", False), ("backgammon", False), ("xiangqi", True)]
        for game, private in games:
            terms = {"game": game, "clock": {"type": "days", "days": 3}, "rated": False}
            cup = one.do("/tournaments", form={**CUP, "name": f"{game} cup", "terms": terms, "private": private})
            path = f"/tournaments/{cup['number']}"
            for http in (one, two):
                http.do(f"{path}/enter", key=cup["tournament"].get("key"))
            (one if game == "xiangqi" else two).do(f"{path}/withdraw")
            assert one.ask(path)["tournament"]["state"] == "finished"
        rows = nobody.ask("/winners")["rows"]
        assert [(row["name"], row["users"][0]["name"], row["kind"], row["game"]) for row in rows] == [
            ("backgammon cup", "winner1", "tournament", "backgammon"),
            ("xiangqi cup", "winner2", "tournament", "xiangqi"),
        ]
        assert abs(rows[0]["at"] - time.time()) < 300
        page = nobody.ask("/winners", limit=1)
        assert [row["number"] for row in page["rows"]] == [2]
        page = nobody.ask("/winners", limit=1, after=page["next"])
        assert ([row["number"] for row in page["rows"]], page["next"]) == ([1], None)
        assert [row["number"] for row in nobody.ask("/winners", game="xiangqi")["rows"]] == [1]
        assert nobody.ask("/winners", kind="pond")["rows"] == []
        assert nobody.refused("/winners?kind=chess", "GET") == ("BAD_OPTION", {"field": "kind"})
        assert nobody.refused("/winners?game=chess", "GET") == ("BAD_OPTION", {"field": "game"})


def test_the_calendar_tells_what_begins_when_and_of_a_private_contest_its_own_people(house: Server) -> None:
    with somebody(house, "coming1") as one, somebody(house, "coming2") as two, Somebody(base_url=house.url) as nobody:
        now = nobody.ask("/calendar")["now"]
        soon, later = now + 3_600_000, now + 7_200_000
        form = {"name": "Lake", "least": 3, "round_s": 60, "starts_at": later}
        pond = one.do("/ponds", form=form)
        one.do("/ponds", form={"name": "When it is full", "least": 3, "most": 3})
        cup = one.do("/tournaments", form={**CUP, "name": "Evening cup", "max_players": 8, "start": soon})
        hidden = one.do("/tournaments", form={**CUP, "name": "Between us", "start": soon, "private": True})
        one.do(f"/tournaments/{hidden['number']}/enter", key=hidden["tournament"]["key"])
        two.do(f"/ponds/{pond['number']}/enter")

        def seen(http: Any) -> list[tuple[Any, ...]]:
            rows = http.ask("/calendar")["rows"]
            assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)
            return [
                (row["what"], row["name"], row["at"], row["mine"])
                for row in rows
                if row["what"] in ("tournament", "pond")
            ]

        assert seen(nobody) == [("tournament", "Evening cup", soon, False), ("pond", "Lake", later, False)]
        assert [row[1] for row in seen(one)] == ["Evening cup", "Between us", "Lake"]
        assert seen(two)[-1] == ("pond", "Lake", later, True)
        rows = {row["what"]: row for row in nobody.ask("/calendar")["rows"]}
        assert set(rows) == {"tournament", "pond", "passes", "renumber", "maintenance"}
        assert rows["tournament"]["number"] == cup["number"]
        assert rows["passes"]["at"] == rows["renumber"]["at"] > now
        away = rows["maintenance"]
        assert (away["until"] - away["at"], away["words"]) == (7_200_000, {"en": "A new disk"})
        assert away["at"] == 1000 * datetime(2969, 12, 31, 16, tzinfo=UTC).timestamp()
        # What has begun, or will not begin, is not coming any more.
        one.do(f"/ponds/{pond['number']}/cancel")
        assert "Lake" not in [row[1] for row in seen(nobody)]


def test_card_tables_are_listed_with_their_free_seats(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as one, Person(house, seed=1) as two:
            for person, name in ((one, "carder1"), (two, "carder2")):
                await person.register(name)
                await person.line()
            assert (await two.get("/cards"))["rows"] == []
            rooms = {
                room["game"]: room for room in (await one.get("/rooms?limit=200"))["rows"] if room["kind"] == "coin"
            }
            tables = {game: rooms[game]["room"] * 100 + 1 for game in ("gouji", "doudizhu", "mahjong")}
            for table in tables.values():
                at = await one.join(table)
                await at.do("sit", seat=0)
            rows = (await two.get("/cards"))["rows"]
            assert [row["game"] for row in sorted(rows, key=lambda row: row["game"])] == ["doudizhu", "gouji"]
            (row,) = (await two.get("/cards?game=gouji&free=1"))["rows"]
            assert (row["table"], row["free"], row["kind"]) == (tables["gouji"], [1, 2, 3, 4, 5], "coin")
            assert (row["factor"], row["fee"]) == tuple(
                rooms["gouji"]["terms"].get(name, 0) for name in ("factor", "fee")
            )
            first = await two.get("/cards?limit=1")
            rest = await two.get(f"/cards?limit=1&after={first['next']}")
            assert len({first["rows"][0]["table"], rest["rows"][0]["table"]}) == 2
            # Who hides that they are here sits there without a name; who is a minor is not shown what is for coins.
            await one.call("PATCH", "/me/settings", {"hide_online": True})
            assert [seat["user"] for seat in (await two.get("/cards?game=gouji"))["rows"][0]["seats"]] == [None] * 6
            await two.call("PATCH", "/me/settings", {"minor": True})
            assert (await two.get("/cards"))["rows"] == []

    run(visit)


def test_opponents_online_are_those_with_a_running_game_who_are_neither_hidden_nor_blocked(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as one, Person(house, seed=1) as two, Person(house, seed=2) as three:
            for person, name in ((one, "rival1"), (two, "rival2"), (three, "rival3")):
                await person.register(name)
                await person.line()
            ids = {person: (await person.get("/me"))["user"]["id"] for person in (one, two, three)}
            asked = {"game": "xiangqi", "clock": {"type": "days", "days": 3}, "colour": "mine"}
            letters = [await one.post("/invites", {**asked, "to": ids[two]}) for _ in range(2)]
            at = [(await two.post(f"/invites/{letter['id']}/accept", {}))["table"] for letter in letters]
            await two.join(at[1])
            (row,) = (await one.get("/online/opponents"))["rows"]
            assert row["user"]["name"] == "rival2"
            assert [(game["table"], game["turn"], game["here"]) for game in row["games"]] == [
                (at[0], True, False),
                (at[1], True, True),
            ]
            assert all(game["until"] > time.time() * 1000 for game in row["games"])
            assert (await three.get("/online/opponents"))["rows"] == []
            await two.call("PATCH", "/me/settings", {"hide_online": True})
            assert (await one.get("/online/opponents"))["rows"] == []
            await two.call("PATCH", "/me/settings", {"hide_online": False})
            await two.post("/blocks", {"user": ids[one]})
            assert (await one.get("/online/opponents"))["rows"] == []
            await two.call("DELETE", f"/blocks/{ids[one]}", {})
            assert len((await one.get("/online/opponents"))["rows"]) == 1

    run(visit)
    with Somebody(base_url=house.url) as nobody:
        assert nobody.refused("/online/opponents", "GET")[0] == "SIGN_IN"


def test_invitations_are_filtered_by_game_pace_rated_and_what_one_can_take_up(house: Server) -> None:
    with somebody(house, "letters1") as one, somebody(house, "letters2") as two:
        asked: list[dict[str, Any]] = [
            {"game": "xiangqi", "rated": True},
            {"game": "xiangqi", "clock": {"type": "days", "days": 2}},
            {"game": "backgammon", "rated": True, "rating_min": 3000},
        ]
        live, slow, hard = (one.do("/invites", **each)["id"] for each in asked)

        def found(http: Any = two, **query: Any) -> list[int]:
            return [row["id"] for row in http.ask("/invites", **query)["rows"] if row["id"] in (live, slow, hard)]

        assert found() == [live, slow, hard]
        assert found(game="xiangqi") == [live, slow]
        assert (found(pace="days"), found(pace="live")) == ([slow], [live, hard])
        assert (found(rated=0), found(rated=1)) == ([slow], [live, hard])
        assert (found(can=1), found(one, can=1)) == ([live, slow], [])
        assert two.refused("/invites?pace=fast", "GET") == ("BAD_MESSAGE", {"field": "pace"})
        assert two.ask("/home")["waiting"] == two.ask("/me")["invitations"] >= 3
        one.do(f"/invites/{live}/withdraw")
        assert found(can=1) == [slow]
