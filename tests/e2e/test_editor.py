"""The game editor in real browsers (platform P-74): set up, judged, tried, played on, kept, shown in a post."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.fitting import DESK, PHONE
from tests.e2e.guest import Guest, open_house

MATE = "3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1"
STARTS = {
    "xiangqi": MATE,
    "backgammon": "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5 on:0 dice:31",
    "gouji": "3345AA2X/55KK/66QQx/77JJ2/88TT/99AA lead:0",
    "baohuang": "77KKx*/88QQX*/99JJ/TTAA/9922 mode:pair emperor:1 guard:0 lead:1",
    "shengji": "2S3STHTH/4S5SKHKH/6S7SAHAH/8S9SJHJH trump:H levels:5-5 dealer:0 lead:1",
    "mahjong": "123456789m11223p/123456789p1122s/123456789s2233m/8899m777p444666s turn:0 drawn:2p",
    "lianliankan": "1,1,2,2/3,3,4,4",
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with open_house(tmp_path_factory.mktemp("editor")) as server:
        yield server


def address(game: str) -> str:
    return f"/editor/{game}?p={quote(STARTS[game])}"


def judged(page: Page, why: str) -> None:
    expect(page.locator(f"[data-judged='{why}']")).to_be_visible()


def test_every_game_is_set_up_on_a_phone_and_tried(window: Callable[..., Page], house: Server) -> None:
    one = Guest(window(*PHONE), house, "摆一摆")
    for game in STARTS:
        one.see(address(game))
        judged(one.page, "ok")
        expect(one.page.locator(f"[data-editor='{game}']")).to_be_visible()
        assert one.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], game
        one.page.get_by_text("试走", exact=True).click()
        expect(one.page.locator(f"[data-sandbox='{game}']")).to_be_visible()
        assert one.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], game
    assert one.wrongs == []


def test_men_are_placed_by_the_keys_and_the_reason_is_said_until_all_is_well(
    window: Callable[..., Page], house: Server
) -> None:
    page = window(*DESK)
    one = Guest(page, house, "摆棋人")
    one.see("/editor/xiangqi")
    page.locator("[data-empty]").click()
    judged(page, "ok")
    page.locator("[data-pick='R']").focus()
    page.keyboard.press("Space")
    page.locator("[data-at='d0']").press("Enter")
    judged(page, "other_in_check")
    expect(page.locator("[data-judged]")).to_contain_text("没轮到走的一方正被将军")
    page.locator("[data-undo]").click()
    judged(page, "ok")
    # A position from elsewhere is pasted; its link says it all.
    page.locator("[data-paste]").fill(MATE)
    page.locator("[data-read]").click()
    judged(page, "ok")
    expect(page).to_have_url(re.compile("3k5%2FR8"))
    page.get_by_text("试走", exact=True).click()
    page.locator("[data-advise]").click()
    expect(page.locator("[data-sandbox][data-n='1']")).to_be_visible()
    page.reload()
    judged(page, "ok")
    expect(page.locator("[data-at='a8'] svg")).to_be_visible()


def test_cards_are_dealt_by_touch_and_the_deal_is_played_on_against_bots(
    window: Callable[..., Page], house: Server
) -> None:
    page = window(*PHONE)
    one = Guest(page, house, "发牌人")
    one.see(f"/editor/gouji?p={quote('33/44/55/66/77/- lead:0')}")
    judged(page, "no_cards")
    page.locator("[data-pile='5'] .name").tap()
    for card in ("8", "8", "X"):
        page.locator(f"[data-pick='{card}']").tap()
    page.locator("[data-pile='5'] [data-take='X']").tap()
    judged(page, "ok")
    page.locator("[data-play]").tap()
    expect(page).to_have_url(re.compile("/tables/"))
    table = int(page.url.rsplit("/", 1)[1].split("?")[0])
    expect(page.locator(".plate").first).to_be_visible()
    shown = page.evaluate(f"fetch('/api/v1/tables/{table}').then((answer) => answer.json())")
    assert shown["info"]["kind"] == "friendly"


def test_a_position_is_kept_shown_and_drawn_in_a_post(window: Callable[..., Page], house: Server) -> None:
    page = window(*DESK)
    one = Guest(page, house, "出题人")
    one.see(address("xiangqi"))
    judged(page, "ok")
    page.locator("[data-name]").fill("双车错")
    page.locator("[data-goal]").fill("红先一步胜")
    page.get_by_role("switch").last.click()
    page.locator("[data-keep]").click()
    expect(page.get_by_text("存好了。").first).to_be_visible()
    one.see("/positions")
    expect(page.locator("[data-position]")).to_contain_text("红先一步胜")
    page.locator("[data-position] a").first.click()
    judged(page, "ok")
    thread = one.call("/boards/xiangqi", {"title": "一步杀", "text": f"看：\n\n{address('xiangqi').replace(' ', '+')}"})
    one.see(f"/threads/{thread['thread']}")
    expect(page.locator("[data-embedded='xiangqi']")).to_be_visible()
    expect(page.locator("[data-sandbox='xiangqi']")).to_be_visible()
