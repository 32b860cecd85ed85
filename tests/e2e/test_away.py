"""Who has gone: he reads why his seat is lost when he is back, and the result still names him."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.conftest import QUICK
from tests.e2e.guest import Guest

from qipai.web.files import CLIENT


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall that waits a second for a lost line."""
    if not (CLIENT / "index.html").is_file():
        pytest.skip("the client is not built")
    with Server(tmp_path_factory.mktemp("house"), QUICK + "[seats]\ngrace_s = 1\n") as server:
        yield server


def sits(person: Guest, table: int) -> None:
    person.see(f"/tables/{table}")
    person.page.locator("[data-sit]").first.click()
    expect(person.page.locator("[data-ready]")).to_be_visible()


def test_who_comes_back_reads_why_his_seat_is_lost(window: Callable[..., Page], house: Server) -> None:
    gone, other = Guest(window(), house, "忽去来"), Guest(window(), house, "一直在")
    table = gone.room("friendly") * 100 + 1
    sits(gone, table)
    other.see(f"/rooms/{table // 100}")
    free = other.page.locator(f"[data-table='{table}'] [data-seat]")
    expect(free).to_have_count(1)
    gone.page.goto("about:blank")
    expect(free).to_have_count(2)
    gone.see("/")
    expect(gone.page.locator(".toast")).to_contain_text("断线太久没回来，座位让出来了")
    gone.page.locator(".toast .x").click()
    gone.see("/rooms")
    expect(gone.page.locator(".toast")).to_have_count(0)
    for person in (gone, other):
        person.healthy()


def test_the_result_names_who_has_got_up(window: Callable[..., Page], house: Server) -> None:
    both = stays, goes = Guest(window(), house, "坐得住"), Guest(window(), house, "坐不住")
    late = Guest(window(), house, "刚坐下")
    table = stays.room("friendly") * 100 + 2
    for person in both:
        sits(person, table)
    for person in both:
        person.page.locator("[data-ready]").click()
    goes.page.locator("[data-resign]").click()
    goes.page.locator("dialog .danger").click()
    goes.page.locator(".result").get_by_role("button", name="离桌").click()
    expect(stays.page.locator(".result .rd [title]")).to_have_count(1)  # he is alone there
    expect(stays.page.locator("[data-result]", has_text="坐不住")).to_have_count(1)
    stays.see(f"/tables/{table}")
    expect(stays.page.locator("[data-result]", has_text="坐不住")).to_have_count(1)

    # Whoever sits down there now has lost nothing.
    late.see(f"/rooms/{table // 100}")
    late.page.locator(f"[data-table='{table}']").get_by_role("link").click()
    late.page.locator(".drawer .foot .primary").click()
    expect(late.page.locator("[data-again]")).to_be_visible()
    expect(late.page.locator(".result h1")).to_contain_text("坐得住 胜")
    expect(late.page.locator(".result tr.me")).to_have_count(0)
    late.healthy()
    for person in both:
        person.healthy()


def test_who_looked_away_finds_the_result_when_the_table_has_opened(
    window: Callable[..., Page], tmp_path: Path, shots: Path
) -> None:
    if not (CLIENT / "index.html").is_file():
        pytest.skip("the client is not built")
    with Server(tmp_path, QUICK + "[seats]\nagain_s = 1\n") as hall:
        won, lost = Guest(window(390, 844), hall, "赢了的"), Guest(window(), hall, "输了的")
        table = won.room("friendly") * 100 + 1
        for person in (won, lost):
            sits(person, table)
        expect(won.page.locator("[data-last]")).to_have_count(0)
        for person in (won, lost):
            person.page.locator("[data-ready]").click()
        lost.page.locator("[data-resign]").click()
        lost.page.locator("dialog .danger").click()
        for person, points, name in ((won, "+2", "phone"), (lost, "−2", "desktop")):
            expect(person.page.locator("[data-ready]")).to_be_visible()  # the second is over, and with it the result
            expect(person.page.locator("[data-last]")).to_contain_text(points)
            person.page.screenshot(path=shots / f"away-last-{name}.png")
            person.page.locator("[data-last]").click()
            expect(person.page).to_have_url(re.compile("/g/[a-z0-9]+$"))
            person.page.locator("[data-go=last]").click()
            person.page.screenshot(path=shots / f"away-replay-{name}.png")
            person.healthy()
        expect(lost.page.locator("aside")).to_contain_text("红方胜：认输")
