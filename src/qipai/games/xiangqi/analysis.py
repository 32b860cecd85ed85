"""Every move of a finished game gone through by our own search: scores, best lines, mistakes, accuracy.

The search looks at a fixed number of positions for each move and no clock, so that it says the same every time. Chances
to win, the accuracy of a move and that of a game are lichess' (lila, `modules/analyse/src/main/AccuracyPercent.scala`
and scalachess `WinPercent`), made for hundredths of a pawn; our scores count a soldier 60 and a horse 300, near enough:

- win% = 50 + 50 · (2 / (1 + e^(−0.00368208 · score)) − 1)
- accuracy% of a move = 103.1668 · e^(−0.04354 · (win% before − win% after)) − 3.1669 + 1, from 0 to 100
- accuracy% of a game = (mean of the moves' accuracies, each weighed by how much win% varied around it (the standard
  deviation of a window of plies, from 0.5 to 12), + their harmonic mean) / 2
- a move that loses 5, 10, 15 percentage points or more is an inaccuracy, a mistake, a blunder
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp
from statistics import fmean, harmonic_mean, pstdev
from typing import Final

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from qipai.core.analysis import Analysis, Course, Progress, SeatAccount, Unweighed, Verdict
from qipai.core.entry import Record
from qipai.core.kernel import JIT
from qipai.core.record import options_of, replay
from qipai.games.xiangqi.bots import engine as memory
from qipai.games.xiangqi.bots.book import known
from qipai.games.xiangqi.bots.engine import DEEPEST, WON, Engine
from qipai.games.xiangqi.bots.players import Level, Strong, think
from qipai.games.xiangqi.kernel import board as k
from qipai.games.xiangqi.kernel.board import PLIES, Board, legal
from qipai.games.xiangqi.notation.moves import to_zh
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import Position, apply, to_text
from qipai.games.xiangqi.rules import board_of
from qipai.games.xiangqi.state import Move, State

__all__ = ["EDITION", "MARKS", "accuracies", "accuracy_of_move", "analysed", "win_percent"]

EDITION: Final = 2
# Positions looked at for each move: with compiled kernels, and without.
NODES: Final = 150_000 if JIT else 1_500
TABLE: Final = 18 if JIT else 12  # bits of the search's table
LONG: Final = 3_600_000  # ms: the clock never ends a search
LINE: Final = 8  # plies of a best line at most
MOST: Final = 1_000  # hundredths beyond which lichess' formula sees no difference
MARKS: Final = ((15.0, "blunder"), (10.0, "mistake"), (5.0, "inaccuracy"))  # percentage points of win%


class Looked(Struct, frozen=True):
    """What the search says of a position."""

    score: int  # hundredths, for the side to move
    line: tuple[str, ...]  # the best moves, each side's in turn
    choices: int  # how many moves there are


def win_percent(score: int) -> float:
    """Return the chance to win, in percent, of a side with this score."""
    score = max(-MOST, min(MOST, score))
    return 50 + 50 * (2 / (1 + exp(-0.00368208 * score)) - 1)


def accuracy_of_move(before: float, after: float) -> float:
    """Return the accuracy of a move, in percent. before, after: the mover's win%."""
    if after >= before:
        return 100.0
    return max(
        0.0, min(100.0, 103.1668100711649 * exp(-0.04354415386753951 * (before - after)) - 3.166924740191411 + 1)
    )


