"""Try the newest releases of what qipai stands on: `python3 run.py newest`. CI does (CONTRIBUTING.md).

The libraries of pyproject.toml are installed into `.venv/newest` as new as there are, whatever uv.lock and the ceilings
say, and a part of the quick tests is passed with them. A test that fails is passed once more with each library as
uv.lock has it: the release that breaks it is named. What a ceiling keeps from everybody is reported and no failure.
Where the index cannot be reached, that is said; in CI it is a failure, for nothing is left out there.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import venv
from collections.abc import Callable, Iterable
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
HOME = Path(sys.prefix) / "newest"
CI = os.environ.get("CI", "").lower() in ("1", "true")
EXTRAS = ("fast", "nats", "passkeys", "postgres")
TOOLS = ("aiosmtpd", "httpx", "hypothesis", "pytest", "pytest-asyncio", "pytest-xdist")  # as they are locked
# What touches the libraries most: connections, answers, the log, accounts, codecs, the command line, every game once.
PARTS = (
    "tests/unit/accounts",
    "tests/unit/core",
    "tests/unit/store",
    "tests/unit/web",
    "tests/unit/test_cli.py",
    "tests/unit/test_config.py",
    "tests/hall/test_every_game.py",
    "tests/hall/web/test_http.py",
    "tests/hall/web/test_serve.py",
    "tests/property/test_laws.py",
)
COMPILED = "tests/unit/core/test_inlining.py::test_the_numba_that_is_installed_has_all_that_is_needed"
PATIENCE = 1800.0  # seconds, on a machine with other work
MOST = 12  # so many failed tests are looked into
UNREACHABLE = ("Retrying (", "Could not fetch URL", "timed out")


class Newer(NamedTuple):
    """A release that is not the one of uv.lock."""

    name: str
    locked: str
    release: str
    beyond: bool  # a ceiling of pyproject.toml keeps it out

    def __str__(self) -> str:
        return f"{self.name} {self.release}" + (", beyond its ceiling" if self.beyond else "")


class Trouble(Exception):
    """Nothing could be tried; reached: the index was there."""

    def __init__(self, why: str, reached: bool) -> None:
        super().__init__(why)
        self.reached = reached


Say = Callable[[list[str]], subprocess.CompletedProcess[str]]


def said(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command in the checkout; what it says is kept."""
    env = {name: value for name, value in os.environ.items() if name != "CI"}  # a test may be skipped here
    try:
        return subprocess.run(
            command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, f"it was not through after {PATIENCE:.0f} s", "timed out")


def plain(name: str) -> str:
    """Return a library's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def wanted(text: str) -> tuple[list[str], dict[str, str]]:
    """Return what pyproject.toml asks for without its ceilings, and the ceilings."""
    project = tomllib.loads(text)["project"]
    lines = [*project["dependencies"], *(line for extra in EXTRAS for line in project["optional-dependencies"][extra])]
    ceilings = {plain(found[1]): found[2] for line in lines if (found := re.match(r"([\w.-]+)[^;]*<\s*([\d.]+)", line))}
    return [re.sub(r",?\s*<\s*[\d.]+", "", line) for line in lines], ceilings


def numbers(version: str) -> tuple[int, ...]:
    """Return a version's leading numbers."""
    found = re.match(r"[\d.]*\d", version)
    return tuple(map(int, found[0].split("."))) if found else ()


def pip(*words: str, ask: Say = said) -> subprocess.CompletedProcess[str]:
    """Run `pip install` for the environment of the newest releases."""
    python = str(HOME / ("Scripts" if os.name == "nt" else "bin") / "python")
    fixed = ["-q", "--no-input", "--retries", "2", "--only-binary", ":all:"]
    return ask([sys.executable, "-m", "pip", "--python", python, "install", *fixed, *words])


def installed(ask: Say = said) -> dict[str, str]:
    """Make the environment; return its libraries and their versions. Raises Trouble."""
    venv.create(HOME, with_pip=False, clear=True)
    report = HOME / "report.json"
    lines, _ = wanted((ROOT / "pyproject.toml").read_text("utf-8"))
    tools = [f"{name}=={metadata.version(name)}" for name in TOOLS]
    done = pip("--report", str(report), *lines, *tools, ask=ask)
    if done.returncode:
        why = [line for line in done.stderr.splitlines() if line.strip()]
        raise Trouble(why[-1] if why else "pip said nothing", not any(word in done.stderr for word in UNREACHABLE))
    for packages in HOME.glob("[Ll]ib*/**/site-packages"):
        (packages / "qipai.pth").write_text(
            f"{ROOT / 'src'}\n", "utf-8"
        )  # this checkout, in all processes of the tests
    rows = json.loads(report.read_text("utf-8"))["install"]
    return {plain(row["metadata"]["name"]): row["metadata"]["version"] for row in rows}


