"""A person plays xiangqi in a real browser: to mate against a bot, and with a friend who followed a link."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.person import box_of, rests
from tests.e2e.xiangqi import Player

SIZES = {"desktop": (1440, 900), "phone": (390, 844), "sideways": (844, 390)}
COORDINATES = 'localStorage.getItem("qipai.prefs") || localStorage.setItem("qipai.prefs", \'{"notation":"iccs"}\')'


@pytest.fixture
def visit(window: Callable[..., Page]) -> Callable[..., Player]:
    """Open a browser of its own; it lists moves by squares, so that they can be followed."""

    def opened(size: str = "desktop", **more: object) -> Player:
        page = window(*SIZES[size], **more)
        page.add_init_script(COORDINATES)
        return Player(page, touch=size != "desktop")

    return opened


def against_a_bot(person: Player, hall: Server) -> None:
    """From the front page to the board in one click."""
    page = person.page
    page.goto(hall.url)
    expect(page.locator(".level input:checked")).to_have_value("easy")  # a first game can be won
    page.locator("[data-play=xiangqi]").click()
    expect(person.stage).to_be_visible()


def two_friends(host: Player, guest: Player, hall: Server) -> None:
    """One makes a table, the other comes by its link; both are ready."""
    host.page.goto(hall.url)
    host.page.locator("[data-private]").click()
    host.page.locator("[data-private-game=xiangqi]").click()
    host.page.locator("[data-invite]").click()
    link = host.page.locator("[data-link]").input_value()
    host.page.keyboard.press("Escape")
    guest.page.goto(link)
    guest.page.locator("[data-sit]").click()
    for one in (guest, host):
        one.page.locator("[data-ready]").click()
    for one in (host, guest):
        expect(one.stage).to_be_visible()


@pytest.mark.parametrize(("size", "lang"), [("desktop", "zh-CN"), ("phone", "en")])
def test_a_person_plays_to_mate(visit: Callable[..., Player], hall: Server, shots: Path, size: str, lang: str) -> None:
    person = visit(size, locale=lang, color_scheme="dark" if lang == "en" else "light")
    against_a_bot(person, hall)
    page = person.page
    for turn in range(120):
        person.waits(2 * turn)
        if person.over:
            break
        person.follow()
        person.move(person.best())
        if turn == 3:
            # In the middle of everything: reload. The game is where it was.
            person.sees(8)
            page.reload()
            expect(person.stage).to_be_visible()
            person.sees(8)
        if turn == 5:
            page.screenshot(path=shots / f"xiangqi-{size}.png")
    expect(page.locator(".result")).to_be_visible()
    rests(page)
    page.screenshot(path=shots / f"xiangqi-{size}-result.png")
    assert page.locator(".result h1").inner_text().startswith("胜" if lang == "zh-CN" else "Won")
    assert re.search("将死|困毙" if lang == "zh-CN" else "mate", page.locator(".result h1 small").inner_text())
    page.goto(hall.url)
    expect(page.locator(".level input:checked")).to_have_value("steady")  # who has won meets more
    person.healthy()


def test_what_is_refused_is_explained(visit: Callable[..., Player], hall: Server, shots: Path) -> None:
    person = visit()
    against_a_bot(person, hall)
    page = person.page
    person.tap("b0")
    person.tap("d1")  # the elephant's place bars its way: the horse cannot step over c0
    expect(page.locator(".why")).to_contain_text("蹩马腿")
    expect(person.stage).to_have_attribute("data-flash", "c0")
    assert person.plies() == 0
    page.screenshot(path=shots / "xiangqi-refused.png")
    page.locator(".why button").click()
    expect(page.locator("[role=dialog] .asked h3")).to_have_text("马")
    page.keyboard.press("Escape")
    person.tap("e9")
    expect(page.locator(".why")).to_be_visible()
    person.tap("h2")
    expect(page.locator(".why")).to_have_count(0)
    person.tap("h2")
    expect(page.locator(".xq .selected")).to_have_count(0)
    person.healthy()


def test_a_man_is_dragged_and_may_be_put_back(visit: Callable[..., Player], hall: Server) -> None:
    person = visit()
    against_a_bot(person, hall)
    x, y = person.at("h2")
    person.page.mouse.move(x, y)
    person.page.mouse.down()
    person.page.mouse.move(x - 60, y - 40, steps=4)
    person.page.mouse.move(x, y, steps=4)
    person.page.mouse.up()
    assert person.plies() == 0
    person.drag("h2", "e2")
    person.sees(2)
    assert person.moves()[0] == "h2e2"
    person.healthy()


def test_a_finger_sees_its_man_through_a_lens(visit: Callable[..., Player], hall: Server, shots: Path) -> None:
    person = visit("phone")
    against_a_bot(person, hall)
    page = person.page
    line = page.context.new_cdp_session(page)

    def touch(kind: str, square: str | None) -> None:
        points = []
        if square:
            x, y = person.at(square)
            points = [{"x": x, "y": y}]
        line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", "h2")
    expect(page.locator(".lens")).to_be_visible()  # a held press shows it
    touch("touchMove", "f2")
    touch("touchMove", "e2")
    expect(page.locator(".xq .home")).to_be_visible()
    page.screenshot(path=shots / "xiangqi-phone-lens.png")
    touch("touchEnd", None)
    expect(page.locator(".lens")).to_have_count(0)
    person.sees(2)
    assert person.moves()[0] == "h2e2"
    person.healthy()


def test_the_keyboard_is_enough(visit: Callable[..., Player], hall: Server) -> None:
    person = visit()
    against_a_bot(person, hall)
    keys = person.page.keyboard
    for key in ["ArrowUp", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"]:
        keys.press(key)  # the first arrow shows the cursor on e3, the others lead it to h2
    expect(person.page.locator(".xq .selected")).to_be_visible()
    for key in ["ArrowLeft", "ArrowLeft", "ArrowLeft", "Enter"]:
        keys.press(key)
    person.sees(2)
    first = person.moves()[0]
    assert first[2:] == "e" + first[1]
    before = person.page.locator(".files text").first.text_content()
    keys.press("f")
    assert person.page.locator(".files text").first.text_content() != before
    keys.press("f")
    keys.press(":")
    person.page.locator("[data-type-move]").fill("b0c2")
    keys.press("Enter")
    person.sees(4)
    assert person.moves()[2] == "b0c2"
    keys.press("?")
    expect(person.page.locator("[role=dialog]")).to_be_visible()
    keys.press("Escape")
    person.healthy()


def test_two_friends_at_a_private_table(visit: Callable[..., Player], hall: Server, shots: Path) -> None:
    host, guest = visit("desktop"), visit("phone", locale="en")
    host.page.goto(hall.url)
    host.page.locator("[data-private]").click()
    host.page.locator("[data-private-game=xiangqi]").click()
    host.page.locator("[data-invite]").click()
    link = host.page.locator("[data-link]").input_value()
    assert re.fullmatch(re.escape(hall.url) + r"/t/[\w-]{20,}", link)
    host.page.keyboard.press("Escape")
    guest.page.goto(link)
    guest.page.locator("[data-sit]").click()

    # The time is agreed by both before anybody can be ready.
    host.page.get_by_text("换个时间").click()
    host.page.locator(".preset").nth(1).click()
    expect(host.page.locator("[data-ready]")).to_have_attribute("aria-disabled", "true")
    expect(guest.page.locator(".talk .offer")).to_be_visible()
    guest.page.screenshot(path=shots / "xiangqi-talk.png")
    guest.page.get_by_role("button", name="Agree", exact=True).click()
    for one in (host, guest):
        expect(one.page.locator(".talk .now")).to_contain_text("20")
        one.page.locator("[data-ready]").click()
    for one in (host, guest):
        expect(one.stage).to_be_visible()

    host.move("h2e2")
    guest.sees(1)
    # On a phone, too, one is told what has become of one's offer.
    guest.page.locator("[data-offer-draw]").click()
    expect(guest.page.locator(".held")).to_contain_text("waits for an answer")
    host.page.locator("[data-decline-draw]").click()
    expect(guest.page.locator(".held")).to_contain_text("did not accept")
    guest.move("h9g7")
    host.sees(2)

    # A draw is offered and declined, a word is said.
    host.page.locator("[data-offer-draw]").click()
    guest.page.locator("[data-decline-draw]").click()
    host.page.keyboard.press("c")
    host.page.locator(".phrases button").first.click()
    heard = ".bubble, [data-seat] q"  # in the line of a phone it stands in place of the name
    expect(guest.page.locator(heard)).to_be_visible()
    for one in (host, guest):  # what is said hangs over no board
        said, board = box_of(one.page.locator(heard)), box_of(one.page.locator(".xq").first)
        apart = said["x"] + said["width"] <= board["x"] or said["y"] + said["height"] <= board["y"]
        assert apart or said["y"] >= board["y"] + board["height"]
    host.page.locator("[data-page=game]").click()

    # Premove: asked for while the other thinks, played when it is my turn.
    guest.tap("b9")
    guest.tap("c7")
    expect(guest.page.locator(".xq .ghost")).to_be_visible()
    host.move("b2c2")
    host.sees(4)
    assert host.moves()[3] == "b9c7"

    # Leaving costs what the hall says; who stays, stays.
    host.page.locator("[data-leave]").click()
    expect(host.page.locator("dialog")).to_be_visible()
    host.page.keyboard.press("Escape")
    expect(host.page.locator("dialog")).to_have_count(0)

    guest.page.locator("[data-resign]").click()
    guest.page.locator("dialog").get_by_role("button", name="Resign", exact=True).click()
    for one in (host, guest):
        expect(one.page.locator(".result")).to_be_visible()
    rests(host.page)
    host.page.screenshot(path=shots / "xiangqi-friends-result.png")
    assert "红方胜" in host.page.locator(".result").inner_text()

    # Once more, with the colours changed.
    for one in (host, guest):
        one.page.locator("[data-again]").click()
    for one in (host, guest):
        expect(one.page.locator(".result")).to_have_count(0)
        one.sees(0)
    assert guest.page.locator(".files text").first.text_content() == "1"  # red sits below now
    assert host.page.locator(".files text").first.text_content() == "一"
    guest.move("h2e2")
    host.sees(1)
    for one in (host, guest):
        one.healthy()


def test_a_move_is_taken_back_when_both_agree(visit: Callable[..., Player], hall: Server) -> None:
    host, guest = visit("desktop"), visit("phone")
    for one in (host, guest):
        one.page.goto(hall.url)
        one.call("/guest", {})
    made = host.call("/tables", {"game": "xiangqi", "private": True, "options": {"takeback": "ask"}})
    for seat, one in enumerate((host, guest)):
        one.page.goto(f"{hall.url}/t/{made['key']}")
        one.page.locator(f"[data-sit='{seat}']").click()
        one.page.locator("[data-ready]").click()
    for one in (host, guest):
        expect(one.stage).to_be_visible()
    before = host.fen()
    expect(host.page.locator("[data-takeback]")).to_have_count(0)  # there is nothing to take back
    host.move("h2e2")
    guest.sees(1)
    moved = guest.fen()

    host.page.locator("[data-takeback]").click()
    guest.page.locator("[data-decline]").tap()
    expect(host.page.locator(".ask")).to_have_count(0)
    said = re.compile(r"没有谈成.*游客-\d+不同意悔棋，照原样打下去。可以过一会儿再提。")
    expect(host.page.get_by_role("alert").filter(has_text=said).first).to_be_visible()
    expect(guest.page.get_by_text("没有谈成")).to_have_count(0)  # it is no news to who said no
    assert host.fen() == guest.fen() == moved

    host.page.locator("[data-takeback]").click()
    guest.page.locator("[data-agree]").tap()
    for one in (host, guest):
        one.sees(0)
        assert one.fen() == before
    host.move("b2e2")
    guest.sees(1)
    for one in (host, guest):
        one.healthy()


def test_the_last_ten_seconds_are_red(visit: Callable[..., Player], hall: Server) -> None:
    person = visit()
    person.page.goto(hall.url)
    person.call("/guest", {})
    clock = {"type": "fischer", "base": 20, "inc": 0}
    made = person.call("/play", {"game": "xiangqi", "level": "easy", "colour": "mine", "clock": clock})
    person.page.goto(f"{hall.url}/tables/{made['table']}")
    expect(person.stage).to_be_visible()
    short, other = person.page.locator("[role=timer].short"), person.page.locator("[role=timer]:not(.short)")
    expect(short).to_have_count(1)  # mine, which runs: seconds later
    expect(other).to_have_count(1)
    assert re.search(r"的钟 (\d\.\d|0:0\d)$", short.get_attribute("aria-label") or "")
    red, plain = (each.evaluate("one => getComputedStyle(one).backgroundColor") for each in (short, other))
    assert red != plain


def test_the_line_is_lost_and_found(visit: Callable[..., Player], hall: Server, shots: Path) -> None:
    host, guest = visit(), visit("phone")
    two_friends(host, guest, hall)
    host.move("h2e2")
    guest.sees(1)
    host.page.context.set_offline(True)
    expect(host.page.locator(".bar[role=status]")).to_be_visible()
    host.page.screenshot(path=shots / "xiangqi-offline.png")
    expect(guest.page.locator(".mark")).to_be_visible()  # the other sees a plug and the seconds of grace
    guest.move("h9g7")
    assert host.plies() == 1
    host.page.context.set_offline(False)
    host.sees(2)
    expect(host.page.locator(".bar[role=status]")).to_have_count(0)
    host.move("h0g2")
    guest.sees(3)
    expect(guest.page.locator(".mark")).to_have_count(0)
    host.wrongs.clear()  # a browser tells of the sockets it could not open
    for one in (host, guest):
        one.healthy()


def test_a_move_given_while_the_line_is_down_arrives_once(visit: Callable[..., Player], hall: Server) -> None:
    host, guest = visit(), visit()
    two_friends(host, guest, hall)
    host.page.context.set_offline(True)
    expect(host.page.locator(".bar[role=status]")).to_be_visible()
    host.tap("h2")
    host.tap("e2")
    host.page.wait_for_timeout(300)
    assert guest.plies() == 0
    host.page.context.set_offline(False)
    for one in (host, guest):
        one.sees(1)
    guest.move("h9g7")
    host.sees(2)
    assert host.moves()[:2] == ["h2e2", "h9g7"]


def test_a_hall_that_starts_again_is_found_again(visit: Callable[..., Player], tmp_path: Path, hall: Server) -> None:
    with Server(tmp_path, "[limits]\nguests_per_hour = 10000\n") as other:
        host, guest = visit(), visit()
        two_friends(host, guest, other)
        host.move("h2e2")
        guest.move("h9g7")
        guest.sees(2)
        host.sees(2)
        host.tap("h0")
        other.kill()
        expect(host.page.locator(".bar[role=status]")).to_be_visible()
        other.start()
        for one in (host, guest):
            expect(one.page.locator(".bar[role=status]")).to_have_count(0, timeout=30_000)
        expect(host.page.locator(".xq .selected")).to_be_visible()  # what he has lifted is still in his hand
        host.tap("g2")
        host.sees(3)
        guest.sees(3)


def test_a_watcher_sees_and_does_nothing(visit: Callable[..., Player], hall: Server) -> None:
    host, guest, watcher = visit(), visit(), visit("phone")
    two_friends(host, guest, hall)
    host.move("h2e2")
    key = host.page.evaluate('Object.values(JSON.parse(localStorage.getItem("qipai.keys")))[0]')
    watcher.page.goto(f"{hall.url}/t/{key}")
    watcher.sees(1)
    watcher.tap("h9")
    watcher.tap("g7")
    watcher.page.wait_for_timeout(300)
    assert watcher.plies() == 1
    expect(watcher.page.locator("[data-resign]")).to_have_count(0)
    expect(host.page.locator(".icon em.plain")).to_have_text("1")
    guest.move("h9g7")
    watcher.sees(2)
    watcher.healthy()


@pytest.mark.parametrize("size", ["desktop", "phone", "sideways"])
def test_every_set_of_men_and_every_cloth_can_be_played(
    visit: Callable[..., Player], hall: Server, shots: Path, size: str
) -> None:
    person = visit(size)
    against_a_bot(person, hall)
    page = person.page
    for pieces, cloth, theme in [("simplified", "indigo", "light"), ("pictures", "umber", "dark")]:
        page.evaluate(
            """([pieces, cloth, theme]) => localStorage.setItem("qipai.prefs",
              JSON.stringify({pieces, cloth, theme, notation: "iccs", confirm_move: true}))""",
            [pieces, cloth, theme],
        )
        page.reload()
        expect(person.stage).to_be_visible()
        rests(page)
        page.screenshot(path=shots / f"xiangqi-{size}-{pieces}.png")
    # A move is asked about first when the player wants that.
    person.tap("h2")
    person.tap("e2")
    assert person.plies() == 0
    page.locator("[data-confirm]").click()
    person.sees(2)
    person.healthy()


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_good_move_is_shown_to_who_asks(visit: Callable[..., Player], hall: Server, size: str) -> None:
    me = visit(size)
    me.page.goto(f"{hall.url}/grades")
    me.call("/guest", {})
    table = me.call("/play", {"game": "xiangqi", "level": "easy"})["table"]
    me.page.goto(f"{hall.url}/tables/{table}")
    me.page.locator("[data-advise]").click()
    expect(me.page.locator("[data-confirm]")).to_be_visible()
    expect(me.page.locator(".stage[data-plies='0']")).to_be_visible()  # it only stands there
    me.page.locator("[data-confirm]").click()
    expect(me.page.locator(".stage[data-plies='2']")).to_be_visible()
    assert me.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
