"""Looking on at a table of hidden hands under each policy, and the talk of those who do (platform P-19, P-88)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect
from tests.client import Server
from tests.e2e.cards import play_out
from tests.e2e.guest import Guest, open_house
from tests.e2e.person import BARE
from tests.e2e.test_baohuang import Sitter

MODES = {
    "public_only": "旁观 · 只看公开的",
    "delayed": "旁观 · 延迟 1 秒",
    "after_hand": "旁观 · 打完再看手牌",
    "open": "旁观 · 全部公开",
}
OWN = "".join(
    f"""
[[rooms.own]]
kind = "friendly"
key = "{mode}"
name = {{ zh-CN = "{mode}", en = "{mode}" }}
games = ["baohuang"]
watch = {{ mode = "{mode}", delay_s = {1 if mode == "delayed" else 180} }}
"""
    for mode in MODES
)
SEATS = 5


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall with a room for each policy."""
    with open_house(tmp_path_factory.mktemp("house"), OWN) as server:
        yield server


def room(page: Page, mode: str) -> int:
    rows = page.evaluate("fetch('/api/v1/rooms?game=baohuang').then((answer) => answer.json())")["rows"]
    return next(int(row["room"]) for row in rows if row["name"]["en"] == mode)


def begun(host: Sitter, house: Server, table: int) -> None:
    """Let somebody sit down with four bots, and the game begin."""
    page = host.page
    page.goto(f"{house.url}/tables/{table}")
    page.locator("[data-sit]").first.click()
    page.locator("[data-fill]").click()
    page.locator("[data-ready]").click()
    expect(page.locator("[data-hand] [data-card]").first).to_be_visible()


def hands(page: Page) -> Locator:
    """The hands that a watcher's sidebar shows."""
    return page.locator("[data-late] [data-hand]")


def says(page: Page, text: str) -> None:
    page.locator("[data-page=chat]").click()
    page.get_by_placeholder("说点什么").fill(text)
    page.keyboard.press("Enter")
    expect(spoken(page, text)).to_be_visible()


def spoken(page: Page, text: str) -> Locator:
    """A line in the log of the talk."""
    return page.locator(".chat .log").get_by_text(text)


def pointless(line: WebSocketRoute) -> None:
    """A line whose results are without points."""
    hall = line.connect_to_server()

    def heard(text: str | bytes) -> None:
        told = json.loads(text)
        for one in (told, told.get("set") or {}):
            if result := one.get("result"):
                result["points"] = [0] * len(result["points"])
        line.send(json.dumps(told))

    hall.on_message(heard)


@pytest.mark.parametrize("mode", MODES)
def test_a_watcher_sees_what_the_room_lets_him_see(
    window: Callable[..., Page], house: Server, shots: Path, mode: str
) -> None:
    host = Sitter(window()).guest(house)
    watcher = Guest(window(), house, f"看客{list(MODES).index(mode)}")
    table = room(host.page, mode) * 100 + 1
    watcher.see(f"/rooms/{table // 100}")
    host.page.goto(f"{house.url}{BARE}")
    begun(host, house, table)
    # From the map to the table.
    watcher.page.locator(f"[data-table='{table}']").get_by_role("link").click()
    watcher.page.locator(".drawer").get_by_role("link", name="旁观").click()
    expect(watcher.page.locator(".watching")).to_contain_text(MODES[mode])
    if mode in ("delayed", "open"):
        expect(hands(watcher.page)).to_have_count(SEATS)
        expect(hands(watcher.page).first.locator("td.n").first).to_be_visible()
    else:
        expect(hands(watcher.page)).to_have_count(0)
    assert watcher.page.locator("[data-hand] [data-card]").count() == 0  # no hand of his own
    watcher.page.screenshot(path=shots / f"watching-{mode}.png")
    if mode != "after_hand":  # what the end shows under the others: tests/hall/test_watching.py
        watcher.healthy()
        return

    # Players do not hear what watchers say before the end; watchers hear the players.
    says(watcher.page, "这手牌真好")
    watcher.page.get_by_role("tab", name="牌桌").click()
    says(host.page, "请多关照")
    expect(spoken(watcher.page, "请多关照")).to_be_visible()
    expect(host.page.get_by_text("这手牌真好")).to_have_count(0)
    host.page.locator("[data-page=game]").click()
    watcher.page.locator("[data-page=game]").click()
    host.page.locator("#cloth").focus()
    host.patience = 0
    play_out(host)
    expect(watcher.page.locator(".result")).to_be_visible()
    expect(hands(watcher.page)).to_have_count(SEATS)
    watcher.page.screenshot(path=shots / "watching-end.png")
    host.page.keyboard.press("Escape")
    host.page.locator("[data-page=chat]").click()
    host.page.get_by_role("tab", name="旁观").click()
    expect(spoken(host.page, "这手牌真好")).to_be_visible()

    # Where nobody has a point, nobody has won, whoever was out first.
    watcher.page.route_web_socket(re.compile(r"/ws$"), pointless)
    watcher.see(f"/tables/{table}")
    expect(watcher.page.locator(".result h1")).to_have_text(re.compile(r"^\s*平"))
    watcher.healthy()


def test_who_may_not_look_on_reads_so(window: Callable[..., Page], house: Server) -> None:
    host = Sitter(window()).guest(house)
    early, late = Guest(window(), house, "早看客"), Guest(window(), house, "晚看客")
    table = room(host.page, "open") * 100 + 2
    page = host.page
    page.goto(f"{house.url}/tables/{table}")
    page.locator("[data-sit]").first.click()
    page.get_by_role("button", name="改规则").click()
    page.get_by_role("switch", name="可以旁观").click()
    page.keyboard.press("Escape")
    early.see(f"/tables/{table}")  # a seat is free: he may come to take it
    expect(early.page.locator(".lounge")).to_contain_text("不许旁观")
    page.locator("[data-fill]").click()
    page.locator("[data-ready]").click()
    expect(page.locator("[data-hand] [data-card]").first).to_be_visible()
    late.see(f"/tables/{table}")
    for person in (early, late):
        expect(person.page.locator(".why")).to_contain_text("这一桌不让人看")
        expect(person.page.locator(".plate")).to_have_count(0)
        person.healthy()
