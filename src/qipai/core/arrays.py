"""A game as numbers, for programs that learn: what a seat knows as fields of fixed size, actions as words of tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from msgspec import Struct

__all__ = ["DONE", "WAIT", "Arrays", "Batched", "Field", "Grown", "cards", "one_hot", "turned"]

DONE: Final = "done"  # ends a word whose cards could go on
WAIT: Final = "wait"  # nothing now, from a seat that may act but need not

Numbers = Sequence[int | float]


class Field(Struct, frozen=True):
    """A part of an observation.

    size: how many numbers. what: what they say, for the docs. of: (options, view) -> the numbers, never more than
    `size`; what is missing at the end is 0.
    """

    name: str
    size: int
    what: str
    of: Callable[[Any, Any], Numbers]


class Grown(Struct, frozen=True):
    """What may follow in a word; where nothing may, it is whole, and this is its action."""

    tokens: tuple[str, ...]
    action: Any = None


@dataclass(frozen=True, slots=True)
class Arrays:
    """How a game is written in numbers; every function is pure.

    An action is a word: one token after the other, each out of one short alphabet. No word is the beginning of another,
    so whoever has spelled a whole word has acted. A game with a million actions needs a few dozen tokens.
    """

    # (options, seats) -> the alphabet, without WAIT, which stands before it
    tokens: Callable[[Any, int], tuple[str, ...]]
    spell: Callable[[Any], Sequence[str]]  # (action) -> its word
    # (options, seats) -> what a seat knows; seats are told from the viewer on, itself first
    fields: Callable[[Any, int], tuple[Field, ...]]
    # (rules, state, seat, the word so far) -> what may follow; None where the words can be listed. For questions with
    # millions of answers.
    grow: Callable[[Any, Any, int, Sequence[str]], Grown | None] = lambda rules, state, seat, word: None
    # (rules, state) -> what luck may decide next: name, probability, action; None where there are too many to be listed
    luck: Callable[[Any, Any], Sequence[tuple[str, float, Any]]] | None = None


@dataclass(frozen=True, slots=True)
class Batched:
    """How many deals of a game are played at once by its kernel (`arena/batch.py`).

    known, said: how many numbers `look` and `describe` write, for a question and for each of its answers. most: answers
    of a question at most. What `look` writes is what `Arrays.fields` say, in their order.
    """

    seats: int
    known: int
    said: int
    most: int
    table: Callable[[Any], Any]  # (options) -> an empty table of the kernel
    deal: Callable[[Any, int], int]  # (table, seed) -> the next seed: a new deal lies there
    # (table, who acts, what it does or 0, seed, room for what is known, for the answers, for what is told) -> next seed
    go_on: Callable[[Any, int, int, int, Any, Any, Any], int]
    describe: Callable[[Any, int, Any], None]  # (answers, how many, room)
    code: Callable[[Any], int]  # (action) -> the kernel's number


def one_hot(value: Any, among: Sequence[Any]) -> list[int]:
    """Return as many numbers as there are values, 1 where it is this one; all 0 where it is none of them."""
    return [int(value == one) for one in among]


def turned(by_seat: Iterable[Any], seat: int | None, none: float | str = 0) -> list[Any]:
    """Return what is said by seat in the order in which the viewer sees it, itself first. none: stands for None."""
    values = [none if value is None else value for value in by_seat]
    at = seat or 0
    return [*values[at:], *values[:at]]


def cards(text: Iterable[str], names: Sequence[str]) -> list[int]:
    """Return how many there are of each card."""
    counts = dict.fromkeys(names, 0)
    for card in text:
        counts[card] += 1
    return list(counts.values())
