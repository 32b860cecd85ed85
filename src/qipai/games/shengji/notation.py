"""To and from the texts of shengji: cards, components, records; Botzone's card numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

from qipai.core.contract import BadNotation
from qipai.core.entry import Record, Records
from qipai.core.kernel import Buffer, buffer, frozen, thawed
from qipai.games.shengji.kernel import shapes
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.state import Component, Group

__all__ = [
    "GROUPS",
    "INDEX",
    "NAMES",
    "PHASES",
    "RANKS",
    "RECORDS",
    "SUITS",
    "TYPES",
    "Counts",
    "Order",
    "book",
    "botzone_card",
    "call_cards",
    "call_of",
    "component",
    "counts_of",
    "from_botzone",
    "groups_of",
    "in_line",
    "order_of",
    "suit_name",
    "to_botzone",
    "write",
]

RANKS: Final = "23456789TJQKA"
SUITS: Final = "SHCD"
NAMES: Final = (*(rank + suit for rank in RANKS for suit in SUITS), "x", "X")
INDEX: Final = {name: card for card, name in enumerate(NAMES)}
GROUPS: Final = "TSHCD"
PHASES: Final = ("deal", "dealing", "declaring", "burying", "playing", "deal_over")
TYPES: Final = ("", "single", "pair", "triple", "tractor", "titanic")

BOTZONE_RANKS: Final = "A23456789TJQK"
BOTZONE_SUITS: Final = "HDSC"


def counts_of(cards: Iterable[str]) -> list[int]:
    """Return counts by card; raises BadNotation("bad_action") for an unknown card."""
    counts = [0] * t.CARDS
    for name in cards:
        card = INDEX.get(name)
        if card is None:
            raise BadNotation("bad_action", card=name[:8])
        counts[card] += 1
    return counts


def suit_name(suit: int) -> str | None:
    """Return the name of a trump suit, None for no trump."""
    return SUITS[suit] if suit >= 0 else None


class Order(NamedTuple):
    """The order of the cards: the last buffers of a `Table`."""

    group: tuple[int, ...]
    step: tuple[int, ...]
    lane: tuple[int, ...]
    steps: tuple[int, ...]
    line: tuple[int, ...]
    first: tuple[int, ...]
    mark: tuple[int, ...]


@cache
def order_of(level: int, trump: int, constant: int) -> Order:
    """Return the order of the cards."""
    s = t.new_table()
    s.reg[t.LEVEL], s.reg[t.TRUMP], s.reg[t.CONSTANT] = level, trump, constant
    t.arrange(s)
    return Order(*(frozen(getattr(s, name)) for name in Order._fields))


Counts = Sequence[int] | Buffer  # by card


def write(s: t.Table | Order, counts: Counts, at: int = 0) -> tuple[str, ...]:
    """Return the cards of the counts that begin at an index, trumps first, from the top down."""
    return in_line(s.line, counts, at)


def in_line(line: Iterable[int], counts: Counts, at: int = 0) -> tuple[str, ...]:
    """Return the cards that the counts have, in the order of a line, each as often as its count."""
    found: list[str] = []
    for card in line:
        if n := counts[at + card]:
            if n == 1:
                found.append(NAMES[card])
            else:
                found += [NAMES[card]] * int(n)
    return tuple(found)


def groups_of(s: t.Table | Order, counts: Counts, at: int = 0) -> tuple[Group, ...]:
    """Return the same, group by group."""
    found: list[tuple[int, list[str]]] = []
    last = -1
    for card in s.line:
        if n := counts[at + card]:
            group = s.group[card]
            if group != last:
                last = group
                cards: list[str] = []
                found.append((group, cards))
            if n == 1:
                cards.append(NAMES[card])
            else:
                cards += [NAMES[card]] * int(n)
    return tuple([Group(GROUPS[group], tuple(cards)) for group, cards in found])


def component(s: t.Table, code: int, group: int) -> Component:
    """Return a component of the kernel in words."""
    kind = int(shapes.type_of(code))
    if kind <= shapes.TRIPLE:
        return Component(TYPES[kind], 1, (NAMES[int(shapes.highest(s, code, group))],) * kind)
    counts = buffer(t.CARDS)
    shapes.put_down(s, code, group, counts, 0)
    return Component(TYPES[kind], int(shapes.length(code)), write(s, counts))


def counted(cards: Iterable[str]) -> Buffer:
    """Return counts by card as a kernel takes them."""
    return thawed(counts_of(cards))


# Botzone "Tractor" (spec section 11): two packs, numbers 0 .. 107 -----------------------------------------------------


def botzone_card(number: int) -> str:
    """Return the card of a Botzone number; raises BadNotation("bad_action")."""
    if not 0 <= number < 108:
        raise BadNotation("bad_action", card=number)
    m = number % 54
    if m >= 52:
        return "xX"[m - 52]
    return BOTZONE_RANKS[m // 4] + BOTZONE_SUITS[m % 4]


def from_botzone(numbers: Iterable[int]) -> tuple[str, ...]:
    """Return the cards of Botzone numbers."""
    return tuple(botzone_card(number) for number in numbers)


def to_botzone(cards: Iterable[str], taken: set[int] | None = None) -> list[int]:
    """Return Botzone numbers of cards: of each the first copy that is not in `taken`; the copy is added to `taken`."""
    used = taken if taken is not None else set()
    numbers = []
    for name in cards:
        if name in ("x", "X"):
            m = 52 + "xX".index(name)
        elif name in INDEX:
            m = BOTZONE_RANKS.index(name[0]) * 4 + BOTZONE_SUITS.index(name[1])
        else:
            raise BadNotation("bad_action", card=name[:8])
        free = [number for number in (m, m + 54) if number not in used]
        if not free:
            raise BadNotation("bad_action", card=name)
        used.add(free[0])
        numbers.append(free[0])
    return numbers


def call_of(cards: tuple[str, ...], decks: int) -> tuple[int, int]:
    """Return a declaration's card and number as the kernel has them; (-1, 0) for cards that are not identical.

    With one deck, and only there, the two jokers go together (R5).
    """
    if decks == 1 and len(cards) == 2 and set(cards) == {"x", "X"}:
        return t.SMALL, 2
    if len(set(cards)) != 1:
        return -1, 0
    return INDEX[cards[0]], len(cards)


def call_cards(decks: int, card: int, n: int) -> tuple[str, ...]:
    """Return the cards of a declaration as the kernel has it."""
    return ("x", "X") if decks == 1 and card == t.SMALL else (NAMES[card],) * n


def book(record: Record) -> str:
    """Return a finished deal as text: a head line, then an action a line, seat first."""
    head = " ".join(f"{key}={value}" for key, value in sorted(record.options.items()))
    lines = [f"shengji {head}".rstrip()]
    if record.carry:
        lines.append("levels " + " ".join(record.carry["levels"]) + f" dealer {record.carry.get('dealer')}")
    for seat, action, _ in record.rows:
        if action["a"] == "next_deal":
            lines.append("deck " + " ".join(action["deck"]))
        else:
            lines.append(
                " ".join(map(str, (seat, action["a"], *action.get("cards", ()), action.get("n", "")))).rstrip()
            )
    if record.outcome:
        lines.append("points " + " ".join(f"{points:+d}" for points in record.outcome["points"]))
    return "\n".join(lines) + "\n"


RECORDS: Final = Records(formats={"book": book})