def newer(found: dict[str, str], ceilings: dict[str, str]) -> list[Newer]:
    """Return the libraries whose release is not the one that all tests are passed with."""
    rows = []
    for name, release in sorted(found.items()):
        try:
            locked = metadata.version(name)
        except metadata.PackageNotFoundError:
            locked = ""  # new among what the libraries ask for
        ceiling = ceilings.get(name)
        if release != locked:
            rows.append(Newer(name, locked, release, ceiling is not None and numbers(release) >= numbers(ceiling)))
    return rows


def failures(python: str, tests: Iterable[str], ask: Say = said, *more: str) -> tuple[dict[str, str], str]:
    """Pass tests with a Python; return those that fail and why, and pytest's closing line."""
    done = ask([python, "-m", "pytest", "-p", "no:cacheprovider", "-W", "default", "--tb=line", *more, *tests])
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    words = [line.partition(" ")[2].partition(" - ") for line in lines if line.startswith(("FAILED ", "ERROR "))]
    found = {test: why for test, _, why in words}
    closing = next((line for line in reversed(lines) if re.search(r"\d+ (passed|failed|error)", line)), "")
    if done.returncode and not found:
        raise Trouble((lines or done.stderr.splitlines() or ["pytest said nothing"])[-1], True)
    return found, closing


def blamed(tests: list[str], rows: list[Newer], python: str, ask: Say = said) -> dict[str, list[Newer]]:
    """Return for each test the releases without which it passes; none: it is not one release alone."""
    found: dict[str, list[Newer]] = {test: [] for test in tests}
    for row in rows:
        if row.locked and pip("--no-deps", f"{row.name}=={row.locked}", ask=ask).returncode == 0:
            still, _ = failures(python, tests, ask)
            for test in set(tests) - set(still):
                found[test].append(row)
            pip("--no-deps", f"{row.name}=={row.release}", ask=ask)
    return found


def tried(ask: Say = said) -> int:
    """Pass the tests with the newest releases; return 1 if one breaks what no ceiling guards. Raises Trouble."""
    _, ceilings = wanted((ROOT / "pyproject.toml").read_text("utf-8"))
    rows = newer(installed(ask), ceilings)
    if not rows:
        print("newest releases: uv.lock has them all, and with it all tests are passed")
        return 0
    print("newest releases: " + "; ".join(f"{row} (locked: {row.locked or 'none'})" for row in rows), flush=True)
    python = str(HOME / ("Scripts" if os.name == "nt" else "bin") / "python")
    failed, closing = failures(python, [*PARTS], ask, "--quick", "-n", "2")
    if any(row.name in ("numba", "numpy", "llvmlite") for row in rows):
        failed |= failures(python, [COMPILED], ask)[0]
    print(closing)
    if not failed:
        return 0
    print(f"{len(failed)} tests fail; who is to blame takes a while to find out", flush=True)
    again, _ = failures(python, list(failed)[:MOST], ask)
    for test in list(failed)[:MOST]:
        if test not in again:
            print(f"once more, alone, it passes: {test}: {failed[test]}")
    if not again:
        return 0
    shown = list(again)
    ours, _ = failures(sys.executable, shown, ask)
    rows = rows if set(shown) - set(ours) else []
    breaks = 0
    for test, guilty in blamed([test for test in shown if test not in ours], rows, python, ask).items():
        why = f"broken by {' or '.join(map(str, guilty))}" if guilty else "no single release is to blame, several are"
        print(f"FAILED {test}: {why}: {failed[test]}")
        breaks += not (guilty and all(row.beyond for row in guilty))
    for test in ours:
        print(f"FAILED {test}: with the versions of uv.lock, too, so no release is to blame: {failed[test]}")
    breaks += len(ours)
    if len(failed) > MOST:
        print(f"{len(failed) - MOST} more tests fail")
    if not breaks:
        print("no failure: the ceilings of pyproject.toml keep these releases out")
    return 1 if breaks else 0


def main(ask: Say = said) -> int:
    """Try the newest releases, or say why that cannot be done."""
    try:
        return tried(ask)
    except Trouble as trouble:
        if trouble.reached:
            print(f"newest releases: they could not be tried: {trouble}")
            return 1
        print(f"newest releases: left out, the package index cannot be reached: {trouble}")
        if CI:
            print("In CI nothing may be left out: let this machine reach a package index.")
        return 1 if CI else 0


if __name__ == "__main__":
    sys.exit(main())
