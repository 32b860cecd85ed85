"""Dou dizhu a second time, slow and obvious, written from docs/spec/doudizhu.md and from nothing else."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

ORDER = "3456789TJQKA2xX"
RUN = "3456789TJQKA"
# kind -> cards of each rank of the body, cards of a wing, wings for each rank, fewest and most ranks
TABLE = {
    "single": (1, 0, 0, 1, 1),
    "pair": (2, 0, 0, 1, 1),
    "triple": (3, 0, 0, 1, 1),
    "triple_one": (3, 1, 1, 1, 1),
    "triple_pair": (3, 2, 1, 1, 1),
    "straight": (1, 0, 0, 5, 12),
    "pairs": (2, 0, 0, 3, 10),
    "plane": (3, 0, 0, 2, 6),
    "plane_ones": (3, 1, 1, 2, 5),
    "plane_pairs": (3, 2, 1, 2, 4),
    "four_ones": (4, 1, 2, 1, 1),
    "four_pairs": (4, 2, 2, 1, 1),
    "bomb": (4, 0, 0, 1, 1),
    "rocket": (1, 0, 0, 2, 2),
}
KINDS = list(TABLE)
Form = tuple[str, str, int]


def ascending(cards: str) -> str:
    return "".join(sorted(cards, key=ORDER.index))


def bodies(kind: str) -> Iterator[str]:
    """The ranks of each body that a kind may have, lowest first."""
    _, _, _, fewest, most = TABLE[kind]
    if kind == "rocket":
        yield "xX"
    elif most == 1:
        yield from (ORDER if kind == "single" else ORDER[:13])
    else:
        for length in range(fewest, most + 1):
            yield from (RUN[at : at + length] for at in range(len(RUN) - length + 1))


def winged(kind: str, body: str, wings: str) -> bool:
    """May these cards be the wings of this body (R8, R9, R10)?"""
    _, wing, each, _, _ = TABLE[kind]
    counts = Counter(wings)
    if set(counts) & set(body) or len(wings) != wing * each * len(body):
        return False
    if {"x", "X"} <= set(counts) or 4 in counts.values():
        return False
    return wing != 2 or set(counts.values()) <= {2}


@cache
def readings(cards: str) -> list[Form]:
    """Every form that cards may be read as, in the order of the table, the highest rank of a kind first."""
    found = []
    for kind in KINDS:
        for body in reversed(list(bodies(kind))):
            rest = Counter(cards)
            rest.subtract(Counter(body * TABLE[kind][0]))
            if min(rest.values()) >= 0 and winged(kind, body, "".join(rest.elements())):
                found.append((kind, body[0], len(body)))
    return found


def read(cards: str, over: Form | None = None) -> Form | None:
    """How cards are read (R12)."""
    found = readings(cards)
    fits = [form for form in found if over and (form[0], form[2]) == (over[0], over[2])]
    return next(iter(fits or found), None)


def beats(form: Form, over: Form) -> bool:
    if form[0] == over[0] and form[2] == over[2]:
        return ORDER.index(form[1]) > ORDER.index(over[1])
    return form[0] == "rocket" or (form[0] == "bomb" and over[0] not in ("bomb", "rocket"))


def plays(hand: str, over: Form | None = None) -> list[str]:
    """All that a hand may put down, in canonical order."""
    held = Counter(hand)
    found: dict[str, tuple[object, ...]] = {}
    for kind in KINDS:
        if over and kind not in (over[0], "bomb", "rocket"):
            continue
        body_of, wing, each, _, _ = TABLE[kind]
        for body in bodies(kind):
            if any(held[rank] < body_of for rank in body):
                continue
            rest = "".join(card * held[card] for card in ORDER if card not in body)
            for wings in set(combinations(ascending(rest), wing * each * len(body))):
                cards = ascending(body * body_of + "".join(wings))
                form = read(cards, over)
                if form != (kind, body[0], len(body)) or (over and not beats(form, over)):
                    continue
                if winged(kind, body, "".join(wings)):
                    place = (KINDS.index(kind), len(body), ORDER.index(body[0]), [ORDER.index(card) for card in wings])
                    found[cards] = place
    return sorted(found, key=lambda cards: found[cards])


@dataclass
class Twin:
    """A deal, played by the letter of the specification."""

    hands: list[str]
    bottom: str
    first: int = 0
    spring: bool = True
    most: int = 14
    calls: list[int] = field(default_factory=list)
    bid: int = 0
    landlord: int | None = None
    turn: int = 0
    top: Form | None = None
    owner: int | None = None
    passes: int = 0
    bombs: int = 0
    sets: list[int] = field(default_factory=lambda: [0, 0, 0])
    scores: list[int] | None = None

    def __post_init__(self) -> None:
        self.turn = self.first

    def legal(self) -> list[str]:
        if self.landlord is None:
            return ["no_bid", *(f"bid:{n}" for n in (1, 2, 3) if n > max(self.calls, default=0))]
        return plays(self.hands[self.turn], self.top) + (["pass"] if self.top else [])

    def act(self, action: str) -> None:
        """Take an action; a deal that nobody calls for has its first caller as landlord (R4)."""
        seat = self.turn
        self.turn = (seat + 1) % 3
        if self.landlord is None:
            self.calls.append(int(action[4:]) if action.startswith("bid:") else 0)
            if self.calls[-1] == 3 or len(self.calls) == 3:
                self.bid = max(self.calls)
                self.landlord = (self.first + self.calls.index(self.bid)) % 3
                self.bid = self.bid or 1
                self.turn = self.landlord
                self.hands[self.landlord] = ascending(self.hands[self.landlord] + self.bottom)
        elif action == "pass":
            self.passes += 1
            if self.passes == 2:
                assert self.owner is not None
                self.turn, self.top = self.owner, None
        else:
            self.put(seat, action)

    def put(self, seat: int, cards: str) -> None:
        self.top, self.owner, self.passes = read(cards, self.top), seat, 0
        assert self.top is not None
        self.bombs += self.top[0] in ("bomb", "rocket")
        self.sets[seat] += 1
        for card in cards:
            self.hands[seat] = self.hands[seat].replace(card, "", 1)
        if self.hands[seat]:
            return
        assert self.landlord is not None
        others = sum(self.sets) - self.sets[self.landlord]
        sprung = others == 0 if seat == self.landlord else self.sets[self.landlord] == 1
        m = self.bid * 2 ** min(self.most, self.bombs + (self.spring and sprung))
        won = m if seat == self.landlord else -m
        self.scores = [2 * won if each == self.landlord else -won for each in range(3)]

    def drive(self, seed: int) -> tuple[int, str]:
        """Play to the end by the generator of the specification; return the actions taken and their digest."""
        lines = []
        while self.scores is None:
            listed = self.legal()
            seed = (1103515245 * seed + 12345) % 2**31
            action = listed[(seed >> 16) % len(listed)]
            text = action if action == "pass" or action == "no_bid" or action.startswith("bid:") else f"play:{action}"
            lines.append(f"{self.turn} {text} {len(listed)}")
            self.act(action)
        return len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
