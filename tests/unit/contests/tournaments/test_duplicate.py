"""Duplicate tournaments: one deal a round, opened when the round is over, and results compared seat by seat (P-94)."""

from __future__ import annotations

import pytest
from tests.unit.contests.test_tournaments import KIND, LIVE, Cup, form

from qipai.contests.contract import GameOver, GameTerms
from qipai.contests.tournaments.ranking import table_of

DICE, TILES = GameTerms("backgammon", clock=LIVE), GameTerms("mahjong", clock=LIVE)


def over(cup: Cup) -> dict[str, bool]:
    return {deal.id: deal.over for deal in KIND.deals(cup.t)}


def test_all_tables_of_a_round_have_its_deal_which_is_over_with_the_last_of_them() -> None:
    cup = Cup(form("swiss", rounds=2, terms=DICE, duplicate=True), *range(1, 5)).start()
    first, second = KIND.games(cup.t)
    assert (first.deal, second.deal) == ("1.1.1", "1.1.1")
    assert over(cup) == {"1.1.1": False}
    cup.end(first, first.users[0])
    assert over(cup) == {"1.1.1": False}
    page = KIND.public(cup.t, None, cup.now)
    shown = {row.id: (row.score, row.results) for row in page.stages[0].sections[0].meetings}
    assert shown["1.1.1.1"] == (None, ())  # the others still play the same dice
    cup.end(second, second.users[0])
    assert over(cup) == {"1.1.1": True, "1.2.1": False}
    assert {game.deal for game in KIND.games(cup.t)} == {"1.2.1"}
    cup.all_won_by_the_lowest()
    assert cup.status == "finished"
    assert over(cup) == {"1.1.1": True, "1.2.1": True}


@pytest.mark.parametrize("format", ["swiss", "sections", "knockout"])
def test_a_round_that_goes_on_is_told_nowhere_on_the_page(format: str) -> None:
    cup = Cup(form(format, rounds=2, terms=DICE, duplicate=True), *range(1, 5)).start()
    before = KIND.public(cup.t, None, cup.now).stages
    first, second = KIND.games(cup.t)[:2]
    cup.end(first, first.users[0])
    (after,) = KIND.public(cup.t, None, cup.now).stages
    assert [(one.rows, one.cross) for one in after.sections] == [(one.rows, one.cross) for one in before[0].sections]
    assert after.bracket == before[0].bracket
    cup.end(second, second.users[0])
    told = KIND.public(cup.t, None, cup.now).stages[0]
    assert sum(row.score for row in told.sections[0].rows) > sum(row.score for row in after.sections[0].rows)


def test_a_game_broken_off_has_another_deal_but_one_that_never_began_keeps_it() -> None:
    cup = Cup(form("swiss", seats=4, rounds=1, terms=TILES, duplicate=True, min_players=8), *range(1, 9)).start()
    first, second = KIND.games(cup.t)
    cup.do(GameOver(game=first.id, table=1, why="absent", absent=(0,)))
    assert [game.deal for game in KIND.games(cup.t)] == ["1.1.1", "1.1.1"]
    cup.do(GameOver(game=second.id, table=2, why="void", game_id="g"))
    assert sorted(str(game.deal) for game in KIND.games(cup.t)) == ["1.1.1", "1.1.1~1"]
    assert over(cup) == {"1.1.1": False, "1.1.1~1": False}


def test_points_count_by_the_average_of_the_same_seat_at_the_other_tables() -> None:
    people = range(1, 13)
    cup = Cup(form("swiss", seats=4, rounds=1, terms=TILES, duplicate=True, min_players=8), *people).start()
    points = [(9, -3, -3, -3), (3, 0, -3, 0), (-6, 6, 0, 0)]
    games = KIND.games(cup.t)
    for game, got in zip(games, points, strict=True):
        cup.do(GameOver(game=game.id, table=1, why="washed", points=got))
    (stage,) = cup.t.stages
    rows = {row.no: row.score for row in table_of(cup.t, stage, stage.sections[0])}
    seated = [[cup.t.entered(user).no for user in game.users if user is not None] for game in games]  # type: ignore[union-attr]
    for seat in range(4):
        own = [got[seat] for got in points]
        for table, nos in enumerate(seated):
            others = [value for at, value in enumerate(own) if at != table]
            assert rows[nos[seat]] == pytest.approx(own[table] - sum(others) / 2)
    assert sum(rows.values()) == pytest.approx(0)


def test_a_tournament_of_before_has_luck_of_its_own_at_each_table() -> None:
    cup = Cup(form("swiss", terms=DICE), 1, 2, 3, 4).start()
    assert [game.deal for game in KIND.games(cup.t)] == [None, None]
    assert KIND.deals(cup.t) == ()
