"""Dou dizhu as numbers: how many of each card, a set is spelled card by card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from qipai.core.arrays import DONE, Arrays, Field, one_hot, turned
from qipai.games.doudizhu.notation import PACK, PHASES
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.state import Action, Bid, Play, View

__all__ = ["ARRAYS"]

NAMES: Final = PACK.names
MANY: Final = len(NAMES)
SEATS: Final = 3
EVERYBODY: Final = tuple(range(SEATS))
BIDS: Final = ("no_bid", "bid 1", "bid 2", "bid 3")


def tokens(options: Options, seats: int) -> tuple[str, ...]:
    """Return the alphabet: the cards, the end of a set, calls, to pass."""
    return (*NAMES, DONE, *BIDS, "pass")


def spell(action: Action) -> Sequence[str]:
    """Return the word of an action: 3344X is 3 3 4 4 X done."""
    if isinstance(action, Play):
        return (*action.cards, DONE)
    if isinstance(action, Bid):
        return (BIDS[action.n],)
    return (str(action.__struct_config__.tag),)


def played(options: Options, view: View) -> list[int]:
    """Return what each seat has played, the viewer first."""
    return [n for text in turned(view.played, view.seat, "") for n in PACK.read(text)]


def among(view: View, *seats: int | None) -> list[int]:
    """Return 1 for each seat that is one of these, the viewer first."""
    return turned([int(seat in seats) for seat in EVERYBODY], view.seat)


FIELDS: Final = (
    Field("hand", MANY, "own cards, 3 first", lambda o, v: PACK.read(v.hand or "")),
    Field("top", MANY, "the set to beat", lambda o, v: PACK.read(v.top or "")),
    Field("played", MANY * SEATS, "all that each seat has played", played),
    Field("bottom", MANY, "the bottom cards, once they are shown", lambda o, v: PACK.read(v.bottom or "")),
    Field("unseen", MANY, "cards that the viewer has not located", lambda o, v: v.unseen),
    Field("counts", SEATS, "cards left of each seat", lambda o, v: turned(v.counts, v.seat)),
    Field("owner", SEATS, "whose the top is", lambda o, v: among(v, v.owner)),
    Field("passed", SEATS, "who has passed", lambda o, v: among(v, *v.passed)),
    Field("calls", SEATS, "what each seat has called; -1: nothing yet", lambda o, v: turned(v.calls, v.seat, -1)),
    Field("landlord", SEATS, "the landlord", lambda o, v: among(v, v.landlord)),
    Field("multiple", 1, "what the deal is about", lambda o, v: (v.multiple,)),
    Field("phase", len(PHASES), "the question, one of the phases", lambda o, v: one_hot(v.phase, PHASES)),
)


def fields(options: Any, seats: int) -> tuple[Field, ...]:
    """Return what a seat knows, seats from the viewer on."""
    return FIELDS


ARRAYS: Final = Arrays(tokens, spell, fields)
