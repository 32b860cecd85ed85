"""Whole deals of gouji in the hall, and a search of everything each line has seen for cards it may not know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.hall.world import Person, World, run, world

from qipai import games
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands

ROOMS = (Room(1, "gouji", "friendly"), Room(2, "gouji", "score"))


async def six(w: World, table: int, order: tuple[int, ...] = (0, 1, 2, 3, 4, 5)) -> list[Person]:
    """Seat six people in an order, ready, with their seeds sent."""
    people = [await w.person(10 + seat) for seat in range(6)]
    for seat in order:
        await people[seat].sit(table, seat)
    for person in people:
        await person.ready(table)
    for person in people:
        await person.seed(table, f"s{person.user and person.user.id}")
    return people


async def play_out(w: World, people: list[Person], table: int, choose: Any = None) -> None:
    """Play a deal to its end: what `choose` says, else the first action listed."""
    for _ in range(5000):
        if people[0].shown[table]["info"]["state"] != "playing":
            return
        asked = [person for person in people if person.shown[table]["ask"]]
        if not asked:
            await w.jump(4000)  # an even pause
        for person in asked[:1]:
            shown = person.shown[table]
            actions = shown["legal"]["list"]
            await person.act(table, choose(shown, actions) if choose else actions[0], shown["ask"]["id"])
    raise AssertionError("the deal does not end")


def fierce(shown: Any, actions: list[Any]) -> Any:
    """Play as the easy bot does, but burn whenever that is asked."""
    if {"a": "burn"} in actions:
        return {"a": "burn"}
    entry = games.find("gouji")
    bot = entry.bots["easy"](entry.options(), seed=1)
    return msgspec.to_builtins(bot.choose(msgspec.convert(shown["view"], entry.view), 50))


def test_a_person_and_five_bots_play_a_deal(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(5, "ann")
            await ann.join(101)
            await ann.sit(101, 2)
            for seat in (0, 1, 3, 4, 5):
                await ann.fill(101, seat)
            await ann.ready(101)
            assert ann.shown[101]["game"]["commitment"]
            await ann.seed(101, "牌")
            await play_out(w, [ann], 101)
            game = ann.shown[101]["game"]["game_id"]
            assert await w.hall.archive.verify(game) is None
            assert [p["score"] for p in ann.shown[101]["result"]["paid"]] == [None] * 6

    run(test())


@pytest.mark.slow
def test_who_sat_first_leads_and_points_reach_the_six_totals(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await six(w, 201, (3, 0, 1, 2, 4, 5))
            view = people[0].shown[201]["view"]
            assert view["leader"] == 3
            assert [seat for seat, p in enumerate(people) if p.shown[201]["ask"]] == [3]
            await play_out(w, people, 201)
            shown = people[0].shown[201]
            points = shown["result"]["points"]
            assert sorted(shown["result"]["places"]) == [1, 2, 3, 4, 5, 6]
            assert [seat["score"] for seat in shown["seats"]] == points
            for person, score in zip(people, points, strict=True):
                assert person.user is not None
                assert (await w.hall.ledger.standings(person.user.id))["gouji"].score == score
            for person in people:
                await person.ready(201)
            await w.jump(3000)
            assert people[0].shown[201]["view"]["leader"] == 4
            assert people[0].shown[201]["game"]["deal"] == 2

    run(test())


def test_who_is_out_and_gone_does_not_keep_his_seat_after_the_deal(tmp_path: Path) -> None:
    """He loses his line freely while the deal goes on (P-26), and as anybody does when it is over."""

    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await six(w, 201)
            while not (out := [seat for seat in people[0].shown[201]["view"]["out"] if seat != 0]):
                asked = [person for person in people if person.shown[201]["ask"]]
                if not asked:
                    await w.jump(4000)  # an even pause
                for person in asked[:1]:
                    shown = person.shown[201]
                    await person.act(201, fierce(shown, shown["legal"]["list"]), shown["ask"]["id"])
            seat = out[0]
            await people[seat].hang_up()
            assert people[0].shown[201]["seats"][seat]["presence"] == "online"
            await play_out(w, people, 201, fierce)
            assert (
                people[0].shown[201]["result"]["paid"][seat]["score"] == people[0].shown[201]["result"]["points"][seat]
            )
            await w.rest()
            assert people[0].shown[201]["seats"][seat]["presence"] == "grace"
            await w.jump(60_000)
            assert people[0].shown[201]["seats"][seat]["user"] is None
            assert people[0].shown[201]["seats"][0]["user"] is not None

    run(test())


def counts_are_reported(shown: Any) -> None:
    for seat, count in enumerate(shown["view"]["counts"]):
        assert count is None or count <= 10 or seat == shown["you"]["seat"]


@pytest.mark.slow
def test_no_line_ever_sees_a_card_it_may_not_know(tmp_path: Path) -> None:
    """The whole traffic of every seat and of a watcher, against the deal as the log has it."""

    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            watcher = await w.stranger()
            await watcher.join(201)
            people = await six(w, 201)

            def choose(shown: Any, actions: list[Any]) -> Any:
                counts_are_reported(shown)
                return fierce(shown, actions)

            burned = False
            for _ in range(2):  # somebody burns in the second of these deals
                starts = [len(person.got) for person in (*people, watcher)]
                await play_out(w, people, 201, choose)
                page = await w.hall.archive.finished(people[0].shown[201]["game"]["game_id"])
                burned = burned or any(row[1] == {"a": "burn"} for row in page["rows"])
                hands = page["rows"][0][1]["hands"]
                for person, start in zip((*people, watcher), starts, strict=True):
                    searched(person, start, hands)
                for person in people:
                    await person.ready(201)
                await w.jump(3000)
            assert burned

    run(test())


def searched(person: Person, start: int, hands: list[str]) -> None:
    """Search what a line was sent from a moment to the end of its deal."""
    views = [view for message in person.got[start:] if (view := message.get("view")) and view["phase"] != "over"]
    brought = [*views[-1]["payments"], *views[-1]["returns"]]
    held = [hand + "".join(one["cards"] for one in brought if one["to"] == seat) for seat, hand in enumerate(hands)]
    seen = 0
    for message in person.got[start:]:
        if (message.get("view") or {}).get("phase") == "over":
            break  # everything is open now
        if message["t"] in ("snapshot", "ev"):
            search(message, person.shown[201]["you"]["seat"], hands, held)
            seen += 1
    assert seen > 100


def search(message: Any, seat: int | None, hands: list[str], held: list[str]) -> None:
    """Assert that whatever cards a message names lie open or are the seat's own, as dealt or brought by a tribute."""
    view = message.get("view")
    if view:
        assert view["seat"] == seat
        assert (
            view["hand"] is None if seat is None else all(view["hand"].count(c) <= held[seat].count(c) for c in "x2X")
        )
        assert view["partners"] == []
        gone = set(view["out"]) | set(view["fell"])
        for shown in view["shown"]:
            assert shown[0] in view["fell"]
        for other, put_down in enumerate(view["played"]):
            for card in set(put_down):
                assert put_down.count(card) <= held[other].count(card)
        for other, count in enumerate(view["counts"]):
            assert count is None or count <= 10 or other == seat or other in gone
    text = str({key: value for key, value in message.items() if key not in ("view", "legal", "hints", "told")})
    for hand in hands:
        assert hand not in text
    for action in (message.get("legal") or {}).get("list", ()):
        assert seat is not None
        for card in set(action.get("cards", "")):
            assert action["cards"].count(card) <= held[seat].count(card)
    for told in message.get("told", ()):
        assert told["e"] not in ("deal", "no_burn")
        if told["e"] != "dealt":
            assert "hands" not in told


