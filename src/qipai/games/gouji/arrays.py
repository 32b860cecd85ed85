"""Gouji as numbers: how many of each card, a set is spelled card by card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from qipai.core.arrays import DONE, Arrays, Field, one_hot, turned
from qipai.games.gouji.notation import PACK
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import Action, Play, Return, View

__all__ = ["ARRAYS"]

NAMES: Final = PACK.names
VERBS: Final = ("pass", "close", "wind", "burn", "no_burn")
MANY: Final = len(NAMES)
SEATS: Final = 6
PHASES: Final = ("deal", "tribute", "lead", "answer", "close", "burn", "burn_wait", "burn_play", "over")
EVERYBODY: Final = tuple(range(SEATS))


def tokens(options: Options, seats: int) -> tuple[str, ...]:
    """Return the alphabet: the cards, the end of a set, what else may be said."""
    return (*NAMES, DONE, *VERBS)


def spell(action: Action) -> Sequence[str]:
    """Return the word of an action: 33X is 3 3 X done."""
    if isinstance(action, Play | Return):
        return (*action.cards, DONE)
    return (str(action.__struct_config__.tag),)


def played(options: Options, view: View) -> list[int]:
    """Return what each seat has played, the viewer first."""
    return [n for text in turned(view.played, view.seat, "") for n in PACK.read(text)]


def trick(options: Options, view: View) -> list[int]:
    """Return the last set of each seat in this trick, the viewer first."""
    last = {one.seat: one.cards for one in view.trick}
    return [n for seat in turned(EVERYBODY, view.seat) for n in PACK.read(last.get(seat, ""))]


def among(seats: Sequence[int] | None, view: View) -> list[int]:
    """Return 1 for each seat that is one of these, the viewer first."""
    return turned([int(seat in (seats or ())) for seat in EVERYBODY], view.seat)


FIELDS: Final = (
    Field("hand", MANY, "own cards, 3 first", lambda o, v: PACK.read(v.hand or "")),
    Field("top", MANY, "the set to beat", lambda o, v: PACK.read(v.top or "")),
    Field("trick", MANY * SEATS, "last set of each seat in this trick", trick),
    Field("played", MANY * SEATS, "all that each seat has played", played),
    Field("counts", SEATS, "cards left of each seat; -1: not told", lambda o, v: turned(v.counts, v.seat, -1)),
    Field("unseen", 4, "A 2 x X that the viewer has not located", lambda o, v: v.unseen),
    Field("owner", SEATS, "whose the top is", lambda o, v: among((v.owner,) if v.owner is not None else (), v)),
    Field("passed", SEATS, "who has passed", lambda o, v: among(v.passed, v)),
    Field("answerers", SEATS, "who alone may answer a 够级", lambda o, v: among(v.answerers, v)),
    Field("burners", SEATS, "who has a burner's duty", lambda o, v: among([one[0] for one in v.burners], v)),
    Field("headless", SEATS, "who has no opposite any more", lambda o, v: among(v.headless, v)),
    Field("places", SEATS, "places decided, 0: not yet", lambda o, v: turned(v.places, v.seat)),
    Field("phase", len(PHASES), "the question, one of the phases", lambda o, v: one_hot(v.phase, PHASES)),
    Field("flags", 5, "restricted, tangle, suspended, dead top, dead answer",
          lambda o, v: (v.restricted, v.tangle, v.suspended, v.dead_top, v.dead_answer)),
)  # fmt: skip


def fields(options: Any, seats: int) -> tuple[Field, ...]:
    """Return what a seat knows, seats from the viewer on."""
    return FIELDS


ARRAYS: Final = Arrays(tokens, spell, fields)
