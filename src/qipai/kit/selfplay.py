"""Shared code of the games' selfplay and benches: digests of buffers, deals played step by step as in the hall."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from qipai.core.contract import NATURE, Bot, Rules, Seat
from qipai.core.measure import Work
from qipai.core.rng import Stream

__all__ = ["digest", "one_by_one", "warm_bots"]


def digest(cells: Iterable[Any], before: int = 0) -> int:
    """Return a 31-bit digest of these numbers; before: the digest of what went before them."""
    found = before
    for n in cells:
        found = (found * 31 + int(n) + 100) % 0x7FFFFFFF
    return found


def warm_bots(
    rules: Rules[Any, Any, Any],
    player: Bot[Any, Any],
    others: Sequence[Bot[Any, Any]],
    asks: Callable[[int, Any], bool] = lambda moves, view: True,
) -> None:
    """Play a deal by one bot and ask others beside it, so that the kernels they call are compiled.

    asks: whether the others are asked too, from the number of moves and the view.
    """
    rng, moves = Stream.of_seed(0), 0
    state = rules.start()
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        if seat == NATURE:
            action = rules.chance(state, rng)
        else:
            moves += 1
            view = rules.observe(state, seat)
            action = player.choose(view, 0)
            if asks(moves, view):
                for bot in others:
                    bot.choose(view, 1)
        state = rules.apply(state, seat, action).state


def one_by_one(rules: Rules[Any, Any, Any], choose: Callable[[Any, Seat], Any]) -> Work:
    """Play deals as the hall does, with `turn`, what `choose` calls and `apply`; an operation is a decision."""
    rng, state = Stream.of_seed(1), rules.start()

    def once() -> int:
        nonlocal state
        seat = min(rules.turn(state).seats)
        action = rules.chance(state, rng) if seat == NATURE else choose(state, seat)
        state = rules.apply(state, seat, action).state
        if rules.outcome(state) is not None:
            state = rules.start()
        return 1

    return Work(once)
