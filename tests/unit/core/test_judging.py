"""Choices judged in imagined deals: chance is not called a mistake, the sheet adds up, nothing hidden is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import pytest
from tests.unit.games.deals import decisions, played

from qipai import games
from qipai.core import judging
from qipai.core.analysis import Verdict
from qipai.core.judging import Budget, judgement, mean_error, sheet
from qipai.core.record import rules_under
from qipai.core.rng import Stream
from qipai.games.baohuang import analysis as baohuang
from qipai.games.doudizhu import analysis as doudizhu
from qipai.games.gouji import analysis as gouji
from qipai.games.mahjong import analysis as mahjong
from qipai.games.shengji import analysis as shengji

MARKS = ((3.0, "blunder"), (1.0, "mistake"))
FEW = Budget(find=4, measure=6, deals=0, spread=0.5)
JUDGES: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "gouji": (gouji.judge, ("lead", "answer")),
    "baohuang": (baohuang.judge, ("lead", "answer")),
    "doudizhu": (doudizhu.judge, ("lead", "answer")),
    "shengji": (shengji.judge, ("playing",)),
    "mahjong": (mahjong.judge, ("turn", "claim")),
}


class Urn:
    """Choices that bring known amounts and, in every deal, the same luck for all and some of their own."""

    def __init__(self, worths: Sequence[float], played: int, usual: int, noise: int = 0) -> None:
        self.worths, self.played, self.usual, self.noise = worths, played, usual, noise
        self.luck = Stream.of_seed(7)
        self.said = [f"choice {i}" for i in range(len(worths))]
        self.actions = [{"a": "take", "n": i} for i in range(len(worths))]

    def deal(self, which: Sequence[int]) -> Sequence[float]:
        shared = self.luck.below(100)
        return [self.worths[i] + shared + (self.luck.below(2 * self.noise + 1) - self.noise) for i in which]


def test_a_choice_that_loses_is_a_mistake_and_the_best_is_named() -> None:
    found = judgement(Urn([5.0, 1.0, 3.0], played=1, usual=2), 9, 0, Budget(8, 8, 0, 0.1), MARKS)
    assert (found.n, found.said, found.best, found.loss, found.mark) == (9, "choice 1", "choice 0", 4.0, "blunder")
    assert (found.gain, found.line) == (-2.0, ((0, {"a": "take", "n": 0}),))
    assert [one.said for one in found.tried] == ["choice 0", "choice 2", "choice 1"]


def test_what_is_within_its_error_is_no_mistake_and_on_average_no_loss() -> None:
    losses = []
    for seed in range(40):
        urn = Urn([2.0, 2.0, 2.0, 2.0], played=1, usual=1, noise=20)
        urn.luck = Stream.of_seed(seed)
        found = judgement(urn, 1, 0, Budget(8, 24, 0, 0.5), MARKS)
        assert found.error is not None
        assert found.mark == "" or found.loss > judging.DOUBT * found.error
        losses.append(found.loss)
    # The best choice is found in other deals than those it is measured in: luck flatters no loss.
    assert abs(sum(losses) / len(losses)) < 3 * mean_error(losses, 0.0)[1]


def test_the_best_choice_loses_nothing() -> None:
    found = judgement(Urn([5.0, 1.0], played=0, usual=0), 1, 3, Budget(4, 4, 0, 0.1), MARKS)
    assert (found.loss, found.error, found.gain, found.mark, found.line) == (0.0, 0.0, 0.0, "", ())


def test_the_sheet_adds_up_and_a_gain_is_the_sides() -> None:
    rows = [
        Verdict(1, 0, "a", "b", 1.0, gain=-1.0, gain_error=0.3),
        Verdict(2, 1, "a", "a", 0.0, gain=2.0, gain_error=0.4),
        Verdict(3, 2, "a", "a", 0.0, gain=0.5, gain_error=0.0),
    ]
    found = sheet(rows, 4, [3.0, -3.0, 3.0, -3.0], None, [0, 1, 0, 1])
    for one in found:
        assert one.result == pytest.approx((one.luck or 0) + (one.skill or 0) + (one.others or 0))
    assert [one.skill for one in found] == [-1.0, 2.0, 0.5, 0.0]
    assert [one.others for one in found] == [-1.5, 0.5, -3.0, 2.5]
    # Two peasants pay half of a landlord's gain each; what one of them gains, the other gains, and the landlord pays.
    peasants = sheet(rows[:2], 3, None, None, [1, 0, 0], shared=True)
    assert [one.others for one in peasants] == [-4.0, 0.5, 2.5]
    alone = sheet(rows[1:2], 4, None, None, range(4))
    assert alone[0].others == pytest.approx(-2 / 3, abs=1e-4)


@pytest.mark.parametrize("game", JUDGES)
def test_a_choice_is_judged_the_same_whatever_the_others_hold(game: str) -> None:
    """The others' hands are dealt anew as the seat's view allows: the same verdict, twice the same."""
    judge, phases = JUDGES[game]
    looked = 0
    for rules, state, seat, action in islice(decisions(played(game), phases), 3, 40, 9):
        view = rules.observe(state, seat)
        other = rules.imagine(view, Stream.of_seed(f"{game}|{looked}"))
        assert rules.observe(other, seat) == view
        options = games.find(game).chosen({})
        verdicts = []
        for one in (state, other, state):
            trials = judge(options, rules.observe(one, seat), action, 17)
            verdicts.append(None if trials is None else judgement(trials, 1, seat, FEW, ()))
        assert verdicts[0] == verdicts[1] == verdicts[2]
        looked += verdicts[0] is not None and state != other
    assert looked


@pytest.mark.parametrize("game", ["shengji", "gouji", "doudizhu"])
def test_what_steady_has_played_is_what_the_deal_was_worth(game: str) -> None:
    """The first play-out has the record's luck and `steady` in all seats, so it is the same deal again."""
    entry, record = games.find(game), played(game, "steady", 2)
    rules = rules_under(entry, record)
    state, outcome = judging.played_out(entry, record, rules, 0)
    assert list(outcome.points) == record.outcome["points"]
    assert judging.played_out(entry, record, rules, 1) == judging.played_out(entry, record, rules, 1)
    assert rules.outcome(state) == outcome


