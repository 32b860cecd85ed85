"""A game that nobody plays or watches stands still; it goes on when somebody comes, and is called off some day."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.hall.test_gouji import six
from tests.hall.world import Person, World, quick, run, world

from qipai.hall.table.errors import HallError


async def alone(w: World) -> tuple[Person, int]:
    """Return somebody at a gouji table with five bots, his own, where the game runs."""
    ann = await w.person(1)
    table, _seat = await w.hall.creation.play(ann.user, "gouji", level="easy")
    await w.rest()
    await ann.join(table)
    return ann, table


def test_bots_do_not_play_on_where_nobody_is(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, config=quick()) as w:
            ann, table = await alone(w)
            await ann.hang_up()
            await w.jump(70_000)  # the grace, and what was under way
            assert table not in w.hall.runner.tables
            asked, events = w.thinker.asked, w.store.newest
            await w.jump(3600_000)
            assert (w.thinker.asked, w.store.newest) == (asked, events)
            assert table in w.hall.people.seated(1)
            # It goes on for who comes back, with all the time he had.
            again = await w.person(1)
            assert table in w.hall.people.tables_of(again.user)
            shown = await again.join(table)
            assert shown["info"]["state"] == "playing"
            assert shown["seats"][shown["you"]["seat"]]["presence"] == "online"
            await w.jump(60_000)
            assert w.store.newest > events

    run(test())


def test_who_watches_sees_it_played_on(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, config=quick()) as w:
            ann, table = await alone(w)
            eve = await w.person(2)
            await eve.join(table)
            await ann.hang_up()
            await w.jump(600_000)
            assert eve.shown[table]["info"]["state"] in ("between", "open")

    run(test())


def test_a_watcher_who_comes_later_sets_it_going(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, config=quick()) as w:
            ann, table = await alone(w)
            await ann.hang_up()
            await w.jump(600_000)
            events = w.store.newest
            eve = await w.person(2)
            await eve.join(table)
            await w.jump(60_000)
            assert w.store.newest > events

    run(test())


def test_what_nobody_comes_back_to_is_called_off(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, config=quick(seats={"deserted_s": 600})) as w:
            ann, table = await alone(w)
            await ann.hang_up()
            await w.jump(700_000)
            assert w.hall.people.seated(1) == ()
            again = await w.person(1)
            assert again.stood()[-1]["why"] == "lost"
            assert await again.join(table) is None

    run(test())


def test_a_score_game_is_played_to_its_end(tmp_path: Path) -> None:
    """What counts is owed to everybody: substitutes finish it, though all have gone."""

    async def test() -> None:
        async with world(tmp_path, config=quick()) as w:
            people = await six(w, 201)
            for person in people:
                await person.hang_up()
            await w.jump(900_000)
            again = await w.person(1)
            shown = await again.join(201)
            assert shown is None or shown["info"]["state"] != "playing"

    run(test())


def test_nobody_sits_at_more_live_tables_than_one_may(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, config=quick(limits={"seats": 2})) as w:
            ann = await w.person(1)
            assert ann.user is not None
            for _ in range(2):
                await w.hall.creation.play(ann.user, "gouji", level="easy")
            with pytest.raises(HallError, match="LIMIT_REACHED"):
                await w.hall.creation.play(ann.user, "gouji", level="easy")
            bob = await w.person(2)
            assert bob.user is not None
            for _ in range(2):
                await w.hall.creation.make(bob.user, "xiangqi")
            with pytest.raises(HallError, match="LIMIT_REACHED"):
                await w.hall.creation.make(bob.user, "xiangqi")

    run(test())
