"""Rooms that count, at two browsers: a pass is climbed, a coin room lets go who is out of coins, a song is heard."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.guest import KEEPER, Guest, open_house, opens

# Notes every string that is plucked in the page: its pitch in hertz. Nothing else sounds like it but a row of links.
EAR = """
window.heard = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  if (this.type === "triangle") window.heard.push(Math.round(this.frequency.value));
  return start.apply(this, when);
};
"""
ODE_TO_JOY = [370, 370, 392, 440, 440, 392, 370, 330, 294, 294, 330, 370]  # D major: F sharp, F sharp, G, A, A, G …


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall with an administrator, where people of one house may play for passes and coins."""
    with open_house(tmp_path_factory.mktemp("house")) as server:
        yield server


def listening(page: Page) -> Page:
    page.add_init_script(EAR)
    return page


def hears(person: Guest, tones: Sequence[int]) -> None:
    """Wait until these tones were heard one after another."""
    person.page.wait_for_function(
        "(tones) => (' ' + window.heard.join(' ') + ' ').includes(' ' + tones.join(' ') + ' ')", arg=list(tones)
    )


def sits(person: Guest, zone: int) -> None:
    """Sit down at the best table of a zone."""
    person.page.locator(f"[data-zone='{zone}'] .btn.primary").click()
    expect(person.page.locator("[data-ready]")).to_be_visible()


def gives_up(person: Guest) -> None:
    expect(person.page.locator(".stage[data-fen]")).to_be_visible()
    person.page.locator("[data-resign]").click()
    person.page.locator("dialog .danger").click()


def again(people: Sequence[Guest]) -> None:
    for person in people:
        person.page.locator("[data-again]").click()
    for person in people:
        expect(person.page.locator(".result")).to_have_count(0)


def test_two_play_until_one_climbs_a_pass(window: Callable[..., Page], house: Server, shots: Path) -> None:
    one = Guest(window(), house, "海潮生")
    two = Guest(window(), house, "松间照")
    both = (one, two)
    room = one.room("pass")

    # The lowest zone is theirs, and the next is not yet.
    for person in both:
        person.see(f"/rooms/{room}")
        expect(person.page.locator("[data-zone='1']")).to_have_class(re.compile("mine"))
        expect(person.page.locator("[data-pass='1'][data-points='0']")).to_be_visible()
    one.page.locator("[data-zone='2'] button", has_text="为什么").first.click()
    expect(one.page.locator(".climb .why")).to_contain_text("第 2 关")
    one.page.screenshot(path=shots / "place-pass-refused.png")
    one.page.locator(".toast .x").click()

    # Six wins, and the one is at the second pass.
    for person in both:
        sits(person, 1)
    for person in both:
        person.page.locator("[data-ready]").click()
    for win in range(1, 7):
        opens(both)
        gives_up(two)
        for person, points in ((one, f"+{win}"), (two, f"−{win}")):
            if win < 6 or person is two:
                change = points[0] + "1"
                expect(person.page.locator(".result")).to_contain_text(f"第 1 关，关积分 {change}，现在 {points}")
        if win < 6:
            again(both)
    expect(one.page.locator(".result")).to_contain_text("第 2 关")
    one.page.screenshot(path=shots / "place-pass-climbed.png")
    for person in both:
        person.page.locator(".result").get_by_role("button", name="离桌").click()
        person.see(f"/rooms/{room}")
    expect(one.page.locator("[data-zone='2']")).to_have_class(re.compile("mine"))
    expect(two.page.locator("[data-zone='1']")).to_have_class(re.compile("mine"))
    sits(one, 2)
    one.see(f"/users/{one.id}")
    expect(one.page.locator("[data-pass='xiangqi']")).to_contain_text("2")
    two.see("/rankings/xiangqi?by=pass")
    expect(two.page.locator("tbody tr").first).to_contain_text("海潮生")
    expect(two.page.locator("tr.me")).to_contain_text("松间照")
    for person in both:
        person.healthy()


