"""Polls, chat rooms and interviews at browsers; what people plant in them runs in nobody's."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.guest import KEEPER, Guest, open_house

SHOTS = Path(__file__).parents[2] / "build" / "shots" / "talkers" if os.environ.get("QIPAI_SHOTS") else None
HARM = "<img src=x onerror=harm()><script>harm()</script>"
ARMED = "window.harmed = 0; window.harm = () => { window.harmed += 1; };"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall with an administrator."""
    with open_house(tmp_path_factory.mktemp("house")) as server:
        yield server


def shot(page: Page, name: str) -> None:
    if SHOTS is not None:
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(SHOTS / f"{name}.png"))


def both(person: Guest, path: str, name: str) -> None:
    """Keep pictures of a page on a desk and on a phone, for people to look at."""
    if SHOTS is None:
        return
    for kind, (width, height) in {"desk": (1280, 800), "phone": (390, 844)}.items():
        person.page.set_viewport_size({"width": width, "height": height})
        person.see(path)
        shot(person.page, f"{name}-{kind}")
    person.page.set_viewport_size({"width": 1280, "height": 800})


def test_a_poll_stands_on_the_home_page_until_one_has_voted(window: Callable[..., Page], house: Server) -> None:
    keeper = Guest(window(1280, 800), house, KEEPER, known=True)
    keeper.see("/polls?new")
    page = keeper.page
    page.locator("#poll-question").fill("下一个游戏加什么？")
    for no, text in enumerate(("德州扑克", "围棋", HARM)):
        if no == 2:
            page.locator("[data-option]").click()
        page.locator(f"#poll-option-{no}").fill(text)
    shot(page, "poll-making")
    page.locator("[data-make-poll]").click()
    expect(page.locator("[data-poll]")).to_be_visible()

    voter = Guest(window(1280, 800), house, "投票人")
    voter.see("/")
    card = voter.page.locator("[data-poll]")
    expect(card.locator("svg")).to_have_count(0)
    shot(voter.page, "poll-home")
    card.locator("label").nth(1).click()
    card.locator("[data-vote]").click()
    expect(card.locator("li").nth(1)).to_contain_text("100.00%")
    expect(card.locator("svg")).to_have_count(3)
    both(voter, "/polls", "polls")
    voter.see("/")
    expect(voter.page.locator("[data-poll]")).to_have_count(0)
    assert not keeper.wrongs + voter.wrongs


def test_planted_script_in_a_chat_line_and_in_a_question_runs_nowhere(
    window: Callable[..., Page], house: Server
) -> None:
    pages = [window(1280, 800) for _ in range(2)]
    for page in pages:
        page.add_init_script(ARMED)
    keeper, fan = Guest(pages[0], house, KEEPER, known=True), Guest(pages[1], house, "海潮生")
    # A chat line.
    keeper.see("/chat")
    fan.see("/chat/hall")
    field = fan.page.locator("[data-chat-input]")
    for text in (HARM, "\u202egnp.exe\u202c a\u0301\u0301\u0301\u0301\u0301 **bold** @keeper"):
        field.fill(text)
        field.press("Enter")
        expect(field).to_have_value("")
    expect(keeper.page.locator("[data-line]")).to_have_count(2)
    expect(keeper.page.locator("[data-line]").first).to_contain_text(HARM)
    assert keeper.page.locator("[data-chat] .log img, [data-chat] .log script").count() == 0
    assert "\u202e" not in (keeper.page.locator("[data-line]").last.text_content() or "")
    for _ in range(2):
        keeper.page.locator("[data-slow]").select_option("60")
    expect(fan.page.locator("[data-waits]")).to_have_attribute("data-waits", re.compile(r"[1-9]\d?"))
    both(keeper, "/chat", "chats")
    both(fan, "/chat/hall", "chat")
    keeper.page.locator("[data-chat-input]").fill("安静一点")
    keeper.page.locator("[data-chat-input]").press("Enter")  # who keeps the order is not slowed down
    expect(fan.page.locator("[data-line]")).to_have_count(3)
    # An interview question.
    form = {"player": fan.id, "title": "说说海潮", "text": f"聊聊**残局**。{HARM}", "lang": "zh-CN"}
    number = keeper.call("/interviews", form)["interview"]
    fan.see(f"/interviews/{number}")
    fan.page.locator("[data-accept]").click()
    expect(fan.page.locator("[data-accept]")).to_have_count(0)
    keeper.see(f"/interviews/{number}")
    keeper.page.locator("#interview-question").fill(f"{HARM}\n\n[点我](javascript:harm())")
    keeper.page.locator("[data-send-question]").click()
    keeper.page.locator("[data-pick]").click()
    fan.see(f"/interviews/{number}")
    expect(fan.page.locator("[data-question]")).to_contain_text(HARM)
    both(fan, f"/interviews/{number}", "interview-player")
    fan.page.locator("[data-answer-it]").click()
    fan.page.locator("textarea").fill(f"随便下。{HARM}")
    fan.page.locator("[data-send-answer]").click()
    expect(fan.page.locator("[data-answer]")).to_be_visible()
    keeper.see(f"/interviews/{number}")
    both(keeper, f"/interviews/{number}", "interview-editor")
    keeper.page.locator("[data-publish]").click()
    keeper.page.get_by_role("dialog").locator("button").last.click()
    expect(keeper.page.locator("#comment")).to_be_visible()
    fan.see(f"/interviews/{number}")
    fan.page.locator("#comment").fill(HARM)
    fan.page.locator("[data-send-comment]").click()
    expect(fan.page.locator("[data-comment]")).to_contain_text(HARM)
    both(fan, f"/interviews/{number}", "interview")
    both(fan, "/interviews", "interviews")
    for person in (keeper, fan):
        assert person.page.locator(".prose img, .prose script, .prose a[href^='javascript']").count() == 0
        assert person.page.evaluate("window.harmed") == 0
        assert not person.wrongs
