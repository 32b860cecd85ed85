"""Takes the pictures: a browser whose clock stands and where nothing moves, at halls whose time begins the same."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.sync_api import Browser, Page
from tests.client import Server
from tests.e2e import scene
from tests.e2e.conftest import QUICK, opened
from tests.e2e.guest import KEEPER, PASSWORD, open_house, settled
from tests.e2e.states import Stage, moments, replay
from tests.e2e.test_every_page import go, lived
from tests.e2e.test_layout import REST, seek
from tests.gallery import clocked
from tests.gallery.states import Shot

NOW_S: Final = clocked.AT_S + 3600  # what happened at the hall was an hour ago, whatever the minutes were
HIGHEST: Final = 2  # windows of a long page
PATIENT: Final = 12  # pictures until two are the same
# All letters are there, and all pictures that are in sight.
DRAWN: Final = """() => Promise.all([
  document.fonts.ready, ...[...document.images].map((one) => one.loading === "lazy" || one.decode().catch(() => null)),
]).then(() => null)"""
# How much of a page lies below the window: what slides is most of it.
HIDDEN: Final = """() => {
  const sliding = [...document.querySelectorAll("main, .page *")].filter((one) =>
    ["auto", "scroll"].includes(getComputedStyle(one).overflowY) && one.clientWidth > innerWidth / 2);
  return [innerWidth, innerHeight, Math.max(0, ...sliding.map((one) => one.scrollHeight - one.clientHeight))];
}"""
# Games that run when one comes: the lobby and the rooms are not as empty as a new hall's.
RUNNING: Final = ("xiangqi", "gouji", "mahjong", "backgammon")
READ: Final = ("/mail/RIVAL", "/news", "/mail/0", "/events", "/threads/THREAD")
Taken = tuple[Shot, Image.Image]


class Hall(Server):
    """A hall whose time begins at the gallery's."""

    def program(self) -> list[str]:
        return [sys.executable, clocked.__file__]


class Camera:
    """Somebody who goes from page to page with a browser; page: where they are; wrong: what went wrong in the pages."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.page: Page | None = None
        self.wrong: list[str] = []
        self._open = ExitStack()
        self._halls: dict[str, Server] = {}
        self._known: dict[str, Any] = {}
        self._clock, scene.CLOCK = scene.CLOCK, lambda: NOW_S

    def __enter__(self) -> Camera:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
        scene.CLOCK = self._clock

    def take(self, shots: Iterable[Shot]) -> Iterator[Taken]:
        """Take pictures, in an order that opens few pages."""
        takers = {"table": self._table, "replay": self._replay, "page": self._pages}

        def key(one: Shot) -> tuple[str, str, str, bool]:
            kind = one.state.kind
            return kind, one.state.name if kind == "page" else one.state.page, one.look.lang, one.look.touch

        for (kind, what, lang, _), some in groupby(sorted(shots, key=key), key):
            few = list(some)
            self.page = page = self.window(few[0])
            try:
                yield from takers[kind](page, what, lang, few)
            finally:
                page.context.close()

    def window(self, first: Shot) -> Page:
        """Open a browser for pictures like this."""
        look = first.look
        page = opened(
            self.browser, *look.size, has_touch=look.touch, locale=look.lang, reduced_motion="reduce",
            timezone_id="Asia/Shanghai",
        )  # fmt: skip
        page.clock.set_fixed_time(datetime.fromtimestamp(NOW_S, UTC))
        page.on("pageerror", lambda wrong: self.wrong.append(f"{first.state.kind} {page.url}: {wrong}"))
        return page

    # what is taken

    def _table(self, page: Page, game: str, lang: str, shots: Sequence[Shot]) -> Iterator[Taken]:
        stage = Stage(page, self._hall("plain"), game, lang)
        for one in moments(game):
            few = [shot for shot in shots if shot.state.name == one.name]
            if few:
                stage.come(one, lang)
                yield from self._looks(page, few)

    def _replay(self, page: Page, game: str, lang: str, shots: Sequence[Shot]) -> Iterator[Taken]:
        replay(page, self._hall("plain"), game, lang)
        for time, few in groupby(shots, lambda one: one.state.name):
            seek(page, time)
            yield from self._looks(page, list(few))

    def _pages(self, page: Page, who: str, lang: str, shots: Sequence[Shot]) -> Iterator[Taken]:
        hall = self._hall("house")
        page.goto(f"{hall.url}/grades")
        if who == "keeper":
            page.context.request.post(f"{hall.url}/api/v1/login", data={"name": KEEPER, "password": PASSWORD})
            page.reload()
        settled(page)
        # What has been read counts no more: a page looks the same whichever was looked at before it.
        for path in READ if who == "keeper" else ():
            go(page, self._whole(path))
        at = "grades"
        for path, few in groupby(sorted(shots, key=lambda one: one.state.page), lambda one: one.state.page):
            # A page that goes on standing is not drawn anew: one comes from another.
            at, before = re.split(r"[/?]", path)[1], at
            if at == before:
                go(page, "/nowhere" if at != "nowhere" else "/grades")
            go(page, self._whole(path))
            yield from self._looks(page, list(few), long=True)

    def _whole(self, path: str) -> str:
        """Return a path with what stands in this hall for its capitals."""
        return re.sub(r"(?<!#)[A-Z]+", lambda word: str(self._known[word[0]]), path)

    def _looks(self, page: Page, shots: Sequence[Shot], long: bool = False) -> Iterator[Taken]:
        for shot in sorted(shots, key=lambda one: (one.look.theme, one.look.size)):
            width, height = shot.look.size
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=shot.look.theme, reduced_motion="reduce")  # type: ignore[arg-type]
            yield shot, pictured(page, HIGHEST * height if long else 0)

    # the halls

    def _hall(self, which: str) -> Server:
        if which not in self._halls:
            folder = Path(self._open.enter_context(tempfile.TemporaryDirectory()))
            hall = Hall(folder, QUICK) if which == "plain" else open_house(folder, house=Hall)
            self._halls[which] = self._open.enter_context(hall)
            if which == "house":
                self._live(self._halls[which])
        return self._halls[which]

    def _live(self, house: Server) -> None:
        """Let people have a past at a house, and games run there."""
        pages: list[Page] = []

        def window(*size: int) -> Page:
            pages.append(opened(self.browser, *(size or (1280, 800))))
            return pages[-1]

        lived(window, house, self._known)
        for game in RUNNING:
            context = window().context
            context.request.post(f"{house.url}/api/v1/guest", data={})
            context.request.post(f"{house.url}/api/v1/play", data={"game": game, "level": "easy"})
        for page in pages:
            page.context.close()


def pictured(page: Page, most: int = 0) -> Image.Image:
    """Return a page as it stands, once it has come to rest, without what is told for some seconds.

    most: how high its window may grow until all is seen.
    """
    page.evaluate(DRAWN)
    page.evaluate(REST)
    was, taken = b"", shot(page)
    for _ in range(PATIENT if most else 0):  # of a page some parts come later
        if was == taken:
            break
        width, height, hidden = page.evaluate(HIDDEN)
        if hidden > 1 and height < most:
            page.set_viewport_size({"width": width, "height": min(height + hidden, most)})
        page.wait_for_timeout(50)
        was, taken = taken, shot(page)
    return Image.open(BytesIO(taken)).convert("RGB")


def shot(page: Page) -> bytes:
    """Return the picture of a window."""
    return page.screenshot(animations="disabled", caret="hide", style=".toasts { visibility: hidden }")
