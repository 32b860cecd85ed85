"""A table on a big screen (platform P-114), somebody over a shoulder (P-115), and keys under the left thumb (P-97)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.axe import complaints
from tests.e2e.guest import Guest, open_house
from tests.e2e.person import box_of

BOXES = """() => [...document.querySelectorAll(".acts [data-act]")].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return { act: one.dataset.act, x, y, width, height };
})"""
SIZE = "(one) => parseFloat(getComputedStyle(one).fontSize)"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall of people with names."""
    with open_house(tmp_path_factory.mktemp("house")) as server:
        yield server


def heard(page: Page) -> list[str]:
    """Return what the hall says to a page from now on, as it comes."""
    found: list[str] = []

    def opened(line: Any) -> None:
        line.on("framereceived", lambda data: found.append(data if isinstance(data, str) else data.decode()))

    page.on("websocket", opened)
    return found


def begun(host: Guest, game: str) -> int:
    """Let somebody play with bots; return the table."""
    table: int = host.call("/play", {"game": game, "level": "easy"})["table"]
    host.page.goto(f"{host.house.url}/tables/{table}")
    expect(host.page.locator("[data-hand] [data-card]").first).to_be_visible()
    return table


def test_a_screen_shows_the_table_to_a_room_and_a_hand_to_nobody_but_whom_its_player_names(
    window: Callable[..., Page], house: Server
) -> None:
    host, coach = Guest(window(), house, "学生"), Guest(window(390, 844), house, "教练")
    table = begun(host, "gouji")

    # The one who plays opens the screen: it is the watchers', not theirs.
    tv = host.page.context.new_page()
    tv.set_viewport_size({"width": 1920, "height": 1080})
    said = heard(tv)
    tv.goto(f"{house.url}/screen/{table}")
    expect(tv.locator("[data-player]")).to_have_count(6)
    expect(tv.locator(".plate[data-seat]")).to_have_count(6)
    assert (
        float(tv.locator("[data-player] b").first.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")) >= 28
    )
    assert tv.locator("button:visible").count() == 0
    expect(tv.locator("[data-hand] [data-card]")).to_have_count(0)
    snapshot = next(json.loads(one) for one in said if '"t":"snapshot"' in one)
    assert snapshot["ch"] == f"{table}.s"
    assert snapshot["you"]["seat"] is None
    assert not snapshot["view"].get("hand")
    assert complaints(tv) == []
    tv.goto(f"{house.url}/screen?tables={table}")
    expect(tv.locator(f"[data-cell='{table}'] .plate[data-seat]")).to_have_count(6)
    tv.goto(f"{house.url}/screen")
    expect(tv.locator("[data-wall='0'] h2")).to_be_visible()
    tv.close()

    # Over the shoulder: all are told, the same hand is drawn, nothing can be pressed, and it ends at once.
    coach.see("/rooms")
    host.page.locator("[data-page=info]").click()
    host.page.locator("[data-shoulder] [data-find]").fill("教练")
    host.page.locator(f"[data-take='{coach.id}']").click()
    host.page.locator("[data-share]").click()
    expect(host.page.locator("[data-unshare]")).to_be_visible()
    coach.page.get_by_role("button", name="去看").click()
    expect(coach.page).to_have_url(re.compile(f"/shoulder/{table}$"))
    mine, theirs = (page.locator("[data-hand] [data-card]") for page in (host.page, coach.page))
    expect(theirs).to_have_count(mine.count())
    assert coach.page.locator("[data-stage] button:visible").count() == 0
    assert complaints(coach.page) == []
    host.page.locator("[data-unshare]").click()
    expect(coach.page.get_by_role("alert")).to_contain_text("没有手牌可看")
    expect(theirs).to_have_count(0)
    assert [*host.wrongs, *coach.wrongs] == []


def test_what_is_for_the_thumb_is_under_the_left_one_where_it_is_wanted(
    window: Callable[..., Page], house: Server
) -> None:
    for left in (True, False):
        page = window(360, 800)
        page.add_init_script(
            f"localStorage.setItem('qipai.prefs', '{json.dumps({'left_handed': left, 'seen': ['name']})}')"
        )
        host = Guest(page, house, f"左手{left}")
        begun(host, "gouji")
        expect(page.locator(".acts [data-act=play]")).to_be_visible()
        boxes = {one["act"]: one for one in page.evaluate(BOXES)}
        play = boxes["play"]
        assert (play["x"] + play["width"] / 2 < 180) == left
        assert all(one["height"] >= 44 for one in boxes.values())
        own = box_of(page.locator(".at.self .plate"))
        ordered = sorted(boxes.values(), key=lambda one: float(one["x"]))
        for one, other in pairwise(ordered):
            assert one["x"] + one["width"] <= other["x"]
        assert all(one["y"] >= own["y"] + own["height"] for one in boxes.values())
