"""Xiangqi as numbers: fourteen planes of the board, a move is the square it leaves and the square it comes to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from qipai.core.arrays import Arrays, Field, one_hot, turned
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.state import Action, Move, View

__all__ = ["ARRAYS"]

MEN: Final = "KABNRCPkabnrcp"
SQUARES: Final = tuple(f"{file}{rank}" for rank in range(10) for file in "abcdefghi")
VERBS: Final = ("accept_draw", "decline_draw", "accept_time", "decline_time", "propose_time", "offer_draw", "ready")


def board(options: Options, view: View) -> list[int]:
    """Return a plane of 10 x 9 squares for each kind of man, a0 first, i9 last."""
    planes = [0] * (len(MEN) * 90)
    for down, row in enumerate(view.fen.split(" ")[0].split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
                continue
            planes[MEN.index(letter) * 90 + (9 - down) * 9 + file] = 1
            file += 1
    return planes


def tokens(options: Options, seats: int) -> tuple[str, ...]:
    """Return the alphabet: the squares, then what is answered to offers."""
    return (*SQUARES, *VERBS)


def spell(action: Action) -> Sequence[str]:
    """Return the word of an action."""
    if isinstance(action, Move):
        return (action.m[:2], action.m[2:])
    return (str(action.__struct_config__.tag),)


FIELDS: Final = (
    Field("board", 14 * 90, "planes of 10 x 9, a0 first: red K A B N R C P, then black", board),
    Field("red", 1, "1: the viewer has the red men", lambda o, v: (v.you == 0,)),
    Field("turn", 2, "who is on turn, the viewer first", lambda o, v: turned(one_hot(v.side, (0, 1)), v.you)),
    Field("check", 1, "the side on turn is in check", lambda o, v: (v.check,)),
    Field("repeated", 1, "how often this position has been there", lambda o, v: (v.repetition_count,)),
    Field("warned", 2, "who would lose by repeating once more", lambda o, v: turned(one_hot(v.warned, (0, 1)), v.you)),
    Field("quiet", 1, "plies since the last capture", lambda o, v: (v.quiet,)),
    Field("plies", 1, "plies played", lambda o, v: (len(v.plies),)),
    Field("offer", 2, "whose draw offer stands", lambda o, v: turned(one_hot(v.offer, (0, 1)), v.you)),
)


def fields(options: Any, seats: int) -> tuple[Field, ...]:
    """Return what a player knows: all of the game."""
    return FIELDS


ARRAYS: Final = Arrays(tokens, spell, fields)
