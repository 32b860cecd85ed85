"""A finished deal is opened from its result, stepped through, looked at from every seat, and checked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.gouji import Sitter
from tests.e2e.person import BARE, box_of
from tests.e2e.states import finished, replay


class Deal:
    """A deal of gouji that was played in this browser."""

    def __init__(self, sitter: Sitter, hall: Server) -> None:
        self.sitter, self.page, self.hall = sitter, sitter.page, hall
        table = sitter.call("/play", {"game": "gouji", "level": "easy", "options": {"burn_seconds": 1}})["table"]
        self.page.goto(f"{hall.url}/tables/{table}")
        expect(self.page.locator("[data-hand] [data-card]").first).to_be_visible()
        self.page.goto(f"{hall.url}{BARE}")
        self.id = sitter.hastes(table)
        self.page.goto(f"{hall.url}/g/{self.id}")
        expect(self.page.locator("[data-at]")).to_be_visible()
        self.record = self.page.request.get(f"{hall.url}/api/v1/g/{self.id}").json()

    def at(self) -> int:
        """Return the step that is shown."""
        return int(self.page.locator("[data-at]").get_attribute("data-at") or -1)

    def go(self, n: int) -> None:
        """Open the replay at a step, by its address."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.hall.url}/g/{self.id}#{n}")
        expect(self.page.locator("[data-at]")).to_have_attribute("data-at", str(n))

    def matrix(self) -> dict[int, int | None]:
        """Return how many cards each seat is shown to hold, None where its hand is not seen."""
        rows = self.page.locator("[data-hand] td:last-child").all_inner_texts()
        seats = [int(row.get_attribute("data-hand") or 0) for row in self.page.locator("tr[data-hand]").all()]
        return {seat: None if text == "?" else int(text) for seat, text in zip(seats, rows, strict=True)}


@pytest.fixture(scope="module")
def deal(chromium: object, hall: Server) -> Iterator[Deal]:
    # A service worker would fetch what a test gives in its place.
    context = chromium.new_context(  # type: ignore[attr-defined]
        viewport={"width": 1440, "height": 900}, locale="zh-CN", accept_downloads=True, service_workers="block"
    )
    yield Deal(Sitter(context.new_page()).guest(hall), hall)
    context.close()


def test_each_row_of_the_record_is_a_step(deal: Deal) -> None:
    deal.go(0)
    rows = len(deal.record["rows"])
    assert f"/ {rows}" in deal.page.locator("[data-at]").inner_text()
    for key, at in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", rows), ("Home", 0)):
        deal.page.keyboard.press(key)
        assert deal.at() == at
    deal.page.locator("[data-go=last]").click()
    assert deal.at() == rows
    deal.page.locator("[data-go=back]").click()
    assert deal.at() == rows - 1
    assert deal.page.url.endswith(f"/g/{deal.id}#{rows - 1}")


def test_down_and_up_go_from_trick_to_trick(deal: Deal) -> None:
    deal.go(1)
    seen = []
    for _ in range(4):
        deal.page.keyboard.press("ArrowDown")
        seen.append(deal.at())
    assert seen == sorted(set(seen))
    assert seen[-1] > 4
    deal.page.keyboard.press("ArrowUp")
    assert deal.at() == seen[-2]


def test_open_hands_lose_what_is_played(deal: Deal) -> None:
    deal.go(1)
    assert deal.matrix() == dict.fromkeys(range(6), 36)
    plays = [(n, row) for n, row in enumerate(deal.record["rows"], 1) if row[1]["a"] == "play"]
    held = dict.fromkeys(range(6), 36)
    for n, (seat, action, *_rest) in plays[:6]:
        held[seat] -= len(action["cards"])
        deal.go(n)
        assert deal.matrix() == held


def test_one_seat_sees_its_own_hand_alone(deal: Deal, shots: Path) -> None:
    deal.go(12)
    deal.page.screenshot(path=shots / "replay-all.png")
    for seat in range(6):
        deal.page.keyboard.press(str(seat + 1))
        shown = deal.matrix()
        assert shown[seat] is not None
        assert [other for other, cards in shown.items() if cards is None] == [one for one in shown if one != seat]
        hand = deal.page.locator("[data-hand] [data-card]").all()
        assert sum(int(column.get_attribute("data-held") or 0) for column in hand) == shown[seat]
    deal.page.screenshot(path=shots / "replay-seat.png")
    deal.page.keyboard.press("0")
    assert None not in deal.matrix().values()


def test_the_last_step_shows_places_and_sums(deal: Deal, shots: Path) -> None:
    deal.go(len(deal.record["rows"]))
    badges = [deal.page.locator(f".plate[data-seat='{seat}'] .tag.seal").first.inner_text() for seat in range(6)]
    words = ["头科", "二科", "三科", "四科", "二落", "大落"]
    assert badges == [words[place - 1] for place in deal.record["result"]["places"]]
    mine = deal.record["result"]["points"][0]
    expect(deal.page.locator(".sum")).to_contain_text(f"{mine:+}".replace("-", "−") if mine else "0")
    deal.page.screenshot(path=shots / "replay-end.png")


