"""A server to measure: a process of its own, its CPU time and its memory. Linux shows both for other processes."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from qipai.core.measure import Absent

__all__ = ["FREE", "Hall", "Server", "called", "kill_all"]

SAID: Final = 2000  # characters of what a server has said last, where it did not start
# The limits that protect a public hall must not affect the measurement.
FREE: Final = """
[limits]
guests_per_hour = 1000000
silence_s = 3600
messages = 1000000
acts = 1000000
[seats]
seed_s = 0
unready_s = 600
[bots]
workers = 0
"""


class Server:
    """A process that prints a line with `http://host:port` when it serves."""

    def __init__(self, command: list[str], log: Path | None = None) -> None:
        if not sys.platform.startswith("linux"):
            raise Absent("the CPU time of another process is only read on Linux")
        began = time.perf_counter()
        with ExitStack() as stack:
            errors = stack.enter_context(log.open("ab")) if log else subprocess.DEVNULL
            self._popen = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
        SERVERS.add(self)
        assert self._popen.stdout
        line = self._popen.stdout.readline().decode()
        if "http://" not in line:
            why = log.read_text(errors="replace")[-SAID:] if log else ""
            raise RuntimeError(f"{command} did not start: {line!r} {why}")
        self.started_s = time.perf_counter() - began
        self.host, port = line.split("http://")[1].split()[0].split(":")
        self.port = int(port)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._popen.pid

    def check(self) -> None:
        """Raise RuntimeError if the process has ended, so that nobody waits for it in vain."""
        if self._popen.poll() is not None:
            raise RuntimeError(f"the server has ended with {self._popen.returncode}")

    def cpu(self) -> float:
        """Return the seconds of CPU that the process has taken, all its threads together."""
        return time.clock_gettime((~self.pid << 3) | 2)

    def rss(self) -> int:
        """Return the bytes of memory that the process holds."""
        with open(f"/proc/{self.pid}/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    @property
    def runs(self) -> bool:
        """Tell whether the process has not ended."""
        return self._popen.poll() is None

    def send(self, sign: signal.Signals) -> None:
        """Send the process a signal."""
        self._popen.send_signal(sign)

    def ended(self, most_s: float) -> int:
        """Wait until the process has ended, and return its status; raises TimeoutExpired. `stop` it nevertheless."""
        return self._popen.wait(most_s)

    def kill(self) -> None:
        """End the process as a power cut would; `stop` it nevertheless."""
        self._popen.kill()
        self._popen.wait()

    def stop(self) -> None:
        """End the process; once is enough."""
        if self not in SERVERS:
            return
        SERVERS.discard(self)
        self._popen.send_signal(signal.SIGTERM)
        try:
            self._popen.wait(20)
        except subprocess.TimeoutExpired:
            self._popen.kill()
        self._popen.communicate()

    def __enter__(self) -> Self:
        """Return the server."""
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None) -> None:
        """End the process."""
        self.stop()


SERVERS: Final[set[Server]] = set()  # that run


def kill_all() -> None:
    """End all servers that run; whoever waits for them gets an error."""
    for server in list(SERVERS):
        server.kill()


class Hall(Server):
    """A hall, with few limits, in a folder of its own unless one is given. words: more for `qipai serve`."""

    def __init__(
        self, data: Path | None = None, config: str = FREE, words: Sequence[str] = (), log: Path | None = None
    ) -> None:
        self._folder = None
        if data is None:
            self._folder = tempfile.TemporaryDirectory(prefix="qipai-bench-")
            data = Path(self._folder.name)
        self.data = data
        if not (data / "hall.toml").exists():
            (data / "hall.toml").write_text(config)
        super().__init__([sys.executable, "-m", "qipai", "serve", "--port", "0", "--data", str(data), *words], log)
        self._http = http.client.HTTPConnection(self.host, self.port)

    def call(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """Return the answer of an HTTP call under /api/v1; raises RuntimeError for an error."""
        try:
            return called(self._http, method, path, body, token)
        except (ConnectionError, http.client.HTTPException):  # the hall closes connections that are silent
            self._http.close()
            return called(self._http, method, path, body, token)

    def guest(self) -> str:
        """Return the token of a new guest."""
        token: str = self.call("POST", "/guest", {"token": True})["token"]
        return token

    def stop(self) -> None:
        """End the process and take its folder away."""
        self._http.close()
        super().stop()
        if self._folder is not None:
            self._folder.cleanup()


def called(line: http.client.HTTPConnection, method: str, path: str, body: Any = None, token: str = "") -> Any:
    """Return the answer of an HTTP call under /api/v1; raises RuntimeError for an error."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    line.request(method, f"/api/v1{path}", None if body is None else json.dumps(body), headers)
    answer = line.getresponse()
    found = answer.read()
    if answer.status >= 400:
        raise RuntimeError(f"{method} {path}: {answer.status} {found.decode(errors='replace')}")
    return json.loads(found)
