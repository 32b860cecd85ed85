"""What the games themselves call worth an achievement (platform P-13)."""

from __future__ import annotations

from typing import Any

import pytest

from qipai import games
from qipai.core.contract import Outcome
from qipai.core.record import Record, replay, rules_under
from qipai.games.backgammon.state import GameEnded
from qipai.games.baohuang.state import Ended as EmperorEnded
from qipai.games.baohuang.state import Rebelled
from qipai.games.doudizhu.state import Ended as LandlordEnded
from qipai.games.gouji.state import Ended as GoujiEnded
from qipai.games.gouji.state import Played
from qipai.games.lianliankan.state import Linked, Used
from qipai.games.mahjong.state import Konged, Won
from qipai.games.shengji.state import Ended as LevelEnded

NONE = Outcome((0,), (1,), "x")


def done(game: str, *told: Any, outcome: Outcome = NONE) -> list[tuple[int, str]]:
    feats = games.find(game).feats
    assert feats is not None
    found = sorted(feats.of(told, outcome))
    assert {name for _, name in found} <= feats.known.keys()
    return found


def test_gouji() -> None:
    kill = Played(3, "2", None, True, None, None, True)
    order = (1, 3, 5, 0, 2, 4)
    assert done("gouji", kill, GoujiEnded(order, (0,) * 6, 1)) == [
        (1, "first"),
        (1, "sweep"),
        (3, "kill"),
        (3, "sweep"),
        (5, "sweep"),
    ]
    assert done("gouji", GoujiEnded(None, (0,) * 6, None)) == []


def test_baohuang() -> None:
    order, scores = (2, 0, 1, 3, 4), (-3, -3, 12, -3, -3)
    alone = EmperorEnded(order, scores, "solo_open", 2, None, False, False)
    assert done("baohuang", alone) == [(2, "solo")]
    lost = EmperorEnded(order, (3, 3, -12, 3, 3), "solo_open", 2, None, False, False)
    assert done("baohuang", Rebelled((0,), 2, True), lost) == [(0, "rebel")]


def test_doudizhu() -> None:
    assert done("doudizhu", LandlordEnded(0, 0, (48, -24, -24), 24, True)) == [(0, "much"), (0, "spring")]
    assert done("doudizhu", LandlordEnded(1, 0, (-4, 2, 2), 2, False)) == []


def test_mahjong() -> None:
    kong = Konged(1, "1m", "concealed", None)
    won = [Won(0, "self", "1m", 1, None, ""), Won(2, "rob", "1m", 1, 3, ""), Won(3, "discard", "1m", 1, 0, "")]
    assert done("mahjong", kong, kong, kong, *won) == [(0, "self"), (1, "kongs"), (2, "rob")]


def test_shengji() -> None:
    swept = LevelEnded(0, "dealer", 3, ("5", "2"), 2, None, (4, -4, 4, -4))
    assert done("shengji", swept) == [(0, "sweep"), (2, "sweep")]
    last = LevelEnded(40, "dealer", 1, ("A", "2"), 1, 1, (-2, 2, -2, 2))
    assert done("shengji", last) == [(1, "match"), (3, "match")]


def test_backgammon() -> None:
    ends = [GameEnded(n, n % 2, 2, how, (0, 0)) for n, how in enumerate(("gammon", "backgammon", "single"))]  # type: ignore[arg-type]
    assert done("backgammon", *ends) == [(0, "gammon"), (1, "backgammon")]


def test_lianliankan() -> None:
    assert done("lianliankan", Linked(0, 2), Linked(0, 0), Used(1, "hint", 1), Linked(1, 0)) == [(0, "flawless")]


MATES = {
    "cannon": ["h2e2", "a9a8", "e2e6", "a8a9", "b2b4", "a9a8", "b4e4"],
    None: ["h2e2", "b9c7", "e2e6"],
}


@pytest.mark.parametrize("man", MATES)
def test_xiangqi(man: str | None) -> None:
    entry = games.find("xiangqi")
    rows = tuple((n % 2, {"a": "move", "m": m}, 0) for n, m in enumerate(MATES[man]))
    record = Record(game="xiangqi", options={}, rows=rows)
    steps = list(replay(entry, record))
    outcome = rules_under(entry, record).outcome(steps[-1].state)
    told = [notice.event for step in steps for notice in step.events]
    assert done("xiangqi", *told, outcome=outcome or NONE) == ([] if man is None else [(0, man)])
