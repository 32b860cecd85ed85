"""Complete games, for `qipai bench selfplay`."""

from __future__ import annotations

import random
from importlib import metadata

from qipai.core.kernel import JIT, buffer, lcg
from qipai.core.measure import Rival, Whole, Work
from qipai.games.xiangqi import fairy
from qipai.games.xiangqi.bench import openspiel
from qipai.games.xiangqi.bots.players import Steady, think
from qipai.games.xiangqi.kernel.board import COUNT, MOST, PLIES, PLY_LIMIT, WHY, legal, unmake
from qipai.games.xiangqi.kernel.game import play, wander
from qipai.games.xiangqi.position import START, encode, to_board

__all__ = ["WHOLE"]

LIMIT = 240  # plies; a game that goes on is drawn
OPENING = 8  # random plies, else all games would be one


def at_random() -> Work:
    """Play random games in the kernel; an operation is a game."""
    board, out, seed = to_board(START, 600), buffer(MOST, 64), 1
    board.reg[COUNT], board.reg[PLY_LIMIT] = 3, LIMIT
    many = 20_000 if JIT else 300

    def once() -> int:
        nonlocal seed
        found = 0
        while not found:
            seed = lcg(seed)
            found = int(wander(board, seed, many, out))
        return found

    return Work(once)


def steady() -> Work:
    """Play games of the steady player against itself: its search is the kernel's, with its full number of nodes."""
    board, out, seed = to_board(START, 600), buffer(MOST, 64), 1
    board.reg[COUNT], board.reg[PLY_LIMIT] = 3, LIMIT

    def once() -> int:
        nonlocal seed
        while board.reg[PLIES]:
            unmake(board)
        board.reg[WHY] = 0
        while not board.reg[WHY]:
            if board.reg[PLIES] < OPENING:
                seed = lcg(seed)
                move = out[(seed >> 16) % int(legal(board, out, 0))]
            else:
                move = encode(think(board, Steady.level, 100_000).move)
            play(board, move)
        return 1

    return Work(once)


def openspiel_games() -> Work:
    """Play random games with OpenSpiel from Python."""
    game, luck = openspiel(), random.Random(1)

    def once() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[luck.randrange(len(actions))])
        return 1

    return Work(once, version=metadata.version("open_spiel"))


WHOLE = Whole(
    "games",
    random=at_random,
    steady=steady,
    peers={"OpenSpiel xiangqi": openspiel_games},
    rivals={f"Fairy-Stockfish, {fairy.NODES} nodes": Rival("qipai.games.xiangqi.fairy:Fairy", fairy.found)},
)
