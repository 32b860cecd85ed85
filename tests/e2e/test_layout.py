"""Every state of every table in windows of four sizes and in both languages: nothing lies over what is to be read,
and what can be done now is done without scrolling. Then the same room by room: cards and boards grow with the window.

Pictures of all of them lie in `build/shots/layout` when QIPAI_SHOTS is set.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.axe import complaints
from tests.e2e.fitting import SMALL
from tests.e2e.person import box_of
from tests.e2e.states import GAMES, Stage, moments, replay

ROOT = Path(__file__).parents[2]
LAID = (Path(__file__).parent / "laid.js").read_text("utf-8").partition("() => {")
MEASURE = LAID[1] + LAID[2]
SHOTS = ROOT / "build" / "shots" / "layout" if os.environ.get("QIPAI_SHOTS") else None
WINDOWS = {"phone": ((390, 844), (844, 390)), "desk": ((1280, 800), (1920, 1080))}
# What has moved has come to rest, and who measures has measured twice.
REST = """() => new Promise((done) => {
  let frames = 0, was = "";
  const step = () => {
    const things = ".plate, [data-set], .stone, .lounge, .result, .panel, svg.xq, svg.bg";
    const now = [...document.querySelectorAll(things)].map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return [x, y, width, height].map(Math.round).join();
    }).join(";");
    frames = now === was ? frames + 1 : 0;
    was = now;
    if (frames > 4) done(); else requestAnimationFrame(step);
  };
  step();
})"""


def measured(page: Page, name: str, device: str) -> list[str]:
    """Return what is wrong with what a page shows now, in the windows of a device."""
    found = []
    for width, height in WINDOWS[device]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(REST)
        wrong = page.evaluate(MEASURE)
        found += [f"{name} {width}×{height}: {each}" for each in wrong]
        if SHOTS:
            SHOTS.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=SHOTS / f"{re.sub(r'[^a-zA-Z-]+', '-', name)}-{width}x{height}.png")
    return found


def seek(page: Page, moment: str) -> None:
    """Go to a moment of a replay."""
    if moment == "in the middle":
        page.locator(".axis").click()
    elif moment == "at the end":
        page.locator("[data-go=last]").click()


@pytest.mark.parametrize("device", ["phone", "desk"])
@pytest.mark.parametrize("lang", ["zh-CN", "en"])
@pytest.mark.parametrize("game", GAMES)
def test_nothing_lies_over_what_is_to_be_read(
    window: Callable[..., Page], hall: Server, game: str, lang: str, device: str
) -> None:
    width, height = WINDOWS[device][0]
    page = window(width, height, reduced_motion="reduce", has_touch=device == "phone")
    stage = Stage(page, hall, game, lang)
    stage.open(lang=lang)
    found: list[str] = []
    for moment in moments(game):
        stage.show(moment)
        found += measured(page, f"{game} {lang} {moment.name}", device)
        if lang == "en" and device == "phone":  # on a desk axe looks at the same, but for the size of what one taps
            found += [f"{game} {moment.name}, {device}: {each}" for each in complaints(page)]
    assert not found, "\n".join(found)
    stage.healthy()


@pytest.mark.parametrize("device", ["phone", "desk"])
@pytest.mark.parametrize("game", GAMES)
def test_a_replay_lies_as_well(window: Callable[..., Page], hall: Server, game: str, device: str) -> None:
    found: list[str] = []
    width, height = WINDOWS[device][0]
    page = window(width, height, reduced_motion="reduce", has_touch=device == "phone")
    replay(page, hall, game, "en" if device == "desk" else "zh-CN")
    for moment in ("at the beginning", "in the middle", "at the end"):
        seek(page, moment)
        found += measured(page, f"replay {game} {moment}", device)
    found += [f"replay {game}, {device}: {each}" for each in complaints(page)]
    assert not found, "\n".join(found)


# the rarest and fullest tables at the ends of the scale ---------------------------------------------------------------

# zoomed: a window of 1280 × 800 whose page is drawn twice as large.
ENDS = {"phone": ((667, 375), (360, 740)), "desk": ((768, 1024), (3840, 2160)), "zoomed": ((640, 400),)}
EDGES = "(all) => all.map((one) => one.getBoundingClientRect()).filter((one) => one.width).map((one) => one.bottom)"
FULLEST = {
    "desk": {
        "gouji": "six long sets", "baohuang": "five long sets", "shengji": "four throws",
        "mahjong": "full rivers and melds",
    },
    "phone": {"gouji": "duel", "shengji": "three", "mahjong": "claim"},
    "zoomed": {
        "gouji": "burn", "baohuang": "grab", "shengji": "burying", "mahjong": "claim", "doudizhu": "first call",
        "xiangqi": "playing",
    },
}  # fmt: skip


@pytest.mark.parametrize("device", ENDS)
def test_small_phones_and_large_screens_are_laid_as_well(
    window: Callable[..., Page], hall: Server, device: str
) -> None:
    """36 cards and six sets of nine, three decks and four throws, four melds and rivers of twenty."""
    found: list[str] = []
    for game, name in FULLEST[device].items():
        page = window(*ENDS[device][0], reduced_motion="reduce", has_touch=device == "phone")
        lang = "en" if device == "zoomed" else "zh-CN"
        stage = Stage(page, hall, game, lang)
        stage.open(lang=lang)
        moment = next(one for one in moments(game) if one.name == name)
        if game == "mahjong" and device == "desk":
            rivers = [[*row, *row][:20] for row in moment.view["rivers"]]
            moment = replace(moment, view={**moment.view, "rivers": rivers})
        stage.show(moment)
        for width, height in ENDS[device]:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(REST)
            expect(page.locator(".toast")).to_have_count(0)  # what is told once has been read
            found += [f"{game} {width}×{height}: {each}" for each in page.evaluate(MEASURE)]
            little = page.evaluate(SMALL, ".acts .btn") if device == "phone" else []
            found += [f"{game} {width}×{height}: under a finger: {each}" for each in little]
            heights = page.locator("[data-hand] .card, .hand .tile").evaluate_all(EDGES)
            assert heights or game == "xiangqi", (game, width)
            if max(heights, default=0) > height + 1:
                found.append(f"{game} {width}×{height}: the hand is not in the window")
        stage.healthy()
    assert not found, "\n".join(found)


def test_what_is_played_lies_about_the_middle(window: Callable[..., Page], hall: Server) -> None:
    """On a wide cloth nobody's set stays at its edge, and older ones are not much smaller than the one to beat."""
    stage = Stage(window(1920, 1080, reduced_motion="reduce"), hall, "gouji", "zh-CN")
    stage.open()
    stage.show(next(one for one in moments("gouji") if one.name == "duel"))
    stage.page.evaluate(REST)
    wide = box_of(stage.page.locator("[data-phase]").first)
    sets = [box_of(one) for one in stage.page.locator("[data-set] .run").all()]
    assert len(sets) == 3
    for one in sets:
        assert abs(one["x"] + one["width"] / 2 - wide["x"] - wide["width"] / 2) < wide["width"] / 4
    cards = stage.page.locator("[data-set] .card").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().width)"
    )
    assert min(cards) > 0.6 * max(cards)


