"""`qipai bench web`: how smoothly the client draws in Chromium, how much is loaded, how soon it answers."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from qipai.bench.engine import games_with_rows
from qipai.bench.floor import Parts, Room
from qipai.bench.hall import FREE, Hall
from qipai.bench.sheet import Check, Line, Table, line
from qipai.core.measure import Absent

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["measure", "share"]

Progress = Callable[[str], None]
BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
FRAME_MS, LATE_MS = 16.7, 33.0
A_SECOND: Final = 60.0  # frames of a screen
FIRST_KB, GAME_KB = 90.0, 40.0
CONFIG: Final = FREE.replace("[bots]\n", "[bots]\npace_ms = 200\n")
SLOWED: Final = 4
DEALS: Final = {"gouji": "dealing 216 cards", "mahjong": "dealing 四川 mahjong"}
PLAYING: Final = "playing gouji: sets fly, tricks are gathered"
QUIET_MS: Final = 500  # without a long task: then a page is at rest

# Frames are counted from `frames.begin()` on; a long task is told by the browser itself.
EARLY: Final = """
(() => {
  const frames = {
    times: [],
    on: false,
    begin() { this.times = []; this.on = true; tick(); },
    end() { this.on = false; return this.times; },
  };
  const tick = () => requestAnimationFrame((now) => { if (frames.on) { frames.times.push(now); tick(); } });
  const tasks = { last: 0 };
  new PerformanceObserver((list) => { for (const one of list.getEntries()) tasks.last = one.startTime + one.duration; })
    .observe({ type: "longtask", buffered: true });
  window.bench = { frames, tasks };
})();
"""


def measure(quick: bool, told: Progress) -> Parts[tuple[list[Table], dict[str, str]]]:
    """Return the tables: frames, sizes, the time until a page answers."""
    from qipai.web.files import CLIENT

    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError as wrong:
        raise Absent("playwright is not installed") from wrong
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise Absent("there is no Chromium")
    if not (CLIENT / "index.html").is_file():
        raise Absent("the client is not built")
    rounds, seconds = (1, 1.0) if quick else (5, 3.0)
    games = games_with_rows()
    with Hall(config=CONFIG) as hall, sync_playwright() as playwright:
        address = f"http://{hall.host}:{hall.port}"
        try:
            browser = playwright.chromium.launch(
                executable_path=found, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
            )
        except Error as wrong:
            raise Absent(str(wrong).splitlines()[0]) from wrong
        try:
            told("two tables before their deals")
            tables_set = {game: before_the_deal(browser, address, game) for game in DEALS}
            loads = sizes(browser, address, games, told)
            pages = [visited(browser, address) for _ in (1, SLOWED)]
            yield Room.ALONE  # what a person sees depends on wall-clock time
            tables = [*frames(browser, address, tables_set, rounds, seconds, told), *loads]
            tables.append(answers(browser, address, pages, 1 if quick else 5, told))
            version = browser.version
        except Error as wrong:
            raise RuntimeError(f"the page did not do as expected: {str(wrong).splitlines()[0]}") from wrong
        finally:
            browser.close()
    return tables, {"Chromium": version}


def visited(browser: Browser, address: str) -> Page:
    """Return a page of a new guest."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="zh-CN")
    context.add_init_script(EARLY)
    context.request.post(f"{address}/api/v1/guest", data={})
    page = context.new_page()
    page.set_default_timeout(30_000)
    return page


def posted(page: Page, address: str, path: str, body: Any) -> Any:
    """Return what a call answers, as this browser."""
    return page.context.request.post(f"{address}/api/v1{path}", data=body).json()


# Frames ---------------------------------------------------------------------------------------------------------------


def before_the_deal(browser: Browser, address: str, game: str) -> Page:
    """Return a page where all that is missing for a deal is that its guest is ready."""
    page = visited(browser, address)
    table = posted(page, address, "/tables", {"game": game})["table"]
    page.goto(f"{address}/tables/{table}")
    page.locator("[data-sit='0']").click()
    page.locator("[data-fill]").click()
    page.locator("[data-ready]").wait_for()
    return page


def frames(
    browser: Browser, address: str, first: dict[str, Page], rounds: int, seconds: float, told: Progress
) -> list[Table]:
    """Return the frame times of a deal of 216 cards, a drag over the 36 in hand, tricks of it, a deal of mahjong.

    first: the pages of the first round.
    """
    times: dict[str, list[list[float]]] = {}
    for number in range(rounds):
        for game, what in DEALS.items():
            told(f"round {number + 1}/{rounds}: {what}")
            page = first.pop(game, None) or before_the_deal(browser, address, game)
            ready = page.locator("[data-ready]")
            page.bring_to_front()
            page.evaluate("bench.frames.begin()")
            ready.click()
            page.locator("[data-hand] [data-card], [data-hand] [data-tile]").first.wait_for()
            page.wait_for_timeout(1000 * seconds)
            times.setdefault(what, []).append(page.evaluate("bench.frames.end()"))
            if game == "gouji":
                told(f"round {number + 1}/{rounds}: dragging over the fan")
                times.setdefault("dragging over a fan of 36 cards", []).append(dragged(page, seconds))
                told(f"round {number + 1}/{rounds}: {PLAYING}")
                times.setdefault(PLAYING, []).append(played(page, seconds))
            page.context.close()
    return [frame_table(what, found) for what, found in times.items()]


