"""Whether a seat could take a trick from the other side, beside every one of its plays carried out (platform P-95)."""

from __future__ import annotations

from itertools import islice
from typing import Any

from qipai import games
from qipai.core.contract import NATURE
from qipai.core.entry import rules_of
from qipai.core.rng import Stream
from qipai.games.shengji.sparing import gives, spares
from qipai.games.shengji.state import Play

MOST = 40


def test_a_chance_to_take_the_trick_is_what_carrying_out_every_play_says() -> None:
    entry = games.find("shengji")
    rules = rules_of(entry, entry.chosen({"decks": 1}), 4)
    luck, seen, taken, offered, laid = Stream.of_seed("sparing"), 0, 0, 0, 0
    state = entry.begun(rules, None, ())
    while rules.outcome(state) is None:
        turn = rules.turn(state)
        seat = min(turn.seats)
        action = rules.chance(state, luck) if seat == NATURE else rules.sample(state, seat, luck)
        step = rules.apply(state, seat, action)
        found = spares(rules, state, seat, action)
        for gift in gives(rules, state, seat, action):
            # The other side has the trick, the partner has played, and fewer points could be laid.
            assert (turn.ask, (gift.of - seat) % 2, len(state.trick.plays) >= 2) == ("follow", 1, True)
            fewer = [rules.apply(state, seat, each).state for each in islice(rules.legal(state, seat), MOST)]
            least = min(_points(each) for each in fewer)
            assert gift.let == (_points(step.state) > least)
            assert not any(_takes(rules, state, seat, each) for each in islice(rules.legal(state, seat), MOST))
            offered, laid = offered + 1, laid + gift.let
        if found is not None:
            assert turn.ask == "follow"
            assert (found.of - seat) % 2 == 1
        if turn.ask == "follow" and (state.trick.best - seat) % 2 == 1:
            plays = [*islice(rules.legal(state, seat), MOST)]
            if len(plays) < MOST:
                assert (found is not None) == any(_takes(rules, state, seat, each) for each in plays)
                seen += 1
            if found is not None:
                assert found.of == state.trick.best
                assert found.let != _takes(rules, state, seat, action)
                taken += not found.let
        state = step.state
    assert seen > 10
    assert taken
    assert offered > laid > 0


def _points(state: Any) -> int:
    trick = state.trick if state.trick is not None and state.trick.plays else state.last
    return int(trick.points)


def _takes(rules: object, state: object, seat: int, play: Play) -> bool:
    after = rules.apply(state, seat, play).state  # type: ignore[attr-defined]
    trick = after.trick if after.trick is not None and after.trick.plays else after.last
    return bool(trick.best == seat)
