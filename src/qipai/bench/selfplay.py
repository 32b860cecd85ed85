"""`qipai bench selfplay`: complete games a second, at random and by the steady player, on one core and on two."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

from qipai.bench.contest import Corner, Sample, ratio
from qipai.bench.floor import Parts, Room
from qipai.bench.sheet import Check, Line, Table, line
from qipai.bench.stable import Stable
from qipai.core.measure import OURS, Absent, Whole

__all__ = ["measure", "whole_of"]

Progress = Callable[[str], None]
Found = tuple[list[Table], dict[str, str]]
LONG = 20


def whole_of(game: str) -> Whole | None:
    """Return how a game is played to its end, None when it does not say."""
    name = f"qipai.games.{game}.whole"
    if importlib.util.find_spec(f"qipai.games.{game}") is None or importlib.util.find_spec(name) is None:
        return None
    found: Whole = import_module(name).WHOLE
    return found


def measure(games: Sequence[str], rounds: int, seconds: float, stable: Stable, told: Progress) -> Parts[Found]:
    """Return a table a game. All are made ready before the first plays: that needs no machine of its own."""
    if importlib.util.find_spec("numba") is None:
        raise Absent("numba is not installed")
    rings: list[Ring] = []
    tables, versions, failed = [], {}, []
    for game in games:
        if (whole := whole_of(game)) is not None:
            try:
                rings.append(Ring(game, whole, stable, told))
            except RuntimeError as wrong:  # the other games go on, in processes of their own
                failed.append(f"{game} failed: {wrong}")
    yield Room.ALONE  # two cores are both of them
    for ring in rings:
        try:
            tables.append(ring.measured(rounds, seconds))
            versions.update(ring.versions)
        except RuntimeError as wrong:
            failed.append(f"{ring.game} failed: {wrong}")
    if failed and not tables:
        raise RuntimeError("; ".join(failed))
    if failed:
        missed = Check("games that could be played", float(len(tables) + len(failed)), True, float(len(tables)))
        tables.append(Table("all games", "games", (), (missed,), tuple(failed)))
    return tables, versions


class Ring:
    """All who play a game, ready to play. Our processes are two of the same, one where there is one core."""

    def __init__(self, game: str, whole: Whole, stable: Stable, told: Progress) -> None:
        self.game, self._whole, self._told = game, whole, told
        self._samples: dict[str, list[Sample]] = {}
        told(f"{game}, starting and compiling")
        one = stable.gym(game)
        ways = {"random": whole.random, "steady": whole.steady}
        self._ours = {way: [Corner(each, gym=one)] for way, each in ways.items()}
        for (corner,) in self._ours.values():
            corner.begin()
        if (os.cpu_count() or 1) > 1:
            two = stable.twin(game)
            for way, each in ways.items():
                self._ours[way].append(Corner(each, gym=two))
                if not two.parted:  # else it has all that the first has compiled
                    self._ours[way][1].begin()
        self._peers = {name: stable.peer(each) for name, each in whole.peers.items()}
        self.versions = {name: corner.version for name, corner in self._peers.items() if not corner.absent}

    def _work(self, name: str, corners: Sequence[Corner], seconds: float) -> None:
        """Let several work at once, as one."""
        self._told(f"{self.game}, {name}")
        with ThreadPoolExecutor(len(corners)) as threads:
            parts = list(threads.map(lambda corner: corner.round(seconds), corners))
        both = Sample(sum(p.ops for p in parts), sum(p.cpu_s for p in parts), max(p.wall_s for p in parts))
        self._samples.setdefault(name, []).append(both)

    def measured(self, rounds: int, seconds: float) -> Table:
        """Return what was found in so many rounds."""
        samples = self._samples
        there = {name: corner for name, corner in self._peers.items() if not corner.absent}
        for number in range(rounds):
            for way, corners in self._ours.items():
                if number and samples[f"{way}, one core"][-1].wall_s > LONG * seconds:
                    continue  # one game takes as long as many rounds: one is what there is time for
                self._work(f"{way}, one core", corners[:1], seconds)
                if len(corners) > 1:
                    self._work(f"{way}, two cores", corners, seconds)
            for name, corner in there.items():
                self._work(name, [corner], seconds)
        lines: list[Line] = []
        for way in self._ours:
            for where in ("one core", "two cores"):
                runs = samples.get(f"{way}, {where}")
                who = f"{OURS}, {way}, {where}"
                lines.append(timed(who, runs) if runs else Line(who, absent="this machine has one core"))
        lines += [
            timed(name, samples[name]) if name in samples else Line(name, absent=corner.absent)
            for name, corner in self._peers.items()
        ]
        checks = tuple(
            Check(f"at random over {name}, by CPU", 1.0, True, over(samples, name) if name in samples else None)
            for name in self._peers
        )
        notes = () if self._peers else ("no other engine plays this game",)
        return Table(self.game, f"complete {self._whole.unit} a second", tuple(lines), checks, notes)


def timed(who: str, runs: Sequence[Sample]) -> Line:
    """Return a line."""
    return line(who, [run.per_s for run in runs], [run.cpu_us for run in runs])


def over(samples: dict[str, list[Sample]], peer: str) -> float:
    """Return how many games at random ours plays for one of a peer's, by CPU."""
    return ratio(samples["random, one core"], samples[peer])
