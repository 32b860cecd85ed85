"""Matches by processor time: openings that can be played, a tally, nodes that come to the time."""

from __future__ import annotations

import pytest

from qipai.games.xiangqi.agreement import Agreement
from qipai.games.xiangqi.position import START, apply, legal_moves
from qipai.games.xiangqi.versus import LEAST_PLIES, Tally, budget, openings


class Timed:
    """A player who has spent so many ms."""

    def __init__(self, spent: float, nodes: int, moves: int) -> None:
        self.spent, self.nodes, self.moves, self.depths = spent, nodes, moves, 0

    def begin(self) -> None:
        """Forget nothing."""

    def choose(self, moves: list[str], nodes: int) -> tuple[str, int]:
        """Play nothing."""
        raise NotImplementedError

    def close(self) -> None:
        """End nothing."""


def test_openings_are_legal_and_each_stands_once() -> None:
    found = openings(1)
    assert len({tuple(line) for line in found}) == len(found) > 50
    assert openings(2) != found
    for line in found:
        position = START
        assert len(line) >= LEAST_PLIES
        for move in line:
            assert move in legal_moves(position)
            position = apply(position, move)


def test_who_has_spent_more_gets_fewer_nodes() -> None:
    even = budget(Timed(1000, 500_000, 50), 20)
    assert even == 10_000
    assert budget(Timed(1015, 507_500, 50), 20) == 5_000
    assert budget(Timed(900, 450_000, 50), 20) == 20_000


def test_a_tally_says_what_was_won() -> None:
    tally = Tally()
    tally.add(1)
    assert "no Elo" in str(tally)
    for score in (1, 1, 0.5, 0.5, 0):
        tally.add(score)
    assert str(tally) == "+3 =2 -1  Elo +120 ± 119"


@pytest.mark.parametrize(("ours", "theirs", "said"), [(20, 12, "0 blunders we see 0; of our 1 it sees 1"),
    (9, 15, "1 blunders we see 0; of our 0 it sees 0"), (5, 5, "0 blunders we see 0; of our 0 it sees 0")])  # fmt: skip
def test_a_blunder_is_borne_out_by_a_mistake(ours: float, theirs: float, said: str) -> None:
    found = Agreement()
    found.add(ours, theirs)
    assert said in str(found)
