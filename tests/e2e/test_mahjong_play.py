"""People play mahjong in browsers: a hand against bots, a round of two with two at the table and one beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.cards import play_out
from tests.e2e.mahjong import Sitter
from tests.e2e.person import FITS, SIZES, rests

QUICK = {"claim_seconds": 1}


@pytest.fixture
def visit(window: Callable[..., Page], hall: Server) -> Callable[[str], Sitter]:
    """Open a browser of its own at the hall, as a guest."""

    def opened(size: str) -> Sitter:
        return Sitter(window(*SIZES[size]), touch=size != "desktop").guest(hall)

    return opened


def points(sitter: Sitter) -> dict[str, int]:
    """Return what the result sheet says each seat has won, by name."""
    found = {}
    for row in sitter.page.locator(".result > .all > table tbody tr").all():
        name = row.locator(".who").evaluate(
            "(who) => [...who.childNodes].filter((one) => one.nodeType === Node.TEXT_NODE)"
            ".map((one) => one.textContent).join('').trim()"
        )
        found[name] = int(row.locator("td b").first.inner_text().replace("−", "-").replace("+", ""))
    return found


def payments(sitter: Sitter) -> int:
    """Check that the sheet's payments come to the points it shows, horses and all; return how many there are."""
    shown: dict[str, int] = {}
    backers: dict[str, list[str]] = {}
    for row in sitter.page.locator("[data-settle] tfoot tr").all():
        who = row.locator("td").nth(1)
        name, small = who.evaluate("(cell) => [cell.firstChild.textContent, cell.querySelector('small')?.textContent]")
        shown[name] = int(row.locator("td").last.inner_text().replace("−", "-"))
        if small and "跟" in small:
            backers.setdefault(small.split("跟")[1].strip(), []).append(name)  # "跟 鲁班", but "跟你"
    sums = dict.fromkeys(shown, 0)
    rows = sitter.page.locator("[data-payment]").all()
    for row in rows:
        cells = row.locator("td").all_inner_texts()
        amount = int(cells[4])
        # Whoever has a horse on a seat pays and gets what it does (6.6).
        for payer in (cells[1], *backers.get(cells[1], ())):
            for payee in (cells[3], *backers.get(cells[3], ())):
                sums[payer] -= amount
                sums[payee] += amount
    assert sums == shown
    assert sum(shown.values()) == 0
    return len(rows)


@pytest.mark.parametrize(("game", "answer"), [("mahjong", "only_win"), ("gouji", "never_burn")])
def test_an_answer_given_beforehand_outlives_a_reload(
    visit: Callable[[str], Sitter], hall: Server, game: str, answer: str
) -> None:
    person = visit("desktop")
    page = person.page
    table = person.call("/play", {"game": game, "level": "easy"})["table"]
    page.goto(f"{hall.url}/tables/{table}")
    switch = page.locator(f"[data-standing={answer}]")
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    person.healthy()


def test_a_person_plays_a_hand_against_three_bots(visit: Callable[[str], Sitter], hall: Server, shots: Path) -> None:
    person = visit("desktop")
    page = person.page
    table = person.call("/play", {"game": "mahjong", "level": "easy", "options": QUICK})["table"]
    page.goto(f"{hall.url}/tables/{table}")
    expect(page.locator("[data-hand] [data-tile]").first).to_be_visible()
    assert page.locator(".plate[data-seat]").count() == 4
    assert len(person.hand_tiles()) in (13, 14)

    def reload() -> None:
        before = person.hand_tiles()
        page.reload()
        expect(page.locator("[data-hand] [data-tile]").first).to_be_visible()
        # It may have been somebody's turn meanwhile, but one tile at most has come or gone.
        assert len(set(person.hand_tiles()) ^ set(before)) <= 4
        page.screenshot(path=shots / "mahjong-play-reloaded.png")

    def lose_the_line() -> None:
        person.lose()
        expect(page.locator(".away").first).to_be_attached()
        before = person.hand_tiles()  # what was played last may have arrived until now
        page.wait_for_timeout(1200)
        assert person.hand_tiles() == before  # the cloth stays
        person.find()
        expect(page.locator(".away")).to_have_count(0, timeout=15_000)
        person.wrongs.clear()  # a browser tells of the sockets it could not open

    # As early as may be: three bots who are in luck leave a person few turns.
    play_out(
        person,
        at={2: reload, 3: lose_the_line, 4: lambda: page.screenshot(path=shots / "mahjong-play-middle.png")},  # type: ignore[dict-item]
    )
    rests(page)
    page.screenshot(path=shots / "mahjong-play-result.png")
    assert len(points(person)) == 4
    assert sum(points(person).values()) == 0
    payments(person)
    expect(page.locator("button.fair.cloth")).to_contain_text(FITS)
    replay = page.locator(".result a.lk").get_attribute("href")
    page.locator("[data-again]").click()
    expect(page.locator("[data-deal='2']")).to_be_visible()
    expect(page.locator("[data-hand] [data-tile]").first).to_be_visible()
    person.healthy()
    # The hand that was played, with all hands open.
    page.goto(f"{hall.url}{replay}")
    expect(page.locator("[data-all]")).to_have_count(4)
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    rests(page)
    assert page.locator("[data-wing] [data-open]").count() == 3
    page.screenshot(path=shots / "mahjong-replay.png")
    page.keyboard.press("End")
    expect(page.locator("[data-settle]")).to_be_visible()
    page.wait_for_timeout(300)
    page.screenshot(path=shots / "mahjong-replay-end.png")
    person.healthy()


