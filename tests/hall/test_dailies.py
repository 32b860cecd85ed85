"""The board of the day: the same for everybody under the same rules, and who was quickest at it (platform P-75)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_rebuild import built_anew
from tests.hall.world import Person, World, run, world

from qipai.hall.live.daily_boards import Row
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.daily_board import day_of
from qipai.hall.table.errors import HallError

ROOM = Room(1, "lianliankan", "friendly", options={"hints": 3})
DAY_MS = 86_400_000


async def begins(w: World, person: Person, **options: Any) -> int:
    """Sit somebody down at a board, as the lobby does, and let the countdown pass; return his table."""
    assert person.user is not None
    table, _seat = await w.hall.creation.play(person.user, "lianliankan", seats=1, options=options)
    await person.join(table)
    await person.seed(table, "x")
    await w.jump(3000)
    assert person.shown[table]["view"]["phase"] == "play"
    return table


async def clears(w: World, person: Person, table: int, ms: int) -> None:
    """Clear a board, each pair after so long."""
    while not person.shown[table]["result"]:
        await w.jump(ms)
        pair = next(one for one in person.shown[table]["legal"]["list"] if one["a"] == "link")
        await person.act(table, pair)


def test_everybody_has_the_board_under_the_games_own_rules(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, ROOM) as w:
            person = await w.person(10)
            today = day_of(w.clock.now())
            solo, daily = await begins(w, person), await begins(w, person, daily=today)
            assert w.table(solo).options == {"hints": 3}  # of the friendly room
            assert w.table(daily).options == {"daily": today}
            assert person.user is not None
            with pytest.raises(HallError) as refused:  # nobody goes over tomorrow's
                await begins(w, person, daily=day_of(w.clock.now() + DAY_MS))
            assert refused.value.facts == {"field": "daily"}

    run(test())


@pytest.mark.slow
def test_the_first_game_of_each_counts_and_who_has_left_has_no_time(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, ROOM) as w:
            today = day_of(w.clock.now())
            slow, quick, gone, other = [await w.person(10 + n) for n in range(4)]
            tables = {one: await begins(w, one, daily=today) for one in (slow, gone)}
            begun = w.clock.now() - 6000
            await gone.done(commands.Stand(gone.cid(), tables[gone], confirm=True))
            await clears(w, slow, tables[slow], 90)
            await clears(w, quick, await begins(w, quick, daily=today), 40)
            # Once more, now that they know it; under other rules; another day's board: that all is practice.
            await clears(w, slow, await begins(w, slow, daily=today), 10)
            await clears(w, gone, await begins(w, gone, daily=today), 10)
            await clears(w, other, await begins(w, other, daily=today, hints=9), 10)
            await clears(w, other, await begins(w, other, daily=day_of(w.clock.now() - DAY_MS)), 10)
            found = await w.hall.dailies.rows("lianliankan", today, after=0, most=10)
            assert [(row.rank, row.user) for row in found] == [(1, 11), (2, 10), (None, 12)]
            assert found[1].ms == 72 * 90 + 3000, "with the time in which another was begun"
            assert found[0].ms == 72 * 40
            assert found[2].ms is None
            assert found[1].begun == begun
            assert await w.hall.dailies.rows("lianliankan", today, after=1, most=1) == [found[1]]
            assert not await w.hall.dailies.rows("lianliankan", day_of(begun - DAY_MS), after=0, most=10)
            assert isinstance(found[0], Row)
            assert await built_anew(w) == []

    run(test())
