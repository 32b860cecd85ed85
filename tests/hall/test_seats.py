"""Sitting, standing, readiness, tables of one's own (platform P-15 to P-18, P-25, P-28, P-89)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.hall.test_gouji import six
from tests.hall.test_xiangqi import two
from tests.hall.world import quick, run, world

from qipai.hall.live.addresses import Origin
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Terms

ROOMS = (
    Room(1, "gouji", "friendly"),
    Room(2, "gouji", "score"),
    Room(3, "xiangqi", "friendly"),
    Room(4, "gouji", "score", terms=Terms(substitute=False)),
    Room(5, "xiangqi", "score", terms=Terms(min_score=10, min_credibility=90)),
)


def test_a_seat_is_for_one_and_a_person_has_one(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await w.person(1), await w.person(2)
            await ann.sit(101, 3)
            assert await bob.refused(commands.Sit("b1", 101, 3)) == "SEAT_TAKEN"
            assert await bob.refused(commands.Sit("b2", 101, 9)) == "BAD_MESSAGE"
            assert await bob.refused(commands.Sit("b3", 199, 0)) == "NO_SUCH_TABLE"
            assert await bob.refused(commands.Ready("b4", 101, True)) == "NOT_SEATED"
            assert await bob.refused(commands.Act("b5", 101, {"a": "pass"})) == "NOT_SEATED"
            assert await ann.refused(commands.Act("a1", 101, {"a": "pass"})) == "NO_GAME"
            await ann.sit(101, 5)  # moves over
            assert [seat["user"] and seat["user"]["id"] for seat in ann.shown[101]["seats"]] == [None] * 5 + [1]
            assert ann.shown[101]["you"] == {"seat": 5, "owner": True}
            assert w.hall.people.tables_of(ann.user) == (101,)

    run(test())


def test_the_owner_is_who_sat_first_and_then_the_next(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob, eve = [await w.person(n) for n in (1, 2, 3)]
            await ann.sit(101, 0)
            await eve.sit(101, 4)
            await bob.sit(101, 2)
            assert await bob.refused(commands.Fill("f1", 101, 5, "easy")) == "NOT_ALLOWED"
            await ann.done(commands.Stand("s1", 101))
            assert ann.shown[101]["you"] == {"seat": None, "owner": False}
            assert eve.shown[101]["you"] == {"seat": 4, "owner": True}
            await eve.fill(101, 0, "strong")
            await eve.fill(101, 0, "easy")
            assert bob.shown[101]["seats"][0]["bot"] == "easy"
            await eve.fill(101, 0, None)
            assert bob.shown[101]["seats"][0]["bot"] is None
            assert await bob.refused(commands.Remove("r1", 101, 4)) == "NOT_ALLOWED"
            await eve.done(commands.Remove("r2", 101, 2))
            assert bob.shown[101]["you"]["seat"] is None
            assert bob.shown[101]["ch"] == "101.w"
            assert bob.stood() == [{"table": 101, "why": "removed"}]
            await eve.done(commands.Remove("r3", 101, 4))  # her own seat
            assert ann.stood() == eve.stood() == []  # who gets up knows why

    run(test())


def test_a_room_that_all_have_left_is_as_it_was(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(1)
            await ann.sit(101, 0)
            await ann.fill(101, 1)
            await ann.done(commands.Set("s1", 101, options={"report_at": 5, "table_chat": "off"}))
            assert ann.shown[101]["info"]["options"] == {"report_at": 5}
            assert ann.shown[101]["info"]["terms"] == {"table_chat": "off"}
            await ann.done(commands.Stand("s2", 101))
            assert all(seat["bot"] is None for seat in ann.shown[101]["seats"])  # bots do not stay alone
            assert (ann.shown[101]["info"]["options"], ann.shown[101]["info"]["terms"]) == ({}, {})
            bob = await w.person(2)
            await bob.sit(101, 3)
            assert bob.shown[101]["info"]["options"] == {}
            assert bob.shown[101]["info"]["terms"] == {}

    run(test())


@pytest.mark.parametrize(
    ("options", "clock", "field"),
    [
        ({"nonsense": 1}, None, "nonsense"),
        ({"report_at": "many"}, None, "report_at"),
        ({"report_at": 99}, None, "report_at"),
        ({"password": 7}, None, "password"),
        ({"table_chat": "loud"}, None, "table_chat"),
        (None, {"type": "move"}, "clock"),
        (None, {"type": "days", "days": 3}, "clock"),
        (None, {"type": "stages", "stages": []}, "clock"),
        (None, {"type": "fischer", "base": 60, "inc": 5, "x": 1}, "clock"),
    ],
)
def test_a_bad_option_is_named(tmp_path: Path, options: Any, clock: Any, field: str) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(1)
            await ann.sit(101, 0)
            more = {key: value for key, value in (("options", options), ("clock", clock)) if value is not None}
            answer = await ann.say(commands.Set("s1", 101, **more))
            assert (answer["code"], answer["facts"]) == ("BAD_OPTION", {"field": field})

    run(test())


def test_a_change_clears_ready_and_waits_for_nobody_to_be(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await w.person(1), await w.person(2)
            await ann.sit(101, 0)
            await bob.sit(101, 1)
            await bob.ready(101)
            assert await ann.refused(commands.Set("s1", 101, options={"report_at": 5})) == "GAME_RUNNING"
            await bob.ready(101, False)
            await ann.ready(101)
            await ann.done(commands.Set("s2", 101, options={"report_at": 5}))
            assert not any(seat["ready"] for seat in bob.shown[101]["seats"])
            assert await bob.refused(commands.Set("s3", 101, options={})) == "NOT_ALLOWED"

    run(test())


def test_two_players_agree_on_the_clock(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await w.person(1), await w.person(2)
            await ann.sit(301, 0)
            await bob.sit(301, 1)
            clock = {"type": "fischer", "base": 300, "inc": 2}
            await bob.done(commands.Set("s1", 301, clock=clock))
            (offer,) = ann.shown[301]["offers"]
            assert offer == {
                "offer": 1,
                "seat": 1,
                "what": "set",
                "set": {"clock": clock},
                "until": w.clock.time + 60_000,
            }
            assert await ann.refused(commands.Ready("r1", 301, True)) == "OFFER_OPEN"
            assert ann.shown[301]["info"]["clock"]["type"] == "stages"
            await ann.done(commands.Answer("a1", 301, 1, True))
            assert ann.shown[301]["info"]["clock"] == clock
            assert ann.shown[301]["offers"] == []
            await ann.ready(301)
            await bob.ready(301)
            assert bob.shown[301]["clocks"]["left"] == [300_000, 300_000]

    run(test())


def test_a_bot_agrees_to_another_clock(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(1)
            await ann.sit(301, 0)
            await ann.fill(301, 1)
            await ann.done(commands.Set("s1", 301, clock={"type": "none"}))
            assert ann.shown[301]["info"]["clock"] == {"type": "none"}
            await ann.ready(301)
            assert ann.shown[301]["clocks"] is None
            assert ann.shown[301]["ask"]["until"] is None

    run(test())


def test_the_last_who_is_not_ready_is_stood_up(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await w.person(1), await w.person(2)
            await ann.sit(301, 0)
            await bob.sit(301, 1)
            await ann.ready(301)
            await w.jump(59_999)
            assert bob.shown[301]["you"]["seat"] == 1
            await w.jump(1)
            assert bob.shown[301]["you"]["seat"] is None
            assert ann.told(301)[-1] == {"e": "table.stood", "seat": 1, "why": "unready"}
            assert bob.stood() == [{"table": 301, "why": "unready"}]
            assert ann.stood() == []

    run(test())


def test_who_was_away_when_he_lost_his_seat_reads_why_when_he_is_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            bob = await w.person(2)
            await bob.sit(301, 1)
            await bob.hang_up()
            await w.jump(60_000)
            assert w.table(301).seat_of(2) is None
            again = await w.person(2)
            assert again.stood() == [{"table": 301, "why": "lost"}]
            await again.hang_up()
            assert (await w.person(2)).stood() == []  # once

    run(test())


def test_who_was_away_at_the_end_reads_what_it_has_cost(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "xiangqi", "score")) as w:
            _ann, bob = await two(w, 101)
            await bob.hang_up()
            await w.jump(60_000)
            again = await w.person(21)
            assert [note["kind"] for note in again.of("note")] == ["penalty", "stood"]
            cost = again.of("note")[0]["facts"]
            assert (cost["table"], cost["score"], cost["credibility"]) == (101, -2, -2)
            assert again.stood() == [{"table": 101, "why": "lost"}]

    run(test())


def test_the_result_names_who_played_though_he_has_got_up(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 301)
            await ann.act(301, {"a": "resign"})
            await ann.done(commands.Stand(ann.cid(), 301))
            assert bob.shown[301]["seats"][0]["user"] is None
            for person in (bob, await w.person(9)):
                await person.join(301)
                played = person.shown[301]["result"]["seats"]
                assert [(one["seat"], one["user"]["name"], one["bot"]) for one in played] == [
                    (0, "p20", None),
                    (1, "p21", None),
                ]

    run(test())


def test_what_an_owner_had_set_is_gone_with_the_last_after_a_game_too(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(20)
            await ann.sit(301, 0)
            await ann.done(commands.Set("s", 301, options={"watchers": False}))
            people = await two(w, 301)
            await people[0].act(301, {"a": "resign"})
            await w.jump(30_000)  # nobody wants to go on
            assert w.table(301).state == "open"
            for person in people:
                await person.done(commands.Stand(person.cid(), 301))
            assert w.table(301).terms == Terms()

    run(test())


def test_who_does_not_want_again_leaves_the_table_open(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await two(w, 301)
            await people[0].act(301, {"a": "resign"})
            assert people[1].told(301)[-1]["again"] == 30_000  # what a client counts down
            await people[1].ready(301)
            await w.jump(29_999)
            assert people[0].shown[301]["info"]["state"] == "between"
            await w.jump(1)
            shown = people[0].shown[301]
            assert shown["info"]["state"] == "open"
            assert (shown["result"], shown["view"], shown["game"]) == (None, None, None)
            assert shown["seats"][1]["ready"] is True

    run(test())


def test_who_leaves_before_the_cards_fall_stops_the_deal(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(1)
            bob = await w.person(2)
            await ann.sit(101, 0)
            await bob.sit(101, 1)
            for seat in (2, 3, 4, 5):
                await ann.fill(101, seat)
            await ann.ready(101)
            await bob.ready(101)
            first = ann.shown[101]["game"]
            assert first["commitment"]
            assert ann.shown[101]["info"]["state"] == "open"
            await bob.done(commands.Stand("s1", 101))
            assert ann.shown[101]["game"] is None
            await w.jump(5_000)
            assert ann.shown[101]["info"]["state"] == "open"
            await ann.fill(101, 1)
            assert ann.shown[101]["game"]["game_id"] != first["game_id"]  # type: ignore[index]
            assert ann.shown[101]["game"]["commitment"] != first["commitment"]  # type: ignore[index]

    run(test())


def test_leaving_gouji_costs_twelve_and_a_substitute_plays_on(tmp_path: Path) -> None:
    """The price is said before, and charged instead of the result."""

    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await six(w, 201)
            answer = await people[4].say(commands.Stand("s1", 201))
            assert answer["facts"] == {"score": -12, "pass": None, "credibility": -5, "coins": 0}
            await people[4].done(commands.Stand("s2", 201, confirm=True))
            assert people[0].shown[201]["seats"][4]["presence"] == "left"
            assert people[4].shown[201]["view"]["hand"] is None  # a watcher now
            for _ in range(4000):
                if people[0].shown[201]["info"]["state"] != "playing":
                    break
                asked = [person for person in people if person.shown[201]["ask"]]
                if not asked:
                    await w.jump(4_000)
                    continue
                shown = asked[0].shown[201]
                await asked[0].act(201, shown["legal"]["list"][0], shown["ask"]["id"])
            result = people[0].shown[201]["result"]
            assert [paid["score"] for paid in result["paid"]] == [*result["points"][:4], -12, result["points"][5]]
            assert people[0].shown[201]["seats"][4]["user"] is None

    run(test())


def test_without_substitutes_a_quit_voids_the_deal(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await six(w, 401)
            await people[2].done(commands.Stand("s1", 401, confirm=True))
            result = people[0].shown[401]["result"]
            assert result["why"] == "left"
            assert [paid["score"] for paid in result["paid"]] == [None, None, -12, None, None, None]
            assert [paid["credibility"] for paid in result["paid"]] == [None, None, -5, None, None, None]
            assert await w.hall.archive.verify(people[0].shown[401]["game"]["game_id"]) is None

    run(test())


def test_a_moderator_sends_somebody_away_with_a_reason(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await six(w, 201)
            mod = await w.person(99, moderator=True)
            assert await mod.refused(commands.Remove("m1", 201, 2)) == "BAD_MESSAGE"
            assert await people[0].refused(commands.Remove("m2", 201, 2, "slow")) == "GAME_RUNNING"
            await mod.done(commands.Remove("m3", 201, 2, "abuse"))
            assert people[0].shown[201]["seats"][2]["presence"] == "left"

    run(test())


def test_whom_a_moderator_sends_away_before_the_start_hears_it_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob, mod = await w.person(1), await w.person(2), await w.person(99, moderator=True)
            await ann.sit(201, 0)
            await bob.sit(201, 3)
            await mod.done(commands.Remove("m1", 201, 3, "abuse"))
            assert bob.shown[201]["you"]["seat"] is None
            assert [(note["kind"], note["facts"]["reason"]) for note in bob.of("note")] == [("penalty", "abuse")]
            assert ann.of("note") == mod.of("note") == []

    run(test())


def test_guests_sit_where_nothing_counts(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            guest = await w.person(7, "游客-0001", "guest")
            assert await guest.refused(commands.Sit("g1", 201, 0)) == "SIGN_IN"
            await guest.sit(101, 0)
            assert guest.shown[101]["seats"][0]["score"] is None
            stranger = await w.stranger()
            assert await stranger.refused(commands.Sit("x", 101, 1)) == "SIGN_IN"

    run(test())


def test_rooms_have_conditions(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(1)
            answer = await ann.say(commands.Sit("a1", 501, 0))
            assert (answer["code"], answer["facts"]) == ("SCORE_TOO_LOW", {"need": 10, "have": 0})
            await ann.say(commands.Enter(5))
            assert ann.of("err")[-1]["code"] == "SCORE_TOO_LOW"

    run(test())


def test_a_private_table_opens_to_its_link_alone(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await w.person(1), await w.person(2, kind="guest")
            table, key = await w.hall.creation.make(ann.user, "xiangqi", private=True, cid="mk")
            assert key is not None
            assert len(key) >= 22
            assert await w.hall.creation.make(ann.user, "xiangqi", private=True, cid="mk") == (table, key)
            assert await w.hall.creation.link(key) == (table, "xiangqi")
            assert await bob.refused(commands.Join(table)) == "TABLE_LOCKED"
            assert await bob.refused(commands.Sit("b1", table, 0)) == "TABLE_LOCKED"
            await bob.join(table, key=key)
            await bob.sit(table, 1)
            await ann.sit(table, 0)
            assert ann.shown[table]["you"] == {"seat": 0, "owner": True}
            assert bob.shown[table]["info"]["terms"] == {"private": True}
            assert key not in str(bob.got[-1])
            with pytest.raises(HallError, match="TABLE_LOCKED"):
                await w.hall.audience.watch(table)
            assert (await w.hall.audience.watch(table, key)).table == table
            await w.hall.creation.make(bob.user, "xiangqi", private=True)
            with pytest.raises(HallError, match="LIMIT_REACHED"):
                await w.hall.creation.make(bob.user, "xiangqi", private=True)

    run(test())


def test_the_link_dies_with_the_table(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(1)
            table, key = await w.hall.creation.make(ann.user, "xiangqi", private=True)
            assert key is not None
            await w.jump(600_000)
            with pytest.raises(HallError, match="NO_SUCH_TABLE"):
                await w.hall.creation.link(key)
            assert await ann.refused(commands.Sit("s", table, 0)) == "NO_SUCH_TABLE"

    run(test())


def test_a_password_shuts_a_table(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await w.person(1), await w.person(2)
            await ann.sit(301, 0)
            await ann.done(commands.Set("s1", 301, options={"password": "松", "watchers": False}))
            assert ann.shown[301]["info"]["terms"] == {"password": True, "watchers": False}
            assert await bob.refused(commands.Sit("b1", 301, 1)) == "BAD_PASSWORD"
            assert await bob.refused(commands.Sit("b2", 301, 1, "竹")) == "BAD_PASSWORD"
            await bob.done(commands.Sit("b3", 301, 1, "松"))
            eve = await w.stranger()
            await eve.say(commands.Join(301, key="松"))
            assert eve.of("err")[-1]["code"] == "WATCH_FORBIDDEN"
            for person in (ann, bob):
                await person.done(commands.Stand(person.cid(), 301))
            await eve.join(301)  # nobody is left who could be asked for the password
            assert eve.shown[301]["info"]["terms"] == {}
            await w.check()

    run(test())


def test_passwords_of_tables_are_not_guessed(tmp_path: Path) -> None:
    async def test() -> None:
        limits = {"password_tries": 3, "password_tries_address": 5}
        async with world(tmp_path, *ROOMS, config=quick(limits=limits)) as w:
            ann, bob = await w.person(1), await w.person(2, origin=Origin("203.0.113.7"))
            await ann.sit(301, 0)
            await ann.done(commands.Set("s1", 301, options={"password": "松"}))
            codes = [await bob.refused(commands.Sit(bob.cid(), 301, 1, f"{n}")) for n in range(4)]
            assert codes == ["BAD_PASSWORD"] * 3 + ["RATE_LIMIT"]
            assert bob.of("err")[-1]["facts"]["wait_ms"] > 0
            assert await bob.refused(commands.Sit(bob.cid(), 301, 1, "松")) == "RATE_LIMIT"
            bob2 = await w.person(2, origin=Origin("203.0.113.8"))  # another line is the same person
            await bob2.join(301, key="松")
            assert bob2.of("err")[-1]["code"] == "RATE_LIMIT"
            eve = await w.person(3, origin=Origin("203.0.113.7"))
            for n in range(3):
                await eve.join(301, key=f"{n}")
            assert [err["code"] for err in eve.of("err")] == ["BAD_PASSWORD"] * 2 + ["RATE_LIMIT"]
            stranger = await w.stranger()  # one without a name and an address is counted, too
            for n in range(4):
                await stranger.join(301, key=f"{n}")
            assert [err["code"] for err in stranger.of("err")] == ["BAD_PASSWORD"] * 3 + ["RATE_LIMIT"]
            dan = await w.person(4, origin=Origin("203.0.113.9"))
            await dan.done(commands.Sit("d", 301, 1, "松"))
            await w.jump(901_000)
            assert (await bob.join(301, key="松"))["seats"][1]["user"]["id"] == 4

    run(test())


def test_a_password_is_nowhere_to_be_read(tmp_path: Path) -> None:
    """Neither in the log, nor by who is asked whether the table shall have it."""

    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob, eve = await w.person(1), await w.person(2), await w.stranger()
            await ann.sit(301, 0)
            await ann.done(commands.Set("s1", 301, options={"password": "open sesame"}))
            assert await bob.refused(commands.Sit("b1", 301, 1, "open Sesame")) == "BAD_PASSWORD"
            kept = w.table(301).key
            assert await bob.refused(commands.Sit("b2", 301, 1, kept)) == "BAD_PASSWORD"
            await bob.done(commands.Sit("b3", 301, 1, "open sesame"))
            await ann.done(commands.Set("s2", 301, options={"password": None}))
            await bob.done(commands.Answer("b4", 301, bob.shown[301]["offers"][0]["offer"], True))
            await eve.join(301)
            await ann.done(commands.Set("s3", 301, options={"password": "open sesame"}))
            offer = bob.shown[301]["offers"][0]
            assert offer["set"] == {"options": {"password": True}}
            await w.check()
            await bob.done(commands.Answer("b5", 301, offer["offer"], True))
            assert w.table(301).key == kept
            assert not any(b"sesame" in raw for person in (ann, bob, eve) for raw in person.raw)
            await bob.done(commands.Stand("b6", 301))
            await bob.done(commands.Sit("b7", 301, 1, "open sesame"))
            sql = "SELECT count(*) FROM events WHERE data LIKE '%sesame%' OR secret LIKE '%sesame%'"
            assert await w.store.read(lambda db: db.execute(sql).fetchone()) == (0,)
            # A log of before has it as it was said.
            w.hall.runner.tables[301].table = replace(w.table(301), key="open sesame")
            await bob.done(commands.Stand("b8", 301))
            assert await bob.refused(commands.Sit("b9", 301, 1, "sesame")) == "BAD_PASSWORD"
            await bob.done(commands.Sit("b10", 301, 1, "open sesame"))
            w.hall.runner.tables[301].table = replace(w.table(301), key=kept)

    run(test())


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"game": "go"}, "game"),
        ({"game": "gouji", "room": 3}, "room"),
        ({"game": "gouji", "variant": "eight"}, "variant"),
        ({"game": "gouji", "preset": "eight"}, "preset"),
        ({"game": "gouji", "seats": 4}, "seats"),
        ({"game": "gouji", "options": {"x": 1}}, "x"),
        ({"game": "gouji", "clock": {"type": "sand"}}, "clock"),
    ],
)
def test_a_table_that_cannot_be_is_not_made(tmp_path: Path, more: Any, field: str) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(1)
            with pytest.raises(HallError) as wrong:
                await w.hall.creation.make(ann.user, **more)
            assert (wrong.value.code, wrong.value.facts) == ("BAD_OPTION", {"field": field})

    run(test())


def test_one_click_waits_a_grace_for_a_line(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            user = w.names.add(1, "ann")
            table, _seat = await w.hall.creation.play(user, "xiangqi", cid="p1")
            await w.rest()
            assert w.table(table).chairs[0].presence == "grace"
            assert (await w.hall.creation.play(user, "xiangqi", cid="p1"))[0] == table
            ann = await w.person(1)
            await ann.join(table)
            assert ann.shown[table]["seats"][0]["presence"] == "online"
            assert ann.shown[table]["ask"]["kind"] == "play"

    run(test())
