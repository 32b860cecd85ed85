"""The course's boards: one man alone, targets that light up, wrong steps explained (xiangqi 13, seed 试走).

The sentences of a lesson stand in the language files under `lesson.<name>`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from qipai.core.contract import BadNotation, Refusal
from qipai.games.xiangqi.kernel.board import EMPTY
from qipai.games.xiangqi.kernel.explain import CODES, NO_PIECE, OWN_PIECE_ON_TARGET, shape
from qipai.games.xiangqi.position import (
    Position,
    apply,
    encode,
    format_fen,
    kernel_square,
    parse_fen,
    side_of,
    square_name,
    try_piece,
    tutorial,
    valid_move,
)

__all__ = ["LESSONS", "Lesson", "Step", "Task", "attempt", "goals", "step", "targets", "tasks", "tried"]


class Lesson(Struct, frozen=True):
    """An exercise: walk with one man over all its goals."""

    name: str  # the man: a key of the language files
    fen: str
    square: str  # where it starts
    roam: bool = False  # the goals are all squares it can ever reach, not only those of its first step


LESSONS: Final = (
    Lesson("general", "9/9/9/9/9/9/9/9/9/4K4 w", "e0", roam=True),
    Lesson("advisor", "9/9/9/9/9/9/9/9/9/3A5 w", "d0", roam=True),
    Lesson("elephant", "9/9/9/9/9/9/9/9/3p5/2B6 w", "c0", roam=True),
    Lesson("horse", "9/9/9/4P4/3PN4/6p2/9/9/9/9 w", "e5"),
    Lesson("chariot", "9/9/4p4/9/2P1R1p2/9/4P4/9/9/9 w", "e5"),
    Lesson("cannon", "4n4/9/4p4/9/1p2C1P1r/9/4P4/9/9/9 w", "e5"),
    Lesson("soldier", "9/9/9/9/3p5/4P4/9/9/9/9 w", "e4"),
)


def targets(fen: str, square: str) -> list[str]:
    """Return the squares that light up for the man on a square, sorted."""
    return try_piece(parse_fen(fen, check=False), square)


def goals(lesson: Lesson) -> list[str]:
    """Return the squares a learner must have visited, sorted."""
    first = targets(lesson.fen, lesson.square)
    if not lesson.roam:
        return first
    found, waiting = {lesson.square}, [lesson.square]
    position = parse_fen(lesson.fen, check=False)
    while waiting:
        at = waiting.pop()
        there = position if at == lesson.square else apply(position, lesson.square + at)
        for step in try_piece(there, at):
            if step not in found:
                found.add(step)
                waiting.append(step)
    return sorted(found - {lesson.square})


class Task(Struct, frozen=True):
    """A lesson as the client draws it."""

    name: str
    board: str  # FEN
    square: str
    goals: tuple[str, ...]
    targets: tuple[str, ...]


class Step(Struct, frozen=True):
    """The position after a step: the board as FEN, the man's square, and the squares that light up for it."""

    board: str
    square: str
    targets: tuple[str, ...]


def tasks() -> tuple[Task, ...]:
    """Return all lessons in the order of the course."""
    return tuple(
        Task(
            lesson.name,
            lesson.fen,
            lesson.square,
            tuple(goals(lesson)),
            tuple(targets(lesson.fen, lesson.square)),
        )
        for lesson in LESSONS
    )


def step(board: str, move: str) -> Step | Refusal:
    """Return where a step on a tutorial board leads, or why it is none; raises BadNotation for what is no board."""
    found = attempt(parse_fen(board, check=False), move)
    if isinstance(found, Refusal):
        return found
    fen = format_fen(found, counters=False)
    return Step(fen, move[2:], tuple(targets(fen, move[2:])))


def tried(sent: Mapping[str, Any]) -> Step | Refusal:
    """Return what a learner's `{"board": …, "move": …}` leads to, or why not; raises BadNotation."""
    board, move = sent.get("board"), sent.get("move")
    if not isinstance(board, str) or not isinstance(move, str):
        raise BadNotation("bad_move")
    return step(board, move)


def attempt(position: Position, move: str) -> Position | Refusal:
    """Return the board after a man's step, or why it cannot step so; no generals needed, one side moves always."""
    if not valid_move(move):
        return Refusal("bad_move")
    piece, prey = position.at(move[:2]), position.at(move[2:])
    if piece == ".":
        return Refusal(CODES[NO_PIECE])
    if prey != "." and side_of(prey) == side_of(piece):
        return Refusal(CODES[OWN_PIECE_ON_TARGET])
    board = tutorial(position, move[:2])
    man = board.cells[encode(move) >> 8]
    assert man != EMPTY
    found = shape(board, man, kernel_square(move[2:]))
    if found:
        blocker = found >> 8
        return Refusal(CODES[found & 255], {"square": square_name(blocker)} if blocker else {})
    after = apply(position, move)
    return Position(after.board, position.side, after.quiet, position.round)
