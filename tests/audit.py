"""Ask what is known of the libraries that are locked: `python tests/audit.py`. CI runs it (docs/security.md).

A known vulnerability that another version mends is a failure; one that none mends yet is only told, and so is what
could not be asked, for whoever answers may be out of reach.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 300.0  # seconds


class Found(NamedTuple):
    """What was answered."""

    mendable: list[str]  # known, and another version is without it
    open: list[str]  # known, and no version is without it yet
    unasked: list[str]  # nobody said anything of it, and why


def of_python(text: str) -> Found:
    """Return what pip-audit says, as JSON."""
    found = Found([], [], [])
    for library in json.loads(text)["dependencies"]:
        if "skip_reason" in library:
            found.unasked.append(library["skip_reason"])
        for one in library.get("vulns", []):
            line = f"{library['name']} {library['version']}: {one['id']}"
            if mended := one["fix_versions"]:
                found.mendable.append(f"{line}, mended in {', '.join(mended)}")
            else:
                found.open.append(line)
    return found


def of_npm(text: str) -> Found:
    """Return what `npm audit` says, as JSON."""
    found, answer = Found([], [], []), json.loads(text)
    if "vulnerabilities" not in answer:
        reason = answer.get("message") or answer.get("error") or "no answer"
        found.unasked.append(f"npm: {reason}")
    for name, one in answer.get("vulnerabilities", {}).items():
        why = ", ".join(via if isinstance(via, str) else f"{via['title']} {via['url']}" for via in one["via"])
        (found.mendable if one["fixAvailable"] else found.open).append(f"{name} ({one['severity']}): {why}")
    return found


def answer(command: list[str]) -> tuple[str, str]:
    """Return what a program says, and complains of."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return "", f"no answer in {PATIENCE:.0f} s"
    return done.stdout, done.stderr


Asked = Callable[[list[str]], tuple[str, str]]


def libraries(asked: Asked = answer) -> Found:
    """Ask of all that uv.lock holds for this machine. Raises ValueError where the lock cannot be read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "locked.txt"
        export = ["uv", "export", "--frozen", "--offline", "--no-header", "--no-emit-project", "-o", str(path)]
        wrong = asked([sys.executable, "-m", *export, "--all-extras", "--all-groups", "--python", sys.executable])[1]
        if not path.exists():
            raise ValueError(f"uv.lock cannot be read: {wrong}")
        words = ["-r", str(path), "--require-hashes", "--disable-pip", "--format", "json", "--progress-spinner", "off"]
        return read(of_python, "pip-audit", asked([sys.executable, "-m", "pip_audit", *words]))


def packages(asked: Asked = answer) -> Found:
    """Ask of all that client/package-lock.json holds."""
    return read(of_npm, "npm", asked([sys.executable, "hatch_build.py", "npm", "audit", "--json"]))


def read(reader: Callable[[str], Found], name: str, said: tuple[str, str]) -> Found:
    """Return what an answer means; one that is none was not given. Raises ValueError where there was nobody to ask."""
    text, wrong = said
    try:
        return reader(text)
    except json.JSONDecodeError:
        if "No module named" in wrong:
            raise ValueError(f"{name} is not installed: {wrong}") from None
        last: Any = wrong.strip().splitlines() or ["no answer"]
        return Found([], [], [f"{name}: {last[-1]}"])


def report(*found: Found) -> int:
    """Tell what was found; return 1 where something is to be mended."""
    rows = Found(*([line for lines in column for line in lines] for column in zip(*found, strict=True)))
    for word, lines in (
        ("VULNERABLE", rows.mendable),
        ("known, not mended yet", rows.open),
        ("not asked", rows.unasked),
    ):
        for line in lines[:20]:
            print(f"{word}: {line}")
        if len(lines) > 20:
            print(f"{word}: {len(lines) - 20} more")
    if not any(rows):
        print("nothing is known against the libraries that are locked")
    return 1 if rows.mendable else 0


if __name__ == "__main__":
    sys.exit(report(libraries(), packages()))
