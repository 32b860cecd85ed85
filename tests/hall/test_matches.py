"""Matches (platform P-25): they go on as long as their people sit there, and begin anew where somebody says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_snatch import play_on, three
from tests.hall.test_xiangqi import two
from tests.hall.world import Person, World, run, world

from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands

pytestmark = pytest.mark.usefixtures("snatch")
ROOMS = (Room(1, "snatch", "friendly", seats=3), Room(2, "snatch", "score", seats=3), Room(3, "xiangqi", "friendly"))
AGAIN = 30_001


async def deal(w: World, people: list[Person], table: int = 101) -> list[int]:
    """Play one deal that has been dealt; return its points."""
    await w.jump(3000)
    await play_on(w, people, table)
    points: list[int] = people[0].shown[table]["result"]["points"]
    return points


async def ready(people: list[Person], table: int = 101) -> None:
    for person in people:
        await person.ready(table)


def match(person: Person, table: int = 101) -> Any:
    return person.shown[table]["info"].get("match")


def test_a_match_goes_on_after_the_wait_for_again_is_over(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await three(w)
            assert match(people[0]) is None
            points = await deal(w, people)
            await w.jump(AGAIN)
            assert people[0].shown[101]["info"]["state"] == "open"
            assert match(people[0]) == {"deal": 2, "points": points, "instead": [], "fresh": False}
            await ready(people)
            assert people[0].shown[101]["game"]["deal"] == 2
            more = await deal(w, people)
            assert match(people[0])["points"] == [one + other for one, other in zip(points, more, strict=True)]
            # Who loses his line for long gets up; when he is back his match is there still.
            await people[0].hang_up()
            await w.jump(120_000)
            people[0] = await w.person(10)
            await people[0].sit(101, 0)
            await ready(people)
            assert people[0].shown[101]["game"]["deal"] == 3

    run(test())


def test_a_match_outlives_the_hall(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await three(w)
            await deal(w, people)
            await w.jump(AGAIN)
            clock = w.clock
            await w.kill()
        async with world(tmp_path, *ROOMS, clock=clock) as w:
            people = [await w.person(id) for id in (10, 11, 12)]
            for person in people:
                await person.join(101)
            assert match(people[0])["deal"] == 2

    run(test())


def test_a_new_match_begins_where_the_owner_says_so_and_all_see_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await three(w)  # seat 1 sat down first: the table is his
            await deal(w, people)
            await w.jump(AGAIN)
            new = commands.Set(people[1].cid(), 101, match="new")
            assert await people[0].refused(commands.Set(people[0].cid(), 101, match="new")) == "NOT_ALLOWED"
            await people[2].ready(101)
            assert await people[1].refused(new) == "GAME_RUNNING"
            await people[2].ready(101, on=False)
            await people[1].done(new)
            assert match(people[2]) == {"deal": 1, "points": [], "instead": [], "fresh": True}
            await people[1].done(commands.Set(people[1].cid(), 101, match="on"))
            assert match(people[2])["deal"] == 2
            await people[1].done(commands.Set(people[1].cid(), 101, match="new"))
            await ready(people)
            assert people[0].shown[101]["game"]["deal"] == 1

    run(test())


def test_other_rules_begin_another_match_other_time_does_not(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await three(w)
            await deal(w, people)
            await people[1].done(commands.Set(people[1].cid(), 101, clock={"type": "move", "s": 7}))
            assert match(people[0])["deal"] == 2
            await people[1].done(commands.Set(people[1].cid(), 101, options={"deals": 5}))
            assert match(people[0]) is None
            refused = await people[1].refused(commands.Set(people[1].cid(), 101, match="new"))
            assert refused == "BAD_OPTION"

    run(test())


def test_whoever_takes_a_seat_takes_its_place_in_the_match_when_all_agree(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await three(w)
            points = await deal(w, people)
            await people[2].done(commands.Stand(people[2].cid(), 101))
            await people[0].ready(101)
            dan = await w.person(13)
            await dan.sit(101, 2)
            assert match(people[0]) == {"deal": 2, "points": points, "instead": [2], "fresh": False}
            assert not people[0].shown[101]["seats"][0]["ready"]  # to go on with dan he has to say so
            await ready([people[0], people[1], dan])
            assert dan.shown[101]["game"]["deal"] == 2

    run(test())


def test_a_match_is_over_when_all_who_played_it_have_gone(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await three(w)
            await deal(w, people)
            strangers = [await w.person(20 + seat) for seat in range(3)]
            for seat in (0, 1, 2):
                await people[seat].done(commands.Stand(people[seat].cid(), 101))
                await strangers[seat].sit(101, seat)
                assert (match(strangers[seat]) is None) == (seat == 2)
            await ready(strangers)
            assert strangers[0].shown[101]["game"]["deal"] == 1

    run(test())


def test_colours_take_turns_whenever_the_rematch_begins(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 301)
            await ann.act(301, {"a": "resign"})
            await w.jump(AGAIN)
            await ready([ann, bob], 301)
            await w.rest()
            assert ann.shown[301]["you"]["seat"] == 1

    run(test())