def test_it_runs_by_itself_and_stops(deal: Deal) -> None:
    rows = len(deal.record["rows"])
    deal.go(rows - 3)
    deal.page.locator(".seg label", has_text="4×").click()
    deal.page.locator("[data-go=play]").click()
    expect(deal.page.locator("[data-at]")).to_have_attribute("data-at", str(rows), timeout=8000)
    expect(deal.page.locator("[data-go=play]")).to_have_attribute("aria-label", "放映")


def test_the_deal_is_drawn_again_in_the_browser(deal: Deal, shots: Path) -> None:
    deal.go(0)
    expect(deal.page.locator(".fair.good")).to_be_visible()
    deal.page.locator(".fair.good").click()
    drawer = deal.page.locator("[role=dialog]")
    expect(drawer).to_contain_text(deal.record["fair"]["commitment"])
    expect(drawer).to_contain_text(deal.record["fair"]["server_seed"])
    # The first card of the deck drawn again is the leader's.
    first = drawer.locator("dd.cards").inner_text().split()[0][0]
    dealt = deal.record["rows"][0][1]["hands"]
    assert first in dealt[deal.record["carry"]["leader"]]
    deal.page.screenshot(path=shots / "replay-fair.png")
    deal.page.keyboard.press("Escape")


def test_a_deal_that_was_changed_is_not_verified(deal: Deal) -> None:
    def swap(route: object) -> None:
        record = json.loads(json.dumps(deal.record))
        hands = record["rows"][0][1]["hands"]
        hands[0], hands[1] = hands[1], hands[0]
        route.fulfill(json=record)  # type: ignore[attr-defined]

    deal.page.route(f"**/api/v1/g/{deal.id}", swap)
    try:
        deal.go(0)
        expect(deal.page.locator(".fair.bad")).to_be_visible()
    finally:
        deal.page.unroute(f"**/api/v1/g/{deal.id}")


def test_a_seed_that_came_too_late_is_told_apart_from_a_deal_that_was_changed(deal: Deal, shots: Path) -> None:
    deal.go(0)
    expect(deal.page.locator(".fair.good")).to_be_visible()
    deal.page.evaluate("id => localStorage.setItem('qipai.seeds', JSON.stringify({ [id]: 'late' }))", deal.id)
    try:
        deal.page.reload()
        expect(deal.page.locator(".fair")).to_have_text("种子没赶上")
        expect(deal.page.locator(".fair.good, .fair.bad")).to_have_count(0)
        deal.page.locator(".fair").click()
        expect(deal.page.locator("[role=dialog] .verdict.late")).to_be_visible()
        deal.page.screenshot(path=shots / "replay-seed-late.png")
    finally:
        deal.page.evaluate("localStorage.removeItem('qipai.seeds')")


def test_the_record_can_be_taken_home(deal: Deal) -> None:
    deal.go(0)
    deal.page.locator("[data-save]").click()
    with deal.page.expect_download() as got:
        deal.page.locator("[data-format=json]").click()
    assert json.loads(Path(got.value.path()).read_text()) == deal.record
    with deal.page.expect_download() as got:
        deal.page.locator("[data-format=book]").click()
    text = Path(got.value.path()).read_text()
    assert re.search(r"^0:", text, re.MULTILINE)
    deal.page.keyboard.press("Escape")


@pytest.mark.parametrize(("width", "height"), [(844, 390), (390, 844), (320, 640)])
def test_it_fits_a_phone(deal: Deal, window: Callable[..., Page], shots: Path, width: int, height: int) -> None:
    page = window(width, height)
    page.goto(f"{deal.hall.url}/g/{deal.id}#20")
    expect(page.locator("[data-at]")).to_have_attribute("data-at", "20")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("[data-go=next]").tap()
    expect(page.locator("[data-at]")).to_have_attribute("data-at", "21")
    page.screenshot(path=shots / f"replay-{width}.png")
    page.locator("[data-aside]").tap()
    expect(page.locator("tr[data-hand]")).to_have_count(6)


RESIGN_AFTER_TWO = """async ([table]) => {
  const line = new WebSocket(location.origin.replace("http", "ws") + "/ws");
  const say = (message) => line.send(JSON.stringify(message));
  await new Promise((open) => line.addEventListener("open", open));
  return await new Promise((done) => {
    let moves = 0, cids = 0, game = "";
    line.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.t === "welcome") say({t: "join", table});
      game = message.game?.game_id ?? game;
      if (message.result) done(game);
      const {ask, legal} = message;
      if (!ask || !legal) return;
      const act = (action, more) => say({t: "act", cid: `t${++cids}`, table, action, ...more});
      if (moves++ < 2) act(legal.list.find((one) => one.a === "move"), {ask: ask.id});
      else act({a: "resign"});
    });
    say({t: "hello", v: 1});
  });
}"""


