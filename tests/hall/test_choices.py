"""What a table is chosen to be: how many play, by which house rules, under which name (README X7, platform 13.2)."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.hall.test_snatch import asking, play_on
from tests.hall.world import run, world

from qipai import games
from qipai.core.record import dumps, loads
from qipai.hall.live import books
from qipai.hall.records import replay
from qipai.hall.rooms.rooms import Room, checked
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.web.replay_frames import frames_of

pytestmark = pytest.mark.usefixtures("snatch")
ROOMS = (Room(1, "snatch", "friendly", seats=3), Room(2, "snatch", "friendly", seats=2, variant="short"))


def test_two_play_where_three_could(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await w.person(10), await w.person(11)
            table, _key = await w.hall.creation.make(ann.user, "snatch", seats=2, options={"yield": True})
            for seat, person in enumerate((ann, bob)):
                await person.sit(table, seat)
            assert ann.shown[table]["info"]["options"] == {"yield": True}
            assert await ann.refused(commands.Sit("s1", table, 2)) == "BAD_MESSAGE"
            for person in (ann, bob):
                await person.ready(table)
            for person in (ann, bob):
                await person.seed(table, "x")
            assert asking([ann, bob], table) == [0]
            await play_on(w, [ann, bob], table)
            game = ann.shown[table]["game"]["game_id"]
            assert len(ann.shown[table]["result"]["points"]) == 2
            assert await w.hall.archive.verify(game) is None
            # What is kept of it knows that two have played.
            page = msgspec.json.decode(msgspec.json.encode(await w.hall.archive.finished(game)))
            assert all(len(frame.views) == 3 for frame in frames_of(page).rows)
            rows = await w.store.read(lambda db: books.game_rows(db, game))
            record = replay.record(rows, lambda id: None)
            assert (record.seats, record.options) == (2, {"yield": True})
            assert loads(dumps(record)).seats == 2

    run(test())


def test_a_room_may_be_for_so_many(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(1)
            await ann.sit(201, 1)
            assert len(ann.shown[201]["seats"]) == 2
            room = await w.hall.lobby.snapshot(2)
            assert room.info.seats == 2
            assert {len(row.seats) for row in room.tables} == {2}
            # A table of one's own: as in the room of its variant, or as one says.
            table, _seat = await w.hall.creation.play(ann.user, "snatch", variant="short")
            assert (w.table(table).setting.room, w.table(table).setting.seats) == (2, 2)
            table, _seat = await w.hall.creation.play(ann.user, "snatch", variant="short", seats=3)
            assert (w.table(table).options, w.table(table).setting.seats) == ({"deals": 1}, 3)
            table, _seat = await w.hall.creation.play(ann.user, "snatch")
            assert (w.table(table).setting.room, w.table(table).setting.seats) == (1, 3)
            for count in (0, 1, 4):
                with pytest.raises(HallError) as wrong:
                    await w.hall.creation.make(ann.user, "snatch", seats=count)
                assert wrong.value.facts == {"field": "seats"}

    run(test())


def test_a_preset_is_named_while_it_holds(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(1)
            kind, _key = await w.hall.creation.make(ann.user, "snatch", preset="kind", options={"deals": 5})
            await ann.join(kind)
            await ann.sit(kind, 0)
            info = ann.shown[kind]["info"]
            assert (info["preset"], info["options"]) == ("kind", {"deals": 5, "takeback": "ask"})
            unkind, _key = await w.hall.creation.make(ann.user, "snatch", preset="kind", options={"takeback": "off"})
            await ann.join(unkind)
            assert (ann.shown[unkind]["info"]["preset"], ann.shown[unkind]["info"]["options"]) == (None, {})
            both, _key = await w.hall.creation.make(ann.user, "snatch", variant="short", preset="kind")
            await ann.join(both)
            info = ann.shown[both]["info"]
            assert (info["variant"], info["preset"]) == ("short", "kind")
            assert info["options"] == {"deals": 1, "takeback": "ask"}

    run(test())


def test_a_room_that_cannot_be_is_found() -> None:
    for room, field in (
        (Room(1, "snatch", "friendly", seats=4), "seats"),
        (Room(1, "snatch", "friendly", seats=3, variant="long"), "variant"),
        (Room(1, "snatch", "friendly", seats=3, preset="long"), "preset"),
        (Room(1, "snatch", "friendly", seats=3, options={"yield_": True}), "yield_"),
    ):
        with pytest.raises(HallError) as wrong:
            checked(room)
        assert wrong.value.facts == {"field": field}
    assert checked(Room(1, "snatch", "friendly", seats=3, options={"yield": True})).options == {"yield": True}


def test_the_list_of_games_tells_the_names(snatch: str) -> None:
    from qipai.web.catalog import game_info

    game_info.cache_clear()
    info = game_info(snatch)
    assert info.seats == (2, 3)
    assert info.variants == ("short",)
    assert info.presets == {"kind": {"takeback": "ask"}}
    assert "yield" in {option.name for option in info.options}
    assert games.find(snatch).option_names() == tuple(option.name for option in info.options)
    game_info.cache_clear()
