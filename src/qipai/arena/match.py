"""One deal between two bots. It is played twice with the same luck, the second time with the sides swapped."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import Struct

from qipai import games
from qipai.core.contract import NATURE, Bot, Outcome, Rules, Seat, play
from qipai.core.entry import AnyEntry, rules_of
from qipai.core.rng import Stream
from qipai.core.steps import Between

__all__ = ["Sitting", "Terms", "maker", "searching", "sit"]

MOST = 20_000  # actions of one deal; every game ends long before


class Terms(Struct, frozen=True):
    """What is played, and who plays."""

    game: str
    bots: tuple[str, str]  # as `maker` takes them
    options: dict[str, Any] = {}
    seed: int = 0
    budget_ms: int = 100  # for each action
    opening: int = 6  # a deal that luck does not begin has up to this many random actions, else all would be the same
    seats: int | None = None  # how many play; None: the most that the game allows


class Sitting(Struct, frozen=True):
    """One deal played once."""

    deal: int
    swapped: bool  # the first bot has the second side
    difference: float  # mean points of the first bot's seats minus those of the second's
    why: str
    actions: tuple[int, int]  # by bot
    ms: tuple[float, float]  # thinking time by bot, together
    faults: tuple[int, int]  # actions that the rules refused; the action of an absent player was played instead
    late: tuple[int, int] = (0, 0)  # choices that took more than 1.5 × budget: the hall would not have waited
    held_up: tuple[int, int] = (0, 0)  # choices that took so long only because other processes used the processor


def maker(entry: AnyEntry, name: str) -> Callable[..., Bot[Any, Any]]:
    """Return what makes a bot: (options, seed=int) -> a player. Raises ValueError for what the game has not.

    name: a level; "strong@24", which searches so much for a choice, whatever time that takes (`Entry.searched`), or
    "sharp@24", which is made from that one; or "package.module:name" of a class.
    """
    if ":" in name:
        module, _, attribute = name.partition(":")
        made: Callable[..., Bot[Any, Any]] = getattr(import_module(module), attribute)
        return made
    level, at, much = name.partition("@")
    if level not in entry.bots:
        raise ValueError(f"{entry.name} has no bot {level}; it has {', '.join(entry.bots)}")
    if not at:
        return entry.bots[level]
    if not re.fullmatch("[1-9][0-9]{0,8}", much):
        raise ValueError(f"{name}: write how much is searched after the @, as strong@24")
    if level not in searching(entry):
        able = ", ".join(searching(entry)) or "none"
        raise ValueError(f"{name}: of {entry.name}'s bots it can be said of {able} how much they search for a choice")
    strong = partial(entry.bots["strong"], **{entry.searched: int(much)})
    return strong if level == "strong" else Between(entry.bots[(step := entry.steps[level]).below], strong, step.slips)


def searching(entry: AnyEntry) -> tuple[str, ...]:
    """Return the levels that can be told how much to search for a choice: strong, and those made from it."""
    if not entry.searched:
        return ()
    return tuple(
        level
        for level, made in entry.bots.items()
        if level == "strong" or (isinstance(made, Between) and entry.steps[level].above == "strong")
    )


def opened(rules: Rules[Any, Any, Any], state: Any, rng: Stream, most: int) -> Any:
    """Return the state after some random actions that pass the turn on and do not end the game."""
    for _ in range(rng.below(most + 1) if most else 0):
        turn = rules.turn(state)
        seat = min(turn.seats)
        following = []
        for action in rules.legal(state, seat):
            after = rules.apply(state, seat, action).state
            if rules.outcome(after) is None:
                then = rules.turn(after)
                if then.ask == turn.ask and then.seats != turn.seats:
                    following.append(after)
        if not following:
            break
        state = following[rng.below(len(following))]
    return state


def held_up_ms() -> float:
    """Return how long this thread was ready to run but had no processor, in ms; 0 where the system does not tell."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_bytes().split()[1]) / 1e6
    except (OSError, IndexError):
        return 0.0


def sit(terms: Terms, deal: int, swapped: bool) -> Sitting:
    """Play one deal: luck and the order of races depend on the seed and the deal alone."""
    made: list[Any] = []
    try:
        return _played(terms, deal, swapped, made)
    finally:
        for player in made:
            if hasattr(player, "close"):  # else its own process would outlive this one
                player.close()


