"""Plain pages edited in the browser, the menu on a phone, and a game reviewed by two (P-64, P-85, P-90)."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.guest import KEEPER, Guest, open_house, settled

PGN = (
    '[Game "Chinese Chess"]\n[Red "甲"]\n[Black "乙"]\n[Result "1-0"]\n\n'
    "1. 炮二平五 马８进７\n2. 马二进三 车９平８ 1-0\n"
)
# What DESIGN 4 wants within two steps on a phone: a tab, then a row.
PLACES = "/tournaments /teams /stairs /ponds /cards /membership /friends /friends/blocked /settings /help /faq /tips"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall with an administrator."""
    with open_house(tmp_path_factory.mktemp("plain")) as server:
        yield server


def test_two_administrators_at_one_page_lose_nothing(window: Callable[..., Page], house: Server) -> None:
    one, two = (Guest(window(), house, KEEPER, known=True) for _ in range(2))
    for person, text in ((one, "# 一号"), (two, "# 二号")):
        person.see("/links")
        person.page.locator("[data-edit]").click()
        person.page.locator("#page-text").fill(text)
    one.page.locator("[data-save-page]").click()
    expect(one.page.locator("[data-plain]")).to_contain_text("一号")
    two.page.locator("[data-save-page]").click()
    expect(two.page.locator("[data-theirs]")).to_contain_text("一号")
    expect(two.page.locator("#page-text")).to_have_value("# 二号")
    two.page.locator("[data-over]").click()
    two.page.locator("[data-save-page]").click()
    expect(two.page.locator("[data-plain]")).to_contain_text("二号")


def test_every_entry_is_two_steps_away_on_a_phone(window: Callable[..., Page], house: Server) -> None:
    person = Guest(window(390, 844), house, KEEPER, known=True)
    for path in PLACES.split():
        person.see("/")
        person.page.locator(".tabbar a[href='/me']").click()
        person.page.locator(f".list a[href='{path}']").click()
        settled(person.page)
        assert person.page.evaluate("location.pathname") == path


def test_a_follower_sees_what_the_leader_sees_and_tries(window: Callable[..., Page], house: Server) -> None:
    leader, guest = Guest(window(), house, KEEPER, known=True), window(390, 844)
    data = base64.b64encode(PGN.encode("gb18030")).decode()
    game = leader.call("/brought", {"data": data})["rows"][0]["kept"]["id"]
    leader.see(f"/g/{game}")
    leader.page.locator("[data-together]:visible").click()
    expect(leader.page.locator("[data-leads='true']")).to_be_visible()
    guest.goto(leader.page.evaluate("location.origin + location.pathname"))
    axis = guest.get_by_role("slider")
    expect(axis).to_have_attribute("aria-valuenow", "0")
    leader.page.keyboard.press("ArrowRight")
    leader.page.keyboard.press("ArrowRight")
    expect(axis).to_have_attribute("aria-valuenow", "2")
    # Another move than the one that was played: by the keys of the board, and the follower sees it.
    leader.page.locator("[data-try]").click()
    expect(leader.page.locator("[data-trying]")).to_be_visible()
    man, to = (leader.page.locator(f"[data-square='{square}']").first for square in ("b2", "b9"))
    man.click(force=True)
    to.click(force=True)
    expect(leader.page.locator("[data-line]:not([data-line='0'])")).to_have_count(1)
    expect(axis).to_have_attribute("aria-valuenow", "3")
    guest.locator("[data-aside]").click()
    line = guest.locator("[data-line]:not([data-line='0'])")
    expect(line).to_have_class(re.compile("here"))
    leader.page.locator("input[placeholder='这条变着叫什么']").fill("炮打马")
    leader.page.locator("[data-rename]").click()
    expect(line).to_contain_text("炮打马")
    leader.page.locator("form:has([data-speak]) input").fill("这样如何")
    leader.page.locator("[data-speak]").click()
    expect(guest.locator("[data-said]")).to_contain_text("这样如何")
    expect(guest.locator("[data-leader]")).to_contain_text(KEEPER)
    assert guest.evaluate("document.documentElement.scrollWidth <= innerWidth")
