"""The first lesson of mahjong (P-73), as data; its sentences: `lang/lesson.*.toml`. The learner sits at 0 and deals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from qipai.core.lesson import Choose, Do, Lesson, Play, Step, Tell
from qipai.core.rng import Stream
from qipai.games.mahjong.conform import Play as Case
from qipai.games.mahjong.rules import Mahjong
from qipai.games.mahjong.state import State

__all__ = ["LESSON"]

Json = Any
SEATS: Final = 4
PASS: Final = {"a": "pass"}
HU: Final = {"a": "hu"}


def tiles(text: str) -> list[str]:
    """Return the tiles of a compact text: `123m55p` (mahjong 3.2)."""
    found: list[str] = []
    ranks = ""
    for sign in text:
        if sign in "mps":
            found += [rank + sign for rank in ranks]
            ranks = ""
        else:
            ranks += sign
    return found


def discard(*kinds: str) -> tuple[Json, ...]:
    """Return the actions that discard one of these tiles."""
    return tuple({"a": "discard", "t": kind} for kind in kinds)


def place(rules: Mahjong, at: Mapping[str, Json]) -> State:
    """Return a hand in which the learner holds these tiles; the others' and the wall are drawn from what is left.

    hand: the learner's, with the tile drawn last if it is their turn. melds: theirs. thrown: the tile that seat 3 holds
    and is about to discard; else it is the learner's turn, who has drawn `drawn`. wall: how many tiles are left.
    """
    hand, melds = tiles(at["hand"]), at.get("melds", ())
    thrown = at.get("thrown")
    assert len(hand) + 3 * len(melds) == 14 - (thrown is not None), "whoever is on turn has a tile more"
    left = [rank + suit for suit in "mps" for rank in "123456789" for _ in range(4)]
    for tile in (*hand, *(meld["t"] for meld in melds for _ in range(4 if meld["k"] == "kong" else 3))):
        left.remove(tile)
    if thrown is not None:
        left.remove(thrown)
    left = list(Stream.of_seed(f"mahjong lesson {at['others']}").shuffled(left))
    others = [left[13 * i : 13 * (i + 1)] for i in range(SEATS - 1)]
    if thrown is not None:
        others[-1].append(thrown)
    rest = left[13 * (SEATS - 1) :]
    given = {
        "hands": ["".join(hand), *("".join(other) for other in others)],
        "melds": [list(melds), [], [], []],
        "wall": "".join(rest[: at.get("wall", 30)]),
        "turn": 0 if thrown is None else 3,
        "drawn": at.get("drawn", hand[-1]) if thrown is None else thrown,
    }
    return Case(given).state


STEPS: Final[tuple[Step, ...]] = (
    Tell(name="goal", at={"hand": "234m567m888m45p99p6p", "others": 1}),
    Do(
        name="suits",
        at={"hand": "234567m88m456p78p9s", "others": 2},
        good=discard("9s"),
    ),
    Do(
        name="loose",
        at={"hand": "234m567m88m456p129p", "others": 3},
        good=discard("9p"),
        wrong={"edge": discard("1p", "2p")},
    ),
    Do(
        name="pong",
        at={"hand": "222m55m888m66p99p4p", "thrown": "6p", "others": 4, "moves": ((3, *discard("6p")),)},
        good=({"a": "pong"},),
        wrong={"passed": (PASS,)},
    ),
    Do(
        name="kong",
        at={"hand": "333m678m45p77p88p2p3m", "others": 5},
        good=({"a": "kong", "t": "3m"},),
    ),
    Do(
        name="ready",
        at={"hand": "123456789m99m78p1p", "others": 6},
        good=(*discard("1p"), *({"a": "discard", "t": "1p", "call": call} for call in ("sing", "dance"))),
    ),
    Choose(name="waits", among=("one", "two", "three"), right="two"),
    Do(
        name="self_draw",
        at={"hand": "123456789m99m78p9p", "others": 7},
        good=(HU,),
    ),
    Do(
        name="claim",
        at={"hand": "123456789m99m78p", "thrown": "6p", "others": 8, "moves": ((3, *discard("6p")),)},
        good=(HU,),
        wrong={"passed": (PASS,)},
    ),
    Choose(name="blood", among=("over", "on"), right="on"),
    Choose(name="end", among=("nothing", "pays"), right="pays"),
    Play(name="deal", at={"hand": "234m67m88m456p45p9s1s", "others": 9, "wall": 24}),
)

LESSON: Final = Lesson(place=place, steps=STEPS, tips=("turn", "claim"))
