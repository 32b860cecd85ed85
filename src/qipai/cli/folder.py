"""The data folder of a hall: where it is, that it can be used, and that one hall alone uses it."""

from __future__ import annotations

import os
import re
import secrets
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from qipai.cli import Trouble

if TYPE_CHECKING:
    from qipai.config import Config
    from qipai.hall.table.errors import HallError
    from qipai.store import Connection

__all__ = [
    "BUS",
    "MARK",
    "beside",
    "called",
    "claimed",
    "configured",
    "database_of",
    "folder",
    "handed",
    "locked",
    "marked",
    "private",
    "room_fault",
]


MARK: Final = "hall.id"  # a file that tells nodes of one hall that they have one folder
BUS: Final = "QIPAI_BUS"  # the variable with the address of the bus, which goes before `hall.toml`


def folder() -> Path:
    """Return the default data folder of a hall."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "qipai"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "qipai"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "qipai"


def handed(path: Path, data: Path) -> None:
    """Give files that root has made in a hall's folder to the folder's owner, which is the user the hall runs as."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        owner = data.stat()
        for one in (path, *(path.rglob("*") if path.is_dir() else ())):
            os.chown(one, owner.st_uid, owner.st_gid)


def room_fault(wrong: HallError, file: Path) -> str:
    """Return in words why a room cannot be as `hall.toml` says, with the line where only one can be meant."""
    word = str(wrong.facts.get("field", "")).removeprefix("rooms.own.")
    if word == "key":
        return "[[rooms.own]] two rooms of one game and kind need a `key` each, a word of their own"
    if word == "name":
        return '[[rooms.own]] every room needs a name: name = { zh-CN = "…", en = "…" }'
    if word == "duplicate":
        return "[[rooms.own]] `duplicate` needs luck: where all games begin alike leave the game out with `but`"
    named = re.compile(rf"\b{re.escape(word.rpartition('.')[2])}\b[\"']?\s*=")
    lines = [number for number, line in enumerate(file.read_text("utf-8").splitlines(), 1) if named.search(line)]
    at = f"line {lines[0]}: " if len(lines) == 1 else ""
    return f"{at}[[rooms.own]] a room cannot be with this `{word}`; docs/host.md says what there is"


def private(data: Path) -> None:
    """Let only its owner read a hall's folder, and what is written there from now on (0032).

    It holds addresses, hashes, and the seeds of running deals. Files of other owners are left as they are.
    """
    os.umask(0o077)
    if os.name != "posix":
        return
    copies = data / "backups"
    for one in (data, *data.glob("hall.*"), *data.glob("*.salt"), copies, *copies.glob("*"), *copies.glob("*/hall.*")):
        mode = stat.S_IMODE(one.stat().st_mode) if one.exists() and not one.is_symlink() else 0
        if mode & 0o077:
            with suppress(PermissionError):
                one.chmod(mode & 0o700)


@contextmanager
def beside(data: Path) -> Iterator[Connection]:
    """Give a hall's database, which may be serving meanwhile; what is done there is written as one."""
    from qipai.store import Unusable
    from qipai.web.services import DATABASE

    url, name = database_of(data)
    if url is not None:
        try:
            from qipai.store.postgres import at_once

            with at_once(url) as session:
                yield session
        except (Unusable, ImportError) as wrong:
            raise Trouble(f"{name} cannot be used: {wrong}") from wrong
        return
    file = data / DATABASE
    try:
        with closing(sqlite3.connect(file, timeout=10)) as db, db:
            yield db
    except sqlite3.Error as wrong:
        raise Trouble(f"{file} cannot be used: {wrong}") from wrong


@contextmanager
def claimed(data: Path, *, shared: bool = False) -> Iterator[Config]:
    """Make the folder if it is missing, lock it against others, and return its `hall.toml`. shared: as `locked`."""
    with locked(data, shared=shared):
        yield configured(data)


def marked(data: Path) -> str:
    """Return the mark of a folder, which no other one has; it is made when it is missing, once for all nodes."""
    file = data / MARK
    made = data / f"{MARK}.{os.getpid()}"
    try:
        if not file.exists():
            made.write_text(secrets.token_hex(16), "ascii")
            with suppress(FileExistsError):  # another node was quicker
                os.link(made, file)
            made.unlink()
            handed(file, data)
        return file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as wrong:
        raise Trouble(f"{file} cannot be used: {wrong}") from wrong


def configured(data: Path) -> Config:
    """Return the settings of a hall's `hall.toml`; the environment may name another database and another bus."""
    from msgspec import structs

    from qipai.config import Between, ConfigError, Keeping, load
    from qipai.store.reader import STORE

    try:
        found = load(data / "hall.toml")
    except ConfigError as wrong:
        raise Trouble(str(wrong)) from wrong
    if url := os.environ.get(BUS):
        found = structs.replace(found, bus=Between(url))
    if url := os.environ.get(STORE):
        return structs.replace(found, store=Keeping(url))
    if found.store.url:
        os.environ[STORE] = found.store.url  # for processes of its own, which read beside it
    return found


def database_of(data: Path) -> tuple[str | None, str]:
    """Return the address of a hall's database, None where a file keeps it, and what to call it; raise Trouble for none.

    Nothing is written: where there is no `hall.toml`, there is no hall.
    """
    from qipai.store.reader import STORE
    from qipai.web.services import DATABASE

    url = os.environ.get(STORE) or (configured(data).store.url if (data / "hall.toml").is_file() else "")
    if url:
        return url, called(url)
    if not (data / DATABASE).is_file():
        raise Trouble(f"there is no hall in {data}")
    return None, str(data / DATABASE)


def called(url: str) -> str:
    """Return what to call a database: its address without a password."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        host = parts.hostname or "this machine"
    except ValueError:
        return "the database"
    return " ".join(f"the database {parts.path.strip('/') or parts.username or ''} at {host}".split())


@contextmanager
def locked(data: Path, *, shared: bool = False) -> Iterator[None]:
    """Make the folder if it is missing, and lock it against others. shared: but not against other nodes of its hall."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        private(data)
        with (data / "lock").open("a") as lock:
            if not _lock(lock.fileno(), shared=shared):
                raise Trouble(f"another hall is running on {data}; stop it, or choose another folder with --data")
            handed(data / "lock", data)
            yield
    except OSError as wrong:
        if wrong.filename is None:
            raise
        raise Trouble(f"{wrong.filename} cannot be used: {wrong.strerror}") from wrong


def _lock(file: int, *, shared: bool) -> bool:
    """Lock a file for this process; the system releases it when the process ends, however it ends."""
    try:
        import fcntl
    except ImportError:  # Windows has no such lock; SQLite still keeps writers apart
        return True
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
