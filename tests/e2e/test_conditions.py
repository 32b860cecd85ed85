"""Who may come in and sit down, at two browsers: it is said before one tries, refused with the number, or met."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.client import Server
from tests.e2e.guest import KEEPER, Guest, open_house, opens

# What a room asks: its kind, its terms, the chip that says so on the list, the cell in the room; and the sentence that
# keeps out the loser of the one game that was played, or its winner.
LOSER, WINNER = 1, 0
ASKS = {
    "score": ("score", "min_score = 1", "积分 1 以上", "1", LOSER, "这里要 1 分，你有 -2 分"),
    "novice": ("score", "max_score = -1", "积分 -1 以下", "-1", WINNER, "这里最多 -1 分，你有 2 分"),
    "grade": ("score", "min_grade = 1", "1 级（护院）以上", "护院（1 级）", LOSER, "这里要 1 级，你是 0 级"),
    "trust": ("score", "min_credibility = 96", "信誉 96 以上", "96", LOSER, "这里要 96，你有 95"),
    "rating": ("score", "min_rating = 1550", "等级分 1550 以上", "1,550", LOSER, "这里要 1550，你是 1"),
    "rich": ("coin", "min_coins = 300", "金币 300 枚以上", "300", LOSER, "这里要有 300 枚或更多，你有 200 枚"),
}
OWN = "".join(
    f"""
[[rooms.own]]
kind = "{kind}"
key = "{key}"
name = {{ zh-CN = "{key}", en = "{key}" }}
games = ["xiangqi"]
terms = {{ {terms} }}
tables = 2
"""
    for key, (kind, terms, *_rest) in ASKS.items()
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall with rooms that ask for something."""
    with open_house(tmp_path_factory.mktemp("house"), OWN) as server:
        yield server


def sits(person: Guest, table: int) -> None:
    person.see(f"/tables/{table}")
    person.page.locator("[data-sit]").first.click()
    expect(person.page.locator("[data-ready]")).to_be_visible()


def on_the_map(person: Guest, table: int) -> Locator:
    person.see(f"/rooms/{table // 100}")
    return person.page.locator(f"[data-table='{table}']")


def test_rooms_say_whom_they_want_and_keep_out_the_others(
    window: Callable[..., Page], house: Server, shots: Path
) -> None:
    both = winner, loser = Guest(window(), house, "望江楼"), Guest(window(), house, "听雨轩")
    keeper = Guest(window(), house, KEEPER, known=True)
    keeper.call("/admin/grants", {"user": winner.id, "amount": 100, "note": "for the walk"})
    table = winner.room("score") * 100 + 1
    for person in both:
        sits(person, table)
    for person in both:
        person.page.locator("[data-ready]").click()
    expect(winner.page.locator(".stage[data-fen]")).to_be_visible()
    opens(both)
    loser.page.locator("[data-leave]").click()  # left, not lost: it costs credibility as well
    loser.page.locator("dialog .danger").click()
    expect(winner.page.locator(".result")).to_be_visible()

    for key, (kind, _terms, chip, cell, out, sentence) in ASKS.items():
        room = winner.room(kind, key)
        for person in both:
            person.see("/rooms")
            row = person.page.locator("li.sheet", has_text=key)
            expect(row.locator("[data-asks]")).to_have_text([chip])
            person.see(f"/rooms/{room}")
            expect(person.page.locator("dd", has_text=re.compile(f"^{re.escape(cell)}$")).first).to_be_visible()
        shut, inside = both[out], both[1 - out]
        expect(shut.page.locator("[data-shut]")).to_contain_text(sentence)
        expect(inside.page.locator("[data-quick]")).to_be_enabled()
        shut.page.screenshot(path=shots / f"condition-{key}.png")
        # The same by the straight way to the table.
        shut.see(f"/tables/{room}01")
        shut.page.locator("[data-sit]").first.click()
        expect(shut.page.locator(".toast")).to_contain_text(sentence)
        sits(inside, room * 100 + 1)
    for person in both:
        person.healthy()


