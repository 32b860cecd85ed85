"""Moments of finished games from which somebody may go on (What if): those where the rules still ask somebody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from qipai import games
from qipai.core.contract import BadNotation, IllegalAction, Seat, play
from qipai.core.entry import BadOption, DealStart, rules_of
from qipai.core.starts import begun
from qipai.hall.rooms.table_creation import BranchPoint
from qipai.hall.table.errors import HallError
from qipai.hall.table.terms import Trunk

__all__ = ["moment"]


def moment(finished: Mapping[str, Any], ply: int, seat: Seat) -> BranchPoint:
    """Return a moment of a finished game, as `Archive.finished` has it; it plays the game again up to there.

    Raises HallError: BAD_MESSAGE for a moment or a seat that the game has not, NOT_ALLOWED where it is over there,
    NOT_FOUND if today's rules cannot play it again.
    """
    entry = games.find(finished["game"])
    seats, rows = len(finished["seats"]), finished["rows"]
    if not 0 <= ply <= len(rows):
        raise HallError("BAD_MESSAGE", field="n")
    if not 0 <= seat < seats:
        raise HallError("BAD_MESSAGE", field="seat")
    bench = tuple(msgspec.to_builtins(each)["seat"] for each in finished.get("bench", ()))
    try:
        options = entry.chosen(entry.as_of(finished["options"], finished["rules"]))
        rules = rules_of(entry, options, seats)
        start = msgspec.convert(finished.get("start"), DealStart | None)
        state = begun(entry, rules, options, finished["carry"], bench, start)
        for by, raw, *_rest in rows[:ply]:
            state = play(rules, state, by, entry.act(raw)).state
        over = rules.outcome(state) is not None
    except (IllegalAction, BadOption, BadNotation) as wrong:
        raise HallError("NOT_FOUND", case="rules") from wrong
    if over:
        raise HallError("NOT_ALLOWED", case="whatif_over")
    trunk = Trunk(finished["carry"], tuple((by, raw, ms) for by, raw, ms, *_why in rows[:ply]), bench)
    return BranchPoint(
        id=finished["game_id"],
        ply=ply,
        game=entry.name,
        variant=finished["variant"],
        options=entry.changed(options),
        seats=seats,
        text=None if start is None else start.text,
        trunk=msgspec.json.decode(msgspec.json.encode(trunk), type=Trunk),  # as it will be read from the log
    )
