"""The laws every game keeps, as plain functions; `tests/property/test_laws.py` runs them over all registered games.

A walk plays one random deal and checks at each step:
- no listed action and no sampled action is refused
- `legal` lists only actions that play on, `leaving` only those that may end the deal
- in an unfinished deal somebody can act
- `idle` is never refused
- the same move in the same state gives the same result
- observe(imagine(view)) == view
- what is refused in the true state is refused in the imagined one
- actions, views, states, events and hints survive encoding
- hints computed from the view are those of the state
- during an even pause a seat that is not asked sees a view in which it is not asked, and `imagine` accepts that view
- as long as `Entry.basis` of a seat is unchanged, so are its actions and hints
- a deal replayed by `Entry.rerun` reaches the same states
At the end the record replays to the same outcome, and points and places have an entry for every seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec

from qipai.core.contract import NATURE, Malformed, Outcome, Refusal, Rng, Rules, Seat, one_of
from qipai.core.entry import AnyEntry, Record, in_the_open, rules_of
from qipai.core.record import dumps, loads, replayed
from qipai.core.rng import Stream

__all__ = ["BrokenLaw", "forms", "walk", "walks"]

LEAVES = 40  # one action out of so many ends the deal or offers to, where that is possible
MOST = 20_000  # actions; random play of any game ends long before that


class BrokenLaw(AssertionError):
    """Raised when a game breaks a law."""


def hold(true: bool, law: str, *facts: Any) -> None:
    """Raise BrokenLaw unless the condition holds."""
    if not true:
        raise BrokenLaw(f"{law}: {facts}")


def forms(entry: AnyEntry) -> list[Mapping[str, Any]]:
    """Return the house rules that make each form of a game: those it begins with, its variants, its presets."""
    return [{}, *entry.form.variants.values(), *entry.form.presets.values()]


def walks(entry: AnyEntry, deals: int, luck: str, every: int) -> list[Record]:
    """Play so many random deals, at least one of each form (`walk`); return their records. luck: the seeds' name."""
    of = forms(entry)
    return [
        walk(entry, entry.chosen(of[deal % len(of)]), Stream.of_seed(f"{luck} {deal}"), every=every)[0]
        for deal in range(max(deals, len(of)))
    ]


def walk(
    entry: AnyEntry,
    options: Any,
    rng: Rng,
    *,
    seats: int | None = None,
    carry: Any = None,
    bench: tuple[Seat, ...] | None = None,
    every: int = 1,
) -> tuple[Record, Outcome]:
    """Play one random deal and check the laws at each `every`-th step; return its record and outcome.

    seats: how many play, drawn when None. carry: where the deal starts, None for a match's first. bench: who sits on
    it, drawn when None.
    """
    count = entry.seats[rng.below(len(entry.seats))] if seats is None else seats
    rules = rules_of(entry, options, count)
    hold(rules.seats == count, "as many play as were asked for", count, rules.seats)
    carry = entry.carry(options, rng.below(rules.seats)) if carry is None else carry
    if bench is None:
        bench = tuple(count + place for place in range(entry.bench) if rng.below(2))
    places = (*range(count), *bench)
    state = entry.begun(rules, carry, bench)
    rows: list[tuple[int, Any, int]] = []
    outcome = rules.outcome(state)
    # One rerun is asked for its state often, the other only at the end.
    again = [entry.rerun(rules, state) for _ in range(2)] if entry.rerun is not None else []
    while outcome is None:
        hold(len(rows) < MOST, "random play ends", len(rows))
        turn = rules.turn(state)
        hold(bool(turn.seats), "an unfinished deal waits for somebody", state)
        if len(rows) % every == 0:
            check(entry, options, rules, state, rng, places)
        able = {seat for seat in turn.may if next(rules.legal(state, seat), None) is not None}
        acting = sorted(turn.seats | able)
        seat = acting[rng.below(len(acting))]
        if seat == NATURE:
            action = rules.chance(state, rng)
            hold(rules.refuse(state, NATURE, action) is None, "luck is never refused", action)
        else:
            hold(next(rules.legal(state, seat), None) is not None, "who is waited for can act", seat)
            ways_out = tuple(rules.leaving(state, seat))
            # Rarely enough that deals are played out, often enough that what follows gets tested.
            leaves = bool(ways_out) and rng.below(LEAVES) == 0
            action = one_of(ways_out, rng) if leaves else rules.sample(state, seat, rng)
            hold(rules.refuse(state, seat, action) is None, "what is drawn is never refused", seat, action)
        step = rules.apply(state, seat, action)
        hold(step == rules.apply(state, seat, action), "same state, same move, same result", seat, action)
        for told in step.events:
            same(told.event, entry.event)
        hold(step.conceal_ms > 0 or not step.later, "only a pause withholds something", seat, action)
        rows.append((seat, plain(action), 0))
        check_bases(entry, options, rules, state, step.state)
        before, state = state, step.state
        if step.conceal_ms:
            check_pause(entry, rules, state, rng, places)
        outcome = rules.outcome(state)
        for often, rerun in enumerate(again):
            if outcome is None:
                hold(rerun.play(seat, action) == rules.turn(state), "a deal gone through asks the same", seat, action)
            if outcome is not None or (often and len(rows) % 7 in (0, 1)):
                hold(rerun.state() == (before if outcome else state), "a deal gone through is the same", seat, action)
    hold(len(outcome.points) == len(outcome.places) == len(places), "an outcome names every seat", outcome)
    for seat in places:
        hold(not list(islice(ways(rules, state, seat), 1)), "nobody acts after the end", seat)
    check_views(entry, options, rules, state, rng, places)
    record = Record(
        game=entry.name,
        options=entry.changed(options),
        seats=count,
        carry=plain(carry),
        bench=bench,
        rows=tuple(rows),
        outcome=plain(outcome),
    )
    hold(loads(dumps(record)) == record, "a record survives writing", record.game)
    hold(replayed(entry, record) == outcome, "a record replays to the same outcome", outcome)
    return record, outcome


