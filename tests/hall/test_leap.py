"""A machine whose clock leaps two hours costs nobody a game; the log has both times (P-100)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.hall.test_xiangqi import two
from tests.hall.world import run, world

from qipai.config import Config
from qipai.hall.table import commands
from qipai.store.writer import rows_of
from qipai.web.clock import Clock
from qipai.web.house import House

HOURS = 2 * 3600_000


def test_a_leap_forward_is_given_back_to_clocks_grace_and_offers(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path) as w:
            red, black = await two(w, 301)
            assert red.user is not None
            await w.jump(5_000)
            await black.hang_up()
            await w.jump(1_000)
            table = w.table(301)
            until = next(chair.until for chair in table.chairs if chair.until is not None)
            since = w.clock.time
            w.clock.time += HOURS
            await w.hall.stood_still(since, w.clock.time)
            await w.rest()
            table = w.table(301)
            assert table.playing
            assert next(chair.until for chair in table.chairs if chair.until is not None) == until + HOURS
            again = await w.person(21)
            shown = await again.join(301)
            assert shown["info"]["state"] == "playing"
            assert {seat["presence"] for seat in shown["seats"]} == {"online"}
            left = shown["clocks"]["left"]
            assert min(each for each in left if each is not None) > 60_000
            await w.jump(1_000)
            assert (await red.say(commands.Ready("r", 301, True)))["t"] == "err"  # the game runs on

    run(test())


@pytest.mark.parametrize("leap", [HOURS, -HOURS])
def test_a_house_notes_a_leap_and_its_time_never_goes_back(
    tmp_path: Path, leap: int, caplog: pytest.LogCaptureFixture
) -> None:
    machine = SimpleNamespace(wall=1_790_000_000_000, tick=0)

    async def test() -> None:
        house = House(tmp_path, Config(), wall=Clock(lambda: machine.wall, lambda: machine.tick))
        await house.open()
        try:
            before = house.services.now()
            machine.wall += leap
            await house._keep_time()
            await house.hall.runner.rest()
            assert house.services.now() == before + max(0, leap)
            rows = await house.store.read(lambda db: rows_of(db, "stream = 'clock'", ()))
            assert [row.data for row in rows] == [{"hall": before, "machine": before + leap}]
            assert "clock was set" in caplog.text
        finally:
            await house.shut()
        # After a restart it goes on behind what stands in the log.
        machine.tick += 1
        again = House(tmp_path, Config(), wall=Clock(lambda: machine.wall, lambda: machine.tick))
        await again.open()
        try:
            assert again.services.now() >= before + max(0, leap)
        finally:
            await again.shut()

    asyncio.run(test())
