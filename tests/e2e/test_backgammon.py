"""People play backgammon in a real browser: a match with the cube and a Crawford game, and variants against bots."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.backgammon import Player
from tests.e2e.person import box_of, rests

SIZES = {"desktop": (1440, 900), "phone": (390, 844), "small": (320, 640), "sideways": (844, 390)}


@pytest.fixture
def visit(window: Callable[..., Page], hall: Server) -> Callable[..., Player]:
    """Open a browser of its own at the hall, as a guest."""

    def opened(size: str = "desktop", **more: object) -> Player:
        page = window(*SIZES[size], reduced_motion="reduce", **more)
        return Player(page, touch=size != "desktop").guest(hall)

    return opened


def test_a_match_to_three_with_the_cube(visit: Callable[..., Player], hall: Server, shots: Path) -> None:
    host, guest = visit("desktop"), visit("phone")
    made = host.call("/tables", {"game": "backgammon", "options": {"match_to": 3}, "private": True})
    for seat, one in enumerate((host, guest)):
        one.page.goto(f"{hall.url}/t/{made['key']}")
        one.page.locator(f"[data-sit='{seat}']").click()
    for one in (host, guest):
        one.page.locator("[data-ready]").click()
    for one in (host, guest):
        expect(one.stage).to_be_visible()

    # The first game: turns of both until somebody may double; he does, it is taken, and the taker resigns two points.
    both = (host, guest)
    doubler = taker = host
    for _ in range(200):
        doubled = next((one for one in both if one.may("roll") and one.may("double")), None)
        if doubled is not None and int(doubled.stage.get_attribute("data-lines") or 0) >= 3:
            doubler, taker = doubled, guest if doubled is host else host
            break
        if not any(one.turn() for one in both):
            host.page.wait_for_timeout(100)
    host.page.screenshot(path=shots / "backgammon-desktop.png")
    guest.page.screenshot(path=shots / "backgammon-phone.png")
    doubler.press("double")
    expect(taker.page.locator("[data-take]")).to_be_visible()
    expect(taker.page.locator("[data-asked]")).to_contain_text("加倍到 2")
    taker.page.screenshot(path=shots / "backgammon-asked.png")
    taker.press("take")
    expect(doubler.page.locator(".bg [data-cube='2']")).to_be_visible()
    expect(doubler.page.locator("[data-roll]")).to_be_visible()
    for _ in range(200):  # one turn each, then the taker gives it up before he rolls
        if taker.may("roll"):
            break
        if not doubler.turn():
            host.page.wait_for_timeout(100)
    taker.press("resign")
    taker.page.locator("dialog .danger").click()
    expect(doubler.page.locator("[data-accept]")).to_be_visible()
    doubler.press("accept")

    # The second game: two of three points are won, so it is the Crawford game and nobody may double.
    for one in both:
        expect(one.stage).to_have_attribute("data-game", "2")
    score = {"2:0", "0:2"}
    expect(host.page.locator("[data-crawford]")).to_be_visible()
    assert host.page.locator("[data-score]").get_attribute("data-score") in score
    for _ in range(200):
        if any(one.may("roll") for one in both):
            break
        if not any(one.turn() for one in both):
            host.page.wait_for_timeout(100)
    roller = next(one for one in both if one.may("roll"))
    assert not roller.may("double")
    roller.page.locator("[data-double]").click(force=True)  # grey, and it says why
    expect(roller.page.locator("[role=alert].why")).to_contain_text("克劳福德")
    host.page.screenshot(path=shots / "backgammon-crawford.png")
    for _ in range(6):
        if not any(one.turn() for one in both):
            host.page.wait_for_timeout(100)
    host.page.reload()  # in the middle of everything
    expect(host.stage).to_be_visible()
    expect(host.stage).to_have_attribute("data-position", guest.position())
    # Whoever is behind resigns the game, and with it the match.
    for _ in range(200):
        if taker.page.locator("[data-resign]").count():
            break
        if not doubler.turn():
            host.page.wait_for_timeout(100)
    taker.press("resign")
    taker.page.locator("dialog .danger").click()
    doubler.press("accept")
    for one in both:
        expect(one.page.locator(".result")).to_be_visible()
    rests(host.page)
    host.page.screenshot(path=shots / "backgammon-result.png")
    for one in both:
        one.healthy()


def shows_all_of_the_board(page: Page, shots: Path) -> None:
    """On a phone no plate of the replay lies on the board, and no flag beside the window."""
    page.locator("[data-go=last]").tap()
    over, under = page.locator(".plate[data-seat]").all()
    flag = box_of(page.locator(".flag.on"))
    page.screenshot(path=shots / "backgammon-replay-phone.png")
    board, over_it, under_it = box_of(page.locator(".bg")), box_of(over), box_of(under)
    assert over_it["y"] + over_it["height"] <= board["y"]
    assert board["y"] + board["height"] <= under_it["y"]
    for plate in (over, under):
        assert plate.locator(".sub").evaluate("(one) => one.scrollWidth - one.clientWidth") <= 0
    size = page.viewport_size
    assert size
    assert flag["x"] >= 0
    assert flag["x"] + flag["width"] <= size["width"]


@pytest.mark.parametrize(("variant", "size", "lang"), [("hyper", "desktop", "en"), ("race", "small", "zh-CN")])
def test_a_game_against_a_bot_to_the_last_checker(
    visit: Callable[..., Player], hall: Server, shots: Path, variant: str, size: str, lang: str
) -> None:
    person = visit(size, locale=lang, color_scheme="dark" if lang == "en" else "light")
    made = person.call("/play", {"game": "backgammon", "level": "easy", "variant": variant, "options": {"cube": False}})
    page = person.page
    page.goto(f"{hall.url}/tables/{made['table']}")
    expect(person.stage).to_be_visible()
    turns = 0
    for _ in range(2000):
        if person.over:
            break
        if person.turn():
            turns += 1
        else:
            page.wait_for_timeout(60)
        if turns == 4:
            page.screenshot(path=shots / f"backgammon-{variant}.png")
    expect(page.locator(".result")).to_be_visible()
    person.healthy()
    replay = page.locator("a[href^='/g/']").first.get_attribute("href")
    page.goto(f"{hall.url}{replay}")
    if size != "desktop":
        shows_all_of_the_board(page, shots)
        return
    # Afterwards: the dice are drawn again in the browser, and the game is gone through.
    expect(page.locator(".fair.good")).to_be_visible()
    page.locator("[data-analyse]").click()
    expect(page.locator("[data-analysis]")).to_be_visible(timeout=180_000)
    assert float(page.locator("[data-loss='1']").inner_text().split()[-1]) >= 0
    worst = page.locator("[data-worst]")
    assert worst.count(), "two who play in a hurry are not perfect"
    at = worst.first.get_attribute("data-worst")
    worst.first.click()
    expect(page.locator("[data-verdict]")).to_be_visible()
    assert page.url.endswith(f"#{at}")
    page.screenshot(path=shots / "backgammon-analysis.png")
    person.healthy()


def test_what_cannot_be_decided_is_done_by_itself(visit: Callable[..., Player], hall: Server) -> None:
    person = visit()
    page = person.page
    page.goto(f"{hall.url}/settings/play")
    for word in ("自动掷骰子", "显示剩余点数"):
        page.get_by_role("switch", name=word).click()
    made = person.call("/play", {"game": "backgammon", "level": "easy", "options": {"cube": False}})
    page.goto(f"{hall.url}/tables/{made['table']}")
    expect(person.stage).to_be_visible()
    turns = 0
    for _ in range(300):
        if turns == 2:
            break
        if person.may("finish") or page.locator(".bg .man:has(.may)").count():
            turns += person.turn()
        page.wait_for_timeout(60)
    assert turns == 2, "the dice were thrown by themselves"
    assert page.locator("[data-pips]").count() == 0
    person.healthy()


def test_a_rule_that_goes_by_the_variant_has_three_answers(visit: Callable[..., Player], hall: Server) -> None:
    person = visit()
    page = person.page
    made = person.call("/tables", {"game": "backgammon", "variant": "race", "private": True})
    page.goto(f"{hall.url}/t/{made['key']}")
    page.locator("[data-sit='0']").click()
    page.get_by_role("button", name="改规则").click()
    cube = page.get_by_role("radiogroup", name="加倍骰")
    expect(cube.get_by_role("radio")).to_have_count(3)
    expect(cube.get_by_role("radio", checked=True)).to_have_accessible_name("按变体")
    page.locator("[data-number='match_to'] button").last.click()
    expect(page.locator("[data-number='match_to'] input")).to_have_value("1")
    person.healthy()


@pytest.mark.parametrize("size", ["small", "sideways", "desktop"])
@pytest.mark.parametrize("variant", ["plakoto", "fevga", "grasshopper", "crowded"])
def test_every_board_stands_on_every_screen(
    visit: Callable[..., Player], hall: Server, shots: Path, variant: str, size: str
) -> None:
    person = visit(size)
    made = person.call("/play", {"game": "backgammon", "level": "easy", "variant": variant})
    page = person.page
    page.goto(f"{hall.url}/tables/{made['table']}")
    expect(person.stage).to_be_visible()
    expect(page.locator(".strip")).to_be_visible()
    board = box_of(page.locator(".bg"))
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= SIZES[size][1]
    page.screenshot(path=shots / f"backgammon-{variant}-{size}.png")
    person.healthy()


def test_what_is_refused_is_explained(visit: Callable[..., Player], hall: Server) -> None:
    person = visit()
    made = person.call("/play", {"game": "backgammon", "level": "easy"})
    page = person.page
    page.goto(f"{hall.url}/tables/{made['table']}")
    expect(person.stage).to_be_visible()
    for _ in range(200):
        if page.locator(".bg .man:has(.may)").count():
            break
        if person.may("roll"):
            person.press("roll")
        page.wait_for_timeout(100)
    before = person.position()
    page.keyboard.press(":")
    page.locator("[data-type-move]").fill("24/1")
    page.keyboard.press("Enter")
    expect(page.locator("[role=alert].why")).to_be_visible()
    assert person.position() == before
    # A step laid is taken back.
    person.step()
    page.keyboard.press("u")
    expect(person.stage).to_have_attribute("data-laid", "0")
    assert person.position() == before
    person.healthy()


WINDOWS = [(1280, 800), (1440, 900), (1920, 1080), (2560, 1440), (390, 844), (844, 390)]
FILLS = """() => {
  const box = (one) => document.querySelector(one).getBoundingClientRect();
  const [board, cloth] = [box(".bg"), box(".stage.cloth-ground")];
  const left = [cloth.width - board.width, cloth.height - board.height];
  return Math.min(...left) >= -1 && Math.min(...left) <= 32;
}"""
DRAWN = """() => {
  const board = document.querySelector(".bg");
  const scale = board.getScreenCTM().a;
  const letters = [...board.querySelectorAll("text")].map((one) => parseFloat(getComputedStyle(one).fontSize) * scale);
  const dice = board.querySelector(".dice.mine")?.getBoundingClientRect() ?? null;
  return { least: Math.min(...letters), dice: dice && Math.min(dice.width, dice.height) };
}"""


def test_a_click_that_is_no_move_says_which_and_keeps_the_checker(
    visit: Callable[..., Player], hall: Server, shots: Path
) -> None:
    person = visit()
    page = person.page
    made = person.call("/play", {"game": "backgammon", "level": "easy"})
    page.goto(f"{hall.url}/tables/{made['table']}")
    expect(page.locator(".open")).to_have_text(re.compile(r"定先手：白方 (\d)，黑方 (?!\1)\d"))
    for _ in range(200):
        if page.locator(".bg .man:has(.may)").count():
            break
        if person.may("roll"):
            person.press("roll")
        page.wait_for_timeout(60)
    # Nothing has been hit in the first turn, so whatever glows stands on a point.
    glowing = page.locator(".bg .man:has(.may)")
    sources = set(glowing.evaluate_all("(all) => all.map((one) => one.dataset.where)"))
    box = box_of(glowing.first.locator(".may"))
    held = str(glowing.first.get_attribute("data-where"))
    person.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".bg .selected")).to_have_count(1)
    open_to = set(page.locator(".bg [data-target]").evaluate_all("(all) => all.map((one) => one.dataset.target)"))
    closed = [n for n in range(1, 25) if f"p{n}" not in sources | open_to]
    for n in (closed[0], closed[-1]):
        label = box_of(page.locator(".bg .num").nth(n - 1))
        person.tap(label["x"] + label["width"] / 2, label["y"] + label["height"] / 2)
        expect(page.locator("[role=alert].why")).to_contain_text(re.compile(rf"\b{held[1:]}/{n}\b"))
        expect(page.locator(f".bg .man[data-where={held}] .selected")).to_have_count(1)
    # The board takes the window's room, and all that is written on it can be read.
    for size in WINDOWS:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_function(FILLS)  # the drawing follows a moment later
        drawn = page.evaluate(DRAWN)
        assert drawn["least"] >= 11.99, (size, drawn)
        assert drawn["dice"] is None or drawn["dice"] >= 43.9, (size, drawn)
        page.screenshot(path=shots / f"backgammon-{size[0]}.png")
    person.healthy()


# What a line says behind its dice.
WORDS = "(one) => [...one.childNodes].filter((part) => part.nodeType === 3).map((part) => part.data).join('')"


def test_the_last_move_is_marked_from_where_to_where(visit: Callable[..., Player], hall: Server) -> None:
    person = visit()
    page = person.page
    made = person.call("/play", {"game": "backgammon", "level": "easy", "options": {"cube": False}})
    page.goto(f"{hall.url}/tables/{made['table']}")
    marks = page.locator(".bg [data-last]")
    for _ in range(300):
        if page.locator(".bg .man:has(.may)").count() and marks.count():
            break
        person.turn()
        page.wait_for_timeout(60)
    line = str(page.locator(".moves td.now").evaluate(WORDS))
    parts = [part.split("(")[0].replace("*", "").split("/") for part in line.split()]
    theirs = {"bar": "bar", "off": "off"} | {str(n): f"p{25 - n}" for n in range(1, 25)}
    wanted = [f"{theirs[part[0]]} {theirs[part[-1]]}" for part in parts]
    seen = "(all) => all.map((one) => one.dataset.last)"
    assert marks.evaluate_all(seen) == wanted
    page.reload()  # whoever comes back sees it, too
    expect(marks).to_have_count(len(wanted))
    assert marks.evaluate_all(seen) == wanted
    person.healthy()


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_good_turn_is_laid_for_who_asks(visit: Callable[..., Player], hall: Server, size: str) -> None:
    me = visit(size)
    table = me.call("/play", {"game": "backgammon", "level": "easy"})["table"]
    me.page.goto(f"{hall.url}/tables/{table}")
    advise = me.page.locator("[data-advise]")
    expect(advise).to_be_visible()
    while not me.may("finish"):
        advise.click()
        spoken = me.page.locator("[data-spoken]")
        expect(spoken).to_contain_text("提示：")
        if me.may("roll"):
            me.does("roll")
    before = me.position()
    me.page.locator("[data-finish]").click()
    expect(me.stage).not_to_have_attribute("data-position", before)


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_one_looks_back_through_a_running_game(visit: Callable[..., Player], hall: Server, size: str) -> None:
    me = visit(size)
    table = me.call("/play", {"game": "backgammon", "level": "easy"})["table"]
    me.page.goto(f"{hall.url}/tables/{table}")
    expect(me.stage).to_be_visible()
    while not (me.may("roll") and int(me.stage.get_attribute("data-lines") or 0) >= 2):
        me.turn()
        expect(me.page.locator("[data-advise]")).to_be_visible()  # it is my turn again
    now, lines = me.position(), int(me.stage.get_attribute("data-lines") or 0)
    me.press("look-back")
    expect(me.page.locator("[data-looking]")).to_be_visible()
    expect(me.stage).to_have_attribute("data-lines", str(lines - 1))
    assert me.position() != now
    while me.may("earlier"):
        me.press("earlier")
    expect(me.stage).to_have_attribute("data-lines", "0")
    assert me.position().count("24:2 13:5 8:3 6:5") == 2
    assert me.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    me.press("now")
    expect(me.stage).to_have_attribute("data-position", now)
    assert me.may("roll")
