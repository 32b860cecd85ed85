"""The last checkers: uses of the cube and plays against gnubg's two-sided table, and in a match."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from qipai.core.kernel import JIT
from qipai.games.backgammon.bots import ending
from qipai.games.backgammon.bots.cube import Choice, Stake
from qipai.games.backgammon.kernel.plays import generate, new_room
from qipai.games.backgammon.notation.moves import steps_of
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of, parse_position
from qipai.games.backgammon.turns import written

MONEY = Stake(value=1, mine=False, centred=True, need=0, his_need=0)


@pytest.fixture(autouse=True, scope="module")
def two_checkers() -> Iterator[None]:
    """Interpreted, ends of two checkers a side are worked out."""
    if JIT:
        yield
        return
    caches = (ending.steps_of, ending.end_of)
    with pytest.MonkeyPatch.context() as patched:
        for name, value in (("JIT", True), ("MOST", 2), ("SIDES", 28)):
            patched.setattr(ending, name, value)
        for each in caches:
            each.cache_clear()
        yield
    for each in caches:
        each.cache_clear()


def choice(text: str, stake: Stake, options: Options) -> Choice | None:
    return ending.choice(options, stake, board_of(options, parse_position(options.row, text)), 0)


# What gnubg 1.07 says of no double and of double and take: with the cube in the middle, and on the roller's side at 2.
@pytest.mark.parametrize(
    ("text", "centred", "owned"),
    [
        ("6:2 off:13 / 6:1 5:1 off:13", (0.4656, 0.7146), (0.5007, 0.7146)),
        ("5:1 2:1 off:13 / 4:1 1:1 off:13", (0.0555, 0.1111), (0.2392, 0.1111)),
        ("4:1 3:1 off:13 / 6:2 off:13", (0.8827, 1.7563), (0.8827, 1.7563)),
    ],
)
def test_uses_of_the_cube_are_those_of_gnubgs_table(
    text: str, centred: tuple[float, float], owned: tuple[float, float]
) -> None:
    found = choice(text, MONEY, Options())
    assert found is not None
    assert (found.hold, found.taken, found.dropped) == pytest.approx((*centred, 1), abs=0.0002)
    found = choice(text, Stake(value=2, mine=True, centred=False, need=0, his_need=0), Options())
    assert found is not None
    assert (found.hold, found.taken, found.dropped) == pytest.approx((2 * owned[0], 2 * owned[1], 2), abs=0.0004)


def test_in_a_match_the_cube_of_the_last_throw_is_worth_its_points() -> None:
    options = Options(match_to=5)
    stake = Stake(value=1, mine=False, centred=True, need=3, his_need=2)
    found = choice("5:1 2:1 off:13 / 1:1 off:14", stake, options)  # 19 of 36 throws win, else the other does
    assert found is not None
    win, lose = (stake.worth(options, points) for points in (1, -1))
    assert found.hold == pytest.approx((19 * win + 17 * lose) / 36, abs=0.0001)
    win, lose = (stake.worth(options, points) for points in (2, -2))
    # The taker, who needs two, could double again for nothing, but once he may he has won.
    assert found.taken == pytest.approx((19 * win + 17 * lose) / 36, abs=0.0001)


def test_the_best_play_of_the_last_checkers_is_known() -> None:
    options, room = Options(cube=False), new_room()
    board = board_of(options, parse_position(options.row, "6:1 2:1 off:13 / 6:2 off:13"))
    count = int(generate(board, 0, 2, 1, room))
    best = ending.best(options, MONEY, board, 0, [int(room.ways[i]) for i in range(count)])
    assert best is not None
    assert written(board, 0, steps_of(int(room.ways[best]))) == "6/5 2/off"  # 31 throws in 36; 6/4 2/1 has 29


def test_an_end_is_known_only_where_it_holds() -> None:
    assert choice("6:2 off:13 / 7:1 off:14", MONEY, Options()) is None
    assert choice("6:2 1:4 off:9 / 6:1 off:14", MONEY, Options()) is None
    assert choice("6:2 off:13 / 6:1 off:14", MONEY, Options(beavers=True)) is None
    assert choice("6:2 off:13 / 6:1 off:14", MONEY, Options(variant="suicide")) is None
