"""Complete deals inside the kernel, for `qipai bench selfplay`."""

from __future__ import annotations

from qipai.core.measure import Whole
from qipai.games.doudizhu.bench import deals, rollouts

__all__ = ["WHOLE"]

WHOLE = Whole("deals", random=deals, steady=rollouts)
