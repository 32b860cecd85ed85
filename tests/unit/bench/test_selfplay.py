from __future__ import annotations

import pytest

from qipai import games
from qipai.arena.duel import summed
from qipai.arena.match import Sitting, Terms
from qipai.bench.bots import strength
from qipai.bench.contest import Sample
from qipai.bench.selfplay import over, whole_of
from qipai.games.xiangqi.fairy import ours


@pytest.mark.parametrize("game", [name for name in games.names() if whole_of(name) is not None])
def test_every_game_is_played_to_its_end(game: str) -> None:
    whole = whole_of(game)
    assert whole is not None
    work = whole.random()
    assert work.once() >= 1
    work.close()


def test_a_peer_is_compared_by_cpu_with_one_core() -> None:
    samples = {"random, one core": [Sample(100, 1.0, 1.0)], "random, two cores": [Sample(200, 3.0, 1.0)],
               "peer": [Sample(10, 1.0, 1.0)]}  # fmt: skip
    assert over(samples, "peer") == 10.0


def test_strength_is_told_with_what_it_cost() -> None:
    sittings = [Sitting(0, swapped, 1.0, "x", (10, 10), (100.0, 20.0), (0, 0)) for swapped in (False, True)]
    said = strength("strong", "steady", sittings, summed(Terms("gouji", ("strong", "steady")), sittings))
    assert said == "strong over steady: +1.00 points a seat and deal in 2 sittings, for 10 against 2 ms a choice"


def test_moves_of_uci_are_read() -> None:
    assert ours("h3e3") == "h2e2"
    assert ours("a10a9") == "a9a8"
    assert ours("b1c10") == "b0c9"
    assert ours("i10h10") == "i9h9"
