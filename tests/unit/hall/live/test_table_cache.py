"""The marks that say that the hall is running: one at a time, whatever the database takes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from qipai.hall.live.table_cache import ALIVE_MS, QUIET_MS, TableCache


class Written:
    """A mark under way."""

    over = False

    def done(self) -> bool:
        return self.over


def test_a_mark_waits_for_the_one_before_it() -> None:
    now, marks, due = [QUIET_MS], list[Written](), list[Any]()

    def spawn(work: Any) -> Written:
        work.close()
        marks.append(Written())
        return marks[-1]

    runner: Any = SimpleNamespace(
        over=False,
        clock=SimpleNamespace(now=lambda: now[0]),
        timers=SimpleNamespace(at=lambda when, work: due.append((when, work))),
        limits=SimpleNamespace(empty=0, deserted=0),
        tables={},
        spawn=spawn,
    )
    ports: Any = SimpleNamespace(sleeping=lambda: True)
    TableCache(runner, ports).begin()
    assert len(marks) == 1

    def later(ms: int) -> None:
        when, work = due.pop()
        assert when == now[0] + ALIVE_MS
        now[0] += ms
        work()

    later(QUIET_MS)
    assert len(marks) == 1  # it waits
    marks[0].over = True
    later(ALIVE_MS)
    assert len(marks) == 2  # as soon as it may
    marks[1].over = True
    later(ALIVE_MS)
    assert len(marks) == 2  # a quiet hall is marked seldom
