"""Long work of a hall in processes of its own, with the lowest priority: no table waits for it."""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import json

from qipai.accounts.service import Accounts
from qipai.config import Config
from qipai.hall.live import books
from qipai.hall.order.fair_play_scan import FairPlayScan
from qipai.hall.order.night_scan import Job
from qipai.hall.records import dump
from qipai.moderation.service import Flag
from qipai.store import Store

__all__ = ["Chores"]

MOST_S: Final = 6 * 3600.0
DAY: Final = 86400
NIGHT: Final = "night"  # the mark: until when games were scanned, seconds

log = logging.getLogger("qipai.web")


class Chores:
    """What is done once a night, and when a month has ended."""

    def __init__(self, database: Path, store: Store, accounts: Accounts, scan: FairPlayScan, config: Config) -> None:
        self._database, self._store, self._accounts, self._scan = database, store, accounts, scan
        self._numbers, self._open = config.flags, config.pages.open_data
        self._processes: set[asyncio.subprocess.Process] = set()
        self._under_way = self._writing = False

    async def night(self, now: int) -> int:
        """Scan the games since the last night, once a day; return how many flags are new. now: seconds."""
        if not self._numbers.enabled or self._under_way:
            return 0
        last = await self._store.read(lambda db: books.marked(db, NIGHT))
        if last is None:  # from now on; games before count where the same people meet again
            await self._store.transaction(partial(books.mark, name=NIGHT, at=now))
        if last is None or last // DAY >= now // DAY:
            return 0
        self._under_way = True
        try:
            since = max(last, now - DAY * self._numbers.days)
            job = json.encode(Job(since, now, self._numbers)).decode()
            found = await self.done("qipai.hall.order.night_scan", str(self._database), job)
            if found is None:
                return 0
            new = await self._scan.note(json.decode(line, type=Flag) for line in found.splitlines())
            await self._store.transaction(partial(books.mark, name=NIGHT, at=now))
            return new
        finally:
            self._under_way = False

    async def open_data(self, now: int) -> list[str]:
        """Write the files of the month that has ended, and anew those that name who no longer wants it. now: seconds.

        Returns the months that were written.
        """
        if not self._open or self._writing:
            return []
        self._writing = True
        try:
            folder = self._database.parent / dump.FOLDER
            last = await asyncio.to_thread(dump.due, folder, now)
            months = await dump.stale(folder, self._accounts.find, self._accounts.settings_of)
            written = []
            for month in dict.fromkeys([*([last] if last is not None else []), *months]):
                words = ("dump", month, "--data", str(self._database.parent))
                if await self.done("qipai", *words) is not None:
                    written.append(month)
            return written
        finally:
            self._writing = False

    async def done(self, module: str, *words: str) -> bytes | None:
        """Return what a module of ours has printed; None where it has failed, of which the hall's log tells."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", module, *words),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
        )
        self._processes.add(process)
        try:
            out, _ = await asyncio.wait_for(process.communicate(), MOST_S)
        finally:
            self._processes.discard(process)
            _end(process)
        if process.returncode:
            log.error("%s has failed: status %d", module, process.returncode)
            return None
        return out

    def close(self) -> None:
        """End what is being done; it is done again at the next start."""
        for process in self._processes:
            _end(process)


def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
