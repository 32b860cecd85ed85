"""What a flag is seen by, and open data, in a browser (platform P-95, P-96)."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.guest import KEEPER, Guest, open_house

Window = Callable[..., Page]
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
AT = 1_790_000_000


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with open_house(tmp_path_factory.mktemp("honesty")) as server:
        yield server


def flagged(house: Server, one: int, other: int) -> None:
    """Let the hall have noticed that two spare each other and one feeds the other, over 24 games that went one way."""
    with closing(sqlite3.connect(house.data / "hall.sqlite", timeout=20)) as db, db:
        for game in range(24):
            points = 6 if game % 5 else -3
            for seat, (user, got) in enumerate(((one, points), (other, -points))):
                row = (user, f"flagged{game}", seat, "doudizhu", AT + 3600 * game, game + 1, got)
                sql = (
                    "INSERT INTO parts (user, id, seat, game, at, n, points, counted, sign)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, 1, 1)"
                )
                db.execute(sql, row)
        given = {"why": "given", "other": other, "game": "mahjong", "could": 64, "let": 51, "could_others": 88}
        given |= {
            "let_others": 12,
            "might": 41,
            "gave": 30,
            "might_others": 70,
            "gave_others": 9,
            "errors": 8.4,
            "days": 30,
        }
        facts = {"why": "soft", "other": other, "game": "doudizhu", "could": 61, "let": 44, "could_others": 70}
        facts |= {"let_others": 9, "errors": 6.2, "days": 30}
        sql = "INSERT INTO reports (at, kind, user, ref, text, key, facts) VALUES (?, 'flag', ?, 'flagged23', '', ?, ?)"
        for key, seen in (("soft", facts), ("given", given)):
            db.execute(sql, (AT, one, key, json.dumps(seen)))


def test_a_moderator_sees_what_a_flag_was_seen_by_and_dismisses_it(window: Window, house: Server, shots: Path) -> None:
    one, other = Guest(window(), house, "顺风船"), Guest(window(), house, "让路人")
    flagged(house, one.id, other.id)
    keeper = Guest(window(390, 844), house, KEEPER, known=True)
    keeper.see("/moderation")
    page = keeper.page
    page.locator("[data-report-row]").first.click()
    expect(page.locator("[data-report-facts]")).to_contain_text("44")
    expect(page.locator("[data-evidence='spared']")).to_contain_text("72 %")
    flow = page.locator("[data-evidence='flow']")
    expect(flow.locator("circle")).to_have_count(24)
    expect(flow.get_by_role("link").first).to_have_attribute("href", "/g/flagged0")
    page.screenshot(path=shots / "honesty-flag-390.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.screenshot(path=shots / "honesty-flag-1280.png", full_page=True)
    page.get_by_role("radio", name="不成立").check()
    page.locator("#reason").fill("一家人")
    page.locator("[data-rule]").click()
    expect(page.locator("[data-report-row]")).to_have_count(1)
    page.locator("[data-report-row]").first.click()
    expect(page.locator("[data-evidence='yielded']")).to_contain_text("80 %")
    expect(page.locator("[data-evidence='gave']")).to_contain_text("73 %")


def test_open_data_says_what_is_in_it_and_gives_its_files(window: Window, house: Server, shots: Path) -> None:
    dumps = house.data / "dumps"
    dumps.mkdir()
    for path in EXAMPLES.iterdir():
        if path.suffix in (".json", ".gz"):
            shutil.copy(path, dumps)
    page = window(390, 844)
    page.goto(f"{house.url}/open-data")
    month = page.locator("[data-month='2026-10']")
    expect(month.locator("[data-file]")).to_contain_text("120")
    page.screenshot(path=shots / "open-data-390.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with page.expect_download() as begun:
        month.locator("[data-file] a").click()
    assert Path(begun.value.path()).read_bytes() == next(EXAMPLES.glob("*.gz")).read_bytes()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.screenshot(path=shots / "open-data-1280.png", full_page=True)
