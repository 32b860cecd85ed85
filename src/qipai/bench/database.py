"""A PostgreSQL of one's own, in a folder, at a Unix socket: what benches and tests start and end."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final
from urllib.parse import quote

from qipai.core.measure import Absent

__all__ = ["MISSING", "Server", "driver", "programs"]

HOMES: Final = ("/usr/lib/postgresql/*/bin", "/opt/homebrew/opt/postgresql*/bin")
MISSING: Final = "there is no PostgreSQL here (Debian: apt-get install postgresql)"
WAIT_S: Final = 30  # until it answers


def programs() -> Path | None:
    """Return the folder of the newest PostgreSQL's programs, None where it is not installed."""
    there = [path for home in HOMES for path in Path("/").glob(home.lstrip("/")) if (path / "pg_isready").exists()]
    if there:
        return max(there, key=lambda path: [int(n) for n in path.parent.name.split(".") if n.isdigit()])
    found = shutil.which("pg_isready")
    return None if found is None else Path(found).parent


def driver() -> str:
    """Return the version of the library that speaks to PostgreSQL; raises Absent without it."""
    try:
        return version("psycopg")
    except PackageNotFoundError:
        raise Absent("the library is missing; install qipai[postgres]") from None


class Server:
    """A PostgreSQL in a folder of its own, at a Unix socket."""

    def __init__(self, home: Path, settings: Sequence[str] = ()) -> None:
        """Make its folder. home: an empty folder; settings: of its configuration, as `fsync=off`.

        Raises FileNotFoundError where it is not installed.
        """
        found = programs()
        if found is None:
            raise FileNotFoundError(MISSING)
        self.programs, self.home, self.settings = found, home, settings
        self.process: subprocess.Popen[bytes] | None = None
        self.as_other = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
        if os.geteuid() != 0:  # it refuses to run as root
            self.as_other = []
        else:
            shutil.chown(home, "nobody", "nogroup")
        home.chmod(0o755)
        options = ["-U", "qipai", "--auth", "trust", "-E", "UTF8", "--locale", "C", "--no-sync"]
        self._done("initdb", "-D", str(home / "data"), *options)

    def url(self, name: str = "postgres", schema: str = "qipai", port: int = 0) -> str:
        """Return where a database of it is. schema: that its tables stand in; port: of ours, from which a way leads."""
        options = quote(f"-csearch_path={schema}")
        if port:  # the socket at the other end knows no encryption
            return f"postgresql://qipai@127.0.0.1:{port}/{name}?sslmode=disable&gssencmode=disable&options={options}"
        return f"postgresql://qipai@/{name}?host={quote(str(self.home), safe='')}&options={options}"

    def start(self) -> None:
        """Start it, and wait until it answers; raises RuntimeError where it does not."""
        command = [*self.as_other, str(self.programs / "postgres"), "-D", str(self.home / "data"), "-k", str(self.home)]
        for setting in ("listen_addresses=", *self.settings):
            command += ["-c", setting]
        with (self.home / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        ready = [str(self.programs / "pg_isready"), "-q", "-h", str(self.home), "-U", "qipai"]
        for _ in range(20 * WAIT_S):
            if subprocess.run(ready, check=False).returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError((self.home / "log").read_text())

    def stop(self, how: str = "immediate") -> None:
        """Stop it. how: immediate is as if the power had failed."""
        if self.process is not None:
            self._done("pg_ctl", "stop", "-D", str(self.home / "data"), "-m", how)
            self.process.wait()
            self.process = None

    def _done(self, program: str, *arguments: str) -> None:
        subprocess.run([*self.as_other, str(self.programs / program), *arguments], check=True, capture_output=True)
