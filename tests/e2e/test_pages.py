"""What the hall keeps, as pages: rankings, invitations, reports, what is mine."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, WebSocketRoute, expect
from tests.client import Server
from tests.e2e.guest import KEEPER, PASSWORD, Guest, open_house

SCRIPT = "<img src=x onerror='window.harmed = true'>骂人 <b>bold</b>"

# Rooms where one test sits alone: elsewhere those of an earlier one may still have their seats, though they have gone.
OWN = "".join(
    f"""
[[rooms.own]]
kind = "score"
key = "{key}"
name = {{ zh-CN = "{key}", en = "{key}" }}
games = ["xiangqi"]
tables = 2
"""
    for key in ("blocked", "behind")
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall with an administrator, where people of one house may play for passes and coins."""
    with open_house(tmp_path_factory.mktemp("house"), OWN) as server:
        yield server


def test_a_report_reaches_the_moderator_as_text(window: Callable[..., Page], house: Server, shots: Path) -> None:
    rude = Guest(window(), house, "铁观音")
    rude.see("/grades")
    other = Guest(window(390, 844), house, "棠梨花")
    other.see(f"/users/{rude.id}")
    other.page.locator("[data-report]").click()
    other.page.locator("#report-text").fill(SCRIPT)
    other.page.locator("[data-send-report]").click()
    expect(other.page.get_by_text("收到了，管理员会看。").first).to_be_visible()
    other.see("/moderation")
    expect(other.page.locator("main")).to_contain_text("没有这个权限")

    keeper = Guest(window(), house, KEEPER, known=True)
    keeper.see("/moderation")
    keeper.page.locator("[data-report-row]", has_text="铁观音").click()
    expect(keeper.page.locator("[data-report-text]")).to_have_text(SCRIPT)
    assert keeper.page.evaluate("window.harmed") is None
    keeper.page.screenshot(path=shots / "page-report.png")
    keeper.page.get_by_text("禁言一天").first.click()
    keeper.page.locator("#reason").fill("说话难听")
    keeper.page.locator("[data-rule]").click()
    expect(rude.page.get_by_text("说话难听").first).to_be_visible()  # the muted one is told, wherever he is
    expect(keeper.page.locator("[data-report-row]")).to_have_count(0)
    keeper.see("/moderation/audit")
    expect(keeper.page.locator(".audit")).to_contain_text("说话难听")
    for person in (rude, other, keeper):
        person.healthy()


def test_an_invitation_leads_to_a_table(window: Callable[..., Page], house: Server) -> None:
    host = Guest(window(), house, "墨竹轩")
    friend = Guest(window(390, 844), house, "白云上")
    friend.see("/invites")
    host.see(f"/new?to={friend.id}&game=xiangqi")
    expect(host.page.locator("[data-sum]")).to_contain_text("白云上")
    host.page.get_by_label("附言").fill(SCRIPT)
    host.page.locator("[data-go]").click()
    expect(host.page.locator("[data-withdraw]")).to_be_visible()
    expect(friend.page.locator("article .note")).to_have_text(SCRIPT)
    friend.page.locator("[data-accept]").click()
    expect(friend.page).to_have_url(re.compile(r"/tables/\d+$"))
    host.page.get_by_role("button", name="回到牌桌").first.click()
    for person in (host, friend):  # who has agreed to play need not say so once more
        expect(person.page.locator(".stage[data-fen]")).to_be_visible()
    assert host.page.url == friend.page.url
    for person in (host, friend):
        person.healthy()


