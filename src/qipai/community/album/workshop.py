"""Where pictures are written anew: each in a process of its own, a few at once, others wait for their turn."""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress
from typing import Final

from msgspec import Struct

from qipai.community.album.encode import HEAD
from qipai.community.album.header import claimed
from qipai.hall.table.errors import HallError

__all__ = ["Made", "Workshop"]

AT_ONCE: Final = 2
WAITING: Final = 8
MOST_S: Final = 20.0

log = logging.getLogger("qipai.community")


class Made(Struct, frozen=True):
    """A picture as albums keep it, large and small, both WebP."""

    width: int
    height: int
    large: bytes
    small: bytes


class Workshop:
    """Writes pictures anew, away from the hall's own process."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._here = 0

    async def make(self, data: bytes) -> Made:
        """Return a picture written anew. Raises HallError: BAD_IMAGE, RATE_LIMIT if too many wait."""
        claim = claimed(data)
        if claim is None or not claim.fits:
            raise HallError("BAD_IMAGE")
        if self._here >= AT_ONCE + WAITING:
            raise HallError("RATE_LIMIT", wait_ms=5_000)
        self._here += 1
        try:
            async with self._turns:
                return await self._made(data)
        finally:
            self._here -= 1

    async def _made(self, data: bytes) -> Made:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "qipai.community.album.encode"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(MOST_S):
                out, _ = await process.communicate(data)
        except TimeoutError:
            log.warning("a picture of %d bytes took longer than %.0f s to read, and was refused", len(data), MOST_S)
            raise HallError("BAD_IMAGE") from None
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if process.returncode or len(out) < HEAD.size:
            raise HallError("BAD_IMAGE")
        width, height, large, small = HEAD.unpack_from(out)
        rest = out[HEAD.size :]
        if len(rest) != large + small:
            raise HallError("BAD_IMAGE")
        return Made(width, height, rest[:large], rest[large:])
