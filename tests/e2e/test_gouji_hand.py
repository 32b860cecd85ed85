"""The stacked hand, on the gallery page: where cards lie, and every way to raise them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.client import Server
from tests.e2e.person import box_of

HAND = "36 · 1072"  # 334455556677788 9999…: see client/src/pages/kit/Cards.svelte
SHEETS = Path(__file__).parents[2] / "client" / "src" / "pages" / "kit"
SAMPLES = ["36 · 1072", "36 · 744", "36 · 366", "36 · 296", "11 3 · 1072", "33 · 1072", "33 · 744"]


class Hand:
    """One of the gallery's hands."""

    def __init__(self, page: Page, name: str) -> None:
        self.page, self.name = page, name
        self.box: Locator = page.locator(f"[data-sample='{name}']")
        self.box.scroll_into_view_if_needed()

    def column(self, card: str) -> Locator:
        """Return a column."""
        return self.box.locator(f"[data-card='{card}']")

    def raised(self) -> dict[str, int]:
        """Return what is raised."""
        found: dict[str, int] = self.box.evaluate(
            """(hand) => Object.fromEntries([...hand.querySelectorAll("[data-card]")]
              .filter((one) => one.dataset.raised !== "0")
              .map((one) => [one.dataset.card, Number(one.dataset.raised)]))"""
        )
        return found

    def clear(self) -> None:
        """Put everything down."""
        for card in self.raised():
            self.page.wait_for_timeout(260)  # not a double tap
            for _ in range(20):
                if card not in self.raised():
                    break
                self.column(card).click(button="right", position={"x": 20, "y": 30})

    def tap(self, card: str) -> None:
        """Tap a column, slowly enough to be no double tap."""
        self.page.wait_for_timeout(280)
        self.column(card).click(position={"x": 20, "y": 30}, force=True)  # also one that may not be played

    def middle(self, card: str) -> tuple[float, float]:
        """Return a point on a column's front card."""
        box = box_of(self.column(card))
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture
def kit(window: Callable[..., Page], hall: Server) -> Page:
    """The gallery's sheet of cards, alone."""
    page = window(1160, 900)
    page.goto(f"{hall.url}/kit#Cards")
    expect(page.locator("[data-sample]").first).to_be_visible()
    expect(page.locator("main section > h2")).to_have_text(["Cards"])
    return page


@pytest.fixture
def hand(kit: Page) -> Hand:
    hand = Hand(kit, HAND)
    hand.clear()
    assert hand.raised() == {}
    return hand


def test_a_tap_raises_one_more_and_wraps(hand: Hand) -> None:
    for want in (1, 2, 3, None):
        hand.tap("J")
        assert hand.raised().get("J") == want


def test_a_double_tap_raises_all(hand: Hand) -> None:
    hand.page.wait_for_timeout(300)
    hand.column("5").dblclick(position={"x": 20, "y": 30})
    assert hand.raised() == {"5": 4}


def test_the_chip_raises_all_or_none(hand: Hand) -> None:
    chip = hand.column("T").locator(".chip")
    chip.click()
    assert hand.raised() == {"T": 4}
    assert chip.inner_text() == "4/4"
    chip.click()
    assert hand.raised() == {}
    assert chip.inner_text() == "×4"


def test_the_right_button_takes_one_back(hand: Hand) -> None:
    hand.column("5").locator(".chip").click()
    hand.column("5").click(button="right", position={"x": 20, "y": 30})
    assert hand.raised() == {"5": 3}


def test_a_drag_up_chooses_how_many(hand: Hand) -> None:
    x, y = hand.middle("5")
    mouse = hand.page.mouse
    mouse.move(x, y)
    mouse.down()
    seen = []
    for up in (20, 40, 60, 120):
        mouse.move(x, y - up, steps=4)
        seen.append(hand.raised().get("5"))
    assert hand.box.locator("output.bubble").inner_text() == "4"
    mouse.move(x, y - 30, steps=4)
    mouse.up()
    assert seen == [1, 2, 3, 4]
    assert hand.raised() == {"5": 2}


def test_a_drag_down_takes_cards_back(hand: Hand) -> None:
    hand.column("5").locator(".chip").click()
    x, y = hand.middle("5")
    hand.page.mouse.move(x, y)
    hand.page.mouse.down()
    hand.page.mouse.move(x, y + 20, steps=4)
    hand.page.mouse.up()
    assert hand.raised() == {"5": 3}


