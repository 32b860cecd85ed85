"""A game of another package: two seats take 1 to 3 from a heap in turn, who takes the last one wins.

Its `strong` bot does what the option `mood` says: it plays well, sleeps, dies, raises or prints.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

from qipai.core.analysis import Analysis, Progress, Verdict
from qipai.core.contract import NATURE, Malformed, Outcome, Refusal, Rng, Step, Turn, one_of
from qipai.core.entry import Analyst, Engine, Entry, Record


class Options(Struct, frozen=True):
    heap: int = 0  # 0: NATURE draws it, 10 to 30
    mood: Literal["well", "sleep", "die", "raise", "print", "slow"] = "well"


class Take(Struct, frozen=True, tag_field="a", tag="take"):
    n: int


class Pile(Struct, frozen=True, tag_field="a", tag="pile"):
    n: int


class State(Struct, frozen=True):
    heap: int = 0
    seat: int = NATURE


class View(Struct, frozen=True):
    heap: int
    seat: int
    options: Options


class Heap:
    seats = 2

    def __init__(self, options: Options) -> None:
        self.options = options

    def start(self, carry: Any = None) -> State:
        return State() if not self.options.heap else State(self.options.heap, 0)

    def turn(self, state: State) -> Turn:
        return Turn(frozenset([state.seat]))

    def legal(self, state: State, seat: int) -> Iterator[Take]:
        if seat == state.seat:
            yield from (Take(n) for n in (1, 2, 3) if n <= state.heap)

    def leaving(self, state: State, seat: int) -> Iterator[Take]:
        return iter(())

    def sample(self, state: State, seat: int, rng: Rng) -> Take:
        return one_of(self.legal(state, seat), rng)

    def refuse(self, state: State, seat: int, action: Any) -> Refusal | None:
        if isinstance(action, Malformed) or seat != state.seat or isinstance(action, Pile) != (seat == NATURE):
            return Refusal("no")
        return None if isinstance(action, Pile) or 1 <= action.n <= min(3, state.heap) else Refusal("no")

    def apply(self, state: State, seat: int, action: Any) -> Step[State]:
        return Step(State(action.n, 0) if seat == NATURE else State(state.heap - action.n, 1 - seat))

    def idle(self, state: State, seat: int) -> Take:
        return Take(1)

    def chance(self, state: State, rng: Rng) -> Pile:
        return Pile(10 + rng.below(21))

    def observe(self, state: State, seat: int | None) -> View:
        return View(state.heap, state.seat, self.options)

    def imagine(self, view: View, rng: Rng) -> State:
        return State(view.heap, view.seat)

    def outcome(self, state: State) -> Outcome | None:
        if state.heap or state.seat == NATURE:
            return None
        won = 1 - state.seat
        return Outcome((1, -1) if won == 0 else (-1, 1), (1, 2) if won == 0 else (2, 1), "last")


class Easy:
    def __init__(self, options: Options, *, seed: int) -> None:
        pass

    def choose(self, view: View, budget_ms: int) -> Take:
        return Take(1)


class Strong(Easy):
    def choose(self, view: View, budget_ms: int) -> Take:
        match view.options.mood:
            case "sleep":
                time.sleep(60)
            case "slow":
                time.sleep(0.3)
            case "die":
                os._exit(3)
            case "raise":
                raise ValueError("no idea")
            case "print":
                print("thinking aloud", flush=True)
        return Take(view.heap % 4 or 1)


class Program(Strong):
    """Somebody else's program: its path says whether it can be had."""

    def __init__(self, options: Options, path: str, *, seed: int) -> None:
        if path == "missing":
            raise FileNotFoundError(path)

    def choose(self, view: View, budget_ms: int) -> Take:
        return Take(2)

    def close(self) -> None:
        pass


def analyse(record: Record, engines: Mapping[str, str], tell: Progress) -> Analysis:
    if engines.get("program") == "missing":
        raise FileNotFoundError("missing")
    if record.options.get("mood") == "sleep" or engines.get("program") == "slow":
        time.sleep(60)
    return Analysis("program" if engines else "toy", "points", (Verdict(1, 0, "2", "3", 0.5),))


ENTRY = Entry(
    __name__,
    name="toy",
    engines={"program": Engine(Program, lambda options: options.heap == 0)},
    analysis=Analyst(analyse),
    seats=(2,),
    options=Options,
    rules=Heap,
    action=Take | Pile,
    event=Take | Pile,
    state=State,
    view=View,
    hint=list[int],
    hints=lambda options, view: None,
    bots={"easy": Easy, "strong": Strong},
    kinds={},
    clock=lambda options: {"type": "move", "s": 20},
    show=lambda options, view, lang: str(view.heap),
    read=lambda options, view, text: Take(int(text)),
    say=lambda event, lang: str(event),
)
