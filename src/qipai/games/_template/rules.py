"""The rules of nim in plain Python; a game that has to be quicker moves them into a `kernel/` (docs/engines.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from qipai.core.contract import NATURE, Malformed, Outcome, Refusal, Rng, Seat, Step, Turn, one_of, stepped
from qipai.games._template.options import Options
from qipai.games._template.state import Action, Ended, State, Take, Taken, View

__all__ = ["Template"]

SEATS: Final = 2


class Template:
    """The contract (`core/contract.py`) under some house rules."""

    seats = SEATS

    def __init__(self, options: Options) -> None:
        self.options = options

    def start(self, carry: Any = None) -> State:
        """Return the heaps as they lie at the start (R1)."""
        return State(tuple(map(int, self.options.heaps.split("-"))))

    def turn(self, state: State) -> Turn:
        """Return who is to take."""
        return Turn(frozenset([state.on]), "take")

    def legal(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield what may be taken: heap by heap, one stone first (R2)."""
        if seat == state.on:
            yield from (Take(heap, n) for heap, most in enumerate(state.heaps) for n in range(1, most + 1))

    def leaving(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield nothing: nim is over so soon that nobody resigns."""
        return iter(())

    def sample(self, state: State, seat: Seat, rng: Rng) -> Action:
        """Draw one of `legal`."""
        return one_of(self.legal(state, seat), rng)

    def refuse(self, state: State, seat: Seat, action: Action | Malformed) -> Refusal | None:
        """Return why an action is forbidden, in the order of section 6."""
        if isinstance(action, Malformed) or seat == NATURE:
            return Refusal("bad_action")
        if not any(state.heaps):
            return Refusal("game_over")
        if seat != state.on:
            return Refusal("not_your_turn")
        if not 0 <= action.heap < len(state.heaps):
            return Refusal("no_such_heap", {"heaps": len(state.heaps)})
        most = state.heaps[action.heap]
        if most == 0:
            return Refusal("heap_empty")
        if action.n < 1:
            return Refusal("too_few")
        return Refusal("too_many", {"most": most}) if action.n > most else None

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Take the stones."""
        left = state.heaps[action.heap] - action.n
        heaps = (*state.heaps[: action.heap], left, *state.heaps[action.heap + 1 :])
        new = State(heaps, 1 - seat)
        winner = self.winner(new)
        end = () if winner is None else (Ended(winner),)
        return stepped(new, Taken(seat, action.heap, action.n, left), *end)

    def idle(self, state: State, seat: Seat) -> Action:
        """Return what is played for an absent player: one stone of the first heap that has any."""
        return next(self.legal(state, seat))

    def chance(self, state: State, rng: Rng) -> Action:
        """Return nothing: nim has no luck, and NATURE is never asked."""
        raise AssertionError("nim has no luck")

    def observe(self, state: State, seat: Seat | None) -> View:
        """Return what a seat may know: all of it."""
        winner = self.winner(state)
        return View(seat, state.heaps, (state.on,) if winner is None else (), winner)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return the state that a view shows."""
        if view.winner is None:
            return State(view.heaps, view.turn[0])
        return State(view.heaps, view.winner if self.options.last_loses else 1 - view.winner)

    def outcome(self, state: State) -> Outcome | None:
        """Return who has won (R3, R4): one point."""
        winner = self.winner(state)
        if winner is None:
            return None
        points = (1, -1) if winner == 0 else (-1, 1)
        return Outcome(
            points, (1, 2) if winner == 0 else (2, 1), "last_left" if self.options.last_loses else "last_taken"
        )

    def winner(self, state: State) -> Seat | None:
        """Return who has won; None while stones lie there."""
        if any(state.heaps):
            return None
        return state.on if self.options.last_loses else 1 - state.on
