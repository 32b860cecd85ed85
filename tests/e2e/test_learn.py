"""First lessons in a real browser (platform P-73): a phone in Chinese, a desktop in English."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.fitting import DESK, PHONE
from tests.e2e.guest import Guest
from tests.e2e.person import box_of
from tests.e2e.xiangqi import Player

from qipai import games, lang
from qipai.core.lesson import Choose, Do

RISE = 17  # px of dragging up for each card
# What a finger raises, and the button over the hand.
HANDS = {
    "lead": ("333", "play"),
    "answer": ("88", "play"),
    "pass_on": ("", "pass"),
    "twos": ("J2", "play"),
    "duel": ("AA", "play"),
    "jokers": ("Jx", "play"),
    "out": ("66", "play"),
}


def at(page: Page, step: str) -> None:
    """Wait until a step is shown."""
    expect(page.locator(".lesson")).to_have_attribute("data-step", step)


def onward(page: Page) -> None:
    page.locator("[data-next]").click()


def raise_cards(page: Page, cards: str) -> None:
    """Raise these cards with one finger: a tap for one, a drag up for more, so far as many are wanted."""
    for card in dict.fromkeys(cards):
        column, wanted = page.locator(f"[data-hand] [data-card='{card}']"), cards.count(card)
        if wanted == 1:
            column.tap()
        else:
            column.scroll_into_view_if_needed()
            box = box_of(column)
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x, y - RISE * wanted)
            page.mouse.up()
        expect(column).to_have_attribute("data-raised", str(wanted))


def test_a_whole_lesson_of_gouji_on_a_phone(window: Callable[..., Page], hall: Server) -> None:
    page = window(*PHONE, is_mobile=True, reduced_motion="reduce")  # what others do comes at once, not one by one
    page.goto(f"{hall.url}/learn")
    page.locator("a[data-lesson='gouji']").tap()
    words = lang.of_lesson("gouji", "zh-CN")
    lesson = games.find("gouji").lesson
    assert lesson is not None
    for step in lesson.steps:
        at(page, step.name)
        expect(page.locator("[data-say]")).to_have_text(words[f"{step.name}.say"])
        if step.name == "answer":  # a wrong answer first: it is said why, and the table is as it was
            page.locator("[data-act=pass]").tap()
            expect(page.locator("[data-answer=wrong]")).to_have_text(words["answer.passed"])
        if isinstance(step, Do):
            cards, act = HANDS[step.name]
            raise_cards(page, cards)
            page.locator(f"[data-act={act}]").tap()
            expect(page.locator("[data-answer=good]")).to_have_text(words[f"{step.name}.good"])
        elif isinstance(step, Choose):
            page.locator("[data-choice=jacks]").tap()
            expect(page.locator("[data-answer=wrong]")).to_have_text(words["which.jacks_why"])
            page.locator(f"[data-choice={step.right}]").tap()
            expect(page.locator("[data-answer=good]")).to_be_visible()
        if step is not lesson.steps[-1]:
            onward(page)
    # The guided deal: what is advised leads to its end.
    free, ended = page.locator("[data-help]:not([disabled])"), page.locator("[data-answer=good]")
    for done in count(1):
        expect(free.or_(ended).first).to_be_visible()
        if ended.is_visible():
            break
        free.tap()
        expect(page.locator(".lesson")).to_have_attribute("data-done", str(done))
    onward(page)
    # Its end leads to a table with bots, at once, with a tip.
    page.locator("[data-end] [data-play]").tap()
    page.wait_for_url("**/tables/*")
    expect(page.locator("[data-tip]")).to_be_visible()


def test_a_lesson_of_xiangqi_at_a_desk(window: Callable[..., Page], hall: Server) -> None:
    page = window(*DESK, locale="en")
    page.goto(f"{hall.url}/learn/xiangqi")
    player, words = Player(page), lang.of_lesson("xiangqi", "en")
    at(page, "goal")
    onward(page)
    at(page, "chariot")
    # What the rules forbid does not go; what is meant does, and is said.
    player.tap("c0")
    expect(page.locator(".xq .selected")).to_be_visible()
    player.tap("c6")
    expect(page.locator("[data-answer=good]")).to_have_text(words["chariot.good"])
    onward(page)
    at(page, "horse")
    for move in ("e3d1", "e3c4"):
        player.tap(move[:2])
        player.tap(move[2:])
        answer = "horse.other" if move == "e3d1" else "horse.good"
        expect(page.locator("[data-answer]")).to_have_text(words[answer])


def test_progress_stays_on_the_device_and_goes_along_at_sign_in(window: Callable[..., Page], hall: Server) -> None:
    page = window(*DESK)
    page.goto(f"{hall.url}/learn/gouji")
    at(page, "goal")
    onward(page)
    onward(page)
    at(page, "lead")
    page.reload()
    at(page, "lead")  # where one was
    page.goto(f"{hall.url}/learn")
    expect(page.locator("a[data-lesson='gouji']")).to_have_attribute("data-done", "2")
    # Whoever signs in takes it along: another device of the same person knows it.
    Guest(page, hall, "学棋的人")
    with page.expect_response("**/me/lessons"):
        page.goto(f"{hall.url}/learn")
    other = window(*PHONE)
    Guest(other, hall, "学棋的人", known=True)
    other.goto(f"{hall.url}/learn")
    expect(other.locator("a[data-lesson='gouji']")).to_have_attribute("data-done", "2")
