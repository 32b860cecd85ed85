"""What the halls of tests keep their rows in: files, or a PostgreSQL of their own (`pytest --store postgres`)."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from qipai.store import Connection, Sqlite
from qipai.store.writer import Writer

HOMES = ("/usr/lib/postgresql/*/bin", "/opt/homebrew/opt/postgresql*/bin")
DATABASE = "hall.sqlite"  # the file of a hall, in its folder
SERVER = "QIPAI_TEST_POSTGRES"  # the address of the server that this run has started
MISSING = "there is no PostgreSQL here (Debian: apt-get install postgresql)"


def programs() -> Path | None:
    """The folder of the newest PostgreSQL's programs."""
    there = [path for home in HOMES for path in Path("/").glob(home.lstrip("/")) if (path / "pg_isready").exists()]
    if there:
        return max(there, key=lambda path: [int(n) for n in path.parent.name.split(".") if n.isdigit()])
    found = shutil.which("pg_isready")
    return None if found is None else Path(found).parent


class Server:
    """A PostgreSQL in a folder of its own, at a Unix socket; its disk promises nothing, so that tests are fast."""

    def __init__(self, home: Path) -> None:
        found = programs()
        assert found is not None, MISSING
        self.programs, self.home = found, home
        self.process: subprocess.Popen[bytes] | None = None
        self.as_other = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
        if os.geteuid() != 0:  # it refuses to run as root
            self.as_other = []
        else:
            shutil.chown(home, "nobody", "nogroup")
        home.chmod(0o755)
        options = ["-U", "qipai", "--auth", "trust", "-E", "UTF8", "--locale", "C", "--no-sync"]
        self._done("initdb", "-D", str(home / "data"), *options)

    def url(self, name: str = "postgres", schema: str = "qipai") -> str:
        """Where a database of it is."""
        options = quote(f"-csearch_path={schema}")
        return f"postgresql://qipai@/{name}?host={quote(str(self.home), safe='')}&options={options}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = [
            "fsync=off",
            "full_page_writes=off",
            "listen_addresses=",
            "max_connections=200",
            "shared_buffers=32MB",
        ]
        command = [*self.as_other, str(self.programs / "postgres"), "-D", str(self.home / "data"), "-k", str(self.home)]
        for setting in settings:
            command += ["-c", setting]
        with (self.home / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        ready = [str(self.programs / "pg_isready"), "-q", "-h", str(self.home), "-U", "qipai"]
        for _ in range(600):
            if subprocess.run(ready, check=False).returncode == 0:
                return
            time.sleep(0.05)
        raise AssertionError((self.home / "log").read_text())

    def stop(self, how: str = "immediate") -> None:
        """Stop it. how: immediate is as if the power had failed."""
        if self.process is not None:
            self._done("pg_ctl", "stop", "-D", str(self.home / "data"), "-m", how)
            self.process.wait()
            self.process = None

    def _done(self, program: str, *arguments: str) -> None:
        subprocess.run([*self.as_other, str(self.programs / program), *arguments], check=True, capture_output=True)


@contextmanager
def server() -> Iterator[Server]:
    """A server that runs, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="qipai-pg-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        found = Server(Path(folder))
        found.start()
        try:
            yield found
        finally:
            found.stop()


def url_at(path: Path) -> str | None:
    """The address that a test's hall keeps its rows at in the place of a file, None for the file itself."""
    there = os.environ.get(SERVER)
    return there and there.replace(
        "search_path%3Dqipai", f"search_path%3Dt{hashlib.md5(str(path).encode()).hexdigest()}"
    )


def settings_of(data: Path) -> str:
    """What leads the hall of a folder, and what works beside it, to its database: the end of its hall.toml."""
    url = url_at(data / DATABASE)
    return "" if url is None else f'\n[store]\nurl = "{url}"\n'


@contextmanager
def beside(data: Path) -> Iterator[Connection]:
    """The rows of the hall in a folder, beside it; what is done there is written as one."""
    if url := url_at(data / DATABASE):
        from qipai.store.postgres import at_once

        with at_once(url) as session:
            yield session
    else:
        with closing(sqlite3.connect(data / DATABASE, timeout=30)) as db, db:
            yield db


def store_at(
    path: Path, scripts: Sequence[tuple[str, str]] = (), editions: Mapping[str, int] | None = None
) -> Writer[Any]:
    """The store of a test's hall."""
    if url := url_at(path):
        from qipai.store.postgres import Postgres

        return Postgres(url, scripts, editions)
    return Sqlite(path, scripts, editions)
