"""The duplicate of the day, and rooms of shared deals, on a phone: played, compared, closed until then (P-94)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.axe import complaints
from tests.e2e.guest import BEGIN, Guest, open_house

PHONE = (390, 844)
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# A hurried player: a line of their own, and always the first of what may be done, until the game is over.
PLAY = """(table) => new Promise((done) => {
  const line = new WebSocket(location.origin.replace("http", "ws") + "/ws");
  let at = {}, asked = 0, n = 0;
  line.onopen = () => {
    line.send(JSON.stringify({ t: "hello", v: 1 }));
    line.send(JSON.stringify({ t: "join", table }));
  };
  line.onmessage = ({ data }) => {
    const said = JSON.parse(data);
    if (said.t !== "snapshot" && said.t !== "ev") return;
    at = { ...at, ...said };
    if (at.result) { line.close(); done(at.result); return; }
    if (!at.ask || at.ask.id === asked) return;
    asked = at.ask.id;
    const command = { t: "act", table, cid: `quick-${table}-${++n}`, ask: asked, action: at.legal.list[0] };
    line.send(JSON.stringify(command));
  };
})"""
OWN = """
[[rooms.own]]
kind = "friendly"
key = "same"
games = ["doudizhu"]
name = { zh-CN = "同牌斗地主", en = "Same cards" }
duplicate = true
board_tables = 2
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with open_house(tmp_path_factory.mktemp("duplicates"), OWN) as server:
        yield server


def test_the_deal_of_the_day_is_played_once_and_compared(window: Callable[..., Page], house: Server) -> None:
    one, other = Guest(window(*PHONE), house, "青屿"), Guest(window(*PHONE), house, "海潮生")
    one.see("/duplicates")
    assert one.page.evaluate(SIDEWAYS) <= 0
    assert complaints(one.page) == []
    one.page.locator("[data-duplicate='doudizhu']").click()
    page = one.page.url
    expect(one.page.locator("[data-hidden]")).to_contain_text("还没有人打过")
    seal = one.page.locator("[data-proof] .hex").inner_text()
    one.page.locator("[data-play]").click()
    one.page.wait_for_url("**/tables/*")
    table = int(one.page.url.rpartition("/")[2])
    result = one.page.evaluate(PLAY, table)
    assert result["server_seed"] is None
    expect(one.page.locator(".result")).to_be_visible()
    # From the table to the results, which others see when they have played it themselves.
    one.see(page.removeprefix(house.url))
    row = one.page.locator(f"[data-result='{one.id}']")
    expect(row.locator(".points")).to_have_text(f"{result['points'][0]:+d}".replace("-", "\u2212"))
    expect(one.page.locator("[data-play], [data-go-on]")).to_have_count(0)
    assert complaints(one.page) == []
    other.see(page.removeprefix(house.url))
    expect(other.page.locator("[data-hidden]")).to_contain_text("1 人打过")
    expect(other.page.locator("[data-results]")).to_have_count(0)
    other.page.locator("[data-play]").click()
    other.page.wait_for_url("**/tables/*")
    other.page.evaluate(PLAY, int(other.page.url.rpartition("/")[2]))
    other.see(page.removeprefix(house.url))
    expect(other.page.locator("[data-result]")).to_have_count(2)
    assert other.page.evaluate(SIDEWAYS) <= 0
    other.page.set_viewport_size({"width": 320, "height": 640})
    assert other.page.evaluate(SIDEWAYS) <= 0
    # The other's game opens as a replay; its deal is sealed until the day is over.
    other.page.locator(f"[data-replay='{one.id}']").click()
    other.page.wait_for_url("**/g/*")
    other.page.set_viewport_size({"width": 1280, "height": 800})
    other.page.locator("button.fair:visible").first.click()
    expect(other.page.locator("dialog, [role=dialog]").first).to_contain_text(seal)


def test_a_room_compares_what_its_tables_make_of_a_deal(window: Callable[..., Page], house: Server) -> None:
    one, other = Guest(window(*PHONE), house, "听雨"), Guest(window(*PHONE), house, "望岳")
    rows = one.call("/rooms?game=doudizhu")["rows"]
    room = next(row["room"] for row in rows if row["duplicate"])
    one.see(f"/rooms/{room}")
    one.page.locator("[data-boards]").click()
    expect(one.page.locator("[data-none]")).to_be_visible()
    assert complaints(one.page) == []
    game = one.page.evaluate(BEGIN, [room * 100 + 1, 3])
    assert game["board_no"] == 1
    one.see(f"/tables/{room * 100 + 1}")
    one.page.evaluate(PLAY, room * 100 + 1)
    one.page.locator(".result a[href*='/boards/']").click()
    one.page.wait_for_url(f"**/rooms/{room}/boards/1")
    expect(one.page.locator(f"[data-results] .me a[href='/users/{one.id}']")).to_have_text("听雨")
    other.see(f"/rooms/{room}/boards/1")
    expect(other.page.locator("[data-hidden]")).to_be_visible()
    assert other.page.evaluate(BEGIN, [room * 100 + 2, 3])["board"] == game["board"]
    other.see(f"/tables/{room * 100 + 2}")
    other.page.evaluate(PLAY, room * 100 + 2)
    # The second table is the last: the deal is opened, and who has played it is told on whatever page they are.
    expect(one.page.locator("[data-proof]")).to_contain_text("封条")
    other.see(f"/rooms/{room}/boards/1")
    expect(other.page.locator("[data-result]")).to_have_count(2)
    expect(other.page.locator(".chip.jade")).to_have_text("已揭晓")
    other.page.locator(".seats label").nth(1).click()
    expect(other.page.locator("[data-result] .bot")).to_have_count(2)
    assert complaints(other.page) == []
    other.see(f"/rooms/{room}/boards")
    expect(other.page.locator("[data-board='1']")).to_contain_text("我的成绩")
    expect(other.page.locator("[data-mine]")).to_be_visible()
    for width in (390, 320):
        other.page.set_viewport_size({"width": width, "height": 640})
        assert other.page.evaluate(SIDEWAYS) <= 0
