"""The sheet of a result adds up: what it says of real games comes to the points that the ledger pays."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from tests.house.client.renderer import knowledge, played, rendered

from qipai import games

Json = dict[str, Any]
pytestmark = pytest.mark.slow  # the whole client is built and played first


def number(text: str) -> int:
    """Read a number with the minus of print."""
    return int(text.replace("−", "-").replace(" ", "").replace("+", ""))


def numbers(text: str) -> list[int]:
    return [number(one) for one in re.findall(r"[+−]? ?\d+", text)]


def cells(row: str) -> list[str]:
    """Return the text of a row's cells."""
    found = re.findall(r"<t[dh]\b[^>]*>(.*?)</t[dh]>", row, re.DOTALL)
    return [re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>|<!--.*?-->", " ", one))).strip() for one in found]


def sheets(game: str, seat: int | None = 0) -> list[tuple[str, Json]]:
    """Return the sheets of a game in English, as one seat sees them, each with what the game put into it."""
    mine = [one for one in rendered() if one.get("game") == game and one["tongue"] == "en" and one["seat"] == seat]
    html = [one["text"] for one in mine if one["what"] == "sheet"]
    points = [one for one in mine if one["what"] == "settled"]
    return list(zip(html, points or [{}] * len(html), strict=True))


@pytest.mark.parametrize("game", games.names())
def test_the_points_of_every_sheet_are_those_of_the_result(game: str) -> None:
    found = sheets(game)
    assert len(found) == sum(deals for _options, deals in played(game))
    for html, _ in found:
        heads = cells(re.findall(r"<thead>.*?</thead>", html, re.DOTALL)[0])
        at, total = heads.index("Points"), 0
        for row in re.findall(r"<tr\b[^>]*data-result=.*?</tr>", html, re.DOTALL):
            told = cells(row)
            assert game == "shengji" or number(told[at]) == number(told[heads.index("Score")])
            total += number(told[at])
        if knowledge(game, "EVEN", True):
            assert total == 0


def test_the_places_of_gouji_come_to_its_points() -> None:
    for _, one in sheets("gouji"):
        points, places = one["points"], [number(cell) for cell in one["settled"]["before"][0]["cells"]]
        sides = [sum(places[side::2]) for side in (0, 1)]
        twice = 2 if max(abs(n) for n in points) == 12 else 1
        assert [twice * sum_ for sum_ in sides] == points[:2]
        line, doubled = one["settled"]["notes"]
        for side, part in enumerate(line.split("　")):
            terms, _, total = part.partition("=")
            assert sum(numbers(terms)) == number(total) == sides[side]
        assert ("both sums are doubled" in doubled) == (twice == 2)


def test_the_sheet_of_baohuang_says_what_the_emperor_gets() -> None:
    for _, one in sheets("baohuang"):
        view, points = one["view"], one["points"]
        worth = numbers(one["settled"]["notes"][1].rpartition("×")[2])
        assert worth == [view["multiple"], points[view["emperor"]]]
        court = {view["emperor"], *([view["guard"]] if view["mode"] == "pair" else [])}
        assert sum(points[seat] for seat in court) == -sum(points[seat] for seat in range(5) if seat not in court)


def test_the_kitty_of_shengji_comes_to_its_bonus() -> None:
    powers = {"⁰": 1, "¹": 2, "²": 4, "³": 8, "⁴": 16, "⁵": 32, "⁶": 64}
    for html, one in sheets("shengji"):
        result = one["view"]["result"]
        line = re.sub(r"<[^>]+>|<!--.*?-->", "", re.findall(r"<p data-kitty.*?</p>", html, re.DOTALL)[0])
        assert not re.search(r"[Kk]itty.*[Kk]itty", line)
        if taken := re.search(r"(\d+) × 2(.) = (\d+)", line):
            assert int(taken[1]) * powers[taken[2]] == int(taken[3])
        assert str(result["points"]) in one["settled"]["notes"][0]
        rise = [cell.split(" → ") for cell in one["settled"]["before"][1]["cells"]]
        assert [(before, after[-1]) for before, *after in (r if len(r) > 1 else [*r, *r] for r in rise[:2])] == [
            (result["before"][side].replace("T", "10"), result["levels"][side].replace("T", "10")) for side in (0, 1)
        ]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_every_payment_of_mahjong_stands_on_its_sheet_and_comes_to_its_points(seat: int | None) -> None:
    owns = 0
    for html, one in sheets("mahjong", seat):
        who = {("you" if each == seat else f"ann{each}"): each for each in range(4)}
        balance = [0] * 4
        paid: list[tuple[int, int, int]] = []
        for row in re.findall(r"<tr\b[^>]*data-payment=.*?</tr>", html, re.DOTALL):
            _, payer, _, payee, amount = cells(row)
            paid.append((who[payer.lower()], who[payee.lower()], int(amount)))
            balance[who[payer.lower()]] -= int(amount)
            balance[who[payee.lower()]] += int(amount)
        assert balance == one["points"]
        feet = re.findall(r"<tfoot>.*?</tfoot>", html, re.DOTALL)
        assert not feet or [number(cells(row)[-1]) for row in re.findall(r"<tr.*?</tr>", feet[0], re.DOTALL)] == balance
        wins = [each for each in one["view"]["payments"] if each["kind"] == "win"]
        heads = re.findall(r'data-win="(\d)".*?class="fan[^"]*">(.*?)</span>', html, re.DOTALL)
        assert len(heads) == len(one["view"]["wins"])
        for (winner, text), win in zip(heads, one["view"]["wins"], strict=True):
            entries = [each["amount"] for each in wins if each["no"] == win["no"] and each["payee"] == int(winner)]
            gets = int(re.findall(r"gets (\d+)", unescape(text))[0])
            each = numbers(unescape(text).rpartition("gets")[2].partition("·")[2])
            assert gets == sum(entries)
            assert each[0] == entries[0]  # what one pays: of a self-draw the base that is added, too
            owns += win["giver"] is None
    assert owns  # somebody drew the tile


def test_what_a_game_of_backgammon_was_won_by_is_its_points() -> None:
    said = [
        one for one in rendered() if one["what"] == "outcome" and one["game"] == "backgammon" and one["tongue"] == "en"
    ]
    points = [
        numbers(cells(row)[1])[0]
        for html, _ in sheets("backgammon")
        for row in re.findall(r"<tr\b[^>]*data-result=.*?</tr>", html, re.DOTALL)
    ]
    assert [numbers(one["text"])[0] for one in said if one["seat"] == 0] == points[::2]


def test_what_a_room_makes_of_the_points_is_said_with_its_reasons() -> None:
    """Coins: the reward or the cost, and what the house keeps; points that count three times, by what (P-59, P-61)."""
    kinds = set()
    for html, one in sheets("shengji"):
        text = re.sub(r"<[^>]+>|<!--.*?-->", "\n", html)
        points = one["points"][0]
        if said := re.search(r"coins (\S+): (reward|cost) (\S+), kept by the hall (\S+)", text):
            total, own, kept = (number(said[i]) for i in (1, 3, 4))
            assert (own, kept, total) == (150 * points, -250, 150 * points - 250)
            assert said[2] == ("reward" if points > 0 else "cost")
            kinds.add("coins")
        else:
            said = re.search(r"score (\S+): all four totals are high enough, (\S+) × 3", text)
            assert said
            assert (number(said[1]), number(said[2])) == (3 * points, points)
            kinds.add("times")
    assert kinds == {"coins", "times"}


def test_places_at_baohuang_have_their_names() -> None:
    for html in [
        one["text"]
        for one in rendered()
        if one["what"] == "sheet" and one["game"] == "baohuang" and one["tongue"] == "zh-CN"
    ]:
        rows = re.findall(r"<tr\b[^>]*data-result=.*?</tr>", html, re.DOTALL)
        assert [cells(row)[0] for row in rows] == ["头客", "二客", "三客", "四客", "末客"]


def test_a_loss_does_not_read_as_somebodys_gain() -> None:
    for tongue, lost in (("zh-CN", "我方负"), ("en", "Our side lost")):
        heads = [
            re.sub(r"<[^>]+>|<!--.*?-->", "", one["text"].split("<h1")[1].split("<small")[0])
            for one in rendered()
            if one["what"] == "sheet" and one["tongue"] == tongue and one["game"] == "gouji"
        ]
        below = [head for head in heads if "−" in head]
        assert below
        assert all(lost in head for head in below)
