"""The discussion boards in real browsers (platform P-80): what is planted stays text, what is written is not lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.fitting import PHONE
from tests.e2e.guest import KEEPER, Guest, open_house, opens

EVIL = """<img src=x onerror="window.hit=1"><script>window.hit=2</script>

[link](javascript:window.hit=3) [data](data:text/html,<script>window.hit=4</script>) ![x](x" onerror="window.hit=5)

<svg onload="window.hit=6"></svg> `<b onclick=window.hit=7>` <a href="//evil.example" onmouseover="window.hit=8">x</a>

/g/"><script>window.hit=9</script>"""
TITLE = "<img src=x onerror=window.hit=10>‮<b>题目"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with open_house(tmp_path_factory.mktemp("boards"), "[boards]\nposts = 6\n") as server:
        yield server


def test_what_somebody_plants_in_a_title_or_a_post_stays_text(window: Callable[..., Page], house: Server) -> None:
    planter, reader = Guest(window(), house, "栽赃者"), Guest(window(), house, KEEPER, known=True)
    made = planter.call("/boards/general", {"title": TITLE, "text": f"{EVIL}\n\n@{KEEPER}"})
    planter.call("/boards/general/favourite", {})
    for person, path in (
        (reader, "/boards"),
        (reader, "/boards/general"),
        (reader, f"/threads/{made['thread']}"),
        (reader, "/search?q=<img src=x onerror"),
        (planter, "/"),
    ):
        person.see(path)
        expect(person.page.get_by_text("<img src=x onerror=window.hit=10>").first).to_be_visible()
        assert person.page.evaluate("window.hit") is None, path
        for nothing in ("[onerror]", "[onload]", "[onclick]", "a[href^='javascript:' i]", "a[href^='data:' i]"):
            expect(person.page.locator(f"main {nothing}")).to_have_count(0)
    reader.see(f"/threads/{made['thread']}")
    for link in reader.page.locator("[data-post] .prose a").all():
        link.hover()
    assert reader.page.evaluate("window.hit") is None
    for person in (planter, reader):
        assert person.wrongs == []


def test_a_thread_is_written_answered_and_changed_and_shows_a_position(
    window: Callable[..., Page], house: Server
) -> None:
    one, other = Guest(window(*PHONE), house, "青屿"), Guest(window(), house, "海潮生")
    # A game that can be spoken of.
    for person in (one, other):
        person.see("/invites")
    asked = one.call("/invites", {"game": "xiangqi", "rated": True, "to": other.id})
    table = other.call(f"/invites/{asked['id']}/accept", {})["table"]
    for person in (one, other):
        person.see(f"/tables/{table}")
    opens((one, other))
    one.resign(table)
    link = other.page.locator(".result a[href^='/g/']").first.get_attribute("href")
    # The line is lost while it is sent: what was written is there again.
    page = one.page
    one.see("/boards/xiangqi")
    page.locator("[data-new-thread]").click()
    page.locator("#thread-title").fill("当头炮怎么应")
    page.locator("#thread-text").fill(f"看这一步，@海潮生\n\n{link}#3")
    page.context.set_offline(True)
    page.locator("[data-send-thread]").click()
    expect(page.locator("form .why, form [role='alert']").first).to_be_visible()
    page.context.set_offline(False)
    page.reload()
    one.wrongs.clear()  # the browser has named the lost line
    page.locator("[data-new-thread]").click()
    expect(page.locator("#thread-title")).to_have_value("当头炮怎么应")
    page.locator("[data-send-thread]").click()
    expect(page.locator("[data-title]")).to_have_text("当头炮怎么应")
    position = page.locator("[data-position]")
    position.scroll_into_view_if_needed()
    expect(position).to_have_attribute("data-n", "3")
    expect(position.locator(".stage[data-plies='3']")).to_be_visible()
    position.locator("[data-step]").click()
    expect(position).to_have_attribute("data-n", "4")
    # Somebody answers with a quote, by the search.
    other.see("/search?q=头炮")
    expect(other.page.locator("[data-found] mark").first).to_have_text("头炮")
    other.page.locator("[data-found] a").first.click()
    other.page.locator("[data-quote]").click()
    expect(other.page.locator("#reply")).to_have_value(re.compile(r"^> \[青屿 · #1\]"))
    expect(other.page.locator("#reply")).to_be_focused()
    other.page.keyboard.type("马八进七")
    other.page.locator("[data-send-reply]").click()
    answer = other.page.locator("[data-post]").nth(1)
    expect(answer.locator("blockquote a").first).to_have_text("青屿 · #1")
    answer.locator("[data-edit]").click()
    expect(answer.locator("textarea")).to_be_visible()
    answer.locator("textarea").press("Control+End")
    other.page.keyboard.type("，再出车")
    answer.locator("[data-save-post]").click()
    expect(answer.locator(".prose")).to_contain_text("马八进七，再出车")
    answer.locator("[data-versions]").click()
    expect(other.page.locator(".versions li")).to_have_count(2)
    other.page.keyboard.press("Escape")
    # Too many posts are refused with a sentence, and nothing of what was written is lost.
    for n in range(5):
        other.call(other.page.evaluate("location.pathname"), {"text": f"第 {n}"})
    other.page.locator("#reply").fill("第七个")
    other.page.locator("[data-send-reply]").click()
    expect(other.page.locator("form .why, form [role='alert']").first).to_be_visible()
    other.page.reload()
    expect(other.page.locator("#reply")).to_have_value("第七个")
    # My favourite board stands on the home page.
    one.see("/boards/xiangqi")
    page.locator("[data-favourite]").click()
    expect(page.locator("[data-favourite]")).to_have_attribute("aria-pressed", "true")
    one.see("/")
    expect(page.locator("[data-favourite-boards] a[href='/boards/xiangqi']")).to_be_attached()
    assert one.wrongs == []