def accuracies(wins: Sequence[float], first: int = 0) -> tuple[float | None, float | None]:
    """Return the accuracy of red and of black over a game, None for who has not moved.

    wins: red's win% before the first move and after each; first: who moves first.
    """
    moves = len(wins) - 1
    size = max(2, min(8, moves // 10))
    windows = [wins[:size]] * (min(size, len(wins)) - 2) + [wins[i : i + size] for i in range(len(wins) - size + 1)]
    weights = [max(0.5, min(12.0, pstdev(window))) for window in windows]
    found: list[float | None] = []
    for side in (0, 1):
        own = []
        for i in range(moves):
            if (first + i) % 2 != side:
                continue
            before, after = (wins[i], wins[i + 1]) if side == 0 else (100 - wins[i], 100 - wins[i + 1])
            own.append((accuracy_of_move(before, after), weights[min(i, len(weights) - 1)] if weights else 1.0))
        if not own:
            found.append(None)
            continue
        weighed = sum(each * weight for each, weight in own) / sum(weight for _, weight in own)
        found.append((weighed + harmonic_mean([max(each, 0.01) for each, _ in own])) / 2)
    return found[0], found[1]


def looked(board: Board, engine: Engine, nodes: int) -> Looked | None:
    """Return what the search says of a position, None where there is no move. The board is left as it was."""
    choices = int(legal(board, board.moves, 0))
    if not choices:
        return None
    memory.forget(engine)
    thought = think(board, Level(nodes=nodes), LONG, engine=engine)
    return Looked(thought.score, tuple(_line(board, engine, thought.move)), choices)


def _line(board: Board, engine: Engine, first: str) -> list[str]:
    """Return the best line, as far as the search's table still has it."""
    line, move = [first], _number(board, first)
    while True:
        k.make(board, move)
        if len(line) >= LINE:
            break
        move = memory.move_of(memory.found(engine, int(board.keys[board.reg[PLIES]])))
        n = int(legal(board, board.moves, 0))
        if not move or all(int(board.moves[i]) != move for i in range(n)):
            break
        line.append(to_text(move))
    return line


def _number(board: Board, text: str) -> int:
    n = int(legal(board, board.moves, 0))
    return next(int(board.moves[i]) for i in range(n) if to_text(int(board.moves[i])) == text)


def analysed(record: Record, engines: Mapping[str, str], tell: Progress) -> Analysis:
    """Return the analysis of a game (`Entry.analysis`)."""
    from qipai.games.xiangqi import ENTRY

    options = options_of(ENTRY, record)
    return of_states(options, record, [step.state for step in replay(ENTRY, record)], tell, NODES)


def of_states(options: Options, record: Record, states: Sequence[State], tell: Progress, nodes: int) -> Analysis:
    """Return the analysis of a game by its states, the first before the first row."""
    engine = memory.engine(TABLE)
    # The positions of the game: the row that led to each, the start first.
    at = [0] + [n for n, row in enumerate(record.rows, 1) if row[1].get("a") == "move"]
    found: list[Looked | None] = []
    for i, n in enumerate(at):
        tell(i, len(at))
        found.append(looked(_board(options, states[n]), engine, nodes))
    tell(len(at), len(at))
    red = [_red(states[n], one) for n, one in zip(at, found, strict=True)]
    # The search does not look beyond a move that is the only one: its position is worth what it leads to.
    for i in range(len(at) - 2, -1, -1):
        only, after = found[i], found[i + 1]
        if only is not None and only.choices == 1:
            red[i] = red[i + 1]
            found[i] = replace(only, line=(*only.line[:1], *(after.line if after is not None else ()))[:LINE])
    rows = []
    for i, n in enumerate(at[1:]):
        before, state = found[i], states[at[i]]
        if before is None:
            continue
        seat, raw, _ms = record.rows[n - 1]
        win, then = (red[i], red[i + 1]) if seat == 0 else (100 - red[i], 100 - red[i + 1])
        same = raw["m"] == before.line[0]
        loss = 0.0 if same else max(0.0, win - then)
        rows.append(
            Verdict(
                n=n,
                seat=seat,
                said=to_zh(state.position, raw["m"]),
                best=to_zh(state.position, before.line[0]),
                loss=round(loss, 2),
                worth=round(win, 2),
                mark=next((name for least, name in MARKS if loss >= least), ""),
                line=tuple(_actions(seat, before.line)) if not same else (),
                kind="book" if raw["m"] in known(state.position) and i < Strong.level.book else "play",
                said_line=tuple(_said(state.position, before.line)),
                weighed=before.choices,
            )
        )
    first = states[0].position.side
    exact = accuracies(red, first)
    curve = Course(0, tuple((n, round(win, 2)) for n, win in zip(at, red, strict=True)))
    accounts = []
    for seat in (0, 1):
        own = [row for row in rows if row.seat == seat]
        accounts.append(
            SeatAccount(
                seat=seat,
                decisions=len(own),
                loss=round(fmean(row.loss for row in own), 2) if own else 0.0,
                marks=dict(Counter(row.mark for row in own if row.mark)),
                accuracy=None if (one := exact[seat]) is None else round(one, 1),
            )
        )
    moves = set(at)
    others = (n for n, row in enumerate(record.rows, 1) if row[0] >= 0 and n not in moves)
    unweighed = tuple(Unweighed(n, "rule") for n in others)  # offers of a draw and their answers
    return Analysis("qipai", "win", tuple(rows), EDITION, tuple(accounts), (curve,), unweighed=unweighed)


def _board(options: Options, state: State) -> Board:
    """Return the kernel's board of a position, with the game behind it: repetitions count."""
    # The search's verdict on a repetition needs the positions since the last capture.
    ground, fresh = state.start, 0
    position = state.start
    for number, ply in enumerate(state.plies, 1):
        position = apply(position, ply.m)
        if position.quiet == 0:
            ground, fresh = position, number
    moves = [ply.m for ply in state.plies[fresh:]]
    return board_of(options, ground, fresh, moves, room=DEEPEST + 8)


def _red(state: State, one: Looked | None) -> float:
    """Return red's win% in a position."""
    if state.phase == "over":
        return 50.0 if state.winner is None else 100.0 if state.winner == 0 else 0.0
    if one is None:
        return 0.0 if state.position.side == 0 else 100.0
    win = 100.0 if one.score > WON else 0.0 if one.score < -WON else win_percent(one.score)
    return win if state.position.side == 0 else 100 - win


def _actions(seat: int, line: Iterable[str]) -> list[tuple[int, object]]:
    return [((seat + i) % 2, to_builtins(Move(move))) for i, move in enumerate(line)]


def _said(position: Position, line: Iterable[str]) -> list[str]:
    said = []
    for move in line:
        said.append(to_zh(position, move))
        position = apply(position, move)
    return said
