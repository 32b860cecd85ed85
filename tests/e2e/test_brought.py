"""Games out of files of other programs, brought and looked at in a browser (decision 0041)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server

PGN = (
    '[Game "Chinese Chess"]\n[Event "五羊杯"]\n[Red "胡荣华"]\n[Black "柳大华"]\n[Result "1-0"]\n\n'
    "1. 炮二平五 {中炮局} 马８进７ (1... 炮８平５ 2. 马二进三)\n2. MOVE 车９平８ 1-0\n"
)
MAT = """\
 1 point match

 Game 1
 Lin : 0                       Yuan : 0
  1) 31: 8/5 6/5                  64: 24/14
"""
SIZES = [(1280, 800), (390, 844)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_file_is_brought_and_replayed(hall: Server, window: Callable[..., Page], width: int, height: int) -> None:
    page = window(width, height)
    page.goto(f"{hall.url}/brought")
    text = "\n".join(PGN.replace("MOVE", move) for move in ("马二进三", "马二进九"))
    page.locator("[data-file]").set_input_files(
        {"name": "wuyang.pgn", "mimeType": "application/octet-stream", "buffer": text.encode("gb18030")}
    )
    expect(page.locator("[data-found]")).to_contain_text("读进 1 局")
    expect(page.locator("[data-lost]")).to_contain_text("第 17 行，第 3 着，“马二进九”：没有这样一着")
    row = page.locator("[data-brought]")
    expect(row).to_contain_text("胡荣华 – 柳大华")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    row.click()
    beside = page.locator("[data-beside]:visible")
    expect(beside).to_contain_text("五羊杯")
    expect(page.get_by_text("胡荣华").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(beside).to_contain_text("中炮局")
    expect(beside).to_contain_text("变着： 炮8平5")
    page.keyboard.press("End")
    expect(page.locator("html:not([data-missing])")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_text_is_pasted_and_a_game_thrown_away(hall: Server, window: Callable[..., Page]) -> None:
    page = window(1280, 800, locale="en-GB")
    page.goto(f"{hall.url}/brought")
    page.locator("[data-paste]").fill("what is this")
    page.locator("[data-bring]").click()
    expect(page.get_by_role("alert")).to_contain_text("no game of this hall knows such a file")
    page.locator("[data-paste]").fill(MAT)
    page.locator("[data-bring]").click()
    expect(page.locator("[data-found]")).to_contain_text("(Backgammon): 1 game kept")
    page.locator("[data-brought]").click()
    expect(page.locator("[data-beside]:visible")).to_contain_text("0–0")
    page.keyboard.press("End")
    page.go_back()
    page.locator("[data-drop]").click()
    expect(page.locator("[data-brought]")).to_have_count(0)
