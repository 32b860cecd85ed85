"""Rooms, their maps, talk, live lists (platform P-14, P-15, P-19, P-22, P-72, P-77)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_gouji import six
from tests.hall.test_xiangqi import move, opening, two
from tests.hall.world import Jumping, Names, Person, World, quick, run, world

from qipai import games
from qipai.config import Config
from qipai.hall.rooms.rooms import Room, checked, default_rooms, info_of, table_id, unopened
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Terms, checked_options

ROOMS = (
    Room(1, "gouji", "friendly", tables=4),
    Room(2, "xiangqi", "score", people=2, options={"repetition": "asian"}),
    Room(3, "xiangqi", "friendly", terms=Terms(table_chat="phrases")),
    Room(4, "xiangqi", "friendly", terms=Terms(table_chat="off")),
)


def test_every_game_has_a_friendly_room_and_one_for_score() -> None:
    rooms = default_rooms(Config())
    assert {(room.game, room.kind) for room in rooms} >= {("gouji", "friendly"), ("xiangqi", "score")}
    assert all(room.name["zh-CN"] and room.name["en"] for room in rooms)
    assert len({room.id for room in rooms}) == len(rooms)


def test_gouji_is_played_with_tribute_in_every_room() -> None:
    rooms = [checked(room) for room in default_rooms(Config()) if room.game == "gouji"]
    assert {room.kind for room in rooms} == {"score", "pass", "coin", "friendly"}
    assert {checked_options(games.find("gouji"), room.options)[0].tribute for room in rooms} == {"on"}


def test_a_room_plays_by_the_preset_that_its_row_names_for_the_game() -> None:
    row = {"kind": "score", "key": "brisk", "name": {"en": "Brisk"}, "presets": {"mahjong": "brisk"}}
    found = default_rooms(own({**row, "games": ["mahjong", "gouji"]}))
    rooms = {room.game: checked(room) for room in found if room.key == "brisk"}
    info = info_of(rooms["mahjong"])
    assert info.options["claim_seconds"] == info.clock["asks"]["claim"] == 3
    assert unopened(rooms["mahjong"], table_id(rooms["mahjong"], 1), 1).setting.preset == "brisk"
    assert rooms["gouji"].preset is None


def test_rooms_give_the_time_of_the_rules_and_a_reserve() -> None:
    clocks = {(room.game, room.kind): info_of(checked(room)).clock for room in default_rooms(Config())}
    for kind in ("friendly", "score", "pass", "coin"):
        assert (clocks["mahjong", kind]["s"], clocks["mahjong", kind]["asks"]["claim"]) == (15, 8)
        for game in ("gouji", "baohuang", "shengji", "mahjong"):
            assert clocks[game, kind]["bank"] == 30


HIGH = {
    "kind": "coin",
    "key": "high",
    "name": {"en": "High"},
    "games": ["xiangqi"],
    "terms": {"factor": 150, "fee": 250},
}


def own(*rooms: dict[str, Any], **more: Any) -> Config:
    return quick(rooms={"own": list(rooms)}, **more)


def test_a_host_names_rooms_of_his_own() -> None:
    usual, rooms = default_rooms(Config()), default_rooms(own(HIGH))
    assert rooms[: len(usual)] == usual  # nobody else's number changes
    (room,) = rooms[len(usual) :]
    assert (room.game, room.sort, room.terms) == ("xiangqi", "coin high", Terms(factor=150, fee=250))
    assert len(default_rooms(own({**HIGH, "games": ["xiangqi", "gouji"]}))) == len(usual) + 2
    assert "high" not in {room.key for room in default_rooms(own(HIGH, coins={"enabled": False}))}


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"stake": 5}, "stake"),
        ({"terms": {"factr": 5}}, "terms"),
        ({"kind": "poker"}, "kind"),
        ({"games": ["chess"]}, "games"),
        ({"games": "xiangqi"}, "games"),
        ({"presets": "brisk"}, "presets"),
        ({"name": {}}, "name"),
        ({"key": ""}, "key"),  # there is a coin room for xiangqi already
        ({"tables": "many"}, "tables"),
    ],
)
def test_a_room_of_his_own_that_cannot_be_is_refused_by_the_word(wrong: dict[str, Any], field: str) -> None:
    with pytest.raises(HallError, match="BAD_OPTION") as refused:
        default_rooms(own({**HIGH, **wrong}))
    assert refused.value.facts == {"field": f"rooms.own.{field}"}


def test_a_room_shows_its_tables_and_what_changes_at_them(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            eve, ann = await w.person(1, "eve"), await w.person(2, "ann")
            await eve.say(commands.Enter(1))
            (room,) = eve.of("room")
            assert [(row["table"], row["no"], row["state"]) for row in room["tables"]] == [
                (101, 1, "open"),
                (102, 2, "open"),
                (103, 3, "open"),
                (104, 4, "open"),
            ]
            assert room["info"]["seats"] == 6
            assert [person["user"]["name"] for person in room["people"]] == ["eve"]
            await ann.say(commands.Enter(1))
            assert eve.of("room_ev")[-1]["people"][0]["user"]["name"] == "ann"
            assert {person["user"]["name"] for person in ann.of("room")[0]["people"]} == {"ann", "eve"}
            await ann.sit(102, 3)
            news = eve.of("room_ev")[-1]
            assert news["tables"][0]["seats"][3]["user"] == {"id": 2, "name": "ann", "kind": "user"}
            assert news["people"][0]["table"] == 102
            table, _seat = await w.hall.creation.play(ann.user, "gouji")
            assert eve.of("room_ev")[-1]["tables"][0]["no"] == 5
            private, _key = await w.hall.creation.make(ann.user, "gouji", private=True)
            assert all(private != row["table"] for news in eve.of("room_ev") for row in news.get("tables", ()))
            await ann.say(commands.Exit(1))
            assert eve.of("room_ev")[-1]["gone"] == {"tables": [], "people": [2]}
            # She looks at the map no more, but sits at one of the tables.
            assert [people for info, people, _playing in await w.hall.lobby.rooms() if info.room == 1] == [2]
            await ann.join(table)
            await ann.done(commands.Stand("s1", table, confirm=True))
            await w.jump(2_000_000)
            assert {"tables": [table], "people": []} in [news.get("gone") for news in eve.of("room_ev")]
            with pytest.raises(HallError, match="NO_SUCH_TABLE"):
                await w.hall.audience.watch(table)

    run(test())


def test_tables_made_at_one_instant_have_numbers_of_their_own(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = [await w.person(n) for n in range(1, 9)]
            doors = w.hall.creation

            async def numbers(*made: Coroutine[Any, Any, tuple[int, Any]]) -> list[int]:
                return [w.table(id).setting.no for id, _more in await asyncio.gather(*made)]

            async def refused_with(no: int) -> None:
                async with w.hall.lobby.number(1) as found:
                    assert found == no
                    raise HallError("BAD_OPTION")

            first = await numbers(*(doors.make(one.user, "gouji") for one in people))
            assert sorted(first) == [*range(5, 13)]
            gone = next(id for id, live in w.hall.runner.tables.items() if live.table.setting.no == 7)
            await doors.shut(gone, "test", 1)
            assert sorted(await numbers(*(doors.play(one.user, "gouji") for one in people[:3]))) == [7, 13, 14]
            assert sorted(await numbers(*(doors.make(one.user, "gouji", private=True) for one in people))) == [0] * 8
            with pytest.raises(HallError, match="BAD_OPTION"):
                await refused_with(15)
            assert await numbers(doors.make(people[0].user, "gouji")) == [15]

    run(test())


def test_a_room_holds_so_many_people(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = [await w.person(n) for n in (1, 2, 3)]
            for person in people:
                await person.say(commands.Enter(2))
            assert people[2].of("err")[-1]["code"] == "ROOM_FULL"
            again = await w.person(2)
            await people[1].hang_up()
            await again.say(commands.Enter(2))
            assert again.of("room")
            await again.say(commands.Enter(77))
            assert again.of("err")[-1]["code"] == "NOT_FOUND"

    run(test())


def test_a_table_says_where_it_differs_from_its_room(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(1)
            await ann.say(commands.Enter(2))
            assert ann.of("room")[0]["info"]["options"] == {"repetition": "asian"}
            await ann.sit(201, 0)
            assert ann.shown[201]["info"]["options"] == {"repetition": "asian"}
            await ann.done(commands.Set("s1", 201, options={"move_limit": 60}))
            assert ann.of("room_ev")[-1]["tables"][0]["options"] == {"move_limit": 60}
            await ann.done(commands.Set("s2", 201, options={"repetition": "simple"}))
            assert ann.of("room_ev")[-1]["tables"][0]["options"] == {"move_limit": 60, "repetition": "simple"}

    run(test())


def test_an_owner_says_who_may_sit_at_his_table(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "gouji", "friendly", tables=4)) as w:
            ann, bob, eve = [await w.person(id) for id in (20, 21, 22)]

            async def sets(who: Person, cid: str, **options: Any) -> Any:
                return await who.say(commands.Set(cid, 101, options=options))

            async def refused(who: Person, cid: str, seat: int) -> Any:
                answer = await who.say(commands.Sit(cid, 101, seat))
                return answer["code"], answer["facts"]

            await ann.sit(101, 0)
            assert (await sets(ann, "a", friends=True))["t"] == "ack"
            assert await refused(bob, "b", 1) == ("TABLE_LOCKED", {"case": "friends"})
            await w.hall.ties.follow(21, 20, 0)
            assert await refused(bob, "c", 1) == ("TABLE_LOCKED", {"case": "friends"})  # both must
            await w.hall.ties.follow(20, 21, 0)
            await bob.sit(101, 1)
            assert (await sets(bob, "d", friends=False))["code"] == "NOT_ALLOWED"
            assert (await sets(ann, "e", friends=False, min_win_rate=40))["t"] == "ack"
            assert await refused(eve, "f", 2) == ("SCORE_TOO_LOW", {"case": "rate", "need": 40, "have": 0})
            await bob.sit(101, 3)  # who sits already may choose another seat
            assert (await sets(ann, "g", min_win_rate=101))["facts"] == {"field": "min_win_rate"}
            # When all have left it is a table of its room again.
            await ann.done(commands.Stand("h", 101))
            await bob.done(commands.Stand("i", 101))
            await eve.sit(101, 2)
            assert w.table(101).terms.min_win_rate is None

    run(test())


def test_a_table_is_for_a_group_of_its_owners_friends(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "gouji", "friendly", tables=4)) as w:
            ann, bob, eve = [await w.person(id) for id in (20, 21, 22)]
            await w.hall.ties.follow(20, 21, 0)
            group = await w.hall.circles.make(20, "tea", (21, 22))  # it lists whom she follows: bob alone
            other = await w.hall.circles.make(22, "own", ())

            async def sets(who: Person, cid: str, **options: Any) -> Any:
                return await who.say(commands.Set(cid, 101, options=options))

            async def refused(who: Person, command: Any) -> Any:
                answer = await who.say(command)
                return answer["code"], answer["facts"]

            await ann.sit(101, 0)
            for wrong in (other, 999, True):
                assert (await sets(ann, f"a{wrong}", group=wrong))["facts"] == {"field": "group"}
            await eve.join(101)
            assert (await sets(ann, "b", group=group))["t"] == "ack"
            assert ann.shown[101]["info"]["terms"] == {"group": group}
            locked, shut = ("TABLE_LOCKED", {"case": "group"}), ("WATCH_FORBIDDEN", {"case": "group"})
            assert await refused(eve, commands.Sit("c", 101, 1)) == locked
            assert (await sets(ann, "d", group_watch=True))["t"] == "ack"
            await w.rest()
            assert [one["table"] for one in eve.of("rejoin")] == [101]  # she has watched until now
            assert await refused(eve, commands.Join(101)) == shut
            await bob.join(101)
            await bob.sit(101, 1)
            assert await w.hall.creation.lets(101, bob.user)
            assert not await w.hall.creation.lets(101, eve.user)
            # Who is no longer followed is in no group.
            await bob.done(commands.Stand("e", 101))
            await w.hall.ties.unfollow(20, 21)
            assert await refused(bob, commands.Sit("f", 101, 1)) == locked
            await w.hall.ties.follow(20, 21, 0)

            # A table of one's own is the group's before anybody sits there; a private one asks them for no link.
            with pytest.raises(HallError, match="BAD_OPTION"):
                await w.hall.creation.make(eve.user, "gouji", options={"group": group})
            made, _ = await w.hall.creation.make(ann.user, "gouji", options={"group": group})
            assert await refused(eve, commands.Sit("g", made, 1)) == locked
            await bob.sit(made, 1)
            private, key = await w.hall.creation.make(ann.user, "gouji", options={"group": group}, private=True)
            assert key is not None
            assert (await refused(eve, commands.Join(private)))[0] == "TABLE_LOCKED"
            assert (await refused(eve, commands.Sit("h", private, 1)))[0] == "TABLE_LOCKED"
            await bob.done(commands.Stand("i", made))
            await bob.join(private)
            await bob.sit(private, 2)
            assert (await eve.say(commands.Sit("j", private, 1, key=key)))["t"] == "ack"  # the link is one for anybody

    run(test())


def test_talk_reaches_whom_it_is_for(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await six(w, 101)
            eve, zoe = await w.person(1), await w.person(2)
            await eve.join(101)
            await zoe.join(101)
            await people[0].done(commands.Say("t1", "table:101", text="好牌"))
            assert people[3].of("chat")[-1]["text"] == "好牌"
            assert people[3].of("chat")[-1]["from"]["name"] == "p10"
            assert eve.of("chat")[-1]["text"] == "好牌"
            await eve.done(commands.Say("w1", "watch:101", text="seat 3 sleeps"))
            assert zoe.of("chat")[-1]["to"] == "watch:101"
            assert all("sleeps" not in str(message) for person in people for message in person.got)
            assert await people[0].refused(commands.Say("w2", "watch:101", text="x")) == "NOT_ALLOWED"
            assert await eve.refused(commands.Say("t2", "table:101", text="x")) == "NOT_SEATED"
            late = await w.person(3)
            assert [line["text"] for line in (await late.join(101))["chat"]] == ["好牌", "seat 3 sleeps"]
            mirror = await w.person(10)
            assert [line["text"] for line in (await mirror.join(101))["chat"]] == ["好牌"]

    run(test())


def test_what_watchers_said_is_heard_after_the_game(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 201)
            eve = await w.person(1)
            await eve.join(201)
            await move(ann, 201, "h2e2")
            await eve.done(commands.Say("w1", "watch:201", phrase="nice"))
            assert ann.of("chat") == []
            await bob.act(201, {"a": "resign"})
            assert ann.of("chat")[-1]["phrase"] == "nice"

    run(test())


def test_talk_has_its_limits(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, _bob = await two(w, 201)
            assert await ann.refused(commands.Say("x1", "table:201")) == "BAD_MESSAGE"
            assert await ann.refused(commands.Say("x2", "table:201", text="a", phrase="nice")) == "BAD_MESSAGE"
            assert await ann.refused(commands.Say("x3", "table:201", phrase="rude words")) == "BAD_MESSAGE"
            assert await ann.refused(commands.Say("x4", "table:202", text="a")) == "NO_SUCH_TABLE"
            assert await ann.refused(commands.Say("x5", "moon", text="a")) == "NOT_FOUND"
            for n in range(5):
                await ann.done(commands.Say(f"l{n}", "table:201", text=str(n)))
            again = await ann.done(commands.Say("l0", "table:201", text="0"))
            assert again["again"] is True
            answer = await ann.say(commands.Say("l5", "table:201", text="5"))
            assert answer["code"] == "RATE_LIMIT"
            assert answer["facts"] == {"wait_ms": 10_000}
            await w.jump(10_000)
            await ann.done(commands.Say("l5", "table:201", text="5"))
            assert [m["text"] for m in ann.of("chat")] == ["0", "1", "2", "3", "4", "5"]

    run(test())


def test_rooms_may_allow_phrases_alone_or_nothing(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, _bob = await two(w, 301)
            assert await ann.refused(commands.Say("x1", "table:301", text="a")) == "NOT_ALLOWED"
            await ann.done(commands.Say("x2", "table:301", phrase="hello"))
            await ann.act(301, {"a": "resign"})
            await ann.done(commands.Say("x3", "table:301", text="free again"))
            await ann.done(commands.Stand("s1", 301))
            people = await two(w, 401)
            assert await people[0].refused(commands.Say("x4", "table:401", phrase="hello")) == "NOT_ALLOWED"

    run(test())


def test_a_room_talks_but_guests_listen(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, guest = await w.person(1), await w.person(2, kind="guest")
            assert await ann.refused(commands.Say("x0", "room:1", text="hi")) == "NOT_FOUND"
            await ann.say(commands.Enter(1))
            await guest.say(commands.Enter(1))
            await ann.done(commands.Say("x1", "room:1", text="hi"))
            assert guest.of("chat")[-1]["text"] == "hi"
            assert await guest.refused(commands.Say("x2", "room:1", text="hi")) == "SIGN_IN"
            bob = await w.person(3)
            await bob.say(commands.Enter(1))
            assert bob.of("room")[0]["chat"][0]["text"] == "hi"

    run(test())


def test_lists_are_live(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            eve = await w.stranger()
            await eve.say(commands.Follow("online", True))
            await eve.say(commands.Follow("cards", True))
            assert [(m["list"], m["rows"], m["whole"]) for m in eve.of("list")] == [
                ("online", [], True),
                ("cards", [], True),
            ]
            ann = await w.person(1, "ann")
            assert eve.of("list")[-1]["rows"][0]["user"]["name"] == "ann"
            await ann.sit(101, 2)
            row = eve.of("list")[-1]["rows"][0]
            assert (row["table"], row["room"], row["game"]) == (101, 1, "gouji")
            await ann.sit(201, 0)
            assert eve.of("list")[-1]["rows"][0]["table"] == 101  # xiangqi is no game of cards
            await ann.hang_up()
            assert eve.of("list")[-1]["gone"] == [1]
            await eve.say(commands.Follow("online", False))
            number = len(eve.of("list"))
            await w.person(2)
            assert len(eve.of("list")) == number

    run(test())


def test_the_card_tables_are_those_where_people_sit(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            eve, ann, bob = await w.stranger(), await w.person(1, "ann"), await w.person(2, "bob")
            await eve.say(commands.Follow("cards", True))

            def row() -> Any:
                return eve.of("list")[-1]["rows"][0]

            def shown() -> list[int]:
                message = eve.of("list")[-1]
                assert message["list"] == "cards"
                return [one["table"] for one in message["rows"]] + [-id for id in message["gone"]]

            await ann.sit(101, 2)
            assert (row()["kind"], row()["state"], row()["free"], row()["watch"]) == (
                "friendly",
                "open",
                [0, 1, 3, 4, 5],
                False,
            )
            await bob.join(101)
            assert (row()["watchers"], row()["contest"]) == (1, False)
            await bob.sit(101, 0)
            assert [seat["user"] and seat["user"]["name"] for seat in row()["seats"][:3]] == ["bob", None, "ann"]
            # Who hides that they are here has a seat, and no name.
            w.wishes.hiding.add(1)
            w.hall.lobby.listed(w.names.users[1])
            assert [seat["user"] and seat["user"]["name"] for seat in row()["seats"][:3]] == ["bob", None, None]
            assert 2 not in row()["free"]
            for person in (ann, bob):
                await person.done(commands.Stand(person.cid(), 101))
            assert shown() == [-101], "where nobody sits any more, there is no table"
            await eve.say(commands.Follow("cards", True))
            assert (eve.of("list")[-1]["rows"], eve.of("list")[-1]["whole"]) == ([], True)

    run(test())


def test_card_tables_for_coins_are_not_listed_for_whom_coins_are_hidden(tmp_path: Path) -> None:
    async def test() -> None:
        rooms = (Room(1, "gouji", "coin", tables=4), Room(2, "gouji", "friendly", tables=4))
        async with world(tmp_path, *rooms) as w:
            ann, eve, kid = await w.person(1, "ann"), await w.stranger(), await w.person(3, "kid")
            w.wishes.minors.add(3)
            await w.hall.ledger.grant(1, "coins", 5000, "start", by=None, now=w.clock.now())

            def heard(who: Any) -> list[int]:
                return [one["table"] for message in who.of("list") for one in message["rows"]]

            for who in (eve, kid):
                await who.say(commands.Follow("cards", True))
            await ann.sit(101, 0)
            await ann.sit(201, 0)
            assert (heard(eve), heard(kid)) == ([101, 201], [201])
            await ann.done(commands.Stand(ann.cid(), 101))
            assert (eve.of("list")[-1]["gone"], kid.of("list")[-1]["gone"]) == ([101], [])
            await ann.sit(102, 0)
            w.wishes.minors.clear()
            await w.hall.lobby.coins_changed(3)
            assert [one["table"] for one in kid.of("list")[-1]["rows"]] == [102, 201]
            w.wishes.minors.add(3)
            await w.hall.lobby.coins_changed(3)
            assert ([one["table"] for one in kid.of("list")[-1]["rows"]], kid.of("list")[-1]["whole"]) == ([201], True)

    run(test())


def test_notes_reach_a_person_who_looks_elsewhere(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 201)
            await bob.say(commands.Leave(201))
            await move(ann, 201, "h2e2")
            note = bob.of("note")[-1]
            assert (note["kind"], note["ref"], note["counts"]["turns"]) == ("turn", 201, 1)
            assert ann.of("note") == []
            game = ann.shown[201]["game"]["game_id"]
            await ann.done(commands.Stand("s1", 201, confirm=True))
            note = ann.of("note")[-1]
            assert (note["kind"], note["ref"]) == ("penalty", game)
            assert note["facts"] == {"table": 201, "score": -2, "credibility": -5, "coins": None, "pass": None}
            note = bob.of("note")[-1]
            assert (note["kind"], note["facts"]["points"]) == ("ended", 2)

    run(test())


def test_totals_follow_a_person_to_other_tables(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 201)
            await ann.sit(202, 0)
            assert ann.shown[202]["seats"][0]["score"] == 0
            await ann.say(commands.Enter(2))
            await opening(ann, bob, 201)
            await bob.act(201, {"a": "resign"})
            assert ann.shown[201]["seats"][0]["score"] == 2
            assert ann.shown[202]["seats"][0]["score"] == 2
            assert (ann.shown[202]["seats"][0]["grade"]) == 1
            people = [person for news in ann.of("room_ev") for person in news.get("people", ())]
            assert (people[-1]["user"]["id"], people[-1]["score"]) == (20, 2)

    run(test())


def test_rooms_keep_their_numbers_when_games_come_and_go(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables and links are numbered by their room: a game that sorts before another must not move it."""
    clock, names = Jumping(), Names()

    @asynccontextmanager
    async def reopened() -> AsyncIterator[World]:
        w = World(tmp_path / "hall.sqlite", clock, names, quick(), None)
        await w.store.open()
        await w.hall.open()
        await w.rest()
        yield w
        await w.stop()

    async def rooms_of(w: World) -> list[tuple[int, str, str]]:
        return [(info.room, info.game, info.kind) for info, _people, _playing in await w.hall.lobby.rooms()]

    def rooms_for(at: int, *games: str) -> list[tuple[int, str, str]]:
        usual = [(game, kind) for game in games for kind in ("friendly", "score")]
        late = [(game, kind) for game in games for kind in ("pass", "coin")]
        shared = [(game, "friendly") for game in games if game == "gouji"]  # with shared deals (P-94)
        return [(number, game, kind) for number, (game, kind) in enumerate(usual + late + shared, at)]

    monkeypatch.setattr(games, "names", cache(lambda: ("gouji", "xiangqi")))
    first = rooms_for(1, "gouji", "xiangqi")
    grown = first + rooms_for(10, "snatch", "still")

    async def test() -> None:
        async with reopened() as w:
            assert await rooms_of(w) == first
            ann, _bob = await two(w, 301)
            await move(ann, 301, "h2e2")
            game = ann.shown[301]["game"]["game_id"]
        request.getfixturevalue("snatch")
        monkeypatch.setattr(games, "names", lambda: ("gouji", "snatch", "still", "xiangqi"))
        for _ in range(2):
            async with reopened() as w:
                assert await rooms_of(w) == grown
                assert w.table(301).setting.game == "xiangqi"
                bob = await w.person(21)
                shown = await bob.join(301)
                assert (shown["game"]["game_id"], shown["you"]["seat"], shown["info"]["room"]) == (game, 1, 3)
                table, _seat = await w.hall.creation.play(bob.user, "snatch")
                assert w.table(table).setting.room == 10
        monkeypatch.setattr(games, "names", lambda: ("gouji", "xiangqi"))
        games.find.cache_clear()
        async with reopened() as w:
            assert await rooms_of(w) == first
            assert w.table(301).playing
            with pytest.raises(HallError, match="NO_SUCH_TABLE"):
                await w.hall.audience.watch(1001)
            with pytest.raises(HallError, match="NO_SUCH_TABLE"):
                await w.hall.audience.watch(table)

    run(test())


def test_a_room_with_a_number_of_its_own_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "names", lambda: ("gouji", "xiangqi"))

    async def test() -> None:
        async with world(tmp_path, Room(7, "xiangqi", "score")) as w:
            assert list(w.hall.rooms) == [7]
        async with world(tmp_path, Room(9, "gouji", "score"), Room(7, "xiangqi", "friendly")) as w:
            assert list(w.hall.rooms) == [7, 9]
        with pytest.raises(HallError, match="BAD_OPTION"):
            async with world(tmp_path, Room(7, "gouji", "score")):
                raise AssertionError
        w = World(tmp_path / "hall.sqlite", Jumping(), Names(), quick(), None)
        await w.store.open()
        await w.hall.open()
        found = {room.id: (room.game, room.kind) for room in w.hall.rooms.values()}
        await w.stop()
        assert found == {
            7: ("xiangqi", "score"),
            9: ("gouji", "score"),
            10: ("gouji", "friendly"),
            11: ("xiangqi", "friendly"),
            12: ("gouji", "pass"),
            13: ("gouji", "coin"),
            14: ("xiangqi", "pass"),
            15: ("xiangqi", "coin"),
            16: ("gouji", "friendly"),  # with shared deals
        }

    run(test())