# how it ended --------------------------------------------------------------------------------------------------------

BESIDE = ((1280, 800), (1024, 768), (768, 1024), (390, 844), (844, 390))


@pytest.mark.parametrize("game", ["xiangqi", "backgammon"])
def test_the_last_position_stays_in_sight_beside_the_result(
    window: Callable[..., Page], hall: Server, game: str
) -> None:
    """A board is not under the sheet that says how it ended: the mate, both generals, the last man borne off."""
    page = window(*BESIDE[0], reduced_motion="reduce")
    stage = Stage(page, hall, game, "en")
    stage.open(lang="en")
    stage.show(next(one for one in moments(game) if one.name == "over"))
    page.locator(".result").wait_for()
    for width, height in BESIDE:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(REST)
        sheet, board = (box_of(page.locator(one).first) for one in (".result", "svg.xq .wood, svg.bg"))
        assert not meet(sheet, board), (width, height, sheet, board)
        wide, high = page.evaluate("[innerWidth, innerHeight]")
        assert sheet["x"] >= 0
        assert sheet["x"] + sheet["width"] <= wide
        assert sheet["y"] + sheet["height"] <= high
        # Closed and opened again, it covers nothing either.
        page.locator(".result .x").click()
        assert not meet(box_of(page.locator(".again")), board), (width, height)
        page.locator(".again").click()
    stage.healthy()


