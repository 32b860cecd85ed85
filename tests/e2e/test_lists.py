"""The hall's lists in real browsers: card tables at work, winners and the calendar."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.guest import Guest, open_house

PHONE, DESK = (390, 844), (1280, 800)
AWAY = """
[[calendar.maintenance]]
from = 2970-01-01T00:00:00+08:00
until = 2970-01-01T02:00:00+08:00
words = { zh-CN = "换一块硬盘" }
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with open_house(tmp_path_factory.mktemp("lists"), AWAY) as server:
        yield server


def test_one_sits_down_at_a_card_table_by_one_click_and_others_see_it(
    window: Callable[..., Page], house: Server
) -> None:
    one, other = Guest(window(*PHONE), house, "青屿"), Guest(window(*DESK), house, "海潮生")
    for person in (one, other):
        person.see("/cards")
        expect(person.page.locator("[data-none]")).to_contain_text("无")
    # Nobody plays: one opens a table, and the other sees it without asking.
    one.page.locator(".open select").select_option("doudizhu")
    one.page.locator("[data-open]").click()
    expect(one.page).to_have_url(re.compile("/tables/"))
    row = other.page.locator("[data-card-table]")
    expect(row).to_contain_text("斗地主")
    expect(row.locator(".empty")).to_have_count(2)
    other.page.locator("select[data-game]").select_option("gouji")
    expect(row).to_have_count(0)
    expect(other.page.locator("[data-none]")).to_be_visible()
    other.page.locator("select[data-game]").select_option("")
    other.page.locator("[data-free]").click()
    # One click sits down, and who follows the list has it at once.
    row.locator("[data-sit]").click()
    expect(other.page).to_have_url(re.compile("/tables/"))
    one.see("/cards?free")
    expect(one.page.locator("[data-card-table] .empty")).to_have_count(1)
    expect(one.page.locator("[data-card-table] [data-back]")).to_be_visible()
    for person in (one, other):
        person.healthy()


def test_winners_and_what_is_coming_are_told_with_their_times(window: Callable[..., Page], house: Server) -> None:
    one, other = Guest(window(*DESK), house, "红隼"), Guest(window(*PHONE), house, "苍鹰")
    one.see("/winners")
    expect(one.page.locator("main")).to_contain_text("还没有人得胜")
    one.see("/")
    expect(one.page.locator("[data-tonight]")).to_have_count(0)
    clock = {"type": "days", "days": 3}
    form = {"format": "knockout", "terms": {"game": "xiangqi", "clock": clock, "rated": False}, "min_players": 2}
    cup = one.call("/tournaments", {"form": {**form, "name": "秋季杯", "max_players": 2, "start": "full"}})
    for person in (one, other):
        person.call(f"/tournaments/{cup['number']}/enter", {})
    other.call(f"/tournaments/{cup['number']}/withdraw", {})
    one.see("/winners?kind=tournament")
    expect(one.page.locator("[data-winner]")).to_contain_text("红隼")
    one.page.locator("[data-kind='pond']").click()
    expect(one.page.locator("[data-winner]")).to_have_count(0)
    # Where a filter leaves nothing, one click shows all of it.
    one.page.locator("[data-nothing] [data-all]").click()
    expect(one.page.locator("[data-winner]")).to_contain_text("红隼")
    one.see("/tournaments?game=gouji")
    one.page.locator("[data-nothing] [data-all]").click()
    expect(one.page.locator(f"[data-tournament='{cup['number']}']")).to_be_visible()
    # What begins soon is in the calendar, and where that is today, in the lobby.
    start = one.page.evaluate("Date.now()") + 600_000
    one.call("/tournaments", {"form": {**form, "name": "晚场", "max_players": 8, "start": start}})
    one.see("/calendar")
    first = one.page.locator("[data-coming='tournament']")
    expect(first).to_contain_text("晚场")
    as_read = "(at) => new Intl.DateTimeFormat('zh-CN', {hour: '2-digit', minute: '2-digit'}).format(at)"
    told = one.page.evaluate(as_read, start)
    expect(first.locator("time")).to_have_text(told)
    expect(one.page.locator("[data-coming='maintenance']")).to_contain_text("换一块硬盘")
    one.see("/")
    today = one.page.evaluate("(at) => new Date(at).toDateString() === new Date().toDateString()", start)
    line = one.page.locator("[data-tonight]")
    expect(line).to_contain_text("晚场") if today else expect(line).to_have_count(0)
    for person in (one, other):
        person.healthy()