def test_what_a_line_sees_is_all_that_its_view_says(tmp_path: Path) -> None:
    """Another deal to the other five changes nothing that a seat is sent before they have played."""

    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await six(w, 201)
            await w.rest()
            own = people[1].shown[201]["view"]["hand"]
            page = w.table(201).deal.state
            others = [people[seat].shown[201]["view"]["hand"] for seat in (0, 2, 3, 4, 5)]
            assert len(own) == 36
            sent = b"".join(people[1].raw)
            for hand in others:
                assert hand.encode() not in sent
                assert "".join(reversed(hand)).encode() not in sent
            assert page is not None

    run(test())


def test_the_rules_own_code_answers_and_try_changes_nothing(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await six(w, 101)
            lead = people[0]
            rows = w.table(101).deal.rows
            assert await lead.refused(commands.Try("t1", 101, {"a": "play", "cards": "34"})) == "not_a_set"
            assert await people[1].refused(commands.Try("t2", 101, {"a": "pass"})) == "not_your_turn"
            action = lead.shown[101]["legal"]["list"][0]
            assert (await lead.done(commands.Try("t3", 101, action)))["seq"] == lead.shown[101]["seq"]
            assert w.table(101).deal.rows == rows
            assert await lead.refused(commands.Act("t4", 101, {"a": "deal", "hands": []})) == "unknown_action"
            assert await lead.refused(commands.Act("t5", 101, {"a": "play"}, 1)) == "not_a_set"
            assert await lead.refused(commands.Act("t6", 101, 17)) == "unknown_action"  # type: ignore[arg-type]
            await lead.act(101, action)

    run(test())


def test_who_needs_longer_for_a_turn_draws_on_his_reserve(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await six(w, 201)
            leader = next(p for p in people if p.shown[201]["ask"])
            seat = leader.shown[201]["you"]["seat"]
            await w.jump(35_000)  # 20 and 15 of 30
            assert leader.shown[201]["ask"] is not None
            await leader.act(201, leader.shown[201]["legal"]["list"][0], leader.shown[201]["ask"]["id"])
            assert w.table(201).deal.clocks[seat].bank == 15_000
            assert not w.table(201).chairs[seat].flags

    run(test())


def test_a_table_of_one_and_bots_has_no_clock_unless_he_wants_one(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(10)
            assert ann.user is not None
            table, _seat = await w.hall.creation.play(ann.user, "gouji")
            await ann.join(table)
            assert ann.shown[table]["info"]["clock"] == {"type": "none"}
            other, _seat = await w.hall.creation.play(ann.user, "gouji", clock={"type": "move", "s": 9})
            assert w.table(other).clock == {"type": "move", "s": 9}

    run(test())


def test_two_flags_in_a_row_make_a_bot_seat_and_back_takes_it_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await six(w, 201)
            for _ in range(40):
                if w.table(201).chairs[0].presence == "bot" or w.table(201).state != "playing":
                    break
                asked = [s for s, p in enumerate(people) if p.shown[201]["ask"]]
                if asked and asked[0] != 0:
                    shown = people[asked[0]].shown[201]
                    await people[asked[0]].act(201, shown["legal"]["list"][0], shown["ask"]["id"])
                else:
                    await w.jump(20_001 if asked else 4000)
            chair = w.table(201).chairs[0]
            assert chair.presence == "bot"
            assert people[3].shown[201]["seats"][0]["presence"] == "bot"
            await people[0].done(commands.Back("b1", 201))
            assert people[3].shown[201]["seats"][0]["presence"] == "online"
            await people[0].done(commands.Back("b2", 201))  # harmless

    run(test())
