"""Sichuan mahjong as numbers: how many of each of the 27 tiles; an action is its verb and its tile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import UNSET

from qipai.core.arrays import Arrays, Field, one_hot, turned
from qipai.games.mahjong.notation import INDEX, NAMES, SUITS, tiles_of
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.state import Action, Discard, Kong, Swap, View, Void

__all__ = ["ARRAYS"]

SEATS: Final = 4
EVERYBODY: Final = tuple(range(SEATS))
PHASES: Final = ("dice", "deal", "horse", "swap", "die", "void", "turn", "claim", "rob", "wait", "end")
VERBS: Final = ("discard", "sing", "dance", "kong", "swap", "void", "hu", "pong", "pass")


def tokens(options: Options, seats: int) -> tuple[str, ...]:
    """Return the alphabet: the tiles, the suits, what is done."""
    return (*NAMES, *SUITS, *VERBS)


def spell(action: Action) -> Sequence[str]:
    """Return the word of an action; who sings or dances with a discard says that instead of discard."""
    if isinstance(action, Discard):
        return ("discard" if action.call in (UNSET, None) else str(action.call), action.t)
    if isinstance(action, Kong):
        return ("kong", action.t)
    if isinstance(action, Swap):
        return ("swap", *action.t)
    if isinstance(action, Void):
        return ("void", action.suit)
    return (str(action.__struct_config__.tag),)


def counted(tiles: Iterable[int]) -> list[int]:
    """Return how many there are of each tile."""
    counts = [0] * len(NAMES)
    for tile in tiles:
        counts[tile] += 1
    return counts


def melds(options: Options, view: View) -> list[int]:
    """Return the claimed and laid tiles of each seat, the viewer first."""
    found: list[int] = []
    for seat in turned(EVERYBODY, view.seat):
        own = [INDEX[meld.t] for meld in view.melds[seat] for _ in range(3 if meld.k == "pong" else 4)]
        found += counted(own)
    return found


def rivers(options: Options, view: View) -> list[int]:
    """Return the discards of each seat, the viewer first, those that were claimed left out."""
    found: list[int] = []
    for seat in turned(EVERYBODY, view.seat):
        found += counted(INDEX[one.t] for one in view.rivers[seat] if not one.taken)
    return found


def among(view: View, seats: Iterable[int | None]) -> list[int]:
    """Return 1 for each seat that is one of these, the viewer first."""
    wanted = set(seats)
    return turned([int(seat in wanted) for seat in EVERYBODY], view.seat)


def voids(options: Options, view: View) -> list[int]:
    """Return the declared suit of each seat, one of three, the viewer first."""
    return [n for suit in turned(view.voids, view.seat, "") for n in one_hot(suit, SUITS)]


FIELDS: Final = (
    Field("hand", 27, "own tiles, 1m first, the drawn one included", lambda o, v: counted(tiles_of(v.hand or ""))),
    Field("drawn", 27, "the tile drawn just now", lambda o, v: one_hot(v.drawn, NAMES)),
    Field("melds", 27 * SEATS, "pongs and kongs of each seat", melds),
    Field("rivers", 27 * SEATS, "discards of each seat that nobody claimed", rivers),
    Field(
        "last",
        27,
        "the tile that may be claimed, or the last one thrown",
        lambda o, v: one_hot(v.last and v.last.t, NAMES),
    ),
    Field("thrower", SEATS, "whose it is", lambda o, v: among(v, [v.last.seat] if v.last else [])),
    Field("counts", SEATS, "tiles in each hand, melds apart", lambda o, v: turned(v.counts, v.seat)),
    Field("voids", 3 * SEATS, "the suit that each seat has declared it does without", voids),
    Field("won", SEATS, "who has won and sits out", lambda o, v: among(v, [win.seat for win in v.wins])),
    Field("sung", SEATS, "who sings", lambda o, v: among(v, v.sung)),
    Field("danced", SEATS, "who dances", lambda o, v: among(v, [one.seat for one in v.danced])),
    Field("dealer", SEATS, "the dealer", lambda o, v: among(v, [v.dealer])),
    Field("actor", SEATS, "whose turn it is", lambda o, v: among(v, [v.actor])),
    Field("wall", 1, "tiles left in the wall", lambda o, v: (v.wall_left,)),
    Field("ledger", SEATS, "chips won so far", lambda o, v: turned(v.ledger, v.seat)),
    Field("phase", len(PHASES), "the question, one of the phases", lambda o, v: one_hot(v.phase, PHASES)),
)


def fields(options: Any, seats: int) -> tuple[Field, ...]:
    """Return what a seat knows, seats from the viewer on."""
    return FIELDS


ARRAYS: Final = Arrays(tokens, spell, fields)