NARROW = ((390, 844), (375, 667), (360, 740), (320, 568))
HIDDEN = """() => [...document.querySelectorAll(".result .all")].map((one) => one.scrollWidth - one.clientWidth)
  .filter((more) => more > 0)"""


@pytest.mark.parametrize("lang", ["zh-CN", "en"])
def test_all_columns_of_a_result_fit_a_phone(window: Callable[..., Page], hall: Server, lang: str) -> None:
    """Places, sides, roles, points, scores and coins are read without pushing the sheet sideways."""
    found = []
    for game in GAMES:
        page = window(*NARROW[0], reduced_motion="reduce", has_touch=True)
        stage = Stage(page, hall, game, lang)
        stage.open(lang=lang)
        stage.show(next(one for one in moments(game) if one.name == "over"))
        page.locator(".result table").wait_for()
        for width, height in NARROW:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(REST)
            found += [f"{game} {width}×{height}: {more} px more to the right" for more in page.evaluate(HIDDEN)]
        stage.healthy()
        page.context.close()
    assert not found, "\n".join(found)


def meet(one: dict[str, float], other: dict[str, float]) -> bool:
    """Tell whether two rectangles share more than an edge."""
    across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    return across > 1 and down > 1


# the room there is ---------------------------------------------------------------------------------------------------

WIDE = ((1280, 800), (1440, 900), (1920, 1080), (2560, 1440))


def grown(page: Page, selector: str, of: str = "width") -> list[float]:
    """Return how large something is in windows that grow."""
    found = []
    for width, height in WIDE:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(REST)
        found.append(page.locator(selector).first.evaluate(f"(one) => one.getBoundingClientRect().{of}"))
    return found


def test_cards_grow_with_the_window(window: Callable[..., Page], hall: Server) -> None:
    stage = Stage(window(*WIDE[0], reduced_motion="reduce"), hall, "gouji", "zh-CN")
    stage.open()
    stage.show(next(one for one in moments("gouji") if one.name == "duel"))
    for selector in ("[data-set].top .card", "[data-hand] .card", ".plate"):
        sizes = grown(stage.page, selector)
        assert sizes == sorted(sizes), (selector, sizes)
        assert sizes[2] > 1.1 * sizes[1], (selector, sizes)
        assert sizes[3] > 1.1 * sizes[2], (selector, sizes)
    # The hand takes most of the cloth, wherever there is height for it.
    hand = stage.page.evaluate(
        """() => {
          const cards = [...document.querySelectorAll("[data-hand] .card")].map((one) => one.getBoundingClientRect());
          const wide = Math.max(...cards.map((one) => one.right)) - Math.min(...cards.map((one) => one.left));
          return wide / document.querySelector("[data-phase]").clientWidth;
        }"""
    )
    assert hand > 0.75


def test_a_board_fills_its_replay(window: Callable[..., Page], hall: Server) -> None:
    page = window(*WIDE[0], reduced_motion="reduce")
    replay(page, hall, "xiangqi", "zh-CN")
    boards = grown(page, "svg.xq .wood", "height")
    rooms = grown(page, ".board .middle", "height")
    assert all(board > 0.97 * room for board, room in zip(boards, rooms, strict=True)), (boards, rooms)
    assert boards == sorted(boards)
    assert boards[0] > 0.7 * WIDE[0][1]
    assert min(grown(page, "svg.xq .files text", "height")) >= 12
