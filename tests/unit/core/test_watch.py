"""How long a search goes on: by the clock, or a number of deals that no clock changes."""

from __future__ import annotations

from functools import partial

import pytest

from qipai.core import watch
from qipai.core.watch import UNTIMED, Watch


def test_a_number_of_deals_is_shared_out_without_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Watch(0, 10)
    monkeypatch.setattr(watch.time, "perf_counter", lambda: 1e9)  # type: ignore[attr-defined]

    def deals(share: float) -> int:
        return sum(1 for _ in iter(partial(asked.within, share), False))

    assert [deals(share) for share in (0.3, 0.6, 1.0)] == [3, 3, 4]
    assert not asked.over
    assert asked.half()()


def test_several_deals_at_once_are_no_more_than_their_share() -> None:
    asked = Watch(0, 50)
    assert [asked.some(0.3, 10), asked.some(0.3, 10), asked.some(0.6, 16), asked.some(1.0, 16)] == [10, 5, 15, 16]
    assert [asked.some(1.0, 16), asked.some(1.0, 16)] == [4, 0]
    assert [Watch(10**6).some(0.3, 16), Watch(0).some(1.0, 16)] == [16, 0]


def test_by_the_clock_a_search_ends_with_its_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(watch.time, "perf_counter", lambda: now[0])  # type: ignore[attr-defined]
    asked = Watch(1000)
    now[0] = 0.3
    half = asked.half()
    assert (asked.within(0.3), asked.within(0.4), asked.over, half()) == (False, True, False, True)
    now[0] = 0.6
    assert (half(), asked.over) == (False, False)
    now[0] = 0.86
    assert (asked.within(1.0), asked.over) == (False, True)


def test_single_deals_need_neither() -> None:
    assert not UNTIMED.over
    assert not UNTIMED.within(1.0)
