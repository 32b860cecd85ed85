"""The first lesson of shengji (P-73), as data; its sentences: `lang/lesson.*.toml`. The learner sits at 0, with 2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from qipai.core.contract import NATURE
from qipai.core.lesson import Choose, Do, Lesson, Play, Step, Tell
from qipai.games.shengji import observation
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import INDEX, NAMES, SUITS
from qipai.games.shengji.rules import Shengji
from qipai.games.shengji.state import Deal, Declaration, NextDeal, State

__all__ = ["LESSON"]

Json = Any


def play(*cards: str) -> Json:
    """Return the action that plays cards."""
    return {"a": "play", "cards": list(cards)}


def place(rules: Shengji, at: Mapping[str, Json]) -> State:
    """Return the last tricks of a deal: these hands, a kitty, and all other cards played by those who held them.

    dealer: whose side defends. leader: who leads. points: what the attackers have. draws: in place of all these, the
    first cards that each seat draws in the first deal of a match.
    """
    if "draws" in at:
        return _drawn(rules, at["draws"])
    s = t.new_table()
    reg, options = s.reg, rules.options
    for i, value in enumerate(observation.new_registers(options, ("2", "2"), at["dealer"])):
        reg[i] = value
    reg[t.TRUMP] = SUITS.index(at["trump"])
    t.arrange(s)
    hands: Sequence[Sequence[str]] = [hand.split() for hand in at["hands"]]
    left: list[int] = [options.decks] * t.CARDS
    for seat, hand in enumerate(hands):
        for name in hand:
            s.hands[seat * t.CARDS + INDEX[name]] += 1
            left[INDEX[name]] -= 1
    for name in at["kitty"].split():
        s.kitty[INDEX[name]] += 1
        s.picked[INDEX[name]] += 1
        left[INDEX[name]] -= 1
    gone = [card for card, n in enumerate(left) for _ in range(n)]
    assert min(left) >= 0, "there are only so many of each card"
    assert len(gone) % t.SEATS == 0, "each hand has the same number of cards"
    for number, card in enumerate(gone):
        s.gone[number % t.SEATS * t.CARDS + card] += 1
    reg[t.DEALT] = 54 * options.decks - reg[t.KITTIES]
    reg[t.TRICKS] = len(gone) // t.SEATS
    reg[t.PHASE], reg[t.TURN], reg[t.LEADER] = t.PLAYING, at["leader"], at["leader"]
    reg[t.POINTS] = at.get("points", 0)
    shown = Declaration(at["dealer"], (f"2{at['trump']}",), at["trump"], None)
    return State(1, ("2", "2"), False, None, (shown,), None, None, ((),) * t.SEATS, **observation.freeze(s))


def _drawn(rules: Shengji, draws: Sequence[Sequence[str]]) -> State:
    """Return a deal in which each seat has drawn its first cards."""
    first = [seat[i] for i in range(len(draws[0])) for seat in draws]
    rest = Counter(dict.fromkeys(NAMES, rules.options.decks))
    rest.subtract(first)
    deck = NextDeal((*first, *rest.elements()), 0)
    state = rules.apply(rules.start(), NATURE, deck).state
    return rules.apply(state, NATURE, Deal(len(first))).state


KITTY: Final = "3H 3C 4H 4C 6D 7D 8C 9C"
FIRST: Final = {
    "trump": "S",
    "dealer": 1,
    "leader": 0,
    "kitty": KITTY,
    "hands": ("5H TH KH 2H AS X 9D", "3D 4D 8H JH QC 7S 9S", "7H 8H QH AC JC 3S 4S", "5D TD 6H 9H TC 8S JS"),
}
# Seat 0 draws every fourth card: spades, and the two of spades.
DRAWN: Final = ("3S", "6S", "9S", "2S", "KS", "JS", "4H", "8D")
OTHERS: Final = ("3C 4C 5C 6C 7C 8C 9C JC", "3D 4D 5D 6D 7D 9D JD QD", "3H 5H 6H 7H 8H 9H JH QH")

STEPS: Final[tuple[Step, ...]] = (
    Tell(name="goal", at=FIRST),
    Tell(name="points"),
    Choose(name="trumps", among=("ace", "two", "joker"), right="joker"),
    Do(
        name="follow",
        at={
            "trump": "S",
            "dealer": 1,
            "leader": 3,
            "kitty": KITTY,
            "hands": ("5H 7H AS X 6D", "3D 8H JH QC 7S", "6H QH AC JC 3S", "KH TD 9H TC 8S"),
            "moves": ((3, play("KH")),),
        },
        good=(play("7H"),),
        wrong={"gave": (play("5H"),)},
        refused={"must_follow_suit": (play("AS"), play("X"))},
    ),
    Do(
        name="partner",
        at={
            "trump": "S",
            "dealer": 1,
            "leader": 2,
            "kitty": KITTY,
            "hands": ("TH 6H AS X 6D", "3D 8H JH QC 7S", "AH QH AC JC 3S", "KH TD 9H TC 8S"),
            "moves": ((2, play("AH")), (3, play("9H"))),
        },
        good=(play("TH"),),
        wrong={"kept": (play("6H"),)},
        refused={"must_follow_suit": (play("6D"),)},
    ),
    Do(
        name="ruff",
        at={
            "trump": "S",
            "dealer": 1,
            "leader": 3,
            "kitty": KITTY,
            "hands": ("4S X 6D 9D JC", "3D 8H JH QC 7S", "6H QH AC TC 3S", "KH TD 9H KC 8S"),
            "moves": ((3, play("KH")),),
        },
        good=(play("4S"),),
        wrong={"big": (play("X"),), "threw": (play("6D"), play("9D"), play("JC"))},
    ),
    Do(
        name="pair",
        at={
            "trump": "S",
            "dealer": 1,
            "leader": 3,
            "kitty": KITTY,
            "hands": ("9D 9D 3D AS X", "4D JD JH QC 7S", "6H QH AC TC 3S", "8D 8D 9H KC 8S"),
            "moves": ((3, play("8D", "8D")),),
        },
        good=(play("9D", "9D"),),
        refused={"must_follow_pair": (play("9D", "3D"),), "must_follow_suit": (play("AS", "X"),)},
    ),
    Do(
        name="tractor",
        at={
            "trump": "S",
            "dealer": 0,
            "leader": 0,
            "kitty": KITTY,
            "hands": ("7C 7C 8H 8H 9H 9H", "4D JD JH QC TC 7S", "6H QH AC JC TD 3S", "8D 8D TH KC 5C 8S"),
        },
        good=(play("8H", "8H", "9H", "9H"),),
        wrong={"half": (play("8H", "8H"), play("9H", "9H")), "pair": (play("7C", "7C"),)},
        refused={"mixed_lead": (play("7C", "8H"),)},
    ),
    Choose(name="result", at={**FIRST, "points": 85}, among=("dealer", "nobody", "attackers"), right="attackers"),
    Choose(name="kitty", among=("once", "double", "four"), right="four"),
    Do(
        name="declare",
        at={"draws": (DRAWN, *(tuple(other.split()) for other in OTHERS))},
        good=({"a": "declare", "cards": ["2S"]},),
    ),
    Play(
        name="deal",
        at={
            "trump": "S",
            "dealer": 1,
            "leader": 1,
            "points": 55,
            "kitty": KITTY,
            "hands": (
                "KH AD 9D 9D 5S QS x",
                "JH 8H KD 6C TC 8S 2S",
                "AH TH 5D JC QC 7S KS",
                "QH 9H 4D TD KC 3S AS",
            ),
        },
    ),
)

LESSON: Final = Lesson(place=place, steps=STEPS, tips=("declare", "bury", "lead", "follow"))
