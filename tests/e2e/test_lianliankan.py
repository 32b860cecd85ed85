"""Races in real browsers: six at one board to the end, a link taken back, keys, a phone, the replay of all boards."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect
from tests.client import Server
from tests.e2e.axe import complaints
from tests.e2e.person import Person, box_of, rests

from qipai.games.lianliankan.board import grid_of, pairs

SMALL = {"rows": 4, "cols": 6, "kinds": 6, "idle_forfeit_s": 0}
Pair = tuple[tuple[int, int], tuple[int, int]]


class Racer(Person):
    """A browser at a race; the rules tell it which pairs link, its own screen what lies there."""

    def board(self) -> list[list[int]]:
        """Return the faces that are drawn."""
        faces = self.page.locator("[data-own] svg[data-faces]").get_attribute("data-faces") or ""
        return [[int(face) for face in row.split(",")] for row in faces.split()]

    def pairs(self) -> list[Pair]:
        """Return the pairs that link on this screen's board."""
        board = self.board()
        return [each.pair for each in pairs(grid_of(board, outside=True), len(board[0]))]

    def tap(self, cell: tuple[int, int]) -> None:
        """Tap a tile in its middle."""
        box = box_of(self.page.locator(f"[data-own] [data-cell='{cell[0]},{cell[1]}']").last)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def link(self, pair: Pair) -> None:
        """Link two tiles, and wait until the hall has answered."""
        for cell in pair:
            self.tap(cell)
        expect(self.page.locator("[data-race][data-ahead]")).to_have_count(0)

    @property
    def left(self) -> int:
        return int(self.page.locator("[data-race]").get_attribute("data-left") or 0)

    def starts(self) -> None:
        """Wait until the board falls open."""
        expect(self.page.locator("[data-race='play']")).to_be_visible()


@pytest.fixture
def visit(window: Callable[..., Page], hall: Server) -> Callable[..., Racer]:
    """Open a browser of its own at the hall, as a guest."""

    def opened(width: int = 1280, height: int = 800, **more: Any) -> Racer:
        return Racer(window(width, height, **more), touch=width < 900).guest(hall)

    return opened


def test_six_browsers_race_one_board_to_the_end(visit: Callable[..., Racer], hall: Server, shots: Path) -> None:
    sizes = [(1280, 800), (1280, 800), (390, 844), (844, 390), (320, 640), (800, 1024)]
    racers = [visit(*size) for size in sizes]
    watcher = visit()
    made = racers[0].call("/tables", {"game": "lianliankan", "options": SMALL, "private": True, "seats": 6})
    link = f"{hall.url}/t/{made['key']}"
    for seat, racer in enumerate(racers):
        racer.page.goto(link)
        racer.page.locator(f"[data-sit='{seat}']").click()
        expect(racer.page.locator("[data-ready]")).to_be_visible()
    watcher.page.goto(link)
    for racer in racers:
        racer.page.locator("[data-ready]").click()
    expect(racers[0].page.locator("[data-race='setup'] .three")).to_be_visible()  # 3-2-1
    for racer in racers:
        racer.starts()
    boards = [racer.board() for racer in racers]
    assert all(board == boards[0] for board in boards)
    expect(watcher.page.locator("[data-board]")).to_have_count(6)

    racers[4].link(racers[4].pairs()[0])
    assert [racer.board() == boards[0] for racer in racers] == [True, True, True, True, False, True]
    expect(racers[0].page.locator("[data-lane='4'] .t")).to_have_text("22")
    # Each is as quick as its number lets it be: the first links every time, the last every sixth.
    beat = 0
    while not racers[0].over:
        beat += 1
        for number, racer in enumerate(racers):
            if beat % (number + 1) == 0 and racer.left and not racer.over and (found := racer.pairs()):
                racer.link(found[0])
        assert beat < 40
        if beat == 4:
            for number, racer in enumerate(racers):
                racer.page.screenshot(path=shots / f"lianliankan-six-{number}.png")
            watcher.page.screenshot(path=shots / "lianliankan-six-watched.png")
    for racer in racers:
        expect(racer.page.locator(".result")).to_be_visible()
    expect(racers[0].page.locator(".result h1")).to_contain_text("+10")
    rests(racers[0].page)
    for number in (0, 4):
        racers[number].page.screenshot(path=shots / f"lianliankan-result-{number}.png")
    # Place, name, points and tiles left, alike on every screen but for who is "you" and the avatars.
    rows = [racer.page.locator(".result tbody tr").all_inner_texts() for racer in racers]
    told = [[[word for word in row.split() if word not in ("·", "你", "游")][:5] for row in found] for found in rows]
    assert all(found == told[0] for found in told), told
    assert [int(row[3].replace("−", "-")) for row in told[0]] == [10, -1, -1, -2, -2, -4]
    assert [int(row[4]) for row in told[0]] == sorted(int(row[4]) for row in told[0])
    for racer in racers:
        racer.healthy()
    replay_of_all(racers[0], hall, shots)


