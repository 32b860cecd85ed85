"""How long a failure waits for its next try."""

from __future__ import annotations

from qipai.community.queue import pause


def test_pauses_grow_and_have_an_end() -> None:
    pauses = [pause(tries) for tries in range(1, 12)]
    assert pauses[:4] == [30, 60, 120, 240]
    assert pauses == sorted(pauses)
    assert pauses[-1] == pause(1000) == 3600
