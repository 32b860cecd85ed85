from __future__ import annotations

import itertools
from typing import Any

import pytest

from qipai import games
from qipai.arena import match
from qipai.arena.duel import duel, summed
from qipai.arena.match import Sitting, Terms, maker, searching, sit
from qipai.cli import main
from qipai.core.entry import AnyEntry, rules_of


def sitting(deal: int, swapped: bool, difference: float) -> Sitting:
    return Sitting(deal, swapped, difference, "last", (1, 1), (2.0, 4.0), (0, 0))


def test_a_deal_is_the_mean_of_its_two_sittings_and_the_error_is_that_of_the_deals() -> None:
    rows = [(0, False, 2.0), (0, True, 0.0), (1, False, 4.0), (1, True, 2.0), (2, False, 9.0)]
    result = summed(Terms("toy", ("a", "b")), [sitting(*row) for row in rows])
    assert (result.deals, result.mean) == (2, 2.0)
    assert result.error == pytest.approx(1.0)  # deals of 1 and 3: deviation √2, over √2
    assert result.sittings == (4, 1, 0)
    assert result.verdict == "open"
    assert result.ms == (2.0, 4.0)


def test_both_sittings_have_the_same_luck(toy: str) -> None:
    same = [
        sit(Terms("toy", ("easy", "easy"), seed=3), deal, swapped) for deal in range(9) for swapped in (False, True)
    ]
    for first, second in zip(same[::2], same[1::2], strict=True):
        assert first.difference == -second.difference
        assert sum(first.actions) == sum(second.actions)
    assert len({sum(s.actions) for s in same}) > 2  # and different deals have different luck


@pytest.mark.slow
def test_the_better_bot_is_found(toy: str) -> None:
    heard: list[int] = []
    result = duel(Terms("toy", ("strong", "easy"), seed=1), 30, 2, lambda done, so_far: heard.append(done))
    assert heard == list(range(61))
    assert result.verdict == "first"
    assert result.mean > 1
    back = duel(Terms("toy", ("easy", "strong"), seed=1), 30, 1)
    assert back.mean == -result.mean
    assert back.verdict == "second"


def test_a_bot_of_ones_own_may_play(toy: str) -> None:
    result = duel(Terms("toy", ("qipai_toy:Strong", "easy")), 5, 1)
    assert result.mean > 0


def test_a_search_of_a_fixed_size_is_the_same_whatever_time_it_is_given() -> None:
    slow, quick = (
        sit(Terms("doudizhu", ("strong@2", "sharp@2"), seed=2, budget_ms=ms), 0, False) for ms in (1, 10_000)
    )
    assert (slow.difference, slow.actions) == (quick.difference, quick.actions)
    assert slow.late == slow.held_up == (0, 0), "nobody has promised to be done in time"
    nodes = ("strong@300", "strong@200")
    slow, quick = (sit(Terms("xiangqi", nodes, seed=2, budget_ms=ms, opening=2), 0, False) for ms in (1, 10_000))
    assert (slow.difference, slow.actions) == (quick.difference, quick.actions)


def test_who_can_be_told_how_much_to_search() -> None:
    found = {game: searching(games.find(game)) for game in games.names()}
    assert {game for game, levels in found.items() if not levels} == {"backgammon", "lianliankan"}
    assert found["xiangqi"] == ("strong",)
    for game in sorted(set(found) - {"backgammon", "lianliankan", "xiangqi"}):
        entry = games.find(game)
        assert found[game] == ("sharp", "strong")
        strong: Any = maker(entry, "strong@8")(entry.options(), seed=1)
        sharp: Any = maker(entry, "sharp@8")(entry.options(), seed=1)
        assert strong.deals == sharp.above.deals == 8
        assert type(sharp.below) is type(entry.bots["steady"](entry.options(), seed=1))


