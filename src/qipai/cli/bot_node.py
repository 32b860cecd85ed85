"""A process that thinks for a hall's bots and does nothing else: `qipai serve --only bots` (0077)."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from qipai.cli import Trouble
from qipai.cli.folder import MARK, marked

if TYPE_CHECKING:
    from qipai.bus import Bus

__all__ = ["bus_at", "serve_bots"]

FOREVER_S: Final = 10.0**7  # the machine is there for this: its processes are not ended when they have nothing to do


def bus_at(url: str, data: Path, *, makes: bool) -> Bus:
    """Return the bus of a hall; raises Trouble where it cannot be.

    data: the hall's folder, whose mark is the hall's id where the address names none. makes: the mark, if need be.
    """
    from qipai.bus import Address, Unusable

    try:
        address = Address.of(url)
    except Unusable as wrong:
        raise Trouble(f"the bus cannot be used: {wrong}") from wrong
    try:
        from qipai.bus.nats import Nats
    except ImportError as wrong:
        raise Trouble(f"nats-py is missing ({wrong}); install qipai[nats]") from wrong
    hall = address.hall
    if not hall and (makes or (data / MARK).is_file()):
        hall = marked(data)
    if not hall:
        raise Trouble(
            "whose bots are to think here? Write the hall's id at the end of the address, nats://host:4222/ID: it is"
            f" in the file {MARK} of the hall's folder, and the hall's log names it; or name that folder with --data"
        )
    return Nats(address, hall)


def serve_bots(data: Path, url: str, processes: int | None, of: Sequence[str]) -> int:
    """Think for a hall's bots until Ctrl-C or SIGTERM.

    processes: that think long at most; None: one a core. of: the games; none: all there are.
    """
    from qipai import games
    from qipai.cli import log
    from qipai.cli.serve import loop_factory

    if not url:
        raise Trouble("--only bots: a hall asks through a bus; name it with --bus nats://… or the variable QIPAI_BUS")
    for strange in sorted({*of} - {*games.names()}):
        raise Trouble(f"--game {strange}: there is no such game; there are {', '.join(games.names())}")
    bus = bus_at(url, data, makes=False)
    log.start()
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(_serve(bus, os.cpu_count() or 1 if processes is None else processes, of or games.names()))


async def _serve(bus: Bus, processes: int, of: Sequence[str]) -> int:
    from qipai.arena.pool import Bots
    from qipai.bots.answering import BotNode, node_name
    from qipai.bus import Unusable

    stop, loop = asyncio.Event(), asyncio.get_running_loop()

    def handle(_signal: int, _frame: object) -> None:  # the next one ends the process
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_DFL)
        loop.call_soon_threadsafe(stop.set)

    bots = Bots(processes, rest_s=FOREVER_S)
    node = BotNode(bots, bus, node_name(), of)
    try:
        await bus.open(wait=True)
    except Unusable as wrong:
        raise Trouble(f"{bus.name} cannot be used: {wrong}") from wrong
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, handle)
    try:
        bots.open(of)
        print(f"qipai thinks for bots as {node.name}, asked through {bus.name}", flush=True)
        logging.getLogger("qipai.bots").info("bots think in up to %d processes", processes + 1)
        await node.run(stop)
    finally:
        await bus.close()
        bots.close()
    return 0
