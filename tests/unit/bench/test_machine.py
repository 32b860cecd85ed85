from __future__ import annotations

import pytest

from qipai.bench import machine


def test_others_are_what_was_busy_and_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    told = iter([(100.0, 40.0, 10.0), (120.0, 56.0, 20.0), (120.0, 56.0, 20.0)])
    monkeypatch.setattr(machine, "spent", lambda: next(told))
    watch = machine.Watch()
    assert watch.others() == pytest.approx(0.3)  # 16 of 20 seconds busy, 10 of them ours


def test_where_nobody_tells_there_is_no_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "spent", lambda: None)
    assert machine.Watch().others() is None
