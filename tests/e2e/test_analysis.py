"""A finished game gone through in a browser: the graph, the better line, luck and skill (platform P-103)."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.fitting import DESK, PHONE, fits
from tests.e2e.guest import Guest, open_house

# The chariot goes before a soldier.
PGN = (
    '[Game "Chinese Chess"]\n[Red "胡荣华"]\n[Black "柳大华"]\n[Result "0-1"]\n\n'
    "1. 炮二平五 马８进７ 2. 马二进三 车９平８ 3. 车一平二 马２进３ 4. 车二进五 士４进５ 5. 车二平七 卒３进１ 0-1\n"
)
LONG_MS = 240_000  # kernels that nobody has compiled are interpreted


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with open_house(tmp_path_factory.mktemp("analysis")) as server:
        yield server


def finished(house: Server, name: str, game: str) -> str:
    words = [sys.executable, "-m", "tests.e2e.finished", house.url, name, game]
    done = subprocess.run(words, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    return done.stdout.strip()


def test_a_hanging_chariot_stands_in_the_graph_and_the_better_line_on_the_board(
    window: Callable[..., Page], house: Server
) -> None:
    lin = Guest(window(*DESK), house, "林间")
    lin.see("/brought")
    page = lin.page
    page.locator("[data-paste]").fill(PGN)
    page.locator("[data-bring]").click()
    page.locator("[data-brought]").first.click()
    page.locator("[data-analyse]").click()
    expect(page.locator("[data-analysis='qipai']")).to_be_visible(timeout=LONG_MS)
    graph = page.locator("[data-graph]")
    # By the arrows: down to the next mistake, which is the chariot.
    graph.focus()
    page.keyboard.press("Home")
    for _ in range(9):
        if "车二平七" not in (graph.get_attribute("aria-valuetext") or ""):
            page.keyboard.press("ArrowDown")
    expect(graph).to_have_attribute("aria-valuetext", re.compile("漏着"))
    expect(page.locator("[data-verdict]")).to_contain_text("更好的是")
    expect(page.locator("[data-marked='9']")).to_have_text("??")
    assert page.url.endswith("#9")
    expect(page.locator("[data-plies='9']")).to_be_visible()
    page.locator("[data-show-line]").click()
    expect(page.locator("[data-back-to-record]")).to_be_visible()
    expect(page.locator("[data-marked]")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-plies='10']")).to_be_visible()
    page.locator("[data-back-to-record]").click()
    expect(page.locator("[data-plies='9']")).to_be_visible()
    expect(page.locator("[data-verdict]")).to_be_visible()
    # Somebody else finds it done, on a phone.
    other = Guest(window(*PHONE), house, "海风")
    other.page.goto(page.url)
    other.page.locator("[data-aside]").click()
    expect(other.page.locator("[data-worst='9']")).to_be_visible()
    expect(other.page.locator("[data-verdict]")).to_be_visible()
    # In a wide window the drawer lies over the list beside the board.
    fits(other.page, "[role=dialog] [data-worst]", "[data-worst], [data-show-line]")
    fits(lin.page, "[data-worst]", "[data-worst], [data-show-line]")
    # Whoever chooses a moment sees the board and the word on it together, on a phone on its side too.
    other.page.locator("[role=dialog] [data-worst='9']").click()
    expect(other.page.locator("[role=dialog]")).to_have_count(0)
    for turned in (PHONE, PHONE[::-1]):
        other.page.set_viewport_size({"width": turned[0], "height": turned[1]})
        word, board = other.page.locator("[data-word]"), other.page.locator("[data-plies='9']")
        expect(word).to_contain_text("更好的是")
        expect(word).to_be_in_viewport(ratio=1)
        expect(board).to_be_in_viewport(ratio=1)
    other.page.locator("[data-word] [data-show-line]").click()
    other.page.locator("[data-word] [data-back-to-record]").click()
    expect(word).to_contain_text("更好的是")
    for person in (lin, other):
        assert not person.wrongs


def test_luck_and_skill_of_a_hand_of_mahjong(window: Callable[..., Page], house: Server) -> None:
    game = finished(house, "竹林", "mahjong")
    one = Guest(window(*DESK), house, "竹林", known=True)
    one.see(f"/users/{one.id}/skill")
    page = one.page
    page.locator("[data-analyse-last]").click()
    expect(page.locator("[data-analyse-last]")).to_be_disabled()
    one.see(f"/g/{game}")
    expect(page.locator("[data-analysis='qipai']")).to_be_visible(timeout=LONG_MS)
    expect(page.locator("[data-sheet] tbody tr")).to_have_count(4)
    page.locator("[data-worst]").first.click()
    expect(page.locator("[data-verdict] .tried li").first).to_contain_text("±")
    # Why did a bot do so? The answer names its level, and says what was looked into.
    why = page.locator("[data-why]")
    for _ in range(40):
        if why.count():
            break
        page.keyboard.press("ArrowRight")
    why.click()
    expect(page.locator("[data-reasons] li").first).to_contain_text("入门")
    expect(page.locator("[data-reasons]")).to_contain_text(re.compile("设想了|没有比较|没得选"))
    one.see(f"/users/{one.id}/skill")
    expect(page.locator("[data-month$='mahjong'] [data-skill]")).to_contain_text("±")
    fits(page, ".months section", "[data-analyse-last], .deals a")
    assert not one.wrongs
