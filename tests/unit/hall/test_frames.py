"""What channels have alike is written once, and reads as if each view had been written by itself."""

from __future__ import annotations

import msgspec
import pytest

from qipai import games
from qipai.core.contract import NATURE
from qipai.hall.frames import Common
from qipai.hall.load import blank
from qipai.hall.model import rules_of


@pytest.mark.parametrize("game", [name for name in games.names() if games.find(name).alike])
def test_views_written_together_are_the_views(game: str) -> None:
    entry = games.find(game)
    assert set(entry.alike) <= set(entry.view.__struct_fields__)
    seats = max(entry.seats)
    rules = rules_of(game, entry.options(), seats)
    state = rules.start()
    for _ in range(20):
        table = blank(1)
        table = msgspec.structs.replace(table, setting=msgspec.structs.replace(table.setting, game=game))
        common = Common(table, table, (), 0, lambda user: None)
        for channel in (0, None, *range(seats)):
            view = rules.observe(state, channel)
            assert common.view_as_json(view) == msgspec.json.encode(view)
        seat = min(seat for seat in rules.turn(state).seats if seat != NATURE)
        state = rules.apply(state, seat, next(iter(rules.legal(state, seat)))).state
