"""bgsage (PyPI, MPL-2.0) as an opponent and an adviser, where it is installed: a package beside ours, nothing of ours
needs it. It values a board in some microseconds, so that a match is gone through in a moment.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from qipai.games.backgammon.bots.cube import Chances, decide
from qipai.games.backgammon.bots.players import live_of, stake_of
from qipai.games.backgammon.kernel import board as k
from qipai.games.backgammon.observation import cells_of_view
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of
from qipai.games.backgammon.rules import try_double
from qipai.games.backgammon.state import Accept, Action, Beaver, Double, Drop, Play, Reject, Roll, Take, View

__all__ = ["Sage", "engine", "sage_board"]


def sage_board(cells: tuple[int, ...], seat: int) -> list[int]:
    """Return a board as bgsage writes it: a seat's points 1 to 24, his bar at 25, the other's bar at 0."""
    me, it = seat * k.SIDE, (1 - seat) * k.SIDE
    points = [cells[me + p] - cells[it + 25 - p] for p in range(1, 25)]
    return [cells[it + k.BAR], *points, cells[me + k.BAR]]


class Sage:
    """Its evaluator at one ply; a player like our own (`core.contract.Bot`) and an adviser (`analysis.Adviser`)."""

    name = "bgsage"
    quick: None = None

    def __init__(self, options: Options, package: str = "bgsage") -> None:
        """Raises ImportError where it is not installed."""
        self.options = options
        self.analyzer: Any = import_module(package).BgBotAnalyzer(eval_level="1ply", cubeful=False, parallel_threads=1)

    def chances(self, cells: tuple[int, ...], roller: int) -> Chances:
        """Return the outcomes for the side on roll: those of the other, who has just moved, turned round."""
        his = self.analyzer.post_move_analytics(sage_board(cells, 1 - roller)).probs
        live = live_of(board_of(self.options, cells), roller)
        return Chances(1 - his.win, his.gammon_loss, his.backgammon_loss, his.gammon_win, his.backgammon_win, live)

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return what it does for the seat whose view this is."""
        seat = view.you
        assert seat is not None
        match view.phase:
            case "resign_offered":
                return Accept()
            case "draw_offered":
                return Reject()
            case "to_roll":
                if try_double(self.options, view, seat) is not None:
                    return Roll()
                stake = stake_of(self.options, view, seat)
                choice = decide(self.options, stake, self.chances(cells_of_view(view), seat))
                return Double() if choice.double else Roll()
            case "double_offered" | "beaver_offered":
                return self._doubled(view, seat)
        return Play(self._best(view, seat))

    def _doubled(self, view: View, seat: int) -> Action:
        """Return whether to take: the doubler is on roll, whoever turned the cube last."""
        doubler = seat if view.phase == "beaver_offered" else 1 - seat
        stake = stake_of(self.options, view, doubler)
        choice = decide(self.options, stake, self.chances(cells_of_view(view), doubler))
        if view.phase == "beaver_offered":
            return Take()
        if not choice.take:
            return Drop()
        beaver = self.options.beavers and self.options.series and 4 * view.cube.value <= self.options.cube_max
        return Beaver() if beaver and choice.taken < 0 else Take()

    def _best(self, view: View, seat: int) -> str:
        assert view.dice is not None
        cells = cells_of_view(view)
        # Late, because the analysis knows us, too.
        from qipai.games.backgammon.analysis import Valuer

        plays = Valuer(self.options, self, stake_of(self.options, view, seat), seat).plays(cells, view.dice)
        return max(plays, key=lambda text: plays[text])

    def close(self) -> None:
        """Do nothing: it holds no resources."""


def engine(options: Options, path: str, seed: int = 0) -> Sage:
    """Return it as an opponent. path: the name of the package."""
    return Sage(options, path)
