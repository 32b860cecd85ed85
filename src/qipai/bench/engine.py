"""`qipai bench engine GAME`: a game's kernels against the engines there are."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from importlib import import_module

from qipai.bench.contest import Corner, Gym, Sample, contest, ratio
from qipai.bench.sheet import Check, Line, Table, line
from qipai.bench.stable import Stable
from qipai.core.measure import OURS, Row

__all__ = ["games_with_rows", "measure", "rows_of"]


def rows_of(game: str) -> tuple[Row, ...]:
    """Return the rows a game offers, none when it has no `bench.py`."""
    name = f"qipai.games.{game}.bench"
    if importlib.util.find_spec(name) is None:
        return ()
    return tuple(import_module(name).rows())


def games_with_rows() -> list[str]:
    """Return the games that offer rows."""
    from qipai import games

    return [name for name in games.names() if importlib.util.find_spec(f"qipai.games.{name}") and rows_of(name)]


def measure(
    game: str, rounds: int, seconds: float, stable: Stable, told: Callable[[str], None]
) -> tuple[list[Table], dict[str, str]]:
    """Return what was found for each row, and the peers' versions."""
    tables, versions = [], {}
    told("starting and compiling")
    interpreted = Gym()
    try:
        gyms = {"compiled": stable.gym(game)} if importlib.util.find_spec("numba") else {}
        gyms["interpreted"] = interpreted
        for row in rows_of(game):
            table, found = measured(
                row,
                {mode: Corner(row.ours, gym=gym) for mode, gym in gyms.items()},
                {name: stable.peer(contestant) for name, contestant in row.peers.items()},
                rounds,
                seconds,
                lambda what, row=row: told(f"{row.name}, {what}"),  # type: ignore[misc]
            )
            tables.append(table)
            versions.update(found)
    finally:
        interpreted.kill()
    return tables, versions


def measured(
    row: Row,
    ours: dict[str, Corner],
    peers: dict[str, Corner],
    rounds: int,
    seconds: float,
    told: Callable[[str], None],
) -> tuple[Table, dict[str, str]]:
    """Return what was found for a row, and the peers' versions. ours: by mode."""
    corners = {**ours, **peers}
    samples = contest(corners, rounds, seconds, told)
    versions = {name: corner.version for name, corner in corners.items() if corner.version}
    lines = []
    for name in ("compiled", "interpreted", *row.peers):
        who = f"{OURS}, {name}" if name in ("compiled", "interpreted") else name
        if name in samples:
            runs = samples[name]
            lines.append(line(who, [run.per_s for run in runs], [run.cpu_us for run in runs]))
        else:
            lines.append(Line(who, absent=corners[name].absent if name in corners else "numba is not installed"))
    return Table(row.name, f"{row.unit} a second", tuple(lines), checks(row, samples)), versions


def checks(row: Row, samples: dict[str, list[Sample]]) -> tuple[Check, ...]:
    """Return the row's targets beside what was found; ratios are of operations per CPU second."""
    found = []
    for target in row.targets:
        there = target.mode in samples and target.peer in samples
        value = ratio(samples[target.mode], samples[target.peer]) if there else None
        found.append(Check(f"{target.mode} over {target.peer}", target.at_least, True, value))
    for mode, most in row.most_us.items():
        value = sorted(run.cpu_us for run in samples[mode])[len(samples[mode]) // 2] if mode in samples else None
        found.append(Check(f"{mode}, CPU µs an operation", most, False, value))
    return tuple(found)
