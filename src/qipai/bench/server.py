"""`qipai bench server`: whole games over real sockets, beside the same traffic through bare and other servers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from statistics import median
from typing import Final

from qipai.bench.contest import Sample, ratio
from qipai.bench.floor import Parts, Room
from qipai.bench.hall import Hall, Server
from qipai.bench.players import Playing, seated, settled
from qipai.bench.rivals import BARE, CEILINGS, GAME_SERVERS, Rival, Rivals
from qipai.bench.sheet import Check, Line, Table, line
from qipai.core.measure import OURS

__all__ = ["measure"]

SHARE: Final = {2: 0.5, 6: 0.4}  # of the bare server's moves by CPU, by the number of seats
P99_MS: Final = 20.0
WARM_MOVES, WARM_S = 3000, 4.0
HELD_S: Final = 0.05  # after nobody begins another move: by then those under way are over
MOST_TABLES: Final = 0.9  # of the hall's are to be asked something before a turn of it begins
DEALING_S: Final = 90.0  # a clock deals, card by card: so long it may take at most


def measure(
    game: str, tables: int, paced: int, rounds: int, seconds: float, everyone: bool, told: Callable[[str], None]
) -> Parts[tuple[list[Table], dict[str, str]]]:
    """Return what was found with so many tables playing as fast as they can, and so many at one move a second.

    paced: 0 leaves the second part out. everyone: beside all rivals, else beside bare uvicorn alone.
    """
    rivals = Rivals(tuple(CEILINGS) + tuple(GAME_SERVERS) if everyone else (BARE,))
    try:
        with asyncio.Runner() as runner, Hall() as hall:
            playing = runner.run(prepared(hall, game, tables, seconds, rivals, told))
            yield Room.ALONE  # the hall and its rivals take turns: what else the machine does is not the same for all
            samples = runner.run(turns(hall, playing, tables, rounds, seconds, rivals, told))
            found = [fast(game, playing, tables, samples, rivals)]
            rivals.close()
            if paced:
                yield Room.ALONE  # delays are wall-clock times
                runner.run(at_a_pace(hall, game, playing, tables, paced, seconds, told))
            playing.close()
    finally:
        rivals.close()
    if playing.errors > playing.moves // 100 or not playing.delays:
        raise RuntimeError(f"{playing.errors} of {playing.moves} moves were refused: {playing.refusal!r}")
    return [*found, slow(game, playing, paced)] if paced else found, rivals.versions


async def prepared(
    hall: Hall, game: str, tables: int, seconds: float, rivals: Rivals, told: Callable[[str], None]
) -> Playing:
    """Return the hall's tables, held, with its rivals there."""
    told(f"seating {tables} tables")
    playing = await seated(hall, game, tables)
    playing.go()
    await asyncio.sleep(min(seconds, 1.0))
    playing.hold()
    told("starting the rivals")
    await rivals.open(playing)
    return playing


async def asked(hall: Hall, playing: Playing, tables: int) -> None:
    """Wait until nearly all tables have somebody to move: cards that a clock deals are no part of a move."""
    await settled(hall, lambda: len({each.table.id for each, _, _ in playing.held}) >= MOST_TABLES * tables, DEALING_S)


async def turns(
    hall: Hall, playing: Playing, tables: int, rounds: int, seconds: float, rivals: Rivals, told: Callable[[str], None]
) -> dict[str, list[Sample]]:
    """Play in turns on the hall and on its rivals; return what was counted."""
    samples: dict[str, list[Sample]] = {OURS: [], **{rival.name: [] for rival in rivals.there}}
    for number in range(rounds):
        told(f"round {number + 1}/{rounds}: the hall")
        await asked(hall, playing, tables)
        playing.go()
        samples[OURS].append(await counted(hall, seconds, lambda: playing.moves))
        playing.hold()
        await asyncio.sleep(HELD_S)
        for rival in rivals.there:
            told(f"round {number + 1}/{rounds}: {rival.name}")
            rival.load.go()
            if number == 0:
                await warmed(rival)
            samples[rival.name].append(await counted(rival.server, seconds, lambda rival=rival: rival.load.moves))  # type: ignore[misc]
            rival.load.hold()
            await asyncio.sleep(HELD_S)
    return samples


async def at_a_pace(
    hall: Hall, game: str, playing: Playing, tables: int, paced: int, seconds: float, told: Callable[[str], None]
) -> None:
    """Play at a person's pace, at so many tables in all."""
    told(f"seating {paced - tables} more tables")
    await seated(hall, game, paced - tables, playing)
    playing.go(pause_s=1.0)  # the first moves come after half a second
    await asyncio.sleep(min(2.0, 2 * seconds))
    playing.delays.clear()
    told(f"{paced} tables, one move a second each")
    await asyncio.sleep(max(1.5, 4 * seconds))


async def warmed(rival: Rival) -> None:
    """Wait until a rival has reached its full speed: node compiles what has run often."""
    end = time.monotonic() + WARM_S
    while rival.name in GAME_SERVERS and rival.load.moves < WARM_MOVES and time.monotonic() < end:
        await asyncio.sleep(0.1)


def fast(game: str, playing: Playing, tables: int, samples: dict[str, list[Sample]], rivals: Rivals) -> Table:
    """Return what was found at full speed."""
    seats, (move, ack, ev) = playing.seats, playing.sample.sizes
    lines = [line(who, [run.per_s for run in runs], [run.cpu_us for run in runs]) for who, runs in samples.items()]
    lines += [Line(who, absent=why) for who, why in rivals.absent.items()]
    share = ratio(samples[OURS], samples[BARE]) if BARE in samples else None
    checks = [Check("share of bare uvicorn, by CPU", SHARE.get(seats, 0.4), True, share)]
    for who in GAME_SERVERS:
        if who in samples:
            checks.append(Check(f"over {who}, by CPU", 1.0, True, ratio(samples[OURS], samples[who])))
        elif who in rivals.absent:
            checks.append(Check(f"over {who}, by CPU", 1.0, True, None))
    notes = (
        f"a move: {move} bytes in, an ack of {ack} and {seats} ev of {ev} out; bare servers read and write the same",
        "a turn of the hall begins once nearly every table waits for a move: cards that a clock deals are not counted",
        f"the generator took up to {playing.share:.0%} of a core while the hall was measured",
    )
    return Table(f"{game}, {tables} tables of {seats}", "moves a second", tuple(lines), tuple(checks), notes)


def slow(game: str, playing: Playing, tables: int) -> Table:
    """Return what was found at one move a second."""
    delays = [delay * 1000 for delay in sorted(playing.delays)]
    p99 = delays[int((len(delays) - 1) * 0.99)]
    found = Line(OURS, delays[0], median(delays), delays[-1])
    name = f"{game}, {tables} tables, {len(playing.players)} sockets, a move a second and table"
    return Table(name, "ms from a move sent to its last view read", (found,), (Check("p99", P99_MS, False, p99),))


async def counted(server: Server, seconds: float, moves: Callable[[], int]) -> Sample:
    """Return what a server does in so many seconds."""
    before, cpu, began = moves(), server.cpu(), time.perf_counter()
    await asyncio.sleep(seconds)
    return Sample(max(1, moves() - before), server.cpu() - cpu, time.perf_counter() - began)
