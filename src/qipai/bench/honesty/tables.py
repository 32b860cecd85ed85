"""Deals that are played: honest seats by `steady`, cheats by what they have agreed upon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final, Protocol

from qipai import games
from qipai.bench.honesty.people import Delay, Lot, Person, thinking
from qipai.core.contract import NATURE, Rules, Seat
from qipai.core.entry import rules_of
from qipai.hall.order.decisions import Decision, Decisions, decision

__all__ = ["Feeder", "Honest", "Player", "Signaller", "Sparer", "Table"]

AGREED: Final = 0.7  # how often cheats do what they have agreed upon, for they know that somebody may look
MOST: Final = 64  # answers among which one is looked for that takes nothing

THROWS: Final = ("discard", "play")  # actions of which a lapse takes any, in games where something can be given
STRONG: Final = "A2xX"  # cards that win tricks; in doudizhu every seventh is one


class Player(Protocol):
    """How a seat plays at a table."""

    def choose(self, table: Table, seat: Seat) -> Any:
        """Return an action."""
        ...

    def takes(self, table: Table, seat: Seat, answers: int) -> int:
        """Return after how many ms."""
        ...


class Table:
    """A deal. cheats: how some of the people play, by their number; all others are honest."""

    def __init__(
        self, game: str, lot: Lot, people: Sequence[Person], cheats: Mapping[int, Player], honest: Player
    ) -> None:
        self.entry = games.find(game)
        options = self.entry.chosen({})
        self.rules: Rules[Any, Any, Any] = rules_of(self.entry, options, len(people))
        self.lot, self.people, self.bot = lot, people, self.entry.bots["steady"](options, seed=0)
        self.players = [cheats.get(person.number, honest) for person in people]
        self.state: Any = None
        self.made: list[Decision] = []

    def seat_of(self, number: int) -> Seat | None:
        """Return where somebody sits, None: elsewhere."""
        return next((seat for seat, person in enumerate(self.people) if person.number == number), None)

    def played(self, id: str) -> tuple[Decisions, dict[int, int]]:
        """Play the deal; return what was decided, and what each has of it."""
        rules = self.rules
        self.state = self.entry.begun(rules, None, ())
        while (outcome := rules.outcome(self.state)) is None:
            seat = min(rules.turn(self.state).seats)
            if seat == NATURE:
                action = rules.chance(self.state, self.lot.stream)
            else:
                action = self.players[seat].choose(self, seat)
                made = decision(self.entry, rules, self.state, seat, action, 0)
                self.made.append(made._replace(ms=self.players[seat].takes(self, seat, made.answers)))
            self.state = rules.apply(self.state, seat, action).state
        sides = self.entry.sides(rules.seats) if self.entry.teams is None else self.entry.teams(self.state)
        users = tuple(person.number for person in self.people)
        points = {user: outcome.points[seat] for seat, user in enumerate(users)}
        return Decisions(id, users, tuple(sides), tuple(self.made)), points

    def usual(self, seat: Seat) -> Any:
        """Return what `steady` does here."""
        action = self.bot.choose(self.rules.observe(self.state, seat), 0)
        return self.rules.idle(self.state, seat) if action is None else action

    def allied(self, one: Seat, other: Seat) -> bool:
        """Tell whether two are partners, as far as that is known by now."""
        seen = getattr(self.rules.observe(self.state, None), "sides", None)
        sides = self.entry.sides(self.rules.seats) if self.entry.teams is None else seen
        return sides is not None and sides[one] is not None and sides[one] == sides[other]


class Honest:
    """Plays as `steady` does, but for a person's lapses, and takes a person's time."""

    def __init__(self, delay: Delay = thinking) -> None:
        self._delay = delay

    def choose(self, table: Table, seat: Seat) -> Any:
        """Return an action."""
        action = table.usual(seat)
        if not table.lot.happens(table.people[seat].lapse):
            return action
        other = letting(table, seat, action)
        if other is not action or table.entry.gives is None:
            return other
        verb = action.__struct_config__.tag
        if verb not in THROWS:
            return action
        listed = islice(table.rules.legal(table.state, seat), MOST)
        return table.lot.stream.shuffled([each for each in listed if each.__struct_config__.tag == verb])[0]

    def takes(self, table: Table, seat: Seat, answers: int) -> int:
        """Return after how many ms."""
        return self._delay(table.lot, table.people[seat], answers)


def letting(table: Table, seat: Seat, action: Any) -> Any:
    """Return what lets stand what an action would take; the action itself where it takes nothing, or must."""
    spares = table.entry.spares
    spare = None if spares is None else spares(table.rules, table.state, seat, action)
    if spares is None or spare is None or spare.let:
        return action
    for other in islice(table.rules.legal(table.state, seat), MOST):
        if (found := spares(table.rules, table.state, seat, other)) is not None and found.let:
            return other
    return action


class Sparer(Honest):
    """Lets a partner's sets stand, and their tiles, though they sit on other sides (放水)."""

    def __init__(self, partner: int) -> None:
        super().__init__()
        self._partner = partner

    def choose(self, table: Table, seat: Seat) -> Any:
        """Return an action."""
        action = super().choose(table, seat)
        other = table.seat_of(self._partner)
        spares = table.entry.spares
        if other is None or spares is None or table.allied(seat, other):
            return action
        spare = spares(table.rules, table.state, seat, action)
        if spare is None or spare.of != other or spare.let or not table.lot.happens(AGREED):
            return action
        return letting(table, seat, action)


class Signaller(Honest):
    """Says by the time taken whether the hand is strong, and leaves the trick to a partner who has said so."""

    def __init__(self, partner: int, said: dict[int, bool]) -> None:
        """said: what each has last said, which both look at."""
        super().__init__()
        self._partner, self._said = partner, said

    def choose(self, table: Table, seat: Seat) -> Any:
        """Return an action."""
        action = super().choose(table, seat)
        if self._said.pop(self._partner, None) and table.lot.happens(AGREED):
            return letting(table, seat, action)
        return action

    def takes(self, table: Table, seat: Seat, answers: int) -> int:
        """Return after how many ms: half as long for a weak hand, twice for a strong one."""
        ms = super().takes(table, seat, answers)
        if answers < 2 or not table.lot.happens(AGREED):
            return ms
        hand = table.rules.observe(table.state, seat).hand or ""
        strong = 5 * sum(hand.count(card) for card in STRONG) >= len(hand)
        self._said[table.people[seat].number] = strong
        return ms * 2 if strong else max(150, ms // 2)


class Feeder(Honest):
    """Loses so that a partner wins: takes nothing, throws the tile they wait for, lays points into their tricks."""

    def __init__(self, partner: int) -> None:
        super().__init__()
        self._partner = partner

    def choose(self, table: Table, seat: Seat) -> Any:
        """Return an action."""
        other = table.seat_of(self._partner)
        if other is None or table.allied(seat, other) or not table.lot.happens(AGREED):
            return super().choose(table, seat)
        if (gives := table.entry.gives) is not None:
            for action in islice(table.rules.legal(table.state, seat), MOST):
                given = gives(table.rules, table.state, seat, action)
                if any(each.let and table.allied(each.of, other) for each in given):
                    return action
        return letting(table, seat, table.usual(seat))
