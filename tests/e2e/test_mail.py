"""Mail in the browser: it comes while its thread is open, and a device is told of it when nobody looks (P-9, P-76)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.guest import Guest, open_house


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall that may push."""
    with open_house(tmp_path_factory.mktemp("house"), '[push]\nhall = "https://play.example.org"\n') as server:
        yield server


def test_a_mail_is_written_from_a_profile_and_comes_while_the_thread_is_open(
    window: Callable[..., Page], house: Server
) -> None:
    one, two = Guest(window(), house, "海潮生"), Guest(window(width=390, height=844), house, "松间照")
    one.see(f"/users/{two.id}")
    one.page.locator("[data-mail-to]").click()
    expect(one.page).to_have_url(f"{house.url}/mail/{two.id}")
    one.page.locator("[data-mail-text]").fill("明晚**八点**，好吗？")
    one.page.locator("[data-send-mail]").click()
    expect(one.page.locator(".mine strong")).to_have_text("八点")
    two.see("/news")
    two.page.locator("[data-happened=mail] a").first.click()
    expect(two.page.locator("[data-mail] strong")).to_be_in_viewport()
    # The reader has it read; the writer sees that as soon as the answer comes.
    two.page.locator("[data-mail-text]").fill("好。\u202eabc")
    two.page.locator("[data-mail-text]").press("Control+Enter")
    expect(one.page.locator("[data-mail]:not(.mine)")).to_contain_text("好。abc")
    expect(one.page.locator(".mine .under")).to_contain_text("已读")
    expect(one.page.locator("[data-waits='/mail']")).to_have_count(0)
    # One side deletes it all; the other keeps it.
    one.page.locator("[data-delete-thread]").click()
    one.page.get_by_role("button", name="删除", exact=True).click()
    expect(one.page.locator("[data-mail]")).to_have_count(0)
    two.page.reload()
    expect(two.page.locator("[data-mail]")).to_have_count(2)
    one.see("/settings/privacy")
    one.page.locator("[data-privacy=mailed_by]").get_by_text("没有人").click()
    assert (one.wrongs, two.wrongs) == ([], [])


def test_the_hall_asks_before_it_tells_a_device_and_a_letter_ends_without_signing_in(
    window: Callable[..., Page], house: Server
) -> None:
    person = Guest(window(), house, "棠梨花")
    person.see("/settings/news")
    expect(person.page.get_by_role("switch", name="通知这台设备")).to_be_enabled()
    # What is wanted is kept with the account.
    person.page.get_by_role("switch", name="邀请: 设备").click()
    person.page.reload()
    expect(person.page.get_by_role("switch", name="邀请: 设备")).to_have_attribute("aria-checked", "false")
    expect(person.page.get_by_role("switch", name="竞赛: 设备")).to_have_attribute("aria-checked", "true")
    stranger = window()
    stranger.goto(f"{house.url}/stop#nobody")
    stranger.locator("[data-stop]").click()
    expect(stranger.locator(".sheet")).to_contain_text("不认识这个链接")
