"""What people decided in games that are over: how hard it was, how long it took, whom they spared. Pure.

A game is played again for this, so nothing of it is on a table's path; the hall does it at night for the few people
about whom it can say something (`night_scan`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from statistics import median
from typing import Any, Final, NamedTuple

from qipai.core.contract import NATURE, Rules, Seat
from qipai.core.entry import AnyEntry, Spare
from qipai.core.record import Record, begun_under, rules_under
from qipai.hall.order.measures import Spared

__all__ = [
    "Decision",
    "Decisions",
    "decided",
    "decision",
    "delays",
    "giving",
    "of_record",
    "sparing",
    "telling",
    "yielding",
]

MOST: Final = 64  # more answers than that are as hard


class Decision(NamedTuple):
    """What a seat did when it was asked. answers: how many it had, at most 64; 1: there was nothing to decide.

    spare: what it could take, gifts: what it could give, to each seat that would win by it.
    """

    seat: Seat
    verb: str
    ms: int
    answers: int
    spare: Spare | None
    gifts: tuple[Spare, ...] = ()


class Decisions(NamedTuple):
    """The decisions of a game. sides: of each seat, as they were at the end. users: who sat there."""

    id: str
    users: tuple[int | None, ...]
    sides: tuple[int, ...]
    made: tuple[Decision, ...]

    def seat_of(self, user: int) -> Seat:
        """Return where somebody sat."""
        return self.users.index(user)

    def against(self, one: int, other: int) -> bool:
        """Tell whether two were on different sides."""
        return self.sides[self.seat_of(one)] != self.sides[self.seat_of(other)]


def decision(entry: AnyEntry, rules: Rules[Any, Any, Any], state: Any, seat: Seat, action: Any, ms: int) -> Decision:
    """Return a decision, before it is carried out."""
    verb = str(type(action).__struct_config__.tag)
    spare = None if entry.spares is None else entry.spares(rules, state, seat, action)
    gifts = () if entry.gives is None else tuple(entry.gives(rules, state, seat, action))
    return Decision(seat, verb, ms, sum(1 for _ in islice(rules.legal(state, seat), MOST)), spare, gifts)


def of_record(entry: AnyEntry, record: Record, users: Sequence[int | None]) -> Decisions:
    """Return the decisions of a finished game; raises what replaying it raises. A row of less than 0 ms is left out."""
    rules = rules_under(entry, record)
    state, made = begun_under(entry, record, rules), []
    for seat, raw, ms in record.rows:
        action = entry.act(raw)
        if seat != NATURE and seat in rules.turn(state).seats and ms >= 0:
            made.append(decision(entry, rules, state, seat, action, ms))
        state = rules.apply(state, seat, action).state
    sides = entry.sides(rules.seats) if entry.teams is None else entry.teams(state)
    return Decisions(record.game_id or "", tuple(users), tuple(sides), tuple(made))


def decided(games: Iterable[Decisions], user: int) -> Iterator[Decision]:
    """Yield what somebody decided where there was something to decide."""
    for game in games:
        if user not in game.users:
            continue
        seat = game.seat_of(user)
        yield from (each for each in game.made if each.seat == seat and each.answers > 1)


def delays(games: Iterable[Decisions], user: int) -> list[tuple[float, float]]:
    """Return how long each decision of somebody took, and how many answers there were."""
    return [(float(each.ms), float(each.answers)) for each in decided(games, user)]


def sparing(games: Iterable[Decisions], one: int, other: int) -> list[Spared]:
    """Return, situation by situation, how often the first let the second's sets stand, and those of other opponents."""
    found: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for game in games:
        if one not in game.users:
            continue
        seat = game.seat_of(one)
        his = game.seat_of(other) if other in game.users else None
        for each in game.made:
            spare = each.spare
            if spare is None or each.seat != seat or game.sides[spare.of] == game.sides[seat]:
                continue
            cells, at = found[f"{spare.alike} {_role(game, seat)}"], 0 if spare.of == his else 2
            cells[at] += 1
            cells[at + 1] += spare.let
    return [Spared(*cells) for cells in found.values()]


def yielding(games: Iterable[Decisions], one: int, other: int) -> list[Spared]:
    """Return, situation by situation, how often the first took nothing where the second was against them, or was not.

    Whoever's set it was: who loses on purpose to another lets everybody win against themselves, too.
    """
    found: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for game in games:
        if one not in game.users:
            continue
        seat = game.seat_of(one)
        at = 0 if other in game.users and game.against(one, other) else 2
        for each in game.made:
            spare = each.spare
            if spare is None or each.seat != seat or game.sides[spare.of] == game.sides[seat]:
                continue
            cells = found[f"{spare.alike} {_role(game, seat)}"]
            cells[at] += 1
            cells[at + 1] += spare.let
    return [Spared(*cells) for cells in found.values()]


def giving(games: Iterable[Decisions], one: int, other: int) -> list[Spared]:
    """Return, situation by situation, how often the first gave the second's side what it gains by, and others."""
    found: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for game in games:
        if one not in game.users:
            continue
        seat = game.seat_of(one)
        his = game.sides[game.seat_of(other)] if other in game.users else None
        for each in game.made:
            for gift in each.gifts if each.seat == seat else ():
                if game.sides[gift.of] == game.sides[seat]:
                    continue
                cells, at = found[gift.alike], 0 if game.sides[gift.of] == his else 2
                cells[at] += 1
                cells[at + 1] += gift.let
    return [Spared(*cells) for cells in found.values()]


def _role(game: Decisions, seat: Seat) -> int:
    """Return how many share a seat's side: one who stands alone plays otherwise than partners do."""
    return game.sides.count(game.sides[seat])


def telling(games: Sequence[Decisions], one: int, other: int) -> list[tuple[object, bool, bool]]:
    """Return (situation, delay, what the other did next) for the moves of the first that the second could make use of.

    Of the other's next moves only those count where they could take something, so that they had a choice. A delay is
    long or short (True, False) beside the median of the first's own moves that were as hard.
    """
    middles = _middles(games, one)
    found: list[tuple[object, bool, bool]] = []
    for game in games:
        if one not in game.users or other not in game.users:
            continue
        mine, his = game.seat_of(one), game.seat_of(other)
        last: Decision | None = None
        for each in game.made:
            if each.seat == mine:
                last = each if each.answers > 1 else None
            elif each.seat == his and last is not None:
                if each.spare is not None:
                    owner = "mine" if each.spare.of == mine else "another's"
                    allied = game.sides[mine] == game.sides[his]
                    found.append(((owner, allied), last.ms > middles[_hard(last)], each.spare.let))
                last = None
    return found


def _hard(made: Decision) -> tuple[str, int]:
    return made.verb, int(math.log2(made.answers))


def _middles(games: Iterable[Decisions], user: int) -> dict[tuple[str, int], float]:
    times: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for each in decided(games, user):
        times[_hard(each)].append(each.ms)
    return {kind: median(found) for kind, found in times.items()}
