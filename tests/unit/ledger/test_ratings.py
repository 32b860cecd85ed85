"""Ratings: whoever wins never falls, whoever loses never rises, and equals stay equals."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.config import Config, Ranking
from qipai.hall.live.limits import limits_of
from qipai.ledger.ratings import Duel, after_game, fibs, glicko, plackett
from qipai.ledger.ratings.fibs import Fibs
from qipai.ledger.ratings.glicko import Glicko, Met
from qipai.ledger.ratings.plackett import Skill

DAY = 86_400
PLAYERS = st.builds(Glicko, r=st.floats(100, 3500), rd=st.floats(30, 350), vol=st.floats(0.03, 0.1))
SKILLS = st.builds(Skill, mu=st.floats(-20, 70), sigma=st.floats(0.5, 25 / 3))


@given(PLAYERS, PLAYERS)
def test_a_win_never_costs_and_a_loss_never_pays(one: Glicko, other: Glicko) -> None:
    assert glicko.rated(one, [Met(other.r, other.rd, 1)]).r >= one.r
    assert glicko.rated(one, [Met(other.r, other.rd, 0)]).r <= one.r
    after = glicko.rated(one, [Met(other.r, other.rd, 0.5)])
    assert (after.r - one.r) * (other.r - one.r) >= 0  # a draw draws them together
    assert 0 < after.rd <= 350


@given(PLAYERS, st.integers(1, 200))
def test_who_rests_is_less_sure_up_to_a_beginner(player: Glicko, periods: int) -> None:
    rested = glicko.rested(player, periods)
    assert player.rd <= rested.rd <= 350
    assert (rested.r, rested.vol) == (player.r, player.vol)


@given(st.lists(st.lists(SKILLS, min_size=1, max_size=4), min_size=2, max_size=6), st.data())
def test_the_first_team_never_falls_and_the_last_never_rises(teams: list[Any], data: st.DataObject) -> None:
    ranks = data.draw(st.permutations(range(1, len(teams) + 1)))
    after = plackett.rated(teams, ranks)
    for team, rank, moved in zip(teams, ranks, after, strict=True):
        for before, now in zip(team, moved, strict=True):
            assert rank != 1 or now.mu >= before.mu - 1e-9
            assert rank != len(teams) or now.mu <= before.mu + 1e-9
            assert now.sigma > 0


def test_the_order_of_the_teams_does_not_matter() -> None:
    teams = [[Skill(27, 6), Skill(23, 4)], [Skill(25, 7)], [Skill(30, 2)]]
    found = plackett.rated(teams, [2, 1, 2])
    turned = plackett.rated(teams[::-1], [2, 1, 2])[::-1]
    for one, other in zip(found, turned, strict=True):
        for a, b in zip(one, other, strict=True):
            assert (a.mu, a.sigma) == pytest.approx((b.mu, b.sigma))


def test_a_beginner_is_shown_with_a_thousand() -> None:
    assert plackett.shown(Skill()) == 1000


@given(st.floats(500, 2500), st.floats(500, 2500), st.integers(1, 25), st.integers(0, 900))
def test_fibs_gives_one_what_it_takes_from_the_other_where_both_are_old(r1: float, r2: float, n: int, x: int) -> None:
    one, other = fibs.rated(Fibs(r1, 400 + x), Fibs(r2, 400 + x), n, 1)
    assert one.r - r1 == pytest.approx(r2 - other.r)
    assert one.r >= r1
    assert one.experience == 400 + x + n


@pytest.mark.parametrize("idle_s", [30 * DAY, 10 * DAY])
def test_a_rating_grows_less_sure_by_a_period_for_each_idle_time(idle_s: int) -> None:
    """P-38: by one period for every 30 days, or as many as the hall says."""
    mine = Duel(1600.0, 60.0, 0.06, games=9, at=0)

    def after(now: int) -> float:
        new, _other = after_game([mine, mine], [0, 1], [1, 0], now, idle_s)
        assert isinstance(new, Duel)
        return new.rd

    assert after(idle_s - 1) == after(0) < after(idle_s) == after(2 * idle_s - 1) < after(2 * idle_s)


def test_the_hall_says_how_long_the_idle_time_is() -> None:
    assert limits_of(Config()).idle_s == 30 * DAY
    assert limits_of(Config(ranking=Ranking(idle_days=7))).idle_s == 7 * DAY