def test_it_is_counted_in_how_many_deals_nothing_brought_more() -> None:
    found = judgement(Urn([5.0, 1.0, 5.0], played=0, usual=0), 1, 0, Budget(6, 4, 0, 0.1), MARKS)
    assert {one.said: one.tops for one in found.tried} == {"choice 0": 6, "choice 2": 6, "choice 1": 0}
    assert found.weighed == 3
    noisy = judgement(Urn([2.0, 2.0, 2.0], played=0, usual=0, noise=50), 1, 0, Budget(40, 4, 0, 0.1), MARKS)
    tops = [one.tops for one in noisy.tried if one.tops is not None]
    assert 40 <= sum(tops) < 60  # ties count for both
    assert all(tops)


@pytest.mark.parametrize("game", JUDGES)
def test_what_a_choice_brings_is_its_own_and_no_comparison_with_the_others(game: str) -> None:
    judge, phases = JUDGES[game]
    looked = 0
    for rules, state, seat, action in islice(decisions(played(game), phases), 4, 30, 8):
        options, view = games.find(game).chosen({}), rules.observe(state, seat)
        among, alone = (judge(options, view, action, 17) for _ in range(2))
        if among is not None:
            assert alone is not None
            assert alone.deal([among.played])[0] == among.deal(range(len(among.actions)))[among.played]
            looked += 1
    assert looked


@pytest.mark.parametrize("game", ["doudizhu", "gouji"])
def test_what_is_not_weighed_has_a_reason(game: str) -> None:
    phases = ("bid", "lead", "answer", "close")
    why = set()
    for rules, state, seat, _ in decisions(played(game), phases):
        ask = rules.turn(state).ask
        one = judging.why_not(rules, state, seat, ask == "bid")
        why.add(one)
        assert (one == "only") == (len(list(islice(rules.legal(state, seat), 2))) == 1)
        assert (one == "rule") <= (ask == "bid")
    assert {"only", "clear"} <= why