def test_a_drag_across_raises_whole_columns(hand: Hand) -> None:
    x, y = hand.middle("5")
    to, _ = hand.middle("7")
    hand.page.mouse.move(x, y)
    hand.page.mouse.down()
    hand.page.mouse.move(to, y, steps=12)
    hand.page.mouse.up()
    assert hand.raised() == {"5": 4, "6": 2, "7": 3}


def test_keys_do_all_that_fingers_do(hand: Hand) -> None:
    hand.box.locator("[role=listbox]").focus()
    press = hand.page.keyboard.press
    press("Home")
    press("ArrowRight")
    press("ArrowUp")
    assert hand.raised() == {"4": 1}
    press("ArrowDown")
    press("ArrowRight")
    press("3")
    assert hand.raised() == {"5": 3}
    press("a")
    assert hand.raised() == {"5": 4}
    press("a")
    press("End")
    press("ArrowUp")
    assert hand.raised() == {"X": 1}
    active = hand.box.locator("[role=listbox]").get_attribute("aria-activedescendant")
    assert hand.column("X").get_attribute("id") == active
    assert hand.column("X").get_attribute("aria-selected") == "true"


def test_a_card_that_may_not_be_played_gives_its_reason(kit: Page) -> None:
    hand = Hand(kit, "33 · 1072")
    hand.tap("6")
    assert hand.raised() == {}
    expect(kit.locator("[data-said]")).to_have_text("off 6")
    assert hand.column("6").get_attribute("aria-disabled") == "true"


MEASURE = """(hand) => {
  const frame = hand.getBoundingClientRect();
  const columns = [...hand.querySelectorAll("[data-card]")].map((column) => {
    const cards = [...column.querySelectorAll(".card")].map((card) => card.getBoundingClientRect());
    return {
      name: column.dataset.card, raised: Number(column.dataset.raised),
      left: cards[0].left - frame.left, right: cards[0].right - frame.left, width: cards[0].width,
      tops: cards.map((card) => card.top - frame.top), bottom: cards.at(-1).bottom - frame.top,
    };
  });
  return { width: frame.width, height: frame.height, columns };
}"""


@pytest.mark.parametrize("name", SAMPLES)
def test_no_figure_is_cut_and_nothing_leaves_the_hand(kit: Page, name: str) -> None:
    hand = Hand(kit, name)
    kit.wait_for_timeout(250)
    at: dict[str, Any] = hand.box.evaluate(MEASURE)
    columns = at["columns"]
    rows: dict[int, list[dict[str, Any]]] = {}
    for column in columns:
        rows.setdefault(round(column["bottom"] / 40), []).append(column)
        assert column["left"] >= -0.5
        assert column["right"] <= at["width"] + 0.5
        assert min(column["tops"]) >= -0.5
    for row in rows.values():
        row.sort(key=lambda column: float(column["left"]))
        for left, right in pairwise(row):
            assert right["left"] >= left["right"] + 4, (left["name"], right["name"])
    for column in columns:
        # A rear card shows its whole rank, or an edge of a few pixels: never half a figure.
        tops = column["tops"]
        for rear, front in pairwise(tops):
            shows = (front - rear) / column["width"]
            assert shows >= 0.44 or front - rear <= 8.5, (column["name"], front - rear)


def test_the_gallery_stands_in_both_themes(window: Callable[..., Page], hall: Server, shots: Path) -> None:
    kit = window(1160, 900)
    kit.goto(f"{hall.url}/kit")
    sheets = [path.stem for path in sorted(SHEETS.glob("*.svelte"))]
    expect(kit.locator("main section > h2")).to_have_text(sheets)
    expect(kit.locator("[data-sample]").first).to_be_visible()
    for theme in ("light", "dark"):
        kit.evaluate("(theme) => document.documentElement.dataset.theme = theme", theme)
        kit.screenshot(path=shots / f"kit-{theme}.png", full_page=True)
        card = kit.locator(".card").first.evaluate("(card) => getComputedStyle(card).backgroundColor")
        assert card == {"light": "rgb(255, 253, 248)", "dark": "rgb(243, 238, 226)"}[theme]
