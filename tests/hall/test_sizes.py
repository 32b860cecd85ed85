"""Games for several numbers of people: rooms, passes, pairing and tables of one's own have all of them (P-15, P-43)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.world import quick, run, world

from qipai.accounts.model import User
from qipai.config import Config
from qipai.hall.rooms.matchmaking import Reach, Waiting, matched
from qipai.hall.rooms.rooms import Room, default_rooms, table_id, unopened
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.lang import hall

ROOMS = (Room(1, "lianliankan", "friendly"), Room(2, "lianliankan", "score"), Room(3, "xiangqi", "friendly"))


def test_every_room_has_tables_of_every_size_and_so_has_every_pass() -> None:
    for room in default_rooms(Config()):
        tables = [unopened(room, table_id(room, no), no).setting for no in range(1, room.tables + 1)]
        sizes = {2, 3, 4, 5, 6} if room.game == "lianliankan" else {room.places}
        assert {each.seats for each in tables} == sizes
        if room.kind == "pass":
            assert {(each.pass_, each.seats) for each in tables} == {(n, m) for n in range(1, 7) for m in sizes}


def test_three_sit_down_at_a_table_for_three_and_play(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = [await w.person(10 + n) for n in range(3)]
            for seat, person in enumerate(people):
                await person.sit(202, seat)
            assert await people[0].refused(commands.Sit(people[0].cid(), 202, 3)) == "BAD_MESSAGE"
            for person in people:
                await person.ready(202)
            await w.jump(3000)
            assert people[0].shown[202]["info"]["state"] == "playing"

    run(test())


def test_a_table_that_was_larger_when_it_was_last_used_is_opened_as_its_room_has_it_now(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "lianliankan", "friendly", seats=6)) as w:
            ann = await w.person(10)
            await ann.sit(101, 0)
            await ann.done(commands.Stand(ann.cid(), 101))
            clock = w.clock
        async with world(tmp_path, *ROOMS, clock=clock) as w:
            ann = await w.person(10)
            assert await ann.refused(commands.Sit(ann.cid(), 101, 5)) == "BAD_MESSAGE"
            await ann.sit(101, 1)
            assert len(ann.shown[101]["seats"]) == 2

    run(test())


def test_a_table_is_opened_by_the_option_players_or_by_seats(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = (await w.person(10)).user
            assert isinstance(ann, User)
            doors, tables = w.hall.creation, w.hall.runner.tables
            for more in ({"options": {"players": 3}}, {"seats": 3}, {"options": {"players": 3}, "seats": 3}):
                table, _key = await doors.make(ann, "lianliankan", **more)
                assert tables[table].table.setting.seats == 3
                assert tables[table].table.options == {}
            table, _seat = await doors.play(ann, "lianliankan", options={"players": 4})
            assert tables[table].table.setting.seats == 4
            for wrong in ({"options": {"players": 7}}, {"options": {"players": 3}, "seats": 2}):
                with pytest.raises(HallError) as refused:
                    await doors.make(ann, "lianliankan", **wrong)
                assert refused.value.facts == {"field": "players"}
            with pytest.raises(HallError) as refused:
                await doors.make(ann, "xiangqi", options={"players": 2})  # has no such option
            assert refused.value.facts == {"field": "players"}

    run(test())


def test_who_would_make_a_table_in_a_pass_room_is_shown_the_one_that_stands_there(tmp_path: Path) -> None:
    rooms = (*ROOMS, Room(4, "lianliankan", "pass", tables=30))

    async def test() -> None:
        async with world(tmp_path, *rooms) as w:
            people = [await w.person(10 + n) for n in range(6)]
            users = [person.user for person in people if person.user is not None]

            async def answer(user: User, **more: Any) -> dict[str, Any]:
                with pytest.raises(HallError, match="NOT_ALLOWED") as refused:
                    await w.hall.creation.make(user, "lianliankan", room=4, **more)
                assert set(hall("en")) >= {f"NOT_ALLOWED_{refused.value.facts['case']}"}
                return refused.value.facts

            assert await answer(users[0], seats=3) == {"case": "pass", "at": 1, "seats": 3, "table": 427, "no": 27}
            assert (await answer(users[0], options={"players": 5}))["table"] == 429
            await people[1].sit(428, 0)
            assert (await answer(users[0]))["table"] == 428  # where somebody waits
            # What is named can be sat down at, and is, until nobody else can.
            for n in (2, 3, 4):
                await people[n].sit((await answer(users[n], seats=4))["table"], n - 1)
            assert await answer(users[0], seats=4) == {"case": "pass_full", "at": 1}
            guest = (await w.person(30, kind="guest")).user
            assert guest is not None
            with pytest.raises(HallError, match="SIGN_IN"):
                await w.hall.creation.make(guest, "lianliankan", room=4)

    run(test())


def test_who_has_waited_long_enough_takes_as_many_as_there_are() -> None:
    reach = Reach(10_000, 0, 5_000)
    queue = [Waiting(1, 1500, 0), Waiting(2, 1500, 5_000), Waiting(3, 1500, 9_000)]

    def groups(queue: list[Waiting], now: int) -> list[list[int]]:
        found = matched(queue, (2, 3, 4, 5, 6), now, reach, lambda one, other: False, 10_000)
        return [[one.user for one in group] for group in found]

    assert groups(queue, 9_999) == []
    assert groups(queue, 10_000) == [[1, 2, 3]]
    assert groups(queue[:1], 60_000) == []
    six = [Waiting(user, 1500, 0) for user in range(1, 8)]
    assert groups(six, 0) == [[1, 2, 3, 4, 5, 6]]


def test_two_are_paired_after_ten_seconds_where_six_could_play(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS, config=quick(pairing={"range": 1000})) as w:
            people = [await w.person(20), await w.person(21)]
            users = [person.user for person in people if person.user is not None]
            for user in users:
                assert await w.hall.invitations.wait(user, "lianliankan", None) is None
            await w.jump(10_000)
            place = await w.hall.invitations.wait(users[0], "lianliankan", None)
            assert place is not None
            assert w.table(place[0]).setting.seats == 2

    run(test())
