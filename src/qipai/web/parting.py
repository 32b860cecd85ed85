"""What a person owns: all of it as a file, and its end (platform P-96)."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final

from qipai.accounts.model import User
from qipai.hall.table.errors import HallError

if TYPE_CHECKING:
    from qipai.web.house import House

__all__ = ["Packer", "part", "pieces"]

WAITING: Final = 3  # who may wait for the one that is being packed
MOST_S: Final = 900.0
PIECE: Final = 1 << 16

log = logging.getLogger("qipai.web")


class Packer:
    """Packs people's data, one at a time, each in a process of its own: no game waits for it."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._process: asyncio.subprocess.Process | None = None

    async def pack(self, user: int) -> IO[bytes]:
        """Return a file that is gone when it is closed. Raises HallError("RATE_LIMIT") where too many wait."""
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
            words = ("-P", "-m", "qipai.web.parcel", str(self._house.path), str(user))
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
    """Yield a file from its beginning, piece by piece, and let it go."""
    with file:
        file.seek(0)
        while piece := file.read(PIECE):
            yield piece


async def part(house: House, user: User, password: str, *, confirm: bool) -> None:
    """Delete an account (P-96). Raises HallError and Refused: BAD_LOGIN, NOT_ALLOWED, CONFIRM_QUIT.

    What names him goes; what he has played stays, and so do the lines of the ledger, whose sum it would change. The
    account's own row is the last: whatever stops this before, he can come back and do it again.
    """
    now = house.now()
    await house.accounts.confirm(user.id, password, now // 1000)
    if await house.accounts.role(user.id) == "admin" and await house.accounts.administrators() == 1:
        raise HallError("NOT_ALLOWED", case="last_admin")
    await house.hall.sign_out.quit_all(user, confirm=confirm, for_good=True)
    await house.hall.deletion.erase(user)
    await house.hall.ledger.depart(user.id, now=now)
    await house.accounts.delete(user.id, now // 1000)
    await house.cut_user(user.id)