def test_a_table_says_whom_its_owner_wants(window: Callable[..., Page], house: Server, shots: Path) -> None:
    owner, other = Guest(window(), house, "采菊人"), Guest(window(), house, "种豆人")
    table = owner.room("friendly") * 100 + 1
    sits(owner, table)
    owner.page.get_by_role("button", name="改规则").click()
    cell = on_the_map(other, table)
    lock = cell.locator("[data-lock]")
    expect(cell).to_be_visible()
    expect(lock).to_have_count(0)

    def refused(words: str, sentence: str) -> None:
        """What it asks stands on the map; who is not so is refused by it."""
        expect(cell.locator(".cap")).to_have_text(words)
        expect(lock).to_be_visible()
        cell.locator("[data-seat]").first.click()
        expect(other.page.locator(".toast").last).to_contain_text(sentence)
        other.page.locator(".toast .x").last.click()

    for term, value, words, sentence in (
        ("min_score", "7", "积分 7 以上", "这里要 7 分，你有 0 分"),
        ("min_win_rate", "60", "胜率 60 % 以上", "这一桌要 60 %，你有 0 %"),
    ):
        field = owner.page.locator(f"[data-term='{term}']")
        field.fill(value)
        field.press("Enter")
        refused(words, sentence)
        other.page.screenshot(path=shots / f"condition-{term}.png")
        field.fill("")
        field.press("Enter")
        expect(lock).to_have_count(0)

    friends = owner.page.get_by_role("switch", name="只让好友坐")
    friends.click()
    refused("只让好友坐", "要和桌主互为好友")
    for one, two in ((owner, other), (other, owner)):
        one.call("/friends", {"user": two.id})
    cell.locator("[data-seat]").first.click()
    expect(other.page.locator("[data-ready]")).to_be_visible()
    other.page.locator("[data-leave]").click()
    friends.click()

    # A password: the table asks for it. No watchers: the map offers no watching.
    on_the_map(other, table)
    owner.page.get_by_role("switch", name="可以旁观").click()
    expect(cell.locator(".cap")).to_have_text("不许旁观")
    expect(lock).to_have_count(0)  # everybody may sit
    cell.get_by_role("link").click()
    expect(other.page.locator(".drawer")).to_contain_text("不许旁观")
    expect(other.page.locator(".drawer").get_by_role("link", name="旁观")).to_have_count(0)
    other.page.keyboard.press("Escape")
    owner.page.locator("[data-term='password']").fill("芝麻")
    owner.page.get_by_role("button", name="设上").click()
    expect(cell.locator(".cap")).to_have_text("要口令；不许旁观")
    cell.locator("[data-seat]").first.click()
    other.page.locator("[data-password]").fill("芝麻")
    other.page.keyboard.press("Enter")
    other.page.locator("[data-sit]").first.click()
    expect(other.page.locator("[data-ready]")).to_be_visible()
    other.page.locator("[data-leave]").click()
    owner.page.get_by_role("button", name="取消").click()
    owner.page.get_by_role("switch", name="可以旁观").click()

    # Met: he has what is asked.
    on_the_map(other, table)
    field = owner.page.locator("[data-term='min_credibility']")
    field.fill("100")
    field.press("Enter")
    expect(cell.locator(".cap")).to_have_text("信誉 100 以上")
    cell.locator("[data-seat]").first.click()
    expect(other.page.locator("[data-ready]")).to_be_visible()
    for person in (owner, other):
        person.healthy()


def test_a_private_table_is_for_whom_the_link_has_reached(window: Callable[..., Page], house: Server) -> None:
    owner, other = Guest(window(), house, "守门人"), Guest(window(), house, "问路人")
    made = owner.call("/tables", {"game": "xiangqi", "private": True})
    table, key = made["table"], made["key"]
    other.see(f"/rooms/{owner.room('friendly')}")
    expect(other.page.locator(f"[data-table='{table}']")).to_have_count(0)
    other.see(f"/tables/{table}")
    expect(other.page.locator(".why")).to_contain_text("要有桌主给的链接才能进来")
    other.page.goto(f"{house.url}/tables/{table}?key={key}")
    other.page.locator("[data-sit]").first.click()
    expect(other.page.locator("[data-ready]")).to_be_visible()
    other.healthy()
