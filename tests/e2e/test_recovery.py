"""Getting back in, as people see it: a link for a forgotten password, a second step at sign-in, passkeys, letters."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

import pyotp
import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.guest import KEEPER, PASSWORD, Guest, open_house
from tests.e2e.person import Person
from tests.post import Post, link_in

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


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_a_second_step_at_sign_in(window: Callable[..., Page], house: Server, width: int, height: int) -> None:
    name = f"两步走{width}"
    one = Guest(window(width, height), house, name)
    one.see("/settings/account")
    one.page.locator("[data-factor='on']").click()
    one.page.locator("#factor-password").fill("wrong")
    one.page.locator("[data-factor-send]").click()
    expect(one.page.locator(".why")).to_contain_text("密码不对")
    one.page.locator("#factor-password").fill(PASSWORD)
    one.page.locator("[data-factor-send]").click()
    expect(one.page.get_by_role("img", name="密钥的二维码")).to_be_visible()
    secret = one.page.locator("[data-copied]").input_value()
    one.page.locator("#factor-code").fill("000000")
    one.page.locator("[data-factor-send]").click()
    expect(one.page.locator(".why")).to_contain_text("验证码不对")
    one.page.locator("#factor-code").fill(pyotp.TOTP(secret).at(time.time()))
    one.page.locator("[data-factor-send]").click()
    codes = one.page.locator("[data-codes] li")
    expect(codes).to_have_count(10)
    code = codes.first.text_content()
    one.healthy()
    one.page.locator("[data-kept]").click()
    expect(codes).to_have_count(0)
    expect(one.page.locator("[data-factor-on]")).to_contain_text("10")

    other = Stranger(window(width, height, locale="en-GB"))
    other.page.goto(f"{house.url}/signin?way=in&name={name}")
    expect(other.page.locator("#code")).to_have_count(0)
    other.sign_in(PASSWORD)
    expect(other.page.locator("#code")).to_be_focused()
    other.page.keyboard.type("000000")
    other.page.keyboard.press("Enter")
    expect(other.page.locator(".why")).to_contain_text("Wrong code")
    other.page.locator("#code").fill(str(code))
    other.page.keyboard.press("Enter")
    expect(other.page).to_have_url(f"{house.url}/")
    other.page.goto(f"{house.url}/settings/account")
    expect(other.page.locator("[data-factor-on]")).to_contain_text("9 recovery codes")
    other.page.locator("[data-factor='off']").click()
    other.page.locator("#factor-password").fill(PASSWORD)
    other.page.locator("#factor-code").fill(pyotp.TOTP(secret).at(time.time() + 30))
    other.page.locator("[data-factor-send]").click()
    expect(other.page.locator("[data-factor='on']")).to_be_visible()
    other.healthy()


def test_a_keeper_without_a_second_step_reads_what_to_do(
    window: Callable[..., Page], tmp_path_factory: pytest.TempPathFactory
) -> None:
    strict = "[accounts]\nmoderators_second_factor = true\n"
    with open_house(tmp_path_factory.mktemp("strict"), strict) as house:
        keeper = Guest(window(), house, KEEPER, known=True)
        keeper.see("/moderation")
        expect(keeper.page.locator(".why")).to_contain_text("两步登录")
        keeper.page.locator("main a[href='/settings/account']").click()
        expect(keeper.page.locator("[data-factor='on']")).to_be_visible()
        keeper.healthy()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_a_passkey_signs_in(window: Callable[..., Page], house: Server, width: int, height: int) -> None:
    name, local = f"有钥匙{width}", house.url.replace("127.0.0.1", "localhost")  # browsers know passkeys of names alone
    one = Stranger(window(width, height))
    devices = one.page.context.new_cdp_session(one.page)
    devices.send("WebAuthn.enable")
    device = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
    }
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": device})
    one.page.goto(f"{local}/grades")
    one.call("/register", {"name": name, "password": PASSWORD})
    one.page.goto(f"{local}/settings/account")
    one.page.locator("[data-new-passkey]").click()
    one.page.locator("#passkey-name").fill("这台电脑")
    one.page.locator("#passkey-password").fill("wrong")
    one.page.locator("[data-make-passkey]").click()
    expect(one.page.locator(".why")).to_contain_text("密码不对")
    one.page.locator("#passkey-password").fill(PASSWORD)
    one.page.locator("[data-make-passkey]").click()
    expect(one.page.locator("[data-passkey]")).to_contain_text("这台电脑")
    one.healthy()
    one.call("/logout", {})
    one.page.goto(f"{local}/signin?way=in")
    one.page.locator("[data-passkey-in]").click()
    expect(one.page).to_have_url(f"{local}/")
    expect(one.page.locator("body")).to_contain_text(name)
    one.page.goto(f"{local}/settings/account")
    one.page.locator("[data-remove-passkey]").click()
    expect(one.page.locator("[data-passkey]")).to_have_count(0)
    one.call("/logout", {})
    one.page.goto(f"{local}/signin?way=in")
    one.page.locator("[data-passkey-in]").click()
    expect(one.page.locator(".why")).to_contain_text("不认得")
    one.healthy()

    by_number = Stranger(window(width, height))
    by_number.page.goto(f"{house.url}/signin?way=in")
    expect(by_number.page.get_by_role("button", name="游客")).to_be_visible()
    expect(by_number.page.locator("[data-passkey-in]")).to_have_count(0)


def test_a_letter_brings_back_who_forgot_the_password(
    window: Callable[..., Page], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with Post().open() as post:
        mail = f"""
[mail]
server = "localhost"
port = {post.port}
security = "none"
sender = "hall@example.org"
hall = "https://play.example.org"
"""
        with open_house(tmp_path_factory.mktemp("mail"), mail) as house:
            one = Guest(window(390, 844), house, "忘得快")
            one.see("/settings/account")
            expect(one.page.locator("[data-email]")).to_have_text("没有填")
            one.page.locator("[data-change-email]").click()
            one.page.locator("#my-email").fill("nonsense")
            one.page.locator("#email-password").fill(PASSWORD)
            one.page.locator("[data-save-email]").click()
            expect(one.page.locator(".why")).to_be_visible()
            one.page.locator("#my-email").fill("one@example.org")
            one.page.locator("[data-save-email]").click()
            expect(one.page.locator("[data-email]")).to_have_text("one@example.org")
            one.healthy()

            lost = Stranger(window(390, 844))
            lost.page.goto(f"{house.url}/signin?way=in")
            lost.page.locator("a[href='/reset']").click()
            lost.page.locator("#who").fill("忘得快")
            lost.page.locator("[data-ask-letter]").click()
            expect(lost.page.locator("[data-letter-asked]")).to_be_visible()
            lost.healthy()
            lost.page.goto(link_in(post.until(1)).replace("https://play.example.org", house.url))
            lost.page.reload()
            lost.page.locator("#fresh").fill(NEW)
            lost.page.locator("[data-reset]").click()
            expect(lost.page.locator("#name")).to_have_value("忘得快")
            lost.sign_in(NEW)
            expect(lost.page).to_have_url(f"{house.url}/")
