"""The hints list every whole turn, step by step, and nothing that cannot be completed."""

from __future__ import annotations

import random

import pytest

from qipai.core.contract import NATURE
from qipai.core.rng import Stream
from qipai.games.backgammon import ENTRY
from qipai.games.backgammon.conform import begun
from qipai.games.backgammon.hints import Hints, hints
from qipai.games.backgammon.notation.moves import cell_name
from qipai.games.backgammon.observation import laid
from qipai.games.backgammon.options import VARIANTS, Options
from qipai.games.backgammon.rules import Backgammon
from qipai.games.backgammon.state import Play, Roll, State


def at(position: str, dice: tuple[int, int], **raw: object) -> tuple[Backgammon, State]:
    rules = Backgammon(ENTRY.chosen(raw))
    init = {"pos": position, "phase": "to_play", "turn": 0, "on_roll": 0, "first": False, "dice": list(dice)}
    return rules, begun(rules.options, rules, init)


def hinted(rules: Backgammon, state: State, seat: int = 0) -> Hints:
    found = hints(rules.options, rules.observe(state, seat))
    assert found is not None
    return found


def test_a_forced_turn_is_named_and_a_free_one_is_not() -> None:
    free = hinted(*at("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", (3, 1)))
    assert (free.plays, free.forced) == (16, None)
    last = hinted(*at("1:1 off:14 / 6:3 off:12", (6, 3)))
    assert (last.plays, last.forced) == (1, "1/off")


def test_a_step_that_would_waste_the_other_number_is_not_among_them() -> None:
    # 14/9 by the five would leave no six: the larger must be played.
    found = hinted(*at("14:1 off:14 / 22:2 6:5 5:4 4:4", (6, 5)))
    assert [(step.origin, step.to, step.die) for step in found.nodes[0].steps] == [(14, 8, 6)]
    assert found.forced == "14/8"


def test_the_bar_comes_first() -> None:
    found = hinted(*at("bar:1 24:1 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", (3, 1)))
    assert {step.origin for step in found.nodes[0].steps} == {25}


def test_who_is_not_asked_gets_none() -> None:
    rules, state = at("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", (3, 1))
    assert hints(rules.options, rules.observe(state, 1)) is None
    assert hints(rules.options, rules.observe(state, None)) is None


def test_why_doubling_is_closed_is_said() -> None:
    rules = Backgammon(Options(match_to=1))
    state = rules.apply(rules.start(), NATURE, ENTRY.act({"a": "opening", "d": [3, 1]})).state  # type: ignore[arg-type]
    state = rules.apply(state, 0, Play("8/5 6/5")).state
    found = hinted(rules, state, 1)
    assert (found.roll, found.double, found.no_double) == (True, False, "cube_disabled")
    assert found.resign == (1, 2, 3)


@pytest.mark.parametrize("variant", [name for name, row in VARIANTS.items() if row.dice])
def test_every_walk_through_the_hints_is_a_legal_turn_and_every_turn_is_in_them(variant: str) -> None:
    options = Options(variant=variant)  # type: ignore[arg-type]
    rules, luck, rng = Backgammon(options), random.Random(variant), Stream.of_seed(variant)
    state, turns = rules.start(), 0
    while turns < 40:
        if rules.outcome(state) is not None:
            state = rules.start()
        seat = min(rules.turn(state).seats)
        if seat == NATURE:
            state = rules.apply(state, seat, rules.chance(state, rng)).state
            continue
        if state.phase != "to_play":
            state = rules.apply(state, seat, Roll()).state
            continue
        turns += 1
        assert state.laid == laid(options, state.cells), "a state carries what is shown of its board"
        found = hinted(rules, state, seat)
        ends = [node.m for node in found.nodes if node.m is not None]
        assert len(ends) == len(set(ends)) == found.plays == len(rules.plays(state, seat))
        assert all(rules.refuse(state, seat, Play(text)) is None for text in ends)
        node, words = found.nodes[0], []
        while node.m is None:
            step = luck.choice(node.steps)
            words.append(f"{cell_name(step.origin)}/{cell_name(step.to)}{'*' * step.hit}")
            node = found.nodes[step.next]
        after = rules.apply(state, seat, Play(" ".join(words))).state
        assert after.cells == rules.apply(state, seat, Play(node.m)).state.cells
        state = after
