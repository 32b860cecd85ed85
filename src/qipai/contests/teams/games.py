"""The games of a team tournament that need a table, or have one (platform P-69). Pure."""

from __future__ import annotations

from qipai.contests.contract import Game
from qipai.contests.teams.model import Teams

__all__ = ["games_of"]


def games_of(state: Teams) -> tuple[Game, ...]:
    """Return the games of this round; of a live board's two the second when the first is over."""
    if state.state != "running":
        return ()
    form, boards, found = state.form, set[str](), []
    for _, board, game in state.open_games():
        name = game.id.rpartition(".")[0]
        if name not in boards or form.by_days:
            boards.add(name)
            users = tuple(board.users[team] for team in game.seats)
            late = None if form.by_days else game.from_ + form.forfeit_s * 1000
            found.append(Game(game.id, users, form.terms, game.from_, late, game.table))
    return tuple(found)
