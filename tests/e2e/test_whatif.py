"""Somebody plays on from a moment of a finished deal, names what came of it, compares, and shows it to others."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.axe import complaints
from tests.e2e.conftest import QUICK
from tests.e2e.guest import ONE_HOUSE, Guest
from tests.hall.web.test_brought import PGN

GAME = PGN.replace("MOVE", "马二进三").encode("gb18030")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall of these tests' own."""
    with Server(tmp_path_factory.mktemp("whatif"), QUICK + ONE_HOUSE) as server:
        yield server


def brought(one: Guest) -> str:
    """Return a game of four moves from a file."""
    found = one.call("/brought", {"data": base64.b64encode(GAME).decode()})
    return str(found["rows"][0]["kept"]["id"])


def branched(one: Guest, game: str, n: int, seat: int) -> str:
    """Play on from a moment and resign; return the branch."""
    before = {row["id"] for row in one.call(f"/g/{game}/whatif")["rows"]}
    one.resign(one.call(f"/g/{game}/whatif", {"n": n, "seat": seat, "level": "easy"})["table"])
    (found,) = [row["id"] for row in one.call(f"/g/{game}/whatif")["rows"] if row["id"] not in before]
    return str(found)


def test_from_a_moment_to_a_table_and_back_to_the_tree(window: Callable[..., Page], house: Server) -> None:
    one = Guest(window(1280, 800), house, "接着下")
    page = one.page
    game = brought(one)
    page.goto(f"{house.url}/g/{game}#2")
    panel = page.locator("[data-whatif]")
    expect(panel).to_have_attribute("data-whatif", "0")
    panel.locator("[data-whatif-here]").click()
    panel.locator("select").first.select_option("0")
    panel.locator("[data-whatif-go]").click()
    page.wait_for_url(re.compile("/tables/"))
    expect(page.locator("[data-origin]").first).to_contain_text("#2")
    table = int(page.url.rsplit("/", 1)[1])
    one.resign(table)
    expect(page.locator(".result")).to_be_visible()
    expect(page.locator("[data-again]")).to_have_count(0)  # one deal
    page.locator(".result a[href^='/g/']").click()
    expect(panel).to_have_attribute("data-whatif", "1")
    branch = page.url.rsplit("/g/", 1)[1].split("#")[0]
    expect(panel.locator(f"[data-branch='{branch}']")).to_have_attribute("aria-pressed", "true")
    expect(panel.locator(f"[data-branch='{branch}']")).to_contain_text("−2")
    panel.get_by_role("textbox").fill("弃车")
    panel.locator("[data-name]").click()
    expect(panel.locator(f"[data-branch='{branch}']")).to_contain_text("弃车")
    panel.locator("[data-compare]").click()
    expect(panel.locator("[data-parted]")).to_have_attribute("data-parted", "2")
    assert complaints(page) == []
    panel.locator("[data-drop]").click()
    panel.locator("[data-drop]").click()
    page.wait_for_url(f"**/g/{game}")
    expect(page.locator("[data-whatif]")).to_have_attribute("data-whatif", "0")
    one.healthy()


def test_on_a_phone_and_in_a_review_all_see_the_branch(window: Callable[..., Page], house: Server) -> None:
    one = Guest(window(390, 844, locale="en"), house, "leads")
    two = Guest(window(1280, 800, locale="en"), house, "follows")
    game = brought(one)
    branch = branched(one, game, 1, 1)
    key = one.call(f"/g/{game}/reviews", {"n": 3})["key"]
    two.page.goto(f"{house.url}/review/{key}")
    expect(two.page.locator("[data-review]")).to_have_attribute("data-leads", "false")
    one.page.goto(f"{house.url}/review/{key}")
    one.page.locator("[data-aside]").click()
    panel = one.page.locator("[data-whatif]")
    panel.locator(f"[data-branch='{branch}']").click()
    assert complaints(one.page) == []
    panel.locator("[data-show]").click()
    lines = two.page.locator("[data-review] [data-line]")
    expect(lines).to_have_count(2)
    expect(two.page.locator("[data-review] .here")).not_to_have_attribute("data-line", "0")
    expect(two.page.locator("[data-at]")).to_have_attribute("data-at", "1")
    one.healthy()
    two.healthy()
