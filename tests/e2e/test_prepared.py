"""What is prepared for a turn to come (P-113): conditions by days, one move at a live board, cards and a pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.axe import complaints
from tests.e2e.doudizhu import BOTTOM, HANDS, RULES, DoudizhuScene, after
from tests.e2e.guest import Guest, open_house
from tests.e2e.person import SIZES
from tests.e2e.xiangqi import Player

from qipai.games.doudizhu.state import Bid, Pass, Play


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall where nobody pays for coming from one house."""
    with open_house(tmp_path_factory.mktemp("house")) as server:
        yield server


def lay(person: Guest, *moves: str, touch: bool = False) -> None:
    """Put men of a condition where they go; the game itself stays where it is."""
    player = Player(person.page, touch=touch)
    for n, move in enumerate(moves, 1):
        player.tap(move[:2])
        expect(person.page.locator(".xq .selected")).to_be_visible()
        player.tap(move[2:])
        expect(person.page.locator(f"[data-plan='{n}']")).to_be_visible()


def test_conditions_are_laid_out_by_days_and_a_move_at_a_live_board(
    window: Callable[..., Page], house: Server, shots: Path
) -> None:
    ann, bob = Guest(window(390, 844), house, "听雨楼"), Guest(window(1280, 800, locale="en"), house, "看云亭")
    wish = {"game": "xiangqi", "to": bob.id, "colour": "mine"}
    asked = ann.call("/invites", {**wish, "clock": {"type": "days", "days": 3}})
    table = bob.call(f"/invites/{asked['id']}/accept", {})["table"]
    for person in (ann, bob):
        person.see(f"/tables/{table}")
        expect(person.page.locator(".stage[data-plies='0']")).to_be_visible()
    bob.page.locator("[data-conditions]").click()  # it is not his turn
    lay(bob, "h2e2", "h9g7", "h0g2", "i9h9")
    bob.page.locator("[data-plan-keep]").click()
    expect(bob.page.locator("[data-line-drop]")).to_have_count(1)
    expect(bob.page.locator(".stage[data-plies='0']")).to_be_visible()
    lay(bob, "b2e2", "h9f8")  # the elephant is in its way: the hall says so, and the line stays to be mended
    bob.page.locator("[data-plan-keep]").click()
    expect(bob.page.locator(".why")).to_be_visible()
    bob.page.screenshot(path=shots / "prepared-refused.png")
    assert complaints(bob.page) == []
    bob.page.reload()
    expect(bob.page.locator("[data-conditions] em")).to_have_text("1")
    bob.page.locator("[data-conditions]").click()
    bob.page.screenshot(path=shots / "prepared-lines.png")
    Player(ann.page, touch=True).move("h2e2")
    for person in (ann, bob):
        expect(person.page.locator(".stage[data-plies='2']")).to_be_visible()

    # On the phone: two lines, one of them taken away again.
    player = Player(ann.page, touch=True)
    player.move("a3a4")  # no line of his expects it
    expect(ann.page.locator(".stage[data-plies='3']")).to_be_visible()
    expect(bob.page.locator("[data-conditions]")).to_have_count(0)
    ann.page.locator("[data-conditions]").click()
    for moves in (("i9h9", "h0g2"), ("b9c7", "b0c2")):
        lay(ann, *moves, touch=True)
        ann.page.locator("[data-plan-keep]").click()
        expect(ann.page.locator("[data-plan='0']")).to_be_visible()
    ann.page.screenshot(path=shots / "prepared-phone.png")
    assert complaints(ann.page) == []
    ann.page.locator("[data-line-drop='0']").click()
    expect(ann.page.locator("[data-line-drop]")).to_have_count(1)
    ann.page.locator("[data-plan-close]").click()
    Player(bob.page).move("b9c7")
    expect(bob.page.locator(".stage[data-plies='5']")).to_be_visible()

    # Live: one move, drawn as it will be; put back, prepared anew, and played when the turn comes.
    asked = ann.call("/invites", wish)
    live = bob.call(f"/invites/{asked['id']}/accept", {})["table"]
    for person in (ann, bob):
        person.see(f"/tables/{live}")
        expect(person.page.locator(".stage[data-plies='0']")).to_be_visible()
    black = Player(bob.page)
    for _ in range(2):
        black.tap("b9")
        black.tap("c7")
        expect(bob.page.locator(".path.pre")).to_be_visible()
        if not _:
            bob.page.screenshot(path=shots / "prepared-premove.png")
            bob.page.keyboard.press("Escape")
            expect(bob.page.locator(".path.pre")).to_have_count(0)
    bob.page.reload()
    expect(bob.page.locator("[data-premove]")).to_be_visible()
    Player(ann.page, touch=True).move("h2e2")
    expect(bob.page.locator(".stage[data-plies='2']")).to_be_visible()
    for person in (ann, bob):
        person.healthy()


def test_cards_and_a_pass_are_prepared_while_others_play(
    window: Callable[..., Page], hall: Server, shots: Path
) -> None:
    lead = after(RULES.place(HANDS, BOTTOM, 1), (1, Bid(3)), (1, Play("3")))
    scene = DoudizhuScene(window(*SIZES["desktop"]), hall, lead, 0).open()
    page = scene.page
    kept = page.locator("[data-prepare=kept]")
    page.locator("[data-prepare=pass]").click()
    expect(kept).to_be_visible()
    assert scene.prepared == [[{"a": "pass"}]]
    page.screenshot(path=shots / "prepared-pass.png")
    page.keyboard.press("Escape")
    expect(kept).to_have_count(0)
    scene.raise_cards("J")
    page.screenshot(path=shots / "prepared-cards.png")
    page.keyboard.press("Enter")
    expect(kept).to_be_visible()
    assert scene.prepared == [[{"a": "play", "cards": "J"}]]
    assert "J" in scene.reading()
    assert scene.actions() == []
    page.set_viewport_size({"width": 390, "height": 844})
    expect(kept).to_be_visible()
    page.screenshot(path=shots / "prepared-cards-phone.png")
    assert complaints(page) == []
    # The turn comes, and what was prepared is gone with it.
    scene.prepared = []
    scene.go(2, Pass())
    expect(kept).to_have_count(0)
    expect(page.locator("[data-act=play]")).to_be_visible()
    scene.healthy()
