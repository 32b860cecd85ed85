"""Getting back in, as people see it: a link for a forgotten password."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.guest import KEEPER, Guest, open_house
from tests.e2e.person import Person

NEW = "another long one"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall with an administrator."""
    with open_house(tmp_path_factory.mktemp("house")) as server:
        yield server


class Stranger(Person):
    """Somebody who is signed in nowhere."""

    def _said(self, line: object) -> None:
        """Refusals are meant here."""

    def sign_in(self, password: str) -> None:
        self.page.locator("#password").fill(password)
        self.page.locator("form [type=submit]").click()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_who_forgot_the_password_gets_back_in_by_a_link(
    window: Callable[..., Page], house: Server, width: int, height: int
) -> None:
    name = f"忘性大{width}"
    lost = Guest(window(), house, name)
    keeper = Guest(window(width, height), house, KEEPER, known=True)
    keeper.see("/moderation/people")
    keeper.page.get_by_label("给谁").fill(name)
    keeper.page.get_by_role("button", name=name).click()
    keeper.page.locator("[data-reset-link]").click()
    keeper.page.locator("#reset-why").fill("打过电话")
    keeper.page.locator("[data-make-reset]").click()
    link = keeper.page.locator("[data-copied]").input_value()
    assert link.startswith(f"{house.url}/reset#")

    one = Stranger(window(width, height, locale="en-GB"))
    one.page.goto(link)
    expect(one.page.locator("form")).to_contain_text(name)
    one.page.locator("#fresh").fill("short")
    expect(one.page.locator("form")).to_contain_text("3 more")
    one.healthy()
    one.page.locator("[data-reset]").click()
    expect(one.page.locator(".why")).to_contain_text("too short")
    one.page.locator("#fresh").fill(NEW)
    one.page.locator("[data-reset]").click()
    expect(one.page).to_have_url(re.compile(r"/signin\?"))
    expect(one.page.locator("#name")).to_have_value(name)
    one.sign_in(NEW)
    expect(one.page).to_have_url(f"{house.url}/")
    expect(one.page.locator("body")).to_contain_text(name)
    one.page.goto(link)
    one.page.reload()  # another # alone is the same page
    expect(one.page.locator(".why")).to_contain_text("good for nothing")
    assert lost.page.evaluate("fetch('/api/v1/me').then((answer) => answer.status)") == 401
    keeper.see("/moderation/audit")
    expect(keeper.page.locator("[data-act='reset.used']").first).to_contain_text(name)
    expect(keeper.page.locator("[data-act='reset.made']").first).to_contain_text("打过电话")
    keeper.healthy()
