"""Baohuang as numbers: how many of each card, a set is spelled card by card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from qipai.core.arrays import DONE, Arrays, Field, one_hot, turned
from qipai.games.baohuang.notation import PACK
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.state import Action, Play, View

__all__ = ["ARRAYS"]

NAMES: Final = PACK.names
MANY: Final = len(NAMES)
VERBS: Final = ("pass", "grab", "no_grab", "yield", "keep", "reveal", "hide", "rebel", "no_rebel", "kick", "no_kick")
PHASES: Final = ("deal", "grab", "opening", "yield", "reveal", "rebel", "kick", "lead", "answer", "over")
MODES: Final = ("pair", "solo_open", "solo_hidden")
SEATS: Final = 5
EVERYBODY: Final = tuple(range(SEATS))


def tokens(options: Options, seats: int) -> tuple[str, ...]:
    """Return the alphabet: the cards, the marked ones apart, the end of a set, what else may be said."""
    return (*NAMES, DONE, *VERBS)


def spell(action: Action) -> Sequence[str]:
    """Return the word of an action: 66X* is 6 6 X* done."""
    if isinstance(action, Play):
        counts = PACK.read(action.cards)
        return (*[name for name, n in zip(NAMES, counts, strict=True) for _ in range(n)], DONE)
    return (str(action.__struct_config__.tag),)


def played(options: Options, view: View) -> list[int]:
    """Return what each seat has played, the viewer first."""
    return [n for text in turned(view.played, view.seat, "") for n in PACK.read(text)]


def trick(options: Options, view: View) -> list[int]:
    """Return the last set of each seat in this trick, the viewer first."""
    last = {one.seat: one.cards for one in view.trick}
    return [n for seat in turned(EVERYBODY, view.seat) for n in PACK.read(last.get(seat, ""))]


def among(view: View, *seats: int | None) -> list[int]:
    """Return 1 for each seat that is one of these, the viewer first."""
    return turned([int(seat in seats) for seat in EVERYBODY], view.seat)


FIELDS: Final = (
    Field("hand", MANY, "own cards, 6 first, marked jokers apart", lambda o, v: PACK.read(v.hand or "")),
    Field("top", MANY, "the set to beat", lambda o, v: PACK.read(v.top or "")),
    Field("trick", MANY * SEATS, "last set of each seat in this trick", trick),
    Field("played", MANY * SEATS, "all that each seat has played", played),
    Field("counts", SEATS, "cards left of each seat", lambda o, v: turned(v.counts, v.seat)),
    Field("unseen", 4, "A 2 x X that the viewer has not located", lambda o, v: v.unseen),
    Field("owner", SEATS, "whose the top is", lambda o, v: among(v, v.owner)),
    Field("passed", SEATS, "who has passed", lambda o, v: among(v, *v.passed)),
    Field("emperor", SEATS, "the emperor", lambda o, v: among(v, v.emperor)),
    Field("guard", SEATS, "the guard, as far as the viewer knows him", lambda o, v: among(v, v.guard)),
    Field("known", SEATS, "the guard as everybody knows him", lambda o, v: among(v, v.guard_public)),
    Field("sides", SEATS, "0 the emperor's, 1 the rebels'; -1: the viewer cannot know",
          lambda o, v: turned(v.sides, v.seat, -1)),
    Field("mode", len(MODES), "pair, open solo, hidden solo; none: not known yet", lambda o, v: one_hot(v.mode, MODES)),
    Field("places", SEATS, "places decided, 0: not yet", lambda o, v: turned(v.places, v.seat)),
    Field("phase", len(PHASES), "the question, one of the phases", lambda o, v: one_hot(v.phase, PHASES)),
    Field("stake", 4, "opened, kicked, grabbed, and how much scores are multiplied",
          lambda o, v: (v.opened, v.kicked, v.grabbed, v.multiple)),
)  # fmt: skip


def fields(options: Any, seats: int) -> tuple[Field, ...]:
    """Return what a seat knows, seats from the viewer on."""
    return FIELDS


ARRAYS: Final = Arrays(tokens, spell, fields)
