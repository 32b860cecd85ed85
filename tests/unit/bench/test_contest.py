from __future__ import annotations

import os
import time

import pytest

from qipai.arena.worker import Warm
from qipai.bench.bots import answered
from qipai.bench.contest import Corner, Gym, contest
from qipai.bench.stable import Stable
from qipai.core.measure import Absent, Work


def quick() -> Work:
    """Spend a millisecond of CPU on two operations."""

    def once() -> int:
        end = time.process_time() + 0.001
        while time.process_time() < end:
            pass
        return 2

    print("this is no sample")
    return Work(once, version="7")


def missing() -> Work:
    """Not be there."""
    raise Absent("not installed")


def unknown() -> Work:
    """Need what nobody has."""
    import no_such_package  # type: ignore[import-not-found]

    return Work(no_such_package.once)


@pytest.mark.slow
def test_contestants_take_turns_and_an_absent_one_is_told() -> None:
    told: list[str] = []
    corners = {"quick": Corner(quick), "again": Corner(quick), "missing": Corner(missing), "unknown": Corner(unknown)}
    try:
        samples = contest(corners, 3, 0.01, told.append)
        assert corners["quick"].version == "7"
        assert corners["missing"].absent == "not installed"
        assert "no_such_package" in corners["unknown"].absent
    finally:
        for corner in corners.values():
            corner.close()
    assert set(samples) == {"quick", "again"}
    assert told == [f"round {n}/3: {who}" for n in (1, 2, 3) for who in ("quick", "again")]
    for sample in samples["quick"]:
        assert sample.wall_s >= 0.01
        assert 400 < sample.cpu_us < 700


def broken() -> Work:
    """Fall over at the first round."""

    def once() -> int:
        raise ValueError("on purpose")

    return Work(once)


@pytest.mark.slow
def test_a_peer_that_falls_over_is_absent_and_ours_is_an_error() -> None:
    peer, quick_one = Corner(broken, peer=True), Corner(quick)
    try:
        samples = contest({"quick": quick_one, "peer": peer}, 1, 0.0, lambda what: None)
        assert set(samples) == {"quick"}
        assert peer.absent.startswith("it failed")
    finally:
        peer.close()
        quick_one.close()
    ours = Corner(broken)
    try:
        with pytest.raises(RuntimeError, match="broken"):
            contest({"ours": ours}, 1, 0.0, lambda what: None)
    finally:
        ours.close()


def counting() -> Work:
    """Return how often the process was asked."""
    asked = 0

    def once() -> int:
        nonlocal asked
        asked += 1
        return asked

    return Work(once)


@pytest.mark.slow
def test_a_process_parts_in_two_that_know_nothing_of_each_other() -> None:
    with Stable() as stable:
        first, twin = Corner(counting, gym=stable.gym("a")), Corner(counting, gym=stable.twin("a"))
        assert stable.twin("a").parted is hasattr(os, "fork")
        assert [first.round(0).ops, first.round(0).ops, twin.round(0).ops, first.round(0).ops] == [1, 2, 1, 3]
        assert stable.gym("a") is stable.gym("a")
        stable.gym("a").kill()
        assert Corner(counting, gym=stable.gym("a")).round(0).ops == 1  # another has taken its place
    with pytest.raises(RuntimeError):
        twin.round(0)


@pytest.mark.slow
def test_a_peer_is_prepared_once_for_all_who_meet_it() -> None:
    with Stable() as stable:
        assert stable.peer(counting) is stable.peer(counting)
        assert stable.peer(counting).round(0).ops == 2  # it has begun
        assert stable.peer(missing).absent == "not installed"


def test_a_gym_answers_as_a_worker_does() -> None:
    gym = Gym()
    try:
        assert answered(gym, Warm("xiangqi")) == b"null"
        with pytest.raises(RuntimeError, match="no-such-game"):
            answered(gym, Warm("no-such-game"))
    finally:
        gym.kill()


def test_two_contestants_share_a_process() -> None:
    gym = Gym()
    try:
        both = {"quick": Corner(quick, gym=gym), "missing": Corner(missing, gym=gym), "again": Corner(quick, gym=gym)}
        assert set(contest(both, 1, 0.0, lambda what: None)) == {"quick", "again"}
    finally:
        gym.kill()
