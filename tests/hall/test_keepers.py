"""Moderators of rooms: named in the log, of one room alone, and gone with their account (platform RP-22)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_counts import begin
from tests.hall.world import Person, World, run, world

from qipai.accounts.model import User
from qipai.hall.records.rebuild import rebuild
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.moderation.service import Order, script
from qipai.store import Sqlite

ROOMS = (Room(3, "xiangqi", "score"), Room(4, "xiangqi", "friendly", tables=3))


async def kept(w: World) -> list[Any]:
    return await w.store.read(lambda db: db.execute("SELECT * FROM keepers ORDER BY room, user").fetchall())


async def seated(w: World, at: int, *users: int, play: bool = False) -> list[Person]:
    people = [await w.person(user) for user in users]
    for seat, person in enumerate(people):
        await person.join(at)
        await person.sit(at, seat)
    if play:
        await begin(w, people, at)
    return people


def test_who_is_named_keeps_that_room_and_no_other_until_it_ends(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            await seated(w, 301, 20, 21)
            await seated(w, 401, 22, 23)
            mod, watcher = await w.person(9), await w.person(30)
            await watcher.say(commands.Enter(4))
            assert watcher.of("room")[-1]["info"]["moderators"] == []
            assert await mod.refused(commands.Remove(mod.cid(), 401, 0, "stalling")) == "NOT_ALLOWED"
            assert await w.hall.moderators.name(9, 4, on=True, by=1)
            assert not await w.hall.moderators.name(9, 4, on=True, by=1)  # once
            (note,) = mod.of("note")
            assert (note["kind"], note["ref"], note["facts"]["on"]) == ("role", 4, True)
            assert [one["id"] for one in watcher.of("room_ev")[-1]["info"]["moderators"]] == [9]
            # On the line that was open before he was named.
            await mod.done(commands.Remove(mod.cid(), 401, 0, "stalling"))
            assert await mod.refused(commands.Remove(mod.cid(), 301, 0, "stalling")) == "NOT_ALLOWED"
            program = await w.person(9, program=True)  # his token
            assert await program.refused(commands.Remove(program.cid(), 401, 1, "stalling")) == "NOT_ALLOWED"
            assert await w.hall.moderators.name(9, 4, on=False, by=1)
            assert not await w.hall.moderators.name(9, 4, on=False, by=1)
            assert await mod.refused(commands.Remove(mod.cid(), 401, 1, "stalling")) == "NOT_ALLOWED"
            with pytest.raises(HallError, match="NOT_FOUND"):
                await w.hall.moderators.name(9, 77, on=True, by=1)
            acts = [(act.type, act.actor, act.data) for act in await w.hall.order.audit(None, 9)]
            who = {"user": 9, "room": 4}
            assert (acts[0], acts[-1]) == (("moderator.unnamed", 1, who), ("moderator.named", 1, who))

    run(test())


def test_the_log_alone_tells_who_keeps_what(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            for user, room, on in ((9, 4, True), (8, 4, True), (9, 3, True), (8, 4, False), (7, 3, True)):
                await w.jump(1000)
                await w.hall.moderators.name(user, room, on=on, by=1)
            before = await kept(w)
            assert [row[:2] for row in before] == [(3, 7), (3, 9), (4, 9)]
            await w.store.transaction(lambda db: db.execute("DELETE FROM keepers").rowcount)
            await rebuild(w.store)
            assert await kept(w) == before
            await w.hall.keepers.open()
            assert w.hall.keepers.rooms(9) == {3, 4}
            await w.hall.deletion.erase(User(9, "nine", "user"))  # P-96
            await rebuild(w.store)
            assert [row[:2] for row in await kept(w)] == [(3, 7)]

    run(test())


def test_a_mute_of_one_room_counts_there_alone(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, _bob = await seated(w, 301, 20, 21)
            await ann.join(401)
            for room in (3, 4):
                await ann.say(commands.Enter(room))
            order, now = w.hall.order, w.clock.now()
            await order.act(20, "mute", "words", by=9, now=now, seconds=3600, room=4)
            until = now // 1000 + 3600

            async def says(to: str) -> Any:
                return await ann.say(commands.Say(ann.cid(), to, text="hm"))

            for to in ("room:4", "watch:401"):
                answer = await says(to)
                assert (answer["code"], answer["facts"]) == ("MUTED", {"case": "room", "until": until, "room": 4}), to
            for to in ("room:3", "table:301"):
                assert (await says(to))["t"] == "ack", to
            await order.act(20, "mute", "everywhere", by=9, now=now, seconds=60)
            assert (await says("room:3"))["facts"] == {"until": now // 1000 + 60}
            before = await w.store.read(lambda db: db.execute("SELECT * FROM sanctions").fetchall())
            await rebuild(w.store)
            assert await w.store.read(lambda db: db.execute("SELECT * FROM sanctions").fetchall()) == before
            await order.act(20, "unmute", "enough", by=9, now=now, room=4)  # the other one stays
            assert (await says("room:4"))["facts"] == {"until": now // 1000 + 60}
            (ruling, *_) = await order.rulings(20, None, 9)
            assert (ruling.what, ruling.room) == ("unmute", 4)

    run(test())


def test_where_that_lies_which_is_reported(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await seated(w, 301, 20, 21, play=True)
            made, _key = await w.hall.creation.make(User(20, "ann", "user"), "xiangqi", room=4, private=True)
            await bob.say(commands.Enter(4))
            await bob.done(commands.Say(bob.cid(), "room:4", text="words"))
            await bob.done(commands.Say(bob.cid(), "table:301", text="words"))
            room, table = (line["id"] for line in bob.of("chat")[-2:])
            game = ann.shown[301]["game"]["game_id"]
            found = {
                "room:4": 4, "table:301": 3, "watch:301": 3, "301": 3, f"table:{made}": 4, game: 3, f"line:{room}": 4,
                f"line:{table}": 3, "table:402": 4, "table:999999": None, "room:77": None, "line:999999": None,
                "nosuchgame": None, "": None, "ruling:1": None, f"table:{9**15}": None,
            }  # fmt: skip
            assert {ref: await w.hall.report_contexts.room_of(ref) for ref in found} == found

    run(test())


def test_what_was_in_force_before_there_were_moderators_of_rooms_is_everywhere(tmp_path: Path) -> None:
    async def test() -> None:
        name, steps = script()
        old = Sqlite(tmp_path / "hall.sqlite", [(name, steps.partition("-- step 3")[0])])
        await old.open()
        for row in ((20, "mute", 2**40, "words"), (21, "ban", 2**40, "bets")):
            await old.transaction(
                lambda db, row=row: db.execute("INSERT INTO sanctions VALUES (?, ?, ?, ?)", row).rowcount  # type: ignore[misc]
            )
        await old.close()
        store = Sqlite(tmp_path / "hall.sqlite", [(name, steps)])
        await store.open()
        order = Order(store)
        await order.open()
        assert [order.until(user, kind, 0) for user, kind in ((20, "mute"), (20, "ban"), (21, "ban"))] == [  # type: ignore[arg-type]
            2**40, None, 2**40,
        ]  # fmt: skip
        assert order.until(20, "mute", 0, 4) is None
        await store.close()

    run(test())
