"""Fairy-Stockfish as an opponent of fixed strength: a program of its own, to which we speak UCI."""

from __future__ import annotations

import shutil
import subprocess
from typing import Final

from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import Position, format_fen
from qipai.games.xiangqi.state import AcceptTime, Action, DeclineDraw, Move, Ready, View

__all__ = ["DECIDED", "NODES", "Fairy", "found", "ours"]

NODES: Final = 1000  # for each move
DECIDED: Final = 30_000  # the score of a game that it sees won


def found() -> str | None:
    """Return where Fairy-Stockfish is installed, None where it is not."""
    return shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")


def ours(move: str) -> str:
    """Return our text of a UCI move: UCI counts the ranks 1 to 10, we count 0 to 9."""
    end = 3 if move[2].isdigit() else 2  # of where it comes from: a letter, a rank of one digit or two
    return f"{move[0]}{int(move[1:end]) - 1}{move[end]}{int(move[end + 1 :]) - 1}"


class Fairy:
    """A running Fairy-Stockfish that plays for a seat; a player like our own (`core.contract.Bot`)."""

    def __init__(self, options: Options | None = None, seed: int = 0) -> None:
        """Raise FileNotFoundError where it is not installed."""
        path = found()
        if path is None:
            raise FileNotFoundError("fairy-stockfish")
        self._process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._ask("uci\nsetoption name UCI_Variant value xiangqi\nisready\n", "readyok")

    def _ask(self, lines: str, until: str) -> str:
        return self._heard(lines, until)[-1]

    def _heard(self, lines: str, until: str) -> list[str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(lines)
        self._process.stdin.flush()
        heard = [""]
        while not heard[-1].startswith(until):
            line = self._process.stdout.readline()
            if not line:
                raise ConnectionError("fairy-stockfish has gone")
            heard.append(line.strip())
        return heard[1:]

    def score(self, position: Position, nodes: int) -> int:
        """Return the score of a position for the side to move, in hundredths of a pawn; decided games count DECIDED."""
        found = 0
        for line in self._heard(f"position fen {format_fen(position)}\ngo nodes {nodes}\n", "bestmove"):
            words = line.split()
            if words[:1] == ["info"] and "score" in words:
                kind, number = words[words.index("score") + 1 :][:2]
                found = int(number) if kind == "cp" else DECIDED if int(number) > 0 else -DECIDED
        return found

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return its action for the seat whose view this is; the budget is not used, since NODES limits the search."""
        if view.phase == "setup":
            return AcceptTime() if view.proposal else Ready()
        if view.you != view.side:
            return DeclineDraw()
        return Move(ours(self._ask(f"position fen {view.fen}\ngo nodes {NODES}\n", "bestmove").split()[1]))

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.communicate()
