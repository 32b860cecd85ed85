"""GNU Backgammon as an opponent and an adviser: a program beside ours, spoken to through its `external` socket.

One line goes in, a board as FIBS writes it, one comes out: a play, or what to do with the cube. Nothing of gnubg is
imported; without it everything else works.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from typing import Final

from qipai.games.backgammon.options import Options
from qipai.games.backgammon.rules import try_double
from qipai.games.backgammon.state import Accept, Action, Beaver, Double, Drop, Play, Reject, Roll, Take, View

__all__ = ["Gnubg", "engine", "fibs_board", "found", "knows"]

MONEY: Final = 9999  # FIBS's match length without an end
# Two points of seven away, five ahead: a leader doubles here only if the two scores are read the wrong way round.
CROSSED: Final = (
    "board:You:Other:7:5:1:-1:-1:0:2:0:2:2:1:2:0:0:0:-2:4:-1:-2:0:-2:0:-4:0:0:-2:0:2:0"
    ":1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:1:0:0:0:0"
)


def found() -> str | None:
    """Return where gnubg is installed, None where it is not."""
    return shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")


def fibs_board(view: View, seat: int, crossed: bool = False) -> str:
    """Return the table as FIBS's board line, seen by a seat. crossed: with the two scores exchanged."""
    me, it = view.sides[seat], view.sides[1 - seat]
    points = [0] * 26
    for p in range(1, 25):
        points[p] = me.points[p - 1] - it.points[24 - p]
    points[25], points[0] = me.bar, -it.bar
    # That neither may double means to FIBS that a double is on the table: so without a cube, both might.
    mine, his = view.cube.owner in (None, seat), view.cube.owner in (None, 1 - seat)
    doubled = view.phase in ("double_offered", "beaver_offered")
    turn = 0 if view.on_roll is None else 1 if view.on_roll == seat else -1
    dice = view.dice if view.dice and view.phase == "to_play" else (0, 0)
    fields: tuple[object, ...] = (
        "board",
        "You",
        "Other",
        view.match_to or MONEY,
        view.score[1 - seat if crossed else seat],
        view.score[seat if crossed else 1 - seat],
        *points,
        turn,
        *(dice if turn == 1 else (0, 0)),
        *(dice if turn == -1 else (0, 0)),
        view.cube.value,
        int(mine and not doubled),
        int(his and not doubled),
        int(doubled),
        1,  # our colour is the positive one, and goes down to home behind point 1
        -1,
        0,
        25,
        me.off,
        it.off,
        me.bar,
        it.bar,
        0,
        0,
        int(view.crawford_done),
        0,
    )
    return ":".join(map(str, fields))


class Gnubg:
    """A running gnubg that answers for a seat; a player like our own (`core.contract.Bot`)."""

    def __init__(
        self,
        options: Options | None = None,
        seed: int = 0,
        plies: int = 0,
        cubeful: bool = True,
        path: str | None = None,
    ) -> None:
        """plies: how far it looks ahead; cubeful: whether its plays think of the cube; path: where it is.

        Raises FileNotFoundError.
        """
        self.options = options if options is not None else Options()
        path = path or found()
        if path is None:
            raise FileNotFoundError("gnubg")
        with socket.socket() as free:
            free.bind(("localhost", 0))
            port = free.getsockname()[1]
        self.process = subprocess.Popen(
            [path, "-t", "-q", "-r"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert self.process.stdin is not None
        lines = [
            *(f"set evaluation {what} evaluation plies {plies}" for what in ("chequerplay", "cubedecision")),
            f"set evaluation chequerplay evaluation cubeful {'on' if cubeful else 'off'}",
            f"external localhost:{port}",
        ]
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()
        self.socket = self._connected(port)
        self.file = self.socket.makefile("rw", encoding="ascii")
        # gnubg 1.07 gives each side the other's score where it is to throw or to play, though not where it is doubled.
        self.crossed = bool(self.options.match_to) and self.ask(CROSSED).lower() == "double"

    def _connected(self, port: int) -> socket.socket:
        for _ in range(100):
            try:
                return socket.create_connection(("localhost", port), timeout=60)
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        self.process.kill()
        self.process.wait()
        raise ConnectionError("gnubg does not listen")

    def ask(self, line: str) -> str:
        """Return gnubg's answer to one line."""
        self.file.write(line + "\n")
        self.file.flush()
        answer = self.file.readline()
        if not answer:
            raise ConnectionError("gnubg has gone")
        return answer.strip()

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return what it does for the seat whose view this is."""
        seat = view.you
        assert seat is not None
        if view.phase == "resign_offered":
            return Accept()
        if view.phase == "draw_offered":
            return Reject()
        if view.phase == "to_roll" and try_double(self.options, view, seat) is not None:
            return Roll()
        crossed = self.crossed and view.phase in ("to_roll", "to_play")
        answer = self.ask(fibs_board(view, seat, crossed)).lower()
        if view.phase == "to_play":
            return Play(people(answer))
        if view.phase == "to_roll":
            return Double() if answer == "double" else Roll()
        if view.phase == "beaver_offered":
            return Drop() if answer == "drop" else Take()
        return Drop() if answer == "drop" else Beaver() if answer == "beaver" else Take()

    def close(self) -> None:
        """End it."""
        self.file.close()
        self.socket.close()
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.kill()
        self.process.wait()


def people(text: str) -> str:
    """Return a play with the bar and off as people write them."""
    words = []
    for word in text.split():
        places = ("bar" if place == "25" else "off" if place == "0" else place for place in word.split("/"))
        words.append("/".join(places))
    return " ".join(words)


def knows(options: Options) -> bool:
    """Return whether gnubg and bgsage know this game."""
    return options.row.gnu and not options.row.loses


def engine(options: Options, path: str, seed: int = 0) -> Gnubg:
    """Return gnubg as an opponent."""
    return Gnubg(options, seed, path=path)
