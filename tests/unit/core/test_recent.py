"""What is kept of the last states, by their identity."""

from __future__ import annotations

from qipai.core.recent import KEPT, recent


def test_what_was_made_of_the_same_state_under_the_same_options_is_made_once() -> None:
    made: list[tuple[str, list[int]]] = []

    @recent
    def both(options: str, state: list[int]) -> list[int]:
        made.append((options, state))
        return [*state]

    one, twin = [1], [1]
    assert both("a", one) is both("a", one)
    assert both("a", twin) is not both("a", one), "equal is not the same"
    first = both("a", one)
    assert both("b", one) is not first
    assert both("b", one) is both("b", one)
    assert len(made) == 3


def test_only_the_last_few_are_kept() -> None:
    made: list[int] = []

    @recent
    def it(options: None, state: tuple[int]) -> int:
        made.append(state[0])
        return state[0]

    states = [(n,) for n in range(KEPT + 1)]
    for state in states:
        it(None, state)
    it(None, states[-1])
    assert made == [*range(KEPT + 1)]
    it(None, states[0])
    assert made == [*range(KEPT + 1), 0]