def test_who_is_out_of_coins_falls_out_of_the_coin_room_and_finds_back(
    window: Callable[..., Page], house: Server, shots: Path
) -> None:
    keeper = Guest(window(), house, KEEPER, known=True)
    rich = Guest(window(), house, "石头记")
    poor = Guest(window(), house, "浪里白")
    both = (rich, poor)
    keeper.call("/admin/grants", {"user": poor.id, "amount": -190, "note": "for the walk"})
    room = poor.room("coin")
    for person in both:
        person.see(f"/rooms/{room}")
    rich.page.locator("[data-quick]").click()
    expect(rich.page.locator("[data-ready]")).to_be_visible()
    poor.page.get_by_role("group", name="1 桌", exact=True).get_by_role("button").click()  # the one free seat there
    expect(poor.page.locator("[data-ready]")).to_be_visible()
    assert rich.page.url == poor.page.url
    for person in both:
        person.page.locator("[data-ready]").click()

    # A game costs 2 points at 5 coins, and 2 for the room: 12, and he has 10. They are gone, and his seat with them.
    opens(both)
    gives_up(poor)
    expect(poor.page.locator(".result")).to_contain_text("−10")
    expect(rich.page.locator(".result")).to_contain_text("+8")
    for place in (".toast", ".result .stood"):
        expect(poor.page.locator(place)).to_contain_text("你有 0 枚")
        expect(rich.page.locator(place)).to_have_count(0)
    poor.page.screenshot(path=shots / "place-coins-gone.png")
    expect(poor.page.locator("[data-again]")).to_have_count(0)
    expect(rich.page.locator("[data-again]")).to_be_visible()
    poor.see(f"/rooms/{room}")
    expect(poor.page.locator("[data-shut='COINS_TOO_FEW']")).to_contain_text("你有 0 枚")
    poor.page.screenshot(path=shots / "place-coins-shut.png")

    # The way back: a code from the shop, and the door opens.
    code = keeper.call("/admin/codes", {"coins": 50, "note": "for the walk"})["code"]
    poor.see("/shop")
    poor.page.get_by_label("兑换码").fill(code)
    poor.page.locator("[data-redeem]").click()
    expect(poor.page.locator("[data-coins]")).to_have_attribute("data-coins", "50")
    poor.see(f"/rooms/{room}")
    poor.page.locator("[data-quick]").click()
    expect(poor.page.locator("[data-again]")).to_be_visible()  # his seat is his again
    for person in both:
        person.healthy()


def test_a_song_is_heard_in_the_room_and_at_its_tables(window: Callable[..., Page], house: Server, shots: Path) -> None:
    singer = Guest(listening(window()), house, "雁来红")
    sitter = Guest(listening(window()), house, "松涛起")
    reader = Guest(listening(window()), house, "静夜思")
    room = singer.room("score")
    reader.see("/settings/sound")
    with reader.page.expect_response("**/api/v1/me/settings"):
        reader.page.get_by_role("switch", name="点歌").click()
    for person in (singer, sitter, reader):
        person.see(f"/rooms/{room}")
    sitter.page.locator("[data-quick]").click()
    expect(sitter.page.locator("[data-ready]")).to_be_visible()

    singer.page.locator("[data-sing]").click()
    singer.page.get_by_text("欢乐颂").click()
    singer.page.get_by_label("几句话").fill("<i>祝好运</i>")
    singer.page.locator("[data-send-song]").click()
    line = "雁来红 点播《欢乐颂》：<i>祝好运</i>"
    expect(sitter.page.get_by_text(line).first).to_be_visible()
    for person in (singer, sitter):
        hears(person, ODE_TO_JOY)
    reader.page.get_by_role("tab", name="聊天").click()
    expect(reader.page.locator("[data-song='ode_to_joy']")).to_contain_text(line)
    assert not set(ODE_TO_JOY) & set(reader.page.evaluate("window.heard"))  # who wants no songs reads, hears nothing
    singer.page.get_by_role("tab", name="聊天").click()
    expect(singer.page.locator("[data-song='ode_to_joy']")).to_contain_text(line)
    singer.page.screenshot(path=shots / "place-song.png")
    singer.see("/ledger")
    expect(singer.page.locator("tr[data-reason='song']")).to_contain_text("欢乐颂")
    expect(singer.page.locator("[data-coins]").first).to_have_attribute("data-coins", "195")
    for person in (singer, sitter):
        person.healthy()
