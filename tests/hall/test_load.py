"""A table of many games out of the log is the live one, whether it is read row by row or many rows at once."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_snatch import three
from tests.hall.world import Person, World, run, world

from qipai.core.entry import AnyEntry
from qipai.hall.live import books, last_rows
from qipai.hall.live.recovery import SKIPPED
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.events import PresenceChanged, Settled
from qipai.hall.table.messages import Watch

BLITZ = {"type": "fischer", "base": 900, "inc": 5}
ROOMS = (
    Room(1, "xiangqi", "friendly", options={"takeback": "ask"}, clock=BLITZ),
    Room(2, "xiangqi", "friendly", clock=BLITZ, watch=Watch("delayed", 15)),
    Room(3, "backgammon", "score"),
    Room(4, "snatch", "friendly", seats=3, options={"deals": 2, "takeback": "ask", "falling": True}),
    Room(5, "snatch", "score", seats=3, options={"deals": 2, "wager": True}),
)


async def between(w: World, people: list[Person], table: int) -> None:
    """Begin the next game of people who have ended one."""
    for person in people:
        if not person.shown[table]["seats"][person.shown[table]["you"]["seat"]]["ready"]:
            await person.say(commands.Ready(person.cid(), table, True))
    for person in people:
        game = person.shown[table]["game"]
        if game and game["commitment"] and person.shown[table]["info"]["state"] != "playing":
            await person.seed(table, f"s{person.user.id}" if person.user else "")
    await w.jump(3500)


async def something(w: World, luck: random.Random, people: list[Person], table: int) -> None:
    """Let time pass, lines be lost, offers be made, and somebody act who is asked."""
    w.clock.time += luck.choice((0, 1, 37, 900))
    what = luck.random()
    at = luck.randrange(len(people))
    if what < 0.04:
        await w.jump(luck.choice((3000, 30_000)))
    elif what < 0.08:
        await people[at].hang_up()
        people[at] = await w.person(people[at].user.id)
        await people[at].join(table)
        await people[at].say(commands.Back(people[at].cid(), table))
    elif what < 0.2:
        await people[at].say(commands.Offer(people[at].cid(), table, "takeback"))
        if luck.random() < 0.5:
            return
    if people[0].shown[table]["offers"] and luck.random() < 0.5:
        offer = people[0].shown[table]["offers"][0]["offer"]
        for person in people:
            await person.say(commands.Answer(person.cid(), table, offer, True))
    asked = [person for person in people if person.shown[table]["ask"]]
    if not asked:
        await w.jump(4000)
        return
    person = luck.choice(asked)
    legal: dict[str, list[Any]] = person.shown[table]["legal"]
    rare = [*legal.get("leaving", []), *(each for each in legal["list"] if each["a"] == "accept_draw")]
    often = [each for each in legal["list"] if each not in rare]
    action = luck.choice(rare if rare and luck.random() < 0.05 else often)
    await person.say(commands.Act(person.cid(), table, action, person.shown[table]["ask"]["id"]))


@pytest.mark.parametrize("room", [2, 3, *(pytest.param(room, marks=pytest.mark.slow) for room in (1, 4, 5))])
def test_a_table_that_wakes_is_the_one_that_slept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snatch: AnyEntry, room: int
) -> None:
    async def test() -> None:
        luck = random.Random(room)
        table = 100 * room + 1
        async with world(tmp_path, *ROOMS) as w:
            if room > 3:
                people = await three(w, table)
            else:
                people = [await w.person(20), await w.person(21)]
                for seat, person in enumerate(people):
                    await person.sit(table, seat)
                for person in people:
                    await person.ready(table)
            for n in range(1500):
                rows = await w.store.read(lambda db: books.table_rows(db, table))
                if sum(isinstance(row.what, Settled) for row in rows) > 3:
                    break
                if people[0].shown[table]["info"]["state"] == "playing":
                    await something(w, luck, people, table)
                else:
                    await between(w, people, table)
                if n % 3 == 0:
                    await w.check()
            else:
                pytest.fail("the games did not end")
            for _ in range(3):
                await between(w, people, table)
                await w.check()
            assert w.hall.runner.tables[table].table.playing
            for _ in range(30):
                await something(w, luck, people, table)
            await w.check()
            await counted(w, table, monkeypatch)

    run(test())


async def counted(w: World, table: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Assert that moves of deals before the last are counted, but where a certain row stands in the middle of them."""
    rows = await w.store.read(partial(books.table_rows, table=table))
    moves = Counter(row.stream for row in rows if isinstance(row.what, SKIPPED))
    deals = [row.stream for row in rows if isinstance(row.what, Settled)]
    few, skipped, _none = await w.store.read(partial(last_rows.last_rows, table=table, whole=0))
    early = deals[: len(skipped)]
    assert 2 <= len(early) < len(deals)
    assert {deal: many.rows for deal, many in skipped.items()} == {deal: moves[deal] for deal in early}
    assert [row for row in rows if row.stream not in skipped or not isinstance(row.what, SKIPPED)] == few
    monkeypatch.setattr(last_rows, "SITTING", {"table.presence"})  # as if that were somebody who sits down
    _few, skipped, _none = await w.store.read(partial(last_rows.last_rows, table=table, whole=0))
    within = {
        deal
        for deal in deals
        for at in [[row.id for row in rows if row.stream == deal]]
        if any(at[0] < row.id < at[-1] for row in rows if isinstance(row.what, PresenceChanged))
    }
    assert set(skipped) == set(early) - within
    assert not (await w.store.read(partial(last_rows.last_rows, table=table, whole=len(rows)))).skipped
