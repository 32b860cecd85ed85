"""Train the net of `bots/weights` from the search's games against itself.

    python -m qipai.games.xiangqi.bots.train play DATA --minutes 30 --nodes 1000 --seed 1
    python -m qipai.games.xiangqi.bots.train fit DATA … --epochs 12 --seed 1

Needs numba and NumPy (`pip install qipai[fast]`). `play` writes positions with the search's score and the game's result
to a folder; `fit` trains on some such folders and writes the weights beside this module, and how the loss fell.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from pathlib import Path
from typing import Any, Final

from qipai.core.kernel import JIT
from qipai.games.xiangqi.bots import engine as memory
from qipai.games.xiangqi.bots import net
from qipai.games.xiangqi.bots.book import openings
from qipai.games.xiangqi.bots.fit import UNKNOWN, Course, learn, quantized, read_positions, unquantized
from qipai.games.xiangqi.bots.players import Level, think
from qipai.games.xiangqi.kernel.asking import checked
from qipai.games.xiangqi.kernel.board import EMPTY, PLIES, SIDE, WHY, WINNER, legal
from qipai.games.xiangqi.kernel.game import play as settle
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import START, encode
from qipai.games.xiangqi.rules import board_of

__all__ = ["main"]

# Games. Scores are in hundredths, as the evaluation's.
LONGEST: Final = 200  # plies: then a draw
RANDOM: Final = (2, 8)  # random plies after a beginning from the book, so that games differ
SLIP: Final = 20  # in every other game one move in so many is a random one: positions that good play does not reach
UNEQUAL: Final = 500  # a beginning with a score beyond this is not played
CLEAR: Final = 1500  # a game with a score beyond this for SURE plies is given up
SURE: Final = 6
MOST_SCORE: Final = 2000  # positions with a score beyond this are not kept
CHUNK: Final = 20_000  # positions to a file


class Positions:
    """The positions of some games, as they are written to files."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed
        self.written = 0
        self._rows: list[tuple[list[int], int, int, int, int]] = []

    def add(self, rows: list[tuple[list[int], int, int, int, int]]) -> None:
        """Add a game's: the men's squares, the side to move, its score, its result 0 to 2 and the game's number."""
        self._rows += rows
        if len(self._rows) >= CHUNK:
            self.write()

    def write(self) -> None:
        """Write what has not been written."""
        import numpy as np

        if not self._rows:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        squares, sides, scores, results, games = zip(*self._rows, strict=True)
        np.savez_compressed(
            self.folder / f"{self.seed}-{self.written:08}.npz",
            squares=np.array(squares, np.uint8),
            side=np.array(sides, np.uint8),
            score=np.array(scores, np.int16),
            result=np.array(results, np.uint8),
            game=np.array(games, np.int32),
        )
        self.written += len(self._rows)
        self._rows = []


def played(nodes: int, luck: random.Random, engine: Any, number: int) -> list[tuple[list[int], int, int, int, int]]:
    """Return the positions of a game of the search against itself."""
    level, line = Level(nodes=nodes), luck.choice(openings())
    board = board_of(Options(), START, 0, line[: luck.randrange(len(line) + 1)], room=LONGEST + memory.DEEPEST + 8)
    memory.forget(engine)
    for _ in range(luck.randint(*RANDOM)):
        count = legal(board, board.moves, 0)
        if not count or board.reg[WHY]:
            return []
        settle(board, board.moves[luck.randrange(count)])
    found: list[tuple[list[int], int, int, int, int]] = []
    known, clear, red = 0, 0, 1
    begun = int(board.reg[PLIES])
    while not board.reg[WHY] and board.reg[PLIES] < LONGEST:
        side = int(board.reg[SIDE])
        thought = think(board, level, 3_600_000, engine=engine)
        score, move = thought.score, encode(thought.move)
        if board.reg[PLIES] == begun and abs(score) > UNEQUAL:
            return []
        seen = -score if side else score
        clear = clear + 1 if seen > CLEAR and clear >= 0 else clear - 1 if seen < -CLEAR and clear <= 0 else 0
        if abs(clear) >= SURE:
            red = 2 if clear > 0 else 0
            break
        if abs(score) < MOST_SCORE and board.cells[move & 255] == EMPTY and not checked(board, side):
            found.append(([int(at) for at in board.where[:33]], side, score, 0, number))
        if number % 2 and luck.randrange(SLIP) == 0:
            count = legal(board, board.moves, 0)
            move = board.moves[luck.randrange(count)]
            known = len(found)
        settle(board, int(move))
    if board.reg[WHY]:
        red = (2, 0, 1)[board.reg[WINNER]]
    return [
        (where, side, score, UNKNOWN if i < known else 2 - red if side else red, number)
        for i, (where, side, score, _, _) in enumerate(found)
    ]


