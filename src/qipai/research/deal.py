"""One deal in numbers: whose token is wanted, which tokens may come, what the seat knows. Needs no other library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import msgspec

from qipai import games
from qipai.core.arrays import WAIT, Arrays, Field
from qipai.core.contract import NATURE, Outcome, Seat
from qipai.core.entry import AnyEntry, rules_of
from qipai.core.rng import Stream

__all__ = ["LISTED", "Deal", "Kind", "NotOffered", "WrongToken"]

LISTED: Final = 4096  # words of one question that are listed at most; the games' own words for more need no list
STEPS: Final = 100_000  # tokens of one deal; none has come near


class NotOffered(ValueError):
    """Raised for a game that cannot be had in numbers, or whose options or number of players are none of its own."""


class WrongToken(ValueError):
    """Raised for a token that may not come here."""


class Kind:
    """A game under one set of options, in numbers: its alphabet and its fields. Deals of it share it."""

    def __init__(self, game: str, options: Mapping[str, Any] | None = None, seats: int | None = None) -> None:
        """game: its name. options: house rules that are not at their default. seats: how many play; None: the most."""
        try:
            self.entry: AnyEntry = games.find(game)
        except KeyError as wrong:
            raise NotOffered(f"there is no game {game}; there are {', '.join(games.names())}") from wrong
        if self.entry.arrays is None:
            raise NotOffered(f"{game} has no arrays.py, so it cannot be had in numbers")
        self.arrays: Arrays = self.entry.arrays
        self.seats = self.entry.seats[-1] if seats is None else seats
        if self.seats not in self.entry.seats:
            raise NotOffered(f"{game} is for {', '.join(map(str, self.entry.seats))} players, not {self.seats}")
        try:
            self.options = self.entry.chosen(dict(options or {}))
        except (msgspec.ValidationError, ValueError) as wrong:
            raise NotOffered(f"{game} has no such options: {wrong}") from wrong
        self.rules = rules_of(self.entry, self.options, self.seats)
        self.tokens: tuple[str, ...] = (WAIT, *self.arrays.tokens(self.options, self.seats))
        self.number: dict[str, int] = {token: i for i, token in enumerate(self.tokens)}
        self.fields: tuple[Field, ...] = self.arrays.fields(self.options, self.seats)
        self.size = sum(field.size for field in self.fields) + len(self.tokens)

    def __deepcopy__(self, memo: dict[int, Any]) -> Kind:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Kind, (self.entry.name, msgspec.to_builtins(self.options), self.seats)

    def legend(self) -> list[tuple[int, int, str, str]]:
        """Return what the numbers of an observation are: where a field begins, its size, its name, what it says."""
        rows, at = [], 0
        for field in self.fields:
            rows.append((at, field.size, field.name, field.what))
            at += field.size
        rows.append((at, len(self.tokens), "word", "how often each token stands in the word that is being spelled"))
        return rows

    def numbers(self, view: Any, word: Sequence[str] = ()) -> list[int | float]:
        """Return a view as numbers, and the word so far behind it."""
        found: list[int | float] = []
        for field in self.fields:
            own = field.of(self.options, view)
            found += own
            if len(own) < field.size:
                found += [0] * (field.size - len(own))
        spelled = [0] * len(self.tokens)
        for token in word:
            spelled[self.number[token]] += 1
        return found + spelled


class Deal:
    """A deal that is played token by token.

    Luck plays by itself, out of a stream that follows from the seed, unless `by_hand`: then `chances` lists what may
    come where the game can, and `happen` makes it so.
    """

    def __init__(self, kind: Kind, seed: int | str = 0, by_hand: bool = False) -> None:
        self.kind, self.rules = kind, kind.rules
        self._luck, self._by_hand = Stream.of_seed(seed), by_hand
        self.state: Any = kind.entry.begun(self.rules, kind.entry.carry(kind.options, 0))
        self.seat: Seat | None = None  # whose token is wanted; None: luck's, or the deal is over
        self.word: tuple[str, ...] = ()  # what it has spelled so far
        self.steps = 0
        self._last: Seat = -1  # who acted last: of several that are asked the next one comes first
        self._waited: dict[Seat, Any] = {}  # seats that wait, and what they might have done
        self._words: dict[tuple[str, ...], Any] = {}  # the words of the question, where they are listed
        self._next: dict[str, Any] = {}  # tokens that may come now
        self._settle()

    def copy(self) -> Deal:
        """Return a deal of its own that stands where this one does; states are never changed, so they are shared."""
        made = object.__new__(Deal)
        made.__dict__.update(self.__dict__)
        made._luck = self._luck.at(self._luck.drawn)
        made._waited, made._next = dict(self._waited), dict(self._next)
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Deal:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("rules", "_luck")} | {
            "luck": (self._luck.key, self._luck.drawn)
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self._luck = Stream(*kept.pop("luck"))
        self.__dict__.update(kept)
        self.rules = self.kind.rules

    # what is asked ------------------------------------------------------------------------------------------------

    @property
    def outcome(self) -> Outcome | None:
        """Return how the deal ended, None while it goes on."""
        found: Outcome | None = self.rules.outcome(self.state)
        return found

    @property
    def stopped(self) -> bool:
        """Return whether the deal was broken off because it did not end."""
        return self.steps >= STEPS

    def legal(self) -> list[int]:
        """Return the numbers of the tokens that may come now, ascending."""
        return sorted(self.kind.number[token] for token in self._next)

    def mask(self) -> bytearray:
        """Return a byte for each token, 1 where it may come now."""
        found = bytearray(len(self.kind.tokens))
        for token in self._next:
            found[self.kind.number[token]] = 1
        return found

    def observe(self, seat: Seat) -> list[int | float]:
        """Return what a seat knows, as numbers."""
        return self.kind.numbers(self.rules.observe(self.state, seat), self.word if seat == self.seat else ())

    def chances(self) -> Sequence[tuple[str, float, Any]] | None:
        """Return what luck may decide now: name, probability, action; None where it is not its turn, or not listed."""
        if not self._by_hand or self.seat is not None or self.outcome is not None or self.kind.arrays.luck is None:
            return None
        return self.kind.arrays.luck(self.rules, self.state)

    # steps --------------------------------------------------------------------------------------------------------

    def step(self, token: int) -> None:
        """Let a token come, and with the last one of a word its action; raises WrongToken."""
        name = self.kind.tokens[token] if 0 <= token < len(self.kind.tokens) else str(token)
        if self.seat is None or name not in self._next:
            raise WrongToken(
                f"{name} may not come here; {', '.join(self._next)} may" if self._next else "nobody is asked"
            )
        self.steps += 1
        if name == WAIT:
            self._waited[self.seat] = frozenset(self._words)
            self._last = self.seat
            self._settle()
            return
        self.word = (*self.word, name)
        grown = self.kind.arrays.grow(self.rules, self.state, self.seat, self.word)
        action = self._words.get(self.word) if grown is None else grown.action
        if action is None:
            self._next = dict.fromkeys(self._follow() if grown is None else grown.tokens)
            return
        self._act(self.seat, action)

    def unspell(self) -> None:
        """Take back the word that is being spelled; nobody has acted."""
        if self.word:
            self._settle()

    def happen(self, action: Any) -> None:
        """Let luck decide so; only for deals whose luck is by hand."""
        self._act(NATURE, action)

    def _act(self, seat: Seat, action: Any) -> None:
        self.state = self.rules.apply(self.state, seat, action).state
        self._last = seat if seat != NATURE else self._last
        self._settle()

    def _settle(self) -> None:
        """Go on until somebody is asked or the deal is over."""
        self.word, self._words, self._next = (), {}, {}
        while True:
            self.seat = None
            if self.stopped or self.rules.outcome(self.state) is not None:
                return
            turn = self.rules.turn(self.state)
            if any(self._may_now(seat) for seat in self._in_order(turn.may)):
                return
            asked = [seat for seat in self._in_order(turn.seats - turn.may) if seat != NATURE]
            if asked:
                self.seat = asked[0]
                self._question()
                return
            if self._by_hand and self.kind.arrays.luck is not None:
                return
            self.state = self.rules.apply(self.state, NATURE, self.rules.chance(self.state, self._luck)).state

    def _may_now(self, seat: Seat) -> bool:
        """Ask a seat that may act but need not, unless it has let the same actions pass."""
        self.seat = seat
        self._question()
        if not self._words or self._waited.get(seat) == frozenset(self._words):
            self.seat, self._words, self._next = None, {}, {}
            return False
        # who could only pass is asked where the rules ask it: here it may as well wait
        self._next[WAIT] = None
        return True

    def _in_order(self, seats: frozenset[Seat]) -> list[Seat]:
        """Return seats in order of play, from the one behind that which acted last."""
        many = self.kind.seats
        return sorted(seats, key=lambda seat: (seat - self._last - 1) % many)

    def _question(self) -> None:
        """Find the first tokens of what the seat may do."""
        assert self.seat is not None
        grown = self.kind.arrays.grow(self.rules, self.state, self.seat, ())
        if grown is not None:
            self._next = dict.fromkeys(grown.tokens)
            return
        spell = self.kind.arrays.spell
        listed: Iterator[Any] = islice(self.rules.legal(self.state, self.seat), LISTED)
        self._words = {tuple(spell(action)): action for action in listed}
        self._next = dict.fromkeys(self._follow())

    def _follow(self) -> list[str]:
        at = len(self.word)
        return [word[at] for word in self._words if word[:at] == self.word and len(word) > at]
