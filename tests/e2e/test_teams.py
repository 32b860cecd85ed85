"""Team tournaments in real browsers (platform P-69, the team half of walk W13)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.fitting import DESK, PHONE, fits
from tests.e2e.guest import Guest, open_house, opens

# Games by days begin whether people look or not, and two people play each other on two boards of their own time.
TERMS = {"game": "xiangqi", "clock": {"type": "days", "days": 3}, "rated": False}
FORM = {"name": "春季团体赛", "terms": TERMS, "boards": 2, "games": 2, "least": 2, "most": 2, "pause_s": 10}
BLOCKS = "[data-panel], [data-my-team], [data-matches], [data-table], [data-teams], aside"
ROWS = "[data-lineup] :is(.no, .who, .btn), [data-match] :is(h3 .team, h3 b), [data-team] h3, [data-team] .members a"
TOUCHED = "[data-panel] .btn, [data-lineup] .btn, [data-my-team] .btn, [data-match] a, [data-pick] .icon, .members a"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with open_house(tmp_path_factory.mktemp("teams")) as server:
        yield server


def pictures(page: Page, shots: Path, name: str) -> None:
    for width, height in (PHONE, DESK):
        page.set_viewport_size({"width": width, "height": height})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            page.screenshot(path=shots / f"teams-{name}-{width}-{theme}.png", full_page=True)


def test_a_captain_on_a_phone_founds_a_team_and_lines_it_up(
    window: Callable[..., Page], house: Server, shots: Path
) -> None:
    captain, member = Guest(window(*PHONE), house, "松间照"), Guest(window(*PHONE), house, "竹里馆")
    third = Guest(window(*DESK), house, "云中客")
    page = captain.page
    captain.see("/teams")
    page.locator("[data-make]").tap()
    page.locator("[data-field='name']").fill("   ")
    page.locator("[data-go]").tap()
    expect(page.locator("[data-wrong='name']")).to_be_visible()  # what the hall refuses is said at its field
    page.locator("[data-field='name']").fill("春季团体赛")
    page.locator("[data-field='section']").fill("9")
    page.locator("[data-go]").click()
    expect(page.locator("[data-wrong='section']")).to_be_visible()
    page.locator("[data-field='section']").fill("4")
    page.locator("[data-field='boards']").fill("2")
    page.locator("[data-field='least']").fill("2")
    page.locator("[data-field='most']").fill("2")
    fits(page, "[data-making] .field, [data-making] .do", "[data-making] :is(.btn, .input, .seg label)")
    pictures(page, shots, "making")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.locator("[data-go]").tap()
    page.wait_for_url("**/teams/*")
    where = page.url.removeprefix(house.url)
    page.locator("[data-found] input").fill("松风队")
    page.locator("[data-found] button").tap()
    # Those whom she finds by name are invited; they hear of it and agree.
    for person in (member, third):
        page.locator("[data-invite] input").fill(person.name)
        page.locator(f"[data-call='{person.id}']").tap()
        expect(page.locator(f"[data-invited='{person.id}']")).to_be_visible()
        person.see(where)
        person.page.locator("[data-accept]").click()
        expect(person.page.locator("[data-my-team]")).to_be_visible()
        expect(page.locator(f"[data-lineup] [data-player='{person.id}']")).to_be_visible()
    rows = page.locator("[data-lineup] [data-player]")
    assert [row.get_attribute("data-player") for row in rows.all()] == [str(captain.id), str(member.id), str(third.id)]
    expect(page.locator("[data-save]")).to_be_disabled()
    # By touch: the substitute is brought in. By keys: one board up, and the focus stays with who was moved.
    page.locator("[data-bring]").tap()
    page.locator(f"[data-player='{third.id}'] [data-up]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"[data-player='{third.id}'] [data-down]")).to_be_focused()
    fits(page, ROWS, TOUCHED)
    fits(page, BLOCKS, TOUCHED)
    pictures(page, shots, "captain")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.locator("[data-save]").tap()
    expect(page.locator("[data-save]")).to_be_disabled()
    expect(third.page.locator("[data-lineup] .no").first).to_have_text("1")
    third.page.reload()
    assert third.page.locator("[data-player]").first.get_attribute("data-player") == str(third.id)
    expect(third.page.locator("[data-lineup] .btn")).to_have_count(0)  # who is not the captain moves nobody
    for person in (captain, member, third):
        person.healthy()


def test_two_teams_meet_and_the_boards_decide(window: Callable[..., Page], house: Server, shots: Path) -> None:
    one, other = Guest(window(*DESK), house, "青屿"), Guest(window(*DESK), house, "海潮生")
    two, four = Guest(window(*DESK), house, "雁来红"), Guest(window(*DESK), house, "棠梨花")
    made = one.call("/teams", {"form": FORM})
    path = f"/teams/{made['number']}"
    for no, (captain, member, name) in enumerate(((one, two, "青屿队"), (other, four, "海潮队")), 1):
        captain.call(f"{path}/found", {"name": name})
        captain.call(f"{path}/invite", {"user": member.id})
        captain.see(path)
        member.call(f"{path}/accept", {"team": no})
    page = one.page
    # Both are complete: after a pause the round begins, and each who plays hears of a table.
    expect(page.locator("[data-panel] [data-table]")).to_be_visible(timeout=40_000)
    expect(page.locator("[data-match] [data-board]")).to_have_count(2)
    expect(page.locator("[data-panel]")).to_contain_text("海潮生")
    for _ in range(2):
        page.locator("[data-panel] [data-table]").click()
        table = page.url.removeprefix(house.url)
        other.see(table)
        opens((one, other))
        other.page.locator("[data-resign]").click()
        other.page.locator("dialog .btn.primary, dialog .btn.danger").click()
        expect(page.locator(".result")).to_be_visible()
        page.locator("a[data-contest]").first.click()
        expect(page.locator("[data-match]")).to_be_visible()
    # Both boards' games were lost by the same team; the second board's players lose theirs by leaving it.
    expect(page.locator("[data-board='1'] b")).to_have_text("1 : 0")
    expect(page.locator("[data-board='1'] .games a")).to_have_count(2)
    fits(page, ROWS, TOUCHED)
    pictures(page, shots, "running")
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    # The other team withdraws by its captain's page: the match is won.
    other.see(path)
    other.page.locator("details summary").click()
    other.page.locator("[data-withdraw]").click()
    other.page.locator("dialog .btn.danger").click()
    expect(page.locator("[data-panel]")).to_contain_text("青屿队夺冠")
    expect(page.locator("[data-match] [data-score]")).to_have_text("2 : 0")
    expect(page.locator("[data-match] [data-struck]")).to_be_visible()  # not half of their matches were played (P-67)
    expect(page.locator("[data-standings] [data-place='1']")).to_contain_text("青屿队")
    expect(page.locator("[data-ties]")).to_contain_text("局分")
    fits(page, ROWS, TOUCHED)
    pictures(page, shots, "over")
    page.locator("[data-board='1'] .games a").first.click()
    page.wait_for_url("**/g/*")
    for person in (one, other, two, four):
        person.healthy()
