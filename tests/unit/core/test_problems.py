"""Problems: what counts as one clearly best choice, and that those that come with the games are such (P-102)."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec import to_builtins

from qipai import games
from qipai.core.entry import DealStart, Graded, Record, rules_of
from qipai.core.problems import STARTS, Unclear, kept, made, posed, shipped, sought, split

WITH = tuple(name for name in games.names() if games.find(name).problems is not None)


def tried(*rows: tuple[float, float]) -> list[Graded]:
    return [
        Graded(a=n, said=str(n), worth=-behind, behind=behind, error=error) for n, (behind, error) in enumerate(rows)
    ]


@pytest.mark.parametrize(
    ("rows", "good"),
    [
        ([(0, 0), (1.0, 0), (2.0, 0)], 1),
        ([(0, 0), (0, 0), (2.0, 0.1)], 2),
        ([(0, 0), (1.31, 0.1), (2.0, 0.1)], 1),
    ],
)
def test_one_choice_or_two_that_are_the_same_are_good(rows: list[tuple[float, float]], good: int) -> None:
    assert split(tried(*rows), 1.0) == good


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([(0, 0), (0.9, 0), (2.0, 0)], "not_clear"),
        ([(0, 0), (1.29, 0.1), (2.0, 0.1)], "not_clear"),
        ([(0, 0), (0, 0.2), (2.0, 0.1)], "not_clear"),
        ([(0, 0), (0, 0), (0, 0), (2.0, 0)], "too_many_good"),
        ([(0, 0), (0, 0)], "too_many_good"),
    ],
)
def test_what_is_no_problem_says_why(rows: list[tuple[float, float]], why: str) -> None:
    with pytest.raises(Unclear) as found:
        split(tried(*rows), 1.0)
    assert found.value.why == why


def test_of_a_finished_deal_a_moment_is_taken_that_easy_does_not_solve() -> None:
    entry = games.find("lianliankan")
    hard, simple = (
        next(one for one in shipped(entry) if (one.first > STARTS["easy"]) == high) for high in (True, False)
    )
    for one, taken in ((hard, True), (simple, False)):
        record = Record(game=entry.name, options=one.options, seats=1, start=DealStart(one.start), game_id="deal")
        found = sought(entry, record)
        assert (found is not None and found.key == one.key) == taken


@pytest.mark.parametrize("name", WITH)
def test_what_comes_with_a_game_is_legal_and_says_by_how_much_each_choice_is_worse(name: str) -> None:
    entry = games.find(name)
    every = shipped(entry)
    assert len(every) >= 12
    assert len({one.key for one in every}) == len(every)
    assert entry.setup is not None
    assert entry.problems is not None
    for one in every:
        options = entry.chosen(one.options)
        rules = rules_of(entry, options, one.seats)
        state = entry.setup.read(options, one.start, one.seats)
        assert one.seat in rules.turn(state).seats
        assert (one.game, one.unit) == (name, entry.problems.unit)
        for choice in one.choices:
            assert rules.refuse(state, one.seat, entry.act(choice.a)) is None, (one.key, choice)
        known = {one.at(to_builtins(action)) for action in rules.legal(state, one.seat)} - {None}
        assert len(known) == len(one.choices), "every choice is an action as a table lists it"
        assert split(one.choices, entry.problems.margin) == one.good


def test_the_same_seed_makes_the_same_file_however_slow_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = games.find("lianliankan")
    first = kept(list(made(entry, "twice", 2)))
    late = iter(range(0, 10**9, 1000))  # each look at the clock is a quarter of an hour later
    for clock in ("perf_counter", "monotonic", "process_time"):
        monkeypatch.setattr(f"time.{clock}", lambda: next(late))
    assert kept(list(made(entry, "twice", 2))) == first
    assert kept(list(made(entry, "another", 2))) != first


def test_backgammon_asks_for_plays_and_for_the_cube_and_no_answer_can_be_guessed() -> None:
    entry = games.find("backgammon")
    answers = Counter("move" if one.choices[0].a["a"] == "play" else one.choices[0].a["a"] for one in shipped(entry))
    assert set(answers) == {"move", "roll", "double", "take", "drop"}
    assert answers["roll"] == answers["double"]
    assert answers["take"] == answers["drop"]


@pytest.mark.parametrize("name", ["lianliankan", "backgammon"])
def test_a_search_finds_the_same_solution_again(name: str) -> None:
    one = min(shipped(games.find(name)), key=lambda one: len(one.choices))
    entry = games.find(name)
    found = posed(entry, entry.chosen(one.options), one.start, one.seat, 11, one.seats, glance=False)
    assert [each.said for each in found.choices[: found.good]] == [each.said for each in one.choices[: one.good]]
