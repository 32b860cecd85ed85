"""The pages of the hall in a real browser: found by a stranger, in two languages, on every size of screen."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
import segno
import segno.encoder
from playwright.sync_api import Page, Route, expect
from tests.client import Server
from tests.e2e.fitting import LOOK, SIDEWAYS
from tests.e2e.guest import settled
from tests.e2e.xiangqi import Player

SIZES = {"desktop": (1440, 900), "small": (1024, 768), "tablet": (800, 1000), "phone": (390, 844), "least": (320, 844)}
PAGES = """
/ /rooms /rooms/1 /rooms/3 /rules /rules/xiangqi/repetition /rules/xiangqi/horse /rules/gouji /signin /games /me /kit
/settings /settings/look /settings/sound /settings/play /settings/account
""".split()  # noqa: SIM905
STRICT = "default-src 'self'; style-src 'self'; img-src 'self'; object-src 'none'; base-uri 'none'"


# Two frames: what a new size of the window brings has been drawn.
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def sound(page: Page) -> Callable[[], None]:
    """Watch a page; the answer says at the end that nothing went wrong in it."""
    wrongs: list[str] = []
    page.on("pageerror", lambda wrong: wrongs.append(str(wrong)))
    page.on("console", lambda line: wrongs.append(line.text) if line.type in ("error", "warning") else None)
    page.on("response", lambda answer: wrongs.append(f"{answer.status} {answer.url}") if answer.status > 399 else None)

    def healthy() -> None:
        assert wrongs == []
        assert page.evaluate("document.documentElement.dataset.missing") is None

    return healthy


# Both languages in the widest and the narrowest window: test_every_page.py.
@pytest.mark.parametrize(
    ("lang", "sizes"), [("zh-CN", ("desktop", "small")), ("en", ("tablet", "phone", "least"))], ids=["mouse", "finger"]
)
def test_every_page_fits_every_screen(
    window: Callable[..., Page], hall: Server, shots: Path, lang: str, sizes: tuple[str, ...]
) -> None:
    dark = "dark" if lang == "en" else "light"
    page = window(*SIZES[sizes[0]], locale=lang, color_scheme=dark)
    healthy = sound(page)
    for path in PAGES:
        page.goto(hall.url + path)
        settled(page)
        for size in sizes:
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(DRAWN)
            fits(page, f"{path}, {size}")
            if path in ("/", "/rooms/3", "/settings/look", "/signin", "/rules/xiangqi/horse"):
                name = path.strip("/").replace("/", "-") or "lobby"
                page.screenshot(path=shots / f"hall-{name}-{size}-{lang}.png")
    healthy()


def fits(page: Page, where: str) -> None:
    """Nothing is wrong with a page; of the gallery, which is no page of the hall, only that nothing sticks out."""
    if where.startswith("/kit,"):
        assert page.evaluate(SIDEWAYS) <= 0, where
    else:
        assert page.evaluate(LOOK) == [], where


def test_the_language_changes_without_a_reload(window: Callable[..., Page], hall: Server) -> None:
    page = window()
    page.goto(hall.url)
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(page.locator("h2").last).to_contain_text("也可以打")  # a newcomer is greeted with one game
    page.evaluate("window.same = true")
    page.locator("select[data-languages]:visible").first.select_option("en")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("h2").last).to_contain_text("another game")
    assert page.evaluate("window.same")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_theme_follows_the_system_until_one_chooses(window: Callable[..., Page], hall: Server) -> None:
    page = window(color_scheme="dark")
    page.goto(hall.url)
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(ground) == "rgb(28, 26, 23)"
    page.get_by_label("换成亮的").first.click()
    assert page.evaluate(ground) == "rgb(246, 241, 231)"
    page.reload()
    assert page.evaluate(ground) == "rgb(246, 241, 231)"


def test_nothing_needs_a_softer_security_policy(window: Callable[..., Page], hall: Server) -> None:
    page = window()
    broken: list[str] = []
    page.on("console", lambda line: broken.append(line.text) if "Content Security Policy" in line.text else None)

    def stricter(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, headers={**answer.headers, "content-security-policy": STRICT})

    page.route(re.compile(r"^[^?]*/(settings/look|signin|rules/xiangqi|)$"), stricter)
    for path in ("/", "/settings/look", "/signin", "/rules/xiangqi"):
        answer = page.goto(hall.url + path)
        assert answer
        assert answer.headers["content-security-policy"] == STRICT
        settled(page)
    assert broken == []


def test_a_guest_becomes_a_user_and_keeps_his_settings(window: Callable[..., Page], hall: Server) -> None:
    page = window()
    page.goto(f"{hall.url}/signin")
    page.locator("#name").fill("海潮生")
    page.locator("#password").fill("short")
    expect(page.locator(".strength")).to_contain_text("3")
    page.locator("#password").fill("long enough")
    expect(page.locator(".strength.strong")).to_be_visible()
    page.locator("form .primary").click()
    page.wait_for_url(f"{hall.url}/")
    expect(page.locator("h1")).to_contain_text("海潮生")
    page.goto(f"{hall.url}/settings")
    page.get_by_role("radio", name="靛").click()
    expect(page.locator("html")).to_have_attribute("data-cloth", "indigo")
    page.wait_for_timeout(300)

    other = window()
    other.goto(f"{hall.url}/signin?way=in")
    other.locator("#name").fill("海潮生")
    other.locator("#password").fill("not this one")
    other.locator("form .primary").click()
    expect(other.locator(".why")).to_contain_text("进不去")
    other.locator("#password").fill("long enough")
    other.locator("form .primary").click()
    other.wait_for_url(f"{hall.url}/")
    expect(other.locator("html")).to_have_attribute("data-cloth", "indigo")

    third = window()
    third.goto(f"{hall.url}/signin")
    third.locator("#name").fill("海潮生")
    third.locator("#password").fill("long enough")
    third.locator("form .primary").click()
    expect(third.locator(".why")).to_contain_text("名字有人用了")
    expect(third.locator("form .primary, form .btn[type=submit]")).to_contain_text("先换个名字")


def test_a_room_shows_who_sits_where_as_it_happens(window: Callable[..., Page], hall: Server, shots: Path) -> None:
    looker, sitter = window(), window(390, 844)
    rooms = httpx.get(f"{hall.url}/api/v1/rooms").json()["rows"]
    room = next(row["room"] for row in rooms if (row["game"], row["kind"]) == ("backgammon", "friendly"))
    for page in (looker, sitter):
        page.goto(f"{hall.url}/rooms/{room}")
    expect(looker.locator("[data-table]")).to_have_count(8)  # all are empty: a few are enough
    sitter.locator("[data-more]").click()
    sitter.locator(".rows li button").nth(23).click()
    sitter.locator("[role=dialog] .foot .primary").click()
    expect(sitter.locator("[data-ready]")).to_be_visible()
    expect(looker.locator("[data-table].hot")).to_have_count(1)
    # Where somebody sits comes first, though its number is the last.
    expect(looker.locator("[data-table]").first).to_have_attribute("data-table", str(room * 100 + 24))
    expect(looker.locator("[data-table]")).to_have_count(9)
    looker.locator("[data-more]").click()
    expect(looker.locator("[data-table]")).to_have_count(24)
    expect(looker.locator("[data-table] .in")).to_have_count(1)
    looker.locator("[data-table].hot .top").click()
    expect(looker.locator("[role=dialog] .people li")).to_have_count(2)
    looker.screenshot(path=shots / "hall-room-drawer.png")
    looker.keyboard.press("Escape")
    looker.locator("[data-quick]").click()
    expect(looker.locator("[data-ready]")).to_be_visible()
    expect(sitter.locator(".lounge .seats b")).to_have_count(2)
    # Who leaves before the game leaves no trace.
    looker.locator("[data-leave]").click()
    looker.wait_for_url(re.compile(rf"/rooms/{room}$"))
    expect(sitter.locator(".lounge .seats b")).to_have_count(1)
    # In the list of rooms the games whose rooms have people come first; somebody at a table is there, too.
    looker.goto(f"{hall.url}/rooms")
    expect(looker.locator(f"li[data-room='{room}'] [data-people]")).to_be_visible()
    rows = looker.locator("h2 + ul > li:first-child").evaluate_all(
        "all => all.map((one) => Number(one.querySelector('[data-people]')?.dataset.people ?? 0))"
    )
    assert rows[0] > 0
    assert rows == sorted(rows, reverse=True)


def test_the_link_of_a_private_table_can_be_scanned(
    window: Callable[..., Page], hall: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = window()
    page.goto(hall.url)
    page.locator("[data-private]").click()
    page.locator("[data-private-game=gouji]").click()
    page.locator("[data-invite]").click()
    link = page.locator("[data-link]").input_value()
    expect(page.locator("[data-homebound]")).to_contain_text("--lan")  # this hall is for this machine alone
    dark = set(re.findall(r"M(\d+) (\d+)h1", page.locator("[role=dialog] svg[role=img] path").get_attribute("d") or ""))
    # segno pads one byte too many where the text ends on a byte; the standard does not (ISO 18004, 7.4.10).
    monkeypatch.setattr(segno.encoder, "write_padding_bits", lambda bits, _, length: bits.extend([0] * (-length % 8)))
    drawn = []
    for mask in range(8):
        code = segno.make(link, error="m", mode="byte", mask=mask, boost_error=False, micro=False)
        drawn.append(
            {(str(x + 4), str(y + 4)) for y, row in enumerate(code.matrix) for x, bit in enumerate(row) if bit & 1}
        )
    assert dark in drawn


def test_who_registers_is_told_of_coins_and_sees_them_in_a_coin_room(window: Callable[..., Page], hall: Server) -> None:
    page = window()
    page.goto(f"{hall.url}/signin?way=up")
    page.locator("#name").fill("金币新手")
    page.locator("#password").fill("a long enough word")
    page.locator("form button[type=submit]").click()
    expect(page.get_by_text("200 枚金币").first).to_be_visible()
    rooms = page.evaluate("fetch('/api/v1/rooms').then((found) => found.json())")["rows"]
    page.goto(f"{hall.url}/rooms/{next(row['room'] for row in rooms if row['kind'] == 'coin')}")
    expect(page.locator("dl div", has_text="我的金币").first).to_contain_text("200")


def test_a_private_table_of_several_sizes_takes_one_row_of_a_phone(window: Callable[..., Page], hall: Server) -> None:
    page = window(390, 844)
    page.goto(hall.url)
    page.locator("[data-private]").click()
    sizes = page.locator("[data-seats]")
    expect(sizes).to_have_count(5)
    # All in one moment: the drawer may still be coming up.
    assert sizes.evaluate_all("all => new Set(all.map((one) => one.getBoundingClientRect().y)).size") == 1


def test_the_game_that_is_chosen_is_in_sight(window: Callable[..., Page], hall: Server) -> None:
    page = window(390, 844)
    page.goto(f"{hall.url}/rankings/xiangqi")
    expect(page.locator(".chips [aria-current]")).to_be_in_viewport(ratio=1)


def test_an_unknown_page_and_a_dead_link_say_so(window: Callable[..., Page], hall: Server) -> None:
    page = window()
    page.goto(f"{hall.url}/nothing/here")
    expect(page.locator("h1")).to_have_text("没有这一页")
    page.goto(f"{hall.url}/t/AAAAAAAAAAAAAAAAAAAAAA")
    expect(page.locator(".why")).to_be_visible()
    page.goto(f"{hall.url}/tables/999999")
    expect(page.locator(".why")).to_contain_text("没有这一桌")


def test_the_front_page_is_used_by_keyboard_alone(window: Callable[..., Page], hall: Server) -> None:
    page = window()
    page.goto(hall.url)
    expect(page.locator("[data-play=xiangqi]")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement?.dataset?.play") == "xiangqi":
            break
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert outline == "3px"
    page.keyboard.press("Enter")
    expect(page.locator(".stage[data-fen]")).to_be_visible()


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_rules_say_that_a_chapter_does_not_exist(
    window: Callable[..., Page], hall: Server, shots: Path, size: str
) -> None:
    page = window(*SIZES[size])
    page.goto(f"{hall.url}/rules/xiangqi/unicorn")
    expect(page.locator("article")).to_contain_text("规则里没有这一章")
    expect(page.locator("article")).not_to_contain_text("还没有规则文字")
    page.screenshot(path=shots / f"hall-no-chapter-{size}.png")
    page.locator("article a", has_text="象棋规则目录").click()
    expect(page).to_have_url(re.compile("/rules/xiangqi$"))
    expect(page.locator("article h1")).to_be_visible()
    page.goto(f"{hall.url}/rules/unicorn")
    expect(page.locator("main h1")).to_have_text("没有这一页")
    assert page.evaluate("document.documentElement.dataset.missing") is None


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_lesson_is_walked_to_its_end(window: Callable[..., Page], hall: Server, shots: Path, size: str) -> None:
    page = window(*SIZES[size])
    page.goto(f"{hall.url}/rules/xiangqi/horse")
    player = Player(page, touch=size == "phone")
    lesson = page.locator(".lesson")
    expect(lesson.locator(".target, .capture")).not_to_have_count(0)
    goals = int((lesson.locator("h2 .chip").inner_text()).split("/")[1].split()[0])
    player.tap("f7")  # a soldier stands before the horse: it cannot step over e6
    expect(lesson.locator(".why")).to_contain_text("蹩马腿")
    expect(lesson.locator(".flash")).to_have_count(1)
    expect(lesson.locator(".crossed")).to_have_count(1)
    page.screenshot(path=shots / f"hall-lesson-{size}.png")
    for visited in range(goals):
        assert lesson.get_attribute("data-visited") == str(visited)
        square = lesson.locator("[data-target]:not([data-been])").first.get_attribute("data-target")
        assert square
        player.tap(square)
        expect(lesson).to_have_attribute("data-visited", str(visited + 1))
    expect(lesson.locator(".done")).to_be_visible()
    page.screenshot(path=shots / f"hall-lesson-{size}-done.png")
    page.reload()
    if size == "desktop":
        expect(page.locator(".toc a[aria-current] em.whole")).to_be_visible()
    assert page.evaluate("document.documentElement.dataset.missing") is None


def test_my_turn_is_told_wherever_i_am(window: Callable[..., Page], hall: Server) -> None:
    page, other = window(), window()
    page.goto(hall.url)
    page.locator("[data-private]").click()
    page.locator("[data-private-game=xiangqi]").click()
    page.locator("[data-invite]").click()
    link = page.locator("[data-link]").input_value()
    page.keyboard.press("Escape")
    other.goto(link)
    other.locator("[data-sit]").click()
    for one in (other, page):
        one.locator("[data-ready]").click()
    host, guest = Player(page), Player(other)
    host.move("h2e2")
    guest.sees(1)
    page.locator(".brand").first.click()
    expect(page.locator(".mine .sheet")).to_have_count(1)
    guest.move("h9g7")
    expect(page.locator(".toast")).to_contain_text("轮到你")
    page.locator(".toast .do").click()
    host.sees(2)
    page.locator(".brand").first.click()
    row = page.locator(".mine [data-turn='true']")
    expect(row).to_contain_text("轮到你")
    row.get_by_role("link").click()
    host.sees(2)


def test_dates_are_those_of_the_zone_and_the_order_chosen(window: Callable[..., Page], hall: Server) -> None:
    page = window(320, 720, locale="en", timezone_id="Europe/London")
    page.clock.set_fixed_time("2027-12-31T20:00:00Z")
    page.goto(f"{hall.url}/settings/account")
    hint = page.locator(".row", has=page.get_by_label("Time zone")).locator("p")
    expect(hint).to_contain_text("Dec 31, 2027, 08:00")
    page.get_by_label("Time zone").select_option("Asia/Tokyo")
    expect(hint).to_contain_text("Jan 1, 2028, 05:00")
    for order, day in (("ymd", "2028-01-01"), ("dmy", "01.01.2028"), ("mdy", "01/01/2028")):
        page.get_by_label("Dates").select_option(order)
        expect(hint).to_contain_text(f"{day} 05:00")
    page.evaluate("""() => {
      const prefs = JSON.parse(localStorage.getItem("qipai.prefs"));
      localStorage.setItem("qipai.prefs", JSON.stringify({ ...prefs, zone: "Moon/Base" }));
    }""")
    page.reload()
    expect(hint).to_contain_text("12/31/2027 08:00")  # a zone this browser does not know: its own


def test_a_guest_is_asked_for_a_name_at_the_first_table(hall: Server, window: Callable[..., Page]) -> None:
    page = window(asked=True, locale="en-US")
    page.goto(hall.url)
    page.locator("[data-play=xiangqi]").click()
    expect(page.locator(".naming")).to_be_visible()
    expect(page.get_by_text("Guest-").first).to_be_visible()
    page.locator("[data-guest-name]").fill("Heron77")
    page.locator("[data-take-name]").click()
    expect(page.locator(".naming")).to_have_count(0)
    expect(page.get_by_role("group", name="Heron77").or_(page.locator("b", has_text="Heron77")).first).to_be_visible()
    page.reload()
    expect(page.locator("#cloth [data-seat]").first).to_be_visible()
    expect(page.locator(".naming")).to_have_count(0)