def test_xiangqi_is_a_list_of_moves(window: Callable[..., Page], hall: Server, shots: Path) -> None:
    sitter = Sitter(window())
    page = sitter.page
    sitter.guest(hall)
    table = sitter.call("/play", {"game": "xiangqi", "level": "easy"})["table"]
    game = page.evaluate(RESIGN_AFTER_TWO, [table])
    page.goto(f"{hall.url}/g/{game}")
    moves = page.locator("[data-step]")
    record = page.request.get(f"{hall.url}/api/v1/g/{game}").json()
    played = [n for n, row in enumerate(record["rows"], 1) if row[1]["a"] == "move"]
    expect(moves).to_have_count(len(played))
    moves.last.click()
    expect(page.locator("[data-at]")).to_have_attribute("data-at", str(played[-1]))
    expect(moves.last).to_have_attribute("aria-current", "step")
    assert re.match(r"[\u4e00-\u9fff\d]{4}", moves.first.inner_text())
    assert page.locator(".fair").count() == 0  # nothing was drawn
    page.keyboard.press("End")
    expect(page.locator("[data-ending]")).to_contain_text("认输")
    page.screenshot(path=shots / "replay-xiangqi.png")
    page.locator("[data-save]").click()
    assert page.locator("[data-format=pgn]").count() == 1


def test_a_deal_that_is_not_there_is_said_to_be_missing(window: Callable[..., Page], hall: Server) -> None:
    page = window()
    page.goto(f"{hall.url}/g/nosuchdeal")
    expect(page.get_by_role("alert")).to_contain_text("找不到")


def test_nothing_went_wrong_on_the_way(deal: Deal) -> None:
    deal.go(0)
    deal.sitter.healthy()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
@pytest.mark.parametrize("game", ["gouji", "baohuang", "shengji", "mahjong"])
def test_all_hands_lie_on_the_cloth_at_their_places(
    window: Callable[..., Page], hall: Server, game: str, size: tuple[int, int]
) -> None:
    page = window(*size, reduced_motion="reduce")
    replay(page, hall, game, "zh-CN")
    page.locator(".axis").focus()
    for _ in range(3):
        page.keyboard.press("PageUp")
    views = finished(game)[1]["rows"]
    at = int(page.locator("[data-at]").get_attribute("data-at") or -1)
    seats = len(views[0]["views"]) - 1
    counts = next(row["views"][0]["counts"] for row in reversed(views[: at + 1]) if "counts" in row["views"][0])
    for seat in range(1, seats):
        its = page.locator(f"[data-open='{seat}']" if game == "mahjong" else f"[data-lain='{seat}'] .openhand")
        if game != "mahjong":
            said = its.get_attribute("aria-label") or ""
            cards = re.split("[：:]", said, maxsplit=1)[1].split()
            lies = sum(int(found[1]) if (found := re.search(r"×(\d+)$", one)) else one not in "♠♥♣♦主" for one in cards)
        else:
            lies = its.locator(".tile").count()
        assert lies == (counts[seat] if counts[seat] is not None else lies) > 0, (seat, its.get_attribute("aria-label"))
        box, plate = box_of(its), box_of(page.locator(f".plate[data-seat='{seat}']"))
        assert abs(box["y"] - plate["y"] - plate["height"]) < 0.2 * size[1]
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
    assert page.locator("[data-hand] [data-card], [data-hand] [data-tile]").count() > 0  # and the own one below


def test_tiles_that_came_in_the_exchange_are_marked(window: Callable[..., Page], hall: Server) -> None:
    page = window(1280, 800, reduced_motion="reduce")
    options = (("exchange", "three"),)
    replay(page, hall, "mahjong", "en", options)
    expect(page.locator(".tile.came")).to_have_count(0)
    rows = finished("mahjong", options)[1]["rows"]
    after = next(row for row in rows if any(one["e"] == "swapped" for one in row["told"]))
    page.evaluate("(n) => (location.hash = n)", after["n"])
    page.reload()
    for seat in range(4):
        got = after["views"][seat]["got"]
        its = page.locator(f"[data-wing='{seat}'] .tile.came, [data-hand='{seat}'] .tile.came")
        expect(its).to_have_count(3)
        assert {one.get_attribute("data-rank") for one in its.all()} == set(got[:-1])
    thrown = next(row["n"] for row in rows if row["action"] and row["action"]["a"] == "discard")
    page.evaluate("(n) => (location.hash = n)", thrown)
    page.reload()
    expect(page.locator(".stone")).to_have_count(1)
    expect(page.locator(".tile.came")).to_have_count(0)
