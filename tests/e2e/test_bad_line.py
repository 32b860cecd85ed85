"""What did not come over a bad line comes by itself when the line is better: nothing stays missing for good."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect
from tests.client import Server
from tests.e2e.person import Person

TIMES = 3  # so often something is asked for in vain


def fails(page: Page, address: str) -> list[str]:
    """Let what is at an address fail so often; return what was asked for, as it is asked for."""
    asked: list[str] = []

    def lost(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > TIMES:
            route.continue_()
        else:
            route.abort("connectionreset")

    page.route(re.compile(address), lost)
    return asked


@pytest.mark.parametrize("address", [r"/api/v1/games$", r"/api/v1/rooms\?"])
def test_the_list_of_games_comes_when_the_line_is_better(
    window: Callable[..., Page], hall: Server, address: str
) -> None:
    page = window()
    asked = fails(page, address)
    page.goto(hall.url)
    expect(page.locator(".games .none")).to_contain_text("连不上大厅")
    page.locator("[data-private]").click()
    expect(page.locator("[data-private-game=gouji]")).to_be_visible()
    expect(page.locator("[data-play=gouji]")).to_be_visible()
    expect(page.locator(".games .none")).to_have_count(0)
    assert len(asked) == TIMES + 1


def test_nothing_is_shown_before_there_are_words_for_it(window: Callable[..., Page], hall: Server) -> None:
    page = window()
    asked = fails(page, r"/api/v1/lang/zh-CN$")
    page.goto(hall.url)
    expect(page.locator("#wait")).to_be_visible()
    expect(page.locator("[data-play=gouji]")).to_be_visible()
    expect(page.locator("#wait")).to_have_count(0)
    assert page.evaluate("document.documentElement.dataset.missing") is None
    assert len(asked) == TIMES + 1


@pytest.mark.parametrize("file", ["Lobby-[^/]*[.]js", "Lobby-[^/]*[.]css", "main-[^/]*[.]css"])
def test_the_first_page_comes_whole_when_the_line_is_better(
    window: Callable[..., Page], hall: Server, file: str
) -> None:
    page = window()
    asked = fails(page, f"/assets/{file}$")
    page.goto(hall.url)
    expect(page.locator("[data-play=gouji]")).to_be_visible()
    expect(page.locator(".games")).to_have_css("display", "grid")
    expect(page.locator("[data-play=gouji]")).to_have_css("border-radius", "8px")
    assert len(asked) > TIMES


def test_a_page_fetched_ahead_in_vain_comes_whole(window: Callable[..., Page], hall: Server) -> None:
    page = window()
    asked = fails(page, r"/assets/TablePage-[^/]*[.]css$")
    page.goto(hall.url)
    expect(page.locator("[data-play=gouji]")).to_be_visible()
    page.wait_for_function("performance.getEntriesByType('resource').some((one) => /TablePage/.test(one.name))")
    page.locator("[data-play=xiangqi]").click()
    expect(page.locator(".stage[data-fen]")).to_be_visible()
    expect(page.locator("#cloth")).to_have_css("position", "relative")
    assert len(asked) > TIMES


@pytest.mark.parametrize("address", ["/t/%E0%A4%A", "/rooms/%", "/g/%ff"])
def test_an_address_that_cannot_be_read_is_no_page(window: Callable[..., Page], hall: Server, address: str) -> None:
    page = window()
    page.goto(hall.url + address)
    expect(page.get_by_role("alert").or_(page.locator("main .none, main .why")).first).to_be_visible()


def test_a_page_that_cannot_come_leaves_the_one_before_it_until_it_can(
    window: Callable[..., Page], hall: Server
) -> None:
    person = Person(window(), line=True)
    page = person.page
    page.goto(hall.url)
    expect(page.locator("[data-play=gouji]")).to_be_visible()
    page.evaluate("window.same = true")
    page.context.set_offline(True)
    person.lose()
    page.locator("a[href='/rules']").first.click()
    page.wait_for_url(f"{hall.url}/rules")
    expect(page.locator("[role=status]").get_by_text("连不上大厅")).to_be_visible()
    expect(page.locator("[data-play=gouji]")).to_be_visible()
    page.context.set_offline(False)
    person.find()
    expect(page.get_by_role("heading", level=1)).to_contain_text("规则")
    expect(page.locator("main .games")).to_have_css("display", "grid")
    assert page.evaluate("window.same")
    assert page.evaluate("document.documentElement.dataset.missing") is None


def test_the_picture_of_a_link_comes_when_the_line_is_better(window: Callable[..., Page], hall: Server) -> None:
    page = window()
    asked = fails(page, r"/assets/Qr-[^/]*\.js$")
    page.goto(hall.url)
    page.locator("[data-private]").click()
    page.locator("[data-private-game=gouji]").click()
    page.locator("[data-invite]").click()
    expect(page.locator("[role=dialog] svg[role=img]")).to_be_visible()
    assert len(asked) > TIMES
