"""Run qipai from a checkout: `python3 run.py` starts the hall, `python3 run.py test` passes the tests.

`python3 run.py docs` builds the pages as a site into build/site, and fails where a link leads nowhere.
`python3 run.py gallery` takes pictures of every page into build/gallery; --help says how a part of them.

Everything is installed into `.venv`, by pip, from the versions and hashes of uv.lock; the machine needs Python alone.
Any other command of qipai works too: `python3 run.py play xiangqi`. Options go to `serve`: `python3 run.py --lan`.
`python3 run.py test --quick` leaves out browsers, compiled kernels and slow tests (CONTRIBUTING.md).
`python3 run.py prepare` installs what they need, and runs none.
`python3 run.py newest` passes a part of them with the newest releases of the libraries, whatever uv.lock says.
`python3 run.py lint` passes what a commit has to, before any test: .pre-commit-config.yaml.
"""

import os
import shutil
import sys

if sys.version_info < (3, 11):  # nothing above or here needs a newer Python than 3.6
    NEWER = [shutil.which(f"python3.{minor}") for minor in range(15, 10, -1)]
    if any(NEWER) and os.name != "nt":
        FOUND = next(path for path in NEWER if path)
        os.execv(FOUND, [FOUND, *sys.argv])
    sys.exit(
        f"qipai needs Python 3.11 or newer, and this is {sys.version.split()[0]}.\n"
        "Install a newer one (python.org, or your system's packages) and start run.py with it."
    )

import hashlib
import importlib.util
import json
import subprocess
import time
import venv
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "qipai.json"  # what is installed there
CI = os.environ.get("CI", "").lower() in ("1", "true")
BEGAN = time.monotonic()
# What CI passes once more on three nodes of which one is killed every few seconds.
DYING = (
    *("tests/hall/web/test_wire.py", "tests/hall/web/test_tables.py"),
    *("tests/hall/walks/test_first_visit.py", "tests/hall/walks/test_points.py", "tests/hall/walks/test_secrets.py"),
    "tests/hall/walks/test_kill.py::test_w17_a_kill_loses_no_acknowledged_move_and_everybody_plays_on",
)
MOST_AGAIN = 3  # so many tests of RACING may be tried again, alone
TIMES_AGAIN = 3  # how often each of them has to pass then
# Where browsers, processes, threads and databases run beside each other. All else fails the first time.
RACING = ("tests/e2e/", "tests/hall/", *(f"tests/unit/{part}/" for part in ("bus", "cli", "store", "web")))
TESTS = (["prepare"], ["test"], ["lint"])  # commands that need what is installed for the tests

Command = list[str]


def say(text: str) -> None:
    """Print a line of progress."""
    print(f"[{time.monotonic() - BEGAN:5.0f} s] {text}", file=sys.stderr, flush=True)


def run(*command: object, quiet: bool = False, more: dict[str, str] | None = None) -> int:
    """Run a command in the checkout; return its exit status. quiet: its output is shown only when it fails."""
    words = [str(word) for word in command]
    env = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONUNBUFFERED": "1", **(more or {})}
    if not quiet:
        return subprocess.run(words, cwd=ROOT, env=env, check=False).returncode
    done = subprocess.run(words, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout.decode(errors="replace")[-4000:])
    return done.returncode


# --- what is installed ---


def digest(*names: str) -> str:
    """Return the hash of some files of the checkout."""
    total = hashlib.sha256()
    for name in names:
        total.update((ROOT / name).read_bytes())
    return total.hexdigest()


def installed() -> dict[str, str]:
    """Return what the stamp says is installed; nothing if it is of another Python or another place."""
    try:
        stamp: dict[str, str] = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}
    return stamp if stamp.get("home") == home() and PYTHON.exists() else {}


def home() -> str:
    """Return what a virtual environment is bound to."""
    return f"{ROOT} {sys.version_info[0]}.{sys.version_info[1]} {sys.platform}"