def test_a_round_of_two_hands_with_two_people_two_bots_and_a_horse_buyer(
    visit: Callable[[str], Sitter], hall: Server, shots: Path
) -> None:
    host, guest, buyer = visit("desktop"), visit("upright"), visit("sideways")
    options = {**QUICK, "mode": "rain", "void_rule": "declare", "exchange": "three", "hands_per_round": 2}
    made = host.call("/tables", {"game": "mahjong", "options": options, "private": True})
    link = f"{hall.url}/t/{made['key']}"
    for seat, sitter in ((0, host), (2, guest)):
        sitter.page.goto(link)
        sitter.page.locator(f"[data-sit='{seat}']").click()
        expect(sitter.page.locator("[data-ready]")).to_be_visible()
    # Somebody sits on the bench, a place before him free: he may buy a horse, and sees no hand until all is over.
    buyer.page.goto(link)
    buyer.page.locator("[data-sit='5']").click()
    expect(buyer.page.locator("[data-sit]")).to_have_count(0)
    assert buyer.page.locator("[data-ready]").count() == 0
    host.page.locator("[data-step=easy]").first.click()
    host.page.locator("[data-fill]").click()
    for sitter in (guest, host):
        sitter.page.locator("[data-ready]").click()
    everybody = {"desktop": host, "upright": guest, "bench": buyer}
    sums: dict[str, int] = {}
    for hand in (1, 2):
        for sitter in (host, guest):
            expect(sitter.page.locator(f"[data-deal='{hand}']")).to_be_visible()
            expect(sitter.page.locator("[data-hand] [data-tile]").first).to_be_visible()
        assert host.hand_tiles() != guest.hand_tiles()
        expect(buyer.page.locator(f"[data-deal='{hand}']")).to_be_visible()
        expect(buyer.page.locator("[data-act=horse]")).to_be_visible()
        buyer.buys = hand == 1
        runs = "马跟" if buyer.buys else "没有马"

        def looks_on(runs: str = runs) -> None:
            expect(host.page.locator("[data-bench='5']")).to_contain_text(runs)
            assert buyer.buttons() == {}
            assert buyer.hand_tiles() == []
            assert buyer.page.locator("[data-open]").count() == 0

        # The horse is bought before anything else.
        play_out(
            *everybody.values(),
            at={1: looks_on, 5: lambda hand=hand: buyer.page.screenshot(path=shots / f"mahjong-bench-{hand}.png")},  # type: ignore[dict-item, misc]
        )
        rests(host.page)
        seen = points(host)
        assert seen == points(guest) == points(buyer)
        assert len(seen) == 5
        assert sum(seen.values()) == 0
        for name, sitter in everybody.items():
            payments(sitter)
            own = sitter.page.locator("[data-result='5']")
            expect(own).to_have_class(re.compile(r"\bme\b") if name == "bench" else re.compile(r"^((?!\bme\b).)*$"))
            assert own.locator("td").first.inner_text() == ""  # no place among those who play
        horse = buyer.page.locator("[data-settle] tfoot tr").last.inner_text()
        assert ("没有买马" in horse) == (hand == 2), horse
        assert buyer.page.locator("[data-again]").count() == 0  # nobody waits for him
        expect(host.page.locator("button.fair.cloth")).to_contain_text(FITS)
        for name, won in seen.items():
            sums[name] = sums.get(name, 0) + won
        for name, sitter in everybody.items():
            sitter.page.screenshot(path=shots / f"mahjong-round-{hand}-{name}.png")
        last = host.page.locator("[data-settle] .next").inner_text()
        assert ("圈数打满了" in last) == (hand == 2), last
        if hand < 2:
            for sitter in (host, guest):
                sitter.page.locator("[data-again]").click()
    assert sum(sums.values()) == 0
    assert host.did.get("discard", 0) > 4
    assert guest.did.get("discard", 0) > 4
    assert buyer.did == {"horse": 1, "pass": 1}
    for sitter in everybody.values():
        sitter.healthy()
