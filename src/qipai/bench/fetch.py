"""`qipai bench peers`: fetch the peers that cannot stand among our dependencies, into the user's cache folder.

Nothing is fetched while something is measured: a peer that is not there is `absent`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from qipai.bench.peers.engines import PGX
from qipai.core.measure import Absent, peers_folder

__all__ = ["fetch", "node_program", "node_version"]

ABSENT: Final = "not installed; `qipai bench peers` fetches it"
PYTHON: Final = {PGX: ("pgx==2.6.0", "jax==0.10.2")}
LISTS: Final = ("package.json", "package-lock.json")
OURS: Final = files("qipai.bench.peers")


def node_folder() -> Path:
    """Return where the packages of `peers/package-lock.json` lie, or would."""
    stamp = hashlib.sha256(OURS.joinpath("package-lock.json").read_bytes()).hexdigest()[:16]
    return peers_folder() / f"node-{stamp}"


def node_program(name: str) -> list[str]:
    """Return the command of one of the programs beside `peers/package.json`; raises Absent."""
    node = shutil.which("node")
    if node is None:
        raise Absent("there is no node")
    folder = node_folder()
    if not (folder / "node_modules").is_dir():
        raise Absent(ABSENT)
    for each in OURS.iterdir():
        if each.name.endswith(".mjs"):  # as they are now; node finds packages beside the program
            (folder / each.name).write_bytes(each.read_bytes())
    return [node, str(folder / name)]


def node_version(package: str) -> str:
    """Return the version of a package that was fetched."""
    import json

    whole = json.loads((node_folder() / "node_modules" / package / "package.json").read_text("utf-8"))
    return str(whole["version"])


def fetch(told: Callable[[str], None]) -> list[str]:
    """Fetch what is missing; return a line for each that could not be had."""
    return [line for line in (_npm(told), *(_pip(name, told) for name in PYTHON)) if line]


def _npm(told: Callable[[str], None]) -> str:
    folder, npm = node_folder(), shutil.which("npm")
    if (folder / "node_modules").is_dir():
        return ""
    if npm is None:
        return "boardgame.io, Colyseus: there is no npm"
    told("npm: boardgame.io, Colyseus")
    half = _emptied(folder)
    for name in LISTS:
        with as_file(OURS.joinpath(name)) as file:
            shutil.copy(file, half)
    # Not `npm ci`: of npm 11 it refuses a lock file whose optional packages for other systems are not listed.
    words = ("install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    return _run("boardgame.io, Colyseus", [npm, *words], half, folder)


def _pip(name: str, told: Callable[[str], None]) -> str:
    folder = peers_folder() / name
    if folder.is_dir():
        return ""
    if importlib.util.find_spec("pip") is None:
        return f"{name}: this Python has no pip"
    told(f"pip: {' '.join(PYTHON[name])}")
    half = _emptied(folder)
    return _run(name, [sys.executable, "-m", "pip", "install", "-q", "--target", ".", *PYTHON[name]], half, folder)


def _emptied(folder: Path) -> Path:
    """Return an empty folder beside one, for what is not whole yet."""
    half = folder.with_suffix(".half")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(parents=True)
    return half


def _run(what: str, command: Sequence[str], half: Path, folder: Path) -> str:
    done = subprocess.run(command, cwd=half, capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip() and "complete log" not in line]
        return f"{what}: {said[-1] if said else f'ended with {done.returncode}'}"
    half.rename(folder)
    return ""
