"""Albums and achievements in a browser: pictures are put in, named, talked of; seals are earned (P-8, P-13)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import FilePayload, Page, expect
from tests.client import Server
from tests.e2e.guest import Guest, open_house, opens


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with open_house(tmp_path_factory.mktemp("album")) as server:
        yield server


def drawn(color: tuple[int, int, int], size: tuple[int, int] = (600, 400)) -> bytes:
    out = BytesIO()
    Image.new("RGB", size, color).save(out, "PNG")
    return out.getvalue()


def test_pictures_are_put_in_and_talked_of(house: Server, window: Callable[..., Page]) -> None:
    ann, bob = Guest(window(390, 844), house, "柳如是"), Guest(window(1280, 800), house, "海潮生")
    ann.see("/album")
    page = ann.page
    expect(page.locator("[data-empty]")).to_be_visible()
    page.locator("#album-name").fill("湖边")
    page.locator("[data-make-album]").click()
    page.locator("#album-who").select_option("public")
    files = [("0.png", drawn((180, 60, 40))), ("1.png", drawn((40, 90, 160))), ("x.svg", b"<")]
    pictures = [FilePayload(name=name, mimeType="image/png", buffer=data) for name, data in files]
    page.locator("[data-add]").set_input_files(pictures)
    expect(page.locator("[data-picture] img")).to_have_count(2)
    expect(page.get_by_role("alert")).to_contain_text("x.svg")  # the others are there all the same
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-picture]").first.click()
    page.locator("#picture-caption").fill("断桥")
    page.locator("[data-save]").click()
    expect(page.locator("[data-large]")).to_have_attribute("alt", "断桥")

    bob.see(f"/users/{ann.id}/album")
    other = bob.page
    expect(other.locator("[data-picture] img")).to_have_count(2)
    other.locator("[data-picture]").first.click()
    expect(other.locator("[data-large]")).to_have_js_property("complete", value=True)
    other.locator("#comment").fill("好 **看**")
    other.locator("[data-send-comment]").click()
    expect(other.locator("[data-comment] strong")).to_have_text("看")
    other.locator("h2").first.click()
    other.keyboard.press("ArrowRight")
    expect(other.locator("[data-large]")).to_have_attribute("alt", "没有说明的照片")
    other.locator("[data-report^='picture:']").click()
    expect(other.locator("#report-text")).to_be_visible()


def test_a_first_win_gives_a_seal(house: Server, window: Callable[..., Page]) -> None:
    people = [Guest(window(), house, name) for name in ("观棋人", "落子客")]
    invite = people[0].call("/invites", {"game": "xiangqi", "rated": True, "to": people[1].id})
    table = people[1].call(f"/invites/{invite['id']}/accept", {})["table"]
    for person in people:
        person.see(f"/tables/{table}")
        person.page.locator("[data-ready]").click()
    opens(people)
    people[0].resign(table)
    winner = people[1]
    page = winner.page
    # The hall counts a moment later.
    page.evaluate(
        """async () => {
            const earned = async () => (await (await fetch("/api/v1/achievements")).json()).earned;
            while (!(await earned())) await new Promise((next) => setTimeout(next, 200));
        }"""
    )
    winner.see("/achievements")
    row = page.locator("[data-achievement='win.xiangqi'][data-earned]")
    expect(row).to_contain_text("初胜")
    expect(page.locator("[data-achievement='games_10']")).to_contain_text("1 / 10")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    winner.see(f"/users/{winner.id}")
    expect(page.locator("[data-achievements]")).to_be_visible()
