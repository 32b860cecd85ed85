"""The hall's time, while the machine's is set forward and back."""

from __future__ import annotations

from qipai.web.clock import Clock

HOURS = 2 * 3600_000
START = 1_790_000_000_000


class Machine:
    """A machine whose clock somebody sets."""

    def __init__(self) -> None:
        self.wall, self.tick = START, 5_000

    def clock(self) -> Clock:
        return Clock(lambda: self.wall, lambda: self.tick)

    def run(self, ms: int) -> None:
        self.wall, self.tick = self.wall + ms, self.tick + ms


def test_it_counts_with_the_machine() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.run(1234)
    assert (clock.now(), clock.gap(), clock.leap(), clock.steer()) == (START + 1234, 0, None, 0)


def test_a_leap_forward_is_time_that_is_given_back() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.wall += HOURS
    assert clock.now() == START  # nothing has happened to who is on the move
    assert clock.leap() == HOURS
    assert clock.steer() == HOURS
    assert clock.now() == machine.wall
    assert (clock.leap(), clock.steer()) == (None, 0)


def test_back_it_never_goes_but_slower_until_both_agree() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.wall -= HOURS
    assert clock.leap() == -HOURS
    last = clock.now()
    told = 0
    for _second in range(50 * 3600):
        assert clock.steer() == 0
        told += clock.leap() is not None
        machine.run(1000)
        now = clock.now()
        assert 940 <= now - last <= 1000
        last = now
    assert told == 0
    assert abs(clock.gap()) < 50


def test_small_differences_are_no_leaps() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.wall += 1500
    assert clock.leap() is None
    for _second in range(200):
        assert clock.steer() == 0
        machine.run(1000)
    assert abs(clock.gap()) < 50


def test_it_starts_after_what_stands_in_the_log() -> None:
    machine = Machine()
    clock = machine.clock()
    clock.not_before(START - 5)
    assert clock.now() == START
    clock.not_before(START + 7)
    assert clock.now() == START + 7
