"""Random actions of shengji: drawn without a list, legal, and any that is legal can be drawn."""

from __future__ import annotations

import pytest

from qipai.core.contract import NATURE
from qipai.core.rng import Stream
from qipai.games.shengji import rules as module
from qipai.games.shengji.options import Options
from qipai.games.shengji.rules import Shengji
from qipai.games.shengji.state import Action, Bury, Play, State


def played(rules: Shengji, luck: Stream, until: int) -> State:
    """A random deal, up to where whoever is on turn leads and has so many cards left."""
    state = rules.start()
    while True:
        seat = min(rules.turn(state).seats)
        view = rules.observe(state, max(seat, 0))
        if view.phase == "playing" and view.trick is None and max(view.counts) <= until:
            return state
        action = rules.chance(state, luck) if seat == NATURE else rules.sample(state, seat, luck)
        assert rules.refuse(state, seat, action) is None
        state = rules.apply(state, seat, action).state


@pytest.mark.parametrize("decks", [1, 2, 3])
def test_a_whole_deal_is_drawn_and_nothing_is_listed(decks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("burials", "leads", "follows"):
        monkeypatch.delattr(module, name)
    rules = Shengji(Options(decks=decks))  # type: ignore[arg-type]
    thrown = 0
    for seed in range(5):
        luck = Stream.of_seed(f"{decks} {seed}")
        state = rules.start()
        kitties: set[Action] = set()
        plays = 0
        while rules.outcome(state) is None:
            seat = min(rules.turn(state).seats)
            action = rules.chance(state, luck) if seat == NATURE else rules.sample(state, seat, luck)
            assert rules.refuse(state, seat, action) is None
            if isinstance(action, Bury):
                kitties = {rules.sample(state, seat, luck) for _ in range(50)}
                assert all(rules.refuse(state, seat, kitty) is None for kitty in kitties)
            plays += isinstance(action, Play)
            step = rules.apply(state, seat, action)
            thrown += any(type(told.event).__name__ == "ThrowFailed" for told in step.events)
            state = step.state
        assert len(kitties) > 45
        assert plays > 20
    assert thrown, "throws come up, and fail"


@pytest.mark.parametrize("decks", [1, 2, 3])
def test_every_lead_and_every_follow_can_be_drawn(decks: int) -> None:
    rules = Shengji(Options(decks=decks))  # type: ignore[arg-type]
    for seed in range(6):
        luck = Stream.of_seed(f"end {decks} {seed}")
        state = played(rules, luck, 5)
        for _ in range(4):
            seat = min(rules.turn(state).seats)
            listed = set(rules.legal(state, seat))
            drawn = {rules.sample(state, seat, luck) for _ in range(120 * len(listed))}
            assert drawn == listed
            state = rules.apply(state, seat, max(listed, key=lambda play: (len(play.cards), play.cards))).state  # type: ignore[union-attr]
            if rules.outcome(state) is not None:
                break
