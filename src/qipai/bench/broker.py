"""A NATS server of one's own, in a folder, at this machine alone: what benches and tests start and end."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["MISSING", "Broker", "program"]

MISSING: Final = "there is no nats-server here (Debian: apt-get install nats-server)"
WAIT_S: Final = 30  # until it listens


def program() -> str | None:
    """Return where the server's program is, None where it is not installed."""
    return shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin:/usr/local/sbin")


class Broker:
    """A NATS server at a port of this machine, the same one each time it is started."""

    def __init__(self, home: Path, *words: str) -> None:
        """home: a folder; words: further ones of its command line. Raises FileNotFoundError where it is missing."""
        found = program()
        if found is None:
            raise FileNotFoundError(MISSING)
        self.program, self.home, self.words, self.port = found, home, words, -1
        self.process: subprocess.Popen[bytes] | None = None

    def url(self, who: str = "") -> str:
        """Return where it is. who: `user:password`, where it asks for one."""
        return f"nats://{f'{who}@' if who else ''}127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it listens; raises RuntimeError where it does not."""
        command = [self.program, "-a", "127.0.0.1", "-p", str(self.port), "--ports_file_dir", str(self.home)]
        with (self.home / "log").open("ab") as log:
            self.process = subprocess.Popen([*command, *self.words], stdout=log, stderr=log, start_new_session=True)
        ports = self.home / f"nats-server_{self.process.pid}.ports"
        for _ in range(100 * WAIT_S):
            with suppress(OSError, ValueError, KeyError):  # it is not written yet, or not wholly
                self.port = int(json.loads(ports.read_text("utf-8"))["nats"][0].rpartition(":")[2])
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        raise RuntimeError((self.home / "log").read_text("utf-8", "replace"))

    def stop(self) -> None:
        """Kill it, as if its machine had failed."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