def dragged(page: Page, seconds: float) -> list[float]:
    """Return the times of frames while the mouse goes over all cards in hand and back, its button down."""
    boxes = [box for one in page.locator("[data-hand] [data-card]").all() if (box := one.bounding_box())]
    left, right = min(box["x"] for box in boxes), max(box["x"] for box in boxes)
    y = boxes[0]["y"] + 40
    page.evaluate("bench.frames.begin()")
    page.mouse.move(left + 10, y)
    page.mouse.down()
    for to in (right, left) * max(1, round(seconds)):
        page.mouse.move(to + 10, y, steps=30)
    page.mouse.up()
    found: list[float] = page.evaluate("bench.frames.end()")
    return found


def played(page: Page, seconds: float) -> list[float]:
    """Return the times of frames while a guest plays by the hints, by the keys, and bots play 200 ms apart."""
    page.keyboard.press("Escape")
    page.evaluate("bench.frames.begin()")
    for _ in range(round(12 * seconds)):
        for key in ("h", "Enter", "p"):
            page.keyboard.press(key)
        page.wait_for_timeout(250)
    found: list[float] = page.evaluate("bench.frames.end()")
    return found


def share(values: Sequence[float], part: float) -> float:
    """Return the value that this share of all does not exceed."""
    return sorted(values)[int((len(values) - 1) * part)]


def frame_table(what: str, rounds: Sequence[Sequence[float]]) -> Table:
    """Return what was found of the frames of one thing."""
    steps = [[b - a for a, b in pairwise(times)] for times in rounds if len(times) > 2]
    if not steps:
        raise RuntimeError(f"{what}: the browser drew nothing")
    every = [step for one in steps for step in one]
    a_second = 1000 * len(every) / sum(every)
    dropped = max(0.0, 1 - a_second / A_SECOND)
    checks = (
        Check("frames a second", A_SECOND, True, float(round(a_second))),
        Check("median, ms", FRAME_MS, False, round(median(every), 1)),
        Check("p99, whole ms", LATE_MS, False, float(round(share(every, 0.99)))),
    )
    lines = (
        Line("a frame", min(every), median(every), max(every)),
        line("p99 of a round", [share(one, 0.99) for one in steps]),
    )
    note = f"{len(every)} frames, {dropped:.1%} of the screen's were dropped"
    return Table(what, "ms from frame to frame", lines, checks, (note,))


# Sizes ----------------------------------------------------------------------------------------------------------------


def sizes(browser: Browser, address: str, games: Sequence[str], told: Progress) -> list[Table]:
    """Return how many bytes of script are loaded at first, and how many more for each game's table."""

    def loaded(page: Page, path: str, ready: str) -> dict[str, int]:
        found: dict[str, int] = {}

        def came(request: Any) -> None:
            response = request.response()
            if request.resource_type == "script" and response.ok:
                found[request.url] = len(gzip.compress(response.body(), 9, mtime=0))

        page.on("requestfinished", came)
        if path.startswith("?"):
            path = f"/tables/{posted(page, address, '/tables', {'game': path[1:]})['table']}"
        page.goto(f"{address}{path}", wait_until="networkidle")
        page.locator(ready).first.wait_for()
        page.remove_listener("requestfinished", came)
        return found

    told("the first load")
    page = visited(browser, address)
    page.add_init_script("window.requestIdleCallback = () => 0")
    first = loaded(page, "/", "#app a")
    page.context.close()
    page = visited(browser, address)
    early = {url: size for url, size in loaded(page, "/", "#app a").items() if url not in first}
    more: dict[str, dict[str, int]] = {}
    for game in games:
        told(f"what {game} loads")
        more[game] = {
            url: size
            for url, size in loaded(page, f"?{game}", "[data-sit]").items()
            if url not in first and url not in early
        }
    page.context.close()
    common = set.intersection(*(set(found) for found in more.values()))
    shared = sum(size for url, size in more[games[0]].items() if url in common)
    own = {game: sum(size for url, size in found.items() if url not in common) for game, found in more.items()}
    total = sum(first.values())
    lines = [
        line("first load", [total / 1000]),
        line("then, while nothing else is done: the table page", [sum(early.values()) / 1000]),
        line("what every table has, more", [shared / 1000]),
        *(line(f"{game}, more than that", [size / 1000]) for game, size in own.items()),
    ]
    largest = max(own, key=lambda game: own[game])
    checks = (
        Check("first load, kB", FIRST_KB, False, total / 1000),
        Check(f"the largest game's own ({largest}), kB", GAME_KB, False, own[largest] / 1000),
    )
    return [Table("script, gzip -9", "kB", tuple(lines), checks)]


# The time until a page answers ----------------------------------------------------------------------------------------


def answers(browser: Browser, address: str, first: list[Page], rounds: int, told: Progress) -> Table:
    """Return the seconds until the hall's first page can be used, at full speed and on a slowed processor.

    first: the pages of the first round.
    """
    found: dict[str, list[float]] = {"at full speed": [], f"{SLOWED}× slowed": []}
    for number in range(rounds):
        for name, rate in zip(found, (1, SLOWED), strict=True):
            told(f"round {number + 1}/{rounds}: the first page, {name}")
            page = first.pop() if first else visited(browser, address)
            page.bring_to_front()
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
            page.goto(address)
            page.locator("#app a, #app button").first.wait_for()
            there = page.evaluate("performance.now()")
            while page.evaluate("performance.now() - bench.tasks.last") < QUIET_MS:
                page.wait_for_timeout(50)
            found[name].append(max(there, page.evaluate("bench.tasks.last")) / 1000)
            page.context.close()
    lines = tuple(line(name, values) for name, values in found.items())
    note = f"until links are there and no task of 50 ms or more has run for {QUIET_MS} ms"
    return Table("until the first page answers", "seconds", lines, (), (note,))