def test_a_group_is_invited_and_who_may_not_come_reads_why(window: Callable[..., Page], house: Server) -> None:
    host = Guest(window(), house, "听松人")
    friend = Guest(window(390, 844), house, "采莲女")
    other = Guest(window(390, 844), house, "卖炭翁")
    host.call("/friends", {"user": friend.id})
    host.see("/friends/groups")
    host.page.locator("[data-new-group]").click()
    host.page.locator("#group-name").fill("棋友")
    host.page.get_by_label("采莲女").check()
    host.page.locator("[data-save-group]").click()
    host.page.locator("[data-group] a").click()
    expect(host.page.locator("[data-sum]")).to_contain_text("棋友")
    host.page.locator("#game").select_option("xiangqi")
    host.page.locator("[data-colour]").select_option("theirs")
    host.page.locator("[data-length]").select_option("3")
    host.page.locator("[data-go]").click()
    expect(host.page.locator("[data-invite]")).to_contain_text("至少打 3 局")
    # Another to everybody, which beginners may not take.
    host.call("/invites", {"game": "backgammon", "rated": True, "rating_min": 1700})
    kin = host.call("/groups", {"name": "牌友", "users": [friend.id]})["id"]
    host.call("/invites", {"game": "gouji", "group": kin, "note": "三缺一"})
    friend.see("/invites")
    cards = friend.page.locator("article", has_text="三缺一")
    cards.locator("[data-decline]").click()
    expect(cards).to_have_count(0)
    grey = friend.page.locator("article", has=friend.page.locator("[data-refused='RATING_RANGE']"))
    expect(grey).to_contain_text("1700")
    expect(grey.locator("[data-accept]")).to_have_count(0)
    friend.page.locator("[data-filter]").select_option("can")
    expect(grey).to_have_count(0)
    other.see("/invites")
    expect(other.page.locator("[data-invite]")).to_have_count(1)
    friend.page.locator("[data-accept]").click()
    expect(friend.page.locator(".stage[data-fen]")).to_be_visible()
    for person in (host, friend, other):
        person.healthy()


def test_a_table_with_a_password_asks_for_it(window: Callable[..., Page], house: Server) -> None:
    host = Guest(window(), house, "锁门人")
    friend = Guest(window(390, 844), house, "敲门人")
    host.see(f"/tables/{host.room('friendly')}01")
    host.page.locator("[data-sit]").first.click()
    host.page.get_by_role("button", name="改规则").click()
    host.page.locator("[data-term='password']").fill("芝麻开门")
    host.page.get_by_role("button", name="设上").click()
    expect(host.page.get_by_text("要口令").first).to_be_visible()
    friend.see(f"/tables/{host.room('friendly')}01")
    friend.page.locator("[data-password]").fill("开门")
    friend.page.keyboard.press("Enter")
    expect(friend.page.locator("[data-password]")).to_be_visible()
    friend.page.locator("[data-password]").fill("芝麻开门")
    friend.page.keyboard.press("Enter")
    expect(friend.page.locator("[data-sit]").first).to_be_visible()
    friend.page.locator("[data-sit]").first.click()
    expect(friend.page.locator("[data-ready]")).to_be_visible()
    friend.page.reload()  # the password is remembered
    expect(friend.page.locator("[data-ready]")).to_be_visible()
    for person in (host, friend):
        person.healthy()


def test_two_who_wait_are_paired(window: Callable[..., Page], house: Server) -> None:
    people = [Guest(window(), house, name) for name in ("川上行", "岚山客")]
    for person in people:
        person.see("/new?with=pair&game=xiangqi")
        person.page.locator("[data-go]").click()
    for person in people:
        expect(person.page).to_have_url(re.compile(r"/tables/\d+$"))
        expect(person.page.locator(".stage[data-fen]")).to_be_visible()
        person.healthy()
    assert people[0].page.url == people[1].page.url


def test_a_game_has_its_four_tabs_and_one_click_pairs(window: Callable[..., Page], house: Server) -> None:
    one, two = (Guest(window(), house, name) for name in ("溪云起", "Rain-7"))
    one.see("/")
    one.page.locator("[data-game=gouji] h3 a").click()
    expect(one.page.locator("[data-tab=about][aria-current=page]")).to_be_visible()
    expect(one.page.locator("main")).to_be_focused()  # whoever goes by keyboard begins at the new page
    one.page.locator("[data-tab=rules]").click()
    expect(one.page).to_have_url(re.compile("/rules/gouji$"))
    one.page.locator("[data-tab=grades]").click()
    expect(one.page.locator("tbody tr")).to_have_count(14)
    assert one.page.locator("tbody tr td:first-child").all_inner_texts() == [str(grade) for grade in range(13, -1, -1)]
    one.page.locator("[data-tab=play]").click()
    expect(one.page.locator(".rooms li")).not_to_have_count(0)
    one.see("/games/backgammon")  # its variants are its relatives: one click, and the form knows which
    one.page.locator(".near a[href*='variant=plakoto']").click()
    expect(one.page.locator("#variant")).to_have_value("plakoto")

    one.see("/games/xiangqi?tab=play")
    one.page.locator("[data-pair=xiangqi]").click()
    two.see("/")
    two.page.locator("[data-pair=xiangqi]").click()
    for person in (one, two):
        expect(person.page.locator(".stage[data-fen]")).to_be_visible()
        person.healthy()
    assert one.page.url == two.page.url
    stranger = window()
    stranger.goto(house.url + "/games/xiangqi?tab=play")
    stranger.locator("[data-pair=xiangqi]").click()
    expect(stranger).to_have_url(re.compile("/signin"))


