"""Positions as text that people type (P-74): what the games' `setup.py` share.

A text is the placement, words of the form `lead:2`, and actions that have followed, a seat and what it did:
`0:KK 1:pass`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple

from qipai.core.contract import BadNotation, Rules, Seat
from qipai.core.kernel import Buffer
from qipai.kit.cards import Pack

__all__ = ["MOST", "Words", "fill", "hands_of", "live_one", "played_on", "unfit", "words"]

MOST: Final = 8192  # characters of a text
MOST_MOVES: Final = 400  # actions in a text
NOTHING: Final = "-"  # stands for an empty hand
NAMED: Final = re.compile(r"([a-z_]+):(.*)")
MOVE: Final = re.compile(r"([0-9]):(.+)")


def unfit(why: str, **facts: str | int) -> BadNotation:
    """Return the error of a text that no position can be read from."""
    return BadNotation("bad_position", why=why, **facts)


class Words(NamedTuple):
    """A text in its parts."""

    place: str  # the first word, or the first few
    named: dict[str, str]
    flags: frozenset[str]
    moves: tuple[tuple[Seat, str], ...]

    def seat(self, name: str, seats: int, otherwise: int) -> int:
        """Return the seat that a word names; raises BadNotation."""
        found = self.seats(name, seats)
        if len(found) > 1:
            raise unfit("bad_word", word=f"{name}:{self.named[name]}"[:40])
        return found[0] if found else otherwise

    def seats(self, name: str, seats: int) -> tuple[int, ...]:
        """Return the seats that a word lists, each once; raises BadNotation."""
        found = []
        for sign in self.named.get(name, ""):
            if not (sign.isascii() and sign.isdigit() and int(sign) < seats):
                raise unfit("bad_seat", seat=sign, seats=seats)
            if int(sign) in found:
                raise unfit("seat_twice", seat=int(sign), word=name)
            found.append(int(sign))
        return tuple(found)

    def number(self, name: str, low: int, high: int, otherwise: int) -> int:
        """Return the number that a word gives; raises BadNotation."""
        text = self.named.get(name)
        if text is None:
            return otherwise
        if not re.fullmatch(r"-?[0-9]{1,6}", text) or not low <= int(text) <= high:
            raise unfit("bad_number", word=name, low=low, high=high)
        return int(text)


def words(text: str, named: Collection[str], flags: Collection[str] = (), placed: int = 1) -> Words:
    """Return the parts of a text; raises BadNotation. placed: how many words at most the placement has."""
    if len(text) > MOST:
        raise unfit("too_long", most=MOST)
    place: list[str] = []
    values: dict[str, str] = {}
    raised: set[str] = set()
    moves: list[tuple[int, str]] = []
    for word in text.split():
        if (move := MOVE.fullmatch(word)) is not None:
            moves.append((int(move[1]), move[2]))
        elif moves:
            raise unfit("bad_word", word=word[:40])
        elif (value := NAMED.fullmatch(word)) is not None and value[1] in named:
            if value[1] in values:
                raise unfit("word_twice", word=value[1])
            values[value[1]] = value[2]
        elif word in flags:
            raised.add(word)
        elif len(place) < placed and not values and not raised:
            place.append(word)
        else:
            raise unfit("bad_word", word=word[:40])
    if not place:
        raise unfit("empty")
    if len(moves) > MOST_MOVES:
        raise unfit("too_long", most=MOST)
    return Words(" ".join(place), values, frozenset(raised), tuple(moves))


def parts_of(place: str, seats: int) -> list[str]:
    """Return what lies at each seat, `-` for nothing; raises BadNotation."""
    found = place.split("/")
    if len(found) != seats:
        raise unfit("seats", n=len(found), seats=seats)
    return ["" if part == NOTHING else part for part in found]


def hands_of(pack: Pack, place: str, seats: int) -> list[str]:
    """Return the hands of a placement, ascending; raises BadNotation for cards that the pack does not have."""
    hands = parts_of(place, seats)
    total = [0] * len(pack.names)
    for i, hand in enumerate(hands):
        try:
            counts = pack.read(hand)
        except BadNotation as wrong:
            raise unfit("not_a_card", card=str(wrong.facts["card"]), seat=i) from wrong
        total = [one + other for one, other in zip(total, counts, strict=True)]
        hands[i] = pack.write(counts)
    for name, n, most in zip(pack.names, total, pack.copies, strict=True):
        if n > most:
            raise unfit("too_many_cards", card=name, n=n, most=most)
    return hands


def live_one(hands: Sequence[str], gone: Sequence[Seat]) -> None:
    """Raise BadNotation where a seat that is out holds cards, or one that is not has none."""
    for seat, hand in enumerate(hands):
        if seat in gone and hand:
            raise unfit("gone_holds", seat=seat)
        if seat not in gone and not hand:
            raise unfit("no_cards", seat=seat)


def fill(pack: Pack, hands: Sequence[str], dealt: int, cells: Buffer) -> None:
    """Write the cards that nobody holds into `cells` as played, so that each seat has been dealt its number.

    Which seat has played which of them is not said by a text: the low ones go to the first seats.
    """
    held = [pack.read(hand) for hand in hands]
    cards = [card for card, most in enumerate(pack.copies) for _ in range(most - sum(counts[card] for counts in held))]
    at, width = 0, len(pack.names)
    for seat, counts in enumerate(held):
        for card in cards[at : at + max(0, dealt - sum(counts))]:
            cells[seat * width + card] += 1
        at += max(0, dealt - sum(counts))


def played_on(
    rules: Rules[Any, Any, Any], state: Any, moves: Sequence[tuple[Seat, str]], act: Callable[[Any, str], Any]
) -> Any:
    """Return what actions lead to; raises BadNotation for one that the rules refuse. act: (state, word) -> action."""
    for n, (seat, word) in enumerate(moves, 1):
        if rules.outcome(state) is not None:
            raise unfit("over")
        if not 0 <= seat < rules.seats:
            raise unfit("bad_seat", seat=seat, seats=rules.seats)
        action = act(state, word)
        if action is None or rules.refuse(state, seat, action) is not None:
            raise unfit("bad_move", n=n, move=f"{seat}:{word}"[:40])
        state = rules.apply(state, seat, action).state
    if rules.outcome(state) is not None:
        raise unfit("over")
    return state


def marked(named: dict[str, object], flags: Sequence[str] = ()) -> Iterator[str]:
    """Yield words for what is to be said: those whose value is None or empty are left out."""
    for name, value in named.items():
        if value is not None and value != "":
            yield f"{name}:{value}"
    yield from flags


def retraced(
    start: Any,
    steps: Sequence[tuple[Seat, str]],
    rules: Rules[Any, Any, Any],
    act: Callable[[Any, str], Any],
    between: Callable[[Any, Seat | None], tuple[Seat, str] | None],
    reached: Callable[[Any], bool],
) -> list[tuple[Seat, str]] | None:
    """Return the actions that lead from a position through the sets of a trick to another, None when none are found.

    between: (state, who plays the next set; None: all have been played) -> the action that comes before it, None: none.
    """
    state = start
    moves: list[tuple[Seat, str]] = []
    left = list(steps)
    for _ in range(MOST_MOVES):
        if not left and reached(state):
            return moves
        if rules.outcome(state) is not None:
            return None
        step = between(state, left[0][0] if left else None)
        if step is None:
            if not left:
                return None
            step = left.pop(0)
        action = act(state, step[1])
        if action is None or rules.refuse(state, step[0], action) is not None:
            return None
        state = rules.apply(state, step[0], action).state
        moves.append(step)
    return None
