"""Tournaments and prizes in real browsers (platform P-67, P-68, P-79, walk W12)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.fitting import DESK, PHONE, fits
from tests.e2e.guest import Guest, open_house

from qipai.contests.contract import GameOver, GameTerms, TableOpened, Tick
from qipai.contests.tournaments.commands import Enter, Make
from qipai.contests.tournaments.form import TournamentForm
from qipai.contests.tournaments.kind import Tournaments

DAYS = {"type": "days", "days": 3}
NAMES = ["海潮生", "竹里馆", "松间照", "云中客", "棠梨花", "川上行", "a rather long name here"]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with open_house(tmp_path_factory.mktemp("tournaments")) as server:
        yield server


def small(page: Page) -> None:
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})


def test_a_newcomer_finds_enters_and_plays_a_tournament_to_its_end(window: Callable[..., Page], house: Server) -> None:
    maker, new = Guest(window(), house, "组织者"), Guest(window(*PHONE), house, "新来的")
    terms = {"game": "xiangqi", "clock": DAYS, "rated": False}
    cup = {"name": "周末小杯", "format": "knockout", "terms": terms, "min_players": 2, "max_players": 2}
    number = maker.call("/tournaments", {"form": {**cup, "final_wins": 2, "fee": 20, "prizes": [100]}})["number"]
    page = new.page
    new.see("/")
    page.locator("a[href='/me']:visible").tap()
    page.locator("main a[href='/tournaments']").tap()
    card = page.locator(f"[data-tournament='{number}']")
    expect(card).to_contain_text("已报 0 / 2")
    expect(card).to_contain_text("满员头奖 40 金币")
    card.tap()
    expect(page.locator("[data-panel='open']")).to_contain_text("还差 2 个")
    page.locator("[data-do='enter']").tap()
    expect(page.locator("[data-panel='open']")).to_contain_text("你报上名了")
    expect(page.locator("[data-withdraw]")).to_contain_text("退 20 金币")
    fits(page, ".people li, [data-panel], h2", "[data-panel] .btn, .foot .btn, [data-withdraw]")
    small(page)
    # The maker takes the last place: who waits learns of it by a note, and has a table.
    maker.call(f"/tournaments/{number}/enter", {})
    expect(page.locator("[data-panel='running']")).to_contain_text("你的下一局：组织者")
    fits(page, "[data-match], .round, [data-panel], .tabs", "[data-panel] .btn, [data-match], [role=tab]")
    small(page)
    for game in (1, 2):
        link = page.locator("[data-panel] [data-to-table]")
        table = int(re.sub(r"\D", "", link.get_attribute("href") or ""))
        link.tap()
        expect(page.locator(".stage[data-plies='0']")).to_be_visible()
        maker.resign(table)
        expect(page.locator(".result")).to_be_visible()
        page.go_back()
        if game == 1:
            expect(page.locator("[data-match='1.1']")).to_contain_text("1")
            expect(page.locator("[data-panel] [data-to-table]")).not_to_have_attribute("href", f"/tables/{table}")
    # Both games were won: the final, to two wins, is over, and so is the cup.
    expect(page.locator("[data-panel='finished']")).to_contain_text("新来的 赢了")
    expect(page.locator("[data-rank='1']")).to_contain_text("40 金币")
    page.locator("[data-match='1.1']").tap()
    expect(page.locator("[data-meeting] [data-replay]")).to_have_count(2)
    page.locator("[data-tab='table']").tap()
    expect(page.locator("[data-ties]")).to_contain_text("赢了几轮")
    new.see("/tournaments")
    expect(card).to_contain_text("新来的 赢了")
    for person in (maker, new):
        person.healthy()


def test_one_makes_a_tournament_by_the_form_and_is_told_what_does_not_go(
    window: Callable[..., Page], house: Server
) -> None:
    one = Guest(window(*PHONE), house, "办赛人")
    page = one.page
    one.see("/tournaments")
    page.locator("[data-make]").tap()
    wrong = page.locator("[data-wrong]")
    field = {name: page.locator(f"[data-field='{name}']") for name in ("max_players", "fee", "prizes", "game", "start")}
    go = page.locator("[data-go]")
    # Before the hall is asked, and by the hall: at the field, in a fold that opens for it.
    field["max_players"].fill("1")
    go.click()
    expect(wrong).to_contain_text("2 到 1000")
    field["max_players"].fill("")
    page.get_by_role("radio", name="定个时间").check(force=True)
    go.click()
    expect(page.locator("[data-wrong='start']")).to_be_visible()
    field["start"].fill("2020-02-02T20:00")
    go.click()
    expect(page.locator("[data-wrong='start']")).to_be_visible()
    page.get_by_role("radio", name="人满就开").check(force=True)
    page.locator("summary", has_text="报名费").click()
    field["fee"].fill("100")
    field["prizes"].fill("10 20")
    go.click()
    expect(page.locator("[data-wrong='prizes']")).to_contain_text("从多到少")
    expect(page.locator("[data-split]")).to_contain_text("奖池 400")
    # What it shows is what its type and its game use.
    expect(page.locator("[data-field='minutes']")).to_have_count(0)
    page.get_by_role("radio", name="竞技场").check(force=True)
    expect(page.locator("[data-field='minutes']")).to_be_visible()
    field["game"].select_option("mahjong")
    expect(page.get_by_role("radio", name="竞技场")).to_have_count(0)
    expect(page.locator("[data-field='rounds']")).to_be_visible()
    # All tables of a round can play the same deal, where a game has luck; at two tables at least, as the hall says.
    page.locator("summary", has_text="赛程").click()
    alike = page.locator("[data-switch='duplicate'] [role=switch]")
    alike.click()
    expect(page.locator("[data-sum]")).to_contain_text("同牌")
    field["max_players"].fill("4")
    field["fee"].fill("0")
    go.click()
    expect(page.locator("[data-wrong='duplicate']")).to_contain_text("两桌")
    field["max_players"].fill("")
    field["game"].select_option("xiangqi")
    expect(alike).to_have_count(0)
    expect(page.locator("[data-sum]")).not_to_contain_text("同牌")
    field["game"].select_option("mahjong")
    fits(page, "[data-making] .field, .do .btn, summary", "[data-making] :is(.btn, .input, .seg label, .way, summary)")
    # Three taps are enough; this one is by link, too.
    small(page)
    one.see("/tournaments")
    page.locator("[data-make]").tap()
    page.locator("summary", has_text="谁能报名").tap()
    page.locator("[data-switch='private'] [role=switch]").tap()
    page.locator("[data-go]").tap()
    page.wait_for_url(re.compile(r"/tournaments/\d+$"))
    link = page.locator("[data-copied]").input_value()
    other = Guest(window(*DESK), house, "有链接的")
    other.see(page.url.removeprefix(house.url))
    expect(other.page.locator("main .why")).to_be_visible()
    other.see(link.removeprefix(house.url))
    other.page.locator("[data-do='enter']").click()
    expect(other.page.locator("[data-panel]")).to_contain_text("你报上名了")
    expect(page.locator("[data-entrant]")).to_contain_text("有链接的")
    page.locator("[data-cancel]").tap()
    page.locator("[data-why]").fill("下雨了，改天再来")
    page.locator("dialog .btn.danger").tap()
    expect(other.page.locator("[data-panel='cancelled']")).to_contain_text("下雨了")
    for person in (one, other):
        person.healthy()


def test_a_partner_is_asked_and_agrees(window: Callable[..., Page], house: Server) -> None:
    captain, partner = Guest(window(*DESK), house, "队长甲"), Guest(window(*DESK), house, "队友乙")
    form = {"name": "双人赛", "format": "swiss", "terms": {"game": "shengji", "rated": False}, "seats": 4}
    number = captain.call("/tournaments", {"form": {**form, "partners": "fixed", "max_players": 4}})["number"]
    partner.see("/grades")
    captain.see(f"/tournaments/{number}")
    expect(captain.page.locator("[data-do='enter']")).to_be_disabled()
    captain.page.locator("[data-find]").fill("队友")
    captain.page.locator(f"[data-take='{partner.id}']").click()
    captain.page.locator("[data-do='enter']").click()
    expect(captain.page.locator("[data-entrant]")).to_contain_text("等 队友乙 同意")
    partner.page.get_by_role("button", name="看比赛").click()  # the word of the note
    partner.page.locator("[data-do='agree']").click()
    expect(partner.page.locator("[data-panel]")).to_contain_text("你报上名了")
    captain.page.reload()
    expect(captain.page.locator("[data-entrant]")).not_to_contain_text("同意")
    # Prizes are two steps from the menu; the example is reckoned as one writes it.
    partner.page.locator("nav a[href='/tournaments']").click()
    partner.page.locator("[data-prizes]").click()
    example = partner.page.locator("[data-example]")
    expect(example).to_contain_text("750")
    partner.page.locator("[data-field='players']").fill("38")
    expect(example).to_contain_text("1,425")
    partner.page.locator("[data-field='percents']").fill("25 a")
    expect(example).to_contain_text("25 10 5")
    for person in (captain, partner):
        person.healthy()


def shown(me: int, people: int, games: int, **form: Any) -> dict[str, Any]:
    """Return the page of a tournament in which so many games are over, as the hall would give it to me."""
    kind, now = Tournaments(lambda: "ab" * 32), 1_800_000_000_000
    users = [me, *range(me + 1, me + people)]
    state: Any = None

    def do(command: Any, by: int | None = None) -> None:
        nonlocal state
        for event in kind.handle(state, command, by, now):
            state = kind.fold(state, event, now)

    given = {"terms": GameTerms("xiangqi", clock=DAYS), "min_players": 2, "max_players": people, **form}
    do(Make(id="7", form=TournamentForm(name="秋风杯", **given)), me)
    for user in users:
        do(Enter(ratings=(1500,)), user)
    do(Tick())
    for table in range(1, games + 1):
        game = kind.games(state)[0]
        first = game.users.index(min(user for user in game.users if user is not None))
        do(TableOpened(game=game.id, table=table))
        points = tuple(1 if seat == first else -1 for seat in range(len(game.users)))
        do(GameOver(game=game.id, table=table, why="resigned", points=points, places=(1, 2), game_id=f"g{table}"))
    if (going := kind.games(state)) and going[0].table is None:
        do(TableOpened(game=going[0].id, table=99))
    names = ["我", *NAMES, *(f"客{user}" for user in users)]
    return {
        "number": 7,
        "tournament": msgspec.to_builtins(kind.public(state, me, now)),
        "people": [{"id": user, "name": name, "kind": "user"} for user, name in zip(users, names, strict=False)],
        "now": now,
    }


@pytest.mark.parametrize(
    ("games", "form", "seen"),
    [
        (8, {"format": "knockout", "by_rating": True}, "[data-bracket]"),
        (9, {"format": "sections", "section_size": 4}, "[data-cross]"),
        (6, {"format": "swiss", "rounds": 4}, "[data-standings]"),
    ],
    ids=["knockout", "sections", "swiss"],
)
def test_tournaments_of_each_type_are_drawn(
    window: Callable[..., Page], house: Server, shots: Path, games: int, form: dict[str, Any], seen: str
) -> None:
    one = Guest(window(*PHONE), house, f"看客{form['format']}")
    answer = shown(one.id, 8 if form["format"] != "knockout" else 13, games, **form)
    page = one.page
    page.route("**/api/v1/tournaments/7", lambda route: route.fulfill(json=answer))
    one.see("/tournaments/7")
    if form["format"] == "swiss":
        page.locator("[data-meeting]").first.wait_for()
        page.locator("[data-tab='table']").tap()
        for words in ("对手分去低", "所有对手得分之和", "赢了几局"):
            expect(page.locator("[data-ties]")).to_contain_text(words)
    expect(page.locator(seen)).to_be_visible()
    if form["format"] == "knockout":
        # Three of thirteen have nobody to meet at first; the picture slides in its own box, not the page.
        expect(page.locator("[data-match^='1.']")).to_have_count(5)
        expect(page.locator("[data-match^='2.']")).to_have_count(4)
        assert page.evaluate(
            "(which) => { const one = document.querySelector(which); return one.scrollWidth > one.clientWidth }", seen
        )
        page.locator("[data-match='1.2']").tap()
        expect(page.locator(".picked [data-replay]")).to_be_visible()
    if form["format"] == "sections":
        expect(page.locator("[data-section]")).to_have_count(2)
        expect(page.locator("[data-cross] .mine")).to_be_visible()
        page.locator("[data-section][aria-pressed='false']").tap()
        expect(page.locator("[data-cross] .mine")).to_have_count(0)
    apart = "[data-match], .round, [data-cross-row], [data-meeting], [data-row], [data-section], .tabs, [data-panel]"
    fits(page, apart, "[data-match], [role=tab], [data-section], [data-meeting] .btn, .icon, [data-cross] a")
    for width, height in (PHONE, DESK):
        page.set_viewport_size({"width": width, "height": height})
        page.screenshot(path=shots / f"tournament-{form['format']}-{width}.png")
    one.healthy()
