"""The day's problem, days in a row over dates, and both ratings after an answer (P-102)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from qipai.community.problems.days import met, of_day, on, standing
from qipai.ledger.ratings.glicko import Glicko

DAYS = st.dates(date(2000, 1, 1), date(2100, 1, 1))


@given(DAYS, st.integers(1, 40))
def test_each_problem_has_its_day_before_one_comes_again(day: date, many: int) -> None:
    first = date.fromordinal(day.toordinal() // many * many)
    found = [of_day("xiangqi", first + timedelta(days=n), range(1, many + 1)) for n in range(many)]
    assert sorted(found) == list(range(1, many + 1))
    assert of_day("xiangqi", day, range(1, many + 1)) == found[day.toordinal() % many]


def test_games_have_orders_of_their_own() -> None:
    days = [date(2026, 11, 1) + timedelta(days=n) for n in range(24)]
    assert [of_day("xiangqi", day, range(12)) for day in days] != [of_day("gouji", day, range(12)) for day in days]


@given(DAYS, st.integers(1, 900))
def test_days_in_a_row(day: date, streak: int) -> None:
    yesterday, before = day - timedelta(days=1), day - timedelta(days=2)
    assert on(0, None, day) == 1
    assert on(streak, yesterday, day) == streak + 1
    assert on(streak, day, day) == streak, "a day counts once"
    assert on(streak, before, day) == 1
    assert on(streak, day, yesterday) == streak, "a clock that is set back takes nothing away"
    assert (standing(streak, day, day), standing(streak, yesterday, day)) == (streak, streak)
    assert (standing(streak, before, day), standing(0, None, day)) == (0, 0)


def test_the_day_is_the_halls_wherever_somebody_sits() -> None:
    """Over the change of the year and of summer time the hall's date goes on by one, and so does the streak."""
    for last in ("2026-12-31T23:59:59", "2026-03-28T23:59:59", "2028-02-28T23:59:59"):
        now = datetime.fromisoformat(last).replace(tzinfo=UTC)
        after = now + timedelta(seconds=1)
        assert on(5, now.date(), after.date()) == 6
        there = timezone(timedelta(hours=9))
        assert now.astimezone(there).date() == after.astimezone(there).date(), "for them it is one and the same day"


@given(st.floats(800, 2400), st.floats(40, 350), st.floats(800, 2400), st.floats(40, 350), st.booleans())
def test_both_are_rated_as_opponents(r: float, rd: float, pr: float, prd: float, solved: bool) -> None:
    solver, problem = Glicko(r, rd), Glicko(pr, prd)
    now, then = met(solver, problem, solved)
    assert (now.r > r, then.r < pr) == (solved, solved)
    assert met(problem, solver, not solved) == (then, now), "it is the same game from the other side"
