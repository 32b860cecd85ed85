"""A hall in a process of its own and real browsers that look at it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from tests.client import Server

from qipai.web.files import CLIENT

expect.set_options(timeout=20_000)  # machines are shared; nothing here takes longer

# Bots play the quick policy, which is the easy level nearly all have here. The processes they think in load the kernels
# of all games at each start of a hall, which can cost as much as its tests.
QUICK = """
[bots]
pace_ms = 0
workers = 0
[limits]
guests_per_hour = 10000
"""
THINKING = QUICK.replace("workers = 0\n", "")  # in processes of their own, as in every hall

# The site's worker fetches the whole client; test_offline.py tells what it does with it.
WORKERLESS: dict[str, Any] = {"service_workers": "block"}

# Who has been asked for a name is not asked again.
NAMED = """
  try {
    const kept = JSON.parse(localStorage.getItem("qipai.prefs") ?? "{}");
    const seen = [...new Set([...(kept.seen ?? []), "name"])];
    localStorage.setItem("qipai.prefs", JSON.stringify({ ...kept, seen }));
  } catch {
    // A page that says that the line is down keeps nothing.
  }
"""


NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FOUND = next((path for name in NAMES if (path := shutil.which(name))), None)


@contextmanager
def launched(program: str | None = FOUND) -> Iterator[Browser]:
    """Start the system's Chromium where there is one, without windows if it can be, else the one playwright brings."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--disable-gpu", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


def opened(browser: Browser, width: int, height: int, *, asked: bool = False, **more: Any) -> Page:
    """Open a browser of its own: cookies and storage are nobody else's. asked: a guest is asked for a name, once."""
    context = browser.new_context(
        **{
            "viewport": {"width": width, "height": height},
            "locale": "zh-CN",
            "has_touch": width < 900,
            **WORKERLESS,
            **more,
        }
    )
    if not asked:
        context.add_init_script(NAMED)
    return context.new_page()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser that ends with its module: while playwright runs, no other test here may start an event loop."""
    with ExitStack() as stack:
        try:
            browser = stack.enter_context(launched())
        except PlaywrightError as wrong:
            if FOUND:
                raise
            pytest.skip(f"no Chromium on this machine: {str(wrong).splitlines()[0]}")
        yield browser


@pytest.fixture
def window(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Open browsers, which are closed after the test."""
    pages: list[Page] = []

    def window(width: int = 1440, height: int = 900, **more: Any) -> Page:
        pages.append(opened(chromium, width, height, **more))
        return pages[-1]

    yield window
    for page in pages:
        page.context.close()


@pytest.fixture(scope="module")
def hall(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall whose bots lose no time, and the client built into it; a module of BOTS_THINK has bots that think."""
    if not (CLIENT / "index.html").is_file():
        pytest.skip("the client is not built")
    settings = THINKING if getattr(request.module, "BOTS_THINK", False) else QUICK
    with Server(tmp_path_factory.mktemp("hall"), settings) as server:
        yield server


@pytest.fixture(scope="session")
def shots() -> Path:
    """Where the pictures go that people look at."""
    folder = Path(__file__).parents[2] / "build" / "shots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
