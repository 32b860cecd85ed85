"""A game gone through again comes to the same states as one that is played step by step."""

from __future__ import annotations

import random

import pytest
from tests.unit.games.xiangqi import positions
from tests.unit.games.xiangqi.test_position import CODES, forget, to_and_fro

from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import START
from qipai.games.xiangqi.rerun import PLIES, Rerun
from qipai.games.xiangqi.rules import SETUP, Xiangqi
from qipai.games.xiangqi.state import AcceptTime, Action, DeclineDraw, Move, OfferDraw, ProposeTime, Ready, State

Script = list[tuple[int, Action, State]]  # who does what, and the state after it


def played(luck: random.Random, rules: Xiangqi, state: State, most: int) -> Script:
    """Play a game with positions that come again, and with offers; it does not end."""
    script: Script = []
    while len(script) < most:
        side = state.position.side
        seat, action = side, Move(to_and_fro(luck, state))
        if luck.random() < 0.1 and rules.refuse(state, side, OfferDraw()) is None:
            seat, action = side, OfferDraw()  # type: ignore[assignment]
        elif state.offer == 1 - side and luck.random() < 0.5:
            seat, action = side, DeclineDraw()  # type: ignore[assignment]
        after = rules.apply(state, seat, action).state
        if after.phase == "over":
            break
        script.append((seat, action, after))
        state = after
    return script


@pytest.mark.parametrize("seed", range(24))
def test_it_comes_to_the_same_states(seed: int) -> None:
    luck = random.Random(seed)
    rules = Xiangqi(CODES[seed % 3])
    begun = rules.at(START if seed % 2 else positions.sparse(luck))
    script = played(luck, rules, begun, 60)
    for every in (1, 5, 1000):
        forget()
        rerun = Rerun(rules, begun)
        for n, (seat, action, after) in enumerate(script, 1):
            assert rerun.play(seat, action) == rules.turn(after)
            if n % every == 0 or n == len(script):
                assert rerun.state() == after
                # Whoever plays on from there finds the same board.
                follows = Move(to_and_fro(random.Random(n), after))
                found = rules.apply(rerun.state(), after.position.side, follows)
                forget()
                assert found == rules.apply(after, after.position.side, follows)


def test_a_long_game_has_room() -> None:
    luck = random.Random(5)
    rules = Xiangqi(Options(move_limit=0, no_capture_limit=0, repetition_count=5))
    script: Script = []
    while len(script) < 2 * PLIES:
        begun = rules.start()
        state, script = begun, []
        while state.phase == "play" and len(script) < 3 * PLIES:
            side = state.position.side
            action = luck.choice([each for each in rules.legal(state, side) if type(each) is Move])
            state = rules.apply(state, side, action).state
            script.append((side, action, state))
        script = script[:-1]
    rerun = Rerun(rules, begun)
    for seat, action, _after in script:  # type: ignore[assignment]
        rerun.play(seat, action)
    assert rerun.state() == script[-1][2]


def test_what_comes_before_the_first_ply_is_gone_through_too() -> None:
    rules = Xiangqi(CODES[0])
    state = begun = rules.start(SETUP)
    rerun = Rerun(rules, begun)
    talk: list[tuple[int, Action]] = [
        (0, ProposeTime({"first_s": 60})),
        (1, AcceptTime()),
        (1, Ready()),
        (0, Ready()),
        (0, Move("h2e2")),
    ]
    for seat, action in talk:
        assert rules.refuse(state, seat, action) is None
        state = rules.apply(state, seat, action).state
        assert rerun.play(seat, action) == rules.turn(state)
    assert rerun.state() == state
