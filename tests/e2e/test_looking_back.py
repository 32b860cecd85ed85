"""Looking back through a running game of cards or tiles: what was shown, as it was shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.person import Person

SIZES = {"phone": (390, 844), "sideways": (844, 390), "desktop": (1280, 800)}
# While cards fall one may declare, and the others go on; everywhere else who is asked is waited for.
ASKED = {"shengji": "[data-act=hint]"}
# What lies there; bubbles come and go.
LYING = """[...document.querySelectorAll("#cloth [data-card], #cloth [data-tile], #cloth [role=img], #cloth img")]
  .map((one) => one.dataset.card ?? one.dataset.tile ?? one.getAttribute("aria-label") ?? "")"""
INSIDE = """() => [...document.querySelectorAll("[data-looking] button")].every((one) => {
  const box = one.getBoundingClientRect();
  return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
})"""


@pytest.mark.parametrize("game", ["gouji", "baohuang", "shengji", "mahjong"])
def test_one_looks_back_and_finds_now_again(window: Callable[..., Page], hall: Server, game: str) -> None:
    page = window(*SIZES["phone"], reduced_motion="reduce")
    me = Person(page)
    page.goto(f"{hall.url}/grades")
    me.call("/guest", {})
    options = {"exchange": "none"} if game == "mahjong" else {}
    table = me.call("/play", {"game": game, "level": "easy", "options": options})["table"]
    page.goto(f"{hall.url}/tables/{table}")
    mine = page.locator(ASKED.get(game, "[data-act]")).first
    expect(mine).to_be_visible(timeout=90_000)  # the cards have fallen, and I am asked: until I answer nothing moves
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        expect(mine).to_be_visible()
        now = page.evaluate(LYING)
        assert now
        look = page.locator("[data-look-back]")
        if size != "desktop":
            page.get_by_role("button", name="更多", exact=True).click()
        look.click()
        expect(page.locator("[data-looking]")).to_be_visible()
        expect(mine).to_have_count(0)  # what is past is not played
        assert page.evaluate(INSIDE), size
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
        while page.locator("[data-earlier]").is_enabled():
            page.locator("[data-earlier]").click()
        expect(page.locator("[data-looking]")).to_contain_text("第 0 步")
        page.locator("[data-now]").click()
        expect(page.locator("[data-looking]")).to_have_count(0)
        expect(mine).to_be_visible()
        assert page.evaluate(LYING) == now, size
    assert not me.wrongs
