"""How fast the rules of xiangqi are (`qipai bench engine xiangqi`)."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Sequence
from importlib import metadata
from typing import Any

from qipai.core.kernel import JIT, buffer, lcg
from qipai.core.measure import Absent, Row, Target, Work
from qipai.games.xiangqi.kernel.board import COUNT, MOST, PLY_LIMIT, perft
from qipai.games.xiangqi.kernel.game import wander
from qipai.games.xiangqi.peers import ceiling_leaves, plain_leaves
from qipai.games.xiangqi.position import START, START_FEN, to_board

__all__ = ["PERFT", "rows"]

PERFT = (1, 44, 1920, 79_666, 3_290_240, 133_312_995)  # lines of so many plies from the standard position


def rows() -> Sequence[Row]:
    """Return what is measured: counting lines of play, random plies in a batch and by the rules' own steps."""
    return (
        Row(
            "perft from the standard position",
            "leaves",
            leaves,
            {
                "OpenSpiel xiangqi": openspiel_leaves,
                "Fairy-Stockfish, its own perft": fairy_leaves,
                "pyffish": pyffish_leaves,
                "a plain loop in Python": plain_leaves,
                "Cython, the kernel's source": ceiling_leaves,
            },
            (
                Target("compiled", "OpenSpiel xiangqi", 6.0),
                Target("compiled", "Fairy-Stockfish, its own perft", 1.3),
                Target("compiled", "pyffish", 500.0),
                Target("compiled", "Cython, the kernel's source", 0.5),
                Target("interpreted", "OpenSpiel xiangqi", 0.2),
            ),
        ),
        Row(
            "random plies, game after game",
            "plies",
            plies,
            {"OpenSpiel xiangqi": openspiel_plies},
            (Target("compiled", "OpenSpiel xiangqi", 4.0),),
        ),
        Row("random plies by the hall's rules, texts and events included", "plies", steps),
    )


def leaves() -> Work:
    """Count lines of play; an operation is a line."""
    depth = 4 if JIT else 3
    board, out = to_board(START, depth), buffer(depth * (MOST + 2), 64)

    def once() -> int:
        found = int(perft(board, depth, out))
        if found != PERFT[depth]:
            raise AssertionError(f"perft {depth} is {found}")
        return found

    return Work(once)


def plies() -> Work:
    """Play random games; an operation is a ply."""
    board, out, seed = to_board(START, 600), buffer(MOST, 64), 1
    board.reg[COUNT], board.reg[PLY_LIMIT] = 3, 240
    many = 20_000 if JIT else 300

    def once() -> int:
        nonlocal seed
        seed = lcg(seed)
        wander(board, seed, many, out)
        return many

    return Work(once)


def steps() -> Work:
    """Play random games as the hall does, with `legal` and `apply`; an operation is a ply."""
    from qipai.games.xiangqi.options import Options
    from qipai.games.xiangqi.rules import Xiangqi
    from qipai.games.xiangqi.state import Move

    rules, luck = Xiangqi(Options()), random.Random(1)
    state = rules.start()

    def once() -> int:
        nonlocal state
        moves = [action for action in rules.legal(state, state.position.side) if isinstance(action, Move)]
        state = rules.apply(state, state.position.side, luck.choice(moves)).state
        if rules.outcome(state) is not None:
            state = rules.start()
        return 1

    return Work(once)


def openspiel() -> Any:
    """Return OpenSpiel's game."""
    import pyspiel

    if "xiangqi" not in pyspiel.registered_names():
        raise Absent("this OpenSpiel has no xiangqi")
    return pyspiel.load_game("xiangqi")


def openspiel_leaves() -> Work:
    """Count lines with OpenSpiel from Python, the last ply by the length of its list."""
    game = openspiel()

    def count(state: Any, depth: int) -> int:
        if depth == 1:
            return len(state.legal_actions())
        return sum(count(state.child(action), depth - 1) for action in state.legal_actions())

    return Work(lambda: count(game.new_initial_state(), 3), version=metadata.version("open_spiel"))


def openspiel_plies() -> Work:
    """Play random games with OpenSpiel from Python."""
    game, luck = openspiel(), random.Random(1)

    def once() -> int:
        state, found = game.new_initial_state(), 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[luck.randrange(len(actions))])
            found += 1
        return found

    return Work(once, version=metadata.version("open_spiel"))


def fairy_leaves() -> Work:
    """Let Fairy-Stockfish count by its own command."""
    path = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
    if path is None:
        raise Absent("fairy-stockfish is not installed")
    engine = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert engine.stdin is not None
    assert engine.stdout is not None
    to, back = engine.stdin, engine.stdout
    name = back.readline().split(" by ")[0].strip()

    def ask(lines: str, until: str) -> str:
        to.write(lines)
        to.flush()
        while until not in (line := back.readline()):
            if not line:
                raise Absent("fairy-stockfish broke off")
        return line

    ask("uci\nsetoption name UCI_Variant value xiangqi\nposition startpos\nisready\n", "readyok")
    ticks = os.sysconf("SC_CLK_TCK")

    def cpu() -> float:
        with open(f"/proc/{engine.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / ticks

    def once() -> int:
        return int(ask("go perft 4\n", "Nodes searched").rsplit(":", 1)[1])

    def close() -> None:
        engine.kill()
        engine.wait()

    return Work(once, cpu, name, close)


def pyffish_leaves() -> Work:
    """Count lines with pyffish from Python, the last ply by the length of its list."""
    import pyffish

    def count(moves: list[str], depth: int) -> int:
        found = pyffish.legal_moves("xiangqi", START_FEN, moves)
        return len(found) if depth == 1 else sum(count([*moves, move], depth - 1) for move in found)

    return Work(lambda: count([], 2), version=".".join(map(str, pyffish.version())))
