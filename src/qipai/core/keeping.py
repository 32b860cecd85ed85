"""The cache of compiled kernels, keyed by the contents of their source files.

numba's own cache checks only the file of a kernel, not those of the kernels it calls, and is separate for each path.
Here a module of kernels is identified by the text of its file and of every file of ours that it imports. So a new
release, a second installation or another checkout compiles only what has changed.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

__all__ = ["Keeper", "home", "made_of", "mark", "ready", "stamp", "sweep"]

SOURCES: Final = Path(__file__).parents[2]
IMPORT: Final = re.compile(r"^ *(?:from (qipai[\w.]*) import (\([^)]*\)|[^\n#]*)|import (qipai[\w.]*))", re.MULTILINE)
KERNEL: Final = re.compile(r"^ *@(?:kernel|inlined)\b", re.MULTILINE)
EARLIER: Final = re.compile("[0-9a-f]{16}")  # folder names of an earlier layout, one folder for each version
STALE_S: Final = 30 * 24 * 3600.0


def home() -> Path:
    """Return the folder of all compiled kernels; numba's own setting takes precedence."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "qipai" / "kernels"


def _file(module: str, sources: Path) -> Path | None:
    path = sources.joinpath(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def _imports(text: str) -> Iterator[str]:
    for found in IMPORT.finditer(text):
        package, names, plain = found.groups()
        if plain:
            yield plain
            continue
        yield package
        for name in names.strip("()").split(","):
            yield f"{package}.{name.split(' as ')[0].strip()}"  # a submodule, or a name in the package that has no file


class _Read:
    """A cache of parsed source files, since modules share most of their imports."""

    def __init__(self, sources: Path) -> None:
        self._sources = sources
        self._found: dict[str, tuple[Path, bytes, tuple[str, ...]] | None] = {}

    def __call__(self, module: str) -> tuple[Path, bytes, tuple[str, ...]] | None:
        """Return a module's file, the digest of its text, and the names that it imports; None where there is none."""
        if module not in self._found:
            file = _file(module, self._sources)
            if file is None:
                self._found[module] = None
            else:
                text = file.read_bytes()
                self._found[module] = file, hashlib.sha256(text).digest(), tuple(_imports(text.decode()))
        return self._found[module]


_ours: Final = _Read(SOURCES)  # our sources do not change while the program runs


def _files(module: str, sources: Path) -> dict[Path, bytes]:
    """Return the files that a module depends on, sorted, with the digests of their texts."""
    read = _ours if sources == SOURCES else _Read(sources)
    found: dict[Path, bytes] = {}
    names = [module]
    while names:
        part = read(names.pop())
        if part is not None and part[0] not in found:
            found[part[0]] = part[1]
            names += part[2]
    return dict(sorted(found.items()))


def made_of(module: str, sources: Path = SOURCES) -> list[Path]:
    """Return the files that a module depends on: its own and all of ours that it imports, directly or indirectly."""
    return [*_files(module, sources)]


@cache
def stamp(module: str, sources: Path = SOURCES) -> str:
    """Return a 16-digit digest that identifies a module together with everything that it depends on."""
    digest = hashlib.sha256()
    for file, text in _files(module, sources).items():
        digest.update(f"{file.relative_to(sources).as_posix()}\0".encode() + text)
    return digest.hexdigest()[:16]


def _mark_of(game: str) -> Path | None:
    """Return the file whose presence says that all kernels of a game are compiled; None for games outside qipai."""
    folder = SOURCES / "qipai" / "games" / game
    digest = hashlib.sha256(f"{sys.implementation.cache_tag} {platform.machine()} {version('numba')}".encode())
    modules = []
    for file in sorted(folder.rglob("*.py")):
        if KERNEL.search(file.read_text("utf-8")):
            modules.append(".".join(file.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__"))
    for module in modules:
        digest.update(stamp(module).encode())
    return home() / "ready" / f"{game}-{digest.hexdigest()[:16]}" if modules else None


def mark(game: str) -> None:
    """Note that all kernels of a game are compiled, as its sources are now."""
    file = _mark_of(game)
    if file is not None:
        with suppress(OSError):  # if nothing can be written, each process compiles the kernels itself
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()


def ready(game: str) -> bool:
    """Tell whether a process that needs a game's kernels will find all of them compiled."""
    file = _mark_of(game)
    return file is None or file.exists()


class Keeper:
    """A numba cache locator for one kernel (`numba.config.CACHE_LOCATOR_CLASSES`)."""

    used: Final[set[Path]] = set()  # folders in which this process has looked for kernels

    def __init__(self, module: str, line: int, root: Path) -> None:
        """line: the kernel's first line, which tells kernels of one name in a module apart."""
        self._stamp, self._line = stamp(module), line
        self._folder = root / f"{module.removeprefix('qipai.')}-{self._stamp}"

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Keeper | None:
        """Return the locator of a kernel; None if the kernel is not ours or nothing can be written."""
        module = py_func.__module__
        if _file(module, SOURCES) != Path(py_file):
            return None
        found = cls(module, py_func.__code__.co_firstlineno, home())
        try:
            found.ensure_cache_path()
        except OSError:
            return None
        cls.used.add(found._folder)
        return found

    def ensure_cache_path(self) -> None:
        """Make the folder. Raises OSError where that is not allowed."""
        self._folder.mkdir(parents=True, exist_ok=True)
        if not os.access(self._folder, os.W_OK):
            raise PermissionError(self._folder)

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Return the stamp that must match for a cached kernel to be used."""
        return self._stamp

    def get_disambiguator(self) -> str:
        """Return what distinguishes kernels of the same name."""
        return str(self._line)


def sweep(root: Path, used: set[Path], now: float | None = None) -> int:
    """Remove what was compiled more than 30 days ago of modules in use, from other sources; return its bytes.

    used: the folders of this version's kernels.
    """
    freed = 0
    before = (time.time() if now is None else now) - STALE_S
    modules = {folder.name.rpartition("-")[0] for folder in used}
    for folder in root.iterdir() if root.is_dir() else ():
        ours = folder.name.rpartition("-")[0] in modules or EARLIER.fullmatch(folder.name)
        if not ours or folder in used or not folder.is_dir():
            continue
        files = [file for file in folder.rglob("*") if file.is_file()]
        if all(file.stat().st_mtime < before for file in files):
            freed += sum(file.stat().st_size for file in files)
            shutil.rmtree(folder, ignore_errors=True)
    return freed