def replay_of_all(racer: Racer, hall: Server, shots: Path) -> None:
    """Look at the race once more: all boards side by side, at its own speed and at four times that."""
    href = racer.page.locator(".result a[href^='/g/']").first.get_attribute("href")
    racer.page.goto(f"{hall.url}{href}")
    expect(racer.page.locator("[data-race]")).to_be_visible()
    racer.page.keyboard.press("ArrowRight")
    expect(racer.page.locator("[data-board]")).to_have_count(6)
    for _ in range(2):
        racer.page.keyboard.press("]")
    racer.page.keyboard.press("Space")
    expect(racer.page.locator("[data-board='4'] figcaption span")).to_have_text("22")
    racer.page.screenshot(path=shots / "lianliankan-replay.png")
    racer.page.keyboard.press("End")
    expect(racer.page.locator("[data-board='0'] figcaption span")).to_have_text("0")
    racer.page.keyboard.press("1")
    expect(racer.page.locator("[data-board]")).to_have_count(0)
    racer.healthy()


class Slow(Racer):
    """A second device whose line can be held up: what the hall says comes late."""

    def __init__(self, context: BrowserContext) -> None:
        page = context.new_page()
        super().__init__(page)
        self.held: list[Any] | None = None
        page.route_web_socket(re.compile(r"/ws$"), self._through)

    def _through(self, line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        line.on_message(server.send)

        def back(message: Any) -> None:
            if self.held is None:
                line.send(message)
            else:
                self.held.append((line, message))

        server.on_message(back)

    def let_go(self) -> None:
        held, self.held = self.held or [], None
        for line, message in held:
            line.send(message)


def test_two_devices_link_one_tile_and_the_second_is_taken_back(
    visit: Callable[..., Racer], hall: Server, shots: Path
) -> None:
    racer = visit()
    options = {**SMALL, "kinds": 2, "copies": 12}
    table = racer.call("/play", {"game": "lianliankan", "seats": 1, "options": options})["table"]
    racer.page.goto(f"{hall.url}/tables/{table}")
    other = Slow(racer.page.context)
    other.page.goto(f"{hall.url}/tables/{table}")
    racer.starts()
    other.starts()
    found = racer.pairs()
    first, second = next((p, q) for p in found for q in found if p < q and len({*p, *q}) == 3)
    (shared,) = set(first) & set(second)
    mine = next(cell for cell in second if cell != shared)
    other.held = []
    racer.link(first)
    before = other.board()
    for cell in second:
        other.tap(cell)
    expect(other.page.locator("[data-race][data-ahead='1']")).to_be_visible()
    assert other.board()[mine[0]][mine[1]] == 0, "shown at once, from the hints"
    assert other.page.locator("[data-line]").count() == 1
    other.let_go()
    expect(other.page.locator("[data-ahead]")).to_have_count(0)
    expect(other.page.locator(".foot [role=alert]")).to_contain_text("没有牌")
    assert other.board() == racer.board()
    assert other.board()[mine[0]][mine[1]] == before[mine[0]][mine[1]] > 0, "and rolled back"
    other.healthy()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_alone_with_keys_or_fingers_to_the_last_pair(
    visit: Callable[..., Racer], hall: Server, shots: Path, width: int, height: int
) -> None:
    racer = visit(width, height)
    page = racer.page
    options = {"rows": 2, "cols": 4, "kinds": 2, "hints": 1, "shuffles": 1, "daily": "2026-11-20"}
    table = racer.call("/play", {"game": "lianliankan", "seats": 1, "options": options})["table"]
    page.goto(f"{hall.url}/tables/{table}")
    racer.starts()
    start = racer.board()
    assert sorted(face for row in start for face in row) == [1, 1, 1, 1, 2, 2, 2, 2]
    unlike = next((0, c) for c in range(4) if start[0][c] != start[0][0])
    racer.tap((0, 0))
    racer.tap(unlike)
    expect(page.locator(".foot [role=alert]")).to_contain_text("不一样")
    if racer.touch:
        page.locator("[data-prop='hint']").tap()
        expect(page.locator(".hinted")).to_have_count(2)
        page.locator("[data-prop='shuffle']").tap()
        expect(page.locator("[data-prop='shuffle']")).to_be_disabled()
    else:
        page.keyboard.press("Escape")
        page.keyboard.press("h")
        expect(page.locator(".hinted")).to_have_count(2)
        keys(racer, racer.pairs()[0])
        assert racer.left == 6
    while racer.left:
        racer.link(racer.pairs()[0])
    expect(page.locator(".result")).to_be_visible()
    rests(page)
    page.screenshot(path=shots / f"lianliankan-alone-{width}.png")
    kept = json.loads(page.evaluate("localStorage.getItem('qipai.lianliankan')"))
    assert kept["best"]["2026-11-20"] > 0
    racer.healthy()


def keys(racer: Racer, pair: Pair) -> None:
    """Link a pair without a mouse: arrows and Enter."""
    page = racer.page
    page.locator("#cloth").focus()
    for _ in range(4):
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowLeft")
    at = (0, 0)
    for cell in pair:
        for now, want, back, on in (
            (at[0], cell[0], "ArrowUp", "ArrowDown"),
            (at[1], cell[1], "ArrowLeft", "ArrowRight"),
        ):
            for _ in range(abs(want - now)):
                page.keyboard.press(on if want > now else back)
        at = cell
        page.keyboard.press("Enter")
    expect(page.locator("[data-race][data-ahead]")).to_have_count(0)


def test_the_lobby_offers_practice_and_the_board_of_the_day(visit: Callable[..., Racer], hall: Server) -> None:
    boards = []
    for what in ("solo", "daily", "daily"):
        racer = visit()
        racer.page.goto(hall.url)
        racer.page.locator(f"[data-{what}='lianliankan']").click()
        racer.starts()
        boards.append(racer.board())
    assert boards[0] != boards[1] == boards[2]


@pytest.mark.parametrize(("width", "lang"), [(1280, "zh-CN"), (390, "en")])
def test_the_board_of_the_day_has_a_table_of_results(
    visit: Callable[..., Racer], hall: Server, width: int, lang: str
) -> None:
    racer = visit(width, 844, locale=lang)
    page = racer.page
    page.goto(hall.url if width == 1280 else f"{hall.url}/games/lianliankan")
    page.locator("[data-daily='lianliankan']" if width == 1280 else "[data-day='play']").click()
    racer.starts()
    expect(page.locator("[data-prop='hint']")).to_have_count(0)  # everybody without
    page.goto(f"{hall.url}/games/lianliankan#daily")
    me = page.evaluate("fetch('/api/v1/me').then((found) => found.json()).then((found) => found.user.id)")
    expect(page.locator(f"[data-daily-row='{me}'].me")).to_contain_text("没打完" if lang == "zh-CN" else "not finished")
    assert not complaints(page)
    page.locator("[data-day='before']").click()
    expect(page.locator("[data-daily-row]")).to_have_count(0)
    page.locator("[data-day='after']").click()
    expect(page.locator("[data-day='play']")).to_be_visible()
    page.goto(f"{hall.url}/rules/backgammon/off")
    expect(page.locator("[data-picture] svg .man")).to_have_count(30)
    assert not complaints(page)
