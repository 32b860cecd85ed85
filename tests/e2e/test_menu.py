"""The menu of seed 003 on a phone, in a hall where nothing has happened: two taps to each entry, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.fitting import PHONE, SIDEWAYS
from tests.e2e.guest import Guest, open_house, settled
from tests.e2e.test_every_page import go
from tests.hall.web.test_menu import SEED

# Pages of lists on which nothing stands yet.
EMPTY = """
/games /invites /tournaments /teams /ponds /cards /brought /clubs /polls /interviews /winners /album /mail /news
/events /friends /friends/followers /friends/groups /friends/blocked /online/opponents /statistics /boards/general
/rankings/xiangqi
""".split()  # noqa: SIM905


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An empty hall."""
    with open_house(tmp_path_factory.mktemp("empty")) as server:
        yield server


def two_taps(page: Page) -> set[str]:
    """Return where two taps lead: on a tab at the foot, then on what stands there."""
    tabs = page.evaluate("[...document.querySelectorAll('.tabbar a')].map((one) => one.getAttribute('href'))")
    assert len(tabs) == 5
    found = set()
    for tab in tabs:
        go(page, "/settings")
        go(page, tab)
        found |= set(page.evaluate("[...document.querySelectorAll('a[href]')].map((one) => one.getAttribute('href'))"))
    return found


def test_each_entry_is_two_taps_away_and_an_empty_page_says_what_to_do(
    window: Callable[..., Page], house: Server
) -> None:
    page = window(*PHONE, reduced_motion="reduce")
    page.goto(house.url)
    settled(page)
    reached = two_taps(page)
    one = Guest(page, house, "新来的")
    one.see("/")
    expect(page.locator("[data-groups]")).to_be_visible()
    reached |= two_taps(page)
    assert [entry.word for entry in SEED if entry.page.replace("ME", str(one.id)) not in reached] == []
    for path in EMPTY:
        one.see(path)
        expect(page.locator("main"), path).to_contain_text("无")
        assert page.locator("main :is(a, button):visible").count(), path
        assert page.evaluate(SIDEWAYS) <= 0, path
    one.healthy()
