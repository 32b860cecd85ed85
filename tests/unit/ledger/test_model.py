from __future__ import annotations

from typing import Any

import pytest

from qipai.ledger import Holdings, Left, Stakes, grade, grade_name, price, settle, times, trusted
from qipai.ledger.passes import Pass

POINTS = (4, 4, -8)
SCORE = Stakes("score")


def holdings(*scores: int, trust: int = 100, coins: int = 0) -> list[Holdings | None]:
    return [Holdings(score, trust, coins) for score in scores]


def test_ordinary_rooms_add_the_points_and_trust() -> None:
    paid = settle(SCORE, POINTS, [Holdings(0), Holdings(18, 90), Holdings(5)], {})
    assert [(p.score, p.grade, p.credibility) for p in paid] == [(4, 1, 0), (4, 2, 1), (-8, 0, 0)]


def test_friendly_rooms_count_nothing() -> None:
    for paid in settle(Stakes("friendly"), POINTS, holdings(0, 0, 0), {2: Left("quit", -12)}):
        assert (paid.score, paid.grade, paid.credibility, paid.coins) == (None, None, None, None)


def test_coin_rooms_move_coins_and_trust_and_no_score() -> None:
    stakes = Stakes("coin", factor=10, fee=2)
    paid = settle(stakes, POINTS, holdings(0, 0, 0, trust=90, coins=100), {})
    assert [(p.score, p.grade, p.coins, p.credibility) for p in paid] == [
        (None, None, 38, 1),
        (None, None, 38, 1),
        (None, None, -82, 1),
    ]


def test_who_leaves_a_coin_game_pays_its_price_and_what_is_over_is_the_houses() -> None:
    stakes = Stakes("coin", factor=10, fee=2)
    paid = settle(stakes, POINTS, holdings(0, 0, 0, coins=500), {0: Left("quit", -12)})
    assert [p.coins for p in paid] == [-122, 38, -82]
    poor = settle(stakes, (4, -4), holdings(0, 0, coins=20), {1: Left("kicked", -12)})
    assert [p.coins for p in poor] == [18, -20]
    void = settle(stakes, (0, 0), holdings(0, 0, coins=500), {1: Left("quit", -12)}, void=True)
    assert [p.coins for p in void] == [None, -120]


def test_a_pass_room_counts_score_and_pass_and_pays_records() -> None:
    stakes = Stakes("pass", table_pass=2)
    had = [Holdings(pass_=Pass(2, 2, 5)), Holdings(pass_=Pass(3, 3, -5))]
    paid = settle(stakes, (2, -2), had, {})
    up, down = paid
    assert up.pass_ == {"pass": 3, "highest": 3, "points": 0, "change": 0, "moved": "up", "record": True}
    assert (up.score, up.coins, down.score, down.coins) == (2, 30, -2, None)
    assert down.pass_ == {"pass": 2, "highest": 3, "points": 0, "change": 0, "moved": "down", "record": False}


def test_a_quit_in_a_pass_room_costs_two_points_and_not_three() -> None:
    had = [Holdings(pass_=Pass(2, 2, 1)), Holdings()]
    paid = settle(Stakes("pass", table_pass=2), (-2, 2), had, {0: Left("quit", -2)})
    assert (paid[0].pass_["points"], paid[0].pass_["change"], paid[0].score) == (-1, -2, -2)


def test_points_count_more_among_high_totals() -> None:
    stakes = Stakes("score", brackets="all_in_bracket")
    assert [p.score for p in settle(stakes, (4, -4), holdings(400, 300), {})] == [12, -12]
    assert [p.score for p in settle(stakes, (4, -4), holdings(90, 80), {})] == [8, -8]
    assert [p.score for p in settle(stakes, (4, -4), holdings(90, 79), {})] == [4, -4]


