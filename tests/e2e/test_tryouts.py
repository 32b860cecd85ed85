"""Somebody reads the rules and tries them: a hand, a board, the search, and the way from a refusal (P-73)."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.fitting import PHONE
from tests.e2e.xiangqi import Player


def test_a_hand_answers_what_is_tried_on_a_phone(window: Callable[..., Page], hall: Server) -> None:
    page = window(*PHONE, locale="zh-CN", has_touch=True)
    page.goto(f"{hall.url}/rules/gouji/higher#R4")
    ruling = page.locator("#R4")
    answer = ruling.locator("[data-answer]")
    expect(ruling).to_be_in_viewport()
    # Four jacks and a joker over three nines and two small jokers: each small joker wants a big one.
    ruling.locator("[data-example]").click()
    expect(answer).to_have_attribute("data-answer", "not_higher")
    expect(answer).to_contain_text("压不过")
    ruling.locator("[data-again]").click()
    for n, piece in ((0, "J"), (1, "J"), (0, "X")):
        ruling.locator(f"[data-piece='{piece}']").nth(n).click()
    ruling.locator("[data-act=play]").click()
    expect(answer).to_have_attribute("data-answer", "wrong_count")
    ruling.locator("[data-piece='J']").nth(2).click()
    ruling.locator("[data-piece='X']").nth(1).click()
    ruling.locator("[data-act=play]").click()
    expect(answer).to_have_attribute("data-answer", "allowed")
    expect(ruling.locator("[data-row=top] [data-cards]")).to_have_attribute("data-cards", "JJJXX")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-to-top]").click()
    expect(page.locator("h1")).to_be_in_viewport()
    expect(page.locator("[data-back-to-game]")).to_have_attribute("href", "/games/gouji")


def test_a_board_answers_what_is_tried_on_a_phone(window: Callable[..., Page], hall: Server) -> None:
    page = window(*PHONE, locale="en", has_touch=True)
    page.goto(f"{hall.url}/rules/xiangqi/board?why=leg_blocked#R18")
    ruling = page.locator("#R18")
    answer = ruling.locator("[data-answer]")
    board = ruling.locator("[data-row=board]")
    before = board.get_attribute("data-show")
    for move, code in (("e1d3", "leg_blocked"), ("e1e2", "bad_shape"), ("e1c2", "allowed")):
        ruling.locator("form input").fill(move)
        ruling.locator("form button").click()
        expect(answer).to_have_attribute("data-answer", code)
        if code != "allowed":
            expect(board).to_have_attribute("data-show", before or "")
    expect(board).not_to_have_attribute("data-show", before or "")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_search_goes_through_both_languages(window: Callable[..., Page], hall: Server) -> None:
    page = window(1280, 800, locale="en")
    page.goto(f"{hall.url}/rules")
    page.locator("[data-rules-search]").fill("蹩马腿")
    page.keyboard.press("Enter")
    page.locator("[data-hit='xiangqi/glossary#blocked'] a").first.click()
    expect(page.locator("#blocked")).to_contain_text("蹩马腿")
    expect(page.locator("#blocked")).to_be_in_viewport()
    page.goto(f"{hall.url}/rules?q=crawford")
    page.locator("[data-hit='backgammon/match#R24'] a").first.click()
    expect(page.locator("#R24 [data-case]")).to_be_visible()


def test_a_refusal_leads_to_its_ruling(window: Callable[..., Page], hall: Server) -> None:
    page = window(1440, 900, locale="zh-CN")
    person = Player(page)
    page.goto(hall.url)
    page.locator("[data-play=xiangqi]").click()
    expect(person.stage).to_be_visible()
    person.waits(0)
    person.tap("b0")
    person.tap("d1")
    expect(page.locator(".why")).to_contain_text("蹩马腿")
    page.locator(".why button").click()
    ruling = page.locator("[data-ruling=R18][data-code=leg_blocked]")
    ruling.locator("[data-example]").click()
    expect(ruling.locator("[data-answer]")).to_have_attribute("data-answer", "leg_blocked")
    table = page.evaluate("location.pathname")
    ruling.locator("a[href^='/rules/']").click()
    expect(page.locator("#R18 [data-case]")).to_be_visible()
    expect(page.locator("[data-back-to-game]")).to_have_attribute("href", table)
