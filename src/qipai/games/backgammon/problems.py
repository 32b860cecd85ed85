"""Problems of backgammon: plays and the cube, valued by the net and again after every reply (P-102)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qipai.core.contract import Seat
from qipai.core.entry import Graded, Problems
from qipai.games.backgammon.analysis import OwnAdviser, Valuer
from qipai.games.backgammon.bots.net import UNIT
from qipai.games.backgammon.bots.players import SCALE, Strong, mind, stake_of
from qipai.games.backgammon.bots.search import after_replies
from qipai.games.backgammon.kernel.plays import apply_way
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of
from qipai.games.backgammon.state import State
from qipai.games.backgammon.turns import all_plays

__all__ = ["PROBLEMS", "weigh"]

CHOICES: Final = 60  # at most
FAR: Final = 0.4  # points behind the best from which on replies change nothing


def weigh(options: Options, state: State, seat: Seat, seed: int, look: int) -> Sequence[Graded] | None:
    """Return the plays of a throw, weighed in points of the stake (`Problems.weigh`)."""
    if state.phase != "to_play" or state.dice is None or state.turn != seat or not options.row.dice:
        return None
    stake = stake_of(options, state, seat)
    value = Valuer(options, OwnAdviser(options), stake, seat)
    step = value.terms[1] / 2
    plays = {text: worth / step for text, worth in value.plays(state.cells, state.dice).items()}
    if not 2 < len(plays) <= CHOICES:
        return None
    if look == 2:
        plays = _replied(options, state, seat, plays)
    best = max(plays.values())
    found = sorted(plays.items(), key=lambda one: (-one[1], one[0]))
    return [
        Graded(a={"a": "play", "m": text}, said=text, worth=round(worth, 3), behind=round(best - worth, 3))
        for text, worth in found
    ]


def _replied(options: Options, state: State, seat: Seat, plays: dict[str, float]) -> dict[str, float]:
    """Return the worths of the plays that come near the best after every reply; the others keep theirs, less more."""
    assert state.dice is not None
    ways = all_plays(options, state.cells, seat, max(state.dice), min(state.dice))
    floats = stake_of(options, state, seat).terms(options)
    his, own = Strong(options).terms(floats, -1), mind(options.variant)
    step = floats[1] / 2
    best = max(plays.values())
    found = {}
    for text, worth in plays.items():
        board = board_of(options, state.cells)
        if best - worth > FAR or int(apply_way(board, seat, ways[text])):
            found[text] = worth
        else:
            replied = int(after_replies(board, seat, his, own.net, own.inner, own.deep, own.replies))
            found[text] = replied / SCALE / UNIT / step
    return found


PROBLEMS: Final = Problems(weigh, "points", 0.08, every=4)