def make_venv() -> None:
    """Make `.venv` with pip in it, or say what the machine lacks; one that somebody else made is kept if it serves."""
    probe = f"import sys, pip; sys.exit(sys.version_info[:2] != {tuple(sys.version_info[:2])})"
    if PYTHON.exists() and not STAMP.exists() and run(PYTHON, "-c", probe, quiet=True) == 0:
        return
    say("making .venv")
    if VENV.is_symlink():
        VENV.unlink()  # what it leads to is somebody else's, and would be emptied
    if importlib.util.find_spec("ensurepip"):
        venv.create(VENV, with_pip=True, clear=True)
        return
    # Debian ships ensurepip apart, in python3-venv; another pip or uv can stand in for it.
    venv.create(VENV, with_pip=False, clear=True)
    helpers: list[Command] = []
    if importlib.util.find_spec("pip"):
        helpers.append([sys.executable, "-m", "pip", "--python", str(PYTHON), "install", "-q", "pip"])
    uv = shutil.which("uv")
    if uv:
        helpers.append([uv, "pip", "install", "-q", "--python", str(PYTHON), "pip"])
    if not any(run(*helper, quiet=True) == 0 for helper in helpers):
        shutil.rmtree(VENV)
        sys.exit(
            "This Python comes without ensurepip, so no virtual environment can be made with it.\n"
            f"On Debian and Ubuntu: apt install python3.{sys.version_info[1]}-venv   (then start run.py again)\n"
            "Without root: use a Python from python.org, conda or uv, or put uv or pip into your PATH."
        )


def export(name: str, *which: str) -> Path:
    """Write the locked requirements of an extra or group, with hashes, for pip; return the file."""
    path = VENV / f"{name}.txt"
    command = [PYTHON, "-m", "uv", "export", "--frozen", "--offline", "--no-cache", "--no-header", "--no-annotate"]
    if run(*command, "--python", PYTHON, "--no-emit-project", *which, "-o", path, quiet=True):
        sys.exit("uv.lock cannot be read.")
    return path


def pip(*words: object, more: dict[str, str] | None = None) -> bool:
    """Run `pip install`; return whether it worked."""
    late = ["--no-compile"] if sys.argv[1:2] in TESTS else []  # they import a part of it, and keep that compiled
    return run(PYTHON, "-m", "pip", "install", "-q", "--no-input", *late, *words, quiet=True, more=more) == 0


def install(test: bool) -> None:
    """Bring `.venv` to what uv.lock and pyproject.toml ask for; quick when nothing changed."""
    stamp = installed()
    level = "test" if test else "serve"
    lock = digest("uv.lock", "pyproject.toml")
    if not stamp:
        make_venv()
        stamp = {"home": home()}
    if stamp.get("test") != lock and stamp.get(level) != lock:
        say("installing what is needed" + (" for the tests" if test else ""))
        groups = ["--group", "build", *(["--group", "test"] if test else [])]
        if not pip("uv") or not pip("--require-hashes", "-r", export("base", *groups)):
            sys.exit("Not everything could be installed: see pip's words above. Is the package index reachable?")
        # Compiled kernels are a luxury: everything works without them, the bots see less far.
        if pip("--only-binary", ":all:", "--require-hashes", "-r", export("fast", "--extra", "fast")):
            say("numba is installed: bots use compiled kernels")
        elif CI:
            sys.exit("numba could not be installed, and without it half of the tests say nothing.")
        else:
            say("numba has no wheel for this machine: kernels run interpreted, everything else is the same")
        # So are passkeys: the library that checks them wants compiled cryptography.
        if not pip("--only-binary", ":all:", "--require-hashes", "-r", export("passkeys", "--extra", "passkeys")):
            say("no wheel of what checks passkeys for this machine: one signs in by passwords and codes")
        # http-ece is Python alone, and comes as source.
        words = ("--only-binary", ":all:", "--no-binary", "http-ece", "--require-hashes")
        if not pip(*words, "-r", export("push", "--extra", "push")):
            say("no wheel of what seals push messages for this machine: browsers that are shut are told nothing")
        if test and CI and not pip("--require-hashes", "-r", export("judges", "--only-group", "judges")):
            sys.exit("The judges could not be installed, and in CI no test may be left out.")
        stamp[level] = lock
    fresh = run(PYTHON, "hatch_build.py", "--check") == 0
    if not fresh or (CI and not stamp.get("node")):
        if not pip("--only-binary", ":all:", "--require-hashes", "-r", export("node", "--only-group", "node")):
            say("no wheel of Node could be installed: trying the npm in PATH")
        stamp["node"] = "tried"
    if not fresh:
        say("building the browser client")
        if run(PYTHON, "hatch_build.py", *(["--tools"] if test else [])):
            say("going on without it; the hall tells in the browser what can be done")
    package = digest("pyproject.toml", "hatch_build.py")
    if stamp.get("package") != package:
        if not pip("--no-deps", "--no-build-isolation", "-e", ".", more={"QIPAI_CLIENT": "skip"}):
            sys.exit("qipai itself could not be installed: see pip's words above.")
        stamp["package"] = package
    STAMP.write_text(json.dumps(stamp))


