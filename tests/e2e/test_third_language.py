"""A hall with a third language: a reader of it meets it at once, and the switch offers it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.conftest import QUICK
from tests.third import planted

from qipai.web.files import CLIENT


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not (CLIENT / "index.html").is_file():
        pytest.skip("the client is not built")
    with planted(tmp_path_factory.mktemp("third")), Server(tmp_path_factory.mktemp("hall"), QUICK) as server:
        yield server


def test_the_switch_offers_it(window: Callable[..., Page], hall: Server) -> None:
    page = window(locale="ru-RU")
    page.goto(hall.url)
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    expect(page.get_by_role("heading", name="Другая игра")).to_be_visible()
    expect(page.locator(".games, main").get_by_text("Гоуцзи").first).to_be_visible()
    page.goto(f"{hall.url}/rooms/1")
    expect(page.get_by_role("tab", name="0 человек")).to_be_visible()  # of Russian's four forms
    page.goto(hall.url)
    switch = page.locator("select[data-languages]:visible").first
    assert switch.locator("option").all_text_contents() == ["简体中文", "English", "Русский", "繁體中文"]
    expect(switch).to_have_value("ru")
    switch.select_option("en")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_text("Другая игра")).to_have_count(0)
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "en")  # it is remembered
    page.goto(f"{hall.url}/settings/account")
    page.get_by_role("radio", name="Русский").check(force=True)
    expect(page.locator("html")).to_have_attribute("lang", "ru")


def test_a_hall_that_has_it_no_longer_speaks_its_own(window: Callable[..., Page], hall: Server) -> None:
    page = window(locale="zh-CN")
    page.add_init_script("localStorage.setItem('qipai.prefs', JSON.stringify({ lang: 'tlh', seen: ['name'] }))")
    page.goto(hall.url)
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(page.locator("main")).to_be_visible()
