"""Moves that a seat has prepared 预置 (platform P-113): what it plays next, and what if the other plays this. Pure.

A line is a list of actions, the other player's and the seat's own by turns, and ends with an own one: "if they play A,
I play B, and if they then play C, I play D". A line of one action is played when the seat's turn comes, whatever the
others have played. All of it is secret: only the seat's own channel shows its lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from qipai.core.contract import NATURE, Malformed, Rules, Seat, Turn
from qipai.core.rng import Stream
from qipai.hall.table.deal import rules_at
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Deal, Table
from qipai.hall.table.observation import view_of

__all__ = ["MOST", "Line", "Lines", "Plan", "checked", "is_turn", "playable"]

Json = Any
AnyRules: TypeAlias = Rules[Any, Any, Any]
Line: TypeAlias = tuple[Json, ...]
Lines: TypeAlias = tuple[Line, ...]
MOST: Final = 30  # lines of a seat at a turn-based table; at a live one it has a single prepared move


def is_turn(deal: Deal, turn: Turn, seat: Seat) -> bool:
    """Tell whether it is a seat's turn. A question in a pause, or one beside the turn of somebody else, makes none."""
    return deal.concealed_until is None and seat in turn.seats and seat not in turn.aside


def playable(rules: AnyRules, state: Any, seat: Seat, action: Any) -> bool:
    """Tell whether a prepared action may be played: allowed by the rules, and no resignation or offer of a draw."""
    return rules.refuse(state, seat, action) is None and action not in rules.leaving(state, seat)


def checked(table: Table, seat: Seat, raw: Sequence[Sequence[Json]]) -> Lines:
    """Return lines as they are kept; raises HallError where they cannot be.

    A line with a condition is judged by what the seat sees, so that no answer tells what it may not know. An action
    that stands alone cannot be judged yet: it only has to be one.
    """
    deal = table.deal
    if not raw:
        return ()
    if not table.playing or deal is None:
        raise HallError("NO_GAME")
    most = MOST if table.turn_based else 1
    if len(raw) > most:
        raise HallError("LIMIT_REACHED", case="lines", most=most)
    rules = rules_at(table, deal)
    if is_turn(deal, rules.turn(deal.state), seat):
        raise HallError("STALE", case="turn")
    dream: Any = None
    lines: list[Line] = []
    for each in raw:
        actions = [table.entry.act(one) for one in each]
        if any(isinstance(action, Malformed) for action in actions):
            raise HallError("BAD_MESSAGE", field="lines")
        if len(actions) > 1:
            if not table.turn_based:
                raise HallError("NOT_ALLOWED", case="live")
            dream = dream or rules.imagine(view_of(table, deal, seat), Stream.of_seed(deal.game_id))
            _walk(rules, dream, seat, actions)
        lines.append(tuple([_json(action) for action in actions]))
    _agree(lines)
    return tuple(lines)


def _walk(rules: AnyRules, state: Any, seat: Seat, actions: Sequence[Any]) -> None:
    """Raise HallError unless a line can be played out from a state without luck."""
    if len(actions) % 2:
        raise HallError("BAD_MESSAGE", field="lines")
    other = next((each for each in rules.turn(state).seats if each not in (NATURE, seat)), None)
    if other is None:
        raise HallError("BAD_OPTION", field="lines", case="luck")
    for number, action in enumerate(actions):
        if rules.outcome(state) is not None:
            raise HallError("BAD_OPTION", field="lines", case="over")
        if NATURE in rules.turn(state).seats:
            raise HallError("BAD_OPTION", field="lines", case="luck")
        by = seat if number % 2 else other
        refusal = rules.refuse(state, by, action)
        if refusal is not None:
            raise HallError(refusal.code, **refusal.facts)
        if by == seat and action in rules.leaving(state, seat):
            raise HallError("BAD_OPTION", field="lines", case="leaving")
        state = rules.apply(state, by, action).state


def _agree(lines: Sequence[Line]) -> None:
    """Raise HallError where two lines answer the same moves of the other with different ones."""
    answers: dict[bytes, Json] = {}
    for line in lines:
        # A line of one action is the answer to everything that no condition fits.
        for at in range(len(line) - 1, -1, -2):
            key = msgspec.json.encode(line[:at])
            if answers.setdefault(key, line[at]) != line[at]:
                raise HallError("BAD_OPTION", field="lines", case="twice")


def _json(action: Any) -> Json:
    """Return an action as it will be when read from the log."""
    return msgspec.json.decode(msgspec.json.encode(action))


class Plan(Struct, frozen=True):
    """What a seat has prepared, while a command is carried out.

    fits: what is left of the lines whose condition has just been met, its own action first; keeps: the other lines.
    """

    fits: Lines = ()
    keeps: Lines = ()

    def heard(self, table: Table, before: Any, by: Seat, action: Any) -> Plan:
        """Return the plan after an action of another seat. before: the state in which it acted.

        A move that no condition expects drops all conditions. What is no move drops none: an offer, or its refusal.
        """
        deal = table.deal
        if deal is None or all(len(line) == 1 for line in self.keeps):
            return self
        rules, after = rules_at(table, deal), deal.state

        def met(expected: Json) -> bool:
            if expected == _json(action):
                return True
            other = table.entry.act(expected)  # it may be another way to write the same move
            if type(other) is not type(action) or rules.refuse(before, by, other) is not None:
                return False
            return bool(rules.observe(rules.apply(before, by, other).state, by) == rules.observe(after, by))

        fits = tuple([line[1:] for line in self.keeps if len(line) > 1 and met(line[0])])
        if not fits and (action in rules.leaving(before, by) or _main(rules, before) == _main(rules, after)):
            return self
        return Plan(fits, tuple([line for line in self.keeps if len(line) == 1]))

    def open_to(self, *, turn: bool) -> Lines:
        """Return the lines that may be played now. turn: it is the seat's turn, not only a question beside it."""
        return (*self.fits, *(line for line in self.keeps if turn and len(line) == 1))

    def played(self, action: Json) -> Plan:
        """Return the plan after this action of a line was played: what follows in the lines that began with it."""
        return Plan((), tuple([line[1:] for line in self.fits if line[0] == action and len(line) > 1]))

    def without(self, lines: Lines) -> Plan:
        """Return the plan without lines that could not be played."""
        return Plan((), tuple([line for line in self.keeps if line not in lines]))


def _main(rules: AnyRules, state: Any) -> Any:
    """Return whose turn it is and what the question is, without those who are asked beside it."""
    if rules.outcome(state) is not None:
        return None
    turn = rules.turn(state)
    return turn.seats - turn.aside.keys(), turn.ask