def _played(terms: Terms, deal: int, swapped: bool, made: list[Any]) -> Sitting:
    """Play one deal; add the bots that were made for it to `made`."""
    entry = games.find(terms.game)
    options = entry.chosen(terms.options)
    rules = rules_of(entry, options, terms.seats)
    sides = entry.sides(rules.seats)
    whose = [(sides[seat] + swapped) % 2 for seat in range(rules.seats)]
    luck, order = (Stream.of_seed(f"{terms.seed}|{deal}|{use}") for use in ("luck", "order"))
    bots = [
        maker(entry, terms.bots[whose[seat]])(options, seed=Stream.of_seed(f"{terms.seed}|{deal}|{seat}").below(2**31))
        for seat in range(rules.seats)
    ]
    made += bots
    state = rules.start(entry.carry(options, deal % rules.seats))
    if NATURE not in rules.turn(state).seats or not entry.rolls(options):  # as in xiangqi and in grasshopper
        while NATURE in rules.turn(state).seats:
            state = play(rules, state, NATURE, rules.chance(state, luck)).state
        state = opened(rules, state, luck, terms.opening)
    actions, ms, faults, late, held_up = [0, 0], [0.0, 0.0], [0, 0], [0, 0], [0, 0]

    def chosen(seat: Seat) -> Any:
        """Return what a seat's bot does, None for nothing."""
        bot = whose[seat]
        view = rules.observe(state, seat)
        waited, began = held_up_ms(), time.perf_counter()
        action = bots[seat].choose(view, terms.budget_ms)
        took = (time.perf_counter() - began) * 1000
        ms[bot] += took
        if took > 1.5 * terms.budget_ms and "@" not in terms.bots[bot]:
            alone = took - (held_up_ms() - waited)
            (late if alone > 1.5 * terms.budget_ms else held_up)[bot] += 1
        actions[bot] += 1
        return action

    hands: dict[Seat, tuple[int, Any]] = {}  # in a race: when each seat's hand comes down, ms, and what it does then
    clock = 0

    def quickest(asked: list[Seat]) -> tuple[Seat, Any]:
        """Return whose hand comes down first in a race, and what it does; every bot keeps the pace of its level."""
        nonlocal clock
        assert entry.pace is not None
        for seat in asked:
            if seat not in hands:
                action, name = chosen(seat), terms.bots[whose[seat]]
                level = name if name in entry.bots else entry.level("strong")
                took = entry.pace(level, options, rules.observe(state, seat), action, order)
                hands[seat] = clock + took, action
        first = min(asked, key=lambda seat: (hands[seat][0], seat))
        clock, action = hands.pop(first)
        return first, action

    outcome: Outcome | None = None
    for _ in range(MOST):
        if (outcome := rules.outcome(state)) is not None:
            break
        turn = rules.turn(state)
        # Whoever may act is shown every step before those who are waited for go on; the first to say something is it.
        for seat in order.shuffled(sorted(turn.may)):
            action = chosen(seat)
            if action is None:
                continue
            if rules.refuse(state, seat, action) is None:
                break
            faults[whose[seat]] += 1
        else:
            asked = sorted(turn.seats)
            if NATURE in asked:
                seat, action = NATURE, rules.chance(state, luck)
            else:
                if entry.pace is None:
                    seat = asked[order.below(len(asked))]
                    action = chosen(seat)
                else:
                    seat, action = quickest(asked)
                if action is None or rules.refuse(state, seat, action) is not None:
                    faults[whose[seat]] += 1
                    action = rules.idle(state, seat)
        state = play(rules, state, seat, action).state
    if outcome is None:
        raise RuntimeError(f"{terms.game}: deal {deal} does not end")
    points = [[p for seat, p in enumerate(outcome.points) if whose[seat] == bot] for bot in (0, 1)]
    difference = sum(points[0]) / len(points[0]) - sum(points[1]) / len(points[1])
    return Sitting(
        deal=deal,
        swapped=swapped,
        difference=difference,
        why=outcome.why,
        actions=(actions[0], actions[1]),
        ms=(ms[0], ms[1]),
        faults=(faults[0], faults[1]),
        late=(late[0], late[1]),
        held_up=(held_up[0], held_up[1]),
    )
