"""Actions and records of dou dizhu as text."""

from __future__ import annotations

from qipai.core.entry import Record
from qipai.games.doudizhu import ENTRY
from qipai.games.doudizhu.notation import text_of
from qipai.games.doudizhu.state import Bid, NoBid, Pass, Play


def test_actions_and_records_as_text() -> None:
    assert [text_of(action) for action in (Bid(2), NoBid(), Pass(), Play("73"))] == [
        "bid:2",
        "no_bid",
        "pass",
        "play:37",
    ]
    rows = (
        (-1, {"a": "deal", "hands": ["3K", "4", "5"], "bottom": "", "first": 0}, 0),
        (0, {"a": "bid", "n": 3}, 0),
        (0, {"a": "play", "cards": "3"}, 0),
        (1, {"a": "pass"}, 0),
    )
    record = Record(game="doudizhu", options={}, rows=rows, outcome={"points": [6, -3, -3]})
    assert ENTRY.records.formats["book"](record) == "0: 3K\n1: 4\n2: 5\nbottom: \n0:3 0:3 1:pass\n0:+6 1:-3 2:-3\n"
