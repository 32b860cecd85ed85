"""Cards wasted are called so: points given to a trick that the others have won."""

from __future__ import annotations

from itertools import chain

import pytest
from tests.unit.games.deals import decisions, played

from qipai.core.judging import Budget, judgement
from qipai.games.shengji import ENTRY
from qipai.games.shengji.analysis import MARKS, analysed, judge
from qipai.games.shengji.state import Play


def test_ten_points_thrown_after_a_lost_trick_are_a_loss() -> None:
    options = ENTRY.chosen({})
    every = chain.from_iterable(decisions(played("shengji", "steady", seed), ("playing",)) for seed in (3, 4, 5, 6))
    for rules, state, seat, action in every:
        view = rules.observe(state, seat)
        if len(getattr(view.trick, "plays", ())) != 3 or not isinstance(action, Play) or len(action.cards) != 1:
            continue
        held = [card for group in view.hand for card in group.cards]
        rich = next((card for card in held if card[0] in "KT"), None)
        if action.cards[0][0] in "KT5" or rich is None or rules.refuse(state, seat, Play((rich,))) is not None:
            continue
        wasted = judge(options, view, Play((rich,)), 5)
        assert wasted is not None
        found = judgement(wasted, 1, seat, Budget(8, 30, 0, 0.1), MARKS)
        if found.mark:
            assert (found.said, found.loss > 0.2) == (rich, True)
            return
    raise AssertionError("no such trick in these deals")


def test_the_whole_deal_is_analysed_and_its_sheet_adds_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipai.games.shengji.analysis.BUDGET", Budget(1, 2, 2, 0.5))
    told: list[tuple[int, int]] = []
    found = analysed(played("shengji"), {}, lambda done, of: told.append((done, of)))
    assert told[-1][0] == told[-1][1] > len(found.rows) > 40
    assert [row.n for row in found.rows] == sorted(row.n for row in found.rows)
    for one in found.accounts:
        assert one.result is not None
        assert one.luck is not None
        assert abs(one.result - one.luck - (one.skill or 0) - (one.others or 0)) < 1e-3
        assert one.dealt_error is not None
    assert found.accounts[0].result == -(found.accounts[1].result or 0)
