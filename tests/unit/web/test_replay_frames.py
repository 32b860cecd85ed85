"""A finished game frame by frame: whole views for everybody, frame by frame."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from qipai import games
from qipai.core.contract import NATURE, one_of
from qipai.core.entry import rules_of
from qipai.core.rng import Stream
from qipai.web.replay_frames import frames_of


def finished(name: str) -> tuple[dict[str, Any], list[Any]]:
    """A random deal as GET /g/<id> tells it, and its states."""
    entry = games.find(name)
    rules = rules_of(entry, entry.options())
    luck = Stream.of_seed(f"film {name}")
    carry = entry.carry(entry.options(), 1)
    state = rules.start(carry)
    rows: list[Any] = []
    states = [state]
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        if seat < 0:
            action = rules.chance(state, luck)
        else:
            leaving = tuple(rules.leaving(state, seat))
            action = one_of(leaving, luck) if leaving and luck.below(30) == 0 else rules.sample(state, seat, luck)
        rows.append([seat, msgspec.to_builtins(action), 10, "bot"])
        state = rules.apply(state, seat, action).state
        states.append(state)
    whole = {
        "game_id": f"film{name}",
        "game": name,
        "rules": entry.edition,
        "options": {},
        "seats": [{"bot": "easy"}] * rules.seats,
        "carry": msgspec.to_builtins(carry),
        "rows": rows,
    }
    return msgspec.json.decode(msgspec.json.encode(whole)), states


def falls(whole: dict[str, Any], n: int) -> bool:
    """After n actions the next card of a deal falls at once."""
    rows = [[NATURE, {"a": ""}], *whole["rows"], [NATURE, {"a": ""}]]
    return bool(rows[n][0] == rows[n + 1][0] == NATURE and rows[n][1]["a"] == rows[n + 1][1]["a"] == "deal")


def test_the_cards_of_a_deal_are_one_step() -> None:
    whole, states = finished("shengji")
    frames = frames_of(whole).rows
    dealt = [frame for frame in frames if frame.action and frame.action["a"] == "deal"]
    # As many steps as there are pauses in which somebody declared, or let it be, and all of their cards in each.
    assert (
        sum(row[1]["a"] == "deal" for row in whole["rows"])
        == 100
        == sum(event["n"] for frame in dealt for event in frame.told if event["e"] == "drawn")
    )
    assert len(dealt) < 30
    assert [*dealt[-1].views[0]["counts"]] == [25, 25, 25, 25]
    assert len(states) - len(frames) == 100 - len(dealt)


@pytest.mark.parametrize("name", games.names())
def test_the_frames_put_together_are_what_was_seen(name: str) -> None:
    entry = games.find(name)
    rules = rules_of(entry, entry.options())
    whole, states = finished(name)
    frames = frames_of(whole).rows
    steps = [frame.n for frame in frames]
    assert steps == [n for n in range(len(states)) if not (entry.falls and falls(whole, n))]
    assert frames[0].seat is frames[0].action is None
    assert [[frame.seat, frame.action] for frame in frames[1:]] == [whole["rows"][n - 1][:2] for n in steps[1:]]
    assert sum(frame.ms for frame in frames) == 10 * len(whole["rows"])
    views: list[dict[str, Any]] = [{} for _ in range(rules.seats + 1)]
    for frame in frames:
        state = states[frame.n]
        views = [{**old, **new} for old, new in zip(views, frame.views, strict=True)]
        seen = [rules.observe(state, seat) for seat in (*range(rules.seats), None)]
        assert views == [msgspec.to_builtins(view) for view in seen]
    if len(views[0]) > 6:  # of a small view, most changes with every step
        assert sum(len(view) for frame in frames for view in frame.views) < len(frames) * len(views) * len(views[0]) / 2
