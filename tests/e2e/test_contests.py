"""Stairs and ponds in real browsers (platform P-70, P-71, walks W10 and W11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.fitting import DESK, PHONE, fits
from tests.e2e.guest import Guest, open_house, opens

from qipai.contests.ponds.seals import seal_of


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with open_house(tmp_path_factory.mktemp("contests")) as server:
        yield server


def test_two_people_meet_on_the_stairs_and_their_steps_change(window: Callable[..., Page], house: Server) -> None:
    one = Guest(window(*PHONE), house, "青屿")
    one.page.set_viewport_size({"width": 1440, "height": 900})
    other = Guest(window(*PHONE), house, "海潮生")
    people = (one, other)
    for person in people:
        person.see("/stairs")
        person.page.locator("[data-stairs='xiangqi']").click()
        person.page.locator("[data-join]").click()
        expect(person.page.locator("[data-me]")).to_be_visible()
    # Who was here first learns of the other by looking again; the red button names them.
    one.page.reload()
    nearest = one.page.locator("[data-challenge]")
    expect(nearest).to_have_text("挑战 海潮生")
    fits(one.page, ".step .p, .step strong, [data-panel]", ".step button, [data-panel] .btn")
    one.page.set_viewport_size({"width": 1440, "height": 900})
    # By the keys: choose the name, then the red button.
    one.page.locator("[data-may]").focus()
    one.page.keyboard.press("Enter")
    expect(one.page.locator("[data-may]")).to_have_attribute("aria-pressed", "true")
    nearest.click()
    # The challenged hears of the table, with the way there.
    other.page.get_by_role("button", name="去牌桌").click()
    one.page.locator("[data-panel] [data-table]").click()
    for person in people:
        # The challenge stands, and so the game begins; what belongs to the contest is not for the players to change.
        expect(person.page.locator(".stage[data-plies='0']")).to_be_visible()
        for nothing in ("[data-stand]", "[data-fill]", "[data-propose]", "[data-ready]"):
            expect(person.page.locator(nothing)).to_have_count(0)
    opens(people)
    for person in people:
        expect(person.page.locator("[data-takeback]")).to_have_count(0)
    one.page.locator("[data-resign]").click()
    one.page.locator("dialog .btn.primary, dialog .btn.danger").click()
    for person in people:
        expect(person.page.locator(".result")).to_be_visible()
        expect(person.page.locator("[data-again]")).to_have_count(0)
    # Back by the table's own link: the loser cannot challenge upwards, and is told by which rule.
    one.page.locator("a[data-contest]").first.click()
    expect(one.page.locator("[data-step='2'] .p")).to_have_text("海海潮生")
    expect(one.page.locator("[data-step='1'] [data-me]")).to_be_visible()
    above = one.page.locator("[data-no='STEP_ABOVE']")
    above.click()
    expect(one.page.locator("aside .why")).to_contain_text("只能往下")
    expect(one.page.locator("aside .history, aside [class*=history]").first).to_contain_text("海潮生 胜 青屿")
    expect(one.page.locator("aside [data-top]")).to_contain_text("海潮生独占")
    one.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    expect(one.page.locator(".step .why")).to_be_visible()  # on a phone right under the step
    fits(one.page, ".step .p, .step strong, .step .why, [data-panel]", ".step button, [data-panel] .btn")
    # Who rests is not challenged, keeps the step, and comes back to it.
    other.see("/stairs/xiangqi")
    expect(other.page.locator("[data-no='TOO_SOON']")).to_be_visible()
    other.page.locator("[data-retire]").click()
    expect(other.page.locator("[data-panel]")).to_contain_text("第 2 级给你留着")
    other.page.locator("[data-return]").click()
    expect(other.page.locator("[data-step='2'] [data-me]")).to_be_visible()
    for person in people:
        person.healthy()


def test_a_visitor_sees_the_stairs_and_is_asked_to_sign_in(window: Callable[..., Page], house: Server) -> None:
    page: Any = window()
    page.goto(f"{house.url}/stairs/backgammon")
    expect(page.locator("[data-panel] a[href='/signin']")).to_be_visible()
    expect(page.locator("h1.desk")).to_contain_text("楼梯")


def sealed_bid(user: int, round: int, amount: int, *, auto: bool = False) -> dict[str, Any]:
    salt = f"{user:032x}"
    seal = seal_of("7", round, user, amount, salt)
    return {"user": user, "seal": seal, "amount": amount, "salt": salt, "auto": auto}


def prepared(me: int, names: list[str], variant: str, *, over: bool = False, opened: bool = True) -> dict[str, Any]:
    """The page of a pond of nine after two rounds, as the hall would give it."""
    users = [me, *(1000 + i for i in range(len(names)))]
    people = [{"id": user, "name": name, "kind": "user"} for user, name in zip(users, ["我", *names], strict=True)]
    amounts = {1: [300 - 10 * i for i in range(len(users))], 2: [340 - 10 * i for i in range(len(users) - 1)]}
    out = {1: users[-1], 2: users[-2]}
    rounds, books = [], []
    for number in (2, 1):
        bids = [
            sealed_bid(user, number, used, auto=i == 1)
            for i, (user, used) in enumerate(zip(users, amounts[number], strict=False))
        ]
        seals = [{"user": bid["user"], "seal": bid["seal"], "auto": bid["auto"]} for bid in bids]
        rounds.append({"round": number, "ended": number * 1000, "seals": seals, "fallen": [out[number]]})
        bids.sort(key=lambda bid: -bid["amount"])
        books.append({"round": number, "bids": bids, "bonus": bids[0]["user"]})
    mine = [
        {"round": each["round"], **{key: bid[key] for key in ("amount", "seal", "salt", "auto")}}
        for each in books
        for bid in each["bids"]
        if bid["user"] == me
    ]
    running = [] if over else users[:-2]
    placed = [{"user": user, "rank": i + 1, "coins": 90 if i == 0 else 0} for i, user in enumerate(users)]
    pond = {
        "id": "7",
        "state": "finished" if over else "running",
        "form": {"name": "柳湖池塘", "variant": variant, "least": 3, "fee": 10, "percents": [100]},
        "by": me,
        "entered": users,
        "enough": True,
        "pool": 90,
        "prizes": [90],
        "round": 2 if over else 3,
        "ends_at": None if over else 4_000_000_000_000,
        "runners": [
            {"user": user, "seal": "ab" * 32 if i % 2 else None, "auto": False} for i, user in enumerate(running)
        ],
        "fallen": [{"user": out[1], "round": 1, "left": None}, {"user": out[2], "round": 2, "left": "self"}],
        "rounds": rounds,
        "books": {"accounts": [], "rounds": books} if opened else None,
        "me": {"runs": not over, "points": 19_360, "last": 340, "bid": None, "fallen": None, "rounds": mine},
        "winner": me if over else None,
        "placed": placed if over else [],
    }
    return {"number": 7, "pond": pond, "people": people, "now": 0}


def test_three_people_run_round_a_pond_until_one_is_left(window: Callable[..., Page], house: Server) -> None:
    one, other = Guest(window(*PHONE), house, "松间照"), Guest(window(*PHONE), house, "竹里馆")
    third = Guest(window(), house, "云中客")
    one.see("/ponds")
    one.page.locator("[data-make]").click()
    one.page.locator("[data-field='name']").fill("   ")
    one.page.locator("[data-go]").click()
    expect(one.page.locator("[data-wrong='name']")).to_be_visible()  # what the hall refuses is said at its field
    one.page.locator("[data-field='name']").fill("柳湖池塘")
    one.page.locator("[data-field='round_s']").select_option("60")
    one.page.locator("[data-field='least']").fill("3")
    one.page.locator("[data-go]").click()
    expect(one.page.locator("[data-wrong='most']")).to_be_visible()
    one.page.locator("[data-field='most']").fill("3")
    fits(one.page, "[data-making] .field, [data-making] .do", "[data-making] :is(.btn, .input, .seg label)")
    one.page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    one.page.locator("[data-go]").click()
    one.page.wait_for_url("**/ponds/*")
    where = one.page.url.removeprefix(house.url)
    one.page.locator("[data-enter]").click()
    expect(one.page.locator("[data-leave]")).to_be_visible()
    other.see("/ponds")
    other.page.locator("[data-pond]").click()
    other.page.locator("[data-enter]").click()
    third.see(where)
    third.page.locator("[data-enter]").click()
    # The third has filled it: it runs. Those who wait see it by the note, without touching anything.
    people = (one, other, third)
    for person in people:
        expect(person.page.locator("[data-ring]")).to_be_visible()
    fits(other.page, "[data-bid] > *:not(.no), [data-ring]", "[data-bid] :is(.btn, .input)")
    other.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    one.page.locator("[data-amount]").fill("20001")
    expect(one.page.locator("[data-bid] .why")).to_be_visible()
    expect(one.page.locator("[data-seal]")).to_be_disabled()
    one.page.locator("[data-amount]").fill("300")
    one.page.keyboard.press("Enter")
    expect(one.page.locator("[data-my-seal]")).to_be_visible()
    seal = one.page.locator(f"[data-seal-of='{one.id}']").get_attribute("title")
    assert seal is not None
    assert len(seal) == 64
    other.page.locator("[data-amount]").fill("200")
    other.page.locator("[data-seal]").tap()
    expect(other.page.locator("[data-my-seal]")).to_be_visible()
    # A minute later the round ends: who said nothing falls with who used the least.
    expect(one.page.locator("[data-over='finished']")).to_contain_text("松间照赢了", timeout=90_000)
    expect(one.page.locator("[data-rank='1']")).to_contain_text("松间照")
    expect(one.page.locator(f"[data-bar='{one.id}']")).to_contain_text("300")
    assert one.page.locator(f"[data-bar='{one.id}'] b").get_attribute("title") == seal
    expect(one.page.locator("[data-checked='0']")).to_be_visible()
    expect(third.page.locator("[data-over='finished']")).to_contain_text("你在第 1 轮落水了")
    for person in people:
        person.healthy()


@pytest.mark.parametrize(
    ("variant", "over", "opened"),
    [("regular", False, True), ("rain", False, True), ("dark", False, False), ("dark", True, True)],
)
def test_ponds_of_each_kind_are_drawn(
    window: Callable[..., Page], house: Server, shots: Path, variant: str, over: bool, opened: bool
) -> None:
    names = ["海潮生", "竹里馆", "松间照", "云中客", "棠梨花", "川上行", "白云上", "雁来红", "a rather long name"]
    one = Guest(window(*PHONE), house, f"客{variant}{over}")
    answer = prepared(one.id, names, variant, over=over, opened=opened)
    one.page.route("**/api/v1/ponds/7", lambda route: route.fulfill(json=answer))
    one.see("/ponds/7")
    page = one.page
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    expect(page.locator(f"[data-variant='{variant}']")).to_be_visible()
    expect(page.locator("[data-water] li")).to_have_count(2)
    expect(page.locator("[data-checked='0']")).to_be_visible()
    if over:
        expect(page.locator("[data-over]")).to_contain_text("我赢了")
        expect(page.locator("[data-rank='1']")).to_contain_text("90 金币")
    else:
        expect(page.locator("[data-sealed]")).to_have_count(4)
    if opened:
        expect(page.locator("[data-bar]")).to_have_count(9)
        expect(page.locator("[data-bar]").first).to_contain_text("+500")
        page.locator("[data-earlier]").click()
        expect(page.locator("[data-bar]")).to_have_count(10)
    else:
        expect(page.locator("aside")).to_contain_text("暗池：出价跑完才公布")
        expect(page.locator("[data-bar]")).to_have_count(0)
    apart = "[data-ring] .name, [data-ring] .head, [data-ring] .note, [data-ring] .word"
    fits(page, apart, "[data-bid] :is(.btn, .input), aside :is(.btn, .icon)")
    fits(page, "[data-ring], [data-bid], [data-water], [data-over], main > table, main > h2", ".panel .btn")
    for width, height in (PHONE, DESK):
        page.set_viewport_size({"width": width, "height": height})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            page.screenshot(path=shots / f"pond-{variant}-{over}-{width}-{theme}.png")
    one.healthy()


def test_a_bid_that_does_not_fit_its_seal_is_told(window: Callable[..., Page], house: Server) -> None:
    one = Guest(window(*DESK), house, "验印人")
    answer = prepared(one.id, ["海潮生", "竹里馆", "松间照"], "regular")
    answer["pond"]["books"]["rounds"][0]["bids"][0]["amount"] += 1
    one.page.route("**/api/v1/ponds/7", lambda route: route.fulfill(json=answer))
    one.see("/ponds/7")
    expect(one.page.locator("[data-checked='1']")).to_contain_text("对不上：1 个出价")
