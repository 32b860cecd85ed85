"""The faults of `bench chaos` are those of their seed, and what was found is judged."""

from __future__ import annotations

import time
from itertools import islice

import pytest

from qipai.bench.chaos import BUNCH, KINDS, Fault, Found, Plan, Storm, drawn, named, table


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


def test_the_longest_gap_is_kept_with_its_fault_without_what_the_fault_takes_itself() -> None:
    storm, now = Storm.__new__(Storm), time.monotonic()
    storm.found = Found(faults=4)
    storm.times = {7: [now - 5, now - 4.9, now - 1.2, now - 0.1], 8: [now - 5, now - 4, now - 3, now - 2, now - 1]}
    storm.gap("leader frozen", 0.0)
    assert storm.found.beyond == pytest.approx(3.7)
    assert storm.found.worst == "3.70 s at table 7, from 0.10 s on; fault 5, leader frozen"
    storm.times = {7: [now - 60, now - 54], 8: [now - 60]}
    storm.gap("database killed", 1e3)
    assert storm.found.beyond == pytest.approx(3.7)
    assert len(storm.found.gaps) == 2


@pytest.mark.parametrize("what", ["lost", "doubled", "holes", "unsaid", "seats", "still"])
def test_whatever_is_wrong_misses_a_target(what: str) -> None:
    found = Found(gaps={"leader killed": [1.0, 2.0, 1.5]}, beyond=2.0, worst="2.00 s at table 7")
    assert all(check.reached for check in table(Plan(), found).checks)
    (row,) = table(Plan(), found).lines
    assert (row.who, row.low, row.mid, row.high) == ("leader killed", 1.0, 1.5, 2.0)
    setattr(found, what, ["somebody"] if what == "unsaid" else 1)
    assert [check.found for check in table(Plan(), found).checks if not check.reached] == [1.0]
    assert any("--seed 1`" in note for note in table(Plan(), found).notes)
    assert any(note.endswith("2.00 s at table 7") for note in table(Plan(), found).notes)
