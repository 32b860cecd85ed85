"""What channels have alike is written once, and reads as if each view had been written by itself."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from qipai import games
from qipai.core.contract import NATURE
from qipai.hall.live.recovery import blank
from qipai.hall.table import wire_views
from qipai.hall.table.model import rules_of


@pytest.mark.parametrize("game", [name for name in games.names() if games.find(name).alike])
def test_views_written_together_are_the_views(game: str) -> None:
    entry = games.find(game)
    assert set(entry.alike) <= set(entry.view.__struct_fields__)
    seats = max(entry.seats)
    rules = rules_of(game, entry.options(), seats)
    state, long, luck = rules.start(), wire_views.Long(), Random(1)
    shown = []
    for _ in range(wire_views.LONG + 20):
        shown.append([rules.observe(state, channel) for channel in (0, None, *range(seats))])
        seat = min(seat for seat in rules.turn(state).seats if seat != NATURE)
        action = luck.choice([each for each in rules.legal(state, seat) if each.__struct_config__.tag == "move"])
        state = rules.apply(state, seat, action).state
    # Taken back, too: by one, and to the start of a new deal.
    for views in [*shown, shown[-2], shown[-1], shown[0], shown[-1]]:
        table = blank(1)
        table = msgspec.structs.replace(table, setting=msgspec.structs.replace(table.setting, game=game))
        common = wire_views.Common(table, table, (), 0, lambda user: None, long)
        for view in views:
            assert common.view_as_json(view) == msgspec.json.encode(view)
    assert long