# --- the pages ---


def docs() -> int:
    """Build the pages as a site and check its links; return the exit status."""
    wanted = digest("uv.lock", "pyproject.toml")
    stamp = installed()
    if stamp.get("docs") != wanted:
        say("installing what builds the pages")
        if not pip("--require-hashes", "-r", export("docs", "--only-group", "docs")):
            say("what builds the pages could not be installed: see pip's words above")
            return 1
        STAMP.write_text(json.dumps({**stamp, "docs": wanted}))
    return run(PYTHON, "-m", "mkdocs", "build", "--strict", "--quiet", more={"NO_MKDOCS_2_WARNING": "1"})


# --- the tests ---


Check = tuple[str, Command, dict[str, str]]  # name, command, more environment


def checks() -> list[Check]:
    """Return the checks before pytest that every run passes, and `lint`."""
    python, qipai = str(PYTHON), str(BIN / "qipai")
    return [
        ("ruff", [python, "-m", "ruff", "check", "-q"], {}),
        ("format", [python, "-m", "ruff", "format", "--check", "-q"], {}),
        ("mypy", [python, "-m", "mypy"], {}),
        ("imports", [str(BIN / "lint-imports"), "--no-logo"], {}),
        ("schema", [qipai, "schema", "--check"], {}),
    ]


def lanes() -> tuple[list[Check], list[Check]]:
    """Return the checks that only CI passes: those that compile, and others beside them; none elsewhere."""
    if not CI:
        return [], []
    python, qipai = str(PYTHON), str(BIN / "qipai")
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests" / "conformance").glob("*.jsonl"))
    # A cache of its own: numba would take code compiled without bounds checks for the same.
    cache = VENV / "bounds-cache"
    shutil.rmtree(cache, ignore_errors=True)
    # What is asked here is which places are read and written; code that is not made fast is compiled sooner.
    bounds = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "1", "NUMBA_CACHE_DIR": str(cache)}
    compiled: list[Check] = [
        # Before all else: every hall of the tests would see to it, beside the tests.
        ("kernels", [qipai, "warm"], {}),
        # Without bounds checks, and interpreted, pytest runs the cases.
        ("cases, compiled with bounds checks", [qipai, "conform", "--jit", *files], bounds),
    ]
    others: list[Check] = [
        # The types of the rest: with a game more, tests/unit/cli/test_new_game.py.
        ("client", [python, "hatch_build.py", "npm", "run", "check:beside"], {}),
        ("client, lint", [python, "hatch_build.py", "npm", "run", "lint"], {}),
        ("client, tests", [python, "hatch_build.py", "npm", "run", "test"], {}),
        ("audit", [python, "tests/audit.py"], {}),
        ("newest releases", [python, "tests/newest.py"], {}),
    ]
    for folder in sorted((ROOT / "src" / "qipai" / "games").glob("[!_]*/__init__.py")):
        game = folder.parent.name
        compiled.append((f"{game}, bounds checks", [qipai, "selfcheck", game, "--games", "50", "--seed", "7"], bounds))
        others.append((f"{game}, 2000 games in both modes", [qipai, "selfcheck", game, "--games", "2000"], {}))
    return compiled, others


def passed(steps: deque[Check]) -> list[str]:
    """Run checks one after the other, and take them off; return the names of those that failed."""
    failed: list[str] = []
    while True:
        try:
            name, command, more = steps.popleft()
        except IndexError:  # another thread may have taken the last one
            return failed
        say(name)
        if run(*command, more=more):
            failed.append(name)


def lint(names: Command) -> int:
    """Run the checks of these names, all where there are none: what a commit has to pass, before any test."""
    npm = [str(PYTHON), "hatch_build.py", "npm", "run", "--if-present"]
    client: list[Check] = [("client", [*npm, script], {}) for script in ("check", "lint", "format:check")]
    known = {step[0]: [step] for step in checks()} | {"client": client}
    strange = [name for name in names if name not in known]
    if strange:
        sys.exit(f"There is no check {strange[0]}; there are {', '.join(known)}.")
    failed = False
    for name in names or known:
        for _, command, more in known[name]:
            failed = run(*command, more=more) != 0 or failed
    return 1 if failed else 0


