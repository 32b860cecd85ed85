"""The faults of `bench chaos` are those of their seed, and what was found is judged."""

from __future__ import annotations

from itertools import islice

import pytest

from qipai.bench import chaos
from qipai.bench.chaos import BUNCH, KINDS, Fault, Found, Plan, Seat, drawn, named, table
from qipai.bench.players import Board


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


class Wire:
    """A line that notes what is said."""

    lost = False

    def __init__(self) -> None:
        self.said: list[bytes] = []

    def send(self, text: bytes) -> None:
        self.said.append(text)


def told(seat: Seat, wire: Wire, text: str) -> None:
    seat.heard(wire, text.encode())  # type: ignore[arg-type]


def snapshot(seq: int, missed: str) -> str:
    return f'{{"t":"snapshot","ch":"5.0","seq":{seq},"missed":{missed},"you":{{"seat":0,"owner":true}}}}'


def question(seq: int, ask: int) -> str:
    more = f'"ask":{{"id":{ask},"kind":"move"}},"legal":{{"list":[{{"a":"x"}}],"more":false}}'
    return f'{{"t":"ev","ch":"","seq":{seq},{more}}}'


def test_a_player_notices_what_they_were_not_told_or_was_taken_back() -> None:
    seat, wire = Seat(chaos.Game(2, {}), Board(5), "token"), Wire()
    seat.line = wire  # type: ignore[assignment]
    told(seat, wire, snapshot(7, "null"))
    told(seat, wire, '{"t":"ev","ch":"5.0","seq":8}')
    told(seat, wire, snapshot(9, '[{"seq":9}]'))
    told(seat, wire, snapshot(9, "[]"))
    assert seat.missing == 0
    told(seat, wire, '{"t":"ev","ch":"5.0","seq":11}')
    assert seat.missing == 1
    told(seat, wire, snapshot(13, '[{"seq":13}]'))  # 12 was not said
    assert seat.missing == 2
    told(seat, wire, snapshot(12, "null"))  # 13 was shown, and is not there
    assert seat.missing == 3
    seat.look()
    assert wire.said == [b'{"t":"join","table":5,"ch":"5.0","after":12}']


def test_an_action_without_an_answer_is_kept_and_nothing_else_is_done_before() -> None:
    playing = chaos.Game(2, {})
    playing.acked = set()
    playing.go()
    seat, wire = Seat(playing, Board(5), "token"), Wire()
    seat.line = wire  # type: ignore[assignment]
    told(
        seat, wire, '{"t":"ev","ch":"","seq":1,"ask":{"id":3,"kind":"move"},"legal":{"list":[{"a":"x"}],"more":false}}'
    )
    [said] = wire.said
    assert seat.pending == said
    told(
        seat, wire, '{"t":"ev","ch":"","seq":2,"ask":{"id":4,"kind":"move"},"legal":{"list":[{"a":"y"}],"more":false}}'
    )
    assert wire.said == [said]
    assert seat.late
    told(seat, wire, '{"t":"ev","ch":"","seq":3,"info":{"state":"between"}}')  # it agrees to go on, by another cid
    assert seat.pending == said
    assert playing.acked == set()
