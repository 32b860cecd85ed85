"""The bear-off tables: against gnubg's, against counting out both sides, and where they hold."""

from __future__ import annotations

import pytest

from qipai.core.kernel import buffer
from qipai.games.backgammon.bots.bearoff import PLACES, UNIT, from_table, mean_throws, no_table, place, table
from qipai.games.backgammon.bots.net import brain, outcomes
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of, parse_position
from qipai.games.backgammon.race import mean_rolls, win_chance

# What `bearoffdump` prints of gnubg_os0.bd (gnubg 1.07): counts on points 1 to 6, the fewest throws, their chances.
GNUBG = [
    ((3, 6, 2, 0, 0, 0), 3, [0.00412, 0.12003, 0.4455, 0.42988, 0.00047]),
    ((0, 2, 2, 5, 2, 3), 4, [0.00072, 0.01097, 0.06361, 0.20627, 0.32041, 0.27793, 0.10222, 0.01646, 0.00134, 0.00006]),
    ((1, 0, 5, 3, 0, 0), 3, [0.03233, 0.28908, 0.37295, 0.29401, 0.01157, 0.00006]),
    ((0, 0, 8, 1, 1, 0), 3, [0.01097, 0.067, 0.30072, 0.35489, 0.25141, 0.01494, 0.00006]),
]


def chances(text: str, seat: int = 0, variant: str = "backgammon") -> list[float] | None:
    options, value = Options(variant=variant), buffer(5, 64)  # type: ignore[arg-type]
    board = board_of(options, parse_position(options.row, text))
    return [int(v) / UNIT for v in value] if from_table(board, seat, table(), value) else None


@pytest.mark.parametrize(("side", "least", "wanted"), GNUBG)
def test_the_chances_of_a_side_are_those_of_gnubgs_table(
    side: tuple[int, ...], least: int, wanted: list[float]
) -> None:
    t, index = table(), int(place([0, *side], 0))
    within = [int(t.chances[at]) / UNIT for at in range(int(t.starts[index]), int(t.starts[index + 1]))] + [1.0]
    found = [after - before for before, after in zip([0.0, *within], within, strict=False)]
    assert int(t.least[index]) == least
    assert found[: len(wanted)] == pytest.approx(wanted, abs=0.00005)


def test_every_place_has_a_row_and_the_last_is_the_longest() -> None:
    t = table()
    assert len(t.least) == PLACES == 54264
    assert mean_throws((0, 0, 0, 0, 0, 15)) == pytest.approx(12.266, abs=0.001)  # gnubg's
    assert mean_throws((2, 2, 1, 0, 0, 0)) == pytest.approx(mean_rolls((2, 2, 1, 0, 0, 0)), abs=0.0001)


@pytest.mark.parametrize(
    "text", ["1:2 off:13 / 6:2 off:13", "3:1 2:1 off:13 / 4:1 1:2 off:12", "6:2 off:13 / 5:1 off:14"]
)
def test_two_sides_tell_who_is_off_first(text: str) -> None:
    cells = parse_position(Options().row, text)
    for seat in (0, 1):
        mine, his = cells[32 * seat + 1 : 32 * seat + 7], cells[32 - 32 * seat + 1 : 32 - 32 * seat + 7]
        found = chances(text, seat)
        assert found is not None
        assert found[0] == pytest.approx(win_chance(mine, his), abs=0.001)
        assert found[1:] == [0, 0, 0, 0], "both have borne off: no gammons"


def test_a_gammon_needs_the_loser_to_bear_off_none() -> None:
    # gnubg: the side on roll is off within three throws, the other bears one off in the first with 47.222 in 100.
    found = chances("6:2 3:1 off:12 / 6:3 5:2 4:3 3:1 2:3 1:3")
    assert found is not None
    assert found[:2] == pytest.approx([1.0, 0.02777], abs=0.0001)  # gnubg's figures
    behind = chances("6:2 3:1 off:12 / 6:15", 1)
    assert behind is not None
    assert behind[3] == pytest.approx(0.0511, abs=0.0001)


def test_the_tables_keep_to_races_in_both_homes() -> None:
    assert chances("7:1 1:2 off:12 / 6:2 off:13") is None
    assert chances("bar:1 1:2 off:12 / 6:2 off:13") is None
    assert chances("1:3 / 1:3", variant="hyper") is None, "what is left to do for a first checker is known of fifteen"
    assert chances("1:2 off:13 / 24:1 off:14", variant="fevga") is None
    assert len(brain("suicide").table.least) == len(no_table().least) == 0, "who is off first there has lost"


def test_the_net_yields_to_the_tables() -> None:
    options, net = Options(), brain("backgammon")
    outcomes(board_of(options, parse_position(options.row, "1:5 off:10 / 2:3 1:3 off:9")), 1, net)
    assert int(net.value[0]) / UNIT == pytest.approx(0.773, abs=0.002), "gnubg's table"
