"""Matches of our search against an older one or Fairy-Stockfish, at equal nodes or equal processor time.

    QIPAI_JIT=1 python -m qipai.games.xiangqi.versus fairy --ms 30 --games 40
    QIPAI_JIT=1 python -m qipai.games.xiangqi.versus OLDER/src --nodes 10000 10000 --games 100

The other is `fairy` or the source folder of another version. Both players are processes; every opening is played twice,
colours swapped. Time is what a player's own process spent on a processor, so a busy machine does not change who wins.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from importlib.resources import files
from typing import Final, Protocol

from qipai.core.measure import elo

__all__ = ["Tally", "main", "openings"]

FIRST_SPEED: Final = 500.0  # nodes per ms, until it is known
LONGEST: Final = 240  # plies: then a draw, as at a table (R13)
CLEAR: Final = 900  # hundredths on which both players agree for SURE plies in a row: the game is given up
SURE: Final = 6
LEAST_PLIES: Final = 4  # of an opening


class Player(Protocol):
    """A player in a process of its own."""

    nodes: int
    moves: int
    depths: int

    @property
    def spent(self) -> float:
        """Return the ms its search has spent on a processor, in all."""

    def begin(self) -> None:
        """Forget the last game."""

    def choose(self, moves: list[str], nodes: int) -> tuple[str, int]:
        """Return its move after these from the standard position, and its score."""

    def close(self) -> None:
        """End the process."""


class Ours:
    """A version of this search, by its source folder."""

    def __init__(self, source: str) -> None:
        env = {**os.environ, "PYTHONPATH": source, "QIPAI_JIT": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__, "--serve"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env,
        )  # fmt: skip
        self.spent = 0.0
        self.nodes, self.moves, self.depths = 0, 0, 0

    def _ask(self, line: str) -> list[str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().split()

    def begin(self) -> None:
        """Forget the last game."""
        self._ask("new")

    def choose(self, moves: list[str], nodes: int) -> tuple[str, int]:
        """Return its move after these from the standard position, and its score."""
        move, score, depth, seen, spent = self._ask(f"{nodes} {' '.join(moves)}")
        self.spent += float(spent)
        self.nodes += int(seen)
        self.depths += int(depth)
        self.moves += 1
        return move, int(score)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


class Fairy:
    """Fairy-Stockfish over UCI."""

    def __init__(self) -> None:
        from qipai.games.xiangqi.fairy import found

        path = found()
        if path is None:
            raise FileNotFoundError("fairy-stockfish")
        self._process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._ask("uci\nsetoption name UCI_Variant value xiangqi\nsetoption name Hash value 16\nisready\n", "readyok")
        self.nodes, self.moves, self.depths = 0, 0, 0
        self._before = self._ms()

    def _ask(self, lines: str, until: str) -> list[list[str]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(lines)
        self._process.stdin.flush()
        heard: list[list[str]] = []
        while not heard or heard[-1][0] != until:
            line = self._process.stdout.readline()
            if not line:
                raise ConnectionError("fairy-stockfish has gone")
            heard.append(line.split() or [""])
        return heard

    def _ms(self) -> float:
        with open(f"/proc/{self._process.pid}/stat", encoding="utf-8") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

    @property
    def spent(self) -> float:
        """Return the ms its process has spent on a processor since it was ready."""
        return self._ms() - self._before

    def begin(self) -> None:
        """Forget the last game."""
        self._ask("ucinewgame\nisready\n", "readyok")

    def choose(self, moves: list[str], nodes: int) -> tuple[str, int]:
        """Return its move after these from the standard position, and its score."""
        from qipai.games.xiangqi.fairy import ours
        from qipai.games.xiangqi.notation.moves import to_uci

        spelled = " ".join(map(to_uci, moves))
        heard = self._ask(f"position startpos moves {spelled}\ngo nodes {nodes}\n", "bestmove")
        score = seen = depth = 0
        for words in heard:
            if words[0] == "info" and "score" in words:
                at = words.index("score")
                worth = int(words[at + 2])
                score = worth if words[at + 1] == "cp" else 30000 if worth > 0 else -30000
                seen, depth = int(words[words.index("nodes") + 1]), int(words[words.index("depth") + 1])
        self.nodes += seen
        self.depths += depth
        self.moves += 1
        return ours(heard[-1][1]), score

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


class Tally:
    """The results of a match, by the first player."""

    def __init__(self) -> None:
        self.won = self.even = self.lost = 0

    def add(self, score: float) -> None:
        """Add a game that gave the first player 1, 0.5 or 0."""
        self.won += score == 1
        self.even += score == 0.5
        self.lost += score == 0

    def __str__(self) -> str:
        """Return the results with the difference they show."""
        shown = elo(self.won, self.even, self.lost)
        rated = "no Elo" if shown is None else f"Elo {shown[0]:+.0f} ± {shown[1]:.0f}"
        return f"+{self.won} ={self.even} -{self.lost}  {rated}"


def openings(seed: int) -> list[list[str]]:
    """Return the beginnings of the book's lines, each once, in an order drawn from the seed."""
    text = files("qipai.games.xiangqi.bots").joinpath("openings.txt").read_text(encoding="utf-8")
    lines = [line.split("#")[0].split() for line in text.splitlines()]
    found = sorted({tuple(line[:n]) for line in lines for n in range(LEAST_PLIES, len(line) + 1, 2)})
    random.Random(seed).shuffle(found)
    return [list(line) for line in found]