def test_a_fine_comes_off_the_score_and_stands_beside_the_result_where_the_game_says_so() -> None:
    left = Left("quit", 0, fine=30, beside=True)
    assert [p.score for p in settle(SCORE, (7, -7), holdings(0, 0), {0: left})] == [-23, -7]
    left = Left("quit", -12, fine=30)
    assert [p.score for p in settle(SCORE, (7, -7), holdings(0, 0), {0: left})] == [-42, -7]
    coin = Stakes("coin", factor=2)
    left = Left("quit", 0, fine=30, beside=True)
    assert [p.coins for p in settle(coin, (7, -7), holdings(0, 0, coins=100), {0: left})] == [-46, -14]
    assert [p.coins for p in settle(coin, (7, -7), holdings(0, 0, coins=20), {0: left})] == [-20, -14]


def test_guests_and_bots_get_nothing() -> None:
    paid = settle(SCORE, POINTS, [Holdings(), None, None], {1: Left("quit", -12)})
    assert [p.score for p in paid] == [4, None, None]


@pytest.mark.parametrize(
    ("cause", "trust"), [("quit", -5), ("kicked", -5), ("disconnect", -2)], ids=["quit", "kicked", "disconnect"]
)
def test_who_leaves_pays_instead_of_his_entry_and_the_others_keep_theirs(cause: Any, trust: int) -> None:
    paid = settle(SCORE, POINTS, holdings(0, 0, 0, trust=50), {0: Left(cause, -12)})
    assert [(p.score, p.credibility) for p in paid] == [(-12, trust), (4, 1), (-8, 1)]


def test_a_penalty_counts_as_much_as_the_other_results_of_its_table() -> None:
    stakes = Stakes("score", brackets="all_in_bracket")
    rich, poor = holdings(300, 400), holdings(300, 400, 0)
    left = Left("quit", -4)
    assert [p.score for p in settle(stakes, (4, -4), rich, {1: left})] == [12, -12]
    assert price(stakes, left, rich[1], by=times(stakes, rich))["score"] == -12
    assert [p.score for p in settle(stakes, (4, 0, -4), poor, {1: left})] == [4, -4, -4]
    assert price(stakes, left, poor[1], by=times(stakes, poor))["score"] == -4


def test_a_void_game_costs_the_leaver_alone() -> None:
    paid = settle(SCORE, (0, 0, 0), holdings(0, 0, 0, trust=50), {1: Left("quit", -12)}, void=True)
    assert [(p.score, p.credibility) for p in paid] == [(None, None), (-12, -5), (None, None)]


def test_credibility_stays_between_0_and_100() -> None:
    assert trusted(99, "finish") == 100
    assert trusted(100, "finish") == 100
    assert trusted(3, "quit") == 0
    assert trusted(7, "reset") == 100
    paid = settle(SCORE, POINTS, [Holdings(0, 3), Holdings(), Holdings()], {0: Left("quit", -12)})
    assert [p.credibility for p in paid] == [-3, 0, 0]


@pytest.mark.parametrize(
    ("score", "number"),
    [(-5, 0), (0, 0), (1, 1), (19, 1), (20, 2), (399, 5), (400, 6), (51199, 12), (51200, 13), (10**9, 13)],
)
def test_grades_begin_where_the_table_says(score: int, number: int) -> None:
    assert grade(score) == number
    assert grade_name(number)


def test_the_price_of_leaving_is_the_rooms() -> None:
    left, holdings = Left("quit", -12), Holdings(40, coins=50)
    assert price(SCORE, left, holdings) == {"score": -12, "pass": None, "credibility": -5, "coins": 0}
    assert price(Stakes("pass"), left, holdings) == {"score": -12, "pass": -2, "credibility": -5, "coins": 0}
    assert price(Stakes("friendly"), left, holdings) == {"score": 0, "pass": None, "credibility": 0, "coins": 0}
    assert price(SCORE, left, None) == {"score": 0, "pass": None, "credibility": 0, "coins": 0}
    coin = Stakes("coin", factor=2, fee=3)
    assert price(coin, left, holdings) == {"score": 0, "pass": None, "credibility": -5, "coins": -27}
    assert price(coin, left, Holdings(coins=10)) == {"score": 0, "pass": None, "credibility": -5, "coins": -10}
