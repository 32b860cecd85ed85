"""A person plays gouji to the last card in a real browser: alone with bots, and three at one table."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.gouji import Sitter, play_out, sees_result
from tests.e2e.person import SIZES, box_of, rests

BOTS_THINK = True  # here a browser meets a whole hall, as people do
OPTIONS = {"burn_seconds": 1}


@pytest.fixture
def visit(window: Callable[..., Page], hall: Server) -> Callable[[str], Sitter]:
    """Open a browser of its own at the hall, as a guest."""

    def opened(size: str) -> Sitter:
        return Sitter(window(*SIZES[size]), touch=size != "desktop").guest(hall)

    return opened


@pytest.mark.parametrize("size", ["desktop", "sideways"])
def test_a_person_plays_to_the_last_card_against_five_bots(
    visit: Callable[[str], Sitter], hall: Server, shots: Path, size: str
) -> None:
    person = visit(size)
    person.patience = 60 if size == "desktop" else 0
    table = person.call("/play", {"game": "gouji", "level": "easy", "options": OPTIONS})["table"]
    page = person.page
    page.goto(f"{hall.url}/tables/{table}")
    expect(page.locator("[data-hand] [data-card]").first).to_be_visible()
    assert page.locator(".plate[data-seat]").count() == 6

    def reload() -> None:
        person.reloads()
        page.screenshot(path=shots / f"gouji-{size}-reloaded.png")

    def lose_the_line() -> None:
        person.lose()
        expect(page.locator(".away").first).to_be_attached()
        before = person.hand()  # what was played last may have arrived until now
        page.wait_for_timeout(1500)
        page.screenshot(path=shots / f"gouji-{size}-lost.png")
        assert person.hand() == before  # the cloth stays
        person.find()
        expect(page.locator(".away")).to_have_count(0, timeout=15_000)
        person.wrongs.clear()  # a browser tells of the sockets it could not open

    play_out(person, at={3: reload, 5: lose_the_line})
    rests(page)
    page.screenshot(path=shots / f"gouji-{size}-result.png")
    sees_result(person)
    assert person.did.get("play", 0) >= 4
    page.locator("[data-again]").click()
    expect(page.locator("[data-phase]")).to_contain_text("第 2 局")
    expect(page.locator("[data-hand] [data-card]").first).to_be_visible()
    if size == "desktop":
        # The first deal stands on the sheet, the second does not yet.
        expect(page.locator(".sums thead th")).to_have_text(["", "1", "合计"])
    person.healthy()


def test_three_browsers_sit_at_one_table(visit: Callable[[str], Sitter], hall: Server, shots: Path) -> None:
    host, left, right = visit("desktop"), visit("sideways"), visit("upright")
    made = host.call("/tables", {"game": "gouji", "options": OPTIONS, "private": True})
    link = f"{hall.url}/t/{made['key']}"
    for seat, sitter in enumerate((host, left, right)):
        sitter.page.goto(link)
        sitter.page.locator(f"[data-sit='{seat}']").click()
        expect(sitter.page.locator("[data-ready]")).to_be_visible()
    host.page.locator("[data-step=easy]").first.click()
    host.page.locator("[data-fill]").click()
    for sitter in (left, right, host):
        sitter.page.locator("[data-ready]").click()
    hands = []
    for sitter in (host, left, right):
        sitter.patience = 0
        expect(sitter.page.locator("[data-hand] [data-card]").first).to_be_visible()
        assert sitter.cards() == 36
        hands.append(sitter.hand())
    assert hands[0] != hands[1] != hands[2]
    # Everybody sits at the bottom of his own cloth, the next in order of play at his right hand.
    for sitter, seat in ((host, 0), (left, 1), (right, 2)):
        mine = box_of(sitter.page.locator(f".plate[data-seat='{seat}']"))
        after = box_of(sitter.page.locator(f".plate[data-seat='{(seat + 1) % 6}']"))
        before = box_of(sitter.page.locator(f".plate[data-seat='{(seat + 5) % 6}']"))
        assert mine["y"] > after["y"]
        assert after["x"] > before["x"]
    for name, sitter in (("desktop", host), ("sideways", left), ("upright", right)):
        sitter.page.screenshot(path=shots / f"gouji-three-{name}.png")
    play_out(host, left, right)
    rests(host.page)
    places = [
        [re.sub(r"\s*· 你", "", name).split("\n")[-1] for name in sees_result(one)] for one in (host, left, right)
    ]
    assert places[0] == places[1] == places[2]
    for sitter in (host, left, right):
        sitter.healthy()
