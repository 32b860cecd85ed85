"""Training: what it writes serves, its step goes toward the target, and its targets are those worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.unit.games.backgammon.bots.training import HYPER, Enough, plain, run

from qipai.core.kernel import buffer
from qipai.games.backgammon.bots import net, train
from qipai.games.backgammon.bots.features import ACTIVE, INPUTS, describe, part_of
from qipai.games.backgammon.bots.net import OUTPUTS, UNIT, brain, load, outcomes
from qipai.games.backgammon.position import board_of, parse_position, start_cells

np: Any = pytest.importorskip("numpy")


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let nets be written to a folder of their own."""
    monkeypatch.setattr(net, "where", lambda variant: tmp_path / f"{variant}.net")
    net.numbers_of.cache_clear()
    yield tmp_path
    net.numbers_of.cache_clear()


def test_a_moment_of_training_writes_a_net_that_serves(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain(monkeypatch, train)
    monkeypatch.setattr(train, "ROUND", 1)
    written = []

    def save(variant: str, mean: net.Net) -> None:
        written.append(mean)
        net.save(variant, mean)

    monkeypatch.setattr(train, "save", save)
    run(monkeypatch, train, "--games", "1", "--hidden", "3")
    assert [path.name for path in weights.iterdir()] == ["hyper.net"]
    for wanted, part in zip(written[-1], load("hyper"), strict=True):
        assert part == pytest.approx(wanted, abs=0.5 / (1 << net.SHIFT))
    used, board, x = brain("hyper"), board_of(HYPER, start_cells(HYPER)), buffer(2 * ACTIVE)
    outcomes(board, 1, used)
    value = np.zeros(OUTPUTS)
    w, bias, out = (part[part_of(board)] for part in load("hyper"))
    train.forward(x, train.told(board, 1, x), w, bias, out, np.zeros(3), value)
    assert [int(v) / UNIT for v in used.value] == pytest.approx(list(value), abs=0.01)
    run(monkeypatch, train, "--games", "1", "--hidden", "2", "--from", "hyper")
    net.numbers_of.cache_clear()
    assert load("hyper").bias.shape[-1] == 2


def exactly(total: float) -> float:
    """Return the logistic function of a sum."""
    return 1 / (1 + math.exp(-total))


def test_a_step_of_learning_goes_toward_the_target(monkeypatch: pytest.MonkeyPatch) -> None:
    plain(monkeypatch, train)
    for total in (-30.0, -2.5, 0.0, 0.3, 11.9, 30.0):
        assert train.logistic(total) == pytest.approx(exactly(total), abs=2**-10), "a table of small steps"
    monkeypatch.setattr(train, "logistic", exactly)  # what is not smooth has no slope
    luck = np.random.default_rng(4)
    w, bias, out = luck.normal(0, 0.3, (INPUTS, 4)), luck.normal(0, 0.3, 4), luck.normal(0, 0.3, (OUTPUTS, 5))
    x, value, target = buffer(2 * ACTIVE), np.zeros(OUTPUTS), np.array([0.9, 0.1, 0.0, 0.6, 0.3])
    n = describe(board_of(HYPER, parse_position(HYPER.row, "24:1 bar:1 3:1 / 9:2 off:1")), 0, x)

    def lost() -> float:
        """Return the cross entropy of the output, of which a step of learning is the gradient."""
        train.forward(x, n, w, bias, out, np.zeros(4), value)
        return -float((target * np.log(value) + (1 - target) * np.log(1 - value)).sum())

    def learn(rate: float) -> None:
        train.learn(x, n, w, bias, out, np.zeros(4), np.zeros(4), value, target, rate)

    kept = [part.copy() for part in (w, bias, out)]
    before, rate = lost(), 1e-3
    learn(rate)
    moved = sum(float(((part - old) ** 2).sum()) for part, old in zip((w, bias, out), kept, strict=True))
    assert before - lost() == pytest.approx(moved / rate, rel=0.02), "the steepest way down"
    touched = {int(x[2 * i]) for i in range(n)}
    assert {int(i) for i in np.nonzero((w != kept[0]).any(1))[0]} == touched, "inputs of 0 teach nothing"
    for _ in range(300):
        learn(0.3)
    lost()
    assert list(value) == pytest.approx(list(target), abs=0.02)


def test_the_targets_of_a_game_are_its_returns(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = iter([(0.8, 0.5, 0.1, 0.2, 0.0), (0.4, 0.1, 0.0, 0.3, 0.1)])
    targets: list[list[float]] = []

    def learn(*rest: Any) -> None:
        value, target, rate = rest[-3:]
        if rate:  # not in the game that only lets kernels be compiled
            targets.append([float(v) for v in target])
            value[:] = next(said)

    def play_games(*rest: Any) -> Any:
        found = played(*rest)
        if targets:
            raise Enough
        return found

    played = train.play_games
    plain(monkeypatch, train)
    monkeypatch.setattr(train, "ROUND", 1)
    monkeypatch.setattr(train, "learn", learn)
    monkeypatch.setattr(train, "play_games", play_games)
    # The first throw is no double and bears off two checkers; with this seed the second does so, too. The one that is
    # to throw then has won, as the tables tell: the game ends with two positions.
    monkeypatch.setattr(train, "start_cells", lambda options: parse_position(options.row, "1:3 / 1:3"))
    with pytest.raises(Enough):
        run(monkeypatch, train, "--games", "1000", "--fade", "0.75", "--hidden", "3")
    # The later position first, for the side on roll there, which loses. The first is given three quarters of that and a
    # quarter of what the net says of the later one: 0.2, 0.125, 0.025, 0.05, 0; to the other side that is:
    assert targets == [pytest.approx([0, 0, 0, 0, 0]), pytest.approx([0.8, 0.05, 0, 0.125, 0.025], abs=1e-6)]
