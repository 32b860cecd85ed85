"""The laws find a game that breaks them; they hold for a game with luck, windows, pauses and idle seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from qipai.core.contract import NATURE, Refusal, Step, Turn
from qipai.core.entry import AnyEntry, in_the_open
from qipai.core.laws import BrokenLaw, walk
from qipai.core.rng import Stream


@pytest.mark.parametrize("options", [{}, {"falling": True}, {"wager": True, "yield": True}])
@pytest.mark.parametrize("seats", [None, 2, 3])
def test_the_small_game_keeps_the_laws(snatch: AnyEntry, options: Any, seats: int | None) -> None:
    counts = set()
    for seed in range(8):
        record, outcome = walk(snatch, snatch.chosen(options), Stream.of_seed(seed), seats=seats)
        assert len(outcome.points) == record.seats
        assert record.options == options
        counts.add(record.seats)
    assert counts == ({2, 3} if seats is None else {seats})


def changed(entry: AnyEntry, **methods: Callable[..., Any]) -> AnyEntry:
    """A game whose rules do some things in another way."""

    def rules(options: Any, seats: int) -> Any:
        made = entry.rules(options, seats)
        kind = type("Changed", (type(made),), methods)
        return kind(options, seats)

    return replace(entry, rules=rules)


def walks(entry: AnyEntry) -> None:
    for seed in range(20):
        walk(entry, entry.options(), Stream.of_seed(seed))


def broken(entry: AnyEntry, law: str) -> None:
    with pytest.raises(BrokenLaw, match=law):
        walks(entry)


def test_a_pause_that_hides_nothing_is_found(snatch: AnyEntry) -> None:
    broken(replace(snatch, conceal=in_the_open), "says what it shows: Entry.conceal")


def test_a_pause_that_shows_who_is_on_turn_is_found(snatch: AnyEntry) -> None:
    broken(replace(snatch, conceal=lambda view: view), "who is not asked in a pause is not asked")


def test_a_pause_that_nobody_can_imagine_is_found(snatch: AnyEntry) -> None:
    def conceal(view: Any) -> Any:
        return structs.replace(snatch.conceal(view), hand=())

    broken(replace(snatch, conceal=conceal), r"observe\(imagine\(conceal\(view\)\)\)")


def test_who_may_act_is_a_player_and_not_asked(snatch: AnyEntry) -> None:
    kind = type(snatch.rules(snatch.options(), 3))

    def also_asked(self: Any, state: Any) -> Turn:
        turn: Turn = kind.turn(self, state)
        return structs.replace(turn, may=turn.may | turn.seats)

    def luck_too(self: Any, state: Any) -> Turn:
        return structs.replace(kind.turn(self, state), may=frozenset([NATURE]))

    broken(changed(snatch, turn=also_asked), "who may act is a player, and not asked")
    broken(changed(snatch, turn=luck_too), "who may act is a player, and not asked")


def test_a_seat_that_may_act_is_not_refused_what_is_listed(snatch: AnyEntry) -> None:
    kind = type(snatch.rules(snatch.options(), 3))

    def strict(self: Any, state: Any, seat: int, action: Any) -> Any:
        if seat >= 0 and seat not in kind.turn(self, state).seats:
            return Refusal("not_your_turn")
        return kind.refuse(self, state, seat, action)

    broken(changed(snatch, refuse=strict), "no listed action is refused")


def test_an_action_drawn_that_is_not_listed_is_found(snatch: AnyEntry) -> None:
    kind = type(snatch.rules(snatch.options(), 3))

    def first_of_another(self: Any, state: Any, seat: int, rng: Any) -> Any:
        others = (one for other in range(3) for one in kind.legal(self, state, (seat + 1 + other) % 3))
        return next(others)

    broken(changed(snatch, sample=first_of_another), "what is drawn is listed")


def test_what_both_plays_on_and_leaves_is_found(snatch: AnyEntry) -> None:
    kind = type(snatch.rules(snatch.options(), 3))
    broken(changed(snatch, leaving=kind.legal), "an action either plays on or leaves")


def test_leaving_that_is_refused_is_found(snatch: AnyEntry) -> None:
    def leaving(self: Any, state: Any, seat: int) -> Any:
        return iter(["I am off"])

    broken(changed(snatch, leaving=leaving), "no listed action is refused")


def test_rules_for_another_number_of_players_are_found(snatch: AnyEntry) -> None:
    broken(replace(snatch, rules=lambda options, seats: snatch.rules(options, 3)), "as many play as were asked for")  # type: ignore[misc]


def test_a_step_that_forgets_is_found(snatch: AnyEntry) -> None:
    kind = type(snatch.rules(snatch.options(), 3))
    calls = [0]

    def apply(self: Any, state: Any, seat: int, action: Any) -> Step[Any]:
        calls[0] += 1
        step: Step[Any] = kind.apply(self, state, seat, action)
        return structs.replace(step, conceal_ms=calls[0])

    broken(changed(snatch, apply=apply), "same state, same move, same result")


def test_a_deal_gone_through_that_comes_elsewhere_is_found(snatch: AnyEntry) -> None:
    class Again:
        """Goes through a deal by taking every action, but for what `lost` says."""

        def __init__(self, rules: Any, state: Any, lost: Callable[[int, int], bool]) -> None:
            self.rules, self.now, self.asked, self.lost, self.count = rules, state, state, lost, 0

        def play(self, seat: int, action: Any) -> Turn:
            self.count += 1
            self.asked = self.rules.apply(self.asked, seat, action).state
            if not self.lost(seat, self.count):
                self.now = self.asked
            turn: Turn = self.rules.turn(self.asked)
            return turn

        def state(self) -> Any:
            return self.now

    walks(replace(snatch, rerun=lambda rules, state: Again(rules, state, lambda seat, count: False)))
    law = "a deal gone through is the same"
    broken(replace(snatch, rerun=lambda rules, state: Again(rules, state, lambda seat, count: count % 7 == 0)), law)
    broken(replace(snatch, rerun=lambda rules, state: Again(rules, state, lambda seat, count: count > 2)), law)
    never = replace(snatch, rerun=lambda rules, state: type("Deaf", (), {"play": lambda *_: Turn(frozenset())})())
    broken(never, "a deal gone through asks the same")
