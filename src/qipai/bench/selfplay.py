"""`qipai bench selfplay`: complete games a second, at random and by the steady player, on one core and on two."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

from qipai.bench.contest import Corner, Gym, Sample, ratio
from qipai.bench.sheet import Check, Line, Table, line
from qipai.core.measure import OURS, Absent, Whole

__all__ = ["measure", "whole_of"]

Told = Callable[[str], None]
LONG = 20


def whole_of(game: str) -> Whole | None:
    """Return how a game is played to its end, None when it does not say."""
    name = f"qipai.games.{game}.whole"
    if importlib.util.find_spec(f"qipai.games.{game}") is None or importlib.util.find_spec(name) is None:
        return None
    found: Whole = import_module(name).WHOLE
    return found


def measure(games: Sequence[str], rounds: int, seconds: float, told: Told) -> tuple[list[Table], dict[str, str]]:
    """Return a table a game."""
    if importlib.util.find_spec("numba") is None:
        raise Absent("numba is not installed")
    tables, versions, failed = [], {}, []
    gyms = gyms_of()
    try:
        for game in games:
            whole = whole_of(game)
            if whole is None:
                continue
            try:
                table, found = measured(game, whole, gyms, rounds, seconds, told)
            except RuntimeError as wrong:  # the other games go on, in processes of their own
                failed.append(f"{game} failed: {wrong}")
                for gym in gyms:
                    gym.kill()
                gyms = gyms_of()
                continue
            tables.append(table)
            versions.update(found)
    finally:
        for gym in gyms:
            gym.kill()
    if failed and not tables:
        raise RuntimeError("; ".join(failed))
    if failed:
        missed = Check("games that could be played", float(len(tables) + len(failed)), True, float(len(tables)))
        tables.append(Table("all games", "games", (), (missed,), tuple(failed)))
    return tables, versions


def gyms_of() -> list[Gym]:
    """Return a compiling process for each of two cores, one where there is one core."""
    return [Gym(jit=True) for _ in range(min(2, os.cpu_count() or 1))]


def measured(
    game: str, whole: Whole, gyms: Sequence[Gym], rounds: int, seconds: float, told: Told
) -> tuple[Table, dict[str, str]]:
    """Return what was found for a game, and the peers' versions. Our processes are two of the same."""
    ways = {"random": whole.random, "steady": whole.steady}
    peers: dict[str, Corner] = {}
    samples: dict[str, list[Sample]] = {}

    def work(name: str, corners: Sequence[Corner], seconds: float) -> None:
        told(f"{game}, {name}")
        with ThreadPoolExecutor(len(corners)) as threads:
            parts = list(threads.map(lambda corner: corner.round(seconds), corners))
        both = Sample(sum(p.ops for p in parts), sum(p.cpu_s for p in parts), max(p.wall_s for p in parts))
        if seconds:
            samples.setdefault(name, []).append(both)

    try:
        told(f"{game}, starting and compiling")
        ours = {way: [Corner(contestant, gym=gym) for gym in gyms] for way, contestant in ways.items()}
        peers = {name: Corner(contestant, peer=True) for name, contestant in whole.peers.items()}
        for corner in peers.values():
            corner.begin()
        there = {name: corner for name, corner in peers.items() if not corner.absent}
        for way, corners in ours.items():
            work(f"{way}, first", corners, 0)  # it compiles
        for number in range(rounds):
            for way, corners in ours.items():
                if number and samples[f"{way}, one core"][-1].wall_s > LONG * seconds:
                    continue  # one game takes as long as many rounds: one is what there is time for
                work(f"{way}, one core", corners[:1], seconds)
                if len(corners) > 1:
                    work(f"{way}, two cores", corners, seconds)
            for name, corner in there.items():
                work(name, [corner], seconds)
        versions = {name: corner.version for name, corner in there.items()}
    finally:
        for corner in peers.values():
            corner.close()
    lines: list[Line] = []
    for way in ways:
        for where in ("one core", "two cores"):
            runs = samples.get(f"{way}, {where}")
            who = f"{OURS}, {way}, {where}"
            lines.append(timed(who, runs) if runs else Line(who, absent="this machine has one core"))
    lines += [
        timed(name, samples[name]) if name in samples else Line(name, absent=peers[name].absent) for name in peers
    ]
    checks = tuple(
        Check(f"at random over {name}, by CPU", 1.0, True, over(samples, name) if name in samples else None)
        for name in peers
    )
    notes = () if peers else ("no other engine plays this game",)
    return Table(game, f"complete {whole.unit} a second", tuple(lines), checks, notes), versions


def timed(who: str, runs: Sequence[Sample]) -> Line:
    """Return a line."""
    return line(who, [run.per_s for run in runs], [run.cpu_us for run in runs])


def over(samples: dict[str, list[Sample]], peer: str) -> float:
    """Return how many games at random ours plays for one of a peer's, by CPU."""
    return ratio(samples["random, one core"], samples[peer])
