"""Records: how many played is in them, they play again, and their luck is that of their seed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from qipai.core.contract import NATURE, BadNotation, IllegalAction
from qipai.core.entry import AnyEntry, BadOption, Record, rules_of
from qipai.core.record import Contradiction, dumps, loads, replayed, verified
from qipai.core.replay_frames import frames
from qipai.core.rng import Stream, commitment

SEED, SEEDS, ID = bytes(range(32)), ("a", "牌"), "k7f3q9x2"
SEALED = commitment(SEED)


def played(entry: AnyEntry, options: Any, leaver: int | None = None) -> Record:
    """A deal of two, its luck by the book. leaver: who is sent away in the middle of the dealing."""
    chosen = entry.chosen(options)
    rules = rules_of(entry, chosen, 2)
    luck = Stream.of_deal(SEED, ID, 1, SEEDS)
    state = rules.start()
    rows: list[tuple[int, Any, int]] = []
    while (outcome := rules.outcome(state)) is None:
        seat = min(rules.turn(state).seats)
        if seat == NATURE and leaver is not None and len(rows) == 2:
            raw: Any = {"a": "leave", "seat": leaver}
        else:
            action = rules.chance(state, luck) if seat == NATURE else next(rules.legal(state, seat))
            raw = msgspec.to_builtins(action)
        rows.append((seat, raw, 0))
        state = rules.apply(state, seat, entry.act(raw)).state
    return Record(
        game=entry.name,
        options=options,
        seats=2,
        rows=tuple(rows),
        outcome=msgspec.to_builtins(outcome),
        seed=SEED.hex(),
        game_id=ID,
    )


def test_a_record_knows_how_many_played(snatch: AnyEntry) -> None:
    record = loads(dumps(played(snatch, {"yield": True})))
    assert record.seats == 2
    outcome = replayed(snatch, record)
    assert outcome is not None
    assert len(outcome.points) == 2
    assert all(len(frame.views) == 3 for frame in frames(snatch, record))
    with pytest.raises((BadOption, IllegalAction)):
        replayed(snatch, msgspec.structs.replace(record, seats=4))
    old = dumps(record).replace('"seats":2,', "", 1)
    assert loads(old).seats is None
    with pytest.raises(BadNotation):
        loads("[]")


@pytest.mark.parametrize("options", [{}, {"falling": True}])
def test_luck_is_that_of_the_seed(snatch: AnyEntry, options: Any) -> None:
    record = loads(dumps(played(snatch, options)))
    assert verified(snatch, record, SEALED, SEEDS) == replayed(snatch, record)
    assert verified(snatch, record) == replayed(snatch, record)
    with pytest.raises(Contradiction, match="committed to"):
        verified(snatch, record, "00" * 32, SEEDS)
    with pytest.raises(Contradiction, match="step 1: "):
        verified(snatch, record, SEALED, ("a", "b"))
    other = msgspec.structs.replace(record, outcome={**record.outcome, "points": [0, 0]})
    with pytest.raises(Contradiction, match="the record says"):
        verified(snatch, other)
    half = msgspec.structs.replace(record, rows=record.rows[:3])
    with pytest.raises(Contradiction, match="do not end"):
        verified(snatch, half)
    for unfinished in (None, {"points": [0, 0], "places": [1, 1], "why": "stopped"}):
        assert verified(snatch, msgspec.structs.replace(half, outcome=unfinished), SEALED, SEEDS) is None


def test_what_the_hall_does_in_lucks_turn_draws_nothing(snatch: AnyEntry) -> None:
    record = played(snatch, {"falling": True, "on_leave": "leave"}, leaver=1)
    outcome = verified(snatch, record, SEALED, SEEDS)
    assert outcome is not None
    assert outcome.why == "left"


def test_a_stream_is_found_again_where_it_was_left() -> None:
    stream = Stream.of_seed(7)
    words = [stream.word() for _ in range(40)]
    for drawn in range(40):
        again = Stream.of_seed(7).at(drawn)
        assert [again.word() for _ in range(40 - drawn)] == words[drawn:]
        assert again.drawn == 40
