"""A person plays a match of shengji in a real browser, deal after deal, with three bots."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.person import FITS, SIZES, box_of, rests
from tests.e2e.shengji import ShengjiScene, Sitter, play_out, scene, sees_result


@pytest.fixture
def visit(window: Callable[..., Page], hall: Server) -> Callable[[str], Sitter]:
    """Open a browser of its own at the hall, as a guest."""

    def opened(size: str) -> Sitter:
        return Sitter(window(*SIZES[size]), touch=size != "desktop").guest(hall)

    return opened


def levels(page: Page) -> list[str]:
    """Return both sides' levels, ours first, as the sheet's ladder has them."""
    return [one.inner_text() for one in page.locator(".result .ladder .on").all()]


def goes_through_the_deal(page: Page, shots: Path) -> None:
    """Follow the sheet's way to the replay, and look at a moment with all hands open."""
    page.locator(".result a[href^='/g/']").click()
    expect(page.locator("[data-hand-of]")).to_have_count(4)
    page.keyboard.press("End")
    expect(page.locator(".matrix")).to_contain_text("底牌")
    for _ in range(4):
        page.keyboard.press("ArrowUp")  # four tricks back
    rests(page)
    assert page.locator("[data-hand-of] p").count() >= 4
    page.screenshot(path=shots / "shengji-replay.png")


@pytest.mark.parametrize("size", ["desktop", "sideways"])
def test_a_person_plays_from_level_two_with_three_bots_and_the_match_goes_on(
    visit: Callable[[str], Sitter], hall: Server, shots: Path, size: str
) -> None:
    person = visit(size)
    page = person.page
    table = person.call("/play", {"game": "shengji", "level": "easy", "options": {}})["table"]
    page.goto(f"{hall.url}/tables/{table}")
    expect(page.locator("[data-deal='1']").first).to_be_visible()
    expect(page.locator("[data-declaring]")).to_be_visible()
    assert page.locator(".plate[data-seat]").count() == 4
    expect(page.locator("[data-hand] [data-card]").nth(5)).to_be_visible()
    page.screenshot(path=shots / f"shengji-{size}-falling.png")
    shot = iter(range(100))

    def picture() -> None:
        page.screenshot(path=shots / f"shengji-{size}-{next(shot)}.png")

    play_out(person, at={2: picture, 4: picture, 6: person.reloads})
    page.wait_for_timeout(2600)
    page.screenshot(path=shots / f"shengji-{size}-result.png")
    sees_result(person)
    assert levels(page) != ["2", "2"] or "上台" in page.locator(".result").inner_text()
    assert person.did["play"] >= 10
    # The deck was drawn again in the browser, and is the one that was dealt.
    expect(page.locator(".result")).to_contain_text(FITS)
    person.healthy()
    if size == "desktop":
        goes_through_the_deal(page, shots)
    else:
        page.locator("[data-again]").click()
        expect(page.locator("[data-deal='2']").first).to_be_visible()
        expect(page.locator("[data-declaring]")).to_be_visible()
        expect(page.locator("[data-hand] [data-card]").nth(5)).to_be_visible()
    person.healthy()


def test_thirty_nine_cards_fit_a_phone_held_sideways(visit: Callable[[str], Sitter], hall: Server, shots: Path) -> None:
    person = visit("sideways")
    page = person.page
    table = person.call("/play", {"game": "shengji", "level": "easy", "options": {"decks": 3}})["table"]
    page.goto(f"{hall.url}/tables/{table}")
    expect(page.locator("[data-declaring]")).to_be_visible()
    end = time.monotonic() + 60
    while person.cards() < 39:
        assert time.monotonic() < end
        page.wait_for_timeout(200)
    rests(page)
    page.screenshot(path=shots / "shengji-sideways-39.png")
    boxes = page.evaluate(
        """[...document.querySelectorAll("[data-hand] [data-card]")].map((one) => {
          const box = one.getBoundingClientRect();
          return {row: one.dataset.row, left: box.left, right: box.right, top: box.top, bottom: box.bottom};
        })"""
    )
    for box in boxes:
        assert box["left"] >= 0
        assert box["right"] <= 844
        assert box["bottom"] <= 390
    # What shows of each card is as wide as a finger needs, and no index is cut.
    for row in {box["row"] for box in boxes}:
        lefts = sorted(box["left"] for box in boxes if box["row"] == row)
        assert all(b - a >= 35 for a, b in pairwise(lefts)), lefts
    person.healthy()


# a table at a moment of one's choosing --------------------------------------------------------------------------------


@pytest.fixture
def at(window: Callable[..., Page], hall: Server) -> Callable[..., ShengjiScene]:
    """Come to the table at a moment."""

    def come(moment: str, size: str = "desktop", lang: str = "zh-CN") -> ShengjiScene:
        table = scene(window(*SIZES[size]), hall, moment)
        table.open(lang)
        return table

    return come


def test_only_declarations_that_are_high_enough_are_offered(at: Callable[..., ShengjiScene]) -> None:
    table = at("falling")
    # A single two of diamonds stands: my pair of twos of hearts is higher, one of them is not.
    buttons = table.page.locator("[data-act=declare]")
    expect(buttons).to_have_count(1)
    assert buttons.first.get_attribute("data-cards") == "2H2H"
    assert buttons.first.locator(".card").count() == 2
    expect(table.page.locator("[data-shown='3']")).to_be_visible()
    table.page.keyboard.press("d")
    table.page.keyboard.press("Enter")
    expect(table.page.locator("[data-trump=h], [data-trump=H]")).to_be_visible()
    assert table.actions() == [{"a": "declare", "cards": ["2H", "2H"]}]
    assert "ask" not in table.sent[-1]  # it answers no question
    expect(buttons).to_have_count(0)
    table.healthy()


