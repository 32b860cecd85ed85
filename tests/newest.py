"""Try the newest releases of what qipai stands on, beside those of uv.lock: `python tests/newest.py`.

Two rounds, each with an environment of its own under `.venv`: the newest releases that pyproject.toml allows, and the
newest there are, whatever its ceilings say. A part of the tests is passed with each that brings something new.
What breaks within the ceilings fails; what breaks beyond them is reported, so that one knows
before a ceiling is raised. Where the index cannot be reached nothing is tried, which is said and is no failure.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOME = ROOT / ".venv" / "newest"
CEILINGS = ("uvicorn", "websockets", "numba")  # whose insides are used
TOOLS = ("pytest", "pytest-asyncio", "hypothesis", "httpx")
SMOKE = (
    "tests/unit/web/test_insides.py",
    "tests/unit/web/test_line.py",
    "tests/unit/web/test_entrance.py",
    "tests/unit/web/test_socket.py",
    "tests/unit/web/test_protocol.py",
    "tests/unit/core/test_misfit.py",
    "tests/unit/core/test_inlining.py",
    "tests/unit/core/test_keeping.py",
    "tests/hall/web/test_serve.py",
)
UV_S, TESTS_S = 120, 240


def uv(*words: object) -> subprocess.CompletedProcess[str]:
    """Run uv; what it says is kept."""
    command = [sys.executable, "-m", "uv", *map(str, words)]
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=UV_S, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "the package index takes too long to answer")


def installed(name: str, python: Path, beyond: bool) -> str:
    """Make an environment with the newest releases; return why it could not be made, "" where it was."""
    home = python.parents[1]
    made = uv("venv", "-q", "--clear", "--python", sys.executable, home)
    if made.returncode:
        return made.stderr.strip()
    more: list[object] = []
    if beyond:
        free = HOME / "free.txt"
        free.write_text("".join(f"{each}\n" for each in CEILINGS))
        more = ["--override", free]
    done = uv("pip", "install", "-q", "--python", python, "--only-binary", ":all:", "--upgrade", *more,
              "-r", ROOT / "pyproject.toml", "--extra", "fast", *TOOLS)  # fmt: skip
    for packages in home.glob("lib/python*/site-packages"):
        (packages / "qipai.pth").write_text(f"{ROOT / 'src'}\n")  # this checkout, in all processes of the tests
    return done.stderr.strip()[-600:] if done.returncode else ""


def releases(python: Path) -> str:
    """Return the versions of what is watched."""
    listed = uv("pip", "freeze", "--python", python).stdout.splitlines()
    return ", ".join(line for line in listed if line.split("==")[0] in (*CEILINGS, "starlette", "msgspec", "numpy"))


def unreachable(why: str) -> bool:
    """Tell whether it is the index that fails us, and no release."""
    return any(word in why for word in ("Failed to fetch", "error sending request", "dns error", "too long to answer"))


def tried(name: str, beyond: bool, known: set[str]) -> int:
    """Pass the tests with newest releases that are not known; return 1 if they break what they must not break."""
    python = HOME / name / "bin" / "python"
    why = installed(name, python, beyond)
    if why:
        said = "nothing was tried, the index cannot be reached" if unreachable(why) else why
        print(f"newest releases, {name}: {said}")
        return 0 if unreachable(why) or beyond else 1
    found = releases(python)
    print(f"newest releases, {name}: {found}", flush=True)
    if found in known:
        print("nothing new: these have been tried")
        return 0
    known.add(found)
    words = [str(python), "-m", "pytest", "-p", "no:cacheprovider", "-W", "default", *SMOKE]
    try:
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=TESTS_S, check=False)
        code, said = done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        code, said = 124, f"the tests were not through after {TESTS_S} s"
    print("\n".join(said.strip().splitlines()[-1 if code == 0 else -30 :]))
    if code and beyond:
        print("reported, no failure: these releases are beyond the ceilings of pyproject.toml")
    return 1 if code and not beyond else 0


def main() -> int:
    """Try both rounds, each where it brings something new."""
    HOME.mkdir(parents=True, exist_ok=True)
    known = {releases(Path(sys.executable))}  # those of uv.lock, with which all tests are passed
    failed = tried("within", beyond=False, known=known)
    return tried("beyond", beyond=True, known=known) or failed


if __name__ == "__main__":
    sys.exit(main())
