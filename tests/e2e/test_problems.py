"""Today's problems on a phone, a board's and a hand's: wrong first, then right (P-102)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.guest import Guest, open_house, settled
from tests.e2e.person import PATIENCE
from tests.e2e.test_learn import raise_cards
from tests.e2e.xiangqi import Player

from qipai import games
from qipai.core.problems import Problem, shipped

PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with open_house(tmp_path_factory.mktemp("problems")) as server:
        yield server


def today(guest: Guest, game: str) -> tuple[int, Problem]:
    """Return the number of today's problem, and which of the shipped ones it is: they were written down in order."""
    rows = guest.page.evaluate("fetch('/api/v1/problems').then((answer) => answer.json())")["games"]
    id = next(row["problem"]["id"] for row in rows if row["game"] == game)
    every: list[Any] = [one for name in games.names() for one in shipped(games.find(name))]
    return id, every[id - 1]


def test_todays_xiangqi_wrong_first_then_right(window: Callable[..., Page], house: Server) -> None:
    guest = Guest(window(viewport=PHONE), house, "solver")
    id, one = today(guest, "xiangqi")
    guest.see("/problems")
    guest.page.locator(f"[data-daily=xiangqi] a[href='/problems/{id}']").click()
    settled(guest.page)
    stage, judged = guest.page.locator(".stage[data-fen]"), guest.page.locator("[data-judged]")
    expect(stage).to_be_visible(timeout=PATIENCE)
    board = Player(guest.page)
    for choice, said in ((one.choices[-1], "wrong"), (one.choices[0], "right")):
        board.tap(choice.a["m"][:2])
        expect(guest.page.locator(".xq .selected")).to_be_visible()
        board.tap(choice.a["m"][2:])
        expect(guest.page.locator(f"[data-judged={said}]")).to_be_visible(timeout=PATIENCE)
        if said == "wrong":
            expect(judged).to_contain_text(choice.said)
            expect(guest.page.locator("[data-rated]")).to_be_visible()
            guest.page.locator("[data-again]").click()
            expect(judged).to_have_count(0)
    expect(judged).to_contain_text(one.choices[0].said)
    guest.see("/problems")
    expect(guest.page.locator("[data-daily=xiangqi]")).to_contain_text("1")
    assert guest.wrongs == []


def test_todays_cards_wrong_first_then_right(window: Callable[..., Page], house: Server) -> None:
    guest = Guest(window(viewport=PHONE, is_mobile=True, has_touch=True), house, "cardsolver")
    id, one = today(guest, "gouji")
    guest.see(f"/problems/{id}")
    page = guest.page
    for choice, said in ((one.choices[-1], "wrong"), (one.choices[0], "right")):
        if cards := choice.a.get("cards"):
            raise_cards(page, cards)
        page.locator(f"[data-act={choice.a['a']}]").tap()
        expect(page.locator(f"[data-judged={said}]")).to_be_visible(timeout=PATIENCE)
        if said == "wrong":
            page.locator("[data-again]").tap()
            expect(page.locator("[data-judged]")).to_have_count(0)
    assert guest.wrongs == []


def test_the_question_stands_above_the_table_and_the_cube_answers_it(
    window: Callable[..., Page], house: Server
) -> None:
    every: list[Any] = [one for name in games.names() for one in shipped(games.find(name))]
    id, one = next((n, one) for n, one in enumerate(every, 1) if one.choices[0].said == "take")
    guest = Guest(window(viewport=PHONE, is_mobile=True, has_touch=True), house, "taker")
    guest.see(f"/problems/{id}")
    page = guest.page
    question, table = page.locator(".question"), page.locator("[data-sandbox=backgammon]")
    expect(question).to_contain_text("接受还是放弃")
    expect(page.locator("[data-take]")).to_be_in_viewport()
    for choice, said, word in ((one.choices[1], "wrong", "弃"), (one.choices[0], "right", "接")):
        page.locator(f"[data-{choice.a['a']}]").tap()
        expect(page.locator(f"[data-judged={said}]")).to_contain_text(word, timeout=PATIENCE)
        expect(page.locator("[data-judged]")).to_be_in_viewport()
        over, under = question.bounding_box(), table.bounding_box()
        assert over
        assert under
        assert over["y"] + over["height"] <= under["y"]
        if said == "wrong":
            page.locator("[data-again]").tap()
            expect(page.locator("[data-judged]")).to_have_count(0)
    assert guest.wrongs == []
