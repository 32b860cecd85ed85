"""A hall in a process of its own and real browsers that look at it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from tests.client import Server

from qipai.web.files import CLIENT

expect.set_options(timeout=20_000)  # machines are shared; nothing here takes longer

QUICK = """
[bots]
pace_ms = 0
[limits]
guests_per_hour = 10000
"""


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


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The system's Chromium where there is one, without windows if it can be, else the one that playwright brings.

    It ends with its module: while playwright runs, no other test of this process may start an event loop.
    """
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(
                executable_path=found, args=["--disable-gpu", "--disable-dev-shm-usage"]
            )
        except PlaywrightError as wrong:
            if found:
                raise
            pytest.skip(f"no Chromium on this machine: {str(wrong).splitlines()[0]}")
        yield browser
        browser.close()


@pytest.fixture
def window(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Open a browser of its own: cookies and storage are nobody else's."""
    contexts: list[BrowserContext] = []

    def opened(width: int = 1440, height: int = 900, *, asked: bool = False, **more: Any) -> Page:
        """asked: at his first table a guest is asked for a name."""
        context = chromium.new_context(
            **{
                "viewport": {"width": width, "height": height},
                "locale": "zh-CN",
                "has_touch": width < 900,
                **WORKERLESS,
                **more,
            }
        )
        contexts.append(context)
        if not asked:
            context.add_init_script(NAMED)
        return context.new_page()

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall whose bots lose no time, and the client built into it."""
    if not (CLIENT / "index.html").is_file():
        pytest.skip("the client is not built")
    with Server(tmp_path_factory.mktemp("hall"), QUICK) as server:
        yield server


@pytest.fixture(scope="session")
def shots() -> Path:
    """Where the pictures go that people look at."""
    folder = Path(__file__).parents[2] / "build" / "shots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
