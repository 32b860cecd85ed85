"""A match gone through again: losses are losses, luck has a mean of nothing, gnubg and our net agree by and large."""

from __future__ import annotations

import os

import pytest
from tests.unit.games.backgammon.records import played

from qipai.core.analysis import Unweighed
from qipai.core.entry import Record
from qipai.games.backgammon import external
from qipai.games.backgammon.analysis import GnubgAdviser, OwnAdviser, Valuer, adviser_for, analysed, cubes, judged
from qipai.games.backgammon.bots.cube import Stake
from qipai.games.backgammon.observation import laid
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import parse_position, start_cells
from qipai.games.backgammon.sage import Sage
from qipai.games.backgammon.state import State

MONEY = Stake(value=1, mine=False, centred=True, need=0, his_need=0)


def test_every_turn_is_judged_and_no_play_gains() -> None:
    record = played({"variant": "hyper", "match_to": 2}, seed=2)
    turns = list(judged(record, OwnAdviser(Options(variant="hyper", match_to=2))))
    assert len(turns) == sum(1 for _, action, _ in record.rows if action["a"] in ("dice", "opening")) - sum(
        1 for _, action, _ in record.rows if action["a"] == "opening" and len(set(action["d"])) == 1
    )
    assert all(turn.loss >= 0 for turn in turns)
    assert any(turn.loss > 0 for turn in turns), "the easy player is not perfect"
    assert all(turn.loss == 0 for turn in turns if turn.m == turn.best)


def test_the_last_checker_off_is_worth_the_game_and_luck_is_what_it_gains() -> None:
    options = Options()
    value = Valuer(options, OwnAdviser(options), MONEY, 0)
    cells = parse_position(options.row, "6:1 off:14 / 1:1 off:14")
    assert max(value.plays(cells, (6, 1)).values()) == 1.0
    assert max(value.plays(cells, (2, 1)).values()) < -0.9
    assert value.mean(cells) == pytest.approx((27 * 1.0 + 9 * -1.0) / 36, abs=0.05)


@pytest.mark.skipif(external.found() is None and not os.environ.get("CI"), reason="gnubg is not installed")
def test_gnubg_and_our_net_see_the_same_game() -> None:
    options = Options()
    own, other = OwnAdviser(options), GnubgAdviser(options)
    try:
        cells = start_cells(options)
        assert own.chances(cells, 0).win == pytest.approx(other.chances(cells, 0).win, abs=0.03)
        best = [max(v.plays(cells, (3, 1)).items(), key=lambda kv: kv[1])[0]
                for v in (Valuer(options, own, MONEY, 0), Valuer(options, other, MONEY, 0))]  # fmt: skip
        assert best == ["8/5 6/5"] * 2
    finally:
        other.close()
    chosen = adviser_for(Options(variant="plakoto"), {"gnubg": "gnubg", "bgsage": "bgsage"})
    assert chosen.name == "qipai"
    chosen.close()


def test_each_turn_is_shown_by_the_frame_in_which_it_was_played() -> None:
    record = played({"variant": "hyper"}, seed=2)
    found = analysed(record, {}, lambda done, of: None)
    assert (found.by, found.unit) == ("qipai", "points")
    for row in found.rows:
        seat, action, _ = record.rows[row.n - 1]
        did = action["a"] if row.kind == "cube" else action.get("m", "")
        assert (seat, did) == (row.seat, row.said) if row.said else seat == -1
        if row.chances is not None:
            win, double, lost = row.chances
            assert 0 <= double <= win <= 1
            assert 0 <= lost <= 1 - win + 1e-3
    assert any(row.chances and row.weighed > 1 for row in found.rows)
    assert analysed(played({"variant": "grasshopper"}, seed=1), {}, lambda done, of: None).rows == ()


def test_bgsage_and_our_net_see_the_same_game() -> None:
    pytest.importorskip("bgsage")
    options = Options()
    own, other = OwnAdviser(options), Sage(options)
    for text in ("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", "24:1 13:4 8:3 6:5 4:2 / 24:2 13:5 8:3 6:5"):
        cells = parse_position(options.row, text)
        for roller in (0, 1):
            assert own.chances(cells, roller).win == pytest.approx(other.chances(cells, roller).win, abs=0.04)


def test_a_double_far_behind_is_a_blunder_and_a_drop_far_ahead_too() -> None:
    options = Options(match_to=0)
    own = OwnAdviser(options)
    ahead = parse_position(options.row, "6:2 5:2 4:2 off:9 / 24:2 13:5 8:3 6:5")
    behind = parse_position(options.row, "24:2 13:5 8:3 6:5 / 6:2 5:2 4:2 off:9")
    rolls = State(phase="to_roll", cells=behind, laid=laid(options, behind), turn=0, on_roll=0, first=False)
    offered = State(phase="double_offered", cells=behind, laid=laid(options, behind), turn=1, on_roll=0, first=False)
    record = Record(game="backgammon", options={}, rows=((0, {"a": "double"}, 0), (1, {"a": "drop"}, 0)))
    (double, drop), _ = cubes(options, record, [rolls, offered], own)
    assert (double.best, double.mark, drop.best, drop.mark) == ("roll", "blunder", "take", "blunder")
    assert drop.loss > 1
    rolls = State(phase="to_roll", cells=ahead, laid=laid(options, ahead), turn=0, on_roll=0, first=False)
    missed, _ = cubes(options, Record(game="backgammon", options={}, rows=((0, {"a": "roll"}, 0),)), [rolls], own)
    assert [row.best for row in missed] in (["double"], [])


def test_what_is_not_weighed_is_told_with_its_reason() -> None:
    """No double is allowed; it is far off; a draw is answered by rule."""
    for options, why in ((Options(match_to=1), "only"), (Options(match_to=0), "clear")):
        cells = start_cells(options)
        rolls = State(phase="to_roll", cells=cells, laid=laid(options, cells), turn=0, on_roll=0, first=False)
        record = Record(game="backgammon", options={}, rows=((0, {"a": "roll"}, 0), (1, {"a": "reject"}, 0)))
        found, others = cubes(options, record, [rolls, rolls], OwnAdviser(options))
        assert found == []
        assert others == [Unweighed(1, why), Unweighed(2, "rule")]