def test_a_late_choice_is_the_bots_fault_unless_the_machine_held_it_up(
    toy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Terms("toy", ("easy", "easy"), budget_ms=0)  # whatever it takes, it is too long
    monkeypatch.setattr(match, "held_up_ms", lambda: 0.0)
    alone = sit(slow, 0, False)
    assert alone.late == alone.actions
    assert alone.held_up == (0, 0)
    waits = itertools.count(step=1000)
    monkeypatch.setattr(match, "held_up_ms", lambda: float(next(waits)))
    busy = sit(slow, 0, False)
    assert busy.held_up == busy.actions == alone.actions
    assert busy.late == (0, 0)


def test_sides_and_not_seats_are_swapped() -> None:
    assert games.find("gouji").sides(6) == (0, 1, 0, 1, 0, 1)
    assert games.find("xiangqi").sides(2) == (0, 1)


@pytest.mark.parametrize("game", games.names())
def test_easy_bots_of_every_game_play_a_deal_without_fault(game: str) -> None:
    for swapped in (False, True):
        played = sit(Terms(game, ("easy", "easy"), seed=5, budget_ms=5), 0, swapped)
        assert played.faults == (0, 0)
        assert min(played.actions) > 0


def test_games_without_luck_open_differently() -> None:
    terms = Terms("xiangqi", ("easy", "easy"), budget_ms=1)
    entry = games.find("xiangqi")
    from qipai.arena.match import opened
    from qipai.core.rng import Stream

    rules = rules_of(entry, entry.options())
    start = rules.start(entry.carry(entry.options(), 0))
    found = {opened(rules, start, Stream.of_seed(seed), terms.opening) for seed in range(12)}
    assert len(found) > 6
    assert all(rules.outcome(state) is None for state in found)


def test_where_luck_only_says_who_begins_deals_differ_too() -> None:
    terms = Terms("backgammon", ("easy", "easy"), {"variant": "grasshopper"}, budget_ms=1)
    assert len({sit(terms, deal, False).actions for deal in range(8)}) > 3


def test_seats_that_may_act_are_shown_every_step(snatch: AnyEntry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards fall one by one, and who sees the highest calls it."""
    kind = type(rules_of(snatch, snatch.options()))
    apply = kind.apply
    holders: list[int] = []
    callers: list[int] = []

    def counted(self: Any, state: Any, seat: int, action: Any) -> Any:
        if seat < 0 and hasattr(action, "hands"):  # with the last card it is too late
            holders.extend(s for s, hand in enumerate(action.hands) if 8 in hand[:3])
        if action == snatch.act({"a": "call"}):
            callers.append(seat)
        return apply(self, state, seat, action)

    monkeypatch.setattr(kind, "apply", counted)
    for deal in range(10):
        played = sit(Terms("snatch", ("easy", "easy"), {"falling": True, "yield": True}, seats=2), deal, False)
        assert played.faults == (0, 0)
    assert callers == holders
    assert set(callers) == {0, 1}


def test_the_command_prints_difference_error_and_verdict(toy: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["arena", "strong", "easy", "--game", "toy", "--deals", "20", "--workers", "1", "--option", "heap=21"])
        == 0
    )
    out, progress = capsys.readouterr()
    assert "20 deals, each played twice" in out
    assert "strong − easy: +" in out
    assert "standard error" in out
    assert "40/40 sittings" in progress


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["strong", "easy", "--game", "chess"], "there is no game chess"),
        (["strong", "god", "--game", "toy"], "toy has no bot god"),
        (["strong@many", "easy", "--game", "gouji"], "strong@many: write how much is searched after the @"),
        (["strong@0", "easy", "--game", "gouji"], "strong@0: write how much"),
        (["steady@8", "easy", "--game", "gouji"], "it can be said of sharp, strong how much"),
        (["sharp@8", "easy", "--game", "xiangqi"], "it can be said of strong how much"),
        (["strong@8", "easy", "--game", "backgammon"], "it can be said of none how much"),
        (["god:Me", "easy", "--game", "toy"], "No module named 'god'"),
        (["strong", "easy", "--game", "toy", "--option", "hype=1"], "toy has no option hype"),
        (["strong", "easy", "--game", "toy", "--option", "heap=many"], "heap must be a whole number"),
        (["strong", "easy", "--game", "toy", "--deals", "0"], "at least 1"),
        (["strong", "easy", "--game", "toy", "--seats", "3"], "toy is for 2 players"),
        (["strong", "easy", "--game", "toy", "--deals", "2", "--option", "mood=raise"], "no idea"),
    ],
)
def test_what_cannot_be_played_is_told_in_a_line(
    toy: str, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *words]) == 1
    err = capsys.readouterr().err
    assert told in err
    assert "Traceback" not in err


def test_who_is_a_program_of_its_own_ends_with_the_deal(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from qipai.arena import match

    closed: list[str] = []
    maker = match.maker

    def making(entry: AnyEntry, name: str) -> Any:
        def made(options: Any, seed: int) -> Any:
            bot = maker(entry, name)(options, seed=seed)
            bot.close = lambda: closed.append(name)  # type: ignore[attr-defined]
            return bot

        return made

    monkeypatch.setattr(match, "maker", making)
    sit(Terms("toy", ("strong", "easy")), 0, False)
    assert sorted(closed) == ["easy", "strong"]
