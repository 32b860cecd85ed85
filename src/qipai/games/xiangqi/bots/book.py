"""Opening moves: well-known lines, so that games do not all begin alike."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from qipai.core.rng import Stream
from qipai.games.xiangqi.position import START, Position, apply, explain_move

__all__ = ["Book", "book", "book_move", "book_of", "known", "openings"]

Book = dict[str, dict[str, int]]  # board and side -> move -> how often


def _key(position: Position) -> str:
    return f"{position.board}{position.side}"


def book_of(games: list[list[str]], plies: int = 12) -> Book:
    """Return a book of games that begin with the standard position: how often each move was played in each position."""
    found: Book = {}
    for game in games:
        position = START
        for move in game[:plies]:
            if explain_move(position, move) is not None:
                break
            counts = found.setdefault(_key(position), {})
            counts[move] = counts.get(move, 0) + 1
            position = apply(position, move)
    return found


def openings() -> list[list[str]]:
    """Return the lines of the book that comes with the game."""
    text = files("qipai.games.xiangqi.bots").joinpath("openings.txt").read_text(encoding="utf-8")
    lines = [line.split("#")[0].split() for line in text.splitlines()]
    return [line for line in lines if line]


@cache
def book() -> Book:
    """Return the book that comes with the game."""
    return book_of(openings())


def known(position: Position) -> dict[str, int]:
    """Return the book's moves in a position, and how often each was played."""
    return book().get(_key(position), {})


def book_move(position: Position, luck: Stream) -> str | None:
    """Return a book move for a position, the likelier the more often it was played; None when the book has none."""
    counts = known(position)
    if not counts:
        return None
    draw = luck.below(sum(counts.values()))
    for move, count in counts.items():
        draw -= count
        if draw < 0:
            return move
    return None
