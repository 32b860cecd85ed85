"""On a phone everything that can be tapped is 44 px wide and high, or catches the finger as far round it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.guest import settled

PAGES = ["/", "/rooms", "/rules", "/rules/xiangqi/horse", "/settings/look", "/signin"]
# What is hit 21 px above and below its middle; parts of a sentence and what something else lies on are left out.
SMALL = """() => {
  const found = [];
  for (const one of document.querySelectorAll("button, a[href], select, summary, [role=tab]")) {
    one.scrollIntoView({ block: "center", behavior: "instant" }); // else the bar below lies on half of one
    const { x, y, width, height } = one.getBoundingClientRect();
    const [cx, cy] = [x + width / 2, y + height / 2];
    if (!width || !height || one.tabIndex < 0 || one.closest("p, dd, .text, [inert], .skip")) continue;
    if (!one.checkVisibility() || cy < 30 || cy > innerHeight - 30 || cx > innerWidth) continue;
    const hit = (dy) => one.contains(document.elementFromPoint(cx, cy + dy));
    if (!hit(0) || (hit(-21) && hit(21))) continue;
    const name = one.textContent.trim() || one.getAttribute("aria-label");
    found.push(`${name} ${Math.round(width)}x${Math.round(height)}`);
  }
  return found;
}"""


@pytest.mark.parametrize("path", PAGES)
def test_a_finger_finds_everything(window: Callable[..., Page], hall: Server, path: str) -> None:
    page = window(390, 844, is_mobile=True)
    page.goto(hall.url + path)
    settled(page)
    assert page.evaluate(SMALL) == []


def test_the_first_lesson_is_one_tap_away(window: Callable[..., Page], hall: Server) -> None:
    page = window(390, 844, is_mobile=True)
    for path in ("/", "/rules"):
        page.goto(hall.url + path)
        expect(page.locator("[data-play], main li a").first).to_be_visible()  # what comes later moves what is there
        page.locator("[data-first-lesson]").tap()
        expect(page.locator("a[data-lesson='xiangqi']")).to_be_visible()


def test_a_wrong_name_is_said_beside_a_short_password(window: Callable[..., Page], hall: Server) -> None:
    page = window()
    page.goto(f"{hall.url}/signin")
    page.locator("#name").fill("!")
    page.locator("#password").fill("short")
    page.locator("form .primary").click()
    expect(page.locator(".why")).to_be_visible()
    expect(page.locator(".strength.weak")).to_contain_text("3")
    page.locator("#name").fill("海边")
    page.locator("form .primary").click()
    expect(page.locator(".strength.weak")).to_be_visible()
    expect(page.locator(".why")).to_have_count(0)
