"""When nodes of the tests' halls may die (`pytest --dying S`): at any time but within what cannot be asked again.

A call that changes something, has no cid, and has lost its answer is in doubt; a line in the hand of a test does not
mend itself. Such a thing is done within `held`: who is due to die then dies right after it. So a death comes in the
middle of reads, and of commands and calls that are sent again with their cids, and most often just when something was
acknowledged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Event

__all__ = ["calm", "come", "due", "ended", "expected", "held"]

_changed = Condition()
_holding = 0  # how many hold them off
_halls: list[Callable[[], None]] = []  # of halls whose nodes die: waits until those that live have a leader


@contextmanager
def expected(settled: Callable[[], None]) -> Iterator[None]:
    """From here on nodes of a hall die now and then. settled: waits until those that live have a leader."""
    _halls.append(settled)
    try:
        yield
    finally:
        _halls.remove(settled)


def come() -> bool:
    """Tell whether nodes die in this run."""
    return bool(_halls)


@contextmanager
def held() -> Iterator[None]:
    """Let no node die within this."""
    global _holding
    with _changed:
        _holding += 1
    try:
        yield
    finally:
        with _changed:
            _holding -= 1
            _changed.notify_all()


@contextmanager
def calm() -> Iterator[None]:
    """Let no node die within this, and let the last death be over: for a line that does not mend itself."""
    with held():
        for settled in _halls:
            settled()
        yield


def due(death: Callable[[], None], over: Event) -> None:
    """Let a node die as soon as nobody holds that off, unless it is over before (`ended`)."""
    with _changed:
        _changed.wait_for(lambda: _holding == 0 or over.is_set())
        if not over.is_set():
            death()


def ended(over: Event) -> None:
    """Say that a hall is over: whoever holds deaths off may be the one who ends it."""
    with _changed:
        over.set()
        _changed.notify_all()