def test_whoever_signs_out_in_a_game_reads_the_price_first(window: Callable[..., Page], house: Server) -> None:
    one, two = (Guest(window(), house, name) for name in ("风波定", "Quit-9"))
    for person in (one, two):
        person.see("/games/xiangqi?tab=play")
        person.page.locator("[data-pair=xiangqi]").click()
    for person in (one, two):
        expect(person.page.locator(".stage[data-fen]")).to_be_visible()
    one.see("/settings/account")
    ask = one.page.locator("dialog")
    one.page.locator("[data-out-everywhere]").click()
    expect(ask).to_contain_text("积分 −2")
    ask.get_by_role("button", name="留下").click()
    expect(ask).to_have_count(0)

    # Another password: the old one must be right, and what was typed stays.
    one.page.locator("[data-password]").click()
    one.page.fill("#old", "no longer known")
    one.page.fill("#fresh", "a longer word by far")
    one.page.locator("[data-save-password]").click()
    expect(one.page.locator("form .why")).to_contain_text("密码不对")
    expect(one.page.locator("#fresh")).to_have_value("a longer word by far")
    one.page.fill("#old", PASSWORD)
    one.page.locator("[data-save-password]").click()
    expect(one.page.locator("#old")).to_have_count(0)
    # A program's token is shown once, and ended.
    one.page.locator("[data-new-token]").click()
    one.page.fill("#token-name", "<b>prog</b>")
    one.page.locator("[data-make-token]").click()
    expect(one.page.locator("[data-token]")).to_have_value(re.compile(".{30,}"))
    one.page.locator("[data-end-token]").click()
    expect(one.page.locator("[data-end-token]")).to_have_count(0)

    one.page.locator("[data-out-everywhere]").click()
    ask.get_by_role("button", name="照样退出").click()
    expect(one.page.get_by_role("link", name="登录", exact=True)).to_be_visible()
    expect(two.page.locator(".result")).to_be_visible()  # the other has won
    one.see("/signin?way=in")
    one.page.fill("#name", one.name)
    one.page.fill("#password", "a longer word by far")
    one.page.locator("button[type=submit]").click()
    expect(one.page.locator("h1")).to_contain_text(one.name)


def test_a_link_is_renewed_and_the_old_one_says_so(window: Callable[..., Page], house: Server) -> None:
    host, late = (Guest(window(), house, name) for name in ("换锁人", "Late-4"))
    old = host.call("/tables", {"game": "xiangqi", "private": True})["key"]
    host.see(f"/t/{old}")
    host.page.locator(".lounge .foot .primary").click()
    host.page.locator("[data-invite]").click()
    link = host.page.locator(".drawer [data-link]")
    expect(link).to_have_value(f"{house.url}/t/{old}")
    host.page.locator("[data-renew]").click()
    expect(link).not_to_have_value(f"{house.url}/t/{old}")
    expect(link).to_have_value(re.compile("/t/"))
    late.see(f"/t/{old}")
    expect(late.page.locator(".why")).to_be_visible()
    late.page.goto(link.input_value())
    expect(late.page.locator(".lounge .foot .primary")).to_be_visible()


