"""Two people play by days in real browsers: asked on a sheet, moved at leisure, and live when both look (P-24, P-5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.guest import Guest, open_house
from tests.e2e.xiangqi import Player


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall where nobody pays for coming from one house."""
    with open_house(tmp_path_factory.mktemp("house")) as server:
        yield server


def tapped(page: Page, move: str, *, touch: bool = False) -> None:
    """Two taps; where the page goes then is what a test looks at."""
    player = Player(page, touch=touch)
    player.tap(move[:2])
    expect(page.locator(".xq .selected")).to_be_visible()
    player.tap(move[2:])


def test_two_people_play_by_days(window: Callable[..., Page], house: Server, shots: Path) -> None:
    ann = Guest(window(), house, "听雨楼")
    bob = Guest(window(320, 640, locale="en", color_scheme="dark"), house, "看云亭")
    bob.see("/invites")
    ann.see(f"/new?to={bob.id}&game=xiangqi")
    ann.page.locator("input[name=clock][value=days]").check()
    ann.page.locator("[data-days]").fill("2")
    ann.page.locator("[data-colour]").select_option("mine")
    expect(ann.page.locator("[data-sum]")).to_contain_text("每步 2 天")
    ann.page.screenshot(path=shots / "days-new.png", full_page=True)
    ann.page.locator("[data-go]").click()
    expect(ann.page.locator("[data-withdraw]")).to_be_visible()
    bob.page.locator("[data-accept]").click()
    expect(bob.page).to_have_url(re.compile(r"/tables/\d+$"))
    one = int(bob.page.url.rpartition("/")[2])
    clock = {"type": "days", "days": 3}
    asked = ann.call("/invites", {"game": "xiangqi", "to": bob.id, "colour": "mine", "clock": clock})
    two = bob.call(f"/invites/{asked['id']}/accept", {})["table"]

    # What home lists: my turn first, the one with the least time before the other; and a number in the menu.
    ann.see("/")
    mine = ann.page.locator("[data-part=mine] + ul > li")
    expect(mine).to_have_count(2)
    expect(mine.first).to_have_attribute("data-table", str(one))
    expect(ann.page.locator("nav [data-turns='2']").first).to_be_visible()
    ann.page.screenshot(path=shots / "days-home.png")
    ann.see("/settings/play")
    ann.page.get_by_text("下一局", exact=True).click()
    expect(ann.page.get_by_role("radio", name="下一局")).to_be_checked()
    ann.page.screenshot(path=shots / "days-settings.png", full_page=True)

    # Both look: that is shown, and bob, who stays, sees the move without asking. Ann goes on to her next game.
    ann.see(f"/tables/{one}")
    for person in (ann, bob):
        expect(person.page.locator("[data-live-now]").first).to_be_visible()
    bob.page.screenshot(path=shots / "days-table-320.png")
    ann.page.screenshot(path=shots / "days-table.png")
    tapped(ann.page, "h2e2")
    expect(ann.page).to_have_url(re.compile(rf"/tables/{two}$"))
    expect(bob.page.locator(".stage[data-plies='1']")).to_be_visible()
    expect(bob.page.locator("[data-live-now]")).to_have_count(0)
    expect(ann.page.locator(".stage[data-plies='0']")).to_be_visible()
    tapped(ann.page, "b2e2")
    expect(ann.page).to_have_url(re.compile(rf"{re.escape(house.url)}/$"))  # nothing more is asked of her
    expect(ann.page.locator("[data-part=waiting] + ul > li")).to_have_count(2)
    expect(ann.page.locator("[data-part=mine]")).to_have_count(0)

    # Bob answers and stays; Ann's home tells of it by itself.
    bob.see(f"/tables/{one}")  # no note lies over his board now
    expect(bob.page.locator(".stage[data-plies='1']")).to_be_visible()
    tapped(bob.page, "h9g7", touch=True)
    expect(bob.page.locator(".stage[data-plies='2']")).to_be_visible()
    assert bob.page.url.endswith(f"/tables/{one}")
    expect(mine).to_have_count(1)
    expect(mine.first).to_have_attribute("data-table", str(one))
    bob.see("/")
    expect(bob.page.locator("[data-part=mine] + ul > li")).to_have_count(1)
    expect(bob.page.locator("[data-part=waiting] + ul > li")).to_have_count(1)
    bob.page.screenshot(path=shots / "days-home-320.png")

    # Closing the page is nothing; and who is here can be asked to play on at once.
    bob.see("/online/opponents")
    expect(bob.page.locator("[data-opponent] [data-call]")).to_have_count(2)  # of each game that runs
    expect(bob.page.locator("[data-opponent]")).to_contain_text("your turn")
    bob.page.locator("[data-call]").first.click()
    expect(bob.page).to_have_url(re.compile(r"/tables/\d+$"))
    called = ann.page.get_by_text("看云亭 想现在接着下").first
    expect(called).to_be_visible()
    ann.page.screenshot(path=shots / "days-called.png")
    called.locator("..").get_by_role("button", name="回到牌桌").click()
    expect(ann.page.locator("[data-live-now]").first).to_be_visible()
    for person in (ann, bob):
        person.healthy()


def test_a_table_of_one_s_own_waits_for_somebody(window: Callable[..., Page], house: Server, shots: Path) -> None:
    ann = Guest(window(390, 844), house, "卧云轩")
    bob = Guest(window(), house, "钓雪翁")
    table = ann.call("/tables", {"game": "xiangqi"})["table"]
    ann.see(f"/tables/{table}?sit=0")
    talk = ann.page.locator(".talk")
    talk.locator("[aria-expanded]").click()
    talk.locator("[data-days]").fill("5")
    talk.locator("[data-propose-days]").click()
    expect(talk.locator(".now")).to_have_text("每步 5 天")
    ann.page.screenshot(path=shots / "days-lounge.png")
    ann.page.locator("[data-stand]").click()  # nobody has to wait
    expect(ann.page.locator("[data-stand]")).to_have_count(0)
    ann.page.locator("[data-sit='0']").click()
    ann.page.locator("[data-ready]").click()
    ann.page.locator("[data-leave]").click()  # and who waits need not be there
    expect(ann.page).not_to_have_url(re.compile(r"/tables/"))
    ann.see("/")
    expect(ann.page.locator(f"[data-table='{table}']")).to_contain_text("等对手")
    bob.see(f"/tables/{table}")
    bob.page.locator("[data-sit='1']").click()
    bob.page.locator("[data-ready]").click()
    expect(bob.page.locator(".stage[data-plies='0']")).to_be_visible()
    expect(ann.page.locator(f"[data-part=mine] + ul [data-table='{table}']")).to_be_visible()
    for person in (ann, bob):
        person.healthy()
