"""Random positions and cycles for the tests, the same in every run."""

from __future__ import annotations

import random
from collections.abc import Iterator

from qipai.core.contract import BadNotation
from qipai.games.xiangqi.position import START, Position, apply, format_fen, legal_moves, parse_fen

HOMES = {
    "k": "d9 e9 f9 d8 e8 f8 d7 e7 f7",
    "a": "d9 f9 e8 d7 f7",
    "b": "c9 g9 a7 e7 i7 c5 g5",
    "p": "a6 c6 e6 g6 i6 a5 c5 e5 g5 i5",
}


def played(luck: random.Random, plies: int) -> Position:
    """A position of a random game."""
    position = START
    for _ in range(plies):
        moves = legal_moves(position)
        if not moves:
            break
        position = apply(position, luck.choice(moves))
    return position


def sparse(luck: random.Random) -> Position:
    """A position of a few men, anywhere they may stand."""
    while True:
        board: dict[str, str] = {}
        men = ["K", "k"]
        for kind, most in (("a", 2), ("b", 2), ("n", 2), ("r", 2), ("c", 2), ("p", 3)):
            for letter in (kind, kind.upper()):
                men += [letter] * luck.choice((0, 0, 1, most))
        for man in men:
            spots = homes(man)
            free = [spot for spot in spots if spot not in board]
            board[luck.choice(free)] = man
        rows = []
        for rank in range(9, -1, -1):
            rows.append("".join(board.get(f"{file}{rank}", "1") for file in "abcdefghi"))
        try:
            position = parse_fen(f"{'/'.join(rows)} {luck.choice('wb')}")
        except BadNotation:
            continue
        if legal_moves(position):
            return position


def homes(man: str) -> list[str]:
    kind = man.lower()
    if kind in "kab":
        spots = HOMES[kind].split()
    elif kind == "p":
        spots = HOMES[kind].split() + [f"{file}{rank}" for file in "abcdefghi" for rank in range(5)]
    else:
        return [f"{file}{rank}" for file in "abcdefghi" for rank in range(10)]
    return spots if man.islower() else [f"{spot[0]}{9 - int(spot[1])}" for spot in spots]


def cycles(luck: random.Random, position: Position, most: int) -> Iterator[list[str]]:
    """Four quiet plies that lead back to the position, in random order; at most so many."""
    found = 0
    for first in shuffled(luck, quiet(position)):
        one = apply(position, first)
        for second in shuffled(luck, quiet(one))[:6]:
            two = apply(one, second)
            back = first[2:] + first[:2]
            if back not in legal_moves(two):
                continue
            three = apply(two, back)
            home = second[2:] + second[:2]
            if home in legal_moves(three):
                yield [first, second, back, home]
                found += 1
                if found == most:
                    return


def quiet(position: Position) -> list[str]:
    return [move for move in legal_moves(position) if position.at(move[2:]) == "."]


def shuffled(luck: random.Random, moves: list[str]) -> list[str]:
    return luck.sample(moves, len(moves))


def fen(position: Position) -> str:
    return format_fen(position)