def test_two_agree_on_a_clock_of_any_kind(window: Callable[..., Page], house: Server) -> None:
    host, friend = (Guest(window(), house, name) for name in ("读秒人", "Clock-3"))
    made = host.call("/tables", {"game": "xiangqi", "private": True})
    host.see(f"/t/{made['key']}")
    host.page.locator(".lounge .foot .primary").click()
    friend.see(f"/t/{made['key']}")
    friend.page.locator(".lounge .foot .primary").click()
    host.page.locator(".talk").get_by_role("button", name="换个时间").click()
    form = host.page.locator("[data-clock-form]")
    form.locator("select").select_option("byoyomi")
    form.locator("[data-clock=period]").fill("0")
    expect(host.page.locator(".talk")).to_contain_text("每次读秒（秒）：要 1 到 3600 的整数")
    expect(host.page.locator("[data-propose]")).to_be_disabled()
    form.locator("[data-clock=period]").fill("20")
    host.page.locator("[data-propose]").click()
    expect(friend.page.locator(".talk .offer")).to_contain_text("读秒 3 次 20 秒")
    friend.page.locator(".talk").get_by_role("button", name="同意", exact=True).click()
    for person in (host, friend):
        expect(person.page.locator(".talk .now")).to_have_text("10 分，读秒 3 次 20 秒")
    # An agreement to have no clock can be taken back by another.
    friend.page.locator(".talk").get_by_role("button", name="换个时间").click()
    friend.page.locator("[data-clock-form] select").select_option("none")
    friend.page.locator("[data-propose]").click()
    host.page.locator(".talk").get_by_role("button", name="同意", exact=True).click()
    for person in (host, friend):
        expect(person.page.locator(".talk .now")).to_have_text("不限时")
    expect(host.page.locator(".talk").get_by_role("button", name="换个时间")).to_be_visible()
    for person in (host, friend):
        person.healthy()


def test_what_cannot_be_sent_is_named_beside_it_and_stays(window: Callable[..., Page], house: Server) -> None:
    one, shy = Guest(window(), house, "细柳营"), Guest(window(), house, "Shy-8")
    page = one.page
    one.see("/new?game=xiangqi")
    page.locator("[data-least]").fill("1900")
    page.locator("[data-most]").fill("1200")
    expect(page.locator("form .why")).to_contain_text("等级分的范围")
    expect(page.locator("[data-go]")).to_be_disabled()
    page.locator("[data-most]").fill("2200")
    expect(page.locator("form .why")).to_have_count(0)
    shy.call("/blocks", {"user": one.id})
    one.see(f"/new?game=xiangqi&to={shy.id}")
    page.locator("#note").fill("来一局？")
    page.locator("[data-go]").click()
    expect(page.locator("form .why")).to_contain_text("屏蔽")
    expect(page.locator("#note")).to_have_value("来一局？")
    one.healthy()


def test_beside_whom_i_have_blocked_i_sit_only_when_i_want_to(window: Callable[..., Page], house: Server) -> None:
    one, foe, friend = (Guest(window(), house, name) for name in ("陌上桑", "Foe-5", "Friend-5"))
    one.call("/blocks", {"user": foe.id})
    one.call("/friends", {"user": friend.id})
    room = one.room("score", "blocked")
    for person in (foe, friend):
        person.see(f"/rooms/{room}")
    foe.page.locator("[data-quick]").click()
    expect(foe.page.locator("[data-ready]")).to_be_visible()
    # The only seat beside somebody is beside him: a click asks first, and be it made before one's blocks are here.
    held: list[Route] = []
    one.page.route("**/api/v1/me", lambda asked: held.append(asked))
    with one.page.expect_request("**/api/v1/me"):
        one.see(f"/rooms/{room}")
    one.page.get_by_role("group", name="1 桌", exact=True).get_by_role("button").click()
    for late in held:
        late.continue_()
    one.page.unroute("**/api/v1/me")
    expect(one.page.locator("dialog")).to_contain_text("Foe-5")
    one.page.locator("dialog").get_by_role("button", name="算了").click()
    one.page.goto(foe.page.url)
    expect(one.page.locator(".lounge .foe")).to_contain_text("Foe-5")
    one.see(f"/rooms/{room}")
    one.page.get_by_role("group", name="1 桌", exact=True).get_by_role("button").click()
    one.page.locator("dialog").get_by_role("button", name="照样坐下").click()
    expect(one.page.locator("[data-ready]")).to_be_visible()

    # A friend who waits at a table can be joined from the list of friends.
    friend.page.locator("[data-quick]").click()
    expect(friend.page.locator("[data-ready]")).to_be_visible()
    one.see("/friends")
    expect(one.page.locator("[data-where=join]")).to_be_visible()
    for person in (one, friend):
        person.healthy()


