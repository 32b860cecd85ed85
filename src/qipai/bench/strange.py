"""A process with a clock that is wrong, and whose neighbours come by a detour: a node of `qipai bench chaos`.

    python -m qipai.bench.strange SECONDS MODULE WORD …

runs a module with its words. Its wall clock is ahead by so many seconds (timers are not); where it is to listen at
DETOUR it does so at HERE, on the same port: whoever comes to DETOUR passes what stands there (`qipai.bench.ways`).
"""

from __future__ import annotations

import runpy
import socket
import sys
import time
from collections.abc import Sequence
from typing import Any, Final

__all__ = ["DETOUR", "HERE"]

HERE: Final = "127.0.0.1"
DETOUR: Final = "127.0.0.2"  # on Linux this machine, too


def main(ahead_s: float, module: str, words: Sequence[str]) -> None:
    """Run a module so."""
    seconds, nanoseconds, listening = time.time, time.time_ns, socket.create_server

    def here(address: Any, **more: Any) -> socket.socket:
        host, *rest = address
        return listening((HERE if host == DETOUR else host, *rest), **more)

    time.time = lambda: seconds() + ahead_s
    time.time_ns = lambda: nanoseconds() + int(ahead_s * 1e9)
    socket.create_server = here
    sys.argv[1:] = words
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2], sys.argv[3:])