def budget(player: Player, ms: float) -> int:
    """Return the nodes with which a player comes to so many ms a move on the mean."""
    spent = player.spent
    speed = player.nodes / spent if spent > 200 else FIRST_SPEED
    left = ms * (player.moves + 1) - spent
    return max(100, int(speed * max(ms / 2, min(2 * ms, left))))


def play(pair: tuple[Player, Player], opening: list[str], nodes: tuple[int, int], ms: float) -> float:
    """Play a game in which the first player has red; return what it scores."""
    from qipai.games.xiangqi.kernel.board import PLIES, WHY, WINNER
    from qipai.games.xiangqi.kernel.game import play as settle
    from qipai.games.xiangqi.options import Options
    from qipai.games.xiangqi.position import START, encode
    from qipai.games.xiangqi.rules import board_of

    board = board_of(Options(), START, 0, opening, room=LONGEST + 2)
    moves, clear = list(opening), 0
    for player in pair:
        player.begin()
    while not board.reg[WHY] and board.reg[PLIES] < LONGEST:
        side = len(moves) % 2
        player = pair[side]
        move, score = player.choose(moves, budget(player, ms) if ms else nodes[side])
        moves.append(move)
        settle(board, encode(move))
        red = score if side == 0 else -score
        clear = clear + 1 if red > CLEAR and clear >= 0 else clear - 1 if red < -CLEAR and clear <= 0 else 0
        if abs(clear) >= SURE:
            return 1.0 if clear > 0 else 0.0
    winner = int(board.reg[WINNER]) if board.reg[WHY] else -1
    return 0.5 if winner < 0 else 1.0 - winner


def serve() -> None:
    """Answer with moves: a line holds the nodes and the moves so far."""
    from qipai.games.xiangqi.bots import engine as memory
    from qipai.games.xiangqi.bots.engine import DEEPEST
    from qipai.games.xiangqi.bots.players import Level, think, warm
    from qipai.games.xiangqi.options import Options
    from qipai.games.xiangqi.position import START
    from qipai.games.xiangqi.rules import board_of

    warm()
    engine = memory.engine(20)  # as in a hall: 16 MB, what Fairy-Stockfish is given
    for line in sys.stdin:
        words = line.split()
        if words == ["new"]:
            memory.forget(engine)
            print("ready", flush=True)
            continue
        board = board_of(Options(), START, 0, words[1:], room=DEEPEST + 8)
        began = time.process_time()
        thought = think(board, Level(nodes=int(words[0])), 3_600_000, engine=engine)
        spent = 1000 * (time.process_time() - began)
        print(thought.move, thought.score, thought.depth, thought.nodes, f"{spent:.3f}", flush=True)


def _told(player: Player) -> str:
    moves = player.moves
    return f"{player.spent / moves:.1f} ms {player.nodes // moves} nodes depth {player.depths / moves:.1f}"


def main(argv: list[str] | None = None) -> None:
    """Play a match and print what it shows after every pair of games."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("other", help="fairy, or the source folder of another version")
    parser.add_argument("--nodes", type=int, nargs=2, default=(10_000, 10_000), help="of ours, of the other's")
    parser.add_argument("--ms", type=float, default=0.0, help="processor time a move on the mean, in place of nodes")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="from this opening on: parts of a match run side by side")
    wanted = parser.parse_args(argv)
    ours = Ours(os.environ.get("PYTHONPATH", ""))
    other: Player = Fairy() if wanted.other == "fairy" else Ours(wanted.other)
    tally = Tally()
    lines = openings(wanted.seed)
    for n in range((wanted.games + 1) // 2):
        opening = lines[(wanted.first + n) % len(lines)]
        nodes = tuple(wanted.nodes)
        tally.add(play((ours, other), opening, nodes, wanted.ms))
        tally.add(1 - play((other, ours), opening, (nodes[1], nodes[0]), wanted.ms))
        told = ", ".join(
            f"{p.spent / p.moves:.1f} ms {p.nodes // p.moves} nodes depth {p.depths / p.moves:.1f}"
            for p in (ours, other)
        )
        print(f"{2 * n + 2} games: {tally}; a move: {told}", flush=True)
    ours.close()
    other.close()


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        main()