def pytest(*words: str) -> tuple[int, list[str]]:
    """Run pytest and show what it says; return its exit status and the lines that are not empty."""
    command = [str(PYTHON), "-m", "pytest", *words]
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    lines = []
    with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        assert process.stdout
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            if line.strip():
                lines.append(line.strip())
    return process.returncode, lines


def unsteady(lines: list[str]) -> list[str]:
    """Return the tests that failed, by pytest's own words, if they are few and all of RACING; else none."""
    words = [line.split(" - ")[0].split(" ", 1) for line in lines if line.startswith(("FAILED ", "ERROR "))]
    names = [name for _, name in words]
    few = 0 < len(names) <= MOST_AGAIN and all(name.startswith(RACING) for name in names)
    return names if few and all(kind == "FAILED" for kind, _ in words) else []


def steady(together: Command, words: Command, always: Command | None = None) -> tuple[bool, str]:
    """Run pytest, and the few tests of RACING that failed again, alone; return whether all passed, and its last line.

    together: options that are for many tests. always: options that are for few, too.
    """
    always = always or []
    code, lines = pytest(*together, *always, *words)
    if "--quick" in words:
        say(f"--quick took {time.monotonic() - BEGAN:.0f} s; {left_out(lines)}")
    closing = lines[-1] if lines else ""
    again = unsteady(lines) if code else []
    if not again:
        return code == 0, closing
    say(f"again, alone: {' '.join(again)}")
    for _ in range(TIMES_AGAIN):
        code, lines = pytest(*always, *again)  # beside other work a test can miss its moment (decision 0085)
        if code:
            return False, closing
    return True, f"{closing}; alone, {TIMES_AGAIN} times: {lines[-1]}"


def left_out(lines: list[str]) -> str:
    """Return pytest's line on what --quick leaves out."""
    return next((line for line in lines if line.startswith("left out by --quick: ")), "nothing was left out")


def test(words: Command) -> int:
    """Run every check, then the tests with these words for pytest; close with pytest's own closing line.

    `--quick` is such a word: tests of compiled kernels, slow ones and browsers are left out.
    """
    # Hundreds of halls and commands import the same modules: each would compile them anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    failed = []
    with ThreadPoolExecutor() as threads:
        compiled, others = map(deque, lanes())
        # Who is done first takes what is left of the others.
        beside = threads.submit(lambda: passed(compiled) + passed(others))
        if CI:
            say("pages")
            if docs():
                failed.append("pages")
        failed += passed(deque(checks())) + passed(others)
        failed += beside.result()
    say("pytest")
    slowest = ("--durations", "40", "--durations-min", "5") if CI else ()
    ok, closing = steady(["-n", "auto", "--dist", "worksteal", *slowest], words)
    if not ok:
        failed.append("pytest")
    if CI and not words:
        say("pytest, on nodes that die")
        nodes = ["--store", "postgres", "--nodes", "3", "--dying", "4"]
        if not steady(["-n", "auto", "--dist", "loadfile"], list(DYING), nodes)[0]:  # a hall is a file's
            failed.append("pytest, on nodes that die")
    say(f"failed: {', '.join(failed)}" if failed else "everything passed")
    print(closing, flush=True)
    return 1 if failed else 0


def main() -> int:
    """Install what is needed, then do what is asked."""
    words = sys.argv[1:]
    if words[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    kind = words[0] if words else ""
    install([kind] in TESTS or kind in ("newest", "gallery"))
    if kind == "prepare":
        return 0
    if kind in ("test", "lint"):
        return (test if kind == "test" else lint)(words[1:])
    if kind == "newest":
        return run(PYTHON, "tests/newest.py")
    if kind == "gallery":
        return run(PYTHON, "-m", "tests.gallery", *words[1:])
    if kind == "docs":
        code = docs()
        say("the pages are not whole" if code else f"the pages stand in {ROOT / 'build' / 'site' / 'index.html'}")
        return code
    command = [str(BIN / "qipai"), *(words if words and not words[0].startswith("-") else ["serve", *words])]
    if os.name == "nt":
        try:
            return subprocess.run(command, check=False).returncode
        except KeyboardInterrupt:
            return 0
    return os.execv(command[0], command)


if __name__ == "__main__":
    sys.exit(main())
