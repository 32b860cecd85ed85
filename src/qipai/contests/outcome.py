"""The result of a contest's game, read from the state of its table; the same after a restart. Pure."""

from __future__ import annotations

from qipai.contests.contract import GameOver
from qipai.hall.table.model import Table

__all__ = ["outcome_of"]


def outcome_of(table: Table) -> GameOver | None:
    """Return the result of the game at a contest's table, None while it is running or has not begun yet."""
    contest, deal = table.setting.contest, table.deal
    assert contest is not None
    over = GameOver(game=contest.game, table=table.id, why="closed")
    if deal is None or (deal.result is None and not table.playing):
        if table.state != "closed":
            return None
        absent = tuple(s for s, chair in enumerate(table.players) if chair.bot is None and not chair.ready)
        late = contest.begin_by is not None and bool(absent)
        return GameOver(game=contest.game, table=table.id, why="absent" if late else "closed", absent=absent)
    if deal.result is None:
        return over if table.state == "closed" else None
    result = deal.result
    return GameOver(
        game=contest.game,
        table=table.id,
        why=result.why,
        points=result.points,
        places=result.places,
        gone=tuple(sorted(int(seat) for seat in (result.left or {}))),
        idle=tuple(seat for seat, moves in enumerate(deal.moves) if not moves - deal.bot_moves[seat]),
        game_id=deal.game_id,
    )
