"""How a game of backgammon ends: who has won, how often, what that is worth, and the score after it."""

from __future__ import annotations

from typing import Final

from qipai.core.contract import Seat
from qipai.core.kernel import Buffer
from qipai.games.backgammon.kernel import board as k
from qipai.games.backgammon.kernel.score import multiple
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of
from qipai.games.backgammon.state import Cube, How, Last

__all__ = ["added", "crawford_due", "result_of", "result_on", "worth_of"]

HOWS: Final[tuple[How, ...]] = ("single", "single", "gammon", "backgammon")


def worth_of(options: Options, cube: Cube, times: int) -> int:
    """Return the points of a game won, or resigned (R27), `times`-fold: 1, 2 or 3 (backgammon 6)."""
    if not options.row.triple:
        times = min(times, 2)
    if not options.multiples or not options.row.dice:
        times = 1
    if times == 3:
        times = options.backgammon_points
    if options.jacoby and options.series and options.with_cube and cube.owner is None:
        times = 1  # R25: until a player has turned the cube; a turned one has an owner
    return times * cube.value


def result_of(options: Options, cells: tuple[int, ...], cube: Cube, mover: Seat) -> Last | None:
    """Return how a step of `mover` has ended the game, None when it goes on."""
    return result_on(options, board_of(options, cells), cube, mover)


def result_on(options: Options, board: Buffer, cube: Cube, mover: Seat) -> Last | None:
    """Return the same of a board that is laid out."""
    how = int(k.ended(board, mover))
    if not how:
        return None
    if how == k.DRAWN:
        return Last(None, 0, "draw")
    if board[mover * k.SIDE + k.OFF] != board[mover * k.SIDE + k.TOTAL]:
        return Last(mover if how == k.WON else 1 - mover, worth_of(options, cube, 2), "mother")
    times = int(multiple(board, 1 - mover))
    if not options.row.triple:
        times = min(times, 2)
    if not options.multiples:
        times = 1
    winner = 1 - mover if options.row.loses else mover  # R32
    return Last(winner, worth_of(options, cube, times), HOWS[times])


def added(score: tuple[int, int], last: Last) -> tuple[int, int]:
    """Return the score after a game."""
    if last.winner is None:
        return score
    return (score[0] + last.points, score[1]) if last.winner == 0 else (score[0], score[1] + last.points)


def crawford_due(options: Options, score: tuple[int, int], done: bool) -> bool:
    """Return whether the next game is the Crawford game (R24)."""
    return options.crawford and options.match_to > 1 and not done and max(score) == options.match_to - 1
