"""The export of a person's data as a file (platform P-96): made by `qipai.web.data_export`, one at a time."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from qipai.hall.table.errors import HallError

__all__ = ["Exporter", "pieces"]

WAITING: Final = 3  # how many may wait while one is packed
MOST_S: Final = 900.0
PIECE: Final = 1 << 16

log = logging.getLogger("qipai.web")


class Exporter:
    """Packs people's data, one at a time, each in a process of its own: no game waits for it."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._process: asyncio.subprocess.Process | None = None

    async def pack(self, user: int) -> IO[bytes]:
        """Return a temporary file, deleted when closed. Raises HallError("RATE_LIMIT") if too many wait."""
        if self._waiting >= WAITING:
            raise HallError("RATE_LIMIT", wait_ms=10_000)
        self._waiting += 1
        try:
            async with self._turn:
                return await self._packed(user)
        finally:
            self._waiting -= 1

    async def _packed(self, user: int) -> IO[bytes]:
        out = tempfile.TemporaryFile()  # noqa: SIM115  # it outlives this call
        try:
            words = ("-P", "-m", "qipai.web.data_export", str(self._database), str(user))
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, *words, stdin=asyncio.subprocess.DEVNULL, stdout=out
            )
            try:
                status = await asyncio.wait_for(self._process.wait(), MOST_S)
            finally:
                self.close()
            if status:
                log.error("the data of user %d could not be packed: status %d", user, status)
                raise HallError("RATE_LIMIT", wait_ms=60_000)
            return out
        except BaseException:
            out.close()
            raise

    def close(self) -> None:
        """End what is being packed."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()


def pieces(file: IO[bytes]) -> Iterator[bytes]:
    """Yield a file from its beginning, piece by piece, then close it."""
    with file:
        file.seek(0)
        while piece := file.read(PIECE):
            yield piece