def test_who_says_nothing_passes_when_the_window_closes(at: Callable[..., ShengjiScene]) -> None:
    table = at("declaring")
    assert "还可反主" in table.page.locator("[data-declaring]").inner_text()
    table.page.wait_for_timeout(1200)
    assert table.actions() == []
    table.page.wait_for_timeout(2600)
    assert table.actions() == [{"a": "pass"}]


def test_the_kitty_is_counted_and_its_points_are_said(at: Callable[..., ShengjiScene]) -> None:
    table = at("burying")
    picked = table.rules.observe(table.state, 0).picked
    assert picked is not None
    assert table.page.locator("[data-hand] .slot.gold").count() == len(picked) == 8
    table.lift("8S", "6S", "6S", "9C", "KS")
    assert "5/8" in table.reading()
    assert "10 分" in table.reading()
    assert table.page.locator("[data-act=play]").inner_text() == "还差 3 张"
    table.page.keyboard.press("Enter")
    assert table.actions() == []
    table.lift("8S", "6S", "6S", "9C", "7C", "7C", "8C", "8C")
    table.page.keyboard.press("Enter")
    expect(table.page.locator("[data-phase=playing]")).to_be_visible()
    (sent,) = table.actions()
    assert sorted(sent["cards"]) == sorted(["8S", "6S", "6S", "9C", "7C", "7C", "8C", "8C"])
    # What I buried I may look at; nobody else may.
    expect(table.page.locator("[data-my-kitty] .card")).to_have_count(8)


@pytest.mark.parametrize("size", ["desktop", "sideways", "upright"])
def test_a_tap_takes_the_whole_tractor_then_less(at: Callable[..., ShengjiScene], size: str) -> None:
    table = at("leading", size)
    king = table.page.locator("[data-hand] [data-card=KH]")

    def tap() -> dict[str, int]:
        king.click(position={"x": 10, "y": 14})
        table.page.wait_for_timeout(120)
        return table.raised_cards()

    assert tap() == {"KH": 2, "QH": 2}
    assert table.reading().startswith("拖拉机 ♥KKQQ")
    assert tap() == {"KH": 1}
    assert tap() == {"KH": 2}
    assert tap() == {}
    table.healthy()


def test_a_throw_says_whether_it_may_fail_and_fails_before_all(at: Callable[..., ShengjiScene]) -> None:
    table = at("leading")
    table.lift("AC", "AC", "QC")
    reading = table.reading()
    assert reading.startswith("甩牌：对 + 单张")
    assert "可能不成：外面还有" in reading
    assert "♣K" in reading
    assert table.page.locator("[data-act=play]").inner_text().startswith("甩牌")
    table.page.keyboard.press("t")
    failed = table.page.locator("[data-failed]")
    expect(failed).to_contain_text("甩牌不成")
    expect(failed).to_contain_text("♣Q 有人压得过，只出 ♣Q；♣AA 收回")
    # Nobody is told whose hand beat it: no name stands there.
    assert not any(name in failed.inner_text() for name in ("小鲁", "海潮生", "松间照"))
    expect(table.page.locator("[data-hand] .slot.warn")).to_have_count(2)
    assert table.page.locator("[data-set='0'] .card").count() == 1
    assert table.actions()[-1]["cards"].count("AC") == 2
    table.healthy()


def test_two_suits_are_no_lead_and_a_dimmed_card_says_why(at: Callable[..., ShengjiScene]) -> None:
    table = at("leading")
    table.lift("AS", "AC")
    expect(table.page.locator(".reading.bad")).to_contain_text("不是一门")
    table = at("follow")
    club = table.page.locator("[data-hand] [data-card=AC]")
    assert club.get_attribute("aria-disabled") == "true"
    club.click(position={"x": 10, "y": 14}, force=True)  # it is dimmed, and still answers
    expect(table.page.locator(".reading.bad")).to_contain_text("先跟花色")
    assert table.raised_cards() == {}
    table.lift("8S")
    assert "跟" in table.reading()
    table.page.keyboard.press("Enter")
    assert table.actions() == [{"a": "play", "cards": ["8S"]}]


def test_a_finished_deal_shows_the_kitty_with_its_sum(at: Callable[..., ShengjiScene]) -> None:
    table = at("over")
    assert "底牌 5 分，庄家保住" in table.cloth()
    english = at("over", lang="en")
    assert "kept by the dealer's side" in english.cloth()
    english.healthy()


@pytest.mark.parametrize("width", [390, 320])
@pytest.mark.parametrize("lang", ["zh-CN", "en"])
def test_every_column_of_the_settlement_fits_a_phone(
    window: Callable[..., Page], hall: Server, shots: Path, width: int, lang: str
) -> None:
    table = scene(window(width, 844), hall, "over")
    table.open(lang)
    sheet = table.page.locator(".result")
    expect(sheet.locator("tbody tr")).to_have_count(4)
    table.page.screenshot(path=shots / f"shengji-result-{width}-{lang}.png")
    assert sheet.evaluate("(one) => one.scrollWidth - one.clientWidth") <= 0
    for cell in sheet.locator("tbody td").all():
        box = box_of(cell)
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    table.healthy()
