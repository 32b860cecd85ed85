"""The luck of throws: its mean is 0 whatever the evaluator, and taking it out leaves no chance where all is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

from qipai.core.rng import Stream
from qipai.games.backgammon.bots.cube import Chances
from qipai.games.backgammon.bots.luck import THROWS, Luck
from qipai.games.backgammon.bots.measure import Asked, Table
from qipai.games.backgammon.conform import begun as set_up
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.rules import Backgammon
from qipai.games.backgammon.state import Dice, Opening, Roll, State

ALL = tuple(product(range(1, 7), repeat=2))
# Thirteen throws of 36 bear both checkers off: 6-2 to 6-5 and the doubles from 2-2 on. The other side then wins.
LAST = "6:1 2:1 off:13 / 1:1 off:14"


class Nonsense:
    """An adviser that knows nothing."""

    name = "nonsense"
    quick = None

    def chances(self, cells: tuple[int, ...], roller: int) -> Chances:
        win = (sum(i * n for i, n in enumerate(cells)) + roller) % 7 / 6
        return Chances(win, win / 2, 0.0, (1 - win) / 3, 0.0)

    def close(self) -> None:
        """Do nothing."""


def rolling(options: Options, pos: str, seat: int = 0, **raw: Any) -> State:
    """Return the state in which a seat throws."""
    init = {"phase": "to_roll", "turn": seat, "on_roll": seat, "first": False, "pos": pos, **raw}
    rules = Backgammon(options)
    state = set_up(options, rules, init)
    return rules.apply(state, seat, Roll()).state


def lucks(luck: Luck, state: State, kind: Callable[..., Any] = Dice) -> Iterator[float]:
    """Yield the luck of all throws, worked out once."""
    worths = {seat: luck.worths(state, seat) for seat in (0, 1)}
    luck.worths = lambda state, seat: worths[seat]  # type: ignore[method-assign]
    yield from (luck.of(state, kind(throw)) for throw in ALL)


@pytest.mark.parametrize("plies", [0, 1])
def test_the_luck_of_the_last_throw_is_what_it_brings(plies: int) -> None:
    options = Options(cube=False)
    luck, state = Luck(options, plies), rolling(options, LAST)
    assert luck.of(state, Dice((2, 6))) == pytest.approx(2 * 23 / 36, abs=0.001), "a win of a chance of 13 in 36"
    assert luck.of(state, Dice((2, 1))) == pytest.approx(-2 * 13 / 36, abs=0.001)


def test_luck_is_counted_for_seat_0_and_by_the_points_of_the_game() -> None:
    options, mirrored = Options(cube=True), "1:1 off:14 / 6:1 2:1 off:13"
    state = rolling(options, mirrored, seat=1, cube={"value": 4, "owner": 0})
    assert Luck(options, 0).of(state, Dice((6, 6))) == pytest.approx(-4 * 2 * 23 / 36, abs=0.004)
    worse = Options(variant="suicide", cube=False)  # who is off first has lost
    assert Luck(worse, 0).of(rolling(worse, LAST), Dice((6, 6))) < -0.2
    gammons = rolling(Options(cube=False), "1:2 off:13 / 24:1 6:14")
    assert Luck(Options(cube=False), 0).worths(gammons, 0) == [3.0] * len(THROWS), "all throws win three times"


@pytest.mark.parametrize(
    ("variant", "pos"),
    [
        ("backgammon", "bar:1 4:1 off:13 / 6:2 5:2 4:2 off:9"),
        ("suicide", "8:1 2:2 off:12 / 7:1 3:1 off:13"),
        ("hyper", "24:1 20:1 3:1 / 24:1 9:1 5:1"),
        ("cloning", "9:1 3:1 off:13 / 20:1 6:1 off:13"),
        ("plakoto", "20:1 4:2p off:12 / 21:1 9:1 off:13"),
        ("fevga", "15:1 3:1 off:13 / 9:1 2:1 off:13"),
    ],
)
@pytest.mark.parametrize("adviser", [None, Nonsense()])
def test_the_mean_luck_of_all_throws_is_0_whatever_the_evaluator(variant: Any, pos: str, adviser: Any) -> None:
    options = Options(variant=variant, cube=False)
    found = list(lucks(Luck(options, 0, adviser), rolling(options, pos)))
    assert sum(found) == pytest.approx(0, abs=1e-9)
    assert max(found) > 0.01


def test_the_first_throw_is_no_double_and_who_begins_is_no_luck() -> None:
    options = Options(variant="hyper")
    found = dict(zip(ALL, lucks(Luck(options, 0), Backgammon(options).start(), Opening), strict=True))
    assert all(found[n, n] == 0 for n in range(1, 7)), "a tie is thrown again"
    for seat in (0, 1):
        begun = [luck for (a, b), luck in found.items() if a != b and (a < b) == seat]
        assert sum(begun) == pytest.approx(0, abs=1e-9)
    assert found[6, 1] == pytest.approx(-found[1, 6]) != 0
    anew = Options(variant="hyper", opening="reroll")
    assert set(lucks(Luck(anew, 0), Backgammon(anew).start(), Opening)) == {0.0}


class Thrown:
    """A stream of one throw; all that follow are double sixes."""

    def __init__(self, throw: tuple[int, int]) -> None:
        self.dice = list(throw)

    def below(self, n: int) -> int:
        return self.dice.pop(0) - 1 if self.dice else n - 1


@pytest.mark.parametrize("adviser", [None, Nonsense()])
def test_results_without_luck_have_the_same_mean(monkeypatch: pytest.MonkeyPatch, adviser: Any) -> None:
    options = Options(cube=False)
    table = Table(Asked(options, "steady", "steady", 0, 100, "net"))
    table.luck = Luck(options, 0, adviser)
    start = rolling(options, LAST)
    monkeypatch.setattr(table.rules, "start", lambda: start)
    plain, adjusted = [], []
    for throw in ALL:
        monkeypatch.setattr(Stream, "of_seed", lambda seed, throw=throw: Thrown(throw))
        points, luck = table.game((table.ours, table.theirs), 0)
        plain.append(points)
        adjusted.append(points - luck)
    assert sum(plain) == 13 - 23
    # The second throw bears off the last checker whatever it is, so that its luck is 0 by any evaluator.
    assert sum(adjusted) == pytest.approx(sum(plain), abs=1e-9)
    if adviser is None:
        assert adjusted == pytest.approx([-10 / 36] * 36, abs=0.002), "where all is known no chance is left"
