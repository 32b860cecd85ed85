from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock

import pytest

from qipai.bench.floor import Floor, Room, Stopped, drained


class Watched:
    """Benches on a floor, and who was there at once."""

    def __init__(self, lanes: int, *benches: tuple[Room, ...]) -> None:
        self.floor = Floor(lanes, len(benches))
        self.there: list[tuple[int, Room]] = []
        self.seen: list[tuple[tuple[int, Room], ...]] = []
        self.lock = Lock()
        with ThreadPoolExecutor(len(benches)) as pool:
            for done in [pool.submit(self.carry_out, n, rooms) for n, rooms in enumerate(benches)]:
                done.result()

    def carry_out(self, number: int, rooms: tuple[Room, ...]) -> None:
        for room in rooms:
            self.floor.enter(number, room)
            with self.lock:
                self.there.append((number, room))
                self.seen.append(tuple(self.there))
            with self.lock:
                self.there.remove((number, room))
        self.floor.leave(number)


def test_who_is_alone_is_alone_and_comes_last_in_the_order_of_numbers() -> None:
    parts = (Room.BESIDE, Room.LANE, Room.ALONE)
    seen = Watched(2, (Room.ALONE,), parts, (Room.LANE,), parts, (Room.BESIDE, Room.ALONE)).seen
    assert all(len(there) == 1 for there in seen if any(room is Room.ALONE for _, room in there))
    last = [there[0] for there in seen if there[0][1] is Room.ALONE]
    assert last == [(n, Room.ALONE) for n in (0, 1, 3, 4)]
    assert [there[-1][1] for there in seen[-4:]] == [Room.ALONE] * 4


def test_there_are_so_many_lanes_and_the_lower_numbers_come_first() -> None:
    seen = Watched(2, *[(Room.LANE, Room.LANE)] * 6).seen
    assert max(len(there) for there in seen) <= 2
    assert [there[-1][0] for there in Watched(1, *[(Room.LANE,)] * 6).seen] == [0, 1, 2, 3, 4, 5]


def test_two_lanes_are_two_at_once() -> None:
    floor, both = Floor(2, 2), Barrier(2, timeout=60)

    def carry_out(number: int) -> None:
        floor.enter(number, Room.LANE)
        both.wait()  # breaks when they come one after the other
        floor.leave(number)

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(carry_out, range(2))) == [None, None]


def test_nobody_enters_after_a_stop() -> None:
    floor = Floor(1, 1)
    floor.enter(0, Room.LANE)
    floor.stop()
    with pytest.raises(Stopped):
        floor.enter(0, Room.ALONE)


def test_a_bench_that_has_the_machine_goes_through_its_parts() -> None:
    def parts():  # type: ignore[no-untyped-def]
        yield Room.LANE
        yield Room.ALONE
        return "found"

    assert drained(parts()) == "found"  # type: ignore[no-untyped-call]
