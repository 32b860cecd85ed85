"""Problems of xiangqi: mates and won material, each move searched at two depths (P-102).

A choice is worth its chance to win in percent, as the analysis counts it (`analysis.win_percent`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qipai.core.contract import Seat
from qipai.core.entry import Graded, Problems
from qipai.core.kernel import JIT
from qipai.games.xiangqi.analysis import LONG, TABLE, looked, win_percent
from qipai.games.xiangqi.bots import engine as memory
from qipai.games.xiangqi.bots.engine import WON
from qipai.games.xiangqi.bots.players import Level, think
from qipai.games.xiangqi.notation.moves import to_zh
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import Position, apply, legal_moves
from qipai.games.xiangqi.rules import board_of
from qipai.games.xiangqi.state import State

__all__ = ["PROBLEMS", "weigh"]

# Positions looked at, by look: at a glance for the two best, then for every move; compiled, and without.
NODES: Final = (1_500, 3_000, 12_000) if JIT else (300, 200, 600)
LEAST: Final = 60.0  # percent that the best move must be worth: there is something to be won
LINE: Final = 5  # plies of a line
ROOM: Final = 72


def weigh(options: Options, state: State, seat: Seat, seed: int, look: int) -> Sequence[Graded] | None:
    """Return the moves of a side, weighed (`Problems.weigh`)."""
    position = state.position
    if state.phase != "play" or position.side != seat:
        return None
    moves = list(legal_moves(position))
    engine = memory.engine(TABLE)
    if look == 0:
        board = board_of(options, position, 0, [], room=ROOM)
        level = Level(nodes=NODES[0])
        first = think(board, level, LONG, engine=engine)
        if len(moves) < 3 or _percent(first.score) < LEAST:
            return None
        memory.forget(engine)
        rest = frozenset(moves) - {first.move}
        second = think(board, level, LONG, engine=engine, only=rest)
        lost = _percent(first.score) - _percent(second.score)
        others = [Graded({"a": "move", "m": move}, move, 0.0, max(0.0, lost)) for move in sorted(rest)]
        return [Graded({"a": "move", "m": first.move}, first.move, _percent(first.score)), *others]
    found = []
    for move in moves:
        after = apply(position, move)
        board = board_of(options, after, 0, [], room=ROOM)
        one = looked(board, engine, NODES[look])
        worth = 100.0 if one is None else 100 - _percent(one.score)
        found.append((worth, move, () if one is None else one.line))
    found.sort(key=lambda one: (-one[0], one[1]))
    best = found[0][0]
    if best < LEAST:
        return None
    return [
        Graded(
            a={"a": "move", "m": move},
            said=to_zh(position, move),
            worth=round(worth, 1),
            behind=round(best - worth, 1),
            line=tuple(_said(position, (move, *line[: LINE - 1]))),
        )
        for worth, move, line in found
    ]


def _percent(score: int) -> float:
    return 100.0 if score > WON else 0.0 if score < -WON else win_percent(score)


def _said(position: Position, line: Sequence[str]) -> list[str]:
    said = []
    for move in line:
        said.append(to_zh(position, move))
        position = apply(position, move)
    return said


PROBLEMS: Final = Problems(weigh, "win", 20.0, every=5)