def play(folder: Path, minutes: float, nodes: int, seed: int) -> None:
    """Play games for a time and write their positions."""
    luck = random.Random(seed)
    positions = Positions(folder, seed)
    engine = memory.engine(15)
    begun = told = time.monotonic()
    games = kept = 0
    while time.monotonic() - begun < 60 * minutes:
        rows = played(nodes, luck, engine, games)
        positions.add(rows)
        games, kept = games + 1, kept + len(rows)
        if time.monotonic() - told > 30:
            told = time.monotonic()
            print(f"{games} games, {kept} positions, {(told - begun) / 60:.1f} minutes", flush=True)
    positions.write()
    print(f"{games} games, {kept} positions, written", flush=True)


def fit(folders: list[Path], trust: float, course: Course, source: Path | None, into: Path) -> None:
    """Train a net, or that in `source` further, on the positions in some folders; write it and how its errors fell."""
    lines: list[str] = []

    def tell(line: str) -> None:
        lines.append(line)
        print(line, flush=True)

    tell(f"positions of {', '.join(folder.name for folder in folders)}; the result counts {trust}")
    tell(", ".join(f"{name} {value}" for name, value in course._asdict().items()))
    known = None
    if source is not None:
        tell(f"it begins with {source.name}")
        known = unquantized(net.read(source.read_bytes()))
    weights = learn(read_positions(folders, trust), course, tell, known)
    net.save(into, quantized(weights))
    into.with_suffix(".txt").write_text("\n".join([*lines, ""]), encoding="utf-8")


def main() -> None:
    """Play games, or train."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    tasks = parser.add_subparsers(dest="task", required=True)
    asked = tasks.add_parser("play", help="play games and write their positions")
    asked.add_argument("folder", type=Path)
    asked.add_argument("--minutes", type=float, default=30)
    asked.add_argument("--nodes", type=int, default=1000, help="at most, for a move")
    asked.add_argument("--seed", type=int, default=1)
    asked = tasks.add_parser("fit", help="train a net on such positions")
    asked.add_argument("folders", type=Path, nargs="+")
    asked.add_argument("--epochs", type=int, default=12)
    asked.add_argument("--batch", type=int, default=1024)
    asked.add_argument("--rate", type=float, default=1e-3)
    asked.add_argument("--decay", type=float, default=0.3)
    asked.add_argument("--trust", type=float, default=0.0, help="in the result of a game, against the search's score")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--from", dest="source", type=Path, help="a net to begin with")
    asked.add_argument("--into", type=Path, default=Path(str(net.where())))
    wanted = parser.parse_args()
    if not JIT:  # kernels are compiled where the environment says so before they are imported
        os.environ["QIPAI_JIT"] = "1"
        os.execv(sys.executable, sys.orig_argv)
    if wanted.task == "play":
        play(wanted.folder, wanted.minutes, wanted.nodes, wanted.seed)
    else:
        course = Course(wanted.epochs, wanted.batch, wanted.rate, wanted.decay, wanted.seed)
        fit(wanted.folders, wanted.trust, course, wanted.source, wanted.into)


if __name__ == "__main__":
    main()
