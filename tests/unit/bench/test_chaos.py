"""The faults of `bench chaos` are those of their seed, and what was found is judged."""

from __future__ import annotations

from itertools import islice

import pytest

from qipai.bench.chaos import BUNCH, KINDS, Fault, Found, Plan, drawn, named, table


def test_a_seed_gives_the_same_faults_again_and_every_kind_in_turn() -> None:
    turns = len(KINDS)
    faults = list(islice(drawn("7"), 3 * turns))
    assert faults == list(islice(drawn("7"), 3 * turns))
    assert faults != list(islice(drawn("8"), 3 * turns))
    for turn in range(3):
        assert sorted(fault.kind for fault in faults[turn * turns : (turn + 1) * turns]) == sorted(KINDS)
    for fault in faults:
        least, most = KINDS[fault.kind]
        assert least <= fault.seconds <= most
        assert bool(fault.parts) == (fault.kind == BUNCH)
        assert len({part.kind for part in fault.parts}) == len(fault.parts) in (0, 2, 3)
        assert BUNCH not in {part.kind for part in fault.parts}
    assert named(Fault("standby frozen", 1.25, 0, 0, ())) == "standby frozen for 1.2 s"


@pytest.mark.parametrize("what", ["lost", "doubled", "holes", "unsaid", "seats", "still"])
def test_whatever_is_wrong_misses_a_target(what: str) -> None:
    found = Found(gaps={"leader killed": [1.0, 2.0, 1.5]}, beyond=2.0)
    assert all(check.reached for check in table(Plan(), found).checks)
    (row,) = table(Plan(), found).lines
    assert (row.who, row.low, row.mid, row.high) == ("leader killed", 1.0, 1.5, 2.0)
    setattr(found, what, 1)
    assert [check.found for check in table(Plan(), found).checks if not check.reached] == [1.0]
    assert any("--seed 1`" in note for note in table(Plan(), found).notes)
