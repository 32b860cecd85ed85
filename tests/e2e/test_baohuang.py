"""People play baohuang in a real browser to its score sheet: one with four bots, then three with two."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.cards import CardSitter, play_out
from tests.e2e.person import SIZES, rests

OPTIONS = {"turn_seconds": 60, "declare_seconds": 2}
YES = ("grab", "yield", "reveal", "rebel", "kick")
NO = ("no_grab", "keep", "hide", "no_rebel", "no_kick")


class Sitter(CardSitter):
    """Somebody who plays by the hints; before play he keeps the throne and says yes to the rest as `bold` has it."""

    bold = False

    def special(self, buttons: dict[str, bool]) -> tuple[str, str] | None:
        yes = next((act for act in YES if act in buttons), None)
        no = next((act for act in NO if act in buttons), None)
        if yes and self.bold and yes not in ("grab", "yield"):
            return yes, "y"
        return (no, "n" if yes else "y") if no else None  # who may only say no has one button, whose key is Y


def sees_result(sitter: Sitter) -> list[str]:
    """Check the result sheet, and return its names from the first place to the last."""
    rows = sitter.page.locator(".result tbody tr")
    expect(rows).to_have_count(5)
    points = [row.locator("td b").first.inner_text() for row in rows.all()]
    assert sum(int(text.replace("−", "-").replace("+", "")) for text in points) == 0
    roles = sitter.page.locator(".result").inner_text()
    assert "皇帝" in roles
    assert "起义军" in roles
    return [row.locator(".who").inner_text().split("·")[0].strip().split("\n")[-1] for row in rows.all()]


@pytest.fixture
def visit(window: Callable[..., Page], hall: Server) -> Callable[[str], Sitter]:
    """Open a browser of its own at the hall, as a guest."""

    def opened(size: str) -> Sitter:
        return Sitter(window(*SIZES[size]), touch=size != "desktop").guest(hall)

    return opened


@pytest.mark.parametrize("size", ["desktop", "sideways", "upright"])
def test_a_person_plays_to_the_score_sheet_against_four_bots(
    visit: Callable[[str], Sitter], hall: Server, shots: Path, size: str
) -> None:
    person = visit(size)
    person.patience = 60 if size == "desktop" else 0
    table = person.call("/play", {"game": "baohuang", "level": "easy", "options": OPTIONS})["table"]
    page = person.page
    page.goto(f"{hall.url}/tables/{table}")
    # The opening goes by the clock, whoever looks; while it lasts it stands in the window and clear of the hand.
    page.wait_for_function(
        """() => {
          const panel = document.querySelector("[data-opening]")?.getBoundingClientRect();
          const hand = document.querySelector("[data-hand]:has([data-card])")?.getBoundingClientRect();
          return panel && hand && panel.top >= 0 && panel.bottom <= hand.top + 4;
        }"""
    )
    page.screenshot(path=shots / f"baohuang-{size}-opening.png")
    assert page.locator(".plate[data-seat]").count() == 5
    assert person.cards() == 33

    def picture() -> None:
        page.screenshot(path=shots / f"baohuang-{size}.png")

    play_out(person, at={4: picture, 6: person.reloads})
    rests(page)
    page.screenshot(path=shots / f"baohuang-{size}-result.png")
    sees_result(person)
    person.healthy()


def test_three_persons_play_with_two_bots(visit: Callable[[str], Sitter], hall: Server, shots: Path) -> None:
    host, left, right = visit("desktop"), visit("sideways"), visit("upright")
    for sitter in (host, left, right):
        sitter.bold, sitter.patience = True, 0
    made = host.call("/tables", {"game": "baohuang", "options": OPTIONS, "private": True})
    for seat, sitter in enumerate((host, left, right)):
        sitter.page.goto(f"{hall.url}/t/{made['key']}")
        sitter.page.locator(f"[data-sit='{seat}']").click()
        expect(sitter.page.locator("[data-ready]")).to_be_visible()
    host.page.locator("[data-step=easy]").first.click()
    host.page.locator("[data-fill]").click()
    for sitter in (left, right, host):
        sitter.page.locator("[data-ready]").click()
    for sitter in (host, left, right):
        expect(sitter.page.locator("[data-opening]")).to_be_visible()
    # Who is emperor is known to all from the first moment, who guards only to himself.
    crowns = [
        sitter.page.locator(".plate[data-seat]:has([title^='皇帝'])").get_attribute("data-seat")
        for sitter in (host, left)
    ]
    assert crowns[0] == crowns[1]
    play_out(host, left, right)
    rests(right.page)
    right.page.screenshot(path=shots / "baohuang-upright-result.png")
    places = [[name for name in sees_result(one) if name] for one in (host, left, right)]
    assert places[0] == places[1] == places[2]
    for sitter in (host, left, right):
        sitter.healthy()
