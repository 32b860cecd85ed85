"""Backgammon and its variants as numbers: points of both sides, a play is spelled checker by checker."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final, get_args

from qipai.core.arrays import DONE, Arrays, Field, one_hot, turned
from qipai.games.backgammon.notation.moves import cell_name, parse_play
from qipai.games.backgammon.options import VARIANTS, Options
from qipai.games.backgammon.state import Action, Dice, Enter, Move, Off, Opening, Phase, Play, State, View

__all__ = ["ARRAYS"]

POINTS: Final = tuple(str(point) for point in range(24, 0, -1))
FROM: Final = tuple(f"{place}/" for place in ("bar", "res", *POINTS))  # a checker leaves
TO: Final = (*POINTS, "off")  # and comes to
VERBS: Final = ("roll", "double", "take", "drop", "beaver", "accept", "reject", "enter")


def tokens(options: Options, seats: int) -> tuple[str, ...]:
    """Return the alphabet: where a checker leaves, where it comes to, the end of a play, and what else may be said."""
    return (*FROM, *TO, DONE, *VERBS)


def spell(action: Action) -> Sequence[str]:
    """Return the word of an action: 24/18 13/11 is 24/ 18 13/ 11 done."""
    if isinstance(action, Play):
        word: list[str] = []
        for part in parse_play(action.m):
            word += (f"{cell_name(part.origin)}/", *map(cell_name, part.stops)) * part.count
        return (*word, DONE)
    if isinstance(action, Enter):
        return ("enter", str(action.to))
    if isinstance(action, Move):
        return (f"{action.from_}/", str(action.to))
    if isinstance(action, Off):
        return (f"{action.from_}/", "off")
    return (str(action.__struct_config__.tag),)


def sides(view: View) -> list[Any]:
    """Return the two sides, the viewer's first."""
    return turned(view.sides, view.you)


def points(options: Options, view: View) -> list[int]:
    """Return 24 numbers for each side, each from its own point 1."""
    return [n for side in sides(view) for n in side.points]


def beside(options: Options, view: View) -> list[int]:
    """Return bar, reserve, hand, off and pips of each side."""
    return [n for side in sides(view) for n in (side.bar, side.res, side.hand, side.off, side.pips)]


def pinned(options: Options, view: View) -> list[int]:
    """Return for each side on which of its points one of its checkers is pinned."""
    return [int(point in side.pinned) for side in sides(view) for point in range(1, 25)]


FIELDS: Final = (
    Field("points", 48, "checkers on points 1 to 24 of each side, the viewer's first, each in its own count", points),
    Field("beside", 10, "of each side: bar, reserve, hand, off, pips", beside),
    Field("pinned", 48, "of each side: points on which one of its checkers is pinned (plakoto)", pinned),
    Field("dice", 2, "the dice, 0 when there are none", lambda o, v: v.dice or (0, 0)),
    Field(
        "phase", len(get_args(Phase)), "the question, one of the phases", lambda o, v: one_hot(v.phase, get_args(Phase))
    ),
    Field("turn", 2, "who must act, the viewer first", lambda o, v: turned(one_hot(v.turn, (0, 1)), v.you)),
    Field("cube", 1, "what the cube shows", lambda o, v: (v.cube.value,)),
    Field("owner", 2, "who owns the cube, the viewer first", lambda o, v: turned(one_hot(v.cube.owner, (0, 1)), v.you)),
    Field(
        "away",
        2,
        "points still needed, the viewer first; 0 where no match is played",
        lambda o, v: [v.match_to - n if v.match_to else 0 for n in turned(v.score, v.you)],
    ),
    Field("crawford", 1, "this is the Crawford game", lambda o, v: (v.crawford,)),
    Field(
        "variant",
        len(VARIANTS),
        "the variant, in the order of the table",
        lambda o, v: one_hot(v.variant, tuple(VARIANTS)),
    ),
)


def fields(options: Options, seats: int) -> tuple[Field, ...]:
    """Return what a player knows: all of the game."""
    return FIELDS


def luck(rules: Any, state: State) -> list[tuple[str, float, Action]]:
    """Return the throws that may come, each with its probability and the action that makes it so."""
    kind = Opening if state.phase == "opening" else Dice
    found = []
    for a, b in product(range(1, 7), repeat=2):
        if rules.refuse(state, -1, kind((a, b))) is None:
            found.append((f"{a}-{b}", kind((a, b))))
    return [(name, 1 / len(found), action) for name, action in found]


ARRAYS: Final = Arrays(tokens, spell, fields, luck=luck)
