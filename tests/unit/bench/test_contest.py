from __future__ import annotations

import time

import pytest

from qipai.bench.contest import Corner, Gym, contest
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


def test_two_contestants_share_a_process() -> None:
    gym = Gym()
    try:
        both = {"quick": Corner(quick, gym=gym), "missing": Corner(missing, gym=gym), "again": Corner(quick, gym=gym)}
        assert set(contest(both, 1, 0.0, lambda what: None)) == {"quick", "again"}
    finally:
        gym.kill()
