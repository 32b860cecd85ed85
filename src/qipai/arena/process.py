"""A worker process as its owner sees it: ask, kill, close."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress

import msgspec

from qipai.arena.worker import NICE, Answer, Request

__all__ = ["Process", "Silent"]


class Silent(Exception):
    """The process ended, or was ended, before it answered."""


class Process:
    """A worker. One thread at a time may `ask`; `kill` and `close` may be called from any."""

    def __init__(self, *, jit: bool = True, nice: int = NICE) -> None:
        """jit: are kernels compiled, where numba is installed? nice: how far others go before, as the system counts."""
        env = {**os.environ, "QIPAI_JIT": "1" if jit else "0"}
        # Libraries must not use a thread for each core: such a worker would starve the hall.
        env.setdefault("NUMBA_NUM_THREADS", "1")
        self._popen = subprocess.Popen(
            [sys.executable, "-P", "-m", "qipai.arena.worker", str(nice)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=env,
        )

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._popen.pid

    def ask(self, request: Request, told: Callable[[int, int], None] | None = None) -> Answer:
        """Return the answer, however long it takes; raises Silent when there will be none.

        told: called with how far the worker has come.
        """
        assert self._popen.stdin
        assert self._popen.stdout
        try:
            self._popen.stdin.write(msgspec.json.encode(request) + b"\n")
            self._popen.stdin.flush()
            while (answer := msgspec.json.decode(self._popen.stdout.readline(), type=Answer)).progress is not None:
                if told is not None:
                    told(*answer.progress)
            return answer
        except (OSError, ValueError) as gone:  # a broken or closed pipe; half a line is a DecodeError, a ValueError too
            raise Silent(str(gone)) from gone

    def kill(self) -> None:
        """End the process at once; a caller that is waiting gets Silent."""
        self._popen.kill()

    def close(self, patience_s: float = 2.0) -> None:
        """End the process and wait until it has ended."""
        assert self._popen.stdin
        assert self._popen.stdout
        with suppress(OSError):
            self._popen.stdin.close()  # a worker ends when its input does
        try:
            self._popen.wait(patience_s)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        self._popen.stdout.close()
