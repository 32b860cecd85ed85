"""One seed of a hall on several nodes: what goes wrong with them and between them, and how all of it ends well."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from tests.simulation.disk import Weather
from tests.simulation.nodes import Town
from tests.simulation.scenario import LATE_S, Ground, Scenario, playing
from tests.simulation.world import World

from qipai.web.services import DATABASE

__all__ = ["TownScenario"]

SMALL: Final = ("doudizhu", "xiangqi", "backgammon")
LARGE: Final = (*SMALL, "mahjong", "gouji")


class TownScenario(Scenario):
    """A hall on several nodes."""

    machine: Town

    def __init__(self, ground: Ground, world: World) -> None:
        # Most seeds are small, so that there can be many.
        self._large = world.seed % 10 == 0
        self.faults_s, self.first_s = (10.0, 1.0) if self._large else (7.0, 2.5)
        self.games = LARGE if self._large else SMALL
        super().__init__(ground, world)

    def _made(self, ground: Ground) -> Any:
        folder = ground.copy()
        count = self._luck.choice((2, 3, 3))
        return Town(self.world, folder, ground.config, self.witness, count, folder / DATABASE)

    def _count(self) -> int:
        return self._luck.randint(3, 6) if self._large else self._luck.choice((2, 2, 3, 4))

    def _calm_s(self) -> float:
        return 20.0 if self._large else 5.0

    def play(self) -> None:
        try:
            super().play()
        finally:
            self.machine.database.close()

    def _mend(self) -> None:
        town = self.machine
        town.network.heal()
        town.database.start()
        town.database.cut_off.clear()
        weather = town.database.weather
        weather.slow_s = weather.failing = weather.unheard = 0.0
        for member in town.members:
            member.skew = 0.0
            if member.loop is not None:
                member.loop.dies_at, member.loop.stalled = None, min(member.loop.stalled, self.world.now)

    def _fault(self) -> None:
        if self._calm:
            return
        world, luck, town = self.world, self._luck, self.machine
        world.after(luck.expovariate(1 / 1.2), self._fault)
        member = luck.choice(town.members)
        if luck.random() < 0.4 and town.leader is not None:
            member = town.leader
        what = luck.randrange(15)
        if what <= 1:
            member.doom(int(10 ** luck.uniform(0, 3.3)))
        elif what == 2:
            member.die(silent=luck.random() < 0.3)
        elif what == 3:
            member.stop()
        elif what == 4:
            member.stall(luck.choice((0.1, 2.0, 6.0)) * luck.random())
        elif what == 5:
            member.skew = luck.choice((-5.0, 0.0, 5.0))
            world.note("skew", member.name, member.skew)
        elif what == 6:
            other = luck.choice([one for one in town.members if one is not member])
            town.network.cut(member.name, other.name)
            world.after(luck.choice((0.3, 3.0, 8.0)) * luck.random(), town.network.heal)
        elif what == 7:
            town.network.slow_s = luck.choice((0.01, 0.2))
            world.note("slow", town.network.slow_s)
            world.after(luck.uniform(0.5, 4), town.network.heal)
        elif what == 8:
            self._without(luck.choice((0.2, 1.0, 6.0)) * luck.random(), town.database.stop, town.database.start)
        elif what == 9:
            world.note("cut off", member.name)
            cut_off = town.database.cut_off
            seconds = luck.choice((0.5, 3.0, 6.0)) * luck.random()
            self._without(seconds, partial(cut_off.add, member.name), partial(cut_off.discard, member.name))
        elif what == 10:
            self._for(luck.uniform(0.1, 4), "slow_s", luck.choice((0.05, 1.0)))
        elif what == 11:
            self._for(luck.uniform(0.1, 3), "failing", luck.choice((0.3, 1.0)))
        elif what == 12:
            self._for(luck.uniform(0.1, 3), "unheard", luck.choice((0.3, 1.0)))
        else:
            self._part()

    def _without(self, seconds: float, begin: Callable[[], object], end: Callable[[], object]) -> None:
        """Let nobody, or one node, reach the database for a while."""
        weather = self.machine.database.weather
        weather.bad_until = max(weather.bad_until, self.world.now + seconds + LATE_S)
        begin()
        self.world.after(seconds, end)

    @property
    def _weather(self) -> Weather:
        return self.machine.database.weather

    def _playing(self) -> list[int]:
        leader = self.machine.leader
        if leader is None or leader.house is None:
            return [-1]
        return playing(leader.house)

    def _finish(self) -> None:
        world, town = self.world, self.machine
        leader = town.leader
        assert leader is not None
        assert leader.loop is not None
        assert leader.house is not None
        done = leader.loop.create_task(self._last(leader, leader.house))
        world.run(done.done)
        if world.failure is None and (wrong := done.exception()) is not None:
            raise AssertionError(f"the end failed: {wrong!r}")
        for member in town.members:
            member.rests = True
            member.stop()
        until = world.now + 30
        world.run(lambda: world.now > until or all(member.loop is None for member in town.members))
        if world.failure is None and (late := [member.name for member in town.members if member.loop is not None]):
            world.fail(f"nodes do not end: {late}")
        if world.failure is None:
            self.witness.end(town)

    @property
    def _lives(self) -> int:
        return sum(member.lives for member in self.machine.members)
