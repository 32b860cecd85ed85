"""Somebody at a browser: what went wrong in the page, a line that can be lost, and what every table shows."""

from __future__ import annotations

import re
from typing import Any, Final, Self

from playwright.sync_api import ConsoleMessage, Locator, Page, WebSocketRoute
from tests.client import Server

PATIENCE = 20_000  # ms; nothing at these tables takes longer
BARE: Final = "/healthz"  # a page of one line, from which a browser can speak to the hall
FITS: Final = re.compile("已验证|种子没赶上")  # the deal fits its seal; one's own seed may have come late
# Resolves as soon as nothing moves in the window; what never ends, as a breathing lamp, does not count.
RESTS: Final = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const moves = (one) => one.playState === "running" && Number.isFinite(one.effect?.getComputedTiming().endTime);
  await frame(); // what has come in is drawn
  do await frame(); while (document.getAnimations().some(moves));
}"""
SIZES: Final = {"desktop": (1440, 900), "sideways": (844, 390), "upright": (390, 844)}


def box_of(one: Locator) -> dict[str, float]:
    """Return where something is in the window: what is drawn anew while one looks has no place for a moment."""
    for _ in range(PATIENCE // 50):
        found = one.bounding_box()
        if found is not None:
            return dict(found)  # type: ignore[arg-type]
        one.page.wait_for_timeout(50)
    raise AssertionError(f"{one} is nowhere in the window")


def rests(page: Page) -> None:
    """Wait until what flies has landed, and what fades in or out has done so."""
    page.evaluate(RESTS)


class Person:
    """A browser and whoever sits at it. `touch`: with a finger, else with mouse and keyboard."""

    def __init__(self, page: Page, *, touch: bool = False, line: bool = False) -> None:
        """line: the line goes through the test, so that it can be lost."""
        self.page, self.touch = page, touch
        self.wrongs: list[str] = []
        self._lines: list[WebSocketRoute] = []
        self._down = False
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda wrong: self.wrongs.append(str(wrong)))
        page.on("console", self._said)
        if line:
            page.route_web_socket(re.compile(r"/ws$"), self._line)

    def _said(self, line: ConsoleMessage) -> None:
        if line.type == "error" and "401" not in line.text:  # who is nobody yet is told so
            self.wrongs.append(line.text)

    def _line(self, line: WebSocketRoute) -> None:
        if self._down:
            line.close(code=1011)
            return
        line.connect_to_server()
        self._lines.append(line)

    def lose(self) -> None:
        """Lose the line, and find no other until `find`."""
        self._down = True
        for line in self._lines:
            line.close(code=1011)
        self._lines.clear()

    def find(self) -> None:
        """Let the line be mended."""
        self._down = False

    def call(self, path: str, body: Any = None) -> Any:
        """POST to the hall, as this browser; without a body: GET."""
        return self.page.evaluate(
            """async ([path, body]) => {
              const headers = { "content-type": "application/json" };
              const send = { method: "POST", headers, body: JSON.stringify(body) };
              const answer = await fetch("/api/v1" + path, body ? send : {});
              return answer.json();
            }""",
            [path, body],
        )

    def guest(self, hall: Server) -> Self:
        """Come to the hall as a guest."""
        self.page.goto(f"{hall.url}{BARE}")
        self.call("/guest", {})
        self.wrongs.clear()  # who is nobody yet is told so with a 401
        return self

    @property
    def over(self) -> bool:
        """Is the result on the table?"""
        return self.page.locator(".result").count() > 0

    def healthy(self) -> None:
        """Nothing went wrong in the page, no word was missing, nothing sticks out sideways."""
        assert self.wrongs == [], self.wrongs
        missing = self.page.evaluate("document.documentElement.dataset.missing")
        assert missing is None, missing
        assert self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
