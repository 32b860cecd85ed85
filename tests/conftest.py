"""What all tests share. In CI (CI=true) a skipped test is a failed one: what it needs is installed there.

Two markers say what a test costs: `compiled` runs compiled kernels, which a machine may have to compile first; `slow`
takes seconds. `--quick` leaves out both, and whatever needs a browser, and says at the end what it has left out.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from tests import deaths, stores

from qipai.bench.database import MISSING, programs
from qipai.store.reader import STORE

CI = os.environ.get("CI", "").lower() in ("1", "true")

# The hall runs interpreted kernels, and so do the tests; compiled ones are run in processes of their own.
os.environ.pop("QIPAI_JIT", None)

settings.register_profile("qipai", deadline=None, derandomize=CI, print_blob=True)
settings.register_profile("quick", settings.get_profile("qipai"), max_examples=20)
settings.load_profile("qipai")

COSTLY = {"compiled": "of compiled kernels", "slow": "slow"}  # marker -> what is said of such tests
BROWSER = Path(__file__).parent / "e2e"
LONGEST = Path(__file__).parent / "simulation"
ROOM = 2 << 30  # bytes for who runs tests, with a browser, a hall and a database
left_out: Counter[str] = Counter()  # marker -> tests that --quick leaves out


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out compiled kernels, slow tests and browsers")
    parser.addoption(
        "--store", choices=("sqlite", "postgres"), default="sqlite", help="what the tests' halls keep rows in"
    )
    parser.addoption("--nodes", type=int, default=1, help="of the halls that tests share; with --store postgres")
    parser.addoption("--dying", type=float, default=0, metavar="S", help="so often one of these nodes is killed")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many run at once: whoever has a browser waits for it often, so two a processor, if they find room."""
    processors = os.cpu_count() or 1
    if config.getoption("quick"):
        return processors
    try:
        room = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // ROOM
    except (AttributeError, ValueError):
        room = 0
    return max(processors, min(2 * processors, room))


def pytest_configure(config: pytest.Config) -> None:
    for name, what in COSTLY.items():
        config.addinivalue_line("markers", f"{name}: {what}; left out by --quick")
    config.addinivalue_line("markers", "embedded: of the file that keeps a hall; not run with --store postgres")
    config.addinivalue_line(
        "markers", "calm: of what the node that leads keeps in its memory, or of one line; no node dies within it"
    )
    if config.getoption("quick"):
        settings.load_profile("quick")
    if config.getoption("store") == "postgres" and stores.SERVER not in os.environ:  # of one for all workers
        if programs() is None:
            raise pytest.UsageError(MISSING)
        opened = ExitStack()
        os.environ[stores.SERVER] = opened.enter_context(stores.server()).url()
        config.add_cleanup(opened.close)


@pytest.fixture(autouse=True)
def _forget_the_database() -> Generator[None]:
    """A command that runs within a test leaves its hall's database in the environment, for its own processes."""
    os.environ.pop(STORE, None)
    yield
    os.environ.pop(STORE, None)


@pytest.fixture(autouse=True)
def _calm(request: pytest.FixtureRequest) -> Generator[None]:
    """Let no node die while a test runs that is about what is lost with it."""
    if not request.node.get_closest_marker("calm"):
        yield
        return
    with deaths.calm():
        yield


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if config.getoption("quick") and collection_path == BROWSER else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: LONGEST not in item.path.parents)  # in the end nobody is to wait for one that is long
    if config.getoption("store") == "postgres":
        of_file = [item for item in items if item.get_closest_marker("embedded")]
        config.hook.pytest_deselected(items=of_file)
        items[:] = [item for item in items if not item.get_closest_marker("embedded")]
    if not config.getoption("quick"):
        return
    left_out.clear()
    kept, others = [], []
    for item in items:
        if BROWSER in item.path.parents:  # named on the command line, where nothing is ignored
            others.append(item)
            continue
        why = next((name for name in COSTLY if item.get_closest_marker(name)), None)
        if why is None:
            kept.append(item)
        else:
            left_out[why] += 1
            others.append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=others)
    if hasattr(config, "workeroutput"):  # a process of pytest-xdist: the first one tells
        config.workeroutput["left_out"] = dict(left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    told = getattr(node, "workeroutput", {}).get("left_out", {})
    left_out.update({name: n for name, n in told.items() if name not in left_out})


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    # Which pages look otherwise than those of the last release: for people to read.
    for report in terminalreporter.getreports("passed"):
        for name, told in getattr(report, "user_properties", ()):
            if name == "gallery" and report.when == "call":
                terminalreporter.write_line(f"gallery: {told}")
    if config.getoption("quick"):
        counted = [f"{n} {COSTLY[name]}" for name, n in sorted(left_out.items())]
        terminalreporter.write_line(f"left out by --quick: {', '.join([*counted, 'all in a browser (tests/e2e)'])}")


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("compiled") and find_spec("numba") is None:
        pytest.skip("compiled kernels need numba, the extra `fast`")


def not_in_ci(report: Any) -> Any:
    """Turn a skip into a failure."""
    if CI and report.skipped and not hasattr(report, "wasxfail"):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid}: nothing may be skipped in CI: {why}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    return not_in_ci((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    return not_in_ci((yield))
