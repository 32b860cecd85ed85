"""What watchers see of hands (P-88): nothing, all of them once the hand is over, or all of them at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_snatch import play_on, three
from tests.hall.test_xiangqi import two
from tests.hall.world import World, quick, run, world

from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.hall.table.messages import Watch

pytestmark = pytest.mark.usefixtures("snatch")


async def watched(w: World) -> tuple[Any, list[Any], Any]:
    """Let three play while one looks on; return what he saw at the start, and at the end."""
    people = await three(w)
    eve = await w.person(9)
    await eve.join(101)
    begun = eve.shown[101]["late"]
    await play_on(w, people)
    return begun, people, eve


@pytest.mark.parametrize("mode", ["public_only", "after_hand", "open"])
def test_hands_are_shown_when_the_room_says_so(tmp_path: Path, mode: Any) -> None:
    async def test() -> None:
        async with world(
            tmp_path, Room(1, "snatch", "friendly", seats=3, watch=Watch(mode, None)), config=quick()
        ) as w:
            begun, people, eve = await watched(w)
            ended = eve.shown[101]["late"]
            assert (begun is not None) == (mode == "open")
            assert (ended is not None) == (mode != "public_only")
            assert eve.shown[101]["info"]["watch"]["mode"] == mode
            for person in people:
                assert person.shown[101]["late"] is None  # who sits sees his own view alone
            if ended is not None:
                assert ended["views"] == [person.shown[101]["view"] for person in people]
                again = await w.person(99)
                assert (await again.join(101))["late"]["views"] == ended["views"]

    run(test())


@pytest.mark.parametrize(("kind", "mode"), [("score", "open"), ("pass", "open")])
def test_a_room_that_cannot_be_watched_like_that_is_refused(tmp_path: Path, kind: Any, mode: Any) -> None:
    async def test() -> None:
        with pytest.raises(HallError, match="BAD_OPTION"):
            async with world(tmp_path, Room(1, "snatch", kind, watch=Watch(mode, None))):
                raise AssertionError

    run(test())


def test_what_is_hidden_is_shown_when_it_is_old_enough_and_never_before(tmp_path: Path) -> None:
    async def test() -> None:
        room = Room(1, "snatch", "friendly", seats=3, watch=Watch("delayed", None))
        async with world(tmp_path, room, config=quick(watching={"delay_s": 5})) as w:
            people = await three(w)
            eve = await w.person(99)
            begun = w.clock.now()
            await eve.join(101)
            assert eve.shown[101]["info"]["watch"] == {"mode": "delayed", "delay_s": 5}
            assert eve.shown[101]["late"] is None
            seats = [person.shown[101]["view"] for person in people]
            seqs = [person.shown[101]["seq"] for person in people]
            await w.jump(4_999)
            assert eve.shown[101]["late"] is None
            await w.jump(1)
            assert eve.shown[101]["late"] is not None
            assert begun >= eve.shown[101]["late"]["at"] >= begun - 5_000
            assert eve.shown[101]["late"]["views"] == seats
            assert [person.shown[101]["seq"] for person in people] == seqs  # nobody else notices

    run(test())


def test_a_table_without_watchers_sends_away_who_looked_on_before_it_was_full(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "xiangqi", "friendly")) as w:
            ann, eve = await w.person(20), await w.person(22)
            await ann.sit(101, 0)
            await ann.done(commands.Set("s", 101, options={"watchers": False}))
            await eve.join(101)  # a seat is free: whoever comes may take it
            await two(w, 101)
            (sent,) = eve.of("rejoin")
            assert sent["table"] == 101
            heard = len(eve.got)
            await eve.say(commands.Join(101))
            assert [message.get("code") for message in eve.got[heard:]] == ["WATCH_FORBIDDEN"]
            with pytest.raises(HallError, match="WATCH_FORBIDDEN"):
                await w.hall.audience.watch(101)
            await ann.act(101, {"a": "move", "m": "h2e2"})
            assert len(eve.got) == heard + 1  # and hears no more of it

    run(test())


def test_who_leaves_a_game_without_watchers_sees_no_more_of_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "snatch", "friendly", seats=3)) as w:
            ann, bob, eve = [await w.person(id) for id in (20, 21, 22)]
            await ann.sit(101, 0)
            await ann.done(commands.Set("s", 101, options={"watchers": False}))
            for seat, person in enumerate((ann, bob, eve)):
                if person is not ann:
                    await person.sit(101, seat)
            for person in (ann, bob, eve):
                await person.ready(101)
            for person in (ann, bob, eve):
                await person.seed(101, "seed")
            assert w.table(101).playing
            await eve.done(commands.Stand("x", 101, confirm=True))
            await w.rest()
            assert w.table(101).playing
            assert [sent["table"] for sent in eve.of("rejoin")] == [101]

    run(test())