def test_who_was_slower_at_one_table_sits_down_at_the_next(window: Callable[..., Page], house: Server) -> None:
    first, second, late = (Guest(window(), house, name) for name in ("先到者", "Second-6", "Late-6"))
    room = first.room("score", "behind")

    def behind(line: WebSocketRoute) -> None:
        """A map that stays as it was."""
        hall = line.connect_to_server()
        hall.on_message(lambda text: None if '"room_ev"' in str(text) else line.send(text))

    late.page.route_web_socket(re.compile(r"/ws$"), behind)
    table = room * 100 + 1
    first.see(f"/tables/{table}?sit=0")
    expect(first.page.locator("[data-ready]")).to_be_visible()
    late.see(f"/rooms/{room}")
    expect(late.page.locator(f"[data-table='{table}'] [data-seat]")).to_have_count(1)
    second.see(f"/tables/{table}?sit=1")
    expect(second.page.locator("[data-ready]")).to_be_visible()
    late.page.locator("[data-quick]").click()
    expect(late.page.locator("[data-ready]")).to_be_visible()
    assert not late.page.url.endswith(f"/{table}")
    late.healthy()


def test_all_that_is_mine_comes_as_a_file_and_the_account_goes(window: Callable[..., Page], house: Server) -> None:
    one = Guest(window(320, 720), house, "归去来")
    one.see("/settings/data")
    # Packed in a process of its own, which takes as long as the machine lets it.
    with one.page.expect_download(timeout=120_000) as found:
        one.page.locator("[data-fetch-mine]").click()
    assert found.value.suggested_filename == "qipai-归去来.zip"
    with zipfile.ZipFile(found.value.path()) as zip:
        assert json.loads(zip.read("profile.json"))["name"] == "归去来"
    one.page.locator("[data-end-account]").click()
    dialog = one.page.locator("dialog")
    expect(dialog).to_contain_text("归去来")
    dialog.locator("[data-end-password]").fill("not my password")
    dialog.locator(".danger").click()
    expect(dialog.locator(".why")).to_contain_text("密码不对")
    dialog.locator("[data-end-password]").fill(PASSWORD)
    dialog.locator(".danger").click()
    expect(one.page.locator(".games")).to_be_visible()
    expect(one.page.locator("a[href='/signin']").first).to_be_visible()
    assert one.call("/login", {"name": "归去来", "password": PASSWORD})["error"]["code"] == "BAD_LOGIN"
    one.healthy()


def test_a_statement_and_a_limit_of_ones_own(window: Callable[..., Page], house: Server) -> None:
    one = Guest(window(), house, "量入为出")
    one.see("/ledger")
    expect(one.page.locator("[data-balance='200']")).to_be_visible()
    one.page.get_by_label("每天输到多少就停").fill("30")
    one.page.get_by_role("button", name="定下").click()
    expect(one.page.locator("[data-limit='30']")).to_be_visible()
    one.page.get_by_label("每天输到多少就停").fill("")
    one.page.get_by_role("button", name="定下").click()
    expect(one.page.locator("[data-limit='']")).to_be_visible()
    with one.page.expect_download() as found:
        one.page.get_by_text("CSV").click()
    assert "balance" in Path(found.value.path()).read_text("utf-8")

    # Minors' mode: coins are gone from the menu and from the rooms, until it is off again.
    one.see("/settings/data")
    one.page.get_by_role("switch", name="未成年人模式").click()
    expect(one.page.locator("a[href='/ledger']")).to_have_count(0)
    one.page.get_by_role("switch", name="未成年人模式").click()
    expect(one.page.locator("a[href='/ledger']").first).to_be_visible()
    one.healthy()


def found(person: Guest) -> Locator:
    return person.page.locator("main a[href^='/users/']", has_text="pages")


def test_lists_come_in_pages_as_long_as_one_has_chosen(window: Callable[..., Page], house: Server) -> None:
    one = Guest(window(), house, "pages01")
    for nth in range(2, 22):
        one.call("/register", {"name": f"pages{nth:02}", "password": PASSWORD})  # and is the last of them
    more = one.page.get_by_role("button", name="更多", exact=True)
    one.see("/players?name=pages")
    expect(found(one)).to_have_count(21)
    expect(more).to_have_count(0)

    one.see("/settings/account")
    with one.page.expect_response("**/api/v1/me/settings"):
        one.page.get_by_role("radiogroup", name="每页行数").get_by_text("20", exact=True).click()
    one.see("/players?name=pages")
    expect(more).to_be_visible()
    expect(found(one)).to_have_count(20)
    more.click()
    expect(found(one)).to_have_count(21)
    one.healthy()

    # The same at another device, and in other lists.
    other = Guest(window(), house, "pages21", known=True)
    other.see("/players?name=pages")
    expect(found(other)).to_have_count(20)
    with other.page.expect_request(re.compile(r"/ledger\?.*\blimit=20\b")):
        other.see("/ledger")
    other.healthy()