def check(
    entry: AnyEntry, options: Any, rules: Rules[Any, Any, Any], state: Any, rng: Rng, places: Sequence[Seat]
) -> None:
    """Check the laws in one state."""
    same(state, entry.state)
    turn = rules.turn(state)
    asked = turn.seats
    hold(not turn.may & {NATURE, *asked}, "who may act is a player, and not asked", turn)
    if turn.clocks is not None:
        hold(turn.clocks <= set(places), "whose clock runs is at the table", turn)
        lost = entry.leaving.flag is not None
        hold(turn.clocks <= asked or lost, "who is not asked has nothing to play when his time is up", turn)
    hold(asked <= {NATURE, *places}, "who is asked is at the table", turn)
    for seat in places:
        listed = list(islice(rules.legal(state, seat), 60))
        if seat in asked:
            drawn = rules.sample(state, seat, rng)
            hold(len(listed) == 60 or drawn in listed, "what is drawn is listed", seat, drawn)
            idle = rules.idle(state, seat)
            hold(rules.refuse(state, seat, idle) is None, "idle is never refused", seat, idle)
            hold(bool(listed), "who is waited for can act", seat)
            for name, given in entry.standing.items():
                answer = given(rules, state, seat)
                allowed = answer is None or rules.refuse(state, seat, answer) is None
                hold(allowed, "an answer given beforehand is never refused", seat, name, answer)
        leaving = list(rules.leaving(state, seat))
        for action in (*listed, *leaving):
            hold(rules.refuse(state, seat, action) is None, "no listed action is refused", seat, action)
            same(action, entry.action)
        for action in leaving:
            hold(action not in listed, "an action either plays on or leaves", seat, action)
    hold(isinstance(rules.refuse(state, 0, Malformed("no such verb")), Refusal), "nonsense is refused", state)
    check_views(entry, options, rules, state, rng, places)


def check_views(
    entry: AnyEntry, options: Any, rules: Rules[Any, Any, Any], state: Any, rng: Rng, places: Sequence[Seat]
) -> None:
    """Check the laws on views: `imagine`, refusals that leak nothing, encoding."""
    for seat in (None, *places):
        view = rules.observe(state, seat)
        same(view, entry.view)
        hold(isinstance(entry.conceal(view), entry.view), "a hushed view is a view", seat)
        hint = entry.hints(options, view)
        if hint is not None:
            same(hint, entry.hint)
        dream = rules.imagine(view, rng)
        again = rules.observe(dream, seat)
        hold(again == view, "observe(imagine(view)) == view", seat, again, view)
        if seat is None:
            continue
        for action in probes(rules, state, seat):
            truth, dreamt = rules.refuse(state, seat, action), rules.refuse(dream, seat, action)
            hold((truth is None) == (dreamt is None), "a refusal leaks nothing", seat, action, truth, dreamt)


def check_bases(entry: AnyEntry, options: Any, rules: Rules[Any, Any, Any], state: Any, after: Any) -> None:
    """Check that a seat with the same basis in two states has the same actions and hints."""
    for seat in range(rules.seats):
        basis = entry.basis(state, seat)
        if basis is None or basis != entry.basis(after, seat):
            continue
        listed, now = (list(islice(ways(rules, each, seat), 400)) for each in (state, after))
        hold(listed == now, "the same basis, the same actions", seat, listed, now)
        hints, later = (entry.hints(options, rules.observe(each, seat)) for each in (state, after))
        hold(hints == later, "the same basis, the same hints", seat, hints, later)


def check_pause(entry: AnyEntry, rules: Rules[Any, Any, Any], state: Any, rng: Rng, places: Sequence[Seat]) -> None:
    """Check what seats that are not asked see at the start of an even pause (README X6)."""
    hold(entry.conceal is not in_the_open, "a game with an even pause says what it shows: Entry.conceal", entry.name)
    if rules.outcome(state) is not None:
        return
    for seat in (None, *places):
        view = entry.conceal(rules.observe(state, seat))
        hold(entry.conceal(view) == view, "a hushed view has nothing more to hide", seat)
        if seat in rules.turn(state).seats and rules.observe(state, None) == entry.conceal(rules.observe(state, None)):
            continue  # this seat is asked during the window
        dream = rules.imagine(view, rng)
        hold(rules.observe(dream, seat) == view, "observe(imagine(conceal(view))) == conceal(view)", seat, view)
        if seat is not None:
            hold(next(rules.legal(dream, seat), None) is None, "who is not asked in a pause is not asked", seat, view)


def probes(rules: Rules[Any, Any, Any], state: Any, seat: int) -> Iterator[Any]:
    """Yield some actions to try: the seat's own and those of other seats."""
    for other in range(rules.seats):
        yield from islice(rules.legal(state, other), 12 if other == seat else 2)
        yield from rules.leaving(state, other)


def ways(rules: Rules[Any, Any, Any], state: Any, seat: int) -> Iterator[Any]:
    """Yield every action of a seat, those that play on and those that leave."""
    yield from rules.leaving(state, seat)
    yield from rules.legal(state, seat)


def plain(value: Any) -> Any:
    """Return a value as it is after a round trip through JSON: lists instead of tuples."""
    return msgspec.json.decode(msgspec.json.encode(value))


def same(value: Any, kind: Any) -> None:
    """Check that a value survives encoding."""
    text = msgspec.json.encode(value)
    back = msgspec.json.decode(text, type=kind)
    hold(back == value, "decode(encode(x)) == x", value, back)
