"""Measuring: pairs of games with the same throws, played by any number of processes, and what is told of them."""

from __future__ import annotations

import sys

import pytest

from qipai.games.backgammon.bots import measure
from qipai.games.backgammon.bots.measure import Asked, Pair, pairs_of, told
from qipai.games.backgammon.options import Options


@pytest.mark.parametrize("workers", [1, 2])
def test_equal_players_come_out_even_in_every_pair(workers: int) -> None:
    asked = Asked(Options(variant="hyper", cube=False), "steady", "steady", 0, 100, "net")
    assert list(pairs_of(asked, range(8, 9), workers)) == [Pair(0.0, 0.0)]


def test_both_means_are_told() -> None:
    assert told([Pair(1.0, 0.25), Pair(-2.0, 0.15)], 3.2) == (
        "4 games: -0.500 ± 1.500 points a game, without luck +0.2000 ± 0.0500, 3 s"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--variant", "grasshopper", "--against", "steady"], "invalid choice"),
        (["--variant", "plakoto"], "gnubg does not know plakoto"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["measure", *words])
    with pytest.raises(SystemExit):
        measure.main()
    assert said in capsys.readouterr().err
